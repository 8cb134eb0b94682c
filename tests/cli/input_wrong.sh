# Files that cannot be read, or are not what their sender had.
parts
mkdir folder
: >empty.stl
head -c 83 cube.stl >header.stl
head -c 400 cube.stl >cut.stl
(head -c 80 cube.stl && printf '\377\377\377\377' && tail -c 600 cube.stl) >count.stl
(head -c 80 cube.stl && printf '\0\0\0\0' && tail -c 600 cube.stl) >uncounted.stl
(head -c 96 cube.stl && printf '\0\0\300\177' && tail -c 584 cube.stl) >nan.stl
gzip -c cube.stl >packed.stl
printf '<!DOCTYPE html>\n<html>404</html>\n' >page.stl
sed 's/vertex 0 0/vertex 0,5 0/' cube_ascii.stl >comma.stl
head -n 20 cube_ascii.stl >ascii_cut.stl
sed '/endsolid/d' cube_ascii.stl >unended.stl
(cat cube_ascii.stl && printf '\032') >mark_behind.stl
for file in missing.stl folder empty.stl header.stl cut.stl count.stl uncounted.stl nan.stl \
    packed.stl page.stl comma.stl ascii_cut.stl unended.stl mark_behind.stl; do
    try_streams $file cube.stl
    try_streams -f csv cube.stl $file # a program gets its report all the same
done
echo "# devices have no end, but for an empty one"
[ -n "$SLOW" ] || ulimit -v 4000000 # sanitizers take more
echo '{"parts": [{"name": "a", "file": "/dev/zero"}, {"name": "b", "file": "cube.stl"}]}' >device.json
try /dev/zero cube.stl
try - cube.stl </dev/zero
try cube.stl /dev/null
try - </dev/zero
try device.json
try --baseline=/dev/zero cube.stl cube_apart.stl
try --waypoints=/dev/zero cube.stl cube_apart.stl
if [ "$(id -u)" != 0 ]; then
    chmod 0 cut.stl
    "$STLCLASH" cut.stl cube.stl 2>&1 | grep -q 'ermission' || echo "no message on permission"
fi
