# A report in a file is whole or not there.
parts
run() {
    "$STLCLASH" -q "$@" cube.stl cube_apart.stl
    echo "=> $?"
}
modes() {
    ls -l "$@" | cut -c1-10
}
echo "# modes: by the umask for a new file, kept for an old one"
umask 022
run -o new.json
umask 077
run -o private.json
run -o new.json
modes new.json private.json
umask 022

echo "# a link stays a link"
mkdir target
echo old >target/real.json
ln -s target/real.json link.json
run -o link.json
cmp new.json target/real.json
test -L link.json && echo link
mkdir links
ln -s ../target/made.json links/second.json
ln -s links/second.json first.json
run -o first.json # to a file that is not there yet
cmp new.json target/made.json
test -L first.json && test -L links/second.json && echo links
ln -s no/such/folder.json astray.json
run -o astray.json
rm -r links first.json astray.json

echo "# a pipe is written to"
mkfifo pipe.json
cat pipe.json >from_pipe &
run -o pipe.json
wait
cmp new.json from_pipe

echo "# no folder, a folder in the way, a loop of links: told before anything is read or written"
mkdir folder.json
ln -s loop.json loop.json
"$STLCLASH" -o none.json -o no/such/folder.json missing.stl cube.stl
echo "=> $?"
ls none.json 2>/dev/null
run -o new.json/report.json
run -o folder.json
run -o loop.json
run --curves=no/such/folder.obj
run --overlap=no/such/folder.stl
run --probe=0,0,0:1,1,1 -o no/such/folder.jsonl
run -o ''

echo "# a file that is read is not written over, but for the baseline"
cp "$DATA/assembly.json" kept.json
cp "$DATA"/*.stl .
ln -s kept.json alias.json
ln cube.stl cube.obj
"$STLCLASH" -q kept.json -o alias.json
echo "=> $?"
cmp kept.json "$DATA/assembly.json"
run --curves=cube.obj
run --overlap=cube.stl
run --baseline=new.json -o new.json
"$STLCLASH" -q -o kept.json - <kept.json
echo "=> $?"
cmp kept.json "$DATA/assembly.json"
"$STLCLASH" -q -o known.json cube.stl cube_apart.stl
cp known.json passes.json
"$STLCLASH" -q --baseline=- -o known.json --place-b=-0.5,0,0 cube.stl cube_apart.stl <known.json
echo "=> $?"
cmp known.json passes.json
cp cube.stl cube.txt
cp cube_apart.stl apart.csv
cat >assembly.json <<'END'
{"parts": [{"name": "a", "file": "cube.txt"},
           {"name": "b", "file": "cube.stl", "motion": {"to": "apart.csv"}}]}
END
for options in "-o cube.txt" "-o apart.csv" "--probe=0,0,0:1,1,1 -o cube.txt"; do
    "$STLCLASH" -q $options assembly.json
    echo "=> $?"
done
cmp cube.stl cube.txt
cmp cube_apart.stl apart.csv
rm known.json passes.json kept.json alias.json cube.obj cube.txt apart.csv assembly.json

echo "# a full disk"
if [ -w /dev/full ]; then
    ln -s /dev/full full.json
    run -o full.json -o still.json # the rest goes on
    cmp still.json private.json
else
    touch still.json
    echo "stlclash: full.json: cannot write: No space left on device" >&2
    echo "=> 2"
fi

echo "# nothing is left behind"
ls -A | grep -v '\.stl$'
