#!/bin/sh
# packages.sh build|check|bench|aarch64 - sees to it that what a target needs is there:
# installs missing Debian or Ubuntu packages through apt (as root, or by sudo), or
# says which to install.
set -u

have_library() { pkg-config --exists "$1" 2>/dev/null; }
have_header() { printf '#include <%s>\n' "$1" | ${CC:-cc} -E -x c - >/dev/null 2>&1; }
have_command() { command -v "$1" >/dev/null 2>&1; }
# That of the system, which the tests ask: another python3 may come first in the path.
have_python_module() { /usr/bin/python3 -c "import $1" 2>/dev/null; }

missing=
want() { # PACKAGE TEST...
    package=$1
    shift
    "$@" || missing="$missing $package"
}

case $1 in
build)
    have_command "${CC:-cc}" && want libc6-dev have_header stdio.h # gcc alone comes without
    want pkg-config have_command pkg-config
    want libcjson-dev have_library libcjson
    ;;
check)
    want libgmp-dev have_header gmp.h
    want python3 have_command python3
    want python3-jsonschema have_python_module jsonschema
    want jq have_command jq
    want libxml2-utils have_command xmllint
    want mandoc have_command mandoc
    want bsdutils have_command script
    case ${CC:-cc} in
    *clang*) want clang have_command clang ;;
    esac
    ;;
bench)
    want python3 have_command python3
    ;;
aarch64)
    want gcc-aarch64-linux-gnu have_command aarch64-linux-gnu-gcc
    want libc6-dev-arm64-cross have_header stdio.h
    want qemu-user have_command qemu-aarch64
    ;;
*)
    echo "packages.sh: build, check, bench or aarch64" >&2
    exit 2
    ;;
esac
[ -n "$missing" ] || exit 0

if have_command apt-get; then
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif have_command sudo; then
        as_root=sudo
    else
        as_root=none
    fi
    if [ "$as_root" != none ]; then
        echo "installing:$missing"
        if $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >/dev/null &&
            $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
                --no-install-recommends $missing >/dev/null; then
            exit 0
        fi
    fi
fi
echo "packages.sh: please install these packages, then run make again:$missing" >&2
exit 1
