parts
"$STLCLASH" cube.stl cube_touch.stl
