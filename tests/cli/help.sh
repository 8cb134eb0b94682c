# Help that was asked for is a success and goes to standard output.
"$STLCLASH" --help
"$STLCLASH" --help | awk 'length > 80 { print "wider than a terminal: " $0 }'
