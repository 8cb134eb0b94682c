parts
"$STLCLASH" cube.stl cube_apart.stl
