# A triangle without area is a segment or a point: it touches, but holds nothing.
facet() { # X Y Z X Y Z X Y Z
    echo "facet normal 0 0 0 outer loop" && printf ' vertex %s %s %s\n' "$@" && echo "endloop endfacet"
}
stray() { # the same, beside a box far away
    boxes 10 10 10 11 11 11 | sed /endsolid/d
    facet "$@"
    echo endsolid
}
alone() {
    echo solid
    facet "$@"
    echo endsolid
}
boxes 0 0 0 1 1 1 >box.stl
stray -1 0.5 0.5 2 0.5 0.5 0.5 0.5 0.5 >through.stl
stray 0.25 0.5 0.5 0.75 0.5 0.5 0.5 0.5 0.5 >inside.stl
alone -1 0.5 0.5 2 0.5 0.5 0.5 0.5 0.5 >through_alone.stl
alone 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 0.5 >inside_alone.stl
for part in through inside through_alone inside_alone; do
    "$STLCLASH" -f json $part.stl box.stl >report.json
    echo "$part: $? $(jq -c '[.pairs[0].status, .pairs[0].distance, .parts[0].warnings[].code]' report.json)"
done
echo "# a sheet without any volume goes into a tetrahedron, at any height"
sheet() { # Z
    echo solid
    facet 0 1 "$1" 0 3 "$1" 3 3 "$1" && facet 0 1 "$1" 3 3 "$1" 3 1 "$1"
    facet 0 1 "$1" 3 1 "$1" 3 3 "$1" && facet 0 1 "$1" 3 3 "$1" 0 3 "$1"
    echo endsolid
}
{
    echo solid
    facet 1 0.25 -1 0.25 2 0.25 0 -1 3 && facet 1 0.25 -1 0 -1 3 2 -1 2
    facet 1 0.25 -1 2 -1 2 0.25 2 0.25 && facet 0.25 2 0.25 2 -1 2 0 -1 3
    echo endsolid
} >tetra.stl
for z in 0 1.4e-45 1e-20 -1e-30 1e-3; do
    sheet "$z" >sheet.stl
    for way in "" --quick --no-distance --no-overlap --no-depth; do
        "$STLCLASH" -n 0 $way sheet.stl tetra.stl >/dev/null
        printf '%s ' $?
    done
    echo "at $z"
done
echo "# nor does it matter to how deep a box lies"
for z in 0 1e-20; do
    boxes -3 -3 "$z" 3 3 1 >plate.stl
    boxes -10 -10 -10 10 10 10 >block.stl
    "$STLCLASH" -f json --depth-error=0.001 plate.stl block.stl | jq -c '.pairs[0].overlap.depth'
done
