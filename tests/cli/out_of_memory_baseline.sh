# The same as out_of_memory for three parts, a baseline and the reports that sort. A baseline that is
# not read for a lack of memory ends the run.
failing_malloc
parts
"$STLCLASH" -q --quick -n 0 -o old.json cube.stl cube_shifted.stl tetra.stl
set -- --quick -j 1 -n 0 --baseline=old.json -o report.md -f github cube.stl cube_shifted.stl tetra.stl
"$STLCLASH" "$@" >expected.text
cp report.md expected.md

n=0 failures=0 in_a_row=0
while [ $in_a_row -lt 20 ] && [ $n -lt 5000 ]; do
    n=$((n + 1))
    echo old >report.md
    FAIL_AT=$n LD_PRELOAD=$PWD/fail.so "$STLCLASH" "$@" >got 2>errors
    status=$?
    if [ $status -eq 2 ]; then
        failures=$((failures + 1)) in_a_row=0
        # A part or pair for which there is no memory is undecided; the report says so.
        grep -q 'decided[,:] out of memory' got && continue
        says_so errors 2 || { echo "allocation $n: no message"; cat errors; }
        [ ! -s got ] || cmp got expected.text
        is_old report.md || cmp report.md expected.md
    elif [ $status -eq 0 ] && [ ! -s errors ]; then
        in_a_row=$((in_a_row + 1))
        cmp got expected.text
        cmp report.md expected.md
    else
        echo "allocation $n: status $status"
        cat errors
        in_a_row=0
    fi
done
[ $failures -gt 10 ] || echo "only $failures failures in $n runs"
ls -A | grep stlclash-
exit 0
