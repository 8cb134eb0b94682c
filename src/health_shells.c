/* health_shells.c - see health_shells.h. */
#include "health_shells.h"

#include "base/alloc.h"
#include "health_union.h"
#include "health_volume.h"

#include <stdlib.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- what is known of each shell ------------------------------------------------ */

/* Roots become numbers, in the order of first facets: a parent is smaller than its
 * child and so has its number already. */
static uint32_t number_sets(uint32_t *of, uint32_t facets)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facets; i++) {
        if (of[i] != SC_NO_INDEX) {
            of[i] = of[i] == i ? count++ : of[of[i]];
        }
    }
    return count;
}

/* The signs that rounding left open (sign is 2): one look at all facets for them all. */
static bool settle_signs(const sc_facets *facets, sc_health_shells *shells)
{
    uint32_t open = 0;
    uint32_t *place = sc_alloc(shells->count, sizeof place[0]);
    for (uint32_t s = 0; s < shells->count && place; s++) {
        place[s] = shells->shell[s].sign == 2 ? open++ : SC_NO_INDEX;
    }
    sc_volume_exact *sum = place ? sc_calloc(open, sizeof sum[0]) : NULL;
    for (uint32_t i = 0; i < facets->count && sum && open > 0; i++) {
        if (shells->of[i] != SC_NO_INDEX && place[shells->of[i]] != SC_NO_INDEX) {
            float xyz[9];
            sc_health_facet(facets, i, xyz);
            sc_volume_exact_add(&sum[place[shells->of[i]]], xyz);
        }
    }
    for (uint32_t s = 0; s < shells->count && sum; s++) {
        if (place[s] != SC_NO_INDEX) {
            shells->shell[s].sign = sc_volume_exact_sign(&sum[place[s]]);
        }
    }
    bool ok = sum != NULL;
    sc_free(sum);
    sc_free(place);
    return ok;
}

static bool measure(const sc_facets *facets, sc_health_shells *shells)
{
    sc_volume_sum *sum = sc_calloc(shells->count, sizeof sum[0]);
    double(*origin)[3] = sc_alloc(shells->count, sizeof origin[0]);
    shells->shell = sc_calloc(shells->count, sizeof shells->shell[0]);
    bool ok = sum && origin && shells->shell;

    for (uint32_t i = 0; i < facets->count && ok; i++) {
        uint32_t s = shells->of[i];
        sc_health_shell *shell = s != SC_NO_INDEX ? &shells->shell[s] : NULL;
        float xyz[9];
        if (!shell) {
            continue;
        }
        sc_health_facet(facets, i, xyz);
        if (shell->facets++ == 0) {
            shell->first = i;
            shell->flip = 1;
            shell->box = sc_box_empty();
            for (int k = 0; k < 3; k++) {
                origin[s][k] = (double)xyz[k];
            }
        }
        for (int k = 0; k < 3; k++) {
            sc_box_add_point(&shell->box, sc_health_vertex(xyz + 3 * k));
        }
        sc_volume_add(&sum[s], xyz, origin[s]);
    }
    bool open = false;
    for (uint32_t s = 0; s < shells->count && ok; s++) {
        sc_health_shell *shell = &shells->shell[s];
        double reach = 0;
        for (int k = 0; k < 3; k++) {
            reach = fmax(reach, shell->box.high[k] - shell->box.low[k]);
        }
        shell->volume = (sum[s].sum + sum[s].error) / 6;
        shell->sign = sc_volume_sign(&sum[s], shell->facets, reach);
        open = open || shell->sign == 2;
    }
    sc_free(sum);
    sc_free(origin);
    return ok && (!open || settle_signs(facets, shells));
}

void sc_shells_free(sc_health_shells *shells)
{
    sc_free(shells->of);
    sc_free(shells->shell);
    *shells = (sc_health_shells){.count = 0};
}

/* ---- by hashes of edges --------------------------------------------------------- */

/* An edge is remembered in a bucket chosen by its hash: by 30 more bits of the hash, how
 * it was used, and by whom. Two edges mistaken for one are used four times, and that is
 * noticed. */
enum { USED_FORTH = 1, USED_BACK = 2, USED_BOTH = 3 };
enum { BUCKET = 8, BATCH = 32 };

typedef struct bucket {   /* a cache line */
    uint32_t tag[BUCKET]; /* bits of the hash * 4 + how it was used; 0: free */
    uint32_t facet[BUCKET];
} bucket;

typedef struct matcher {
    bucket *buckets; /* [count] */
    uint64_t count;
    uint32_t *parent;
    uint32_t joins;
} matcher;

