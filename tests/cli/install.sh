# What make install puts in place works from there, and make uninstall takes it away.
install_to() { # TARGET FOLDER=...
    make -s -C "$ROOT" BUILD="$BUILD" CC="$CC" DESTDIR="$PWD/to" "$@" >log 2>&1 || cat log
}
folders() {
    for name in libdir includedir; do
        PKG_CONFIG_PATH=$1 pkg-config --variable=$name stlclash
    done
}
install_to install PREFIX=/usr
(cd to && find . -type f -o -type l | sort | sed 's/[0-9]*\.[0-9]*\.[0-9]*$/VERSION/')
to/usr/bin/stlclash -q "$DATA/cube.stl" "$DATA/cube_apart.stl"
echo "=> $?"
folders to/usr/lib/pkgconfig
grep '{prefix}' to/usr/lib/pkgconfig/stlclash.pc
install_to uninstall PREFIX=/usr
find to -type f -o -type l

# Folders of a distribution's own.
set -- PREFIX=/usr LIBDIR=/usr/lib/some-system INCLUDEDIR=/opt/headers MANDIR=/man
install_to install "$@"
(cd to && find . -name 'lib*.so' -o -name '*.[h1]' | sort)
folders to/usr/lib/some-system/pkgconfig
install_to uninstall "$@"
find to -type f -o -type l

# Folders with spaces, of which nothing else may be taken away.
mkdir -p "to a/usr"
echo kept >"to a/usr/my"
install_to install DESTDIR="$PWD/to a" PREFIX="/usr/my prefix"
find "to a" -name 'stlclash' -type f | sort
PKG_CONFIG_PATH="to a/usr/my prefix/lib/pkgconfig" pkg-config --cflags --libs stlclash
install_to uninstall DESTDIR="$PWD/to a" PREFIX="/usr/my prefix"
find "to a" -type f -o -type l

# The loader is told of a library that is in its place, not of one that is packaged.
mkdir tools
printf '#!/bin/sh\necho told\n' >tools/ldconfig
chmod +x tools/ldconfig
PATH=$PWD/tools:$PATH
for target in install uninstall; do
    make -s -C "$ROOT" BUILD="$BUILD" CC="$CC" $target DESTDIR="$PWD/to" PREFIX=/usr
    make -s -C "$ROOT" BUILD="$BUILD" CC="$CC" $target DESTDIR= PREFIX="$PWD/own"
done 2>&1 | grep told

# What a distribution adds to the flags is added, on the command line of make too.
make -n -B -C "$ROOT" BUILD="$BUILD" CC="$CC" CPPFLAGS=-DOWN CFLAGS=-g1 "$BUILD/obj/src/mesh.o" |
    grep -o ' -DOWN -Iinclude -Isrc .*-g1 -std=c17'
