#!/bin/sh
# check.sh BUILD CC [-l | NAME...] - all tests of one build (-l: the long ones too), or the unit
# tests with a NAME in theirs; as many at a time as there are processors, and one line that adds
# them up. On a terminal it says how many are through.
set -u
if [ "$1" != --one ]; then
    BUILD=$1 CC=$2 LONG='' STLCLASH=$1/stlclash LOGS=$(mktemp -d)
    shift 2
    if [ "${1:-}" = -l ]; then LONG=$1 && shift; fi
    export BUILD CC LONG STLCLASH LOGS
    trap 'rm -rf "$LOGS"' EXIT

    { [ $# -gt 0 ] || tests/cli/run.sh -n; "$BUILD/tests" -n "$@"; } >"$LOGS/names"
    TOTAL=$(wc -l <"$LOGS/names")
    export TOTAL
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -I NAME "$0" --one NAME <"$LOGS/names"
    [ ! -t 2 ] || printf '\r%30s\r' '' >&2
    rm "$LOGS/names"
    [ -n "$(ls "$LOGS")" ] || echo "unit: 0 passed, 1 failed, 0 skipped" >"$LOGS/none.log"

    cat "$LOGS"/*.log | grep -vE '^(unit|cli): [0-9]+ passed'
    cat "$LOGS"/*.log | grep -E '^(unit|cli): [0-9]+ passed' |
        awk '{ passed += $2; failed += $4; skipped += $6 }
             END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
                   exit failed > 0 }'
    exit
fi

# One test, as a process of its own: ending without the closing line is a failure.
name=$2 log=$LOGS/$(echo "$2" | tr '/:' '__').log
case $name in
*:*) "$BUILD/tests" -x $LONG "$name" >"$log" 2>&1 ;; # FILE:NAME
*) tests/cli/run.sh "$name" >"$log" 2>&1 ;;
esac
tail -n 1 "$log" | grep -qE '^(unit|cli): ' || {
    echo "FAILED $name: it did not end"
    echo "unit: 0 passed, 1 failed, 0 skipped"
} >>"$log"
if [ -t 2 ]; then
    set -- "$LOGS"/*.log
    printf '\r  %d of %d tests' $# "$TOTAL" >&2
fi
