# A service in a container, known by its mark. "start MARK COMMAND" becomes the service, unless it runs; its first line says which.
# "stop MARK TENTHS" asks it to end, and ends it so many tenths of a second later.
exec 0</dev/null
klangk_doing=$1 klangk_service=KLANGK_SERVICE_ID=$2

# Puts the processes that carry the mark into klangk_found.
klangk_find() {
  local klangk_dir klangk_line
  klangk_found=
  for klangk_dir in /proc/[0-9]*; do
    while IFS= read -r -d '' klangk_line; do
      [ "$klangk_line" = "$klangk_service" ] && klangk_found+=" ${klangk_dir#/proc/}"
    done < "$klangk_dir/environ"
  done 2>/dev/null
}

klangk_find
if [ $klangk_doing = start ]; then
  [ -z "$klangk_found" ] || { printf 'running\n'; exit 0; }
  printf 'started\n'
  SHLVL=$((SHLVL - 1)) KLANGK_SERVICE_ID=$2 exec bash -l -c "$3"
fi

exec 2>/dev/null 5<> <(:)
[ -z "$klangk_found" ] || kill -TERM $klangk_found
for ((klangk_i = 0; klangk_i < $3; klangk_i++)); do
  klangk_find
  [ -n "$klangk_found" ] || exit 0
  IFS= read -r -N 1 -t 0.1 -u 5 _
done
klangk_sweep "$klangk_service"
