# Runs one service for as long as standard input is open. $1 mark, $2 tenths of a second between TERM and KILL, $3 command.
# The service has a process group of its own; whatever it leaves behind, in the group or marked, ends with it. The exit
# code is the service's. Both its outputs are this shell's standard output.
set -m
exec 3<&0 0</dev/null 4>&1 2>/dev/null
# A pipe that this shell holds both ends of: reading it is a pause, and the gate behind which the service waits until there
# is somebody to end it, whatever it does to this shell.
exec 5<> <(:)
{
  IFS= read -r -N 1 -u 5 _
  SHLVL=$((SHLVL - 1)) KLANGK_SERVICE_ID=$1 exec bash -c "$3" 2>&4 3<&- 4>&- 5<&-
} & p=$!
set +m
{
  IFS= read -r -N 1 -u 3 _
  kill -TERM -- -$p
  for ((i = 0; i < $2; i++)); do
    kill -0 -- -$p || exit
    IFS= read -r -N 1 -t 0.1 -u 5 _
  done
  kill -KILL -- -$p
} & w=$!
printf . >&5
wait $p; r=$?
kill -KILL -- -$p
kill -KILL $w; wait $w
klangk_sweep "KLANGK_SERVICE_ID=$1"
exit $r
