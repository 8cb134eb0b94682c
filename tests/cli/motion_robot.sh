# Real robot arms that swing from pose to pose, where somebody has them: TRUTH=dir.
truth=${TRUTH:-$ROOT/../shared}
[ -d "$truth/data/robot-ur5e" ] || skip "no robot arms (TRUTH=dir names a folder with data/robot-*)"
python3 "$ROOT/tests/robot_swing.py" "$STLCLASH" "$truth/data"
