# Up to which depth parts that overlap count as touching; the bound itself passes.
parts
brief() {
    try "$@" | grep -e '^\$' -e '^[A-Z]' -e '^  depth' -e '^  note' -e '^=>'
}
for depth in auto 0 0.45 0.5 0.55 1e9; do
    brief --touch-overlap=$depth cube.stl cube_shifted.stl
done
echo "# the depth of a part inside the other counts in the same way"
brief --touch-overlap=0.4 cube.stl cube_inner.stl
echo "# one step of the coordinates deep: contact, and exactly a clash"
boxes 0.99999994 0 0 2 1 1 >cube_step.stl
brief cube.stl cube_step.stl
brief --exact cube.stl cube_step.stl
brief --exact --touch-overlap=auto cube.stl cube_step.stl
brief --exact --touch-overlap=1e-7 cube.stl cube_step.stl
brief --contact=fail cube.stl cube_step.stl
echo "# in JSON, as given"
for option in --touch-overlap=auto --touch-overlap=0.50 --exact "--exact --touch-overlap=0.1"; do
    "$STLCLASH" -f json $option cube.stl cube_apart.stl | grep -o '"touch_overlap": [^,]*'
done
