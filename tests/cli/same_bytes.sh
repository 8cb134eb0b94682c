# The same report, and the same curves and overlaps, for any number of threads.
parts
for pair in "block peg_clash" "block peg_contact" "block peg_clear" "cube tetra" "cube cube_shifted"; do
    set -- $pair
    "$STLCLASH" -j 1 -n all -f json --health --gaps -c 1 --curves=one.obj --overlap=one.stl $1.stl $2.stl >one
    for threads in 0 2 3 8; do
        "$STLCLASH" -j $threads -n all -f json --health --gaps -c 1 --curves=more.obj --overlap=more.stl \
            $1.stl $2.stl | cmp one -
        cmp one.obj more.obj
        cmp one.stl more.stl
    done
done
