/* narrow.c - see narrow.h. */
#include "narrow.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "geom/orient.h"
#include "geom/tri_flush.h"
#include "geom/tri_intersect.h"
#include "sift.h"

/* ---- what is made of the leaves in use ----------------------------------- */

/* Direct-mapped by address: a leaf meets several leaves in turn, and few at a time
 * are in use. 96 leaves of 8 are 0.3 megabytes for either part, where all of it is needed: those of
 * two threads and two parts of 10,000 facets are in one large page. */
enum { CACHE_LEAVES = 96 };

/* Apart from each other, for most leaves come no farther than the first. */
struct sc_leaf_cache {
    const sc_leaf *leaf[CACHE_LEAVES]; /* NULL: none */
    uint32_t facet[CACHE_LEAVES][8];
    sc_loaded_leaf loaded[CACHE_LEAVES];
    bool has_planes[CACHE_LEAVES], has_boxes[CACHE_LEAVES];
    uint8_t placed[CACHE_LEAVES], made[CACHE_LEAVES]; /* bit i: these are there of triangle i: */
    sc_vec3 vertices[CACHE_LEAVES][8][3];
    sc_triangle triangles[CACHE_LEAVES][8];
};

/* A leaf in the cache of its part. */
typedef struct prepared {
    int part;
    sc_leaf_cache *cache;
    size_t slot;
} prepared;

/* Not to be part of prepared_leaf, which mostly finds what it is asked for. */
__attribute__((noinline)) static void load_leaf(const sc_narrow *narrow, int part,
                                                const sc_leaf *leaf, size_t slot)
{
    sc_leaf_cache *cache = narrow->cache[part];
    const sc_way_in way =
        sc_frame_way_in(narrow->frame, narrow->facets[part], narrow->placement[part]);
    const uint32_t count = sc_leaf_list(leaf, cache->facet[slot]);

    sc_sift_load(&way, cache->facet[slot], count, &cache->loaded[slot].facets.corners);
    cache->leaf[slot] = leaf;
    cache->has_planes[slot] = cache->has_boxes[slot] = false;
    cache->placed[slot] = cache->made[slot] = 0;
}

static inline prepared prepared_leaf(const sc_narrow *narrow, int part, const sc_leaf *leaf)
{
    sc_leaf_cache *cache = narrow->cache[part];
    size_t slot = (uintptr_t)leaf / sizeof *leaf % CACHE_LEAVES;
    if (cache->leaf[slot] != leaf) {
        load_leaf(narrow, part, leaf, slot);
    }
    return (prepared){part, cache, slot};
}

static const sc_side_by_side *corners_of(const prepared *p)
{
    return &p->cache->loaded[p->slot].facets.corners;
}

/* The number of its triangle i. */
static uint32_t number_of(const prepared *p, int i)
{
    return p->cache->facet[p->slot][i];
}

static const sc_octet_facets *planes_of(const sc_narrow *narrow, const prepared *p)
{
    sc_octet_facets *facets = &p->cache->loaded[p->slot].facets;
    if (!p->cache->has_planes[p->slot]) {
        narrow->octets->planes(facets);
        p->cache->has_planes[p->slot] = true;
    }
    return facets;
}

static const sc_octet *boxes_of(const sc_narrow *narrow, const prepared *p)
{
    sc_octet *boxes = &p->cache->loaded[p->slot].boxes;
    if (!p->cache->has_boxes[p->slot]) {
        narrow->octets->boxes(corners_of(p),
                              sc_frame_widen(narrow->frame, narrow->placement[p->part]), boxes);
        p->cache->has_boxes[p->slot] = true;
    }
    return boxes;
}

static const sc_vec3 *vertices_of(const sc_narrow *narrow, const prepared *p, int i)
{
    sc_vec3 *v = p->cache->vertices[p->slot][i];
    if ((p->cache->placed[p->slot] >> i & 1) == 0) {
        sc_triangle_vertices(narrow->facets[p->part], narrow->placement[p->part], number_of(p, i),
                             v);
        p->cache->placed[p->slot] |= (uint8_t)(1u << i);
    }
    return v;
}

static const sc_triangle *triangle_of(const sc_narrow *narrow, const prepared *p, int i)
{
    sc_triangle *t = &p->cache->triangles[p->slot][i];
    if ((p->cache->made[p->slot] >> i & 1) == 0) {
        sc_triangle_set(t, vertices_of(narrow, p, i));
        p->cache->made[p->slot] |= (uint8_t)(1u << i);
    }
    return t;
}

static void forget_leaves(sc_leaf_cache *cache)
{
    for (int i = 0; i < CACHE_LEAVES; i++) {
        cache->leaf[i] = NULL;
    }
}

