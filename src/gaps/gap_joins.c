/* gap_joins.c - see gap_joins.h. */
#include "gap_joins.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/union_find.h"
#include "geom/facet_distance.h"
#include "geom/segment_triangle.h"
#include "geom/tri_distance.h"
#include "pair.h"

#include <string.h>

/* About how long an item takes. */
enum { NS_JOIN = 30 };

/* ---- what is near a facet ----------------------------------------------------- */

bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *t, double distance)
{
    const sc_segment segment = {p, q};
    const sc_vec3 v[3] = {p, q, q};
    const sc_triangle s = sc_triangle_make(v);
    return sc_segment_meets(&segment, t->v) ||
           sqrt(sc_segment_closest(&s, t).distance_sq) <= distance;
}

/* What two facets share: an edge, what lies along edges of both, or, its ends being the same, a
 * vertex. */
typedef struct border {
    sc_vec3 end[2];
} border;

/* Whether that comes as near as the reach. Most of what does shows it by the first of these, for
 * which any corner would do (of the first, gcc 12 says with sanitizers that it is not three). */
static bool border_is_near(const sc_gap_joins *j, border b, const sc_triangle *t)
{
    sc_vec3 on;
    return sc_length(sc_sub(b.end[0], t->v[1])) <= j->reach ||
           sc_facet_distance(b.end[0], t->v, &on) <= j->reach ||
           (!sc_same(b.end[0], b.end[1]) && sc_gap_segment_within(b.end[0], b.end[1], t, j->reach));
}

/* Corner k of a facet, and side k, to the next one. */
static border corner_of(const sc_gap_facets *f, uint32_t facet, int k)
{
    const sc_vec3 v = f->points[f->vertex[facet][k]];
    return (border){{v, v}};
}

static border side_of(const sc_gap_facets *f, uint32_t facet, int k)
{
    const uint32_t *vertex = f->vertex[facet];
    return (border){{f->points[vertex[k]], f->points[vertex[(k + 1) % 3]]}};
}

static border seam_of(const sc_gap_seam *seam)
{
    return (border){{seam->from, seam->to}};
}

/* ---- items of one patch of A ------------------------------------------------------ */

/* A patch of A, and one facet of it after the other. */
typedef struct group {
    sc_gap_joins *j;
    sc_triangle facet;
    uint32_t pairs[2];       /* those of the facet: from, to */
    uint32_t blocks[2];      /* those of the patch */
    uint32_t *last[3];       /* the last pair, + 1, with each vertex, edge and facet of B */
    uint32_t *last_block[2]; /* the last block, + 1, with each vertex and facet of B */
} group;

/* Whether a pair or block, + 1, is of the facet, or patch. */
static inline bool is_among(const uint32_t range[2], uint32_t last)
{
    return last > range[0] && last <= range[1];
}

/* Whether `last` is of the facet, and not known to be of the same gap. */
static bool is_of_another(const group *g, uint32_t last, uint32_t pair)
{
    uint32_t *joined = g->j->joined;
    return is_among(g->pairs, last) &&
           sc_union_root(joined, last - 1) != sc_union_root(joined, pair);
}

static void join_to_block(const group *g, uint32_t last, uint32_t item)
{
    if (is_among(g->blocks, last)) {
        sc_union_join(g->j->joined, item, sc_gap_block_item(g->j, last - 1));
    }
}

/* Joins a block to those in front of it whose patches of B share a border with its own. */
static void join_block(const group *g, uint32_t block)
{
    const sc_gap_joins *j = g->j;
    const sc_gap_patches *patches = &j->patches[1];
    const sc_gap_seams *seams = &j->seams[1];
    const sc_groups *facets = &patches->facets;
    const uint32_t patch = sc_pair_facet(j->blocks.pairs[block], 1);
    const uint32_t item = sc_gap_block_item(j, block);

    for (uint32_t at = patches->from_rim[patch]; at < patches->from_rim[patch + 1]; at++) {
        uint32_t *last = &g->last_block[0][patches->rim[at]];
        join_to_block(g, *last, item);
        *last = block + 1;
    }
    for (uint32_t at = facets->from[patch]; at < facets->from[patch + 1] && seams->count > 0;
         at++) {
        const uint32_t facet = facets->items[at];
        for (uint32_t i = seams->of_facet.from[facet]; i < seams->of_facet.from[facet + 1]; i++) {
            join_to_block(g, g->last_block[1][sc_gap_beyond(seams, i)], item);
        }
        g->last_block[1][facet] = block + 1;
    }
}

