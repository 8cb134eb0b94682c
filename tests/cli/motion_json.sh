# Motions in the JSON report: against the schema, the same bytes for any number of threads,
# roles exchanged with the parts.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is missing"
parts
echo '[[0,0,-14], [0,-1,0,0, 1,0,0,0, 0,0,1,-14], [0,-1,0,0, 1,0,0,0, 0,0,1,-10]]' >way.json
n=0
report() {
    n=$((n + 1))
    "$STLCLASH" -q -j 1 -o $n.json "$@"
    echo "=> $?: $*"
    "$STLCLASH" -q -j 3 -o threads.json "$@"
    cmp threads.json $n.json
    rm threads.json
}
report --move-b=0,0,-10 tray.stl lid.stl
report --move-b=0,0,-16 tray.stl lid.stl
report --move-b=0,0,-9 tray.stl lid.stl
report --move-b=0,0,-9 --quick tray.stl lid.stl
report --end-b=0,-1,0,0,1,0,0,0,0,0,1,0 block.stl peg_clear.stl
report --end-b=3,0,0 cube.stl cube_apart.stl
report --waypoints=way.json bayonet_plate.stl bayonet_plug.stl
report --to-b=cube_shifted.stl cube.stl cube_apart.stl
report --to-b=cube_touch.stl cube.stl cube_apart.stl
report --move-a=0,0,4 --end-b=0,-1,0,0,1,0,0,0,0,0,1,0 block.stl peg_clear.stl
report --end-a=0,1,0,0,-1,0,0,0,0,0,1,0 --end-b=0,-1,0,0,1,0,0,0,0,0,1,0 cube.stl cube_apart.stl
report --move-b=-2,0,0 --max-time=1e-9 cube.stl cube_apart.stl
/usr/bin/python3 - "$DATA/report.schema.json" *.json <<'END'
import json, jsonschema, sys
validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
kinds = set()
for name in sys.argv[2:]:
    if name == "way.json":
        continue
    report = json.load(open(name))
    for error in validator.iter_errors(report):
        print(name, list(error.path), error.message)
    pair = report["pairs"][0]
    motion = pair["motion"]
    kinds.add(motion["kind"])
    assert report["summary"][pair["status"]] == 1 and report["summary"]["pass"] == pair["pass"], name
    assert motion["first_contact"] is None or motion["closest_approach"] is None, name
    assert motion["first_clash"] is None or pair["status"] == "clash", name
    for key in list(motion):
        kept = motion.pop(key)
        assert not validator.is_valid(report), (name, key)
        motion[key] = kept
    motion["extra"] = 1
    assert not validator.is_valid(report), name
assert kinds == {"straight", "screw", "vertex_paths", "independent"}, kinds
END
jq -c '.pairs[0] | [.status, .motion.start_status, .motion.first_contact, .motion.first_clash]' 2.json
"$STLCLASH" -f json --move-a=0,0,-16 lid.stl tray.stl |
    jq -c '.pairs[0].motion | [.first_contact | .triangle_b, .triangle_a, .time]'
jq -c '.pairs[0].motion | [.first_contact | .triangle_a, .triangle_b, .time]' 2.json
