/* view.h - the border of a part as it is seen from within a ball: the edges near that one by one,
 * all others by a linear function. */
#ifndef SC_VIEW_H
#define SC_VIEW_H

#include "rim.h"

#include <stdint.h>

typedef struct sc_view {
    const sc_rim *rim;
    const struct sc_view *wider; /* of which this one was made, or NULL */
    uint32_t *near;              /* [count] edges; NULL: all are */
    size_t count;
    sc_vec3 centre;   /* of the ball */
    double winding;   /* there, up to an integer: of all edges */
    sc_vec3 gradient; /* of those that are not near */
    double error;     /* of what these two tell of those, anywhere in the ball */
} sc_view;

/* The whole border, from anywhere. */
sc_view sc_view_of(const sc_rim *rim);

/* As sc_rim_look_at, from within the ball; `nearest` and `bend` are those of the edges near, for
 * what the others are off is in the error. */
void sc_view_look_at(const sc_view *view, sc_vec3 p, sc_rim_look *look);

/* The same for a smaller ball, about p, that lies in that of the view; *narrowed is false where an
 * error that grows by no more than `most` leaves out too few edges to be worth it. False if memory
 * ran out. To be freed if it was narrowed. */
bool sc_view_narrow(const sc_view *view, const sc_rim_look *at_p, sc_vec3 p, double radius,
                    double most, sc_view *made, bool *narrowed);
void sc_view_free(sc_view *view);

#endif
