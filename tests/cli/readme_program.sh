# The C program in the README compiles against the public header and prints what it says.
case $BUILD in *sanitize* | *coverage*) skip "the library needs its own link flags here" ;; esac
sed -n '/^```c$/,/^```$/p' "$ROOT/README.md" | sed '/^```/d' >example.c
"${CC:-cc}" -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$ROOT/include" -o example example.c \
    "$ROOT/$BUILD/libstlclash.a" -lm -pthread && $TEST_EMULATOR ./example "$DATA/block.stl" "$DATA/peg_clear.stl"
"${CC:-cc}" -std=c11 -I"$ROOT/include" -o example example.c -L"$ROOT/$BUILD" -lstlclash -lm &&
    readelf -d example | grep -c 'NEEDED.*libstlclash'
