# Shells complete the options of --help, "=" behind those that take a value, and the words that
# such a value may be.
bash=$ROOT/completions/stlclash.bash zsh=$ROOT/completions/_stlclash
command -v bash >/dev/null || skip "no bash"

"$STLCLASH" --help | grep -oE '^  (-[a-zA-Z], |    )--[a-z-]+=?' | sed 's/.*--/--/' | sort >options
"$STLCLASH" --help | grep -oE '^  -[a-zA-Z]' | tr -d ' ' | sort >letters
grep -oE "('|'[*]|[{,])--[a-z-]+=?[]}['\"]" "$zsh" | grep -oE -e '--[a-z-]+=?' | sort | diff options - &&
    grep -oE '[{]-[a-zA-Z]' "$zsh" | tr -d '{' | sort | diff letters - && echo "zsh: the options"

# What bash offers behind some words, of which the last may be empty.
complete() {
    bash -c 'compopt() { :; }; . "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _stlclash
        printf "%s\n" "${COMPREPLY[@]}"' "$bash" stlclash "$@"
}
complete -- | sort | diff options - && echo "bash: the options"

for option in $(grep = options); do
    words=$("$STLCLASH" "${option}no-such-word" 2>&1 | sed -n 's/.*is not one of \([^ ]*\).*/\1/p
        s/.*is neither a number nor \([a-z]*\).*/\1/p' | tr '|' ' ')
    [ "$words" ] || continue
    echo "$option $words"
    [ "$(complete "${option%=}" = '' | tr '\n' ' ')" = "$words " ] || echo "bash: not so"
    [ "$(complete "${option%=}" = | tr '\n' ' ')" = "$words " ] || echo "bash: not so behind ="
    grep -q -e "$option.*:($words)'" "$zsh" || echo "zsh: not so"
done

touch a.stl b.STL 'c d.json' e.txt
mkdir folder
for words in '' 'b' '-n 3 ' '--to-b = ' '--baseline = c' '--output = ' '--units = ' '--quick --li' \
    '--format = j' '-f ' '--color = a'; do
    echo "stlclash $words|"
    IFS=' '
    set -f
    case $words in *' ' | '') complete $words '' ;; *) complete $words ;; esac | sort -u | sed 's/^/    /'
    set +f
done
