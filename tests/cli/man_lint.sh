command -v mandoc >/dev/null || skip "mandoc is missing"
# What lint says about the list of pages on this machine is not about ours.
mandoc -T lint "$ROOT/man/stlclash.1" 2>&1 | grep -v 'mandoc.db'
exit 0
