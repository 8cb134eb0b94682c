# The same as out_of_memory for three parts, a baseline and the reports that sort. A baseline that is
# not read for a lack of memory ends the run; a part or pair for which there is none is undecided.
parts
"$STLCLASH" -q --quick -n 0 -o old.json cube.stl cube_shifted.stl tetra.stl
each_allocation_fails 0 2 'stlclash: *' 'decided[,:] out of memory' report.md \
    --quick -j 1 -n 0 --baseline=old.json -o report.md -f github cube.stl cube_shifted.stl tetra.stl
