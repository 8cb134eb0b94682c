# An assembly larger than the memory it may use: the same bytes, and really less memory.
"$ROOT/$BUILD/bench/assembly" 100
python3 - <<'END'
import json, struct

plate = open('plate.stl', 'rb').read()
with open('plate-0.stl', 'w') as file:
    file.write('solid plate\n')
    for at in range(84, len(plate), 50):
        corners = struct.unpack_from('<9f', plate, at + 12)
        file.write('facet normal 0 0 0\n outer loop\n')
        file.writelines('  vertex %.9g %.9g %.9g\n' % corners[k:k + 3] for k in (0, 3, 6))
        file.write(' endloop\nendfacet\n')
    file.write('endsolid plate\n')
text = open('plate-0.stl').read()
parts = []
for i in range(80):  # each a file of its own, next to those above and below it
    open('plate-%d.stl' % i, 'w').write(text)
    parts.append({'name': 'plate-%d' % i, 'file': 'plate-%d.stl' % i,
                  'placement': [1, 0, 0, 140 * i, 0, 1, 0, 0, 0, 0, 1, 4.125 * i, 0, 0, 0, 1]})
json.dump({'parts': parts}, open('plates.json', 'w'))
END
peak() { # OPTION...: in tenths of a megabyte
    "$STLCLASH" -j1 -v -q -c 0.25 "$@" -o report.json plates.json 2>&1 |
        sed -n 's/.*peak memory \([0-9]*\)[.]\([0-9]\) MB.*/\1\2/p'
    jq 'del(.stats)' report.json >"report$1.json"
}
all=$(peak --memory=1G)
for memory in 2800K 1; do # a tenth of what the meshes take; as good as nothing
    little=$(peak --memory=$memory)
    cmp report--memory=1G.json report--memory=$memory.json
    # sanitizers keep what was freed
    [ -n "$SLOW" ] || [ $((2 * little)) -lt "$all" ] || echo "$memory: $little, not half of $all"
done
jq -c .summary report--memory=1G.json

# A file that was changed before it is read again is not taken for the same: its pairs are
# not judged. A pipe is read once and kept.
parts
mkfifo pipe.stl
cat >changing.json <<'END'
{"parts": [{"name": "first", "file": "cube.stl"},
           {"name": "pipe", "file": "pipe.stl"},
           {"name": "last", "file": "cube_shifted.stl"}]}
END
"$STLCLASH" -j1 --memory=1 --quick changing.json >out.txt 2>&1 &
exec 3>pipe.stl # when it is opened, cube.stl has been read
cp cube_apart.stl cube.stl
cat block.stl >&3
exec 3>&-
wait $!
echo "=> $?"
cat out.txt

# The same where it is gone.
mkfifo gone.stl
sed 's/pipe.stl/gone.stl/' changing.json >going.json
"$STLCLASH" -j1 --memory=1 --quick -f csv going.json >out.txt 2>&1 &
exec 3>gone.stl
rm cube.stl
cat block.stl >&3
exec 3>&-
wait $!
echo "=> $?"
cat out.txt
