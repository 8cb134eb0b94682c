/* gap_joins.c - see gap_joins.h. */
#include "gap_joins.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/facet_distance.h"
#include "geom/segment_triangle.h"
#include "geom/tri_distance.h"

#include <string.h>

/* About how long it takes to join what is near of two leaves. */
enum { NS_JOIN = 600 };

/* ---- what is near a facet ----------------------------------------------------- */

bool sc_gap_segment_within(sc_vec3 p, sc_vec3 q, const sc_triangle *t, double distance)
{
    const sc_segment segment = {p, q};
    const sc_vec3 v[3] = {p, q, q};
    const sc_triangle s = sc_triangle_make(v);
    return sc_segment_meets(&segment, t->v) ||
           sqrt(sc_segment_closest(&s, t).distance_sq) <= distance;
}

/* Whether a border of facets of a part comes as near to a facet of the other one as the reach. Most
 * of what does shows it by the first of these. */
static bool is_near(const sc_gap_joins *j, int part, const sc_gap_border *border, uint32_t facet)
{
    const sc_gap_facets *other = &j->of[1 - part];
    sc_vec3 end[2], v[3], on;
    const bool long_one = sc_gap_border_ends(&j->of[part], &j->borders[part], border, end);

    sc_gap_corners(other, facet, v);
    if (sc_length(sc_sub(end[0], v[1])) <= j->reach ||
        sc_facet_distance(end[0], v, &on) <= j->reach) {
        return true;
    }
    if (!long_one) {
        return false;
    }
    const sc_triangle t = sc_triangle_make(v);
    return sc_gap_segment_within(end[0], end[1], &t, j->reach);
}

/* ---- pairs of two leaves ------------------------------------------------------- */

/* A union-find of bits. */
typedef struct split {
    uint64_t set;
    uint8_t parent[64];
    int pieces;
} split;

static int root_of(split *s, int bit)
{
    while (s->parent[bit] != bit) {
        bit = s->parent[bit] = s->parent[s->parent[bit]];
    }
    return bit;
}

static int bit_of(int part, unsigned own, unsigned other)
{
    return (int)(part == 0 ? 8 * own + other : 8 * other + own);
}

/* Joins pairs with two facets of a part that share a border. */
static void join_pairs(const sc_gap_joins *j, int part, const sc_gap_border *border,
                       const sc_gap_leaf *others, split *s)
{
    const unsigned one = border->index[0], two = border->index[1];
    unsigned common = sc_gap_others(s->set, part, one) & sc_gap_others(s->set, part, two);

    for (; common != 0; common &= common - 1) {
        const unsigned other = (unsigned)__builtin_ctz(common);
        const int a = root_of(s, bit_of(part, one, other)),
                  b = root_of(s, bit_of(part, two, other));
        if (a != b && is_near(j, part, border, others->facet[other])) {
            s->parent[a > b ? a : b] = (uint8_t)(a > b ? b : a);
            s->pieces--;
        }
    }
}

static split split_of(const sc_gap_joins *j, const sc_gap_pairs *pairs)
{
    split s = {.set = pairs->set, .pieces = __builtin_popcountll(pairs->set)};
    for (uint64_t left = pairs->set; left != 0; left &= left - 1) {
        const int bit = __builtin_ctzll(left);
        s.parent[bit] = (uint8_t)bit;
    }
    for (int part = 0; part < 2; part++) {
        const sc_gap_borders *borders = &j->borders[part];
        const uint32_t *range = &borders->from[pairs->leaf[part]];
        const sc_gap_leaf *others = &j->of[1 - part].leaves[pairs->leaf[1 - part]];
        for (uint32_t i = range[0]; i < range[1] && s.pieces > 1; i++) {
            join_pairs(j, part, &borders->inside[i], others, &s);
        }
    }
    return s;
}

static bool add_item(sc_gap_joins *j, sc_gap_pairs item)
{
    if (!sc_make_room(&j->items, &j->capacity, j->count + 1, sizeof *j->items)) {
        return false;
    }
    j->items[j->count++] = item;
    return true;
}

/* Leaves a piece of an item in place if it is the first, and puts others with `more`. False if
 * memory ran out. */
static bool add_piece(sc_gap_pairs *item, bool first, uint64_t piece, sc_gap_joins *more)
{
    if (first) {
        item->set = piece;
        return true;
    }
    return add_item(more, (sc_gap_pairs){{item->leaf[0], item->leaf[1]}, piece});
}

