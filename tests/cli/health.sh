# What --health tells of a mesh, and what of it without being asked.
parts
without_facet 3 cube_ascii.stl >open.stl
# Inside out: the last two vertices of each facet exchanged.
awk '/vertex/ && ++n % 3 == 2 { kept = $0; next }
     { print }
     /vertex/ && n % 3 == 0 { print kept }' cube_ascii.stl >inside_out.stl
boxes 0 0 0 1 1 1 0 0 0 1 1 1 >twice.stl
boxes 0 0 0 1 1 1 3 0 0 4 1 1 >two.stl
boxes 0 0 0 1 1 1 -1 -1 -1 0 0 0 >corner.stl
for part in cube block open inside_out twice two corner; do
    try --health -u mm $part.stl cube_apart.stl
    "$STLCLASH" -f json --health $part.stl cube_apart.stl |
        grep -e '"closed"' -e '^      "volume"' -e '"components"' -e '"code"' -e '"notes"'
done
echo "# unasked"
"$STLCLASH" -f json open.stl cube_apart.stl |
    grep -e '"closed"' -e '"volume"' -e '"components"' -e '"code"'
echo "# a verdict that needs the mesh counts no components"
"$STLCLASH" -f json cube.stl cube_shifted.stl |
    grep -e '"closed"' -e '^      "volume"' -e '"components"'
echo "# parts of which no pair tells: far apart, or left out"
printf '{"parts": [{"name": "a", "file": "cube.stl"}, {"name": "far", "file": "open.stl", "placement": [50, 0, 0]},
        {"name": "out", "file": "twice.stl"}], "rules": [{"a": "out", "b": "*", "ignore": true, "reason": "x"}]}' >far.json
try --health far.json
"$STLCLASH" --health -f json far.json |
    grep -e '"closed"' -e '^      "volume"' -e '"components"' -e '"code"'
try --health --max-time=1e-9 far.json | grep -e judged -e '=>'