static sc_leaf_cache *cache_make(void)
{
    sc_leaf_cache *cache = sc_alloc(1, sizeof *cache);
    if (cache) {
        forget_leaves(cache);
    }
    return cache;
}

/* When the first leaves come. */
static bool make_caches(sc_narrow *narrow)
{
    for (int i = 0; i < 2; i++) {
        narrow->cache[i] = narrow->cache[i] ? narrow->cache[i] : cache_make();
    }
    return narrow->cache[0] && narrow->cache[1];
}

void sc_narrow_init(sc_narrow *narrow)
{
    narrow->distance_sq = narrow->order_sq = INFINITY;
    narrow->octets = sc_octets();
    narrow->vertex_error = sc_frame_vertex_error(narrow->frame, narrow->placement[0]) +
                           sc_frame_vertex_error(narrow->frame, narrow->placement[1]);
}

void sc_narrow_restart(sc_narrow *narrow)
{
    for (int i = 0; i < 2; i++) {
        if (narrow->cache[i]) {
            forget_leaves(narrow->cache[i]);
        }
    }
    narrow->hits.count = narrow->flush.count = 0;
    narrow->crossing_count = 0;
}

void sc_narrow_settle(sc_narrow *narrow)
{
    uint64_t hit = narrow->hits.pairs[narrow->hits.count - 1];
    sc_narrow_restart(narrow);
    narrow->hits.pairs[0] = hit;
    narrow->hits.count = 1;
    narrow->crossing_count = narrow->stop_at_touch ? 0 : 1;
}

void sc_narrow_free(sc_narrow *narrow)
{
    sc_free(narrow->cache[0]);
    sc_free(narrow->cache[1]);
    sc_free(narrow->hits.pairs);
    sc_free(narrow->flush.pairs);
    sc_free(narrow->within.pairs);
    *narrow = (sc_narrow){.hits = {NULL, 0, 0}};
}

static bool add_pair(sc_pair_list *list, uint64_t pair)
{
    if (!sc_make_room(&list->pairs, &list->capacity, list->count + 1, sizeof *list->pairs)) {
        return false;
    }
    list->pairs[list->count++] = pair;
    return true;
}

static bool add_pairs(sc_pair_list *list, const sc_pair_list *more)
{
    for (size_t i = 0; i < more->count; i++) {
        if (!add_pair(list, more->pairs[i])) {
            return false;
        }
    }
    return true;
}

/* ---- one pair ------------------------------------------------------------ */

/* Two facets as they lie in space, of A and of B. */
typedef struct facet_pair {
    uint32_t number[2];
    const sc_vec3 *v[2];
} facet_pair;

static facet_pair pair_of(const sc_narrow *narrow, const prepared *a, int i, const prepared *b,
                          int j)
{
    return (facet_pair){{number_of(a, i), number_of(b, j)},
                        {vertices_of(narrow, a, i), vertices_of(narrow, b, j)}};
}

/* As in a list of pairs. */
static uint64_t numbers_of(const facet_pair *pair)
{
    return (uint64_t)pair->number[0] << 32 | pair->number[1];
}

/* A lower bound of the distance of t and s along the unit normal of t, less what
 * its rounding may come to. */
static double gap_along_normal(const sc_triangle *t, const sc_triangle *s)
{
    double low = INFINITY, high = -INFINITY, reach = 0.0;

    for (int k = 0; k < 3; k++) {
        sc_vec3 w = sc_sub(s->v[k], t->v[0]);
        double height = sc_dot(t->normal, w);
        double size = fabs(w.x) + fabs(w.y) + fabs(w.z);
        low = height < low ? height : low;
        high = height > high ? height : high;
        reach = size > reach ? size : reach;
    }
    double gap = low > -high ? low : -high;
    return gap - t->thickness - reach * 0x1p-48;
}

/* The gap of a pair along the way of ties. */
static double gap_of_ties(const sc_ties *ties, const sc_triangle *a, const sc_triangle *b)
{
    return sc_support_gap(sc_support_height(&ties->way[0], a->v),
                          sc_support_height(&ties->way[1], b->v));
}

/* What rounding may make of the distance of two facets, or of their gap. */
static double rounding_of(const sc_triangle *a, const sc_triangle *b, double distance)
{
    return (a->radius + b->radius + distance) * 0x1p-48;
}

/* By what a pair is compared: its distance, or, where that is as much but for rounding, its gap,
 * which is the same for all pairs that are as far apart for the same reason. */