static bool split_by_borders(const sc_gap_joins *j, sc_gap_pairs *item, sc_gap_joins *more)
{
    split s = split_of(j, item);
    bool good = true;
    for (uint64_t left = s.pieces > 1 ? s.set : 0; left != 0 && good;) {
        const int root = root_of(&s, __builtin_ctzll(left));
        uint64_t piece = 0;
        for (uint64_t rest = left; rest != 0; rest &= rest - 1) {
            const int bit = __builtin_ctzll(rest);
            piece |= root_of(&s, bit) == root ? UINT64_C(1) << bit : 0;
        }
        good = add_piece(item, left == s.set, piece, more);
        left &= ~piece;
    }
    return good;
}

/* Whether spheres show that all points of two leaves are within the reach. */
static bool all_are_near(const sc_gap_joins *j, const sc_gap_pairs *pairs)
{
    const sc_gap_sphere *a = &j->of[0].around[pairs->leaf[0]];
    const sc_gap_sphere *b = &j->of[1].around[pairs->leaf[1]];
    return sc_length(sc_sub(a->centre, b->centre)) + a->radius + b->radius <=
           j->reach * (1.0 - 0x1p-40);
}

/* All pairs of facets of two pieces. */
static uint64_t product(unsigned a, unsigned b)
{
    uint64_t set = 0;
    for (; a != 0; a &= a - 1) {
        set |= (uint64_t)b << 8 * __builtin_ctz(a);
    }
    return set;
}

/* Of leaves all of which are near each other: their pieces tell. */
static bool split_by_pieces(const sc_gap_joins *j, sc_gap_pairs *item, sc_gap_joins *more)
{
    const sc_gap_pieces *a = &j->borders[0].pieces[item->leaf[0]];
    const sc_gap_pieces *b = &j->borders[1].pieces[item->leaf[1]];
    bool good = true;
    for (int i = 0; i < a->count * b->count && good; i++) {
        good =
            add_piece(item, i == 0, product(a->piece[i / b->count], b->piece[i % b->count]), more);
    }
    return good;
}

static bool is_full(const sc_gap_joins *j, const sc_gap_pairs *pairs)
{
    return (uint32_t)__builtin_popcountll(pairs->set) ==
           j->of[0].leaves[pairs->leaf[0]].count * j->of[1].leaves[pairs->leaf[1]].count;
}

/* What is listed in stints, of which any thread does some. */
typedef struct stints {
    sc_gap_joins *j;
    sc_watch *watch;
    sc_gap_joins *more;  /* [stints] of splitting: only items, behind the first of each pair */
    atomic_size_t items; /* and how many there are, with those: once too many, no more are made */
    atomic_bool failed;  /* memory or time ran out */
} stints;

enum { STINT = 4096 };

static int stints_of(size_t count)
{
    return (int)((count + STINT - 1) / STINT);
}

static void split_stint(void *context, int stint)
{
    stints *s = context;
    const size_t first = (size_t)STINT * (size_t)stint;
    const size_t end = first + STINT < s->j->count ? first + STINT : s->j->count;
    sc_gap_joins *more = &s->more[stint];
    for (size_t i = first; i < end && s->items <= SC_MOST_GAP_PAIRS; i++) {
        sc_gap_pairs *item = &s->j->items[i];
        const size_t before = more->count;
        const bool good = is_full(s->j, item) && all_are_near(s->j, item)
                              ? split_by_pieces(s->j, item, more)
                              : split_by_borders(s->j, item, more);
        if (more->count > before) {
            s->items += more->count - before;
        }
        if (!good || sc_watch_ends(s->watch, i)) {
            s->failed = true;
            return;
        }
    }
}

/* Takes the pieces that pairs of two leaves are in as items. False if memory or time ran out. */
static bool split_all(sc_gap_joins *j, sc_crew *crew, sc_watch *watch, bool *complete)
{
    const int count = stints_of(j->count);
    stints s = {.j = j, .watch = watch, .items = j->count};

    s.more = sc_calloc((size_t)count, sizeof *s.more);
    if (!s.more) {
        return false;
    }
    sc_crew_items(sc_crew_for(crew, NS_JOIN * (uint64_t)j->count), count, split_stint, &s);
    *complete = s.items <= SC_MOST_GAP_PAIRS;
    const bool good =
        !s.failed && (!*complete || sc_resize(&j->items, &j->capacity, s.items, sizeof *j->items));
    for (int i = 0; i < count; i++) {
        for (size_t k = 0; k < s.more[i].count && good && *complete; k++) {
            j->items[j->count++] = s.more[i].items[k];
        }
        sc_free(s.more[i].items);
    }
    sc_free(s.more);
    return good;
}

