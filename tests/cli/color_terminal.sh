# auto: on a terminal, unless NO_COLOR is set or the terminal is dumb.
script -qec true /dev/null >/dev/null 2>&1 || skip "script(1) is missing"
parts
on_terminal() {
    script -qec "$STLCLASH cube.stl cube_apart.stl" /dev/null |
        tr -d '\r' | sed "s/$(printf '\033')/ESC/g" | head -n 1
}
TERM=xterm on_terminal
TERM=xterm NO_COLOR=1 on_terminal
TERM=xterm NO_COLOR= on_terminal
TERM=dumb on_terminal
unset TERM
on_terminal
