/* end_sums.h - in doubles, whether volume ends where the corners of a boundary do. */
#ifndef SC_END_SUMS_H
#define SC_END_SUMS_H

#include "overlap_corners.h"

/* A number and the sum of the magnitudes that it was made of. */
typedef struct sc_weighed {
    double value, terms;
} sc_weighed;

enum { SC_END_DEGREES = 3 };

/* The factors of corners about the end of a side (overlap_bounds.c), by the power that they are
 * of, less one. */
typedef struct sc_end_sums {
    sc_weighed factor[SC_END_DEGREES];
    double innermost; /* of the corners, outwards */
    bool doubted;     /* rounding hides the factor of one */
} sc_end_sums;

/* What a corner adds along an axis. */
typedef struct sc_end_term {
    int degree; /* of the sums; negative: nothing */
    sc_weighed factor;
    bool doubted;
} sc_end_term;

/* That of a corner of a flat face, from its corner `base` to `p`, both from one origin. */
sc_weighed sc_end_area(sc_vec3 base, sc_vec3 p, int axis);

/* Those of a corner, along each axis, but for flat faces. slack: as that of sc_end_sums_tell. The
 * fields tell whether a line is perpendicular to an axis, where doubles do not. */
void sc_end_terms(const sc_crossings *crossings, const sc_field field[SC_LINE_FIELDS],
                  sc_boundary_line *line, const sc_boundary_corner *corner, double slack,
                  sc_end_term of[3]);

/* `times` over, of a corner as far out as that. */
void sc_end_sums_add(sc_end_sums *sums, const sc_end_term *term, int times, double outwards);

/* Whether there is volume to the end, given all corners that are no farther in than by the slack,
 * and that rounding moves none by more than 2^-10 of it; false tells nothing. */
bool sc_end_sums_tell(const sc_end_sums *sums, double end, double slack);

#endif