/* Joins a pair to those of its facet of A in front of it whose facets of B share a border with its
 * own, where that is near, and to blocks of the patch whose patches of B do. */
static void join_to_former(const group *g, uint32_t pair)
{
    sc_gap_joins *j = g->j;
    const sc_gap_facets *b = &j->of[1];
    const sc_gap_seams *seams = &j->seams[1];
    const uint32_t facet = sc_pair_facet(j->pairs.pairs[pair], 1);

    for (int k = 0; k < 3; k++) {
        uint32_t *last = &g->last[0][b->vertex[facet][k]];
        join_to_block(g, g->last_block[0][b->vertex[facet][k]], pair);
        if (is_of_another(g, *last, pair) && border_is_near(j, corner_of(b, facet, k), &g->facet)) {
            sc_union_join(j->joined, *last - 1, pair);
        }
        *last = pair + 1;
    }
    for (int k = 0; k < 3; k++) {
        uint32_t *last = &g->last[1][b->edge[facet][k]];
        if (is_of_another(g, *last, pair) && border_is_near(j, side_of(b, facet, k), &g->facet)) {
            sc_union_join(j->joined, *last - 1, pair);
        }
        *last = pair + 1;
    }
    for (uint32_t i = seams->of_facet.from[facet]; i < seams->of_facet.from[facet + 1]; i++) {
        const uint32_t beyond = sc_gap_beyond(seams, i);
        const uint32_t last = g->last[2][beyond];
        join_to_block(g, g->last_block[1][beyond], pair);
        if (is_of_another(g, last, pair) &&
            border_is_near(j, seam_of(sc_gap_seam_at(seams, i)), &g->facet)) {
            sc_union_join(j->joined, last - 1, pair);
        }
    }
    g->last[2][facet] = pair + 1;
}

static void join_about(group *g, uint32_t patch)
{
    const sc_gap_joins *j = g->j;
    const sc_groups *facets = &j->patches[0].facets;

    memcpy(g->blocks, &j->blocks_of[0].from[patch], sizeof g->blocks);
    for (uint32_t block = g->blocks[0]; block < g->blocks[1]; block++) {
        join_block(g, block);
    }
    for (uint32_t at = facets->from[patch]; at < facets->from[patch + 1]; at++) {
        const uint32_t facet = facets->items[at];
        sc_vec3 v[3];
        memcpy(g->pairs, &j->pairs_of[0].from[facet], sizeof g->pairs);
        if (g->pairs[0] == g->pairs[1]) {
            continue;
        }
        sc_gap_corners(&j->of[0], facet, v);
        sc_triangle_set(&g->facet, v);
        for (uint32_t pair = g->pairs[0]; pair < g->pairs[1]; pair++) {
            join_to_former(g, pair);
        }
    }
}

/* The patches of A in stints, of which any thread does some: no two have an item in common. */
typedef struct stints {
    sc_gap_joins *j;
    sc_watch *watch;
    atomic_bool failed; /* memory or time ran out */
} stints;

enum { STINT = 4096 };

static void join_stint(void *context, int stint)
{
    stints *s = context;
    sc_gap_joins *j = s->j;
    const uint32_t first = STINT * (uint32_t)stint, left = j->patches[0].count - first;
    const uint32_t vertices = j->of[1].vertices, facets = j->of[1].count;
    group g = {
        .j = j,
        .last = {sc_calloc(vertices, sizeof(uint32_t)), sc_calloc(j->of[1].edges, sizeof(uint32_t)),
                 sc_calloc(facets, sizeof(uint32_t))},
        .last_block = {sc_calloc(vertices, sizeof(uint32_t)), sc_calloc(facets, sizeof(uint32_t))}};
    bool good = g.last[0] && g.last[1] && g.last[2] && g.last_block[0] && g.last_block[1];

    for (uint32_t i = 0; i < STINT && i < left && good; i++) {
        join_about(&g, first + i);
        good = !sc_watch_ends(s->watch, i);
    }
    for (int k = 0; k < 3; k++) {
        sc_free(g.last[k]);
    }
    sc_free(g.last_block[0]);
    sc_free(g.last_block[1]);
    if (!good) {
        s->failed = true;
    }
}

/* False if memory or time ran out. */
static bool join_by_patches(sc_gap_joins *j, sc_crew *crew, sc_watch *watch)
{
    stints s = {.j = j, .watch = watch};
    sc_crew_items(sc_crew_for(crew, NS_JOIN * (uint64_t)(j->pairs.count + j->blocks.count)),
                  (int)((j->patches[0].count + STINT - 1) / STINT), join_stint, &s);
    return !s.failed;
}

