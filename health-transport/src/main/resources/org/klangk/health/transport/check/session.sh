# One check after the other, as they are asked for on standard input, in fields that end with NUL: first the nonce of the first
# line, then for each check nonce, seconds, mark and command.
IFS= read -r -d '' -u 3 klangk_nonce
klangk_ready "$klangk_nonce"

# Hands on what is asked, one check at a time, and guards it.
klangk_pump() {
  klangk_beside
  IFS= read -r -N 1 -u 3 klangk_next || return
  while
    IFS= read -r -d '' -u 3 klangk_nonce && IFS= read -r -d '' -u 3 klangk_seconds &&
      IFS= read -r -d '' -u 3 klangk_mark && IFS= read -r -d '' -u 3 klangk_command
  do
    printf '%s\0' "$klangk_next$klangk_nonce" "$klangk_seconds" "$klangk_mark" "$klangk_command"
    klangk_guard "$klangk_seconds" || return
  done
}

exec 6< <(klangk_pump)
while klangk_hear; do
  # The guard may have spoken too late, of a check that was over.
  [ -n "$klangk_seconds" ] || continue
  # None follows one that was cut short, or that left somebody who may write into the output of the next.
  klangk_check "$klangk_nonce" "$klangk_mark" "$klangk_command" || exit 0
done
