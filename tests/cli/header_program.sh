# The example of probes in stlclash.h compiles, and does what it says.
case $BUILD in *sanitize* | *coverage*) skip "the library needs its own link flags here" ;; esac
{
    printf '#include <stdio.h>\n#include <stlclash.h>\nint main(int argc, char **argv)\n{\n'
    printf 'stlclash_mesh *mesh;\nstlclash_error error;\n'
    printf 'if (argc < 2 || stlclash_mesh_read(argv[1], &mesh, &error) != STLCLASH_OK) return 2;\n'
    sed -n '/^\/\* What a line meets, in order:/,/^ \*\/$/s/^ \*     //p' "$ROOT/include/stlclash.h"
    printf 'stlclash_mesh_free(mesh);\nreturn 0;\n}\n'
} >example.c
"${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$ROOT/include" -o example example.c \
    "$ROOT/$BUILD/libstlclash.a" -lm -pthread && $TEST_EMULATOR ./example "$DATA/block.stl"
