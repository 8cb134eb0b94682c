#!/bin/sh
# check.sh BUILD CC [-l] - all tests of one build, as many at a time as there are
# processors, and one line that adds them up.
set -u
build=$1 cc=$2 long=${3:-}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# One test, as a process of its own: ending without the closing line is a failure.
if [ "$build" = --unit ]; then
    log=$5/$(echo "$4" | tr '/:' '__').log
    "$3/tests" $6 "$4" >"$log" 2>&1
    tail -n 1 "$log" | grep -q '^unit: ' || {
        echo "FAILED $4: it did not end"
        echo "unit: 0 passed, 1 failed, 0 skipped"
    } >>"$log"
    exit 0
fi

"$build/tests" -n | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I NAME \
    "$0" --unit - "$build" NAME "$logs" "$long"
[ -n "$(ls "$logs")" ] || echo "unit: 0 passed, 1 failed, 0 skipped" >"$logs/none.log"
LONG=$long STLCLASH="$build/stlclash" BUILD="$build" CC="$cc" tests/cli/run.sh >"$logs/cli.log" 2>&1
tail -n 1 "$logs/cli.log" | grep -q '^cli: ' ||
    echo "cli: 0 passed, 1 failed, 0 skipped" >>"$logs/cli.log"

cat "$logs"/*.log | grep -vE '^(unit|cli): [0-9]+ passed'
cat "$logs"/*.log | grep -E '^(unit|cli): [0-9]+ passed' |
    awk '{ passed += $2; failed += $4; skipped += $6 }
         END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
               exit failed > 0 }'
