/* divide.h - a few boxes into compact groups of equal size. */
#ifndef SC_DIVIDE_H
#define SC_DIVIDE_H

#include "frame.h"

/* Makes order[0 .. count) the indices into `centre`, the sums of either end of a box, such that
 * each run of `size` from the start (the last one may be shorter) lies close together: halves
 * along the longest side, at a multiple of `size`, and halves these again; what 2^-15 of the
 * longest side of all does not tell apart stays in order. count is at most SC_DIVIDE_MAX, size at
 * least 8; the result depends on nothing but the input. */
enum { SC_DIVIDE_MAX = 512 };
void sc_divide(const float (*centre)[4], uint32_t *order, uint32_t count, uint32_t size);

/* One of them on the way there, 15 bits a coordinate; and how many are read, or written to, behind
 * the last one as they are halved (octets.h). */
typedef struct sc_divided {
    int16_t at[3];
    uint16_t index;
} sc_divided;
enum { SC_DIVIDED_ROOM = 16 };

#endif
