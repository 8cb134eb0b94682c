# What each option does to a report; --help and the man page list the same.
parts
brief() {
    try "$@" | grep -v -e '^  vector' -e '^  point on' -e '^  resolution'
}
echo "# clearance: equal to the gap is kept, and the resolution is allowed for"
brief -c 0.125 cube.stl cube_apart.stl
brief --clearance=0.1250001 cube.stl cube_apart.stl
brief --clearance=0.1250001 --exact cube.stl cube_apart.stl
brief -c0.2 cube.stl cube_apart.stl
brief --clear 1e-3 cube.stl cube_apart.stl
echo "# touch gap"
brief --touch-gap=0.125 cube.stl cube_apart.stl
brief --touch-gap=auto cube.stl cube_apart.stl
brief --touch-gap=0.2 --exact cube.stl cube_apart.stl
brief --touch-gap=0.2 -c 0.3 cube.stl cube_apart.stl
echo "# contact"
brief --contact=fail cube.stl cube_touch.stl
brief --contact=fail --contact=allow cube.stl cube_touch.stl
brief -c 0.1 cube.stl cube_touch.stl
echo "# quick, no-overlap"
brief --quick cube.stl cube_apart.stl
brief --quick -c 0.1 cube.stl cube_apart.stl
brief --quick -c 0.2 cube.stl cube_apart.stl
brief --no-overlap cube.stl cube_apart.stl
brief --no-distance cube.stl cube_apart.stl
brief --no-distance -c 0.2 cube.stl cube_apart.stl
echo "# max-hits"
brief -n 2 cube.stl cube_shifted.stl
brief --max-hits=0 cube.stl cube_shifted.stl
brief --max-hits=all cube.stl cube_shifted.stl
echo "# units"
brief -u mm cube.stl cube_apart.stl
brief -u '' cube.stl cube_apart.stl
echo "# quiet"
brief -q cube.stl cube_apart.stl
brief --quiet cube.stl cube_shifted.stl
echo "# threads, max-time"
brief -j 1 cube.stl cube_apart.stl
brief -j 0 cube.stl cube_apart.stl
brief --max-time=3600 cube.stl cube_apart.stl
echo "# options behind operands; the end of options"
brief cube.stl -c 0.2 cube_apart.stl -u mm
cp cube.stl ./-q
brief -- -q cube_apart.stl
