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
    [ -z "$TEST_EMULATOR" ] || skip "the emulator has its own malloc"
    for word in asan ubsan; do
        ! ldd "$STLCLASH" | grep -q $word || skip "a sanitizer has its own malloc"
    done
    ${CC:-cc} -shared -fPIC -o fail.so "$ROOT/tests/cli/failing_malloc.c" -ldl 2>/dev/null ||
        skip "no compiler for shared objects"
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
