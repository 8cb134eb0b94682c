# Parts that seem to be in different units, by their extents and by their boxes.
parts
scaled() { # FACTOR X: the cube, scaled and moved along x
    boxes "$2" 0 0 "$(echo "$1 $2" | awk '{ print $1 + $2 }')" "$1" "$1"
}
for factor in 1 5 25.4 25.3 40 1000 990 0.001 0.03937; do
    scaled $factor 3 >scaled.stl
    "$STLCLASH" -f json cube.stl scaled.stl | sed -n "s/^ *\"notes\"/$factor/p"
done
echo "# the boxes meet"
scaled 25.4 -3 >scaled.stl
"$STLCLASH" -f json cube.stl scaled.stl | sed -n "s/^ *\"notes\"/25.4/p"
echo "# in text"
scaled 25.4 10 >scaled.stl
try cube.stl scaled.stl
