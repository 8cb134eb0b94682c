# Reports of all kinds, against data/report.schema.json.
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is missing"
parts
(cat cube.stl && echo trailing) >trailing.stl
printf 'solid\nendsolid\n' >none.stl
without_facet 3 cube_ascii.stl >open.stl
printf 'solid\nfacet normal 0 0 0\nouter loop\nvertex 2 0 0\nvertex 3 0 0\n' >needle.stl
printf 'vertex 4 0 0\nendloop\nendfacet\nendsolid\n' >>needle.stl
cp cube.stl "$(printf 'latin\374"\\\n.stl')"
n=0
report() {
    n=$((n + 1))
    "$STLCLASH" -q -o $n.json "$@" 2>/dev/null
    [ $? -le 2 ] && [ -s $n.json ] || echo "no report: $*"
}
for options in "" "--quick" "-n 0" "-n 1 -u mm" "-n all --exact" "-c 0.2 --contact=fail" \
    "--touch-gap=0.1" "--exact --touch-gap=0.2" "-v" "--max-time=1e-9" "--no-overlap" "--no-distance" "--no-depth" \
    "--require-closed" "--gaps" "--gaps -c 0.5" "--gaps -c 2 -v" \
    "--health --touch-overlap=0.3" "--exact --touch-overlap=0.1 --depth-error=0.1%"; do
    for pair in "cube cube_shifted" "cube cube_touch" "cube cube_apart" "cube cube_inner" \
        "cube tetra" "cube cube_ascii" "block peg_clash" "block peg_contact" "block peg_clear" \
        "trailing none" "cube needle" "open cube_shifted" "cube_inner open"; do
        set -- $pair
        report $options $1.stl $2.stl
    done
done
report cube.stl missing.stl
report missing.stl cube.stl
report "$(printf 'latin\374"\\\n.stl')" cube_apart.stl
/usr/bin/python3 - "$DATA/report.schema.json" *.json <<'END'
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
def digits(text):
    return len(text.split("e")[0].lstrip("-").replace(".", "").strip("0"))
def shortest(text):
    if digits(text) > digits(repr(float(text))):
        print("not the shortest:", text)
    return float(text)

seen, statuses, known = set(), set(), {"undecided", "clash", "contact", "near", "clear"}
for name in sys.argv[2:]:
    report = json.load(open(name, encoding="utf-8"), parse_float=shortest)
    for error in validator.iter_errors(report):
        print(name, list(error.path), error.message)
    pair, summary = report["pairs"][0], report["summary"]
    statuses.add(pair["status"])
    for status in known:
        assert summary[status] == (pair["status"] == status), name
    assert summary["checked"] == (pair["status"] != "undecided"), name
    assert summary["pass"] == pair["pass"], name
    overlap = pair["overlap"]
    if overlap is not None:
        seen.add("overlap")
        deep = [overlap[name] is None for name in overlap if name.startswith("deep")
                or name.startswith("depth")]
        assert len(deep) == 5 and len(set(deep)) == 1, name
        assert all(part["closed"] for part in report["parts"]), name
        volumes = [region["volume"] for region in overlap["regions"]]
        assert volumes == sorted(volumes, reverse=True), name
    assert len({part["name"] for part in report["parts"]}) == 2, name
    if pair["distance"] is not None:
        a, b, v = pair["point_a"], pair["point_b"], pair["vector"]
        assert [x - y for x, y in zip(a, b)] == v, name
    # The schema is strict: a report with a member more or less is refused.
    for change in ("more", "less"):
        for where in (report, pair, summary, report["options"], report["parts"][0],
                      *([overlap] if overlap else [])):
            kept = dict(where)
            if change == "more":
                where["extra"] = 1
            else:
                where.popitem()
                if where is report and "stats" in kept:
                    where.popitem() # stats alone may be missing
            assert not validator.is_valid(report), (name, change)
            where.clear()
            where.update(kept)
assert statuses == known, statuses
assert seen == {"overlap"}, "no report has an overlap"
END
echo "$n reports"