/* Which slots are free, and which have the tag but for its use: bit i for slot i. */
#if defined(__SSE2__)
static unsigned mask_of(__m128i low, __m128i high)
{
    __m128i halves = _mm_packs_epi32(low, high);
    return (unsigned)_mm_movemask_epi8(_mm_packs_epi16(halves, _mm_setzero_si128()));
}

static void look(const bucket *b, uint32_t tag, unsigned *free_slots, unsigned *same)
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
static void look(const bucket *b, uint32_t tag, unsigned *free_slots, unsigned *same)
{
    *free_slots = *same = 0;
    for (int i = 0; i < BUCKET; i++) {
        *free_slots |= (unsigned)(b->tag[i] == 0) << i;
        *same |= (unsigned)(b->tag[i] != 0 && (b->tag[i] & ~UINT32_C(3)) == tag) << i;
    }
}
#endif

static uint64_t bucket_of(const matcher *m, uint64_t hash)
{
    return (uint64_t)((sc_u128)hash * m->count >> 64);
}

/* False where the edge is used a third time, or twice the same way. */
static bool match(matcher *m, uint64_t hash, uint32_t use, uint32_t facet)
{
    uint32_t tag = (uint32_t)hash << 2;

    for (uint64_t at = bucket_of(m, hash);; at = at + 1 < m->count ? at + 1 : 0) {
        bucket *b = &m->buckets[at];
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
            return true;
        }
    }
}

/* Facets first .. first + count - 1: the slots of all are fetched before any is used. */
static bool match_batch(matcher *m, const sc_facets *facets, uint32_t first, uint32_t count,
                        bool all_have_area)
{
    uint64_t hash[3 * BATCH];
    uint32_t use[3 * BATCH];

    for (uint32_t i = 0; i < count; i++) {
        uint64_t vertex[3], other;
        sc_hash_vertices(sc_health_bytes(facets, first + i), vertex);
        for (uint32_t k = 0; k < 3; k++) {
            uint64_t u = vertex[k], v = vertex[k == 2 ? 0 : k + 1];
            uint64_t reversed = sc_hash_reversed(u, v);
            hash[3 * i + k] = sc_hash_edge(u, v, reversed, &other);
            use[3 * i + k] = reversed ? USED_BACK : USED_FORTH;
            __builtin_prefetch(&m->buckets[bucket_of(m, hash[3 * i + k])], 1);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!all_have_area) {
            float xyz[9];
            sc_health_facet(facets, first + i, xyz);
            if (!sc_health_has_area(xyz)) {
                m->parent[first + i] = SC_NO_INDEX;
                continue;
            }
        }
        for (uint32_t k = 0; k < 3; k++) {
            if (!match(m, hash[3 * i + k], use[3 * i + k], first + i)) {
                return false;
            }
        }
    }
    return true;
}

sc_shells_code sc_shells_scan(const sc_facets *facets, uint32_t with_area, sc_health_shells *shells)
{
    /* A closed mesh uses each edge twice at least: 3/2 edges a facet, 2 slots. */
    matcher m = {.count = (uint64_t)facets->count / (BUCKET / 2) + 2};
    void *memory = sc_calloc(m.count + 1, sizeof(bucket));
    sc_shells_code code = SC_SHELLS_MEMORY;

    *shells = (sc_health_shells){.count = 0};
    m.parent = memory ? sc_union_make(facets->count) : NULL;
    if (m.parent) {
        uintptr_t lines = ((uintptr_t)memory + sizeof(bucket) - 1) / sizeof(bucket);
        m.buckets = (bucket *)(lines * sizeof(bucket));
        code = SC_SHELLS_FOUND;
    }
    for (uint32_t i = 0, n; i < facets->count && code == SC_SHELLS_FOUND; i += n) {
        n = facets->count - i < BATCH ? facets->count - i : BATCH;
        if (!match_batch(&m, facets, i, n, with_area == facets->count)) {
            code = SC_SHELLS_TWISTED;
        }
    }
    sc_free(memory);
    if (code == SC_SHELLS_FOUND && with_area - m.joins == 1) {
        code = SC_SHELLS_ONE;
    }
    if (code != SC_SHELLS_FOUND) {
        sc_free(m.parent);
        return code;
    }
    shells->of = m.parent;
    shells->count = number_sets(shells->of, facets->count);
    if (!measure(facets, shells)) {
        sc_shells_free(shells);
        return SC_SHELLS_MEMORY;
    }
    return SC_SHELLS_FOUND;
}

/* ---- by edges ------------------------------------------------------------------- */

/* A set of facets, and its net use of an edge. */
typedef struct share {
    uint32_t root;
    int32_t net;
} share;

static int by_root(const void *a, const void *b)
{
    const share *s = a, *t = b;
    return (s->root > t->root) - (s->root < t->root);
}

