# What was not computed is null.
parts
"$STLCLASH" -f json --quick cube.stl cube_apart.stl
