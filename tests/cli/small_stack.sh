# A process may have a small stack, and its threads may have no larger ones.
[ -z "$SLOW" ] || skip "what is not optimised, or checked, takes more"
parts
without_facet 3 cube_ascii.stl >open.stl
echo "10,0,20:10,0,-20" >lines.txt

# COUNT RADIUS LOW TOP: prisms over triangles, turned and made longer by ever more; all end at TOP.
prisms() {
    awk -v count="$1" -v radius="$2" -v from="$3" -v to="$4" '
        function corner(turn, z) {
            return "vertex " radius * cos(turn) " " radius * sin(turn) " " z
        }
        function facet(a, b, c) {
            print "facet normal 0 0 0 outer loop", a, b, c, "endloop endfacet"
        }
        BEGIN {
            print "solid"
            for (i = 0; i < count; i++) {
                for (k = 0; k < 3; k++) {
                    top[k] = corner(0.07 * i + 2.0944 * k, to)
                    low[k] = corner(0.07 * i + 2.0944 * k, from - i / 64)
                }
                facet(top[0], top[1], top[2])
                facet(low[0], low[2], low[1])
                for (k = 0; k < 3; k++) {
                    facet(low[k], low[(k + 1) % 3], top[(k + 1) % 3])
                    facet(low[k], top[(k + 1) % 3], top[k])
                }
            }
            print "endsolid"
        }'
}
prisms 60 4 -1 0 >layers.stl # on which a plate lies
prisms 1 20 0 1 >plate.stl

ulimit -s 96
while read -r options; do
    for threads in 1 4; do
        try -q -j $threads $options
    done
done <<'END'
block.stl peg_clash.stl
block.stl peg_contact.stl
block.stl peg_clear.stl
--quick block.stl peg_clash.stl
--health --curves=curves.obj --overlap=common.obj -o report.json -o report.md block.stl peg_clash.stl
cube_inner.stl cube.stl
-o report.json layers.stl plate.stl
open.stl cube_inner.stl
--move-b=0,0,-5 block.stl peg_clear.stl
--end-b=0,-1,0,0,1,0,0,0,0,0,1,5 block.stl peg_clear.stl
--to-b=cube_apart.stl cube_inner.stl cube.stl
-c 0.25 block.stl peg_clear.stl peg_clash.stl peg_contact.stl cube.stl
--probe=-30,8,5:1,0,0,inf --probe=0,0,60:0,0,2:6.5 block.stl
--probes=lines.txt block.stl
--touch-overlap=0.3 --probe=-1.1,0.5,0.3:2.3,0.5,0.3 cube.stl
--touch-overlap=0.3 --probe=0.4,0.5,0.3:0.7,0.5,0.3 cube.stl
END
