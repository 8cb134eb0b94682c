# What a build lacks is named where it cannot be installed; here by stubs of the commands
# that tell, and without apt-get.
mkdir bin
ask() { # STATUS-OF-GCC STATUS-OF-PKG-CONFIG
    printf '#!/bin/sh\nexit %d\n' "$1" >bin/gcc
    printf '#!/bin/sh\nexit %d\n' "$2" >bin/pkg-config
    chmod +x bin/*
    PATH=$PWD/bin CC=gcc /bin/sh "$ROOT/tools/packages.sh" build 2>&1
    echo "=> $?"
}
ask 0 0
ask 0 1
ask 1 0 # gcc comes without the headers of libc where apt installs no recommended packages
rm bin/gcc
PATH=$PWD/bin CC=gcc /bin/sh "$ROOT/tools/packages.sh" build 2>&1 # the make says that it lacks gcc
echo "=> $?"
