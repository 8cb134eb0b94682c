# Where the new report cannot be written, the old one is untouched.
parts
mkdir shut
echo old >shut/report.json
chmod 555 shut
as_user=
if [ "$(id -u)" = 0 ]; then # root may write anywhere
    as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
    chmod 755 . .. && $as_user test -x "$STLCLASH" || skip "root may write anywhere"
fi
$as_user "$STLCLASH" -q -o shut/report.json cube.stl cube_apart.stl
echo "=> $?"
cat shut/report.json
ls -A shut
