# lib.sh - read by run.sh in front of every test.

# Runs the command and shows it, what it prints on both streams, and its status.
try() {
    echo "\$ stlclash $*"
    "$STLCLASH" "$@" 2>&1
    echo "=> $?"
}

# The same with the two streams told apart where that is the point: standard error
# lines begin with "2: ".
try_streams() {
    echo "\$ stlclash $*"
    "$STLCLASH" "$@" 2>stderr.txt
    status=$?
    sed 's/^/2: /' stderr.txt
    echo "=> $status"
    rm -f stderr.txt
}

skip() {
    echo "$*"
    exit 77
}

# Runs the command so often that each of its allocations fails once. It does without, with its usual
# status and all that it writes as usual; or it ends with 2, and each of so many lines at most that
# it says is like PATTERN, or the report that it prints has UNDECIDED, if that is not empty. A file is
# whole then, or old, or a report that says `undecided`.
each_allocation_fails() { # STATUS LINES PATTERN UNDECIDED "FILE ..." ARGUMENT...
    [ -z "$SLOW" ] || skip "so many runs take too long here"
    ${CC:-cc} -shared -fPIC -o fail.so "$ROOT/tests/cli/failing_malloc.c" -ldl 2>/dev/null ||
        skip "no compiler for shared objects"
    usual=$1 most=$2 pattern=$3 undecided=$4 files=$5 n=0 failures=0 in_a_row=0
    shift 5
    "$STLCLASH" "$@" >got
    mkdir expected
    cp got $files expected
    while [ $in_a_row -lt 20 ] && [ $n -lt 5000 ]; do # so many without one: all are behind us
        n=$((n + 1))
        for file in $files; do echo old >"$file"; done
        FAIL_AT=$n LD_PRELOAD=$PWD/fail.so "$STLCLASH" "$@" >got 2>errors
        status=$?
        if [ $status -eq 2 ]; then
            failures=$((failures + 1)) in_a_row=0
            if [ -n "$undecided" ] && grep -q "$undecided" got; then
                left='[1-9] undecided'
            else
                left='"undecided": 1'
                says_so errors "$most" "$pattern" ||
                    { echo "allocation $n: no message" && cat errors; }
                [ ! -s got ] || cmp got expected/got
            fi
            for file in $files; do
                is_old "$file" || grep -q "$left" "$file" || cmp "$file" "expected/$file"
            done
        elif [ $status -eq "$usual" ] && [ ! -s errors ]; then
            in_a_row=$((in_a_row + 1))
            for file in got $files; do cmp "$file" "expected/$file"; done
        else
            echo "allocation $n: status $status"
            cat errors
            in_a_row=0
        fi
    done
    [ $failures -gt 10 ] || echo "only $failures failures in $n runs"
    ls -A | grep stlclash- # what was not written to its end
    return 0
}

# For each of thousands of runs, so by the shell alone as far as may be.
says_so() { # FILE LINES PATTERN
    lines=0
    while read -r line; do
        lines=$((lines + 1))
        case $line in $3) ;; *) return 1 ;; esac
    done <"$1"
    [ $lines -gt 0 ] && [ $lines -le "$2" ]
}

is_old() { # FILE
    read -r line <"$1" && [ "$line" = old ]
}

# An ASCII STL file of boxes, each by its lowest and its highest corner.
boxes() { # X Y Z X Y Z ...
    echo solid
    while [ $# -ge 6 ]; do
        awk -v low="$1 $2 $3" -v high="$4 $5 $6" '
            BEGIN { split(low, corner0); split(high, corner1) }
            $1 == "vertex" {
                for (k = 1; k <= 3; k++) $(k + 1) = $(k + 1) == 0 ? corner0[k] : corner1[k]
            }
            !/solid/ { print }' "$DATA/cube_ascii.stl"
        shift 6
    done
    echo endsolid
}

# An ASCII STL file without one facet, counted from 0.
without_facet() { # NUMBER FILE
    awk -v number="$1" '
        /facet normal/ { n++ }
        n != number + 1 || /solid/ { print }' "$2"
}

# The sample parts, by short names in the current directory.
parts() {
    cp "$DATA"/*.stl .
}
