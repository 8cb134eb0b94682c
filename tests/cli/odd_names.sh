# File names are bytes: reports and messages stay well-formed.
parts
newline=$(printf 'new\nline\033[31m\t.stl')
latin=$(printf 'gr\374n\301\200\355\240\200.stl')
quote='a "b" \c.stl'
for name in "$newline" "$latin" "$quote" grün.stl; do
    cp cube.stl "$name"
    "$STLCLASH" "$name" cube_apart.stl | head -n 1
    "$STLCLASH" -f json "$name" cube_apart.stl | grep -e '"name"' -e '"file"' | head -n 2
done
# Lines are as long as they look.
for name in ooooooooooooooooooo ööööööööööööööööööö; do
    printf 'solid x' >$name.stl
    cat >moved.json <<END
{"parts": [{"name": "a", "file": "cube.stl", "motion": {"to": "$name-$name.stl"}},
           {"name": "$name", "file": "$name.stl"}]}
END
    "$STLCLASH" moved.json 2>/dev/null | sed -n '/unreadable/,/^$/p'
done
"$STLCLASH" "$(printf 'mis\nsing\033[31m.stl')" cube.stl

echo "# a terminal's control characters in units, of all reports of probes"
units=$(printf 'a\302\233b')
for options in "-c 9" "-c 0.1 --exact"; do
    "$STLCLASH" -u "$units" $options --probe=0.5,0.5,3:0.5,0.5,2:0.5 --probe=0.5,0.5,3:0.5,0.5,1 cube.stl
done | LC_ALL=C grep -a -c "$(printf '\302\233')" || :
