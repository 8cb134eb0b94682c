# Lines of all kinds in a file of probes: each is answered or told by its number, none is lost.
parts
"${PYTHON:-/usr/bin/python3}" - <<'PY' || skip "python3 is missing"
import random
random.seed(11)
pieces = [b"0", b"1", b"-1.5", b"1e3", b"1e999", b"-1e999", b"nan", b"inf", b"-inf", b"INF", b"0x10", b"1e", b".", b"-",
          b"", b" ", b"\t", b",", b":", b"::", b",,", b"\x00", b"\xff", b"\xc3\xa9", b"#", b"\r", b"1,2,3", b"4,5,6",
          b"1,2,3:4,5,6", b"7,8,9,inf", b"9" * 400, b"0" * 70000, b"1e-400", b"8e59", b"9e59", b"\x1b[31m", b"%s%n"]
good = [b"0.5,0.5,5:0,0,-1,inf", b"1,1,1:2,2,2", b"  1,1,1:2,2,2:0.5\t", b"1,1,1:2,2,2\r", b"1e-400,0,0:1,1,1"]
lines = [b"\xef\xbb\xbf" + good[0]]  # a mark of UTF-8, then a probe
for _ in range(3000):
    lines.append(random.choice(good) if random.random() < 0.3 else
                 b"".join(random.choice(pieces) for _ in range(random.randrange(1, 8))).replace(b"\n", b""))
open("lines", "wb").write(b"\n".join(lines))
PY
"$STLCLASH" -f jsonl --probes=lines cube.stl >answers 2>told
echo "=> $?"
/usr/bin/python3 - <<'PY'
import json, re
lines = open("lines", "rb").read().split(b"\n")
answered = [json.loads(line)["line"] for line in open("answers")]
told = [int(re.match(r"stlclash: lines: line (\d+): \S", line)[1]) for line in open("told", errors="replace")]
assert answered == sorted(set(answered)) and told == sorted(set(told))
left = {i + 1 for i, line in enumerate(lines)} - set(answered) - set(told)
for i in left:  # nothing there, or a comment
    assert re.fullmatch(rb"[ \t\r]*(#.*)?", lines[i - 1], re.S), (i, lines[i - 1][:80])
assert not set(answered) & set(told)
number = rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
probe = rb"[ \t]*(%s,%s,%s:%s,%s,%s(,inf)?)(:%s)?[ \t\r]*" % ((number,) * 7)
for i in answered:
    line = lines[i - 1].removeprefix(b"\xef\xbb\xbf") if i == 1 else lines[i - 1]
    assert re.fullmatch(probe, line), (i, line[:80])
print(len(answered) > 300, len(told) > 1500)
text = open("told", "rb").read()
print(len([c for c in text if c < 32 and c != 10]), "control characters in messages")
PY
# The same bytes through a pipe.
cat lines | "$STLCLASH" -f jsonl --probes=- cube.stl 2>/dev/null | cmp answers -
