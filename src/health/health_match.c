/* health_match.c - see health_match.h. */
#include "health_match.h"

#include "base/alloc.h"
#include "base/union_find.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- the table ------------------------------------------------------------------ */

/* An edge is remembered in a bucket chosen by its hash: by 30 more bits of the hash, how
 * it was used, and by whom. Two edges mistaken for one are used four times, and that is
 * noticed. */
enum { USED_FORTH = 1, USED_BACK = 2, USED_BOTH = 3 };
enum { BUCKET = 8 };

typedef struct sc_edge_bucket { /* a line of the cache */
    uint32_t tag[BUCKET];       /* bits of the hash * 4 + how it was used; 0: free */
    uint32_t facet[BUCKET];
} sc_edge_bucket;

/* Which slots are free, and which have the tag but for its use: bit i for slot i. */
#if defined(__SSE2__)
static unsigned mask_of(__m128i low, __m128i high)
{
    __m128i halves = _mm_packs_epi32(low, high);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(halves, _mm_setzero_si128()));
}

static void look(const sc_edge_bucket *b, uint32_t tag, unsigned *free_slots, unsigned *same)
{
    __m128i low = _mm_load_si128((const __m128i *)(const void *)b->tag);
    __m128i high = _mm_load_si128((const __m128i *)(const void *)(b->tag + 4));
    const __m128i wanted = _mm_set1_epi32((int)tag), bits = _mm_set1_epi32(~3);
    const __m128i none = _mm_setzero_si128();

    *free_slots = mask_of(_mm_cmpeq_epi32(low, none), _mm_cmpeq_epi32(high, none));
    *same = mask_of(_mm_cmpeq_epi32(_mm_and_si128(low, bits), wanted),
                    _mm_cmpeq_epi32(_mm_and_si128(high, bits), wanted)) &
            ~*free_slots;
}
#else
static void look(const sc_edge_bucket *b, uint32_t tag, unsigned *free_slots, unsigned *same)
{
    *free_slots = *same = 0;
    for (int i = 0; i < BUCKET; i++) {
        *free_slots |= (unsigned)(b->tag[i] == 0) << i;
        *same |= (unsigned)(b->tag[i] != 0 && (b->tag[i] & ~UINT32_C(3)) == tag) << i;
    }
}
#endif

static inline uint64_t bucket_of(const sc_matcher *m, uint64_t hash)
{
    return (hash >> 32) * m->count >> 32;
}

/* ---- the matcher ---------------------------------------------------------------- */

bool sc_matcher_init(sc_matcher *m, uint32_t facets)
{
    /* A closed mesh uses each edge twice at least: 3/2 edges a facet, 2 slots. */
    *m = (sc_matcher){.count = (uint64_t)facets / (BUCKET / 2) + 2,
                      .edge_limit = (uint64_t)facets + facets / 2};
    m->buckets = sc_alloc_scattered(m->count, sizeof *m->buckets);
    if (m->buckets) {
        memset(m->buckets, 0, m->count * sizeof *m->buckets);
    }
    m->parent = m->buckets ? sc_union_make(facets) : NULL;
    return m->parent != NULL;
}

void sc_matcher_free(sc_matcher *m)
{
    sc_free(m->buckets);
    sc_free(m->parent);
    *m = (sc_matcher){.twisted = true};
}

/* False where the edge is used a third time, or twice the same way, or where there are
 * too many. */
static bool match(sc_matcher *m, uint64_t hash, uint32_t use, uint32_t facet)
{
    uint32_t tag = (uint32_t)hash << 2;

    for (uint64_t at = bucket_of(m, hash);; at = at + 1 < m->count ? at + 1 : 0) {
        sc_edge_bucket *b = &m->buckets[at];
        unsigned free_slots, same;
        look(b, tag, &free_slots, &same);
        if (same != 0) {
            int i = __builtin_ctz(same);
            bool other_way = ((b->tag[i] & 3) ^ use) == USED_BOTH;
            b->tag[i] |= USED_BOTH;
            m->joins += other_way && sc_union_join(m->parent, b->facet[i], facet);
            return other_way;
        }
        if (free_slots != 0) {
            int i = __builtin_ctz(free_slots);
            b->tag[i] = tag | use;
            b->facet[i] = facet;
            return ++m->edges <= m->edge_limit;
        }
    }
}

void sc_matcher_add(sc_matcher *m, const sc_match_batch *batch)
{
    if (m->twisted) {
        return;
    }
    for (uint32_t i = 0; i < 3 * batch->count && !m->twisted; i++) {
        uint32_t use = batch->reversed[i] ? USED_BACK : USED_FORTH;
        m->twisted = !match(m, batch->hash[i], use, batch->facet[i / 3]);
    }
}
