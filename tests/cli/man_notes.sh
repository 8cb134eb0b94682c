# Every warning and note that the library's sources name is explained, and has a sentence.
words() {
    find "$ROOT/src" -name '*.c' ! -path '*/report/*' ! -path '*/cli/*' -exec cat {} + |
        grep -o "$1\"[a-z_]*\"" | sed 's/.*"\(.*\)"/\1/'
}
{ words 'warn([a-z]*, ' && words '{'; } | grep _ | sort -u >known
for word in $(cat known); do
    grep -q "^\.It Li $word\$" "$ROOT/man/stlclash.1" || echo "not in the man page: $word"
done
words 'note([a-z>-]*, ' | sort -u >noted
words '^    {' >sentences
grep -vxF -f sentences noted | sed 's/^/no sentence: /'
wc -l <known
