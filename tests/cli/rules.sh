# Which rule takes which pair, and what it makes of it.
parts
boxes 0 0 0 1 1 1 >a.stl
boxes 0.75 0 0 1.75 1 1 >b.stl
boxes 2 0 0 3 1 1 >c.stl
boxes 3 0 0 4 1 1 >d.stl
verdicts() { # a pair a line: status, pass, rule
    "$STLCLASH" -f json "$@" a.stl b.stl c.stl d.stl |
        jq -r '(.pairs[] | "\(.a) \(.b) \(.status) \(.pass) \(.rule)"), (.summary | tostring)'
    echo
}
command -v jq >/dev/null || skip "jq is missing"
verdicts
# a clearance for one pair, in either order of the names
verdicts --rule=a=b,b=c,clearance=0.5 --rule=a=c,b=a,clearance=2
# the last one that matches wins, and takes nothing over from those before
verdicts -c 0.5 '--rule=a=*,b=*,contact=fail' '--rule=a=[ab],b=?,clearance=0'
# contacts that fail, and gaps that touch
verdicts --rule=a=c,b=d,contact=fail
verdicts --rule=a=b,b=c,touch_gap=0.25
verdicts --contact=fail --rule=a=c,b=d,contact=allow
# press fits: the overlap of a and b is 0.25 deep and has a volume of 0.25
for rule in max_depth=0.3 max_depth=0.2 max_volume=0.25001 max_volume=0.2 \
    max_depth=0.3,max_volume=0.3 max_depth=0.3,max_volume=0.1 max_depth=0.1,max_volume=0.3 \
    touch_overlap=0.3 max_depth=0.25 max_depth=0.2499 max_volume=0.25 max_volume=0.249999; do
    for options in "" --quick -q; do
        "$STLCLASH" $options --rule=a=a,b=b,$rule a.stl b.stl >stdout
        echo "$rule $options => $?"
    done
done
# an overlap that cannot be measured
without_facet 0 a.stl >open.stl
boxes 0.75 0.125 0.125 1.75 0.875 0.875 >bar.stl
try -n 0 --rule=a=open,b=bar,max_depth=0.3 open.stl bar.stl
# ignored: reason, counts
verdicts '--rule=a=a,b=*,ignore=true,reason=glued, really'
"$STLCLASH" -n0 '--rule=a=a,b=b,ignore=true,reason=glued' a.stl b.stl
echo "=> $?"
# what is known of it all the same
"$STLCLASH" -f json '--rule=a=cube,b=*,ignore=true,reason=glued' "$DATA/cube.stl" "$DATA/cube_apart.stl" |
    grep -e '"ignored": true' -e box_distance
