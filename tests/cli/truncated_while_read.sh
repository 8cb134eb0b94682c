# An input file is cut short while the command waits for the other one.
parts
mkfifo pipe
"$STLCLASH" cube.stl pipe &
command=$!
exec 3>pipe # opens once the command has read cube.stl, which stays mapped
: >cube.stl
cat cube_apart.stl >&3
exec 3>&-
wait $command
echo "=> $?"
