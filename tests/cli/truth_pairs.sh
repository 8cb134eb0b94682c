# Real pairs with known answers, where somebody has them: TRUTH=dir.
truth=${TRUTH:-$ROOT/../shared}
[ -f "$truth/truth/pairs.json" ] || skip "no real pairs with known answers (TRUTH=dir names them)"
python3 "$ROOT/tests/truth.py" "$STLCLASH" "$truth" | tail -n 20 | sed 's/^[0-9]* pairs/pairs/'
