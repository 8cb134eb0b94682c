parts
without_facet 3 cube_ascii.stl >open.stl
show() {
    sed "s/$(printf '\033')/ESC/g" | head -n 1
}
"$STLCLASH" --color=always cube.stl cube_apart.stl | show
"$STLCLASH" --color=always cube.stl cube_touch.stl | show
"$STLCLASH" --color=always cube.stl cube_shifted.stl | show
"$STLCLASH" --color=always open.stl cube_inner.stl | show
"$STLCLASH" --color=always -c 1 cube.stl cube_apart.stl | show
"$STLCLASH" --color=auto cube.stl cube_apart.stl | show
"$STLCLASH" --color=never cube.stl cube_apart.stl | show
# What was asked for in so many words counts more; files are never coloured.
NO_COLOR=1 "$STLCLASH" --color=always -o report.txt cube.stl cube_apart.stl | show
show <report.txt
"$STLCLASH" --color=always -f json cube.stl cube_apart.stl | show
