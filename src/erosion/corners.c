/* corners.c - see corners.h. */
#include "corners.h"

#include "base/alloc.h"
#include "health/health_scan.h"

/* Vertices by their hash: open addressing, each slot one more than a number. */
typedef struct table {
    uint32_t *slot;
    uint64_t *hash; /* of each vertex */
    size_t mask;
} table;

static uint32_t number_of(table *t, uint64_t hash, uint32_t *vertices)
{
    size_t at = hash & t->mask;
    while (t->slot[at] != 0 && t->hash[t->slot[at] - 1] != hash) {
        at = (at + 1) & t->mask;
    }
    if (t->slot[at] == 0) {
        t->hash[*vertices] = hash;
        t->slot[at] = ++*vertices;
    }
    return t->slot[at] - 1;
}

bool sc_corners_number(const sc_facets *facets, sc_corners *corners)
{
    const size_t count = 3 * (size_t)facets->count;
    size_t slots = 4;
    while (slots < 2 * count) {
        slots *= 2;
    }
    table t = {.mask = slots - 1};
    *corners = (sc_corners){.vertex = sc_alloc(count, sizeof corners->vertex[0])};
    t.slot = sc_calloc(slots, sizeof t.slot[0]);
    t.hash = sc_alloc(count, sizeof t.hash[0]);
    const bool good = corners->vertex && t.slot && t.hash;
    for (uint32_t i = 0; i < facets->count && good; i++) {
        float v[9];
        sc_health_facet(facets, i, v);
        for (size_t k = 0; k < 3; k++) {
            corners->vertex[3 * (size_t)i + k] =
                number_of(&t, sc_corner_hash(0, v + 3 * k), &corners->vertices);
        }
    }
    sc_free(t.slot);
    sc_free(t.hash);
    return good;
}

void sc_corners_free(sc_corners *corners)
{
    sc_free(corners->vertex);
    *corners = (sc_corners){.vertex = NULL};
}
