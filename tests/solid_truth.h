/* solid_truth.h - what must come out for two solids, and checks that it has: of boxes, lattices and
 * tables. Checks count as those of the test that calls them; `what` names the pair. */
#ifndef TEST_SOLID_TRUTH_H
#define TEST_SOLID_TRUTH_H

#include "oracle_solid.h"
#include "shapes.h"
#include "stlclash.h"

#include <stdbool.h>

/* What must come out. */
typedef struct truth {
    stlclash_status status;
    stlclash_side contained;
    double volume;
    double area;     /* face to face; negative: not told */
    bool random;     /* any volume, however thin: rounding is that of the whole parts */
    bool has_bounds; /* and a centroid */
    double centroid[3], bounds[2][3];
} truth;

/* Without bounds and centroid. */
truth clash(double volume, stlclash_side contained);
truth contact(double area);
truth clear(void);
/* B against A. */
truth truth_exchanged(const truth *from);
/* The status that follows from a relation, exactly. */
void apply_relation(oracle_relation relation, truth *t);

/* ---- boxes ---------------------------------------------------------------------- */

typedef struct truth_box {
    double low[3], high[3];
} truth_box;

/* The truth about two boxes, from their intervals. */
truth boxes_truth(const truth_box *a, const truth_box *b);
/* Each face a grid of cells x cells. */
stl_image image_of_box(const truth_box *b, uint32_t cells);
/* Boxes on a small grid, or with any floats but faces that coincide now and then, or
 * miss each other by one float. */
void random_boxes(bool grid, truth_box *a, truth_box *b);

/* ---- lattices ------------------------------------------------------------------- */

/* A pair of voxel solids; its bounds are empty until voxels_bounds is asked. */
truth voxels_truth(const oracle_voxels_pair *pair, const oracle_frame *f);
/* Bounds of common cells under a skew frame: of their corners, all of them. */
void voxels_bounds(const oracle_voxels *a, const oracle_voxels *b, const int shift[3],
                   const oracle_frame *f, truth *t);

/* ---- checks --------------------------------------------------------------------- */

/* Largest coordinate difference within either image. */
double extent_of(const stl_image *a, const stl_image *b);
bool same_bits(const double *a, const double *b, int count);
/* The same file, byte for byte. */
bool same_images(const stl_image *a, const stl_image *b);

/* `slack`: how far the truth itself may be off. */
void check_volume(const stlclash_result *r, double volume, double slack, const char *what);
/* Status, containment, volume, area, centroid and bounds. `extent`: of the parts, which bounds
 * what rounding may do. */
void check_truth(const stlclash_result *r, const truth *t, double extent, const char *what);
/* B against A: the same bits, roles exchanged. Parts of the same content have no
 * roles to exchange. */
void check_exchanged(const stlclash_result *x, const stlclash_result *y, bool identical,
                     const char *what);
/* Whether the deepest point is one: in both parts, as far from the surface as told. */
void check_deepest(const stlclash_result *r, const stl_image *a, const stl_image *b,
                   double relative, const char *what);
/* The depth is known. */
void check_depth(const stlclash_result *r, double depth, double extent, const char *what);

#endif
