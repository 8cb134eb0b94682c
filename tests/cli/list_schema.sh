# Lists of pairs, against data/pairs.schema.json.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is missing"
parts
printf 'solid x' >cut.stl
"$STLCLASH" --list-pairs -q -o some.json -u mm --rule='a=cube,b=tetra,ignore=true,reason=to come' \
    --rule='a=block,b=*,clearance=2' cube.stl tetra.stl block.stl cut.stl cube_apart.stl 2>errors
"$STLCLASH" --list-pairs -q -o all.json --list=all cube.stl tetra.stl lid.stl
/usr/bin/python3 - "$DATA/pairs.schema.json" some.json all.json <<'END'
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
actions = set()
for name in sys.argv[2:]:
    pairs = json.load(open(name))
    for error in validator.iter_errors(pairs):
        print(name, list(error.path), error.message)
    actions |= {pair["action"] for pair in pairs["list_pairs"]}
    pairs["list_pairs"][0]["extra"] = 1
    assert not validator.is_valid(pairs), name
print("actions:", *sorted(actions))
END
