#!/bin/sh
# demo.sh STLCLASH - the main job on the sample parts: a clash, a contact, and a
# clear pair with its separation vector.
stlclash=$1
show() {
    printf '$ stlclash %s\n' "$*"
    "$stlclash" "$@"
    status=$?
    printf '(exit status %d)\n\n' $status
    [ $status -le 1 ] || exit $status
}
show data/block.stl data/peg_clash.stl
show data/block.stl data/peg_contact.stl
show data/block.stl data/peg_clear.stl
exit 0
