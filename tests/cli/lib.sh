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

# fail.so, with which the allocation number $FAIL_AT fails once.
failing_malloc() {
    [ -z "$SLOW" ] || skip "so many runs take too long here"
    ${CC:-cc} -shared -fPIC -o fail.so "$ROOT/tests/cli/failing_malloc.c" -ldl 2>/dev/null ||
        skip "no compiler for shared objects"
}

# Whether a file is messages of the command, a number of lines at most; and whether it is still what
# `echo old` wrote. By the shell alone, as there are thousands to be looked at.
says_so() { # FILE LINES
    lines=0
    while read -r line; do
        lines=$((lines + 1))
        case $line in "stlclash: "*) ;; *) return 1 ;; esac
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
