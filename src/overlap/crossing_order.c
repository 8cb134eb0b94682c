/* crossing_order.c - see crossing_order.h. Sorted by what doubles say first; only where they leave
 * the order open, in whole numbers. */
#include "crossing_order.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "geom/integer.h"

#include <limits.h>

int sc_crossing_compare(const sc_crossing *a, const sc_crossing *b)
{
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    if (a->t != b->t) {
        return a->t < b->t ? -1 : 1;
    }
    return (a->facet > b->facet) - (a->facet < b->facet);
}

static int by_edge(const void *x, const void *y)
{
    return sc_crossing_compare(&((const sc_numbered_crossing *)x)->c,
                               &((const sc_numbered_crossing *)y)->c);
}

/* ---- in whole numbers -------------------------------------------------------- */

/* With N normal to the facet's plane, q on it, and the edge from u along w: it crosses the plane at
 * N.(q - u) / N.w, and where A moves by e d, e N.d / N.w further on if that is the plane of A, as
 * much before if the edge is. A centre moves q, or u and w, by d = +-(centre - q): the same. */
enum { HERE, CENTRE, FIRST_AXIS, ORDERS = FIRST_AXIS + 3 };

typedef struct place {
    sc_numbered_crossing item;
    sc_integer under;        /* N.w, made positive */
    sc_integer over[ORDERS]; /* by how much e counts: the first that differ decide */
} place;

typedef sc_integer integer3[3];

static void integer3_from(integer3 out, sc_vec3 p, int exponent)
{
    for (int k = 0; k < 3; k++) {
        sc_integer_from(&out[k], sc_component(p, k), exponent);
    }
}

enum { LOW, HIGH, CENTRE_AT, FACET, POINTS = FACET + 3 };

/* What the order of a crossing depends on. */
static void find_points(const sc_crossings *x, const sc_crossing *c, sc_vec3 p[POINTS])
{
    const sc_windings *in = &x->windings[c->part];
    const sc_shift *shift = &x->solid[0]->shift;
    p[LOW] = in->points[c->low];
    p[HIGH] = in->points[c->high];
    p[CENTRE_AT] = shift->towards != 0 ? shift->centre : (sc_vec3){0, 0, 0};
    sc_solid_facet(x->solid[1 - c->part], c->facet, p + FACET);
}

/* Of all points of these crossings: they must be measured alike. Once the time is over it means
 * nothing. */
static int lowest_bit(const sc_crossings *x, const sc_numbered_crossing *items, size_t count)
{
    sc_watch *watch = x->solid[0]->watch;
    int lowest = INT_MAX;
    for (size_t i = 0; i < count && !sc_watch_ends(watch, i); i++) {
        sc_vec3 p[POINTS];
        find_points(x, &items[i].c, p);
        for (int k = 0; k < POINTS; k++) {
            const double at[3] = {p[k].x, p[k].y, p[k].z};
            const int own = sc_integer_lowest_bit(at, 3);
            lowest = own < lowest ? own : lowest;
        }
    }
    return lowest;
}

static void find_place(const sc_crossings *x, const sc_numbered_crossing *item, int exponent,
                       place *to)
{
    const sc_shift *shift = &x->solid[0]->shift;
    const int way = item->c.part == 0 ? -1 : 1;
    sc_vec3 p[POINTS];
    integer3 at[POINTS], normal, from_low, to_centre;

    find_points(x, &item->c, p);
    for (int i = 0; i < POINTS; i++) {
        integer3_from(at[i], p[i], exponent);
    }
    sc_integer_difference(from_low, at[FACET], at[LOW]);
    sc_integer_difference(to_centre, at[CENTRE_AT], at[FACET]);
    sc_integer_difference(at[HIGH], at[HIGH], at[LOW]);
    sc_integer_difference(at[FACET + 1], at[FACET + 1], at[FACET]);
    sc_integer_difference(at[FACET + 2], at[FACET + 2], at[FACET]);
    for (int k = 0; k < 3; k++) {
        sc_integer_cross(&normal[k], at[FACET + 1], at[FACET + 2], k);
    }
    to->item = *item;
    sc_integer_dot(&to->under, normal, at[HIGH]);
    sc_integer_dot(&to->over[HERE], normal, from_low);
    sc_integer_dot(&to->over[CENTRE], normal, to_centre);
    to->over[CENTRE].sign *= way * shift->towards;
    for (int i = 0; i < 3; i++) {
        to->over[FIRST_AXIS + i] = normal[shift->axis[i]];
        to->over[FIRST_AXIS + i].sign *= way * shift->sign[i];
    }
    for (int i = 0; i < ORDERS; i++) {
        to->over[i].sign *= to->under.sign;
    }
    to->under.sign *= to->under.sign;
}

static int by_place(const void *x, const void *y)
{
    const place *a = *(const place *const *)x, *b = *(const place *const *)y;
    for (int i = 0; i < ORDERS; i++) {
        const int order = sc_integer_compare_ratios(&a->over[i], &a->under, &b->over[i], &b->under);
        if (order != 0) {
            return order;
        }
    }
    if (a->item.c.enters != b->item.c.enters) { /* of one plane */
        return a->item.c.enters > b->item.c.enters ? -1 : 1;
    }
    return (a->item.c.facet > b->item.c.facet) - (a->item.c.facet < b->item.c.facet);
}

static bool sort_exactly(const sc_crossings *x, sc_numbered_crossing *items, size_t count)
{
    sc_watch *watch = x->solid[0]->watch;
    place *places = sc_alloc(count, sizeof *places);
    place **order = sc_alloc(count, sizeof *order);
    const int exponent = lowest_bit(x, items, count);
    bool good = places && order && !sc_watch_is_over(watch);

    for (size_t i = 0; i < count && good; i++) {
        find_place(x, &items[i], exponent, &places[i]);
        order[i] = &places[i];
        good = !sc_watch_ends(watch, i);
    }
    good = good && sc_sort_items(order, count, sizeof *order, by_place, watch);
    for (size_t i = 0; i < count && good; i++) {
        items[i] = order[i]->item;
    }
    sc_free(order);
    sc_free(places);
    return good;
}

/* ---- all of it --------------------------------------------------------------- */

/* Both parameters are quotients of determinants that are within 2^-48 of themselves. */
static bool in_doubt(const sc_crossing *a, const sc_crossing *b)
{
    return a->high == b->high && b->t - a->t <= 0x1p-44 * b->t;
}

bool sc_crossing_sort(const sc_crossings *x, sc_numbered_crossing *items, size_t count)
{
    if (!sc_sort_items(items, count, sizeof *items, by_edge, x->solid[0]->watch)) {
        return false;
    }
    for (size_t first = 0, end; first < count; first = end) {
        bool several = false; /* not one crossing, seen from both facets at the edge */
        for (end = first + 1; end < count && in_doubt(&items[end - 1].c, &items[end].c); end++) {
            several |= items[end].c.facet != items[first].c.facet;
        }
        if (several && !sort_exactly(x, items + first, end - first)) {
            return false;
        }
    }
    return true;
}
