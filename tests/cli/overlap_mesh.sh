# What parts that clash have in common, as a mesh: STL and OBJ.
parts
echo "# a clash; any number of threads, and the parts exchanged, give the same"
try -q -u mm --overlap=ab.obj cube.stl cube_shifted.stl
cat ab.obj
try -q --overlap=ab.STL cube.stl cube_shifted.stl
"$STLCLASH" -n 0 --health --no-depth --no-distance ab.STL cube_apart.stl | grep '^  part .*ab'
"$STLCLASH" -q --overlap=block.stl.stl block.stl peg_clash.stl
for threads in 1 2 8; do
    "$STLCLASH" -q -j $threads --overlap=again.stl block.stl peg_clash.stl
    cmp block.stl.stl again.stl
done
"$STLCLASH" -q --overlap=again.stl peg_clash.stl block.stl
cmp block.stl.stl again.stl
echo "# it holds what the report says, and is closed"
for pair in "block peg_clash" "block peg_contact" "cube cube_inner" "cube cube_shifted"; do
    set -- $pair
    "$STLCLASH" -n 0 --no-depth --place-b=0.25,0.125,-0.1 --overlap=common.stl $1.stl $2.stl |
        grep '^  volume' | cut -c 1-28
    "$STLCLASH" -n 0 --health --no-overlap common.stl common.stl | grep '^  part .*common '
done
echo "# a contact, no contact"
for other in cube_touch cube_apart; do
    try -q --overlap=none.stl cube.stl $other.stl
    wc -c <none.stl
    try -q --overlap=none.obj cube.stl $other.stl
    cat none.obj
done
echo "# all pairs of an assembly, with their names; each facet of points that are there"
odd=$(printf 'new\nline.stl')
cp tetra.stl "$odd"
try -q --overlap=all.obj cube.stl cube_shifted.stl "$odd" cube_apart.stl
grep '^[og] ' all.obj
awk '$1 == "v" { points++; if (NF != 4) print "wrong: " $0 }
     $1 == "f" {
         for (i = 2; i <= 4; i++) {
             if ($i < 1 || $i > points) print "wrong: " $0
             used[$i]
         }
     }
     END { for (i = 1; i <= points; i++) if (!(i in used)) print "unused: " i }' all.obj
rm "$odd"
echo "# of parts that move, at the start"
try -q -u mm --overlap=start.obj --move-b=10,0,0 cube.stl cube_shifted.stl
cmp start.obj ab.obj
echo "# open parts"
without_facet 3 cube_ascii.stl >open.stl
try -q --overlap=open.obj open.stl cube_shifted.stl cube.stl
grep '^[og] ' open.obj
try -q --overlap=open.obj open.stl cube_shifted.stl tetra.stl
echo "# whole or not at all"
echo old >kept.obj
try -q --overlap=kept.obj --max-time=1e-9 block.stl peg_clash.stl
cat kept.obj
printf 'solid\nendsolid\n' >nothing.stl
try -q --overlap=nothing.obj cube.stl nothing.stl
try -q --overlap=no/such/folder.obj -o report.json cube.stl cube_apart.stl
try -q --overlap=first.obj --overlap=last.obj cube.stl cube_apart.stl
ls -A | grep -v '\.stl$'
