/* solid.h - a whole part as something to ask: is this point inside, is this box clear of
 * the surface.
 *
 * Its octree covers all of the part, but blocks are opened only where a question
 * leads. All points and distances are in length units, in the coordinates in which
 * the parts are compared. Any number of threads may ask at once. */
#ifndef SC_SOLID_H
#define SC_SOLID_H

#include "base/watch.h"
#include "geom/sos.h"
#include "octree.h"
#include "part.h"

#include <stdatomic.h>

/* Which of the two parts a point or edge belongs to: in ties A stands as if moved by less
 * than anything (geom/sos.h). */
typedef enum sc_role { SC_ROLE_A, SC_ROLE_B } sc_role;

typedef struct sc_solid {
    const sc_part *part;
    sc_role role;   /* which of the two parts this one is */
    sc_shift shift; /* how A is moved in ties; the same for both */
    sc_octree *tree;
    sc_octree own;             /* what `tree` points to, unless that is the caller's */
    const int8_t *orientation; /* [facets] 1 or -1: which way round a facet is read;
                                  NULL: all as stored */
    bool one_shell;            /* known to be: all facets hang together by their edges */
    atomic_int embedded;       /* sc_solid_is_embedded: 0 not asked yet, 1 true, -1 false */
    atomic_int cracked;        /* sc_solid_may_be_cracked, in the same way */
    sc_watch *watch;           /* when to give up; NULL: never */
} sc_solid;

/* The tree is the caller's, of the whole part in the frame, or NULL: then one is built.
 * With a tree of less, the solid tells of what is in it only. A solid is not to be moved. */
stlclash_code sc_solid_make(const sc_part *part, sc_role role, const sc_frame *frame,
                            sc_octree *tree, sc_solid *solid, stlclash_error *error);
void sc_solid_free(sc_solid *solid);

/* The placed vertices of a facet, the way round in which it is read. */
void sc_solid_facet(const sc_solid *solid, uint32_t triangle, sc_vec3 v[3]);

/* It will be asked for this one soon. */
static inline void sc_solid_expect(const sc_solid *solid, uint32_t triangle)
{
    sc_facet_prefetch(&solid->part->mesh->file.facets, triangle);
}

/* What the way leads through along which sc_solid_winding leaves the part from p. */
sc_box sc_solid_way_out(const sc_part *part, sc_vec3 p);

/* Winding number of the part around p, a point of the other part: how often the
 * surface surrounds it, 0 outside a closed part, 1 inside a simple one. Exact; on
 * the surface itself the side is decided by role. False if memory ran out. */
bool sc_solid_winding(sc_solid *solid, sc_vec3 p, int *winding);

/* How often the same way leads through the surface, if always outwards; else -1. No shell of the
 * part winds around p less than no times then: any way out from there would pass it inwards as
 * well. */
bool sc_solid_exits(sc_solid *solid, sc_vec3 p, int *exits);

/* The winding number along another way: where T-junctions close the part but for the rounding of
 * its placement, a way may slip through, but not both. */
bool sc_solid_winding_again(sc_solid *solid, sc_vec3 p, int *winding);

/* Whether the part may have such T-junctions, and was placed. */
bool sc_solid_may_be_cracked(sc_solid *solid);

/* The same about any point, of the part's own surface too, as if the point were moved by the shift
 * (winding[0]) and the other way (winding[1]). */
bool sc_solid_winding_either_way(const sc_solid *solid, const sc_shift *shift, sc_vec3 p,
                                 int winding[2]);

/* Whether a point of that winding number is inside, also where shells that could not be told to be
 * inside out, or that stick out of their part, make it negative. */
static inline bool sc_is_inside(int winding)
{
    return winding != 0;
}

/* Points whose winding number was asked for of late. */
enum { SC_KNOWN_WINDINGS = 16 };
typedef struct sc_known_windings {
    sc_vec3 point[SC_KNOWN_WINDINGS];
    int winding[SC_KNOWN_WINDINGS];
    unsigned count; /* so far: the latest replaces the oldest; 0 to begin with */
} sc_known_windings;

/* The same, from the nearest of those where that is nearer than the way out of the part; p
 * becomes one of them. Of a part that may be cracked, along several ways out instead: from a point
 * at a crack, as it may be the nearest, more than one may slip through. */
bool sc_solid_winding_near(sc_solid *solid, sc_known_windings *known, sc_vec3 p, int *winding);

/* How often the straight way between two points of the other part passes the surface
 * (*crossed), and how often inwards less outwards (*entered). As exact, and false for the
 * same reason. */
bool sc_solid_crossings(sc_solid *solid, sc_vec3 from, sc_vec3 to, int *entered, int *crossed);

/* The generalized winding number of any mesh, open ones included: the part of the full
 * solid angle that it takes up as seen from p. Looks at every facet. */
double sc_solid_generalized_winding(const sc_solid *solid, sc_vec3 p);

/* Whether no facet's box meets the box: then the winding number is the same all over
 * it. Conservative: false may be wrong, true never. False too if memory ran out
 * (*failed). */
bool sc_solid_clear(sc_solid *solid, const sc_box *box, bool *failed);

/* Boxes of facets that were met: what is asked for next to them mostly meets them as well. */
enum { SC_MET = 4 };
typedef struct sc_met {
    sc_octet boxes[SC_MET];
    unsigned count; /* so far: the latest replaces the oldest; 0 to begin with */
} sc_met;

/* The same for a box in the frame, which both solids of a check share; what was met is looked at
 * first, and kept. */
bool sc_solid_clear_frame(sc_solid *solid, sc_met *met, const float low[3], const float high[3],
                          bool *failed);

#endif
