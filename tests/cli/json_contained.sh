parts
"$STLCLASH" -f json cube_inner.stl cube.stl
