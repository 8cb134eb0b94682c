/* narrow.c - see narrow.h. */
#include "narrow.h"

#include "geom/orient.h"
#include "geom/tri_flush.h"
#include "geom/tri_intersect.h"
#include "pair.h"

/* ---- one narrow phase -------------------------------------------------------- */

void sc_narrow_init(sc_narrow *narrow)
{
    narrow->distance_sq = narrow->order_sq = INFINITY;
}

void sc_narrow_restart(sc_narrow *narrow)
{
    sc_leaves_forget(&narrow->leaves);
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
    sc_leaves_free(&narrow->leaves);
    sc_free(narrow->hits.pairs);
    sc_free(narrow->flush.pairs);
    *narrow = (sc_narrow){.hits = {NULL, 0, 0}};
}

/* ---- one pair ------------------------------------------------------------ */

/* Two facets as they lie in space, of A and of B. */
typedef struct facet_pair {
    uint32_t number[2];
    const sc_vec3 *v[2];
} facet_pair;

static facet_pair pair_of(const sc_leaves *leaves, const sc_prepared *a, int i,
                          const sc_prepared *b, int j)
{
    return (facet_pair){{sc_prepared_number(a, i), sc_prepared_number(b, j)},
                        {sc_prepared_vertices(leaves, a, i), sc_prepared_vertices(leaves, b, j)}};
}

/* As in a list of pairs. */
static uint64_t numbers_of(const facet_pair *pair)
{
    return sc_pair(pair->number[0], pair->number[1]);
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
        narrow->out_of_memory |= !sc_pairs_add(&narrow->flush, numbers_of(pair));
    }
}

/* Whether they meet; then they are a hit. */
static sc_meeting meet(sc_narrow *narrow, const facet_pair *pair)
{
    sc_meeting meeting = sc_tri_meet(pair->v[0], pair->v[1]);
    narrow->exact_calls += sc_orient_exact_calls();
    if (meeting != SC_APART) {
        narrow->crossing_count += meeting == SC_CROSS;
        narrow->out_of_memory |= !sc_pairs_add(&narrow->hits, numbers_of(pair));
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

/* Compares the nearest pair by its gap, too, where it was found before there were ties. */
static void compare_by_gap(sc_narrow *narrow, const sc_ties *ties)
{
    sc_vec3 v[2][3];
    const uint32_t number[2] = {narrow->nearest_a, narrow->nearest_b};
    if (!isfinite(narrow->distance_sq)) {
        return;
    }
    for (int k = 0; k < 2; k++) {
        sc_triangle_vertices(narrow->leaves.facets[k], narrow->leaves.placement[k], number[k],
                             v[k]);
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
    if (!sc_leaves_make_room(&narrow->leaves)) {
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
    const sc_leaves *leaves = &narrow->leaves;
    const sc_prepared in_a = sc_prepared_leaf(leaves, 0, pair->a);
    const sc_prepared in_b = sc_prepared_leaf(leaves, 1, pair->b);
    const sc_ties *ties = pair->ties->compared ? pair->ties : NULL;
    sc_near_pairs near;
    uint64_t left = sc_prepared_near(leaves, pair, &in_a, &in_b, limit, &near);
    bool measured = false;
    for (; left != 0 && bound >= 0.0; left &= left - 1) { /* or SC_STOP */
        const int next = __builtin_ctzll(left), i = next / 8, j = next % 8;
        bool may_meet = near.distance_sq[i][j] == 0.0f; /* else they certainly share no point */
        narrow->pair_count++;
        measured = bound > 0.0 && narrow->hits.count == 0; /* else no distance counts */
        if (!measured && !may_meet && narrow->flush_within <= 0.0) {
            continue;
        }
        const facet_pair facets = pair_of(leaves, &in_a, i, &in_b, j);
        if (measured) {
            bound = look(narrow, &facets, sc_prepared_triangle(leaves, &in_a, i),
                         sc_prepared_triangle(leaves, &in_b, j), may_meet, ties, bound);
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
    sc_triangle_vertices(narrow->leaves.facets[0], narrow->leaves.placement[0], a, va);
    sc_triangle_vertices(narrow->leaves.facets[1], narrow->leaves.placement[1], b, vb);
    sc_triangle ta = sc_triangle_make(va), tb = sc_triangle_make(vb);
    note_distance(narrow, (const uint32_t[2]){a, b}, &ta, &tb, 0.0);
}

bool sc_narrow_join(sc_narrow *narrow, sc_narrow *other)
{
    if (!sc_pairs_take(&narrow->hits, &other->hits) ||
        !sc_pairs_take(&narrow->flush, &other->flush)) {
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
