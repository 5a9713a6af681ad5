# One check: SECONDS NONCE MARK COMMAND [LOST]. LOST is the mark of an earlier check whose end nobody saw.
klangk_ready "$2"
[ -z "$5" ] || klangk_sweep "KLANGK_CHECK_ID=$5"
exec 6< <(klangk_beside; klangk_guard "$1"); klangk_other=$!
klangk_check "$2" "$3" "$4"
kill -KILL $klangk_other
wait $klangk_other
