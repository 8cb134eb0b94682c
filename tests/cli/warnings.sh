# Facts about the files: trailing bytes, a degenerate triangle, no triangles at all.
parts
(cat cube.stl && printf 'made by hand') >trailing.stl
(cat cube.stl && tail -c 100 cube.stl) >uncounted.stl
printf 'solid none\nendsolid none\n' >none.stl
sed '/^endsolid/d' cube_ascii.stl >needle.stl
printf 'facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 0 .5\n' >>needle.stl
printf 'endloop\nendfacet\nendsolid\n' >>needle.stl
try -f json trailing.stl none.stl
try trailing.stl none.stl
try -f csv trailing.stl none.stl
try needle.stl cube_apart.stl
"$STLCLASH" -f json needle.stl cube_apart.stl | grep degenerate
try -f markdown trailing.stl none.stl needle.stl
"$STLCLASH" -f json uncounted.stl cube_apart.stl | grep trailing
