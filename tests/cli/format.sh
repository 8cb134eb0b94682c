parts
"$STLCLASH" cube.stl cube_apart.stl >default
"$STLCLASH" -f text cube.stl cube_apart.stl >text
"$STLCLASH" --format=json cube.stl cube_apart.stl >json
"$STLCLASH" -o saved.txt -o saved.text -o saved.json -o SAVED.JSON cube.stl cube_apart.stl >again
for file in text again saved.txt saved.text; do
    cmp default $file
done
for file in saved.json SAVED.JSON; do
    cmp json $file
done
ls -A
