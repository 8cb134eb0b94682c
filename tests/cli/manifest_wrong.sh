# Manifests that are wrong: one line each, which names the place.
parts
n=0
bad() { # JSON
    n=$((n + 1))
    printf '%s' "$1" >bad.json
    echo "$n: $1"
    "$STLCLASH" bad.json >stdout.txt 2>stderr.txt
    status=$?
    [ $status -eq 2 ] || echo "=> $status"
    [ ! -s stdout.txt ] || echo "a report was written"
    [ "$(wc -l <stderr.txt)" -eq 1 ] || echo "$(wc -l <stderr.txt) lines"
    cat stderr.txt
}
two='{"name": "a", "file": "cube.stl"}, {"name": "b", "file": "cube_apart.stl"}'
part() { bad "{\"parts\": [{\"name\": \"a\", \"file\": \"cube.stl\"}, $1]}"; }
rule() { bad "{\"parts\": [$two], \"rules\": [$1]}"; }

# not JSON
bad ''
bad '{'
bad '{"parts": ['"$two"']'
bad '{"parts": ['"$two"']} x'
bad '{"parts": ['"$two"']}{}'
bad '{"units": "a
b", "parts": [,]}'
bad 'solid cube'
bad '{"units": "a\u0000b", "parts": ['"$two"']}'
# not a manifest
bad '[]'
bad 'null'
bad '{}'
bad '{"parts": null}'
bad '{"parts": {}}'
bad '{"parts": []}'
bad '{"parts": [{"name": "a", "file": "cube.stl"}]}'
bad '{"Parts": ['"$two"']}'
bad '{"parts": ['"$two"'], "parts": ['"$two"']}'
bad '{"parts": ['"$two"'], "rule": []}'
bad '{"parts": ['"$two"'], "units": 1}'
bad '{"parts": ['"$two"'], "rules": {}}'
bad '{"stlclash": "0.1.0", "schema": 1, "parts": ['"$two"']}'
# parts
part '1'
part '{"file": "cube.stl"}'
part '{"name": "b"}'
part '{"name": "", "file": "cube.stl"}'
part '{"name": 7, "file": "cube.stl"}'
part '{"name": "b", "file": ""}'
part '{"name": "b", "file": ["cube.stl"]}'
part '{"name": "a", "file": "cube_apart.stl"}'
part '{"name": "b", "name": "c", "file": "cube.stl"}'
part '{"name": "b", "file": "cube.stl", "pose": []}'
part '{"name": "b", "file": "cube.stl", "placement": "1,0,0"}'
part '{"name": "b", "file": "cube.stl", "placement": [1,0,0,0]}'
part '{"name": "b", "file": "cube.stl", "placement": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1,0]}'
part '{"name": "b", "file": "cube.stl", "placement": [1,0,0,"0",0,1,0,0,0,0,1,0,0,0,0,1]}'
part '{"name": "b", "file": "cube.stl", "placement": [1,0,0,1e999,0,1,0,0,0,0,1,0,0,0,0,1]}'
part '{"name": "b", "file": "cube.stl", "placement": [2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}'
part '{"name": "b", "file": "cube.stl", "placement": [-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}'
part '{"name": "b", "file": "cube.stl", "placement": [1,0,0,0,0,1,0,0,0,0,1,0,0,0,1,1]}'
part '{"name": "b", "file": "cube.stl", "placement": [1,0,0,1e200,0,1,0,0,0,0,1,0,0,0,0,1]}'
# rules
rule '"a"'
rule '{"a": "a"}'
rule '{"b": "a"}'
rule '{"a": "", "b": "b"}'
rule '{"a": "c", "b": "b"}'
rule '{"a": "a", "b": "bolt*"}'
rule '{"a": "a", "b": "a"}'
rule '{"a": "a", "b": "b", "gap": 1}'
rule '{"a": "a", "b": "b", "clearance": -1}'
rule '{"a": "a", "b": "b", "clearance": "0.2"}'
rule '{"a": "a", "b": "b", "clearance": 1e400}'
rule '{"a": "a", "b": "b", "contact": "maybe"}'
rule '{"a": "a", "b": "b", "contact": true}'
rule '{"a": "a", "b": "b", "touch_gap": "none"}'
rule '{"a": "a", "b": "b", "touch_overlap": -0.1}'
rule '{"a": "a", "b": "b", "max_volume": -1}'
rule '{"a": "a", "b": "b", "max_depth": false}'
rule '{"a": "a", "b": "b", "ignore": true}'
rule '{"a": "a", "b": "b", "ignore": true, "reason": ""}'
rule '{"a": "a", "b": "b", "ignore": true, "reason": "  "}'
rule '{"a": "a", "b": "b", "ignore": 1, "reason": "x"}'
rule '{"a": "a", "b": "b", "ignore": true, "reason": "x", "clearance": 1}'
rule '{"a": "a", "b": "b", "ignore": true, "reason": 5}'
rule '{"a": "a", "b": "b", "touch_overlap": 0.2, "max_depth": 0.1}'
rule '{"a": "a", "b": "b", "contact": "fail", "max_volume": 1}'
rule '{"a": "a", "b": "b"}, {"a": "a", "b": "b", "clearence": 1}'
# numbers
for number in 01 -01 00.5 1. 1.e3 1e-400 -0.001e-330; do
    bad '{"_": "01", "parts": ['"$two"'], "rules": [{"a": "a", "b": "b", "clearance": '$number'}]}'
done
echo "$n manifests"

try_streams missing.json
mkdir dir.json
try_streams dir.json
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "["; }' >deep.json
try_streams deep.json
echo "# a part alone is taken for a manifest"
try - <"$DATA/cube.stl"
