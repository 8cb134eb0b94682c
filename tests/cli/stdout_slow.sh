# A pipe that does not block, to a reader that takes its time: everything arrives.
command -v python3 >/dev/null || skip "no python3"
parts
"$ROOT/$BUILD/bench/gen" overlap 10k >list
cat >slowly.py <<'P'
import fcntl, os, subprocess, sys, time
out, into = os.pipe()
fcntl.fcntl(into, fcntl.F_SETFL, fcntl.fcntl(into, fcntl.F_GETFL) | os.O_NONBLOCK)
process = subprocess.Popen(sys.argv[1:], stdout=into)
still = fcntl.fcntl(into, fcntl.F_GETFL) & os.O_NONBLOCK != 0
os.close(into)
total = b''
time.sleep(0.3)
while piece := os.read(out, 1 << 16):
    total += piece
sys.stdout.buffer.write(total)
sys.exit(process.wait() if still else 99)
P
for options in --help "-n all -f json overlap_10k_A.stl overlap_10k_B.stl"; do
    "$STLCLASH" $options >usual
    usual=$?
    python3 slowly.py "$STLCLASH" $options >slow
    echo "=> $(($? == usual)) $(cmp usual slow)"
done
[ "$(wc -c <usual)" -gt 70000 ] || echo "it would have fitted into the pipe"
# Nobody reads.
python3 - "$STLCLASH" <<'P'
import fcntl, os, subprocess, sys
out, into = os.pipe()
fcntl.fcntl(into, fcntl.F_SETFL, fcntl.fcntl(into, fcntl.F_GETFL) | os.O_NONBLOCK)
os.close(out)
print("=>", subprocess.call([sys.argv[1], "cube.stl", "cube_apart.stl"], stdout=into,
                            stderr=sys.stdout))
P
