# Probes against the parts of a manifest: its names, files and placements.
parts
mkdir robot
mv cube.stl robot/
cat >robot/arm.json <<'JSON'
{"units": "mm",
 "parts": [{"name": "base", "file": "cube.stl"},
           {"name": "arm", "file": "cube.stl", "placement": [1,0,0,3, 0,1,0,0, 0,0,1,0, 0,0,0,1]},
           {"name": "hand", "file": "cube.stl", "placement": [0,-1,0,7, 1,0,0,0, 0,0,1,0, 0,0,0,1]}],
 "rules": [{"a": "*", "b": "*", "clearance": 9}]}
JSON
try --probe=-1,0.5,0.5:1,0,0,inf robot/arm.json
try --probe=-1,0.5,0.5:1,0,0,inf -f json robot/arm.json
try --probe=5,0.5,0.5:5,0.5,3 -c 1.5 robot/arm.json
try --probe=5,0.5,0.5:5,0.5,3:0.5 -u cm robot/arm.json
try --probe=-1,0,0.5:10,0,0.5 --contact=fail -n 1 robot/arm.json
try -q --probe=-1,0.5,0.5:1,0,0,inf robot/arm.json
echo 1.5,0.5,0.5:1.5,0.5,2 | try --probes=- -f jsonl robot/arm.json
try -v --probe=1.5,0.5,0.5:1.5,0.5,2 robot/arm.json 2>&1 | grep "stl:"
# A file given twice is two parts.
try --probe=-1,0.5,0.5:9,0.5,0.5 --place-b=4,0,0 robot/cube.stl robot/cube.stl
# The worst of several parts: what is not known, then what meets.
tail -n +1 robot/cube.stl >whole.stl
try -q --probe=0.5,0.5,0.5:9,0.5,0.5 --place-b=4,0,0 whole.stl robot/cube.stl
try --probe=0.5,0.5,0.5:9,0.5,0.5:0.25 --place-b=4,0,0 robot/cube.stl whole.stl
try --probe=0.5,1,-5:0.5,1,5 -c 0.5 --contact=fail --place-b=0,1.25,0 robot/cube.stl whole.stl
try --probe=-1e30,0.5,0.5:1e30,0.5,0.5 robot/cube.stl
# However far off its end is.
try --probe=0.5,0.5,-5:0.5,0.5,1e8 robot/cube.stl
# What is wrong with one.
wrong() {
    cat >wrong.json
    try_streams --probe=1,2,3:4,5,6 wrong.json
}
wrong <<'JSON'
{"parts": [{"name": "a", "file": "robot/cube.stl"}, {"name": "b", "file": "missing.stl"}]}
JSON
wrong <<'JSON'
{"parts": [{"name": "a", "file": "robot/cube.stl"},
           {"name": "b", "file": "robot/cube.stl", "placement": [2,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]}
JSON
wrong <<'JSON'
{"parts": [{"name": "a", "file": "robot/cube.stl", "probe": 1}]}
JSON
try_streams --probe=1,2,3:4,5,6 --place-a=1,2,3 robot/arm.json
try_streams --probe=1,2,3:4,5,6 robot/arm.json robot/cube.stl
