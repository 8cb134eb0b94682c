# 0: passes, 1: fails, 2: undecided or an error.
parts
without_facet 3 cube_ascii.stl >open.stl
for pair in "cube cube_apart" "cube cube_touch" "cube cube_shifted" "cube cube_inner" \
    "open cube_inner"; do
    set -- $pair
    try -q $1.stl $2.stl
    try -q -c 0.2 $1.stl $2.stl
    try -q --contact=fail $1.stl $2.stl
done
try -q cube.stl missing.stl
try -q --wrong cube.stl cube_touch.stl
