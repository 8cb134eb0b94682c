# Motions that cannot be: one line each, exit status 2.
parts
try_streams --move-b=1,2 cube.stl cube_apart.stl
try_streams --move-b=1,2,x cube.stl cube_apart.stl
try_streams --move-b=1e300,0,0 cube.stl cube_apart.stl
try_streams --move-b=1,0,0 --end-b=1,0,0 cube.stl cube_apart.stl
try_streams --end-b=1,0,0 --waypoints=way.json cube.stl cube_apart.stl
try_streams --end-a=1,0,0 --move-a=1,0,0 cube.stl cube_apart.stl
try_streams --end-a=1,0 cube.stl cube_apart.stl
try_streams --end-a=2,0,0,0,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
try_streams --end-a=1,0,0 cube.stl cube_apart.stl tetra.stl
try_streams --end-b=2,0,0,0,0,1,0,0,0,0,1,0 cube.stl cube_apart.stl
try_streams --end-b=1,0 cube.stl cube_apart.stl
try_streams --motion-tolerance=0 --end-b=1,0,0 cube.stl cube_apart.stl
try_streams --motion-tolerance=0.1 --move-b=1,0,0 cube.stl cube_apart.stl
try_streams --motion-tolerance=0.1 cube.stl cube_apart.stl
try_streams --to-b=tetra.stl cube.stl cube_apart.stl
try_streams --to-b=none.stl cube.stl cube_apart.stl
try_streams --waypoints=none.json cube.stl cube_apart.stl
for text in '' 'way' '{}' '[]' '[[1,2]]' '[[1,2,3],"a"]' '[[1,2,3]' '[[1,2,3]] x' '[[1,2,1e999]]' '[[1,2,3],
[1,2,3,]]' '[[2,0,0,0,0,1,0,0,0,0,1,0]]'; do
    printf '%s' "$text" >way.json
    printf '%s\n' "$text"
    try_streams --waypoints=way.json cube.stl cube_apart.stl
done
printf '[[1,2,3]]\0' >way.json
try_streams --waypoints=way.json cube.stl cube_apart.stl

echo "# with what does not move"
try_streams --move-b=1,0,0 cube.stl cube_apart.stl tetra.stl
try_streams --to-b=tetra.stl one.json
try_streams --move-b=1,0,0 --probe=0,0,0:1,1,1 cube.stl
try_streams --to-b=- - cube.stl
try_streams --waypoints=- - cube.stl
echo '[[1,2,3]]' >way.json
try_streams --waypoints=way.json -o way.json cube.stl cube_apart.stl

echo "# in a manifest"
motion() {
    printf '{"parts": [{"name": "a", "file": "cube.stl"}, {"name": "b", "file": "cube.stl", "motion": %s}]}' "$1" >bad.json
    echo "$1"
    "$STLCLASH" bad.json 2>&1
    echo "=> $?"
}
motion '[]'
motion '{}'
motion '{"tolerance": 0.1}'
motion '{"shift": [1,0,0]}'
motion '{"move": [1,0]}'
motion '{"move": [1,0,"0"]}'
motion '{"move": [1e300,0,0]}'
motion '{"move": [1,0,0], "end": [1,0,0]}'
motion '{"move": [1,0,0], "move": [1,0,0]}'
motion '{"move": [1,0,0], "tolerance": 0.1}'
motion '{"end": [1,0,0], "tolerance": 0}'
motion '{"end": [1,0,0], "tolerance": -1}'
motion '{"end": [1,0,0,1]}'
motion '{"end": [2,0,0,0, 0,1,0,0, 0,0,1,0]}'
motion '{"end": [1,0,0,1e200, 0,1,0,0, 0,0,1,0]}'
motion '{"waypoints": [1,0,0]}'
motion '{"waypoints": []}'
motion '{"waypoints": [[1,0,0], [2,0,0,0, 0,1,0,0, 0,0,1,0]]}'
motion '{"to": ""}'
motion '{"to": "none.stl"}'
motion '{"to": "tetra.stl"}'
# An end that cannot be read: pairs of its part are undecided, all others are checked.
cat >ends.json <<'END'
{"parts": [{"name": "a", "file": "cube.stl", "motion": {"to": "none.stl"}},
           {"name": "b", "file": "cube_shifted.stl"}, {"name": "c", "file": "cube_apart.stl"}],
 "rules": [{"a": "b", "b": "c", "max_depth": 1}]}
END
try_streams --list=all -f csv ends.json
try_streams -f csv --to-b=none.stl cube.stl cube_apart.stl
# A message names standard input as such.
try_streams -q --to-b=- cube.stl cube_apart.stl <tetra.stl
try_streams -q --to-b=- cube.stl cube_apart.stl
echo '{"parts": [{"name": "a", "file": "cube.stl", "placement": [2,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]},
    {"name": "b", "file": "cube_apart.stl"}]}' | try_streams -q -
