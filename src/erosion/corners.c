/* corners.c - see corners.h. */
#include "corners.h"

#include "base/alloc.h"
#include "health/health_scan.h"

/* Vertices by their hash: open addressing, each slot one more than a number. It grows with them:
 * of most parts there are half as many as facets. */
typedef struct table {
    uint32_t *slot;
    uint64_t *hash; /* of each vertex */
    size_t slots;   /* a power of two, twice as many as there is room for vertices */
} table;

static void put(table *t, uint32_t number)
{
    size_t at = t->hash[number] & (t->slots - 1);
    while (t->slot[at] != 0) {
        at = (at + 1) & (t->slots - 1);
    }
    t->slot[at] = number + 1;
}

static bool make_room(table *t, uint32_t vertices)
{
    enum { FEWEST = 64 };
    const size_t slots = t->slots > 0 ? 2 * t->slots : FEWEST;
    if (2 * (size_t)vertices < t->slots) {
        return true;
    }
    sc_free(t->slot);
    t->slot = sc_calloc(slots, sizeof t->slot[0]);
    uint64_t *hash = t->slot ? sc_realloc(t->hash, slots / 2, sizeof *hash) : NULL;
    if (!hash) {
        return false;
    }
    t->hash = hash;
    t->slots = slots;
    for (uint32_t i = 0; i < vertices; i++) {
        put(t, i);
    }
    return true;
}

/* False if memory ran out. */
static bool find_number(table *t, uint64_t hash, uint32_t *vertices, uint32_t *number)
{
    if (!make_room(t, *vertices)) {
        return false;
    }
    size_t at = hash & (t->slots - 1);
    while (t->slot[at] != 0 && t->hash[t->slot[at] - 1] != hash) {
        at = (at + 1) & (t->slots - 1);
    }
    if (t->slot[at] == 0) {
        t->hash[*vertices] = hash;
        t->slot[at] = ++*vertices;
    }
    *number = t->slot[at] - 1;
    return true;
}

enum { AT_ONCE = 16 }; /* facets */

/* Of the corners of facets from one on, which the table will be asked for next; how many facets. */
static uint32_t hash_some(const sc_facets *facets, uint32_t first, const table *t, uint64_t *hash)
{
    uint32_t count = 0;
    for (; count < AT_ONCE && first + count < facets->count; count++) {
        float v[9];
        sc_health_facet(facets, first + count, v);
        for (size_t k = 0; k < 3; k++) {
            const uint64_t h = sc_corner_hash(0, v + 3 * k);
            hash[3 * (size_t)count + k] = h;
            if (t->slots > 0) {
                __builtin_prefetch(&t->slot[h & (t->slots - 1)], 1);
            }
        }
    }
    return count;
}

bool sc_corners_number(const sc_facets *facets, sc_corners *corners)
{
    table t = {.slots = 0};
    *corners = (sc_corners){.vertex = sc_alloc(facets->count, 3 * sizeof corners->vertex[0])};
    bool good = corners->vertex != NULL;
    for (uint32_t i = 0, count; i < facets->count && good; i += count) {
        uint64_t hash[3 * AT_ONCE];
        count = hash_some(facets, i, &t, hash);
        for (size_t k = 0; k < 3 * (size_t)count && good; k++) {
            good =
                find_number(&t, hash[k], &corners->vertices, &corners->vertex[3 * (size_t)i + k]);
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
