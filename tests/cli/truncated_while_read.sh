# An input file is cut short while the command waits for the other one: mapped, it ends the run;
# read into memory, it was there as a whole.
parts
for reading in map read; do
    "$ROOT/$BUILD/bench/gen" -o . far 30k >list
    mkfifo pipe
    STLCLASH_READ=$reading "$STLCLASH" -j1 far_30k_A.stl pipe >out 2>errors & # in order
    command=$!
    exec 3>pipe # opens once the command has read the other one
    : >far_30k_A.stl
    cat cube_apart.stl >&3
    exec 3>&-
    wait $command
    echo "$reading => $?"
    sed -n '1s/ .*//p' out
    sed "s|$(pwd -P)/||" errors >&2
    rm pipe
done
