/* ears.h - a flat face, with holes, cut into triangles that have all of its corners and no others.
 *
 * Ear by ear (Meisters 1975), once its holes are joined to what lies to their left (ear_holes.h).
 * The edges of the triangles, less those that two of them have in opposite directions, are the
 * edges of the face, whatever its corners are: a surface made of such faces is closed where the
 * faces are. If no edges of the face cross, the triangles turn to the left and do not overlap;
 * where rounding made edges cross, some may have no area or be turned over. */
#ifndef SC_EARS_H
#define SC_EARS_H

#include "ear_holes.h"

/* What is kept from face to face; all 0 to begin with. */
typedef struct sc_ears {
    uint32_t (*triangles)[3]; /* [count] of the face that was cut last: numbers of corners */
    size_t count, capacity;
    sc_ear_lists lists;
    struct sc_ear_place *places; /* of all corners, by their row, from left to right */
    size_t place_capacity;
    uint32_t *rows; /* [rows + 1] the first of each */
    size_t row_capacity;
} sc_ears;

/* False if memory or time ran out. */
bool sc_ears_cut(sc_ears *ears, const sc_face *face, sc_watch *watch);
void sc_ears_free(sc_ears *ears);

#endif
