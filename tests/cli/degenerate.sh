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
