/* ways.h - one pair of parts asked about in many ways, of which each must tell the same. */
#ifndef TEST_WAYS_H
#define TEST_WAYS_H

#include "solid_truth.h"

/* p[k] -> scale * sign[k] * p[from[k]] + shift[k] */
typedef struct motion {
    int from[3];
    double sign[3], scale, shift[3];
} motion;

enum { MOTIONS = 16 };

/* Mirrored, axes permuted, scaled, shifted, and all of it. `way`: 0 .. MOTIONS - 1. */
motion motion_make(int way);
/* False where a coordinate would not stay exact. Orientation is kept. Freed by image_free. */
bool motion_image(const motion *m, const stl_image *from, stl_image *to);

/* Both orders in each way, exact, quick, measured and not; facets and corners in some other order
 * in most of them. Frees the images. */
void try_pair(stl_image a, stl_image b, const truth *t, const char *name);

#endif
