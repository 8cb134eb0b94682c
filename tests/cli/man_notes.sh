# Every warning and note that the library's sources name is explained.
words() {
    find "$ROOT/src" -name '*.c' ! -path '*/report/*' ! -path '*/cli/*' -exec cat {} + |
        grep -o "$1\"[a-z_]*\"" | sed 's/.*"\(.*\)"/\1/'
}
{ words 'warn([a-z]*, ' && words '{'; } | grep _ | sort -u >known
for word in $(cat known); do
    grep -q "^\.It Li $word\$" "$ROOT/man/stlclash.1" || echo "not in the man page: $word"
done
wc -l <known
