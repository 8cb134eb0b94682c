# Each allocation fails once: the command either does without it and reports the
# same, or says so in one line and prints nothing. A file of -o is whole, and says `undecided` where
# the pair is, or as it was.
failing_malloc
parts
set -- -j 1 -n 20 --health --gaps -o report.json --curves=curves.obj --overlap=common.stl \
    block.stl peg_clash.stl
"$STLCLASH" "$@" >expected.text
cp report.json expected.json
cp curves.obj expected.obj
cp common.stl expected.stl

n=0 failures=0 in_a_row=0
while [ $in_a_row -lt 20 ]; do # 20 runs without an error: all allocations are behind us
    n=$((n + 1))
    echo old >report.json
    echo old >curves.obj
    echo old >common.stl
    FAIL_AT=$n LD_PRELOAD=$PWD/fail.so "$STLCLASH" "$@" >got 2>errors
    status=$?
    if [ $status -eq 2 ]; then
        failures=$((failures + 1)) in_a_row=0
        says_so errors 3 || { echo "allocation $n: no message"; cat errors; }
        # A report that could not be saved does not keep the other one back.
        [ ! -s got ] || cmp got expected.text
        is_old report.json || grep -q '"undecided": 1' report.json || cmp report.json expected.json
        is_old curves.obj || cmp curves.obj expected.obj
        is_old common.stl || cmp common.stl expected.stl
    elif [ $status -eq 1 ] && [ ! -s errors ]; then
        in_a_row=$((in_a_row + 1))
        cmp got expected.text
        cmp report.json expected.json
        cmp curves.obj expected.obj
        cmp common.stl expected.stl
    else
        echo "allocation $n: status $status"
        cat errors
        in_a_row=0
    fi
    [ $n -lt 5000 ] || break
done
[ $failures -gt 10 ] || echo "only $failures failures in $n runs"
ls -A | grep stlclash-
exit 0
