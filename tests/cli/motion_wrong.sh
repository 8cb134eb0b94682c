# Motions that cannot be: one line each, exit status 2.
parts
try_streams --move-b=1,2 cube.stl cube_apart.stl
try_streams --move-b=1,2,x cube.stl cube_apart.stl
try_streams --move-b=1e300,0,0 cube.stl cube_apart.stl
try_streams --move-b=1,0,0 --end-b=1,0,0 cube.stl cube_apart.stl
try_streams --end-b=1,0,0 --waypoints=way.json cube.stl cube_apart.stl
try_streams --end-b=2,0,0,0,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
try_streams --end-b=1,0 cube.stl cube_apart.stl
try_streams --motion-tolerance=0 --end-b=1,0,0 cube.stl cube_apart.stl
try_streams --motion-tolerance=0.1 --move-b=1,0,0 cube.stl cube_apart.stl
try_streams --motion-tolerance=0.1 cube.stl cube_apart.stl
try_streams --to-b=tetra.stl cube.stl cube_apart.stl
try_streams --to-b=none.stl cube.stl cube_apart.stl
try_streams --waypoints=none.json cube.stl cube_apart.stl
for text in '' '{}' '[]' '[[1,2]]' '[[1,2,3],"a"]' '[[1,2,3]' '[[1,2,3]] x' '[[1,2,1e999]]' '[[1,2,3],
[1,2,3,]]' '[[2,0,0,0,0,1,0,0,0,0,1,0]]'; do
    printf '%s' "$text" >way.json
    printf '%s\n' "$text"
    try_streams --waypoints=way.json cube.stl cube_apart.stl
done
printf '[[1,2,3]]\0' >way.json
try_streams --waypoints=way.json cube.stl cube_apart.stl
