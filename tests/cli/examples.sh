# Every command shown in the man page and in README.md runs; where README.md shows
# what one prints ("$ command", then lines), it prints that.
command -v jq >/dev/null || skip "jq is missing"
mkdir -p data build/release
ln -s "$STLCLASH" build/release/stlclash
PATH=$PWD/build/release:$PATH
parts
cp *.stl "$DATA"/*.json data
cp "$DATA"/*.json .

sed -n '/^\.Sh EXAMPLES/,/^\.Sh LIMITS/p' "$ROOT/man/stlclash.1" |
    sed -n '/^\.Bd/,/^\.Ed/p' | grep -v '^\.' >commands
while read -r line; do
    sh -c "$line" >output 2>errors </dev/null
    status=$?
    if [ $status -gt 1 ] || [ -s errors ]; then
        echo "=> $status: $line"
        cat errors
    fi
done <commands
sed "s/'[^']*'//g" commands | grep '[][*?]' # zsh refuses patterns that match no file
[ "$(wc -l <commands)" -ge 5 ] || echo "the man page has only $(wc -l <commands) examples"

# Code of README.md, fenced or indented, with "@" between the pieces.
[ -f "$ROOT/README.md" ] || exit 0
awk '/^```/ { fenced = !fenced; print "@"; next }
     fenced { print; next }
     /^    / { print substr($0, 5); next }
     { print "@" }' "$ROOT/README.md" >code
grep -E '^\$ (cat .*\| *)?([a-z/]*/)?stlclash ' code | cut -c3- >commands
while read -r line; do
    sh -c "$line" >output 2>&1 </dev/null
    awk -v command="\$ $line" '
        show && (/^\$ / || /^@$/) { exit }
        show { print }
        $0 == command { show = 1 }' code >shown
    [ ! -s shown ] || diff shown output || echo "README.md shows something else for: $line"
done <commands
