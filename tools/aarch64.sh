#!/bin/sh
# aarch64.sh BUILD - the libraries for the cross compiler, and the tests under an emulator.
#
# Needs gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user (installed as root, else
# named). libgmp and libcjson for arm64 are fetched through apt and unpacked into BUILD/root:
# nothing foreign is installed on this machine.
set -eu
build=$1
root=$PWD/$build/root

CC=aarch64-linux-gnu-gcc tools/packages.sh aarch64
if [ ! -e "$root/usr/include/cjson/cJSON.h" ]; then
    state=$PWD/$build/apt
    mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$root"
    set -- -q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o "Dir::State::Lists=$state/lists" \
        -o "Dir::Cache=$state/cache" -o Dir::State::status=/dev/null -o APT::Sandbox::User=root
    apt-get "$@" update >"$state/log" 2>&1 || { cat "$state/log" >&2 && exit 1; }
    (cd "$state" && apt-get "$@" download libgmp-dev libgmp10 libcjson1 libcjson-dev >>log 2>&1) ||
        { cat "$state/log" >&2 && exit 1; }
    for package in "$state"/*.deb; do
        dpkg -x "$package" "$root"
    done
fi

libraries=$root/usr/lib/aarch64-linux-gnu
make BUILD="$build" CC=aarch64-linux-gnu-gcc \
    CJSON_CFLAGS="-isystem $root/usr/include/cjson" CJSON_LIBS=-lcjson \
    CFLAGS="-isystem $root/usr/include/aarch64-linux-gnu -isystem $root/usr/include -DTEST_DIVISOR=40" \
    LDFLAGS="-L$libraries -Wl,-rpath-link,$libraries" \
    command library "$build/tests" "$build/bench/gen" "$build/bench/assembly"

# Programs as tests call them: the emulator in front.
export TEST_EMULATOR="qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH=$libraries"
mkdir -p "$build/run/bench"
for program in tests stlclash bench/gen bench/assembly; do
    printf '#!/bin/sh\nexec %s %s "$@"\n' "$TEST_EMULATOR" "$PWD/$build/$program" >"$build/run/$program"
    chmod +x "$build/run/$program"
done
ln -sf ../libstlclash.a ../libstlclash.so "$build/run"
tests/check.sh "$build/run" aarch64-linux-gnu-gcc