/* ---- items of facets of A that hang together ---------------------------------------- */

/* A facet of A with its items. */
typedef struct row {
    uint32_t pairs[2], blocks[2]; /* from, to */
    bool whole;                   /* all of it hangs together, as mostly it does */
} row;

static row row_of(const sc_gap_joins *j, const bool *whole, uint32_t facet)
{
    const uint32_t *pairs = &j->pairs_of[0].from[facet];
    const uint32_t *blocks = &j->blocks_of[0].from[j->patches[0].of[facet]];
    return (row){{pairs[0], pairs[1]}, {blocks[0], blocks[1]}, whole[facet]};
}

/* One of its items: it has some. */
static uint32_t first_of(const sc_gap_joins *j, const row *r)
{
    return r->blocks[0] < r->blocks[1] ? sc_gap_block_item(j, r->blocks[0]) : r->pairs[0];
}

static bool is_with_first(const sc_gap_joins *j, const row *r, uint32_t item)
{
    return sc_union_root(j->joined, first_of(j, r)) == sc_union_root(j->joined, item);
}

/* Whether items from one number to another are of the same gap. */
static bool are_one(const sc_gap_joins *j, uint32_t from, uint32_t to)
{
    bool one = true;
    for (uint32_t i = from + 1; i < to && one; i++) {
        one = sc_union_root(j->joined, i) == sc_union_root(j->joined, from);
    }
    return one;
}

/* Of the facets of A those all items of which hang together. NULL if memory ran out. */
static bool *find_whole(const sc_gap_joins *j)
{
    const sc_groups *facets = &j->patches[0].facets;
    bool *whole = sc_calloc(j->of[0].count, sizeof *whole);

    for (uint32_t patch = 0; patch < j->patches[0].count && whole; patch++) {
        const uint32_t *blocks = &j->blocks_of[0].from[patch];
        const bool one =
            are_one(j, sc_gap_block_item(j, blocks[0]), sc_gap_block_item(j, blocks[1]));
        for (uint32_t at = facets->from[patch]; at < facets->from[patch + 1]; at++) {
            const uint32_t facet = facets->items[at];
            const row r = row_of(j, whole, facet);
            whole[facet] = one && are_one(j, r.pairs[0], r.pairs[1]) &&
                           (r.pairs[0] == r.pairs[1] || is_with_first(j, &r, r.pairs[0]));
        }
    }
    return whole;
}

/* Joins blocks of two patches of A that share a border, with the same patch of B. */
static void join_blocks(sc_gap_joins *j, const row *one, const row *other)
{
    uint32_t at[2] = {one->blocks[0], other->blocks[0]};
    while (at[0] < one->blocks[1] && at[1] < other->blocks[1]) {
        const uint32_t patch[2] = {sc_pair_facet(j->blocks.pairs[at[0]], 1),
                                   sc_pair_facet(j->blocks.pairs[at[1]], 1)};
        if (patch[0] == patch[1]) {
            sc_union_join(j->joined, sc_gap_block_item(j, at[0]), sc_gap_block_item(j, at[1]));
            if (one->whole && other->whole) {
                return;
            }
        }
        at[0] += patch[0] <= patch[1];
        at[1] += patch[1] <= patch[0];
    }
}

static bool is_lower(const void *pair, const void *key)
{
    return *(const uint64_t *)pair < *(const uint64_t *)key;
}

/* The number of a pair in a part of a list in order, or UINT32_MAX. */
static uint32_t find_pair(const sc_pair_list *list, const uint32_t range[2], uint64_t pair)
{
    const uint64_t *pairs = list->pairs + range[0];
    const size_t count = range[1] - range[0];
    const size_t at = sc_lower_bound(pairs, count, sizeof *pairs, is_lower, &pair);
    return at < count && pairs[at] == pair ? range[0] + (uint32_t)at : UINT32_MAX;
}

/* Joins blocks of the one's patch with pairs of the other. */
static void join_blocks_and_pairs(sc_gap_joins *j, const row *one, const row *other)
{
    if (one->blocks[0] == one->blocks[1]) {
        return;
    }
    const uint32_t a = sc_pair_facet(j->blocks.pairs[one->blocks[0]], 0);
    for (uint32_t i = other->pairs[0]; i < other->pairs[1]; i++) {
        const uint32_t b = j->patches[1].of[sc_pair_facet(j->pairs.pairs[i], 1)];
        const uint32_t block = find_pair(&j->blocks, one->blocks, sc_pair(a, b));
        if (block != UINT32_MAX) {
            sc_union_join(j->joined, sc_gap_block_item(j, block), i);
            if (one->whole && other->whole) {
                return;
            }
        }
    }
}

