# No file of ours takes the place of a closed stream: the report stays clean.
parts
"$STLCLASH" -v -o report.json -q cube.stl cube_apart.stl 2>&-
echo "=> $?"
"$STLCLASH" -v -o full.json -q cube.stl cube_apart.stl <&- >&- 2>&-
echo "=> $?"
for file in report.json full.json; do
    head -n 2 $file
    tail -n 1 $file
done
