# The depth to a stated error, as a decimal or in percent.
parts
for error in 1 100% 0.01 1% 0.0001 0.01% 1e-6; do
    "$STLCLASH" -f json --depth-error=$error block.stl peg_clash.stl |
        sed -n 's/^ *"\(depth[a-z_]*\)": \(.*\),$/\1 \2/p' | paste -s -d' ' - |
        awk -v error=$error '{
            asked = error ~ /%/ ? error / 100 : error + 0
            kept = $2 > 0 && $4 <= asked * $2 * (1 + 1e-9)
            print error, kept ? "kept" : $0 }'
done
# A rule may ask for the depth that is left out otherwise, and so for its error.
for option in quick no-overlap no-depth; do
    echo "$option $("$STLCLASH" -f json --$option --depth-error=0.01% \
        --rule=a=block,b=peg_clash,max_depth=9 block.stl peg_clash.stl |
        grep -c -e '"pass": true,' -e '"max_depth": 9')"
done
