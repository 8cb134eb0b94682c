# The curves in which the surfaces meet, as OBJ.
parts
echo "# a clash; any number of threads gives the same"
try -q -u mm --curves=ab.obj cube.stl cube_shifted.stl
cat ab.obj
for threads in 1 2 8; do
    "$STLCLASH" -q -j $threads -u mm --curves=again.obj cube.stl cube_shifted.stl
    cmp ab.obj again.obj
done
echo "# a contact, no contact, one part inside the other"
try -q --curves=touch.obj cube.stl cube_touch.stl
grep -c '^l' touch.obj
try -q --curves=apart.OBJ cube.stl cube_apart.stl
cat apart.OBJ
try -q --curves=inner.obj cube.stl cube_inner.stl
cat inner.obj
echo "# each line is made of points that are there, each point belongs to one line"
"$STLCLASH" -q --curves=block.obj block.stl peg_clash.stl
for file in ab.obj touch.obj block.obj; do
    awk '$1 == "v" { points++; if (NF != 4) print "wrong: " $0 }
         $1 == "l" || $1 == "p" {
             for (i = 2; i <= NF; i++) {
                 again = $i in used && !(i == NF && $i == $2)
                 if ($i < 1 || $i > points || again) print "wrong: " $0
                 used[$i]
             }
         }
         END { for (i = 1; i <= points; i++) if (!(i in used)) print "unused: " i }' $file
done
odd=$(printf 'new\nline.stl')
cp cube.stl "$odd"
"$STLCLASH" -q --curves=odd.obj "$odd" cube_apart.stl
cat odd.obj
rm "$odd"
echo "# whole or not at all"
echo old >kept.obj
try -q --curves=kept.obj --max-time=1e-9 block.stl peg_clash.stl
cat kept.obj
printf 'solid\nendsolid\n' >none.stl
try -q --curves=none.obj cube.stl none.stl
without_facet 3 cube_ascii.stl >open.stl
try -q --curves=open.obj open.stl cube_shifted.stl
try -q --curves=open_apart.obj open.stl cube_apart.stl
try -q --curves=no/such/folder.obj -o report.json cube.stl cube_apart.stl
try -q --curves=first.obj --curves=last.obj cube.stl cube_apart.stl
ls -A | grep -v '\.stl$'
