# --baseline: only failures that are new or worse count. Boxes in a row: a and b clash,
# b and c are near, c and d are clear; then each run moves something.
row() { # NAME B C D: where the boxes begin along x
    mkdir "$1"
    boxes 0 0 0 10 10 10 >"$1/a.stl"
    boxes "$2" 0 0 $(($2 + 10)) 10 10 >"$1/b.stl"
    boxes "$3" 0 0 $(($3 + 10)) 10 10 >"$1/c.stl"
    boxes "$4" 0 0 $(($4 + 10)) 10 10 >"$1/d.stl"
}
row first 8 19 40
row same 8 19 40
row worse 7 18 40
row better 9 20 40
row new 8 19 27
row resolved 30 60 90
row touching 10 20 30
changes() {
    jq -r '.pairs[] | select(.change) | "  \(.a) \(.b) \(.status) \(.change) \(.pass)"' "$1"
    jq -r '.baseline.resolved_unlisted[] | "  \(.a) \(.b) was \(.was)"' "$1"
    jq -c '[.baseline | .new, .worse, .existing, .better, .resolved], .summary' "$1"
}
command -v jq >/dev/null || skip "jq is missing"
options="-c 2 --exact"
"$STLCLASH" -q $options -o old.json first/*.stl
echo "=> $?"
for run in same worse better new resolved touching; do
    echo "# $run"
    "$STLCLASH" -q $options --baseline=old.json -o $run.json -o $run.xml -o $run.md -o $run.csv $run/*.stl
    echo "=> $?"
    changes $run.json
done

echo "# in other formats"
cp new/*.stl .
"$STLCLASH" $options --baseline=old.json a.stl b.stl c.stl d.stl
"$STLCLASH" $options --baseline=old.json -f github a.stl b.stl c.stl d.stl
grep -e '<testcase' -e 'message=' -e system-out new.xml
cat new.md
cut -d, -f2-7 new.csv

echo "# a report made with a baseline is one: nothing is forgiven twice, or forgotten"
"$STLCLASH" -q $options --baseline=same.json -o again.json same/*.stl
echo "=> $?"
"$STLCLASH" -q $options --baseline=worse.json same/*.stl
echo "=> $?"
"$STLCLASH" -q $options --baseline=same.json worse/*.stl
echo "=> $?"

echo "# the order of parts does not matter"
"$STLCLASH" -q $options --baseline=old.json -o order.json same/d.stl same/b.stl same/a.stl same/c.stl
echo "=> $?"
changes order.json

echo "# parts that came: their failures are new"
boxes 12 0 0 14 1 1 >e.stl
boxes 60 0 0 61 1 1 >f.stl
"$STLCLASH" -q $options --baseline=old.json first/?.stl f.stl
echo "=> $?"
"$STLCLASH" -q $options --baseline=old.json -o came.json first/?.stl e.stl f.stl
echo "=> $?"
changes came.json

echo "# rules come with them: those of the former pairs must be as they were"
for rules in e,b=?,clearance=4 e,b=f,clearance=50 a,b=e,ignore=true,reason=new ?,b=e,contact=fail \
    ?,b=?,clearance=4 a,b=b,clearance=2; do
    try -q $options --rule=a=$rules --baseline=old.json -o ruled.json first/?.stl e.stl f.stl
    [ ! -f ruled.json ] || jq -c '[.baseline | .new, .worse, .existing, .better, .resolved]' ruled.json
    rm -f ruled.json
done
"$STLCLASH" -q $options --rule=a=a,b=b,clearance=3 -o strict.json first/?.stl
try -q $options --rule=a=a,b=b,clearance=3 --rule=a=e,b=f,clearance=1 --baseline=strict.json first/?.stl e.stl f.stl
try -q $options --rule=a=e,b=f,clearance=1 --rule=a=a,b=b,clearance=3 --baseline=strict.json first/?.stl e.stl f.stl
try -q $options --rule=a=e,b=f,clearance=1 --rule=a=a,b=b,clearance=1 --baseline=strict.json first/?.stl e.stl f.stl
try -q $options --rule=a=e,b=f,clearance=1 --baseline=strict.json first/?.stl e.stl f.stl

echo "# an unreadable part stays undecided, known or not"
echo solid >d.stl
try -q $options --baseline=old.json -o undecided.json a.stl b.stl c.stl d.stl
changes undecided.json
try -q $options --baseline=undecided.json a.stl b.stl c.stl d.stl

echo "# what is not comparable"
try -q $options --baseline=old.json a.stl b.stl c.stl
try -q $options --baseline=old.json a.stl b.stl c.stl first/d.stl same/d.stl
try -q -c 3 --exact --baseline=old.json first/*.stl
try -q -c 2 --baseline=old.json first/*.stl
try -q $options --contact=fail --baseline=old.json first/*.stl
try -q $options --quick --baseline=old.json first/*.stl
try -q $options -u mm --baseline=old.json first/*.stl
try -q $options --rule=a=a,b=b,clearance=1 --baseline=old.json first/*.stl

echo "# what is no report"
try -q $options --baseline=missing.json first/*.stl
try -q $options --baseline=. first/*.stl
try -q $options --baseline=first/a.stl first/*.stl
head -n 40 old.json >cut.json
try -q $options --baseline=cut.json first/*.stl
: >empty.json
try -q $options --baseline=empty.json first/*.stl
echo '[]' >list.json
try -q $options --baseline=list.json first/*.stl
jq '.schema = 2' old.json >schema.json
try -q $options --baseline=schema.json first/*.stl
jq '.pairs[1].id = .pairs[0].id' old.json >twice.json
try -q $options --baseline=twice.json first/*.stl
jq '.pairs[0].overlap.depth = "deep"' old.json >deep.json
try -q $options --baseline=deep.json first/*.stl
jq 'del(.pairs[1].status)' old.json >less.json
try -q $options --baseline=less.json first/*.stl
(cat old.json && echo '{}') >more.json
try -q $options --baseline=more.json first/*.stl | sed "s/[0-9]* of [0-9]* on/N on/"

echo "# parts that only touched and then overlap, as deep as they may, are worse"
mkdir touch deeper
boxes 0 0 0 10 10 10 | tee touch/a.stl >deeper/a.stl
boxes 10 0 0 20 10 10 >touch/b.stl
boxes 9.75 0 0 19.75 10 10 >deeper/b.stl
touching="--touch-overlap=0.5 --contact=fail"
for run in touch deeper; do
    try -q $touching -o $run.json $run/a.stl $run/b.stl
done
for run in "touch touch" "touch deeper" "deeper deeper" "deeper touch"; do
    try -q $touching --baseline=${run% *}.json -o after.json ${run#* }/a.stl ${run#* }/b.stl
    jq -r '.pairs[] | "  \(.status) \(.change) \(.pass) \(.overlap.depth)"' after.json
done

echo "# from standard input, which is read once"
try -q $options --baseline=- first/*.stl <old.json
try -q $options --baseline=- first/*.stl </dev/null
try -q --baseline=- - first/a.stl <old.json
try -q --baseline=- - <old.json

echo "# it is renewed by a run that passes, and no other: what is new stays new"
mkdir renewed
parts
boxes 0 0 0 1 1 1 >renewed/a.stl
boxes 0.5 0 0 1.5 1 1 >renewed/b.stl
boxes 3 0 0 4 1 1 >renewed/c.stl
cd renewed
"$STLCLASH" -q -o known.json a.stl b.stl c.stl
cp known.json first.json
boxes 1.25 0 0 4 1 1 >c.stl
for run in 1 2; do
    try -q --baseline=known.json -o known.json -o other.json a.stl b.stl c.stl
    cmp known.json first.json
done
echo nothing >c.stl
try -q --baseline=known.json -o ./known.json a.stl b.stl c.stl
cmp known.json first.json
boxes 5 0 0 6 1 1 >c.stl
try -q --baseline=known.json -o known.json a.stl b.stl c.stl
cmp -s known.json first.json || echo renewed
