parts
"$STLCLASH" -f json -c 0.2 -u mm cube.stl cube_apart.stl
