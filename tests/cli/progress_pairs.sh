# The bar of an assembly: pairs done, failures, and gone at the end.
"$ROOT/$BUILD/bench/assembly" 1000
"$STLCLASH" -j1 -q -c 0.25 --progress=always assembly-1000.json 2>bar
tr '\r' '\n' <bar | grep -c . | awk '{ print ($1 >= 2) ? "drawn" : "not drawn" }'
tr '\r' '\n' <bar | grep . | sed -n '2s/[0-9#]//gp' | tr -s ' ' | sed 's/, s left//'
tail -c 1 bar | od -An -c | tr -d ' '
"$STLCLASH" -q -c 0.25 --progress=auto assembly-1000.json
