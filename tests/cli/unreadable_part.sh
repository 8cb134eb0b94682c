# Parts that cannot be read: their pairs are undecided, all others are checked.
parts
printf 'solid x' >cut.stl
try_streams cube.stl cut.stl cube_shifted.stl missing.stl
"$STLCLASH" -f junit cube.stl cut.stl cube_shifted.stl missing.stl 2>/dev/null | grep -o 'message=".*">'
counts() { grep '"summary"' | tr -s ' '; }
"$STLCLASH" -f json cube.stl cut.stl cube_shifted.stl missing.stl 2>/dev/null | counts
"$STLCLASH" -f json --rule='a=cut,b=*,ignore=true,reason=to come' cube.stl cut.stl cube_apart.stl 2>errors |
    counts
cat errors
# Nothing is undecided then, and yet it is no pass.
for format in text markdown github; do
    "$STLCLASH" -f $format --rule='a=cut,b=*,ignore=true,reason=to come' cube.stl cut.stl cube_apart.stl 2>/dev/null |
        grep -e UNDECIDED -e 'stlclash: ' -e title=stlclash
done
"$STLCLASH" -q --rule='a=cut,b=*,ignore=true,reason=to come' cube.stl cut.stl cube_apart.stl
echo "=> $?"
try_streams --list-pairs cube.stl cut.stl cube_apart.stl
# a file that is wrong is told once, however many parts it is
part() { printf '{"name": "%s", "file": "%s"}' "$1" "$2"; }
echo "{\"parts\": [$(part a cut.stl), $(part b missing.stl), $(part c cut.stl), $(part d missing.stl)]}" >same.json
try_streams same.json
# as the end of motions, too
moved() { printf '{"name": "%s", "file": "cube.stl", "motion": {"to": "%s"}}' "$1" "$2"; }
echo "{\"parts\": [$(moved a missing.stl), $(part b missing.stl), $(moved c missing.stl), $(part d cube.stl)]}" >ends.json
try_streams ends.json
# of a long path reports have the end, and what is wrong behind it
long=$(printf '%0300d' 0 | sed 's|00|./|g')
echo "{\"parts\": [$(part a cube.stl), $(part b "$long/missing.stl")]}" >long.json
"$STLCLASH" -f csv long.json 2>/dev/null | grep -o '[^,]*cannot open.*'
# standard input is read once, and kept
cat cube.stl | "$STLCLASH" --memory=1 -n0 - cube_apart.stl cube_touch.stl
echo "=> $?"
