# The text report of an assembly: counts, the matrix, failures worst first, the rest.
mkdir p
at() { # NAME X Y Z SIZE
    boxes "$2" "$3" "$4" $(($2 + $5)) $(($3 + $5)) $(($4 + $5)) >"p/$1.stl"
}
at base 0 0 0 100
at column 40 40 99 20
at arm 40 40 119 20
at pin 45 45 118 5
at lid 40 40 142 20
at far 500 0 0 10
at ghost 41 41 141 10
cp "$DATA/cube_ascii.stl" p/open.stl
without_facet 3 p/open.stl >open && mv open p/open.stl
rules="--rule=a=ghost,b=*,ignore=true,reason=drawn_for_orientation_only --rule=a=pin,b=*,max_depth=5"
set -- p/base.stl p/column.stl p/arm.stl p/pin.stl p/lid.stl p/far.stl p/ghost.stl
echo "# with rules"
try -u mm -c 5 $rules "$@"
echo "# all pass"
try p/base.stl p/far.stl p/arm.stl
echo "# coloured"
"$STLCLASH" --color=always -c 5 $rules "$@" | sed -n "s/$(printf '\033')/ESC/g;1,14p;/CLASH/p"
echo "# parts that cannot be read, or decided"
boxes 0 0 0 1 1 1 | head -n 20 >p/cut.stl
boxes -50 -50 -50 50 50 50 >p/around.stl
without_facet 3 p/around.stl >around && mv around p/around.stl
boxes -9 -9 -9 -8 -8 -8 >p/inside.stl
try p/base.stl p/cut.stl p/around.stl p/inside.stl p/missing.stl 2>/dev/null
echo "# all ignored, and nothing but the boxes"
try --rule=a=*,b=*,ignore=true,reason=later p/base.stl p/column.stl p/arm.stl
try --rule=a=base,b=column,ignore=true,reason=welded p/base.stl p/column.stl
try p/base.stl p/far.stl p/lid.stl --list=all
echo "# 30 parts have a matrix, 31 have none"
for n in 30 31; do
    rm -rf row && mkdir row
    for i in $(seq $n); do
        boxes $((i * 9)) 0 0 $((i * 9 + 10)) 5 5 >row/$(printf 'part_with_a_long_name_%02d' $i).stl
    done
    "$STLCLASH" -c 1 row/*.stl >text
    awk 'length > 80 && / \. \./ { print length ": " $0 }' text
    grep -c '^CLASH' text
    head -n 12 text
    tail -n 4 text
done
