# One box inside the other, the surfaces apart.
parts
"$STLCLASH" cube.stl cube_inner.stl
