/* sheet.h - whether all that two parts have in common lies along their surfaces: they touch, but
 * for rounding, however they hold each other. */
#ifndef SC_SHEET_H
#define SC_SHEET_H

#include "depth.h"

/* Why there is no proof. */
typedef struct sc_sheet_rest {
    sc_vec3 place; /* may lie deeper than the limit; not a number if there is none to try */
    bool spent;    /* it took too long, or gave up */
} sc_sheet_rest;

/* Two closed parts with their facets the right way round. */
typedef struct sc_sheet_request {
    sc_solid *solid[2];
    double limit;                   /* positive */
    const sc_depth_request *region; /* only the common points count that a search is asked to
                                       look at, of one region; NULL: all */
    struct sc_sheet_rest *rest;     /* NULL, or of what kept it from being a proof */
    sc_poll poll;
} sc_sheet_request;

/* *shallow: no common point lies deeper than the limit; what lies less deep than that by half a
 * hundredth or so is told to be. False proves nothing. The function is false if memory ran out. */
bool sc_sheet_overlap(const sc_sheet_request *request, bool *shallow);

#endif