/* A place where facets meet: an edge, or a piece of a line with the edges along it. */
typedef struct place {
    const sc_member *member;
    size_t members;
    bool whole; /* not to be told apart: all its facets belong together */
} place;

/* The sets that are not balanced in the place by themselves, to the front; how many
 * there are. */
static size_t unbalanced_shares(const sc_edges *edges, const place *p, uint32_t *parent,
                                share *shares)
{
    size_t uses = 0, count = 0;
    for (size_t i = 0; i < p->members; i++) {
        const sc_edge *edge = &edges->edge[p->member[i].edge];
        for (uint32_t use = edge->last; use != SC_NO_INDEX; use = edges->next[use]) {
            int net = p->whole ? 1 : p->member[i].way * sc_edge_use_sign(edges, edge, use);
            shares[uses++] = (share){sc_union_root(parent, use / 3), net};
        }
    }
    if (uses > 1) {
        qsort(shares, uses, sizeof shares[0], by_root);
    }
    for (size_t i = 0; i < uses;) {
        share sum = {shares[i].root, 0};
        for (; i < uses && shares[i].root == sum.root; i++) {
            sum.net += shares[i].net;
        }
        if (sum.net != 0) {
            shares[count++] = sum;
        }
    }
    return count;
}

static void join_shares(uint32_t *parent, const share *shares, size_t count)
{
    for (size_t k = 1; k < count; k++) {
        sc_union_join(parent, shares[0].root, shares[k].root);
    }
}

/* Joins sets until each is balanced in every place. Where two sets only are not they
 * belong together; that settles most of the other places. What it leaves is joined one
 * place after the other. */
static void join_places(const sc_edges *edges, place *places, size_t count, uint32_t *parent,
                        share *shares)
{
    bool by_force = false;

    for (int round = 1; count > 0; round++) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            size_t n = unbalanced_shares(edges, &places[i], parent, shares);
            if (n == 2 || places[i].whole || by_force) {
                join_shares(parent, shares, n);
            } else if (n > 2) {
                places[left++] = places[i];
            }
        }
        by_force = left == count || round == 16;
        count = left;
    }
}

/* The places with more than two facets, or more than one edge. */
static bool join_crowded(const sc_edges *edges, const sc_lines *lines, uint32_t *parent)
{
    size_t count = 0, most = 0, crowded = 0;
    for (uint32_t e = 0; e < edges->count; e++) {
        crowded += edges->edge[e].net == 0 && edges->edge[e].uses > 2;
        most = edges->edge[e].uses > most ? edges->edge[e].uses : most;
    }
    for (size_t i = 0; i < lines->pieces; i++) {
        size_t uses = 0;
        for (size_t k = lines->piece[i].first; k < lines->piece[i + 1].first; k++) {
            uses += edges->edge[lines->member[k].edge].uses;
        }
        most = uses > most ? uses : most;
    }
    place *places = sc_alloc(crowded + lines->pieces, sizeof places[0]);
    sc_member *single = sc_alloc(crowded, sizeof single[0]);
    share *shares = sc_alloc(most, sizeof shares[0]);
    bool ok = places && single && shares;

    for (uint32_t e = 0; e < edges->count && ok; e++) {
        if (edges->edge[e].net == 0 && edges->edge[e].uses > 2) {
            single[count] = (sc_member){e, 1};
            places[count] = (place){&single[count], 1, false};
            count++;
        }
    }
    for (size_t i = 0; i < lines->pieces && ok; i++) {
        const sc_piece *piece = &lines->piece[i];
        places[count++] =
            (place){lines->member + piece->first, piece[1].first - piece->first, piece->whole};
    }
    if (ok) {
        join_places(edges, places, count, parent, shares);
    }
    sc_free(places);
    sc_free(single);
    sc_free(shares);
    return ok;
}

bool sc_shells_find(const sc_facets *facets, const sc_edges *edges, const sc_lines *lines,
                    sc_health_shells *shells)
{
    uint32_t *parent = sc_union_make(facets->count);

    *shells = (sc_health_shells){.of = parent};
    if (!parent) {
        return false;
    }
    for (uint32_t e = 0; e < edges->count; e++) {
        const sc_edge *edge = &edges->edge[e];
        if (edge->net == 0 && edge->uses == 2) {
            sc_union_join(parent, edge->last / 3, edges->next[edge->last] / 3);
        }
    }
    if (!join_crowded(edges, lines, parent)) {
        sc_shells_free(shells);
        return false;
    }
    for (uint32_t i = 0; i < facets->count; i++) {
        if (edges->corner[3 * (size_t)i] == SC_NO_INDEX) {
            parent[i] = SC_NO_INDEX;
        }
    }
    shells->count = number_sets(parent, facets->count);
    if (!measure(facets, shells)) {
        sc_shells_free(shells);
        return false;
    }
    return true;
}
