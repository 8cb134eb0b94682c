try_streams --version
try_streams -V
# It ends the parsing, and needs no parts.
try_streams --version --unknown
