# klangk_check SECONDS NONCE MARK COMMAND: runs one check and leaves nothing behind; succeeds when another may follow. Pure
# bash, no other program.
# The check has a process group of its own. It is killed when its time is over, or when standard input ends, which is when
# whoever asked for it is gone. The last line on both outputs is the nonce, how it ended, and how many of its processes would
# not end. Names are unlikely ones, because a variable that the image exports would go on to the check as it is here.

# What bash has to say of its jobs is nobody's output. 3 is what we are told, 4 where the check's standard error goes, 5 a
# pipe that this shell holds both ends of: a gate, and a pause.
exec 3<&0 0</dev/null 4>&2 2>/dev/null 5<> <(:)

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

klangk_check() {
  local klangk_pid klangk_watch klangk_how klangk_end klangk_group klangk_left=0
  # Job control gives the check its group.
  set -m
  {
    # The gate: the check waits until there is somebody to end it, whatever it does to this shell.
    IFS= read -r -N 1 -u 5 _
    SHLVL=$((SHLVL - 1)) KLANGK_CHECK_ID=$3 exec bash -c "$4" 2>&4 3<&- 4>&- 5<&-
  } & klangk_pid=$!
  set +m
  # Deaf to TERM before it kills, so that the end of the check it killed cannot end it before it has said so.
  {
    IFS= read -r -N 1 -t "$1" -u 3 _; klangk_end=$?
    trap '' TERM
    kill -KILL -- -$klangk_pid
    exit $((klangk_end > 128 ? 124 : 125))
  } & klangk_watch=$!
  printf . >&5
  wait $klangk_pid; klangk_how=$?
  # Succeeds where somebody of the group was left.
  kill -KILL -- -$klangk_pid; klangk_group=$?
  kill -TERM $klangk_watch; wait $klangk_watch; klangk_end=$?
  [ $klangk_end = 124 ] && klangk_how=timeout
  [ $klangk_end = 125 ] && klangk_how=cancelled
  if [ $klangk_group = 0 ] || [ $klangk_end = 124 ] || [ $klangk_end = 125 ] ||
    ! klangk_children || [ "$klangk_now" != "$klangk_known" ]; then
    klangk_sweep "KLANGK_CHECK_ID=$3" $klangk_pid
    klangk_children; klangk_known=$klangk_now
  fi
  printf '\n%s %s %s\n' "$2" "$klangk_how" "$klangk_left" >&4
  printf '\n%s %s %s\n' "$2" "$klangk_how" "$klangk_left"
  [ $klangk_end != 125 ] && [ $klangk_left = 0 ]
}

# klangk_ready NONCE: whatever was said before is not of a check.
klangk_ready() {
  klangk_children; klangk_known=$klangk_now
  ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 401)) || klangk_old=" $BASH_VERSION"
  printf '\n%s ready%s\n' "$1" "$klangk_old" >&4
  printf '\n%s ready%s\n' "$1" "$klangk_old"
  [ -z "$klangk_old" ] || exit 0
}
