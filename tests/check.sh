#!/bin/sh
# check.sh BUILD CC [-l] - all tests of one build, as many at a time as there are
# processors, and one line that adds them up.
set -u
build=$1 cc=$2 long=${3:-}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# A file of tests that ends without its closing line counts as one failure.
run_unit() {
    "$1/tests" $3 "$2:" >"$4/$(basename "$2").log" 2>&1
    tail -n 1 "$4/$(basename "$2").log" | grep -q '^unit: ' ||
        echo "unit: 0 passed, 1 failed, 0 skipped" >>"$4/$(basename "$2").log"
}
if [ "${1:-}" = --unit ]; then
    run_unit "$2" "$3" "${5:-}" "$4"
    exit 0
fi

ls -S tests/test_*.c | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I FILE \
    "$0" --unit "$build" FILE "$logs" "$long"
STLCLASH="$build/stlclash" BUILD="$build" CC="$cc" tests/cli/run.sh >"$logs/cli.log" 2>&1
tail -n 1 "$logs/cli.log" | grep -q '^cli: ' ||
    echo "cli: 0 passed, 1 failed, 0 skipped" >>"$logs/cli.log"

cat "$logs"/*.log | grep -vE '^(unit|cli): [0-9]+ passed'
cat "$logs"/*.log | grep -E '^(unit|cli): [0-9]+ passed' |
    awk '{ passed += $2; failed += $4; skipped += $6 }
         END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
               exit failed > 0 }'
