# An input file is cut short while the command waits for the other one.
parts
"$ROOT/$BUILD/bench/gen" -o . far 30k >list # large enough to be mapped
mv far_30k_A.stl plate.stl
mkfifo pipe
"$STLCLASH" -j1 plate.stl pipe 2>errors & # one thread reads them in order
command=$!
exec 3>pipe # opens once the command has read plate.stl, which stays mapped
: >plate.stl
cat cube_apart.stl >&3
exec 3>&-
wait $command
echo "=> $?"
sed "s|$(pwd -P)/||" errors >&2
