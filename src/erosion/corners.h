/* corners.h - which corners of a part's facets are the same vertex. */
#ifndef SC_CORNERS_H
#define SC_CORNERS_H

#include "base/hash.h"
#include "facets.h"

#include <stdbool.h>
#include <string.h>

typedef struct sc_corners {
    uint32_t *vertex;  /* [3 * facets] corner k of facet i, at 3 i + k: numbers from 0 on, in the
                          order in which they come first */
    uint32_t vertices; /* how many there are */
} sc_corners;

/* Of a place without -0, and what was hashed before. */
static inline uint64_t sc_corner_hash(uint64_t hash, const float v[3])
{
    for (int k = 0; k < 3; k++) {
        uint32_t word;
        memcpy(&word, &v[k], sizeof word);
        hash = sc_hash_words(hash, word);
    }
    return hash;
}

/* Of at most 2^32 / 3 facets. Stored places that are equal are one vertex; so may be others, by a
 * chance of 2^-64. False if memory ran out; free in any case. */
bool sc_corners_number(const sc_facets *facets, sc_corners *corners);
void sc_corners_free(sc_corners *corners);

#endif
