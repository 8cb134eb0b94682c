# Parts of an assembly that move: what they meet on the way, in every format, and against a
# baseline.
parts
box() { boxes 0 0 0 "$2" "$3" "$4" >"$1"; }
box slab.stl 40 40 2
box bar.stl 30 4 4
box knob.stl 4 4 4
boxes 0 0 0 6 4 4 >long_knob.stl
at() { printf '[1,0,0,%s, 0,1,0,%s, 0,0,1,%s, 0,0,0,1]' "$1" "$2" "$3"; }

# A drawer slides by 20 with the knob that is fixed to it, an arm turns a quarter about an
# axis at its end, a lid comes down, a knob grows.
cat >kitchen.json <<EOF
{"parts": [
  {"name": "floor", "file": "slab.stl"},
  {"name": "drawer", "file": "bar.stl", "placement": $(at 0 8 2), "motion": {"move": [20,0,0]}},
  {"name": "knob", "file": "knob.stl", "placement": $(at 30 8 2), "motion": {"move": [20,0,0]}},
  {"name": "arm", "file": "bar.stl", "placement": $(at 2 30 4),
   "motion": {"end": [0,1,0,2, -1,0,0,30, 0,0,1,4], "tolerance": 0.01}},
  {"name": "lid", "file": "slab.stl", "placement": $(at 0 0 30),
   "motion": {"waypoints": [[0,0,20], [0,0,9]]}},
  {"name": "stop", "file": "knob.stl", "placement": $(at 16 14 3.5)},
  {"name": "bud", "file": "knob.stl", "placement": $(at 44 8 2), "motion": {"to": "long_knob.stl"}},
  {"name": "far", "file": "knob.stl", "placement": $(at 300 8 2)}]}
EOF
try kitchen.json
try --list-pairs kitchen.json
try -q kitchen.json

echo "# pairs left out"
set --
for pair in arm:drawer arm:knob bud:knob bud:drawer; do
    set -- "$@" "--rule=a=${pair%:*},b=${pair#*:},ignore=true,reason=looked at by hand"
done
try "$@" kitchen.json
for format in junit csv markdown github; do
    "$STLCLASH" "$@" -f $format kitchen.json >out.$format
    echo "$format => $?"
done
grep -o '<[a-z]* type=.*' out.junit
cut -d, -f2-8,17-22 out.csv
grep '^|' out.markdown
cat out.github

echo "# the same for any number of threads, and memory"
for how in -j1 -j3 --memory=1K --progress=never; do
    "$STLCLASH" "$@" $how --list=all -f json kitchen.json >"out$how"
    cmp out-j1 "out$how"
done
"$STLCLASH" "$@" --max-time=1e-9 -f csv kitchen.json | cut -d, -f2-7,23

echo "# parts that turn together keep to each other"
cat >door.json <<EOF
{"parts": [
  {"name": "door", "file": "bar.stl", "motion": {"end": [0,-1,0,0, 1,0,0,0, 0,0,1,0]}},
  {"name": "handle", "file": "knob.stl", "placement": $(at 24 4 0),
   "motion": {"end": [0,-1,0,-4, 1,0,0,24, 0,0,1,0]}},
  {"name": "wall", "file": "bar.stl", "placement": $(at -32 20 0)}]}
EOF
try --contact=fail door.json

echo "# limits of an overlap are for parts at rest"
cat >press.json <<EOF
{"parts": [{"name": "hole", "file": "cube.stl"},
           {"name": "pin", "file": "cube_shifted.stl", "motion": {"move": [0,0,0.1]}}],
 "rules": [{"a": "hole", "b": "pin", "max_depth": 2}]}
EOF
try -n 0 press.json

echo "# a baseline is of the same motions"
"$STLCLASH" "$@" -q -o old.json kitchen.json
try "$@" -q --baseline=old.json -o new.json kitchen.json
grep -o '"change": "[a-z]*"' new.json | sort | uniq -c | tr -s ' '
sed 's/\[20,0,0\]}},$/[20,0,1]}},/' kitchen.json >other.json
try "$@" -q --baseline=old.json other.json
sed 's/, "motion": {"to": "long_knob.stl"}//' kitchen.json >rests.json
try "$@" -q --baseline=old.json rests.json
"$STLCLASH" "$@" -q -o rested.json rests.json
try "$@" -q --baseline=rested.json kitchen.json
