/* narrow.h - pairs of leaves with candidate triangles -> hits and the least distance.
 *
 * One narrow phase belongs to one thread; sc_narrow_join puts two together. What
 * comes out depends neither on the order of the pairs nor on who looked at them:
 * hits are a set, and of equal distances the lowest triangle numbers win. */
#ifndef SC_NARROW_H
#define SC_NARROW_H

#include "geom/tri_distance.h"
#include "traverse.h"

/* The part of narrow.c that keeps what was made of the leaves in use. */
typedef struct sc_leaf_cache sc_leaf_cache;

/* Pairs of triangles, a << 32 | b, in any order. */
typedef struct sc_pair_list {
    uint64_t *pairs; /* [count] */
    size_t count, capacity;
} sc_pair_list;

typedef struct sc_narrow {
    const sc_frame *frame;
    const sc_facets *facets[2];
    const sc_placement *placement[2];
    bool stop_at_crossing; /* the first proper crossing settles everything */
    bool stop_at_touch;    /* so does the first hit of any kind: none can be a crossing */
    double flush_within;   /* pairs that are flush but for this count too; 0: none do */
    size_t lists;          /* nothing is looked for but all pairs within the bound, which stays: it
                              stops when there are more than these; 0: a search */

    sc_pair_list hits;   /* that meet */
    sc_pair_list flush;  /* that do not, but are flush within `flush_within` */
    sc_pair_list within; /* that `lists` is about, those that meet, too */
    uint64_t crossing_count;

    double distance_sq; /* of the nearest pair so far; infinite: none */
    double order_sq;    /* that, or its gap along the way of ties where that is as much but for
                           rounding: what counts against other pairs */
    uint32_t nearest_a, nearest_b;
    sc_closest nearest;
    sc_vec3 way; /* along which the last pair lies apart, of any length: those beside it mostly do,
                    too */

    uint64_t pair_count;  /* pairs looked at one by one */
    uint64_t exact_calls; /* signs that the floating-point filter left open */
    bool out_of_memory;
    sc_leaf_cache *cache[2];
    const sc_octets_isa *octets;
    float vertex_error; /* of both parts, in the frame */
} sc_narrow;

/* The settings come from the fields up to `lists`; the others are 0. */
void sc_narrow_init(sc_narrow *narrow);
void sc_narrow_free(sc_narrow *narrow);

/* Forgets leaves, whose trees may be freed then, and hits. */
void sc_narrow_restart(sc_narrow *narrow);

/* The same, but the last hit stays: the one at which it stopped. */
void sc_narrow_settle(sc_narrow *narrow);

/* The callback of sc_traverse; `worker` is a sc_narrow. */
double sc_narrow_leaves(void *worker, const sc_leaf_pair *pair, float limit, double bound);

/* The bound that a search keeps: so that no pair is missed that is flush. */
double sc_narrow_least_bound(const sc_narrow *narrow);

/* Looks at one pair by its triangle numbers, for a first bound. */
void sc_narrow_probe(sc_narrow *narrow, uint32_t a, uint32_t b);

/* Sorts them. False if memory ran out; where time did, they are in no order. */
bool sc_pairs_sort(sc_pair_list *list, sc_watch *watch);

/* Adds what `other` found to `narrow`. False if memory ran out. */
bool sc_narrow_join(sc_narrow *narrow, const sc_narrow *other);

#endif
