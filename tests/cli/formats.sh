# The formats for CI of real runs, read by somebody else: XML by xmllint (and the schema
# that Jenkins checks, where somebody has it: TRUTH=dir), CSV by Python, annotations.
command -v xmllint >/dev/null || skip "xmllint is missing"
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is missing"
truth=${TRUTH:-$ROOT/../shared}
xsd=$truth/schemas/junit-10.xsd
parts
cp cube.stl "$(printf 'new\nline\033[31m\t<b> & "q", 100%%.stl')"
cp cube_shifted.stl "$(printf 'latin\374\355\240\200.stl')"
cp cube_inner.stl '=1+1,"x".stl'
cp cube_touch.stl '@🔩 | `a` $x$ ::error::.stl'
cp cube_apart.stl "./-rf '.stl"
without_facet 3 cube_ascii.stl >open.stl

n=0
run() {
    n=$((n + 1))
    "$STLCLASH" -q -o $n.json -o $n.xml -o $n.csv -o $n.md "$@" 2>/dev/null
    status=$?
    "$STLCLASH" -f github "$@" >$n.github 2>/dev/null
    other=$?
    [ $status -le 2 ] && [ $status = $other ] || echo "status $status and $other for: $*"
    xmllint --noout $n.xml || echo "no XML: $*"
    if [ -f "$xsd" ]; then
        xmllint --noout --schema "$xsd" $n.xml 2>&1 | grep -v ' validates$'
    fi
}
run cube.stl cube_apart.stl
run -u '<mm> & "inch"' cube.stl cube_shifted.stl
run -- *line* latin* =* @* -rf*
run -c 0.2 --contact=fail -- *line* latin* =* @* -rf* cube_apart.stl tetra.stl
run cube.stl cube_touch.stl missing.stl open.stl cube_inner.stl
run missing.stl 'gone & <away>.stl' neither.stl
run --rule='a=*,b=*,ignore=true,reason=<all> & "none", 100%' cube.stl cube_touch.stl tetra.stl
run --rule='a=cube*,b=cube*,max_depth=0.3' --place-b=0,0,0 cube.stl cube_shifted.stl
run --rule='a=cube*,b=cube_[st]*,max_depth=0.3,clearance=0.2' cube*.stl
run --max-time=1e-9 cube.stl cube_shifted.stl cube_touch.stl
run block.stl cube.stl tetra.stl
run --list=all block.stl peg_clear.stl cube_apart.stl tetra.stl
cp 3.json 'a "former" <report>.json'
run --baseline='a "former" <report>.json' -- *line* latin* =* @* -rf*
"$STLCLASH" -q -o former.json cube.stl cube_shifted.stl cube_touch.stl
boxes 50 0 0 51 1 1 >cube_shifted.stl
run --baseline=former.json cube.stl cube_shifted.stl cube_touch.stl

/usr/bin/python3 - $n "$DATA/report.schema.json" <<'END'
import csv, json, jsonschema, sys
import xml.etree.ElementTree as xml
validator = jsonschema.Draft202012Validator(json.load(open(sys.argv[2])))
seen = set()
for n in range(1, int(sys.argv[1]) + 1):
    report = json.load(open(f"{n}.json", encoding="utf-8"))
    for error in validator.iter_errors(report):
        print(n, list(error.path), error.message)
    pairs = report["pairs"]
    undecided = [p for p in pairs if p["status"] == "undecided"]
    ignored = [p for p in pairs if p["ignored"]]
    failed = [p for p in pairs if not p["pass"] and p["status"] != "undecided"]
    seen.update("ignored" if p["ignored"] else p["status"] + str(p["pass"]) for p in pairs)

    # What XML and CSV have no way to write, or should not.
    def in_xml(text):
        return "".join("\ufffd" if c < " " and c not in "\t\n\r" else c for c in text)
    def in_csv(text):
        text = "".join("?" if c < " " and c not in "\n\r" or c == "\x7f" else c for c in text)
        return "'" + text if text[:1] in tuple("=+-@'\t\r\n") else text

    suite = xml.parse(f"{n}.xml").getroot()
    cases = suite.findall("testcase")
    counts = [int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")]
    assert counts == [max(len(pairs), 1), len(failed), len(undecided), len(ignored)], (n, counts)
    assert len(cases) == counts[0], n
    for pair, case in zip(pairs, cases):
        assert case.get("name") == in_xml(f'{pair["a"]} vs {pair["b"]}'), (n, case.get("name"))
        assert case.get("classname") == in_xml(pair["rule"] or "all pairs"), n
        children = [child.tag for child in case]
        kind = ("skipped" if pair["ignored"] else "error" if pair["status"] == "undecided"
                else "system-out" if pair["pass"] else "failure")
        assert children == [kind], (n, children, kind)
        if kind == "failure":
            assert case[0].get("type") == pair["status"], n
            assert str(pair["triangle_a"]) in case[0].text, n
        if kind == "skipped":
            assert case[0].get("message") == in_xml(pair["reason"]), n

    raw = open(f"{n}.csv", "rb").read()
    assert raw.endswith(b"\r\n"), n
    rows = list(csv.DictReader(open(f"{n}.csv", encoding="utf-8", newline=""), strict=True))
    assert len(rows) == len(pairs), n
    for pair, row in zip(pairs, rows):
        assert None not in row and None not in row.values(), n
        assert row["a"] == in_csv(pair["a"]) and row["b"] == in_csv(pair["b"]), (n, row)
        assert row["status"] == (pair["status"] or "ignored") and row["id"] == pair["id"], n
        assert row["pass"] == str(pair["pass"]).lower(), n
        assert row["rule"] == in_csv(pair["rule"] or ""), n
        for key in ("distance", "intersecting_pairs", "resolution"):
            assert row[key] == ("" if pair[key] is None else row[key]), (n, key)
            assert row[key] == "" or float(row[key]) == pair[key], (n, key)
        depth = pair["overlap"] and pair["overlap"]["depth"]
        assert row["depth"] == "" if depth is None else float(row["depth"]) == depth, n

    lines = open(f"{n}.github", "rb").read().split(b"\n")
    assert lines[-1] == b"" and lines[-2].startswith(b"::notice "), n
    unread = {part["name"] for part in report["parts"] if part["error"]}
    failures = [p for p in failed + undecided if p["a"] not in unread and p["b"] not in unread]
    errors = [line for line in lines if line.startswith(b"::error ")]
    assert len(errors) == len(failures) + len(unread), (n, len(errors))
    assert all(line[:2] == b"::" for line in lines[:-1]), n

    table = [line for line in open(f"{n}.md", encoding="utf-8") if line.startswith("|")]
    assert len(table) >= len(failures), n
assert seen == {"ignored", "undecidedFalse", "clashFalse", "clashTrue", "contactFalse",
                "contactTrue", "nearFalse", "clearTrue"}, seen
print(f"{sys.argv[1]} runs")
END
# One pair is no "pairs".
boxes 0 0 0 1 1 1 >first.stl
boxes 0.5 0 0 1.5 1 1 >second.stl
boxes 1.25 0 0 2 1 1 >third.stl
"$STLCLASH" -f markdown first.stl second.stl third.stl | grep 'boxes alone\.$'
