# A run that is killed leaves no report, whole or not; another run then gives the same bytes.
"$ROOT/$BUILD/bench/assembly" 1000
"$STLCLASH" -q -c 0.25 -o first.json assembly-1000.json
for signal in KILL TERM INT; do
    for wait in 0.02 0.1; do
        # an interrupt is ignored by what a script leaves in the background, unless it asks
        python3 -c '
import signal, subprocess, sys, time
run = subprocess.Popen([sys.argv[1], "-q", "-j1", "-c", "0.25", "-o", "new.json", "assembly-1000.json"],
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(float(sys.argv[3]))
run.send_signal(getattr(signal, "SIG" + sys.argv[2]))
run.wait()' "$STLCLASH" $signal $wait
        # a machine that is fast enough has written it whole
        [ ! -e new.json ] || cmp first.json new.json
        rm -f new.json
    done
done
"$STLCLASH" -q -c 0.25 -o new.json assembly-1000.json
cmp first.json new.json && ls
