# --gaps: every place where parts come nearer than the clearance, or touch. A table with four legs
# over a floor, of which each stands elsewhere.
table() { # NAME HEIGHT of each leg
    boxes 0 0 8 20 20 9 1 1 "$2" 2 2 8 18 1 "$3" 19 2 8 1 18 "$4" 2 19 8 18 18 "$5" 19 19 8 >"$1.stl"
}
boxes -5 -5 -1 25 25 0 >floor.stl
table first 0.5 0.25 0.125 2
table lower 0.5 0.25 0.125 0.75
table narrower 0.375 0.25 0.125 2
table wider 0.5 0.375 0.125 2
table fewer 0.5 1.5 0.125 2
table resting 0 0.5 0 0
command -v jq >/dev/null || skip "jq is missing"
try --gaps -c 1 -u mm floor.stl first.stl
try --gaps -c 1 first.stl floor.stl
try --gaps -c 0.2 floor.stl first.stl
try --gaps -c 0.1 floor.stl first.stl
try --gaps floor.stl resting.stl
try --gaps -c 0.7 --no-distance floor.stl resting.stl
echo "# in other formats"
"$STLCLASH" --gaps -c 1 -f json floor.stl first.stl |
    jq -c '.options.gaps, (.pairs[0] | .distance, (.gaps[] | [.distance, .vector, .triangle_a, .feature_a]))'
"$STLCLASH" --gaps -c 0.1 -f json floor.stl first.stl | jq -c '.pairs[0].gaps'
"$STLCLASH" -c 1 -f json floor.stl first.stl | jq -c '.pairs[0].gaps'
"$STLCLASH" --gaps -c 1 -f github floor.stl first.stl
"$STLCLASH" --gaps -c 1 -f markdown floor.stl first.stl | grep near
echo "# the parts of a motion, as they stand at its start"
try --gaps -c 1 --move-b=0,0,8 floor.stl first.stl
echo "# against a former report"
mkdir old
cp first.stl old/table.stl
"$STLCLASH" -q --gaps -c 1 -o old.json floor.stl old/table.stl
for now in first lower narrower wider fewer; do
    cp $now.stl table.stl
    "$STLCLASH" --gaps -c 1 --baseline=old.json -f json floor.stl table.stl |
        jq -c "[\"$now\", .pairs[0].change, (.pairs[0].gaps | length), .summary.pass]"
done
try --baseline=old.json -c 1 floor.stl table.stl
jq 'del(.options.gaps) | del(.pairs[].gaps)' old.json >older.json
try -q --baseline=older.json -c 1 floor.stl table.stl
jq '.pairs[0].gaps[1] = {}' old.json >wrong.json
try -q --gaps --baseline=wrong.json -c 1 floor.stl table.stl
jq '.pairs[0].gaps = 3' old.json >wrong.json
try -q --gaps --baseline=wrong.json -c 1 floor.stl table.stl
echo "# not with everything"
try --gaps --quick floor.stl first.stl
try --gaps --probe=0,0,0:0,0,5 floor.stl
