# Output that does not arrive is an error, whatever the verdict.
[ -w /dev/full ] || skip "no /dev/full"
parts
for options in --help --version "cube.stl cube_apart.stl" "-f json cube.stl cube_apart.stl" \
    "-f json -n all block.stl peg_clash.stl"; do
    echo "\$ stlclash $options"
    "$STLCLASH" $options 2>&1 >/dev/full
    echo "=> $?"
done
echo "# closed"
"$STLCLASH" cube.stl cube_apart.stl 2>&1 >&-
echo "=> $?"
"$STLCLASH" -q cube.stl cube_apart.stl >&-
echo "=> $?"
