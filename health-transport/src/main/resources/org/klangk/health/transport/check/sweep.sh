# klangk_sweep NAME=VALUE [GROUP]: ends every process that carries this in its environment or belongs to the process group,
# wherever it went, and leaves the number of those that would not end in klangk_left. Pure bash. Stopped first, so that none
# of them has a child while its turn comes. Reading the pipe of descriptor 5, into which nobody writes, is a pause.
klangk_sweep() {
  local klangk_round klangk_dir klangk_line klangk_mine klangk_stat klangk_unclear
  local klangk_pauses=(0 0 .005 .02 .1 .3 .5)
  for klangk_round in ${!klangk_pauses[*]}; do
    [ $klangk_round -lt 2 ] || IFS= read -r -N 1 -t ${klangk_pauses[klangk_round]} -u 5 _
    klangk_left=0
    klangk_unclear=
    for klangk_dir in /proc/[0-9]*; do
      IFS= read -r klangk_line < "$klangk_dir/stat" || continue
      # After the name, which may hold anything: state, parent, group, …, flags. The dead wait for their parent, not for us;
      # what belongs to the kernel has no environment.
      klangk_stat=(${klangk_line##*) })
      [ "${klangk_stat[0]}" = Z ] || ((klangk_stat[6] & 0x200000)) && continue
      klangk_mine=
      if [ -n "$2" ] && [ "${klangk_stat[2]}" = "$2" ]; then
        klangk_mine=1
      else
        {
          IFS= read -r -d '' klangk_line || klangk_unclear=1
          while [ "$klangk_line" != "$1" ] && IFS= read -r -d '' klangk_line; do :; done
          [ "$klangk_line" = "$1" ] && klangk_mine=1
        } < "$klangk_dir/environ"
      fi
      [ -n "$klangk_mine" ] || continue
      klangk_left=$((klangk_left + 1))
      kill -STOP "${klangk_dir#/proc/}"
      kill -KILL "${klangk_dir#/proc/}"
    done
    # Whoever had no environment may be about to become another program, or to be gone: there is one a moment later.
    [ $klangk_left = 0 ] && { [ -z "$klangk_unclear" ] || [ $klangk_round -ge 3 ]; } && return
  done
}
