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
echo "# what lies on the other side of a plane is not held, however large it is"
facets() { # H, for lines of X Y Z X Y Z X Y Z
    echo solid
    sed "s/h/$1/g" | while read -r ax ay az bx by bz cx cy cz; do
        echo "facet normal 0 0 0 outer loop"
        echo "vertex $ax $ay $az vertex $bx $by $bz vertex $cx $cy $cz endloop endfacet"
    done
    echo endsolid
}
facets 0 >small.stl <<'END'
0.25 -1 0 3 0.25 3 -1 3 3
0 2 3 2 3 0 -1 -1 2
0.25 3 3 0 -1 0 0 -1 3
-1 3 1 1 0 3 -1 -1 1
3 1 1 -1 2 1 0 -1 0.25
END
facets 3.0000000054977558e+38 >huge.stl <<'END'
-h h 0 -h 0 0 h 0 0
-h h 0 h 0 0 h h 0
-h h -h h h -h h 0 -h
-h h -h h 0 -h -h 0 -h
-h h 0 h h 0 h h -h
-h h 0 h h -h -h h -h
-h 0 0 -h 0 -h h 0 -h
-h 0 0 h 0 -h h 0 0
-h h 0 -h h -h -h 0 -h
-h h 0 -h 0 -h -h 0 0
h h 0 h 0 0 h 0 -h
h h 0 h 0 -h h h -h
END
try -n 0 small.stl huge.stl
try -q --quick small.stl huge.stl
