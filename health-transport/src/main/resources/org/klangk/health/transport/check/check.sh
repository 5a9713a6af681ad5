# Runs one check and leaves nothing behind. Pure bash, no other program. $1 seconds, $2 nonce, $3 mark, $4 command.
# The check has a process group of its own. It is killed when its time is over, or when standard input ends, which is
# when whoever started this is gone. The last line on standard error is the nonce and how it ended.
# Job control gives the check its group; what bash has to say of its jobs is nobody's output.
set -m
exec 3<&0 0</dev/null 4>&2 2>/dev/null
# The gate: the check waits until there is somebody to end it, whatever it does to this shell.
exec 5<> <(:)
{
  IFS= read -r -N 1 -u 5 _
  SHLVL=$((SHLVL - 1)) KLANGK_CHECK_ID=$3 exec bash -c "$4" 2>&4 3<&- 4>&- 5<&-
} & p=$!
set +m
# Deaf to TERM before it kills, so that the end of the check it killed cannot end it before it has said so.
{ IFS= read -r -N 1 -t "$1" -u 3 _; s=$?; trap '' TERM; kill -KILL -- -$p; exit $((s > 128 ? 124 : 125)); } & w=$!
printf . >&5
wait $p; r=$?
kill -KILL -- -$p
kill -TERM $w; wait $w; v=$?
[ $v = 124 ] && r=timeout
[ $v = 125 ] && r=cancelled
# A child that left the process group still carries the mark in its environment.
if [ $v = 124 ] || [ $v = 125 ]; then sweep "KLANGK_CHECK_ID=$3"; fi
printf '\n%s %s\n' "$2" "$r" >&4
