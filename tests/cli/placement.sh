# The three forms, and that the last one given counts.
parts
try --place-b=0.25,0,0 cube.stl cube_apart.stl
try --place-a=-0.25,0,0 cube.stl cube_apart.stl
try --place-b=1,0,0,0.25,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
try --place-b=1,0,0,0.25,0,1,0,0,0,0,1,0,0,0,0,1 cube.stl cube_apart.stl
# A quarter turn about z takes the cube to -1..0 in x.
try --place-a=0,-1,0,0,1,0,0,0,0,0,1,0 cube.stl cube_apart.stl
try --place-b=9,9,9 --place-b=-0.125,0,0 cube.stl cube_apart.stl
# The same for both: compared as they stand.
try --place-a=5,6,7 --place-b=5,6,7 cube.stl cube_apart.stl
echo "# what rounding leaves of 0 is shown as 0"
try --place-b=0.01,0,-0.2 block.stl peg_clear.stl
