parts
"$STLCLASH" cube.stl cube_shifted.stl