/* ---- items with a leaf in common --------------------------------------------------- */

/* The items of one leaf, as a thread joins them. */
typedef struct row {
    sc_gap_joins *j;
    int part;         /* whose leaf it is */
    uint32_t leaf;    /* its number */
    uint32_t *last;   /* [leaves of the other part] the last item with that, its place in the row
                           + 1; 0: none */
    uint32_t *before; /* [capacity] the one before with the same leaf */
    size_t capacity;
} row;

/* The facets of a part, as bits of their leaf, that are in some pair. */
static unsigned present(uint64_t set, int part)
{
    set |= part == 0 ? set >> 4 : set >> 32;
    set |= part == 0 ? set >> 2 : set >> 16;
    set |= part == 0 ? set >> 1 : set >> 8;
    return part == 0 ? sc_gap_others(set, 1, 0) : (unsigned)set & 0xff;
}

/* Whether a facet of the leaf is in pairs of both items with the two facets of a border, and that
 * near it. */
static bool is_joined_by(const row *r, const sc_gap_border *border, const sc_gap_pairs *one,
                         const sc_gap_pairs *two)
{
    const int other = 1 - r->part;
    const sc_gap_leaf *leaf = &r->j->of[r->part].leaves[r->leaf];
    unsigned common = sc_gap_others(one->set, other, border->index[0]) &
                      sc_gap_others(two->set, other, border->index[1]);
    bool near = false;
    for (; common != 0 && !near; common &= common - 1) {
        near = is_near(r->j, other, border, leaf->facet[__builtin_ctz(common)]);
    }
    return near;
}

/* The same of all borders of their leaves. */
static bool hang_together(const row *r, const sc_gap_neighbour *borders, const sc_gap_pairs *one,
                          const sc_gap_pairs *two)
{
    const int other = 1 - r->part;
    const sc_gap_border *between = r->j->borders[other].between;
    const unsigned of_one = present(one->set, other), of_two = present(two->set, other);
    bool joined = false;
    for (uint32_t i = borders[0].first; i < borders[1].first && !joined; i++) {
        const uint8_t *index = between[i].index;
        joined = (of_one >> index[0] & of_two >> index[1] & 1) != 0 &&
                 is_joined_by(r, &between[i], one, two);
    }
    return joined;
}

/* Joins an item of the row to those whose leaves share borders with its own. */
static void join_item(const row *r, const uint32_t *items, uint32_t item)
{
    sc_gap_joins *j = r->j;
    const sc_gap_borders *borders = &j->borders[1 - r->part];
    const uint32_t *range = &borders->from_neighbour[j->items[item].leaf[1 - r->part]];

    for (uint32_t i = range[0]; i < range[1]; i++) {
        const sc_gap_neighbour *neighbour = &borders->neighbours[i];
        for (uint32_t k = r->last[neighbour->leaf]; k != 0; k = r->before[k - 1]) {
            const uint32_t next = items[k - 1];
            if (sc_union_root(j->joined, item) != sc_union_root(j->joined, next) &&
                hang_together(r, neighbour, &j->items[item], &j->items[next])) {
                sc_union_join(j->joined, item, next);
            }
        }
    }
}

/* Whether all of some items are one gap already. */
static bool is_one(const sc_gap_joins *j, const uint32_t *items, uint32_t count)
{
    bool one = true;
    for (uint32_t i = 1; i < count && one; i++) {
        one = sc_union_root(j->joined, items[i]) == sc_union_root(j->joined, items[0]);
    }
    return one;
}

