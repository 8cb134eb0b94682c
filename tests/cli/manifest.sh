# What a manifest may have: comments, nulls, paths beside it, standard input.
parts
mkdir -p sub/parts
cp cube.stl cube_apart.stl sub/parts
cat >sub/robot.json <<'EOF'
{
  "_made_by": {"parts": 1}, "units": "mm",
  "parts": [
    {"name": "base", "file": "parts/cube.stl", "_note": "left where it is"},
    {"name": "arm", "file": "parts/cube_apart.stl", "placement": null, "motion": null},
    {"name": "\u00e9\ud83d\udd29 \"q\"", "file": "parts/cube.stl",
     "placement": [1,0,0,4, 0,1,0,0, 0,0,1,0, 0,0,0,1]}
  ],
  "rules": [
    {"_why": "free", "a": "arm", "b": "base", "clearance": null, "max_volume": null, "ignore": false,
     "contact": null, "touch_gap": "auto", "touch_overlap": null, "reason": null}
  ]
}
EOF
short() { # the lines of JSON that matter here
    "$STLCLASH" -f json "$@" | grep -E '^ *"(name|a|b|file|status|distance|units|pairs|summary)":' | tr -s ' '
}
short sub/robot.json
short --units=in sub/robot.json | head -n 1
(cd sub && short robot.json | head -n 3)
sed "s|parts/|$PWD/sub/parts/|" sub/robot.json | short - | head -n 2
# The same file twice is the same part twice; a manifest of two parts is a pair as any other.
echo '{"parts": [{"name": "x", "file": "cube.stl"}, {"name": "y", "file": "cube.stl"}]}' >two.JSON
try two.JSON -n 0
echo '{"parts": [{"name": "x", "file": "cube.stl"}, {"name": "y", "file": "cube_apart.stl"}],
       "units": null, "rules": null}' >two.json
try two.json
# More than one read gives; what is no NUL; a file called "-"; one line for each file.
cp cube.stl ./-
{
    printf '{"_long": "%070000d", "_text": "\\\\u0000",\n' 0
    echo '"parts": [{"name": "x", "file": "-"}, {"name": "y", "file": "cube_apart.stl"},'
    echo '{"name": "z", "file": "cube_apart.stl", "placement": [1,0,0,4, 0,1,0,0, 0,0,1,0, 0,0,0,1]}]}'
} >long.json
"$STLCLASH" -v long.json </dev/null 2>&1 | grep -E '^(stlclash: read|PASS|FAIL|UNDECIDED)|long'
# A placement has 3, 12 or 16 numbers, all of them the same here.
for numbers in 1.5,0,0 1,0,0,1.5,0,1,0,0,0,0,1,0 1,0,0,1.5,0,1,0,0,0,0,1,0,0,0,0,1; do
    echo '{"parts": [{"name": "x", "file": "cube.stl"},' \
        '{"name": "y", "file": "cube.stl", "placement": ['$numbers']}]}' >placed.json
    "$STLCLASH" placed.json | grep distance
done
echo "# behind a byte order mark"
printf '\357\273\277{"parts": [{"name": "a", "file": "cube.stl"}, {"name": "b", "file": "cube_apart.stl"}]}' >mark.json
try mark.json
printf '\357\273\277' >mark.json
try mark.json