/* Whether a border of facets of A comes near a facet of B. */
static bool comes_near(const sc_gap_joins *j, border b, uint32_t facet)
{
    sc_vec3 v[3];
    sc_gap_corners(&j->of[1], facet, v);
    const sc_triangle t = sc_triangle_make(v);
    return border_is_near(j, b, &t);
}

/* Joins pairs with a facet of B that comes near what the two facets of A share. */
static void join_pairs(sc_gap_joins *j, const row *one, const row *other, border b)
{
    uint32_t at[2] = {one->pairs[0], other->pairs[0]};
    while (at[0] < one->pairs[1] && at[1] < other->pairs[1]) {
        const uint32_t facet[2] = {sc_pair_facet(j->pairs.pairs[at[0]], 1),
                                   sc_pair_facet(j->pairs.pairs[at[1]], 1)};
        if (facet[0] == facet[1] &&
            sc_union_root(j->joined, at[0]) != sc_union_root(j->joined, at[1]) &&
            comes_near(j, b, facet[0])) {
            sc_union_join(j->joined, at[0], at[1]);
            if (one->whole && other->whole) {
                return;
            }
        }
        at[0] += facet[0] <= facet[1];
        at[1] += facet[1] <= facet[0];
    }
}

/* Whether all items of two facets of A are one gap. */
static bool rows_are_one(const sc_gap_joins *j, const row *one, const row *other)
{
    return one->whole && other->whole && is_with_first(j, one, first_of(j, other));
}

/* Joins the items of two facets of A where what they share comes near a facet of B that both have;
 * it does where one of them has that in a block. */
static void join_across(sc_gap_joins *j, const bool *whole, uint32_t first, uint32_t second,
                        border b)
{
    const row one = row_of(j, whole, first), other = row_of(j, whole, second);
    const bool blocks = j->patches[0].of[first] != j->patches[0].of[second];
    if (blocks && !rows_are_one(j, &one, &other)) {
        join_blocks(j, &one, &other);
    }
    if (blocks && !rows_are_one(j, &one, &other)) {
        join_blocks_and_pairs(j, &one, &other);
    }
    if (blocks && !rows_are_one(j, &one, &other)) {
        join_blocks_and_pairs(j, &other, &one);
    }
    if (!rows_are_one(j, &one, &other)) {
        join_pairs(j, &one, &other, b);
    }
}

/* Each facet and the last one before it with the same edge, or vertex. */
static bool join_by_features(sc_gap_joins *j, const bool *whole, bool edges, sc_watch *watch)
{
    const sc_gap_facets *a = &j->of[0];
    uint32_t *last = sc_calloc(edges ? a->edges : a->vertices, sizeof *last); /* + 1 */
    bool good = last != NULL;

    for (uint32_t i = 0; i < a->count && good; i++) {
        for (int k = 0; k < 3; k++) {
            uint32_t *before = &last[edges ? a->edge[i][k] : a->vertex[i][k]];
            if (*before != 0 && *before != i + 1) {
                join_across(j, whole, *before - 1, i,
                            edges ? side_of(a, i, k) : corner_of(a, i, k));
            }
            *before = i + 1;
        }
        good = !sc_watch_ends(watch, i);
    }
    sc_free(last);
    return good;
}

static bool join_by_seams(sc_gap_joins *j, const bool *whole, sc_watch *watch)
{
    const sc_gap_seams *seams = &j->seams[0];
    bool good = true;
    for (size_t i = 0; i < seams->count && good; i++) {
        const sc_gap_seam *seam = &seams->seam[i];
        join_across(j, whole, seam->facet[0], seam->facet[1], seam_of(seam));
        good = !sc_watch_ends(watch, i);
    }
    return good;
}

/* False if memory or time ran out. */
static bool join_by_borders(sc_gap_joins *j, sc_watch *watch)
{
    bool *whole = find_whole(j);
    const bool good = whole && join_by_features(j, whole, true, watch) &&
                      join_by_seams(j, whole, watch) && join_by_features(j, whole, false, watch);
    sc_free(whole);
    return good;
}

/* ---- all of them -------------------------------------------------------------------- */

static uint32_t first_of_pair(const void *list, uint32_t pair)
{
    return sc_pair_facet(((const sc_pair_list *)list)->pairs[pair], 0);
}

static uint32_t second_of_pair(const void *list, uint32_t pair)
{
    return sc_pair_facet(((const sc_pair_list *)list)->pairs[pair], 1);
}

