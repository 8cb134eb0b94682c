/* contact_pairs.h - the pairs of facets that may touch, gone through in stretches. */
#ifndef SC_CONTACT_PAIRS_H
#define SC_CONTACT_PAIRS_H

#include "base/parallel.h"
#include "geom/tri_flush.h"
#include "pair.h"
#include "solids/solid.h"

/* Of pairs of facets that may touch, triangle of solid[0] << 32 | triangle of solid[1]. */
typedef struct sc_contact_request {
    sc_solid *solid[2];
    const uint64_t *hits;   /* [hit_count] that meet, sorted */
    const uint64_t *beside; /* [beside_count] others, sorted */
    size_t hit_count, beside_count;
    sc_flush within; /* facets farther apart than this touch nowhere */
    sc_crew *crew;
} sc_contact_request;

/* A facet of either part, its vertices as they are placed. */
typedef struct sc_contact_pair {
    uint32_t facet[2];
    sc_vec3 v[2][3];
} sc_contact_pair;

/* So many pairs at a time, for any number of threads, for so are sums. */
enum { SC_CONTACT_STRETCH = 1024 };

static inline size_t sc_contact_stretches(size_t pairs)
{
    return (pairs + SC_CONTACT_STRETCH - 1) / SC_CONTACT_STRETCH;
}

/* Of pair i, as in the request. */
static inline uint64_t sc_contact_numbers(const sc_contact_request *r, size_t i)
{
    return i < r->hit_count ? r->hits[i] : r->beside[i - r->hit_count];
}

/* Looks at those of one stretch in turn, while there is time. */
static inline void sc_contact_look(const sc_contact_request *r, size_t number,
                                   void (*look)(void *context, const sc_contact_pair *pair),
                                   void *context)
{
    const size_t all = r->hit_count + r->beside_count, first = number * SC_CONTACT_STRETCH;
    const size_t end = first + SC_CONTACT_STRETCH < all ? first + SC_CONTACT_STRETCH : all;
    enum { AHEAD = 8 }; /* those of A come in order */

    for (size_t i = first; i < end && !sc_watch_ends(r->solid[0]->watch, i); i++) {
        const uint64_t numbers = sc_contact_numbers(r, i);
        sc_solid_expect(r->solid[1],
                        sc_pair_facet(sc_contact_numbers(r, i + AHEAD < end ? i + AHEAD : i), 1));
        sc_contact_pair pair = {.facet = {sc_pair_facet(numbers, 0), sc_pair_facet(numbers, 1)}};
        sc_solid_facet(r->solid[0], pair.facet[0], pair.v[0]);
        sc_solid_facet(r->solid[1], pair.facet[1], pair.v[1]);
        look(context, &pair);
    }
}

#endif
