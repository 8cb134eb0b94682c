# Rules on the command line that are wrong.
parts
for rule in '' a a= a=cube a=cube,b=cube_apart,b=cube b=cube a=cube,b=cube_apart,gap=1 \
    a=cube,b=cube_apart,clearance=-1 a=cube,b=cube_apart,clearance=x \
    a=cube,b=cube_apart,touch_gap=Auto a=cube,b=cube_apart,touch_overlap=-1 \
    a=cube,b=cube_apart,contact=maybe a=cube,b=cube_apart,ignore=yes \
    a=cube,b=cube_apart,ignore=true a=cube,b=cube_apart,ignore=true,reason= \
    a=cube,b=cube_apart,ignore=true,clearance=1,reason=x \
    a=cube,b=cube_apart,ignore=true,ignore=false,reason=x \
    a=cube,b=cube_apart,ignore=true,max_depth=1,reason=x a=cube,b=nut a=cube,b=cube \
    a=cube,b=cube_apart,touch_overlap=1,max_depth=0.5 \
    a=cube,b=cube_apart,contact=fail,max_depth=0.5 =1 a=cube,,b=cube_apart \
    a=cube,b=cube_apart,clearance=1,clearance=50 a=cube,b=cube_apart,contact=fail,contact=allow \
    a=cube,b=cube_apart,clearance=0,25,contact=fail; do
    try_streams "--rule=$rule" cube.stl cube_apart.stl
done
# A rule of the manifest that is right, then one that is not.
echo '{"parts": [{"name": "x", "file": "cube.stl"}, {"name": "y", "file": "cube.stl"}],
       "rules": [{"a": "x", "b": "y"}]}' >two.json
try_streams --rule=a=x,b=z two.json
