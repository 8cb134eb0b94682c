# Which includes point from a folder of the library to one above it, or beside it.
cd "$ROOT/src" || exit
awk 'BEGIN {
         split("base geom src health solids overlap depth,erosion,contact,open judge,gaps check " \
               "motion,probe assembly", rows, " ")
         for (row in rows) {
             n = split(rows[row], names, ",")
             for (i = 1; i <= n; i++) level[names[i]] = row + 0
         }
         level["isa"] = level["src"]
     }
     function folder(path) { return path ~ "/" ? substr(path, 1, index(path, "/") - 1) : "src" }
     /^#include "/ {
         split($0, quoted, "\"")
         own = folder(FILENAME)
         known = getline line < (own "/" quoted[2])
         close(own "/" quoted[2])
         other = own != "src" && known >= 0 ? own : folder(quoted[2])
         if (!(own in level)) print FILENAME ": no level"
         if (other != own && own != "isa" && other != "isa" && quoted[2] != "stlclash.h" &&
             level[other] >= level[own]) print FILENAME ": " quoted[2]
     }' *.[ch] $(ls -d */*.[ch] | grep -v -e ^cli -e ^report)
