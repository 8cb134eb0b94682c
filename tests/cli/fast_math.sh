# Where arithmetic would not be exact nothing is built, rather than something that lies.
for flags in "" -ffast-math -Ofast "-O3 -ffinite-math-only" "-ffast-math -fno-fast-math"; do
    "${CC:-cc}" -std=c17 -D_XOPEN_SOURCE=700 -I"$ROOT/include" -I"$ROOT/src" $flags -fsyntax-only \
        "$ROOT/src/geom/expansion.c" >log 2>&1 || echo "not with $flags"
    grep -q -e '-fno-fast-math: compilers' log && echo "  it says why"
done
# What CFLAGS ask for is put right by the Makefile, which has the last word.
make -C "$ROOT" -n -B BUILD="$BUILD" CC="$CC" CFLAGS=-ffast-math \
    "$BUILD/obj/src/geom/expansion.o" 2>/dev/null |
    grep -o -e '-ffast-math.*-fno-fast-math' | sed 's/ .* / ... /'
