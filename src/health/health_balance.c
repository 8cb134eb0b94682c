/* health_balance.c - see health_balance.h. */
#include "health_balance.h"

#include "base/alloc.h"
#include "health_scan.h"

static uint64_t *bin_of(const sc_balance *b, uint64_t hash)
{
    return &b->sum[hash >> (64 - b->bits)];
}

static void add_edges(sc_balance *b, const sc_facet_hashes *hashes)
{
    for (int k = 0; k < 3; k++) {
        bool back;
        const uint64_t hash = sc_edge_hash(hashes, k, &back);
        *bin_of(b, hash) += back ? -hash : hash;
    }
}

bool sc_balance_make(const sc_facets *facets, sc_balance *b)
{
    b->bits = 10;
    while (b->bits < 31 && facets->count >> b->bits > 0) {
        b->bits++;
    }
    b->sum = sc_calloc((size_t)1 << b->bits, sizeof b->sum[0]);
    for (uint32_t i = 0, count; i < facets->count && b->sum; i += count) {
        sc_facet_hashes hashes[SC_HASHED_AT_ONCE];
        count = sc_hash_some(facets, i, hashes);
        for (uint32_t j = 0; j < count; j++) {
            float v[9];
            sc_health_facet(facets, i + j, v);
            if (sc_health_has_area(v)) {
                add_edges(b, &hashes[j]);
            }
        }
    }
    return b->sum != NULL;
}

void sc_balance_free(sc_balance *b)
{
    sc_free(b->sum);
    *b = (sc_balance){.sum = NULL};
}

/* Without a branch: bins come from afar, and those of many facets at a time. */
void sc_balance_choose(const sc_balance *b, const sc_facets *facets, uint32_t first, uint32_t count,
                       uint8_t *chosen)
{
    sc_facet_hashes hashes[SC_HASHED_AT_ONCE];
    sc_octets()->hashes(facets, first, count, hashes);
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = 0;
        for (int k = 0; k < 3; k++) {
            bool back;
            chosen[i] |= (uint8_t)((*bin_of(b, sc_edge_hash(&hashes[i], k, &back)) != 0) << k);
        }
    }
}
