parts
try_streams
try_streams cube.stl
try_streams cube.stl cube_apart.stl tetra.stl
try_streams -q
try_streams - -
try_streams -- --exact cube.stl
