parts
echo "# a pipe, a file"
cat cube.stl | try - cube_apart.stl
try cube.stl - <cube_apart.stl
cat cube_ascii.stl | try -q - cube_apart.stl
echo "# nothing, and half of something"
try - cube_apart.stl </dev/null
head -c 300 cube.stl | try - cube_apart.stl
echo "# the name in JSON"
cat cube.stl | "$STLCLASH" -f json - cube_apart.stl | grep -e '"name"' -e '"file"' -e '"a"'
echo "# closed"
try - cube_apart.stl <&-
