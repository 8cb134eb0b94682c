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
enum { BUCKET = 8 };

typedef struct sc_edge_bucket { /* a line of the cache */
    uint32_t tag[BUCKET];       /* bits of the hash * 4 + how it was used; 0: free */
    uint32_t facet[BUCKET];
} sc_edge_bucket;
_Static_assert(sizeof(sc_edge_bucket) == SC_BUCKET_BYTES, "a line of the cache");

/* Which slots hold a tag, and which hold it but for bits of `any`: bit i for slot i. */
#if defined(__SSE2__)
static inline unsigned equal(__m128i low, __m128i high, __m128i value)
{
    const __m128i same = _mm_packs_epi32(_mm_cmpeq_epi32(low, value), _mm_cmpeq_epi32(high, value));
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(same, same)) & 0xff;
}

static inline __m128i tags_of(const sc_edge_bucket *b, int half)
{
    return _mm_load_si128((const __m128i *)(const void *)(b->tag + half * BUCKET / 2));
}

static inline unsigned look_for(const sc_edge_bucket *b, uint32_t tag)
{
    return equal(tags_of(b, 0), tags_of(b, 1), _mm_set1_epi32((int)tag));
}

static inline unsigned look_for_any(const sc_edge_bucket *b, uint32_t tag, uint32_t any)
{
    const __m128i bits = _mm_set1_epi32((int)any);
    return equal(_mm_or_si128(tags_of(b, 0), bits), _mm_or_si128(tags_of(b, 1), bits),
                 _mm_set1_epi32((int)(tag | any)));
}
#else
static inline unsigned look_for_any(const sc_edge_bucket *b, uint32_t tag, uint32_t any)
{
    unsigned slots = 0;
    for (int i = 0; i < BUCKET; i++) {
        slots |= (unsigned)((b->tag[i] | any) == (tag | any)) << i;
    }
    return slots;
}

static inline unsigned look_for(const sc_edge_bucket *b, uint32_t tag)
{
    return look_for_any(b, tag, 0);
}
#endif

/* The one so many behind that chosen by the hash. */
static sc_edge_bucket *bucket_behind(const sc_matcher *m, uint64_t hash, uint64_t steps)
{
    return sc_matcher_bucket_at(m, (sc_matcher_bucket(m, hash) + steps) % m->count);
}

/* Few pieces where the table is large, so that each is of large pages. */
static unsigned piece_bits_for(uint64_t count)
{
    enum { LEAST_BITS = 14, MOST_PIECES = 16 };
    unsigned bits = LEAST_BITS;
    while (count >> bits >= MOST_PIECES) {
        bits++;
    }
    return bits;
}

static inline uint64_t pieces_of(const sc_matcher *m)
{
    return ((m->count - 1) >> m->piece_bits) + 1;
}

/* All free. False if memory ran out. */
static bool make_table(sc_matcher *m)
{
    m->pieces = sc_calloc(pieces_of(m), sizeof m->pieces[0]);
    for (uint64_t i = 0; m->pieces && i < pieces_of(m); i++) {
        const uint64_t whole = UINT64_C(1) << m->piece_bits, left = m->count - i * whole,
                       size = left < whole ? left : whole;
        m->pieces[i] = sc_alloc_scattered(size, sizeof *m->pieces[i]);
        if (!m->pieces[i]) {
            return false;
        }
        memset(m->pieces[i], 0, size * sizeof *m->pieces[i]);
    }
    return m->pieces != NULL;
}

static void free_table(sc_matcher *m)
{
    for (uint64_t i = 0; m->pieces && i < pieces_of(m); i++) {
        sc_free(m->pieces[i]);
    }
    sc_free(m->pieces);
}

/* ---- the matcher ---------------------------------------------------------------- */

bool sc_matcher_init(sc_matcher *m, uint32_t facets, uint64_t border)
{
    enum { EDGES = 6 }; /* of the slots of a bucket, on the average: others look on in the next */
    const uint64_t edges = (3 * (uint64_t)facets + border) / 2;
    *m = (sc_matcher){.count = edges / EDGES + 2, .edge_limit = edges};
    m->piece_bits = piece_bits_for(m->count);
    m->parent = sc_union_make(facets); /* first: it is the largest */
    return m->parent && make_table(m);
}

void sc_matcher_free(sc_matcher *m)
{
    free_table(m);
    sc_free(m->parent);
    *m = (sc_matcher){.twisted = true};
}

/* False where the edge is used a third time, or twice the same way, or where there are
 * too many. Half of the uses are of an edge that was used once, the other way. */
static inline bool match(sc_matcher *m, uint64_t use, sc_edge_bucket *b, uint32_t facet)
{
    const uint32_t tag = (uint32_t)use;

    for (uint64_t steps = 1;; b = bucket_behind(m, use, steps++)) {
        const unsigned other_way = look_for(b, tag ^ SC_USED_BOTH);
        if (other_way != 0) {
            const int i = __builtin_ctz(other_way);
            b->tag[i] |= SC_USED_BOTH;
            m->joins += sc_union_join(m->parent, b->facet[i], facet);
            return true;
        }
        const unsigned free_slots = look_for(b, 0);
        if ((look_for_any(b, tag, SC_USED_BOTH) & ~free_slots) != 0) {
            return false;
        }
        if (free_slots != 0) {
            const int i = __builtin_ctz(free_slots);
            b->tag[i] = tag;
            b->facet[i] = facet;
            return ++m->edges <= m->edge_limit;
        }
    }
}

void sc_matcher_add(sc_matcher *matcher, const sc_match_batch *batch)
{
    sc_matcher m = *matcher; /* in registers */

    for (uint32_t i = 0; i < batch->count && !m.twisted; i++) {
        const uint64_t *use = &batch->use[3 * i];
        sc_edge_bucket *const *bucket = &batch->bucket[3 * i];
        const uint32_t facet = batch->facet[i];
        m.twisted = !match(&m, use[0], bucket[0], facet) || !match(&m, use[1], bucket[1], facet) ||
                    !match(&m, use[2], bucket[2], facet);
    }
    *matcher = m;
}