static double order_of(double distance_sq, double gap, const sc_triangle *a, const sc_triangle *b)
{
    const double within = gap + rounding_of(a, b, gap);
    return gap > 0.0 && distance_sq <= within * within ? gap * gap : distance_sq;
}

/* Whether the pair comes before the nearest one, being as far by what it is compared. */
static bool has_lower_numbers(const sc_narrow *narrow, const uint32_t number[2])
{
    return number[0] < narrow->nearest_a ||
           (number[0] == narrow->nearest_a && number[1] < narrow->nearest_b);
}

static void note_distance(sc_narrow *narrow, const uint32_t number[2], const sc_triangle *a,
                          const sc_triangle *b, double gap)
{
    sc_closest closest = sc_tri_closest(a, b);
    narrow->way = sc_sub(closest.on_b, closest.on_a);
    double order_sq = order_of(closest.distance_sq, gap, a, b);

    if (order_sq < narrow->order_sq ||
        (order_sq == narrow->order_sq && has_lower_numbers(narrow, number))) {
        narrow->distance_sq = closest.distance_sq;
        narrow->order_sq = order_sq;
        narrow->nearest_a = number[0];
        narrow->nearest_b = number[1];
        narrow->nearest = closest;
    }
}

/* Of a pair that does not meet: whether it is flush, but for rounding. */
static void note_flush(sc_narrow *narrow, const facet_pair *pair)
{
    const sc_flush all_over = sc_flush_all_over(narrow->flush_within);
    bool opposed; /* as stored: shells may be inside out */
    if (narrow->flush_within > 0.0 &&
        sc_tri_flush_area(pair->v[0], pair->v[1], &all_over, &opposed) > 0.0) {
        narrow->out_of_memory |= !add_pair(&narrow->flush, numbers_of(pair));
    }
}

/* Whether they meet; then they are a hit. */
static sc_meeting meet(sc_narrow *narrow, const facet_pair *pair)
{
    sc_meeting meeting = sc_tri_meet(pair->v[0], pair->v[1]);
    narrow->exact_calls += sc_orient_exact_calls();
    if (meeting != SC_APART) {
        narrow->crossing_count += meeting == SC_CROSS;
        narrow->out_of_memory |= !add_pair(&narrow->hits, numbers_of(pair));
    } else {
        note_flush(narrow, pair);
    }
    return meeting;
}

/* What is measured across flush facets is shorter than the way between their points by less than
 * a factor of 2. */
double sc_narrow_least_bound(const sc_narrow *narrow)
{
    return 2.0 * narrow->flush_within;
}

/* The bound after some meeting. */
static double bound_after(const sc_narrow *narrow, sc_meeting meeting)
{
    bool settled = (meeting == SC_CROSS && narrow->stop_at_crossing) ||
                   (meeting != SC_APART && narrow->stop_at_touch);
    return settled || narrow->out_of_memory ? SC_STOP : sc_narrow_least_bound(narrow);
}

/* The bound after a look at the pair, of triangles a and b: the least once anything meets. */
static double look(sc_narrow *narrow, const facet_pair *pair, const sc_triangle *a,
                   const sc_triangle *b, bool may_meet, const sc_ties *ties, double bound)
{
    const double within = ties ? bound + 2.0 * rounding_of(a, b, bound) : bound;
    const double along = ties ? gap_of_ties(ties, a, b) : 0.0;
    if (along > bound || (along == bound && along * along == narrow->order_sq &&
                          !has_lower_numbers(narrow, pair->number))) {
        return bound;
    }
    if (sc_tri_farther(a, b, within, &narrow->way)) {
        return bound; /* too far to be flush, too */
    }
    if (may_meet || narrow->flush_within > 0.0) {
        const double gap = sc_max(gap_along_normal(a, b), gap_along_normal(b, a));
        if (may_meet && gap <= 0.0) {
            sc_meeting meeting = meet(narrow, pair);
            if (meeting != SC_APART) {
                return bound_after(narrow, meeting);
            }
        } else if (gap <= sc_narrow_least_bound(narrow)) {
            note_flush(narrow, pair);
        }
    }
    note_distance(narrow, pair->number, a, b, along);
    const double nearest = sqrt(narrow->order_sq);
    return sc_max(sc_narrow_least_bound(narrow), nearest < bound ? nearest : bound);
}

/* The pairs of triangles that both leaves have. */
static uint64_t pairs_of(const sc_leaf *a, const sc_leaf *b)
{
    const uint64_t rows = UINT64_MAX >> (64 - 8 * a->slab.count);
    return rows & ((UINT64_C(1) << b->slab.count) - 1) * UINT64_C(0x0101010101010101);
}

