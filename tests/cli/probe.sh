# Probes: what they meet, how near they come, and the exit status.
parts
try --probe=0.5,0.5,5:0,0,-1,inf cube.stl
try --probe=0.25,0.5,2:0.25,0.5,0.5 cube.stl
try --probe=0,0,0:1,1,1 cube.stl
try --probe=0,0.5,1:1,0.5,1 cube.stl
try --probe=0,0.5,1:1,0.5,1 --contact=fail cube.stl
try --probe=-1,1,0.5:3,1,0.5 cube.stl
try --probe=-1,2,0.5:2,-1,0.5 cube.stl
try --probe=1.5,0.5,0.5:3,0.5,0.5 cube.stl
try --probe=1.5,0.5,0.5:3,0.5,0.5 -c 0.75 -u mm cube.stl
try --probe=1.5,0.5,0.5:3,0.5,0.5:0.25 -c 0.25 cube.stl
try --probe=1.5,0.5,0.5:3,0.5,0.5:0.25 -c 0.5 cube.stl
try --probe=0,0.5,1:1,0.5,1 -c 0.5 cube.stl
try --probe=1.5,0.5,0.5:3,0.5,0.5:0.5 cube.stl
try --probe=1.5,0.5,0.5:3,0.5,0.5:0.5 --exact cube.stl
try --probe=3,0.5,0.5:1.25,0.5,0.5:0.5 cube.stl
try --probe=0.25,0.25,0.25:0.5,0.5,0.5 cube.stl
try --probe=0.25,0.25,0.25:0.25,0.25,0.25 cube.stl
# The tip stands a rounding error below the face: no clash, unless every bit counts.
try --probe=0.3,0.3,2:0.3,0.3,0.99999999 cube.stl
try --probe=0.3,0.3,2:0.3,0.3,0.99999999 --exact cube.stl
# Several parts, placed; many hits.
try --probe=-5,0.5,0.5:5,0.5,0.5 --place-b=2,0,0 cube.stl cube.stl
try --probe=-5,0.5,0.5:1,0,0,inf --place-a=10,0,0 cube.stl
try --probe=-1,-1,-1:1,1,1,inf cube.stl cube_inner.stl cube_apart.stl
# An open part has no inside.
without_facet 3 cube_ascii.stl >open.stl
try --probe=0.5,0.5,0.5:0.6,0.5,0.5 open.stl
try --probe=0.5,0.5,5:0,0,-1,inf open.stl
try --probe=3,3,3:4,4,4 open.stl
printf 'solid\nendsolid\n' >empty.stl
try --probe=3,3,3:4,4,4 empty.stl
try -q --probe=0.5,0.5,5:0,0,-1,inf cube.stl
cat cube.stl | try --probe=0.5,0.5,5:0,0,-1,inf -
