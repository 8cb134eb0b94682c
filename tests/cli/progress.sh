# The bar is on standard error only, and taken away at the end.
parts
"$STLCLASH" --progress=always block.stl peg_clash.stl 2>bar >with
"$STLCLASH" --progress=never block.stl peg_clash.stl >without
cmp with without
tr '\r' '\n' <bar | sed -n '2s/[0-9#]//gp' | tr -s ' '
tail -c 1 bar | od -An -c | tr -d ' '
"$STLCLASH" --progress=auto -q cube.stl cube_apart.stl
