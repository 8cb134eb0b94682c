# What is listed, and what would be checked.
parts
echo '{"units": "mm", "parts": [
  {"name": "base", "file": "cube.stl"}, {"name": "touch", "file": "cube_touch.stl"},
  {"name": "apart", "file": "cube_apart.stl"}, {"name": "tip", "file": "tetra.stl"}],
 "rules": [{"a": "base", "b": "apart", "clearance": 0.2}, {"a": "tip", "b": "apart", "ignore": true, "reason": "on purpose"},
           {"a": "tip", "b": "base", "ignore": true, "reason": "far"}]}' >robot.json
try -n 0 robot.json
try -n 0 --list=all robot.json
try --list-pairs robot.json
try --list-pairs --list=all -f json robot.json
try --list-pairs -o pairs.json -o pairs.txt -q robot.json
cat pairs.txt
grep summary pairs.json
try --list-pairs cube.stl tetra.stl
printf 'solid\nendsolid\n' >none.stl
try --list-pairs cube.stl none.stl
"$STLCLASH" --list-pairs -f json cube.stl none.stl | grep box_distance
for wrong in "--list-pairs -f csv" "--list-pairs -o x.xml" "--list-pairs --overlap=x.stl" "--list-pairs --curves=x.obj" --list=none \
    --memory=0 --memory=1.5G --memory=2X --memory= --memory=99999999999999T; do
    try_streams $wrong cube.stl tetra.stl
done