/* False if memory ran out. */
static bool join_row(row *r)
{
    const sc_gap_joins *j = r->j;
    const sc_groups *rows = &j->items_of[r->part];
    const uint32_t *items = &rows->items[rows->from[r->leaf]];
    const uint32_t count = rows->from[r->leaf + 1] - rows->from[r->leaf];

    if (is_one(j, items, count)) {
        return true;
    }
    if (!sc_make_room(&r->before, &r->capacity, count, sizeof *r->before)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *last = &r->last[j->items[items[i]].leaf[1 - r->part]];
        r->before[i] = *last;
        *last = i + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        join_item(r, items, items[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        r->last[j->items[items[i]].leaf[1 - r->part]] = 0;
    }
    return true;
}

/* False if memory or time ran out. */
static bool join_rows(sc_gap_joins *j, int part, uint32_t first, uint32_t end, sc_watch *watch)
{
    row r = {.j = j, .part = part};
    r.last = sc_calloc(j->of[1 - part].leaf_count, sizeof *r.last);
    bool good = r.last;
    for (r.leaf = first; r.leaf < end && good; r.leaf++) {
        good = join_row(&r) && !sc_watch_is_over(watch);
    }
    sc_free(r.last);
    sc_free(r.before);
    return good;
}

static void join_stint(void *context, int stint)
{
    stints *s = context;
    const uint32_t first = STINT * (uint32_t)stint, all = s->j->of[0].leaf_count;
    if (!join_rows(s->j, 0, first, all - first < STINT ? all : first + STINT, s->watch)) {
        s->failed = true;
    }
}

/* No two leaves of A have an item in common: any thread does some. Then those of B. False if memory
 * or time ran out. */
static bool join_all(sc_gap_joins *j, sc_crew *crew, sc_watch *watch)
{
    stints s = {.j = j, .watch = watch};
    sc_crew_items(sc_crew_for(crew, NS_JOIN * (uint64_t)j->count), stints_of(j->of[0].leaf_count),
                  join_stint, &s);
    return !s.failed && join_rows(j, 1, 0, j->of[1].leaf_count, watch);
}

/* ---- all of them -------------------------------------------------------------------- */

static uint32_t leaf_of_a(const void *items, uint32_t item)
{
    return ((const sc_gap_pairs *)items)[item].leaf[0];
}

static uint32_t leaf_of_b(const void *items, uint32_t item)
{
    return ((const sc_gap_pairs *)items)[item].leaf[1];
}

/* In the order of their leaves of A: those that are joined first are side by side then. False if
 * memory ran out. */
static bool order_items(sc_gap_joins *j)
{
    const uint32_t count = (uint32_t)j->count;
    return sc_groups_order(&j->items, count, sizeof *j->items, j->of[0].leaf_count, leaf_of_a,
                           &j->items_of[0]) &&
           sc_groups_make(count, j->of[1].leaf_count, leaf_of_b, j->items, &j->items_of[1]);
}

bool sc_gap_joins_make(const sc_gap_request *r, sc_gap_list *list, sc_gap_joins *j, bool *complete)
{
    bool good = true;

    *j = (sc_gap_joins){
        .reach = r->reach, .items = list->pairs, .count = list->count, .capacity = list->capacity};
    list->pairs = NULL;
    for (int part = 0; part < 2 && good; part++) {
        good = sc_gap_facets_make(&r->part[part], part, list, r->watch, &j->of[part]) &&
               sc_gap_borders_make(&j->of[part], 2.0 * r->resolution, r->watch, &j->borders[part]);
    }
    sc_gap_list_free(list);
    good = good && split_all(j, r->crew, r->watch, complete);
    if (!good || !*complete) {
        return good;
    }
    j->joined = sc_union_make((uint32_t)j->count);
    return j->joined && order_items(j) && join_all(j, r->crew, r->watch);
}

uint32_t sc_gap_item(const sc_gap_joins *j, const uint32_t facet[2])
{
    const uint32_t leaf[2] = {j->of[0].leaf[facet[0]], j->of[1].leaf[facet[1]]};
    const uint64_t bit = UINT64_C(1)
                         << bit_of(0, j->of[0].index[facet[0]], j->of[1].index[facet[1]]);
    const uint32_t *range = &j->items_of[0].from[leaf[0]];
    for (uint32_t i = range[0]; i < range[1]; i++) {
        const uint32_t item = j->items_of[0].items[i];
        if (j->items[item].leaf[1] == leaf[1] && (j->items[item].set & bit) != 0) {
            return item;
        }
    }
    return UINT32_MAX;
}

void sc_gap_joins_free(sc_gap_joins *j)
{
    for (int part = 0; part < 2; part++) {
        sc_gap_facets_free(&j->of[part]);
        sc_gap_borders_free(&j->borders[part]);
        sc_groups_free(&j->items_of[part]);
    }
    sc_free(j->items);
    sc_free(j->joined);
    *j = (sc_gap_joins){.reach = 0.0};
}
