# What is told of an overlap: depth and volume, which part lies inside, regions.
parts
try -n 0 -u mm cube.stl cube_shifted.stl
try cube.stl cube_inner.stl
try cube_inner.stl cube.stl
try -n 0 cube.stl cube_ascii.stl
try -n 0 -u mm --place-b=0,0,-0.5 block.stl peg_contact.stl
echo "# not measured"
try -n 0 --no-overlap cube.stl cube_shifted.stl
try --no-overlap cube.stl cube_inner.stl
try --quick cube.stl cube_inner.stl
echo "# the volume alone"
try -n 0 --no-depth cube.stl cube_shifted.stl
try --no-depth cube.stl cube_inner.stl