/* Those of them that may be within the limit, as far as the leaves, boxes and planes tell. */
static inline uint64_t candidates(const sc_narrow *narrow, const sc_leaf_pair *pair,
                                  const prepared *in_a, const prepared *in_b, float limit,
                                  sc_near_pairs *near)
{
    const sc_leaf *a = pair->a, *b = pair->b;
    uint64_t left = pair->among & pairs_of(a, b);
    left &=
        narrow->octets->near_slabs(corners_of(in_a), &a->slab, corners_of(in_b), &b->slab, limit);
    if (left != 0) {
        narrow->octets->near_pairs(boxes_of(narrow, in_a), boxes_of(narrow, in_b), left, limit,
                                   near);
        left = near->set;
    }
    if (left != 0) {
        left = sc_sift(narrow->octets, (sc_sifted_leaf){a, planes_of(narrow, in_a)},
                       (sc_sifted_leaf){b, planes_of(narrow, in_b)}, left, narrow->vertex_error,
                       limit);
    }
    return left;
}

/* ---- listing ------------------------------------------------------------- */

/* Whether all of one leaf is so near to all of the other, as their boxes tell. */
static bool leaves_are_within(const sc_narrow *narrow, const sc_leaf_pair *pair, double bound)
{
    const sc_fbox a = sc_octet_box(&sc_leaf_cluster(pair->a)->boxes, pair->a->slab.number);
    const sc_fbox b = sc_octet_box(&sc_leaf_cluster(pair->b)->boxes, pair->b->slab.number);
    const double within = bound * narrow->frame->scale * (1.0 - 0x1p-18);
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        const double above = (double)a.high[k] - (double)b.low[k];
        const double below = (double)b.high[k] - (double)a.low[k];
        square += sc_max(above * above, below * below);
    }
    return square <= within * within;
}

static bool vertices_are_within(const sc_vec3 a[3], const sc_vec3 b[3], double bound)
{
    bool within = false;
    for (int i = 0; i < 9 && !within; i++) {
        within = sc_length(sc_sub(a[i / 3], b[i % 3])) <= bound;
    }
    return within;
}

/* Whether a pair of triangles is. */
static bool are_within(sc_narrow *narrow, const prepared *in_a, int i, const prepared *in_b, int j,
                       bool may_meet, double bound)
{
    if (vertices_are_within(vertices_of(narrow, in_a, i), vertices_of(narrow, in_b, j), bound)) {
        return true;
    }
    const sc_triangle *a = triangle_of(narrow, in_a, i), *b = triangle_of(narrow, in_b, j);
    if (sc_tri_farther(a, b, bound, &narrow->way)) {
        return false;
    }
    if (may_meet && sc_tri_meet(a->v, b->v) != SC_APART) {
        return true;
    }
    const sc_closest closest = sc_tri_closest(a, b);
    narrow->way = sc_sub(closest.on_b, closest.on_a);
    return sqrt(closest.distance_sq) <= bound;
}

/* Lists pairs of the leaves that are within the bound. */
static double list_leaves(sc_narrow *narrow, const sc_leaf_pair *pair, float limit, double bound)
{
    const prepared in_a = prepared_leaf(narrow, 0, pair->a);
    const prepared in_b = prepared_leaf(narrow, 1, pair->b);
    const bool all = leaves_are_within(narrow, pair, bound);
    sc_near_pairs near;
    uint64_t left = all ? pair->among & pairs_of(pair->a, pair->b)
                        : candidates(narrow, pair, &in_a, &in_b, limit, &near);

    for (; left != 0 && !narrow->out_of_memory; left &= left - 1) {
        const int next = __builtin_ctzll(left), i = next / 8, j = next % 8;
        narrow->pair_count++;
        if (all || are_within(narrow, &in_a, i, &in_b, j, near.distance_sq[i][j] == 0.0f, bound)) {
            const uint64_t numbers = (uint64_t)number_of(&in_a, i) << 32 | number_of(&in_b, j);
            narrow->out_of_memory = !add_pair(&narrow->within, numbers);
        }
    }
    return narrow->out_of_memory || narrow->within.count > narrow->lists ? SC_STOP : bound;
}

/* ---- pairs of leaves ------------------------------------------------------ */

/* Compares the nearest pair by its gap, too, where it was found before there were ties. */
static void compare_by_gap(sc_narrow *narrow, const sc_ties *ties)
{
    sc_vec3 v[2][3];
    const uint32_t number[2] = {narrow->nearest_a, narrow->nearest_b};
    if (!isfinite(narrow->distance_sq)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        sc_triangle_vertices(narrow->facets[k], narrow->placement[k], number[k], v[k]);
    }
    const sc_triangle a = sc_triangle_make(v[0]), b = sc_triangle_make(v[1]);
    narrow->order_sq = order_of(narrow->distance_sq, gap_of_ties(ties, &a, &b), &a, &b);
}

