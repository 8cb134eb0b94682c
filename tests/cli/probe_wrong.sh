# Misuse of probes: one line that names the argument, status 2.
parts
bad() {
    try_streams "$@" cube.stl
}
for spec in '' 1,2,3 1,2,3: :1,2,3 1,2,3:4,5 1,2:3,4,5 1,2,3,4:5,6,7 1,2,3:4,5,6: 1,2,3:4,5,6:x \
    1,2,3:4,5,6:-1 1,2,3:4,5,6:1:2 x,2,3:4,5,6 1,2,inf:4,5,6 1,2,3,inf:4,5,6 1,2,3:4,5,inf \
    1,2,3:0,0,0,inf 1,2,3:4,5,6,Inf 1,2,3:4,5,6,inf,7 nan,2,3:4,5,6 1e999,2,3:4,5,6 9e59,0,0:1,1,1 \
    1,2,3:4,5,6:9e59 ' 1,2,3:4,5,6' \
    1e10,0,0:1e-300,0,0,inf; do
    bad --probe="$spec"
done
for other in --overlap=x.stl --curves=x.obj --baseline=x.json --list-pairs --rule=a=x,b=y,clearance=1 --quick \
    --health --no-distance --no-overlap --depth-error=0.1 --list=all --format=junit --output=x.csv --place-b=1,2,3; do
    bad --probe=1,2,3:4,5,6 $other
done
bad --probes
try_streams --probe=1,2,3:4,5,6
try_streams --probe=1,2,3:4,5,6 assembly.json
try_streams --probes=- -
try_streams -f jsonl cube.stl cube_apart.stl
try_streams -o x.jsonl cube.stl cube_apart.stl
try_streams --probe=1,2,3:4,5,6 missing.stl