static void put_in_place(sc_pair_list *list, uint32_t *const place[2])
{
    for (size_t i = 0; i < list->count; i++) {
        const uint64_t pair = list->pairs[i];
        list->pairs[i] =
            sc_pair(place[0][sc_pair_facet(pair, 0)], place[1][sc_pair_facet(pair, 1)]);
    }
}

/* Gives facets in lists their places for their numbers; both stay in order. False if memory ran
 * out. */
static bool put_all_in_place(const sc_gap_request *r, const sc_gap_joins *j, sc_gap_list *list)
{
    uint32_t *place[2];
    for (int part = 0; part < 2; part++) {
        place[part] = sc_alloc(r->part[part].mesh->file.facets.count, sizeof *place[part]);
        for (uint32_t i = 0; i < j->of[part].count && place[part]; i++) {
            place[part][j->of[part].facet[i]] = i;
        }
    }
    const bool good = place[0] && place[1];
    if (good) {
        put_in_place(&list->pairs, place);
        put_in_place(&list->leaves, place);
    }
    sc_free(place[0]);
    sc_free(place[1]);
    return good;
}

/* All that is to be joined. False if memory or time ran out. */
static bool take_items(const sc_gap_request *r, sc_gap_list *list, sc_gap_joins *j, bool *complete)
{
    bool good = true;
    for (int part = 0; part < 2 && good; part++) {
        good = sc_gap_facets_make(&r->part[part], part, list, r->watch, &j->of[part]) &&
               sc_gap_patches_make(&j->of[part], list->leaf[part], r->watch, &j->patches[part]);
    }
    good = good && put_all_in_place(r, j, list) &&
           sc_gap_blocks_make(j->patches, &list->leaves, SC_MOST_GAP_PAIRS - list->pairs.count,
                              r->watch, &j->blocks, complete);
    j->pairs = list->pairs;
    list->pairs = (sc_pair_list){.pairs = NULL};
    sc_gap_list_free(list); /* of no more use, and large */
    return good;
}

/* By facets and patches of one part. False if memory ran out. */
static bool index_items(sc_gap_joins *j, int part)
{
    sc_group_of *const of[2] = {first_of_pair, second_of_pair};
    return sc_groups_make((uint32_t)j->pairs.count, j->of[part].count, of[part], &j->pairs,
                          &j->pairs_of[part]) &&
           sc_groups_make((uint32_t)j->blocks.count, j->patches[part].count, of[part], &j->blocks,
                          &j->blocks_of[part]);
}

bool sc_gap_joins_make(const sc_gap_request *r, sc_gap_list *list, sc_gap_joins *j, bool *complete)
{
    *j = (sc_gap_joins){.reach = r->reach};
    bool good = take_items(r, list, j, complete);
    if (!good || !*complete) {
        return good;
    }
    for (int part = 0; part < 2 && good; part++) {
        good = sc_gap_seams_find(&j->of[part], 2.0 * r->resolution, r->watch, &j->seams[part]);
    }
    j->joined = good ? sc_union_make(sc_gap_block_item(j, (uint32_t)j->blocks.count)) : NULL;
    return j->joined && index_items(j, 0) && join_by_patches(j, r->crew, r->watch) &&
           join_by_borders(j, r->watch);
}

bool sc_gap_joins_index(sc_gap_joins *j)
{
    return index_items(j, 1);
}

uint32_t sc_gap_item(const sc_gap_joins *j, const uint32_t facet[2])
{
    const uint32_t patch[2] = {j->patches[0].of[facet[0]], j->patches[1].of[facet[1]]};
    const uint32_t pair =
        find_pair(&j->pairs, &j->pairs_of[0].from[facet[0]], sc_pair(facet[0], facet[1]));
    if (pair != UINT32_MAX) {
        return pair;
    }
    const uint32_t block =
        find_pair(&j->blocks, &j->blocks_of[0].from[patch[0]], sc_pair(patch[0], patch[1]));
    return block == UINT32_MAX ? UINT32_MAX : sc_gap_block_item(j, block);
}

void sc_gap_joins_free(sc_gap_joins *j)
{
    for (int part = 0; part < 2; part++) {
        sc_gap_facets_free(&j->of[part]);
        sc_gap_patches_free(&j->patches[part]);
        sc_gap_seams_free(&j->seams[part]);
        sc_groups_free(&j->pairs_of[part]);
        sc_groups_free(&j->blocks_of[part]);
    }
    sc_free(j->pairs.pairs);
    sc_free(j->blocks.pairs);
    sc_free(j->joined);
    *j = (sc_gap_joins){.reach = 0.0};
}
