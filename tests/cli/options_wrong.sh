# Misuse: one line that names the argument, nothing on standard output, status 2.
parts
bad() {
    try_streams "$@" cube.stl cube_apart.stl
}
bad --unknown
bad --unknown=3
bad -x
bad -qx
bad --clearence=1
bad --unknown-and-longer-than-any-option-that-there-is=1
bad --halth
bad -clearance=1
bad -quick
bad -units=mm
bad -output=report.json
try_streams cube.stl cube_apart.stl -version
bad --co=auto
bad --m=3
bad --exact=yes
bad --quick=
try_streams cube.stl cube_apart.stl --clearance
try_streams cube.stl cube_apart.stl -c

for number in x '' ' 1' '1 ' 1x 1e 1e+ 0x10 nan NaN inf infinity -1 -0.1 -inf 1e999 1e-999 \
    1,5 1,000.5 , 1..2; do
    bad --clearance="$number"
done
bad -c -1
bad -n alle
for number in -1 Auto automatic nan; do
    bad --touch-gap="$number"
    bad --touch-overlap="$number"
done
for number in 0 -1 1e999 soon; do
    bad --max-time="$number"
done
for number in 0 -1 1e-7 9e-7 0.00001% 0,1% 1.5 101% % 1%% '1 %' much; do
    bad --depth-error="$number"
done
for number in x '' -1 +1 1.5 1e3 99999999999999999999 2147483648; do
    bad --threads="$number"
done
for number in x '' -1 1.5 All 18446744073709551616; do
    bad --max-hits="$number"
done
bad --contact=maybe
bad --contact=
bad --format=xml
bad -f JSON
bad --color=yes
bad --progress=on
bad --units="$(printf 'm\033[31mm')"
bad -o report
bad -o report.yaml
bad -o .json/report
bad -o -
for file in '' curves curves.stl curves.obj.txt x.obj/curves obj -; do
    bad --curves="$file"
done
for option in baseline probes waypoints to-b; do # as of a variable that is not set
    bad --$option=
done
bad --curves=curves.obj --quick
bad --no-overlap --curves=curves.obj
for file in '' common common.json common.stl.txt x.obj/common -; do
    bad --overlap="$file"
done
bad --overlap=common.stl --quick
bad --no-overlap --overlap=common.stl
for option in quick no-overlap no-depth; do
    bad --$option --depth-error=0.1%
    bad --depth-error=0.1% --$option --rule=a=cube,b=cube_apart,clearance=1
done
bad --health=yes
bad --no-overlap=
for spec in '' 1 1,2 1,2,3,4 1,2,x 1,,3 1,2, ,1,2 '1, 2, 3' nan,0,0 0,0,inf 1e999,0,0 \
    1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17; do
    bad --place-a="$spec"
    bad --place-b="$spec"
done

cp cube.stl ./-part.stl
cp cube.stl ./--part.stl
try_streams -part.stl cube.stl
try_streams cube.stl --part.stl
try_streams -q -part.stl cube.stl
try_streams -x -part.stl cube.stl
try_streams --quick=1 -part.stl
"$STLCLASH" --quick -- -part.stl cube_apart.stl
