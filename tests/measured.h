/* measured.h - two parts, what they have in common as it is measured, and its regions. */
#ifndef TEST_MEASURED_H
#define TEST_MEASURED_H

#include "both.h"
#include "overlap/crossings.h"
#include "overlap/overlap_regions.h"

typedef struct measured {
    both b;
    sc_crossings crossings;
    sc_pieces pieces;
    sc_overlap overlap;
    sc_regions regions;
} measured; /* not to be moved */

/* Of closed parts that stand as they are; the images must outlive it. Freed by measured_free. */
void measured_make(measured *m, const stl_image *first, const stl_image *second);
void measured_free(measured *m);

#endif
