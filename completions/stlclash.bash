# stlclash.bash - options of stlclash, their values and files, completed by bash (4 or later).
# tests/cli/completions.sh holds it against --help.

_stlclash_files() # WORD PATTERN...: files of these patterns, and folders
{
    local word=$1 pattern
    shift
    compopt -o filenames
    mapfile -t COMPREPLY < <(
        compgen -d -- "$word"
        for pattern in "$@"; do compgen -f -X "!$pattern" -- "$word"; done)
}

_stlclash()
{
    local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} words=
    if [[ $word == = ]]; then # as a rule "=" is a word of its own
        word=
    elif [[ $option == = ]]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $word == --*=* ]]; then
        option=${word%%=*} word=${word#*=}
    elif [[ $option == --* && $word == -* ]]; then
        option= # two options
    fi

    COMPREPLY=()
    case $option in
    --contact) words='allow fail' ;;
    -f | --format) words='text json junit markdown csv github jsonl' ;;
    --list) words='checked all' ;;
    --progress | --color) words='auto always never' ;;
    --touch-overlap | --touch-gap) words=auto ;;
    -n | --max-hits) words=all ;;
    --to-b) _stlclash_files "$word" '*.[sS][tT][lL]'; return ;;
    --baseline | --waypoints) _stlclash_files "$word" '*.json'; return ;;
    --overlap) _stlclash_files "$word" '*.[sS][tT][lL]' '*.obj'; return ;;
    --curves) _stlclash_files "$word" '*.obj'; return ;;
    -o | --output | --probes) _stlclash_files "$word" '*'; return ;;
    -[cju] | --clearance | --place-[ab] | --rule | --move-[ab] | --end-[ab] | --motion-tolerance | \
        --probe | --depth-error | --max-time | --memory | --threads | --units) return ;;
    *)
        if [[ $word != -* ]]; then
            _stlclash_files "$word" '*.[sS][tT][lL]' '*.json'
            return
        fi
        words='--clearance= --touch-overlap= --touch-gap= --contact= --require-closed --exact --place-a= --place-b=
            --rule= --move-a= --move-b= --end-a= --end-b= --waypoints= --to-b= --motion-tolerance= --probe=
            --probes= --quick --no-distance --no-overlap --no-depth --depth-error= --health --max-time= --memory= --threads=
            --format= --output= --baseline= --overlap= --gaps --curves= --list= --list-pairs --max-hits= --units=
            --quiet --verbose --progress= --color= --help --version' ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [[ ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}

complete -F _stlclash stlclash
