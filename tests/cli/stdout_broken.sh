# A reader that leaves is an error too, not a silent death by SIGPIPE.
parts
(
    sleep 0.2 # until the reader is gone
    "$STLCLASH" -f json cube.stl cube_apart.stl
    echo "=> $?" >status
) | true
while [ ! -s status ]; do sleep 0.05; done
cat status
