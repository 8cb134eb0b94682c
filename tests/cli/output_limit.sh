# A limit on file sizes cuts the writing short: the old report is untouched.
parts
echo old >report.json
(
    ulimit -f 1
    "$STLCLASH" -q -n all -o report.json block.stl peg_clash.stl
    echo "=> $?"
)
cat report.json
ls -A | grep -v '\.stl$'
