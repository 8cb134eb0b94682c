/* fans.h - facets about one vertex that hang together by edges: where a part touches itself, more
 * than one fan meets there.
 *
 * Of more than two facets that meet at an edge two by two hang together, with the inside of the
 * part between them. So a surface that is closed stays closed if each fan goes its own way. */
#ifndef SC_FANS_H
#define SC_FANS_H

#include "base/watch.h"
#include "geom/vec3.h"

#include <stdint.h>

/* Facets of a closed surface whose edges match. */
typedef struct sc_fan_facets {
    uint32_t count;         /* below 2^32 / 3 */
    const uint32_t *vertex; /* [3 * count] of corner k of facet i, at 3 i + k */
    const sc_vec3 *place;   /* [vertices] */
    uint32_t vertices;
    const int8_t *turned; /* [count] 1, or -1: read the other way round */
} sc_fan_facets;

/* fan[3 * count]: of each corner, numbered from 0 on; *fans of them. False if memory or time ran
 * out. */
bool sc_fans_find(const sc_fan_facets *facets, sc_watch *watch, uint32_t *fan, uint32_t *fans);

#endif
