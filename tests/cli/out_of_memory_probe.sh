# The same as out_of_memory for probes: the message names a file, also of parts beyond the second,
# which no option places.
parts
each_allocation_fails 1 1 'stlclash: [!:-]*' "" "" \
    -j 1 --probe=0.5,0.5,-1:0.5,0.5,2 cube.stl cube_shifted.stl cube_apart.stl tetra.stl