/* For the thread to pass by what is tied with that. */
static void tell_ties(const sc_narrow *narrow, sc_ties *ties)
{
    ties->distance = sqrt(narrow->order_sq);
    ties->a = narrow->nearest_a;
    ties->b = narrow->nearest_b;
}

double sc_narrow_leaves(void *worker, const sc_leaf_pair *pair, float limit, double bound)
{
    sc_narrow *narrow = worker;
    if (!narrow->cache[1] && !make_caches(narrow)) {
        narrow->out_of_memory = true;
        return SC_STOP;
    }
    if (pair->among == 0) {
        if (pair->ties->compared) {
            compare_by_gap(narrow, pair->ties);
        }
        tell_ties(narrow, pair->ties);
        return sc_max(sc_narrow_least_bound(narrow), sc_min(bound, pair->ties->distance));
    }
    if (narrow->lists > 0) {
        return list_leaves(narrow, pair, limit, bound);
    }
    const prepared in_a = prepared_leaf(narrow, 0, pair->a);
    const prepared in_b = prepared_leaf(narrow, 1, pair->b);
    const sc_ties *ties = pair->ties->compared ? pair->ties : NULL;
    sc_near_pairs near;
    uint64_t left = candidates(narrow, pair, &in_a, &in_b, limit, &near);
    bool measured = false;
    for (; left != 0 && bound >= 0.0; left &= left - 1) { /* or SC_STOP */
        const int next = __builtin_ctzll(left), i = next / 8, j = next % 8;
        bool may_meet = near.distance_sq[i][j] == 0.0f; /* else they certainly share no point */
        narrow->pair_count++;
        measured = bound > 0.0 && narrow->hits.count == 0; /* else no distance counts */
        if (!measured && !may_meet && narrow->flush_within <= 0.0) {
            continue;
        }
        const facet_pair facets = pair_of(narrow, &in_a, i, &in_b, j);
        if (measured) {
            bound = look(narrow, &facets, triangle_of(narrow, &in_a, i),
                         triangle_of(narrow, &in_b, j), may_meet, ties, bound);
        } else if (may_meet) {
            bound = bound_after(narrow, meet(narrow, &facets));
        } else {
            note_flush(narrow, &facets);
        }
    }
    if (measured) {
        tell_ties(narrow, pair->ties);
    }
    return bound;
}

void sc_narrow_probe(sc_narrow *narrow, uint32_t a, uint32_t b)
{
    sc_vec3 va[3], vb[3];
    sc_triangle_vertices(narrow->facets[0], narrow->placement[0], a, va);
    sc_triangle_vertices(narrow->facets[1], narrow->placement[1], b, vb);
    sc_triangle ta = sc_triangle_make(va), tb = sc_triangle_make(vb);
    note_distance(narrow, (const uint32_t[2]){a, b}, &ta, &tb, 0.0);
}

/* Two digits of the keys take as long as time is to be kept by. */
bool sc_pairs_sort(sc_pair_list *list, sc_watch *watch)
{
    enum { ALL_BITS = 64, STEP = 20, FEW = 64 };
    uint64_t *scratch = sc_alloc(list->count, sizeof *scratch);
    const int step = list->count <= FEW ? ALL_BITS : STEP;

    for (int low = 0; scratch && low < ALL_BITS && !sc_watch_is_over(watch); low += step) {
        const int bits = ALL_BITS - low < step ? ALL_BITS - low : step;
        sc_sort_keys(list->pairs, scratch, list->count, low, bits);
    }
    sc_free(scratch);
    return scratch != NULL;
}

bool sc_narrow_join(sc_narrow *narrow, const sc_narrow *other)
{
    if (!add_pairs(&narrow->hits, &other->hits) || !add_pairs(&narrow->flush, &other->flush) ||
        !add_pairs(&narrow->within, &other->within)) {
        return false;
    }
    narrow->crossing_count += other->crossing_count;
    narrow->pair_count += other->pair_count;
    narrow->exact_calls += other->exact_calls;
    const uint32_t number[2] = {other->nearest_a, other->nearest_b};
    if (other->order_sq < narrow->order_sq ||
        (other->order_sq == narrow->order_sq && has_lower_numbers(narrow, number))) {
        narrow->distance_sq = other->distance_sq;
        narrow->order_sq = other->order_sq;
        narrow->nearest_a = other->nearest_a;
        narrow->nearest_b = other->nearest_b;
        narrow->nearest = other->nearest;
    }
    return true;
}
