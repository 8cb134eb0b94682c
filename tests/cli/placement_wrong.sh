# Numbers are in order, but the placement is not rigid, or leaves the range.
parts
for place in a b; do
    try_streams --place-$place=2,0,0,0,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
    try_streams --place-$place=-1,0,0,0,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
    try_streams --place-$place=1,0.1,0,0,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
    try_streams --place-$place=1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2 cube.stl cube_apart.stl
    try_streams --place-$place=1,0,0,0,0,1,0,0,0,0,1,0,5,0,0,1 cube.stl cube_apart.stl
    try_streams --place-$place=0,0,0,0,0,0,0,0,0,0,0,0 cube.stl cube_apart.stl
    try_streams --place-$place=0.70710678,-0.70710678,0,0,0.70710678,0.70710678,0,0,0,0,1,0 \
        cube.stl cube_apart.stl
    try_streams --place-$place=1e200,0,0 cube.stl cube_apart.stl
done
