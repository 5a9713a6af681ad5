# One check: SECONDS NONCE MARK COMMAND [LOST]. LOST is the mark of an earlier check whose end nobody saw.
klangk_ready "$2"
[ -z "$5" ] || klangk_sweep "KLANGK_CHECK_ID=$5"
klangk_check "$1" "$2" "$3" "$4"
