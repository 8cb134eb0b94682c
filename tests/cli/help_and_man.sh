# --help and the man page list the same options, with the same values.
"$STLCLASH" --help | sed -n 's/^  \(-[a-zA-Z], \|    \)\(--[a-z-]*\).*/\1\2/p' | tr -d ' ' |
    sort >help
sed -n 's/^\.It \(Fl .*\)/\1/p' "$ROOT/man/stlclash.1" | awk '
    { # "Fl c , Fl -clearance Ns = Ns Ar D": letter and name; two names in one line are two
        letter = ""
        for (i = 1; i < NF; i++) {
            if ($i == "Fl" && $(i + 1) !~ /^-/) letter = "-" $(i + 1) ","
            if ($i == "Fl" && $(i + 1) ~ /^-/) print letter "-" $(i + 1)
        }
    }' | sort >man
diff help man && echo "$(wc -l <help) options"
