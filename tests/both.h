/* both.h - two parts as solids, with all pairs of triangles that meet: for tests of what is asked
 * of these. */
#ifndef TEST_BOTH_H
#define TEST_BOTH_H

#include "shapes.h"
#include "solids/solid.h"

typedef struct both {
    stlclash_mesh *mesh[2];
    sc_part part[2];
    sc_solid solid[2]; /* not to be moved */
    uint64_t *hits;    /* [hit_count] triangle of the first << 32 | of the second, sorted */
    size_t hit_count;
} both;

/* Both placed alike, or not at all; the images must outlive it. Freed by both_free. An error ends
 * the program. */
void both_place(both *b, const stl_image *first, const stl_image *second,
                const double placement[16]);
void both_make(both *b, const stl_image *first, const stl_image *second);
void both_free(both *b);

#endif
