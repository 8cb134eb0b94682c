# A part that is not closed is judged by its surface.
parts
without_facet 3 cube_ascii.stl >open.stl
for part in cube_shifted cube_touch cube_apart cube_inner; do
    try -n 0 open.stl $part.stl
    try -q --quick open.stl $part.stl
done
"$STLCLASH" -f json -n 0 open.stl cube_shifted.stl | grep -e closed -e volume -e overlap -e notes
