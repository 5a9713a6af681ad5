# One check after the other, as they are asked for on standard input; each is nonce, seconds, mark and command, ended by NUL.
klangk_ready "$1"
while
  IFS= read -r -d '' -u 3 klangk_nonce && IFS= read -r -d '' -u 3 klangk_seconds &&
    IFS= read -r -d '' -u 3 klangk_mark && IFS= read -r -d '' -u 3 klangk_command
do
  # Not after one that was cut short, or that left somebody who may write into the output of the next.
  klangk_check "$klangk_seconds" "$klangk_nonce" "$klangk_mark" "$klangk_command" || exit 0
done
