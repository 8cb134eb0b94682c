parts
"$STLCLASH" --clearance=0.2 --units=mm cube.stl cube_apart.stl
