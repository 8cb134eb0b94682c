#!/bin/sh
# check.sh BUILD CC [-l] - all tests of one build, and one line that adds them up.
set -u
build=$1 cc=$2 long=${3:-}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

{
    "$build/tests" $long || echo "unit: 0 passed, 1 failed, 0 skipped (the program)"
    STLCLASH="$build/stlclash" BUILD="$build" CC="$cc" tests/cli/run.sh ||
        echo "cli: 0 passed, 1 failed, 0 skipped (the script)"
} >"$log.all" 2>&1
status=0
grep -E '^(unit|cli): ' "$log.all" >"$log" || status=1
grep -vE '^(unit|cli): .*\(the ' "$log.all"
rm -f "$log.all"
awk '{ passed += $2; if ($0 !~ /\(the /) failed += $4; else wrong = 1; skipped += $6 }
     END { if (wrong && !failed) failed = 1
           printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
           exit failed > 0 }' "$log" || status=1
exit $status
