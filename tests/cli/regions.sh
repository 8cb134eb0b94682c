# Overlaps that fall into pieces: the largest first, in text the largest three.
parts
brief() { # without what search and summation may do in more than one way
    try -n 0 "$@" | sed -e 's/  error at most .*//' -e '/^  normal/d' -e '/^  deepest/d' \
        -e '/^  way out/d' -e 's/ *$//'
}
boxes 0 0 0 1 1 1 3 0 0 5 1 1 >two.stl
boxes 0.5 0.25 0.25 3.75 0.75 0.75 >bar.stl
brief -u mm two.stl bar.stl
boxes 0 0 0 1 1 1 2 0 0 2.75 1 1 4 0 0 4.5 1 1 6 0 0 7.25 1 1 8 0 0 9 1 1 >five.stl
boxes 0.125 0.25 0.25 8.25 0.75 0.75 >bar.stl
brief five.stl bar.stl
"$STLCLASH" -f json -n 0 bar.stl five.stl | sed -n 's/.*{"volume".*\("bounds".*\)/\1/p'
echo "# a part that overlaps itself counts twice there"
boxes 0 0 0 1 1 1 0 0 0 1 1 1 >twice.stl
brief twice.stl cube_shifted.stl
echo "# in a cavity, and across its wall"
boxes 0 0 0 4 4 4 3 1 1 1 3 3 >hollow.stl
boxes 1.5 1.5 1.5 2.5 2.5 2.5 >inside.stl
boxes 1.5 1.5 1.5 3.5 2.5 2.5 >across.stl
brief --health hollow.stl inside.stl
brief hollow.stl across.stl
echo "# beside one that is rounding"
boxes 0 0 0 1 1 1 3 0 0 5 1 1 >two.stl
boxes 0.5 0.25 0.25 3.0000002 0.75 0.75 >bar.stl
brief two.stl bar.stl
boxes 0.5 0.25 0.25 3.0000002 0.75 0.75 >bar.stl
boxes -1 0 0 0.5000001 1 1 3 0 0 5 1 1 >two.stl
echo "# and where all is"
brief two.stl bar.stl
