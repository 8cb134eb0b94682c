# What make install puts in place works from there, and make uninstall takes it away.
make -s -C "$ROOT" install BUILD="$BUILD" CC="$CC" PREFIX=/usr DESTDIR="$PWD/to" \
    >log 2>&1 || cat log
(cd to && find . -type f -o -type l | sort | sed 's/[0-9]*\.[0-9]*\.[0-9]*$/VERSION/')
to/usr/bin/stlclash -q "$DATA/cube.stl" "$DATA/cube_apart.stl"
echo "=> $?"
make -s -C "$ROOT" uninstall PREFIX=/usr DESTDIR="$PWD/to" >log 2>&1 || cat log
find to -type f -o -type l
