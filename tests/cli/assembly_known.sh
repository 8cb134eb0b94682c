# Generated assemblies: all that was planted is found, and nothing else.
sizes="10 1000"
[ -z "$LONG" ] || sizes="$sizes 10000"
"$ROOT/$BUILD/bench/assembly" $sizes
python3 "$ROOT/tests/assembly_known.py" "$STLCLASH" assembly-*.json | sed 's/^[0-9]* //'

# Any number of threads and any memory give the same bytes, again and again.
for options in -j1 -j3 "-j2 --memory=1" "-j1 --memory=40K" -j3; do
    "$STLCLASH" $options -c 0.25 -f json assembly-1000.json >report
    cmp report first 2>/dev/null || echo "report by $options"
    [ -f first ] || cp report first
done
