"""What the benchmarks share: processes that are measured, parts to measure them on, peers that are compiled here."""
import contextlib
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Run:
    """One process: wall and CPU in ms, peak memory in bytes, exit status, standard output or its last bytes; late:
    stopped after `limit` seconds. `through`: a file that comes to its standard input through a pipe."""

    def __init__(self, argv, limit=600, last=None, through=None):
        self.late = False
        with tempfile.TemporaryFile() as out:
            actions = [(os.POSIX_SPAWN_DUP2, out.fileno(), 1), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
            begin = time.perf_counter()
            with piped(through, actions):
                pid = os.posix_spawn(argv[0], argv, os.environ, file_actions=actions)

            def stop(*_):
                self.late = True
                os.kill(pid, signal.SIGKILL)
            signal.signal(signal.SIGALRM, stop)
            signal.setitimer(signal.ITIMER_REAL, limit)
            _, status, usage = os.wait4(pid, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.wall = (time.perf_counter() - begin) * 1e3
            self.output = tail(out, last)
        self.cpu = (usage.ru_utime + usage.ru_stime) * 1e3
        self.memory = usage.ru_maxrss * 1024
        self.exit = os.waitstatus_to_exitcode(status)


@contextlib.contextmanager
def piped(path, actions):
    """While the process is started that reads the file, if there is one, through a pipe from another process."""
    if not path:
        yield
        return
    writer = subprocess.Popen(['cat', path], stdout=subprocess.PIPE)
    actions.append((os.POSIX_SPAWN_DUP2, writer.stdout.fileno(), 0))
    yield
    writer.stdout.close()


def tail(file, size=None):
    """The last bytes of a file, or all. Large ones would make this process large, and its children look large too."""
    end = file.seek(0, os.SEEK_END)
    file.seek(max(0, end - size) if size else 0)
    return file.read()


def median(runs, what='cpu'):
    return statistics.median(getattr(r, what) for r in runs)


def ms(x):
    return f'{x:.2f}' if x < 10 else f'{x:.1f}' if x < 100 else f'{x:.0f}'


def data_folder():
    return os.environ.get('BENCH_DIR') or os.path.join(os.environ.get('TMPDIR') or '/tmp', 'stlclash-bench')


def part_files(build, case, size):
    """Both files of a pair of benchmark parts, made if they are not there or older than what makes them."""
    paths = [os.path.join(data_folder(), f'{case}_{size}_{part}.stl') for part in 'AB']
    made = f'{build}/bench/gen'
    if not all(os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(made) for path in paths):
        os.makedirs(data_folder(), exist_ok=True)
        subprocess.run([made, '-o', data_folder(), case, size], stdout=subprocess.DEVNULL, check=True)
    return paths


def compile_peer(source, folder, flags):
    """The program, or None."""
    program = os.path.join(folder, os.path.splitext(source)[0])
    made = subprocess.run(['c++', '-std=c++17', '-O3', '-DNDEBUG', '-o', program, os.path.join(HERE, source), *flags],
                          capture_output=True, check=False)
    return program if made.returncode == 0 else None


def compile_fcl(source, folder):
    """The program and None, or None and a line that says why."""
    flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'fcl', 'eigen3'], capture_output=True, text=True,
                           check=False)
    if flags.returncode != 0:
        return None, 'FCL is not installed (libfcl-dev): not measured.'
    program = compile_peer(source, folder, [f for f in flags.stdout.split() if not f.startswith('-std')])
    return program, None if program else f'{source} does not compile with the FCL that is installed: not measured.'


def in_scratch(measure):
    """What measure(folder) returns; the folder is gone afterwards."""
    folder = tempfile.mkdtemp(prefix='stlclash-bench-')
    try:
        return measure(folder)
    finally:
        shutil.rmtree(folder)


def alone(section):
    """Runs a section as a program of its own; exits with 1 if an answer of ours is wrong."""
    text, faults = section(os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else 'build/release'),
                           int(os.environ.get('RUNS') or 3))
    print(text)
    for fault in faults:
        print(f'wrong: {fault}')
    sys.exit(1 if faults else 0)
