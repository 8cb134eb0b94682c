# Each allocation fails once: the command either does without it and reports the same, or says so in
# a line for each thing that is not written. A report that could not be saved does not keep the
# others back.
parts
each_allocation_fails 1 3 'stlclash: *' "" "report.json curves.obj common.stl" \
    -j 1 -n 20 --health --gaps -o report.json --curves=curves.obj --overlap=common.stl \
    block.stl peg_clash.stl
