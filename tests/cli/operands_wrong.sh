parts
try_streams
try_streams cube.stl
try_streams cube.stl cube_apart.stl robot.json
try_streams --place-a=1,0,0 cube.stl cube_apart.stl tetra.stl
try_streams --place-b=1,0,0 robot.json
try_streams -q
try_streams - -
try_streams '' cube.stl
try_streams cube.stl ''
try_streams ''
try_streams -- --exact cube.stl
