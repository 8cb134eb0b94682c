#!/bin/sh
# demo.sh STLCLASH - the main jobs on the sample parts: a clash, a contact, a clear pair with
# its separation vector; a part that moves, an assembly, a probe.
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
show --place-b=0.5,0,0 --move-b=0,0,-10 data/tray.stl data/lid.stl
show data/press_fit.json
show --probe=-30,8,5:1,0,0,inf data/block.stl
exit 0
