# One part may lie inside the other, which is not closed.
parts
without_facet 3 cube_ascii.stl >open.stl
"$STLCLASH" open.stl cube_inner.stl
