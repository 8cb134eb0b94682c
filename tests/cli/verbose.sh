# Phases and counts on standard error; the numbers vary.
parts
"$STLCLASH" -v cube.stl cube_ascii.stl 2>&1 >/dev/null | sed 's/[0-9][0-9.]*/N/g'
# A file is read once, for however many parts.
"$STLCLASH" -v cube.stl cube_ascii.stl cube.stl 2>&1 >/dev/null | grep ': read '
"$STLCLASH" -v --probe=0,0,0:1,1,1 tetra.stl cube.stl tetra.stl 2>&1 >/dev/null | grep ': read '
# Of pairs that are listed, those that boxes alone show to be clear were not looked at closely.
printf '{"parts": [{"name": "a", "file": "cube.stl"}, {"name": "b", "file": "cube_shifted.stl"},
        {"name": "c", "file": "cube.stl", "placement": [50, 0, 0]}]}' >three.json
"$STLCLASH" -v --list=all three.json 2>&1 >/dev/null | grep pairs:
"$STLCLASH" -v --list-pairs three.json 2>&1 >/dev/null | grep pairs:
"$STLCLASH" -v - cube.stl 2>&1 >/dev/null <cube.stl | grep ': read '
"$STLCLASH" -v -f json cube.stl cube_apart.stl 2>/dev/null |
    sed -n '/"stats"/s/: [0-9][0-9.e-]*/: N/gp'
