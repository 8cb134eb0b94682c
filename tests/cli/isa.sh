# The same report with every instruction set that this processor has; one that it does
# not have counts as the usual one.
parts
"$ROOT/$BUILD/bench/gen" all 1k >list
compare() { # A B
    STLCLASH_ISA=baseline "$STLCLASH" -n all -f json --health --gaps -c 0.05 "$1" "$2" >one
    [ -s one ] || echo "no report of $1 and $2"
    for isa in scalar avx2 avx512; do
        STLCLASH_ISA=$isa "$STLCLASH" -n all -f json --health --gaps -c 0.05 "$1" "$2" | cmp one -
    done
}
for pair in "block peg_clash" "block peg_contact" "block peg_clear" "cube tetra" "cube cube_shifted"; do
    set -- $pair
    compare $1.stl $2.stl
done
for a in *_1k_A.stl; do
    compare "$a" "${a%A.stl}B.stl"
done
for isa in "" none; do # the same report; of what is unknown a line tells, once
    STLCLASH_ISA=$isa "$STLCLASH" -n all -f json --health cube.stl tetra.stl 2>told >two
    "$STLCLASH" -n all -f json --health cube.stl tetra.stl | cmp two -
    cat told
done
