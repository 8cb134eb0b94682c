/* overlap_sums.h - the sums over the boundary of an overlap that give its volume and what
 * goes with it; overlap.c tells why these. */
#ifndef SC_OVERLAP_SUMS_H
#define SC_OVERLAP_SUMS_H

#include "overlap_pieces.h"

/* A sum that loses nothing in the order of its terms (Neumaier 1974), and what bounds
 * the rounding of the terms themselves: the products that they were made of. */
typedef struct sc_sum {
    double value, lost, magnitude;
} sc_sum;

static inline double sc_sum_total(const sc_sum *s)
{
    return s->value + s->lost;
}

/* What is summed for one piece, and for all of them together. */
typedef struct sc_account {
    sc_sum volume6;
    sc_box bounds;
} sc_account;

/* Facets of patches in a row of which the box is kept. */
enum { SC_SUMS_RUN = 512 };

typedef struct sc_sums {
    sc_account all;
    sc_sum moment[3];  /* 24 * volume * centroid */
    sc_sum area[3];    /* twice the area vector of A's surface */
    double area_terms; /* the magnitudes of what it was summed from */
    sc_account *of;    /* [pieces->count] */
    sc_box *runs[2];   /* of a part's patch_facets those from number SC_SUMS_RUN * i on */
} sc_sums;

/* The same for any number of threads. False if memory ran out, or time; free in any
 * case. */
bool sc_sums_make(const sc_crossings *crossings, const sc_pieces *pieces, sc_crew *crew,
                  sc_sums *sums);
void sc_sums_free(sc_sums *sums);

#endif
