# Parts that move: straight, along screws, vertex by vertex; exit statuses.
parts
try --move-b=0,0,-10 -u mm tray.stl lid.stl
try --move-b=0,0,-16 tray.stl lid.stl
try --move-b=0,0,-9 -c 2 tray.stl lid.stl
try --move-a=0,0,16 -q tray.stl lid.stl
try --move-a=0,0,20 --move-b=0,0,10 --contact=fail tray.stl lid.stl
try --move-b=0,45,0 -n 0 dovetail_rail.stl dovetail_slide.stl
try --move-b=0,0,5 --place-b=0,45,0 -n 0 dovetail_rail.stl dovetail_slide.stl
try --end-b=0,-1,0,0,1,0,0,0,0,0,1,0 block.stl peg_clear.stl
try --end-b=3,0,0 cube.stl cube_apart.stl
try --end-a=0,1,0,0,-1,0,0,0,0,0,1,0 --end-b=0,-1,0,0,1,0,0,0,0,0,1,0 -n 0 cube.stl cube_apart.stl
try --move-a=0,0,4 --end-b=0,-1,0,0,1,0,0,0,0,0,1,0 block.stl peg_clear.stl
echo '[[0,0,-14], [0,-1,0,0, 1,0,0,0, 0,0,1,-14], [0,-1,0,0, 1,0,0,0, 0,0,1,-10]]' >way.json
try --waypoints=way.json -u mm bayonet_plate.stl bayonet_plug.stl
echo '[[0,0,0], [0,0,3]]' >wait.json # the first leg goes nowhere
try --waypoints=wait.json cube.stl cube_apart.stl
try --to-b=cube_shifted.stl cube.stl cube_apart.stl
try --move-b=-2,0,0 --quick cube.stl cube_apart.stl
try --move-b=-2,0,0 --max-time=1e-9 cube.stl cube_apart.stl
try -c 0.01 --place-b=0,5,0 --move-b=0,-1e30,0 cube.stl cube_apart.stl
try -c 0.1245 --motion-tolerance=0.05 --end-b=1,0,0,0,0,0,-1,0,0,1,0,0 cube.stl cube_apart.stl
try --move-b=-2e-7,0,0 -n 0 cube.stl cube_touch.stl
