/* couple.h - two parts and the depth of their overlap, beside a plain oracle that looks at every
 * facet, in doubles. */
#ifndef TEST_COUPLE_H
#define TEST_COUPLE_H

#include "depth/depth.h"
#include "shapes.h"
#include "solids/solid.h"
#include "solids/surface.h"

typedef struct couple {
    stlclash_mesh *mesh[2];
    sc_part part[2];
    sc_solid solid[2]; /* not to be moved */
    sc_box within;     /* of both parts */
    uint64_t budget;   /* of a search; couple_make sets one that is large */
    uint64_t polled;   /* how often the last search asked whether to go on */
} couple;

/* Without placements; the images must outlive it. Freed by couple_free. An error ends the
 * program. */
void couple_make(couple *c, const stl_image *a, const stl_image *b);
void couple_free(couple *c);

/* That of one of them. */
sc_surface couple_surface(couple *c, int part);

/* sc_depth_find, by one thread or by a crew, which may be NULL. */
sc_depth find(couple *c, double error, double threshold);
sc_depth find_by(couple *c, double error, double threshold, sc_crew *crew);

/* Distance from the surface, and the generalised winding number: the solid angles of
 * all facets (Van Oosterom and Strackee, 1983). */
double probe(const stlclash_mesh *mesh, sc_vec3 p, double *winding);

/* How deep a point lies in what is common to both, by all facets of either; 0: it does not. */
double depth_at(const couple *c, sc_vec3 p);
/* A random point within half of `reach` along each axis of a corner or the middle of some facet. */
sc_vec3 some_place(const couple *c, double reach);

/* Checks, of a pair that `what` names. */

/* The point found is common and as deep as stated: inside one part, and inside the
 * other or on its surface. */
void check_point(const couple *c, const sc_depth *d, const char *what);
/* A depth by name: whether it is complete, bounded as asked, of the point given, right
 * if the answer is known (expected > 0), and bracketed by thresholds. Returns it. */
double try_depth(const stl_image *a, const stl_image *b, double expected, double error,
                 const char *what);
/* Either way round, and closely. Frees the images. */
void try_both(stl_image a, stl_image b, double expected, const char *what);

/* Shapes and places. */

/* Each face a grid of cells x cells. */
stl_image box(double x0, double y0, double z0, double x1, double y1, double z1, uint32_t cells);
/* Of random boxes that mostly overlap, each a shell of its own. */
stl_image union_of_boxes(int boxes);
/* A random point of the cube of half `size` about p. */
sc_vec3 some_step(sc_vec3 p, double size);

#endif
