# Phases and counts on standard error; the numbers vary.
parts
"$STLCLASH" -v cube.stl cube_ascii.stl 2>&1 >/dev/null | sed 's/[0-9][0-9.]*/N/g'
"$STLCLASH" -v -f json cube.stl cube_apart.stl 2>/dev/null |
    sed -n '/"stats"/s/: [0-9][0-9.e-]*/: N/gp'
