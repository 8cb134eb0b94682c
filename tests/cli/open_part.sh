# A part that is not closed is judged by its surface.
parts
without_facet 3 cube_ascii.stl >open.stl
for part in cube_shifted cube_touch cube_apart cube_inner; do
    try -n 0 open.stl $part.stl
    try -q --quick open.stl $part.stl
done
echo "# closed ones required"
for part in cube_shifted cube_touch cube_apart; do
    try -n 0 --require-closed open.stl $part.stl
    try -q --quick --require-closed $part.stl open.stl
done
try -n 0 --require-closed cube.stl cube_touch.stl
try -q --require-closed --move-b=1,0,0 open.stl cube_apart.stl
try -q --require-closed --health open.stl cube_apart.stl
"$STLCLASH" -f json -n 0 open.stl cube_shifted.stl | grep -e closed -e volume -e overlap -e notes
echo "# what is not known keeps no limit, however large"
for limit in 1 1.7976931348623157e308; do
    try -q --rule="a=*,b=*,max_depth=$limit" open.stl cube_shifted.stl
    try -q --rule="a=*,b=*,max_volume=$limit" open.stl cube_shifted.stl
done
