# Help that was asked for is a success and goes to standard output.
"$STLCLASH" --help
