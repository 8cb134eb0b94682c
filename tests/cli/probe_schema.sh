# Reports of probes, against data/probe.schema.json.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is missing"
parts
without_facet 3 cube_ascii.stl >open.stl
n=0
for options in "" "--exact" "-c 1 -n 1" "-u mm --contact=fail --verbose" "--max-time=1e-9"; do
    n=$((n + 1))
    set -- $options --probe=0.5,0.5,5:0,0,-1,inf --probe=0,0,0:1,1,1 --probe=2,2,2:3,3,3:0.5 \
        --probe=3,0.5,0.5:1.25,0.5,0.5:0.5 --probe=0.5,0.5,0.5:0.5,0.5,0.5 --probe=0,0,1:1,1,1 --probe=1.5,0.5,0.5:3,0.5,0.5
    "$STLCLASH" "$@" -f json cube.stl open.stl >$n.json 2>err
    "$STLCLASH" "$@" -f jsonl block.stl >$n.jsonl 2>err
done
/usr/bin/python3 - "$DATA/probe.schema.json" "$DATA/report.schema.json" *.json *.jsonl <<'END'
import json, jsonschema, sys
schema, pairs = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
part = jsonschema.Draft202012Validator({"$ref": "#/$defs/part", "$defs": pairs["$defs"]})
statuses, passings, probes, costs = set(), set(), 0, 0
for name in sys.argv[3:]:
    text = open(name).read()
    reports = [json.loads(line) for line in text.splitlines()] if name.endswith("l") else [json.loads(text)]
    for report in reports:
        for error in validator.iter_errors(report):
            print(name, list(error.path), error.message)
        costs += "stats" in report
        for one in report.get("parts", []):
            for error in part.iter_errors(one):
                print(name, list(error.path), error.message)
        for probe in report.get("probes", [report]):
            probes += 1
            statuses.add(probe["status"])
            passings.update(hit["passing"] for hit in probe["hits"])
            assert [hit["t"] for hit in probe["hits"]] == sorted(hit["t"] for hit in probe["hits"])
            for change in ("more", "less"): # strict: a member more or less is refused
                kept = dict(probe)
                if change == "more":
                    probe["extra"] = 1
                else:
                    probe.popitem()
                assert not validator.is_valid(report), (name, change)
                probe.clear()
                probe.update(kept)
assert statuses == {"undecided", "clash", "contact", "near", "clear"}, statuses
assert passings == {"touch", "enter", "leave"}, passings
assert costs == 1, costs
print(probes, "probes")
END
