/* mover.h - parts that move, each by itself: what they sweep out, and how two of them move as
 * seen from each other. */
#ifndef SC_MOVER_H
#define SC_MOVER_H

#include "part.h"
#include "stlclash.h"

typedef struct sc_mover {
    const stlclash_motion *motion; /* of a part of an assembly, or NULL: it rests */
    const double *placement;       /* at the start, as given, or NULL */
    double reach; /* the largest magnitude of a coordinate of the part, as stored */
} sc_mover;

/* Whether the motion of the part, which stands at its start, is one; then a box around all
 * places to which it comes. */
stlclash_code sc_mover_sweep(const sc_mover *mover, const sc_part *part, const char *whose,
                             sc_box *swept, stlclash_error *error);

/* How A and B move as seen from each other, which may refer to their motions. False: they keep to
 * each other. */
bool sc_movers_relate(const sc_mover *a, const sc_mover *b, stlclash_motion *motion);

#endif
