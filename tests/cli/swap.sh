# Exchanging A and B exchanges their roles and negates the vector, nothing else.
command -v python3 >/dev/null || skip "python3 is missing"
parts
boxes 0.99999994 0 0 2 1 1 >cube_step.stl
boxes 0 0 0 1 1 1 3 0 0 5 1 1 >two.stl
boxes 0.5 0.25 0.25 3.5 0.75 0.75 >bar.stl
for pair in "block peg_clash" "block peg_contact" "block peg_clear" "cube cube_shifted" \
    "cube cube_inner" "cube cube_step" "two bar" "cube tetra" "cube cube_ascii"; do
    set -- $pair
    "$STLCLASH" -q -n all --gaps -c 0.5 -o ab.json $1.stl $2.stl
    "$STLCLASH" -q -n all --gaps -c 0.5 -o ba.json $2.stl $1.stl
    python3 - "$pair" <<'END'
import json, sys
ab, ba = (json.load(open(name)) for name in ("ab.json", "ba.json"))

def exchanged(record):
    other = {"a": "b", "b": "a", "_a": "_b", "_b": "_a"}
    def key(name):
        if name in ("a", "b"):
            return other[name]
        return name[:-2] + other[name[-2:]] if name[-2:] in other else name
    return {key(name): value for name, value in record.items()}

def negated(vector):
    return vector and [0 - x for x in vector]

def swapped_side(overlap):
    return overlap and {**overlap, **{name: {"a": "b", "b": "a", None: None}[overlap[name]]
                                      for name in ("contained", "deepest_in")}}

ba["parts"].reverse()
pair = exchanged(ba["pairs"][0])
pair["vector"] = negated(pair["vector"])
pair["normal"] = negated(pair["normal"])
pair["gaps"] = [{**gap, "vector": negated(gap["vector"])} for gap in map(exchanged, pair["gaps"])]
if sys.argv[1] != "cube cube_ascii": # the same twice: which is which cannot be told
    pair["overlap"] = swapped_side(pair["overlap"])
pair["intersections"] = sorted(map(exchanged, pair["intersections"]),
                               key=lambda hit: (hit["triangle_a"], hit["triangle_b"]))
ba["pairs"] = [pair]
if ab != ba:
    print(sys.argv[1])
    for name, value in ab["pairs"][0].items():
        if value != pair[name]:
            print(" ", name, str(value)[:200], str(pair[name])[:200])
END
done
