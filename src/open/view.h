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
    /* Without those near, as told at the centre: */
    sc_vec3 centre, gradient;
    double winding; /* up to an integer, those near included */
    double error;   /* of that, anywhere in the ball */
} sc_view;

/* The whole border, from anywhere. */
sc_view sc_view_of(const sc_rim *rim);

/* As sc_rim_look_at; the gradient of what is linear is told apart from what the rest is about:
 * their sum is that about p, and `nearest` and `bend` are those of the rest. */
void sc_view_look_at(const sc_view *view, sc_vec3 p, sc_rim_look *look);

/* How it is seen from within a ball about p that lies in that of the view: *narrowed is false
 * where that leaves out too few edges to be worth it, with an error of no more than `most`. False
 * if memory ran out. To be freed if it was narrowed. */
bool sc_view_narrow(const sc_view *view, const sc_rim_look *at_p, sc_vec3 p, double radius,
                    double most, sc_view *made, bool *narrowed);
void sc_view_free(sc_view *view);

#endif
