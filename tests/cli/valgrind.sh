# Nothing depends on memory that was never written, nothing is lost: what sanitizers do not see.
command -v valgrind >/dev/null || skip "valgrind is missing"
[ -z "$TEST_EMULATOR" ] || skip "the command is emulated"
case $BUILD in *sanitize* | *race*) skip "valgrind and sanitizers exclude each other" ;; esac
valgrind -q "$STLCLASH" --version >/dev/null 2>&1 || skip "valgrind cannot read this build"
parts
cp "$DATA/assembly.json" "$DATA/press_fit.json" .
look() {
    echo "\$ stlclash $*"
    STLCLASH_ISA=avx2 valgrind -q --leak-check=full --error-exitcode=99 "$STLCLASH" -q "$@" 2>&1
    echo "=> $?"
}
look block.stl peg_clash.stl
look --gaps -c 0.5 block.stl peg_clear.stl
look -o report.json -o report.xml -o report.md --curves=curves.obj --overlap=common.stl cube.stl cube_shifted.stl tetra.stl
look --move-b=0,0,-10 tray.stl lid.stl
look --to-b=cube_apart.stl cube_inner.stl cube.stl
look --health -o report.json assembly.json
look --baseline=report.json -o report.csv assembly.json
look press_fit.json
look - tetra.stl <cube.stl
look missing.stl cube.stl
look --clearance=wide block.stl cube.stl
look --probe=-30,8,5:1,0,0,inf --probe=0,0,60:0,0,2:6.5 block.stl
