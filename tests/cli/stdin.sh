parts
echo "# a pipe, a file"
cat cube.stl | try - cube_apart.stl
try cube.stl - <cube_apart.stl
cat cube_ascii.stl | try -q - cube_apart.stl
echo "# nothing, and half of something"
try - cube_apart.stl </dev/null
head -c 300 cube.stl | try - cube_apart.stl
echo "# text as it comes: the same facets, and the same line for what is wrong in it"
awk 'BEGIN {
    print "solid many\r"
    for (i = 0; i < 3000; i++) {
        printf "facet normal 0 0 0\r\nouter loop\r\nvertex %d 0 0\r\nvertex %d 1 0\r\n", i, i
        printf "vertex %d 0 1\r\nendloop\r\nendfacet\r\n", i
    }
    print "endsolid\r"
}' >many.stl
sed '20990s/vertex /vertex l/' many.stl >wrong.stl
for file in many.stl wrong.stl; do
    "$STLCLASH" -f json $file cube_apart.stl 2>&1 | grep -v '"id"' >named.txt
    cat $file | "$STLCLASH" -f json - cube_apart.stl 2>&1 | grep -v '"id"' |
        sed -e 's/"file": "-"/"file": "'$file'"/' -e "s/\"stdin\"/\"${file%.stl}\"/" \
            -e "s/standard input/$file/" >piped.txt
    cmp named.txt piped.txt && grep -e '"triangles"' -e " line " named.txt
done
echo "# facets in the line of a name"
tr '\n' ' ' <cube_ascii.stl | try - cube_apart.stl
echo "# without an end: it is not waited for"
some() { head -c 30000000 2>/dev/null && echo "all of it was read" >&2; }
yes | tr -d '\n' | some | try - cube_apart.stl
(echo "solid a" && yes | tr -d '\n' | some) | try - cube_apart.stl
yes "" | some | try - cube_apart.stl
more() { head -c 300000000 2>/dev/null && echo "all of it was read" >&2; }
more </dev/zero | try - cube_apart.stl
(head -c 134 cube.stl && more </dev/zero) | try - cube_apart.stl
echo "# so much behind the facets is borne, and no byte more"
(cat cube.stl && head -c 16777216 /dev/zero) | try -q - cube_apart.stl
(cat cube.stl && head -c 16777217 /dev/zero) | try - cube_apart.stl
(head -c 80 /dev/zero && yes | tr -d '\n' | tr y '\377' | more) | try - cube_apart.stl
yes | more | try -
echo "# the name in JSON"
cat cube.stl | "$STLCLASH" -f json - cube_apart.stl | grep -e '"name"' -e '"file"' -e '"a"'
echo "# closed"
try - cube_apart.stl <&-
echo "# that does not block, as a program before us may leave it: it is waited for"
slowly() { # FILE ARGUMENT...: the file through such a pipe, its second half later
    python3 -c '
import os, subprocess, sys, time
reader, writer = os.pipe()
os.set_blocking(reader, False)
run = subprocess.Popen([sys.argv[1]] + sys.argv[3:], stdin=reader, stderr=subprocess.STDOUT)
text = open(sys.argv[2], "rb").read()
for half in text[:len(text) // 2], text[len(text) // 2:]:
    time.sleep(0.2)
    os.write(writer, half)
os.close(writer)
print("=>", run.wait())' "$STLCLASH" "$@"
}
echo '{"parts": [{"name": "a", "file": "cube.stl"}, {"name": "b", "file": "cube_apart.stl"}]}' >two.json
printf '0,0,5:1,1,5\n3,3,3:4,4,4\n' >probes.txt
echo '[[0, 0, 1], [0, 0, 2]]' >way.json
"$STLCLASH" -q -o old.json cube.stl cube_apart.stl
slowly cube.stl -q - cube_apart.stl
slowly two.json -q -
slowly probes.txt -q --probes=- cube.stl
slowly way.json -q --waypoints=- cube.stl cube_apart.stl
slowly old.json -q --baseline=- cube.stl cube_apart.stl
