/* narrow.h - pairs of leaves with candidate triangles -> hits and the least distance.
 *
 * One narrow phase belongs to one thread; sc_narrow_join puts two together. What
 * comes out depends neither on the order of the pairs nor on who looked at them:
 * hits are a set, and of equal distances the lowest triangle numbers win. */
#ifndef SC_NARROW_H
#define SC_NARROW_H

#include "geom/tri_distance.h"
#include "pair_list.h"
#include "prepared.h"

typedef struct sc_narrow {
    sc_leaves leaves;
    bool stop_at_crossing; /* the first proper crossing settles everything */
    bool stop_at_touch;    /* so does the first hit of any kind: none can be a crossing */
    double flush_within;   /* pairs that are flush but for this count too; 0: none do */

    sc_pair_list hits;  /* that meet */
    sc_pair_list flush; /* that do not, but are flush within `flush_within` */
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
} sc_narrow;

/* The settings come from the fields up to `flush_within`; the others are 0. */
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

/* Adds what `other` found to `narrow`, which takes its lists. False if memory ran out. */
bool sc_narrow_join(sc_narrow *narrow, sc_narrow *other);

#endif
