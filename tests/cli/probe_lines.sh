# Many probes from a file or a pipe: in order, bad lines told and counted, the same bytes
# for any number of threads, answers as soon as they are asked for.
parts
cat >probes.txt <<'END'
# x,y,z:x,y,z
0.5,0.5,5:0,0,-1,inf

 2,0.5,0.5:3,0.5,0.5:0.25	
no probe
1,1,1:2,2
1,1,1:2,2,nan
1,1,1:0,0,0,inf
1,1,1:0,0,1,inf,2
1,1,1:2,2,2:-1
1,1,1:2,2,2:1:1
9e99,1,1:2,2,2
END
printf '0.25,0.25,0.25:0.5,0.5,0.5\r\n0,0,0:1,1,1' >>probes.txt
try_streams --probes=probes.txt -f jsonl cube.stl
try_streams --probes=- -f jsonl cube.stl <probes.txt
try_streams --probes=probes.txt --probe=9,9,9:8,8,8 -f json -o all.jsonl -o all.txt cube.stl
cat all.jsonl all.txt
try_streams --probes=missing.txt cube.stl
try_streams --probes=. cube.stl
printf '0,0,0:1,1,1\n%070000d\n0,0,2:1,1,2\n0,\0000,0:1,1,1\n' 0 >long.txt
try_streams -f jsonl --probes=long.txt cube.stl
# Nothing to say is no failure in a talk, but no gate passes for it.
try_streams -f jsonl --probes=/dev/null cube.stl
printf '# to be written\n\n' >none.txt
try_streams --probes=none.txt cube.stl
try_streams -q --probes=- cube.stl </dev/null
try_streams -f json --probes=none.txt --probe=9,9,9:8,8,8 cube.stl
# One thread or many.
awk 'BEGIN {
    srand(7)
    for (i = 0; i < 3000; i++)
        printf "%f,%f,%f:%f,%f,%f%s\n", 30 * rand() - 15, 30 * rand() - 15, 30 * rand() - 15,
            30 * rand() - 15, 30 * rand() - 15, 30 * rand() - 15, i % 10 ? "" : ":0.5"
}' >many.txt
"$STLCLASH" -j 1 -f jsonl --probes=many.txt block.stl peg_clear.stl >one
for threads in 0 2 3 8; do
    "$STLCLASH" -j $threads -f jsonl --probes=many.txt block.stl peg_clear.stl | cmp one -
done
wc -l <one
# A question, its answer, and the next question.
mkfifo questions answers
"$STLCLASH" -f jsonl --probes=- cube.stl <questions >answers &
exec 3>questions 4<answers
echo 0.5,0.5,5:0,0,-1,inf >&3
read -r line <&4 && echo "$line" | cut -c 1-40
echo 5,5,5:6,6,6 >&3
read -r line <&4 && echo "$line" | cut -c 1-40
exec 3>&-
wait $!
echo "=> $?"
