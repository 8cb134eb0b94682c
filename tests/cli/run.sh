#!/bin/sh
# run.sh - command-line tests: run.sh [--record] [NAME...]; run.sh -n lists the names
#
# NAME.sh runs in an empty directory and must give NAME.stdout, NAME.stderr (a
# missing file is an empty one) and the exit status in NAME.exit (missing: 0).
# A script that exits with 77 is skipped; its last line tells why. One that hangs
# is stopped after half an hour, and fails with the exit status 124. --record
# writes these files instead: read the difference before you commit it.
#
# Scripts see $STLCLASH, the command; $DATA, the sample parts; $ROOT, the
# sources; $BUILD, the build folder in it; $CC; $TEST_EMULATOR, what runs programs
# made by that, or empty; $LONG, not empty where time is no matter; $SLOW, not empty
# where the command is emulated, not optimised, or checks itself; and what lib.sh
# defines, already read.
export LC_ALL=C
unset NO_COLOR TERM POSIXLY_CORRECT
unset MAKEFLAGS MFLAGS MAKELEVEL # the jobs of the make that runs the tests are not theirs
here=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$here/../.." && pwd)
BUILD=${BUILD:-build/release} CC=${CC:-cc}
STLCLASH=${STLCLASH:-$ROOT/$BUILD/stlclash}
case $STLCLASH in /*) ;; *) STLCLASH=$PWD/$STLCLASH ;; esac
DATA=$ROOT/data
case $BUILD in build/release) SLOW=$TEST_EMULATOR ;; *) SLOW=yes ;; esac
export STLCLASH DATA ROOT BUILD CC LONG SLOW
# What is lost is looked for by valgrind, and within the library by each of its own tests.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

names() {
    (cd "$here" && ls *.sh | sed 's/\.sh$//' | grep -v -x -e run -e lib)
}
if [ "$1" = -n ]; then
    names
    exit
fi

record=no
if [ "$1" = --record ]; then
    record=yes
    shift
fi
if [ ! -x "$STLCLASH" ]; then
    echo "run.sh: $STLCLASH is missing; build it with 'make', or set STLCLASH" >&2
    exit 2
fi
if [ $# -eq 0 ]; then
    set -- $(names)
fi

temporary=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$temporary"; rm -rf "$temporary"' EXIT
trap 'exit 2' HUP INT TERM

keep() { # NEW OLD: the file of what came, or none if it is empty
    if [ -s "$1" ]; then cp "$1" "$2"; else rm -f "$2"; fi
}

passed=0 failed=0 skipped=0
for name in "$@"; do
    mkdir "$temporary/$name"
    got=$temporary/$name.got
    (cd "$temporary/$name" && timeout 1800 sh -c '. "$0"; . "$1"' "$here/lib.sh" "$here/$name.sh") \
        >"$got.stdout" 2>"$got.stderr" </dev/null
    status=$?
    if [ $status -eq 77 ]; then
        echo "skipped: $name: $(tail -n 1 "$got.stdout")"
        skipped=$((skipped + 1))
        continue
    fi
    : >"$got.exit"
    [ $status -eq 0 ] || echo $status >"$got.exit"
    if [ $record = yes ]; then
        for part in stdout stderr exit; do
            keep "$got.$part" "$here/$name.$part"
        done
        continue
    fi
    good=yes
    for part in stdout stderr exit; do
        cat "$here/$name.$part" >"$got.expected" 2>/dev/null
        if ! cmp -s "$got.expected" "$got.$part"; then
            [ $good = no ] || echo "FAILED: $name"
            good=no
            diff -u -L "expected $part" -L "got $part" "$got.expected" "$got.$part" |
                head -n 40 | sed 's/^/    /'
        fi
    done
    if [ $good = yes ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
done
echo "cli: $passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
