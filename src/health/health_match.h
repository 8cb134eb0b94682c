/* health_match.h - the facets of a mesh as they go by, joined where an edge of one is
 * the same edge of another the other way round. */
#ifndef SC_HEALTH_MATCH_H
#define SC_HEALTH_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc_matcher {
    struct sc_edge_bucket **pieces; /* of the table, each of 1 << piece_bits but the last: so that
                                       they fit where something else was freed */
    unsigned piece_bits;
    uint64_t count;             /* of all buckets, each a line of the cache */
    uint64_t edges, edge_limit; /* seen so far; with more than this not all of them match */
    uint32_t *parent;           /* [facets] the facets as sets that grow together: union_find.h */
    uint32_t joins;             /* of two sets to one */
    bool twisted;               /* some edge is not used once each way: the sets mean nothing */
} sc_matcher;

/* For so many facets, of which no more than `border` edges are used once. False if memory ran out;
 * free in any case. */
bool sc_matcher_init(sc_matcher *matcher, uint32_t facets, uint64_t border);
void sc_matcher_free(sc_matcher *matcher);

enum { SC_MATCH_BATCH = 32 }; /* facets */
enum { SC_BUCKET_BYTES = 64 };

/* A use of an edge: its hash, the same both ways, with the last two bits given to the way. */
enum { SC_USED_FORTH = 1, SC_USED_BACK = 2, SC_USED_BOTH = 3 };

static inline uint64_t sc_edge_use(uint64_t hash, bool back)
{
    return (hash & ~(uint64_t)SC_USED_BOTH) | (unsigned)(SC_USED_FORTH + back);
}

/* Those of some facets, 3 each, and the buckets in which to look for them first. */
typedef struct sc_match_batch {
    uint64_t use[3 * SC_MATCH_BATCH];
    struct sc_edge_bucket *bucket[3 * SC_MATCH_BATCH];
    uint32_t facet[SC_MATCH_BATCH];
    uint32_t count; /* of the facets */
} sc_match_batch;

/* Number of the bucket chosen by a hash. */
static inline uint64_t sc_matcher_bucket(const sc_matcher *matcher, uint64_t hash)
{
    return (hash >> 32) * matcher->count >> 32;
}

static inline struct sc_edge_bucket *sc_matcher_bucket_at(const sc_matcher *matcher, uint64_t at)
{
    char *piece = (char *)matcher->pieces[at >> matcher->piece_bits];
    const uint64_t in_piece = at & ((UINT64_C(1) << matcher->piece_bits) - 1);
    return (struct sc_edge_bucket *)(void *)(piece + in_piece * SC_BUCKET_BYTES);
}

/* The bucket for a hash that goes into a batch, which will be at hand when it is needed; NULL where
 * there is no table. */
static inline struct sc_edge_bucket *sc_matcher_expect(const sc_matcher *matcher, uint64_t hash)
{
    if (!matcher->pieces) {
        return NULL;
    }
    struct sc_edge_bucket *bucket = sc_matcher_bucket_at(matcher, sc_matcher_bucket(matcher, hash));
    __builtin_prefetch(bucket, 1);
    return bucket;
}

/* Joins the facets of the batch to those whose edges theirs answer; nothing where it is twisted. */
void sc_matcher_add(sc_matcher *matcher, const sc_match_batch *batch);

#endif
