# Real assemblies, some with known answers, where somebody has them: TRUTH=dir.
truth=${TRUTH:-$ROOT/../shared}
[ -d "$truth/truth/assemblies" ] || skip "no real assemblies with known answers (TRUTH=dir names them)"
python3 "$ROOT/tests/truth_assemblies.py" "$STLCLASH" "$truth" ${LONG:+long} | tail -n 20 |
    sed 's/^[0-9]* manifests/manifests/'
