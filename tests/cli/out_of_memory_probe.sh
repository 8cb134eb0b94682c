# The same as out_of_memory for probes: the message names a file, also of parts beyond the second,
# which no option places.
failing_malloc
parts
set -- -j 1 --probe=0.5,0.5,-1:0.5,0.5,2 cube.stl cube_shifted.stl cube_apart.stl tetra.stl
"$STLCLASH" "$@" >expected.text

n=0 failures=0 in_a_row=0
while [ $in_a_row -lt 20 ] && [ $n -lt 5000 ]; do
    n=$((n + 1))
    FAIL_AT=$n LD_PRELOAD=$PWD/fail.so "$STLCLASH" "$@" >got 2>errors
    status=$?
    if [ $status -eq 2 ]; then
        failures=$((failures + 1)) in_a_row=0
        says_so errors 1 && ! grep -q '^stlclash: [:-]' errors ||
            { echo "allocation $n: no message, or of nothing"; cat errors; }
        [ ! -s got ] || cmp got expected.text
    elif [ $status -eq 1 ] && [ ! -s errors ]; then
        in_a_row=$((in_a_row + 1))
        cmp got expected.text
    else
        echo "allocation $n: status $status"
        cat errors
        in_a_row=0
    fi
done
[ $failures -gt 10 ] || echo "only $failures failures in $n runs"
exit 0
