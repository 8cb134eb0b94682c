# Names of parts: the stem; folders in front where it takes them; #2 for the same.
parts
mkdir -p x/q y/q
cp cube.stl x/cube.stl
cp cube.stl y/cube.stl
cp cube.stl x/q/cube.stl
cp cube.stl y/q/cube.stl
cp cube.stl cube.STL
cp cube.stl cube
cp cube.stl .stl
cp cube.stl cube.v2.stl
cp cube.stl stdin.stl
cp cube.stl 'cube#2.stl'
names() {
    "$STLCLASH" -f json "$1" "$2" <cube.stl |
        sed -n 's/^ *"[ab]": "\(.*\)",$/\1/p' | paste -s -d' ' -
}
names cube.stl cube_apart.stl
names x/cube.stl y/cube.stl
names x/q/cube.stl y/q/cube.stl
names cube.stl x/cube.stl
names "$PWD/x/cube.stl" x/cube.stl | sed 's/^.* //'
names cube.stl cube.stl
names cube.stl cube.STL
names cube.stl cube
names .stl cube.v2.stl
names - stdin.stl
names cube.stl 'cube#2.stl'
