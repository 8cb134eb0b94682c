# Phases and counts on standard error; the numbers vary.
parts
"$STLCLASH" -v cube.stl cube_ascii.stl 2>&1 >/dev/null | sed 's/[0-9][0-9.]*/N/g'
# A file is read once, for however many parts.
"$STLCLASH" -v cube.stl cube_ascii.stl cube.stl 2>&1 >/dev/null | grep ': read '
"$STLCLASH" -v --probe=0,0,0:1,1,1 tetra.stl cube.stl tetra.stl 2>&1 >/dev/null | grep ': read '
"$STLCLASH" -v -f json cube.stl cube_apart.stl 2>/dev/null |
    sed -n '/"stats"/s/: [0-9][0-9.e-]*/: N/gp'
