/* sweeps.h - motions for tests in which nothing may go wrong: an error is a failed check, or
 * ends the program with its text; and the sample parts. */
#ifndef TEST_SWEEPS_H
#define TEST_SWEEPS_H

#include "shapes.h"
#include "stlclash.h"

/* Freed by stlclash_sweep_result_free; NULL after an error. */
stlclash_sweep_result *sweep(const stlclash_mesh *a, const stlclash_mesh *b,
                             const stlclash_options *options, const stlclash_motion *motion);
/* B goes straight. */
stlclash_status sweep_images(const stl_image *a, const stl_image *b,
                             const stlclash_options *options, const double way_of_b[3]);

/* A box from -4 to 5 along x and y, and from 0 to 9 along z, without its lid: what lies deep in it
 * may be held. */
stl_image box_without_lid(void);

/* A part of bench/parts.h, by the name of its file in data/. Freed by unload. */
typedef struct loaded {
    stl_image image;
    stlclash_mesh *mesh;
} loaded;
loaded load_part(const char *file);
void unload(loaded *l);

#endif
