/* overlap_sums.h - the sums over the boundary of an overlap that give its volume and what
 * goes with it; overlap.c tells why these. */
#ifndef SC_OVERLAP_SUMS_H
#define SC_OVERLAP_SUMS_H

#include "overlap_pieces.h"
#include "patch_sums.h"

enum { SC_CORNERS_RUN = 64 };

typedef struct sc_sums {
    sc_account all;
    sc_sum moment[3];  /* 24 * volume * centroid */
    sc_sum area[3];    /* twice the area vector of A's surface */
    double area_terms; /* the magnitudes of what it was summed from */
    sc_account *of;    /* [pieces->count] */
    sc_box *runs[2];   /* of a part's patch_facets those from number SC_SUMS_RUN * i on */
    /* What bounds the overlap ends in these, of a part's facets and of segments from number
     * SC_CORNERS_RUN * i on. */
    sc_box *facets[2], *segments;
} sc_sums;

/* The same for any number of threads. False if memory ran out, or time; free in any
 * case. */
bool sc_sums_make(const sc_crossings *crossings, const sc_pieces *pieces, sc_crew *crew,
                  sc_sums *sums);
void sc_sums_free(sc_sums *sums);

#endif
