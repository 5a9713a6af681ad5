# Runs checks and leaves nothing behind. Pure bash, no other program. A guard beside this shell ends a check when its time is
# over, or when standard input ends, which is when whoever asked for it is gone. Names are unlikely ones, because a variable
# that the image exports would go on to the check as it is here.

# What bash has to say of its jobs is nobody's output. 3 is what we are told, 4 where a check's standard error goes. This shell
# holds both ends of 5 and 7: 5 is a gate, and a pause; by 7 the guard is told which check runs and when it is over.
exec 3<&0 0</dev/null 4>&2 2>/dev/null 5<> <(:) 7<> <(:)

# Who may get the orphans of a check: the first process here, or whoever above us asked the kernel for them.
klangk_reapers=(1)
klangk_above=$PPID
while [ "$klangk_above" -gt 1 ]; do
  klangk_reapers+=($klangk_above)
  IFS= read -r klangk_line < "/proc/$klangk_above/stat" || break
  klangk_stat=(${klangk_line##*) })
  klangk_above=${klangk_stat[1]}
done

# Puts the children that they have now into klangk_now; fails where that cannot be seen.
klangk_children() {
  klangk_now=
  for klangk_above in ${klangk_reapers[*]}; do
    { IFS= read -r klangk_line; :; } < "/proc/$klangk_above/task/$klangk_above/children" || return
    klangk_now+="$klangk_line;"
  done
}

# For what runs beside this shell: it holds no output of a check, and outlives whom it speaks to.
klangk_beside() {
  exec 4>&-
  trap '' PIPE
}

# klangk_guard SECONDS: sees to one check, and then waits for the first character of what is asked next; fails at the end of
# input. Says what it does, in as many words as a request has, before it does it.
klangk_guard() {
  local klangk_pid klangk_how
  # Until it is told there is nothing to read but the end of input, which comes when nobody is left to tell it.
  until IFS= read -r -t 1 -u 7 klangk_pid; do
    read -t 0 -u 3 && return 1
  done
  IFS= read -r -N 1 -t "$1" -u 3 klangk_next; klangk_how=$?
  if [ $klangk_how != 0 ] && ! read -t 0 -u 7; then
    [ $klangk_how -gt 128 ] && printf '%s\0' timeout '' '' '' || printf '%s\0' cancelled '' '' ''
    kill -KILL -- -$klangk_pid
  fi
  if [ $klangk_how -gt 128 ]; then
    IFS= read -r -N 1 -u 3 klangk_next; klangk_how=$?
  fi
  [ $klangk_how = 0 ] && IFS= read -r -t 5 -u 7 _
}

# Takes what the guard says, a request or what it did.
klangk_hear() {
  IFS= read -r -d '' -u 6 klangk_nonce && IFS= read -r -d '' -u 6 klangk_seconds &&
    IFS= read -r -d '' -u 6 klangk_mark && IFS= read -r -d '' -u 6 klangk_command
}

# klangk_check NONCE MARK COMMAND: runs one check. The last line on both outputs is the nonce, how it ended, and how many of its
# processes would not end. Succeeds when another may follow.
klangk_check() {
  local klangk_pid klangk_how klangk_left=0
  # Job control gives the check its group.
  set -m
  {
    # The gate: the check waits until somebody knows whom to end, whatever it does to this shell.
    IFS= read -r -N 1 -u 5 _
    SHLVL=$((SHLVL - 1)) KLANGK_CHECK_ID=$2 exec bash -c "$3" 2>&4 3<&- 4>&- 5<&- 6<&- 7<&-
  } & klangk_pid=$!
  set +m
  printf '%s\n' $klangk_pid >&7
  printf . >&5
  wait $klangk_pid; klangk_how=$?
  printf '\n' >&7
  [ $klangk_how = 137 ] && read -t 0 -u 6 && klangk_hear && klangk_how=$klangk_nonce
  # The kill succeeds where somebody of the group was left.
  if kill -KILL -- -$klangk_pid || ! klangk_children || [ "$klangk_now" != "$klangk_known" ]; then
    klangk_sweep "KLANGK_CHECK_ID=$2" $klangk_pid
    klangk_children
    klangk_known=$klangk_now
  fi
  printf '\n%s %s %s\n' "$1" "$klangk_how" "$klangk_left" >&4
  printf '\n%s %s %s\n' "$1" "$klangk_how" "$klangk_left"
  [ $klangk_how != cancelled ] && [ $klangk_left = 0 ]
}

# klangk_ready NONCE: whatever was said before is not of a check.
klangk_ready() {
  klangk_children
  klangk_known=$klangk_now
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 401)) || klangk_old=" $BASH_VERSION"
  printf '\n%s ready%s\n' "$1" "$klangk_old" >&4
  printf '\n%s ready%s\n' "$1" "$klangk_old"
  [ -z "$klangk_old" ] || exit 0
}
