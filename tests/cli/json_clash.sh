parts
"$STLCLASH" -f json -n 3 cube.stl cube_shifted.stl
