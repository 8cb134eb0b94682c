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

# The sample parts, by short names in the current directory.
parts() {
    cp "$DATA"/*.stl .
}
