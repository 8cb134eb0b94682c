/* fans.c - see fans.h. */
#include "fans.h"

#include "base/alloc.h"
#include "base/groups.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "geom/angle.h"

/* A side of a facet. */
typedef struct side {
    uint32_t low, high;       /* its vertices */
    uint32_t at_low, at_high; /* the corners of its facet there */
    int way; /* 1: it is read from low to high, -1: from high to low, 0: it is none */
} side;

static side side_of(const sc_fan_facets *f, uint32_t facet, uint32_t k)
{
    const uint32_t from = 3 * facet + k, to = 3 * facet + (k + 1) % 3;
    const uint32_t a = f->vertex[from], b = f->vertex[to];
    return a < b ? (side){a, b, from, to, f->turned[facet]}
                 : (side){b, a, to, from, a == b ? 0 : -f->turned[facet]};
}

static int by_edge(const void *x, const void *y)
{
    const side *a = x, *b = y;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->at_low > b->at_low) - (a->at_low < b->at_low);
}

static uint32_t low_of(const void *sides, uint32_t i)
{
    return ((const side *)sides)[i].low;
}

static void sort_few(side *sides, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const side s = sides[i];
        size_t at = i;
        for (; at > 0 && by_edge(&s, &sides[at - 1]) < 0; at--) {
            sides[at] = sides[at - 1];
        }
        sides[at] = s;
    }
}

/* By one vertex all at once, then those at it by the other. False if memory or time ran out. */
static bool sort_by_edge(side **sides, size_t count, uint32_t vertices, sc_watch *watch)
{
    enum { FEW = 32 };
    sc_groups groups;
    bool good = sc_groups_order(sides, (uint32_t)count, sizeof **sides, vertices, low_of, &groups);
    for (uint32_t i = 0; i < vertices && good; i++) {
        side *of_vertex = *sides + groups.from[i];
        const size_t n = groups.from[i + 1] - groups.from[i];
        if (n <= FEW) {
            sort_few(of_vertex, n);
        } else {
            good = sc_sort_items(of_vertex, n, sizeof *of_vertex, by_edge, watch);
        }
    }
    sc_groups_free(&groups);
    return good;
}

static void join(uint32_t *parent, const side *a, const side *b)
{
    sc_union_join(parent, a->at_low, b->at_low);
    sc_union_join(parent, a->at_high, b->at_high);
}

/* Which way its facet lies from an edge, as an angle about that; seen with the edge pointing to the
 * eye it grows counterclockwise. */
static double angle_of(const sc_fan_facets *f, const side *s, sc_vec3 along)
{
    const uint32_t facet = s->at_low / 3, third = 9 * facet + 3 - s->at_low - s->at_high;
    const sc_vec3 out = sc_sub(f->place[f->vertex[third]], f->place[s->low]);
    const int axis = sc_largest_axis(along);
    const sc_vec3 other = {axis == 2 ? 1.0 : 0.0, axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0};
    const sc_vec3 x = sc_cross(other, along), y = sc_cross(along, x);
    return sc_atan2(sc_dot(out, sc_unit(y)), sc_dot(out, sc_unit(x)));
}

enum { MANY = 64 };

/* The angle between two facets, in radians, up to which they lie so. */
static const double back_to_back = 0x1p-20;

/* Of the sides that may be joined with one that is read along the edge: the next one where the
 * inside is, clockwise. That of a facet back to back with its own comes last: nothing is between
 * them. */
static size_t next_inside(const side *sides, const double *angle, const bool *joined, size_t count,
                          size_t of)
{
    size_t next = count;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double turn = angle[of] - angle[i];
        const double back = turn < back_to_back ? turn + 2.0 * SC_PI : turn;
        if (sides[i].way < 0 && !joined[i] && back < least) {
            least = back;
            next = i;
        }
    }
    return next;
}

/* False where there is no other one for each; then some are joined. */
static bool join_pairs(const sc_fan_facets *f, uint32_t *parent, const side *sides, size_t count)
{
    const sc_vec3 along = sc_sub(f->place[sides[0].high], f->place[sides[0].low]);
    double angle[MANY];
    bool joined[MANY] = {false};
    size_t pairs = 0;
    for (size_t i = 0; i < count; i++) {
        angle[i] = angle_of(f, &sides[i], along);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t next = sides[i].way > 0 ? next_inside(sides, angle, joined, count, i) : count;
        if (next < count) {
            joined[next] = true;
            join(parent, &sides[i], &sides[next]);
            pairs++;
        }
    }
    return 2 * pairs == count;
}

/* Two by two; very many, or what is no pairs, all together: so the surface stays closed in any
 * case. */
static void join_edge(const sc_fan_facets *f, uint32_t *parent, const side *sides, size_t count)
{
    const bool few = count > 2 && count <= MANY;
    if (few && join_pairs(f, parent, sides, count)) {
        return;
    }
    for (size_t i = 1; i < count; i++) {
        join(parent, &sides[0], &sides[i]);
    }
}

static void join_sides(const sc_fan_facets *f, uint32_t *parent, const side *sides, size_t count)
{
    for (size_t i = 0, n; i < count; i += n) {
        for (n = 1; i + n < count && sides[i + n].low == sides[i].low &&
                    sides[i + n].high == sides[i].high;) {
            n++;
        }
        join_edge(f, parent, &sides[i], n);
    }
}

/* The corners of an edge without length stay together, in facets that have no area. */
static size_t gather_sides(const sc_fan_facets *f, uint32_t *parent, side *sides)
{
    size_t count = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const side s = side_of(f, i, k);
            if (s.way != 0) {
                sides[count++] = s;
            } else {
                sc_union_join(parent, s.at_low, s.at_high);
            }
        }
    }
    return count;
}

bool sc_fans_find(const sc_fan_facets *facets, sc_watch *watch, uint32_t *fan, uint32_t *fans)
{
    const size_t corners = 3 * (size_t)facets->count;
    side *sides = sc_alloc(corners, sizeof *sides);
    uint32_t *parent = sc_union_make((uint32_t)corners);
    bool good = sides && parent;
    if (good) {
        const size_t count = gather_sides(facets, parent, sides);
        good = sort_by_edge(&sides, count, facets->vertices, watch);
        if (good) {
            join_sides(facets, parent, sides, count);
        }
    }
    *fans = 0;
    for (uint32_t i = 0; i < corners && good; i++) { /* a root is the least of its set */
        const uint32_t root = sc_union_root(parent, i);
        fan[i] = root == i ? (*fans)++ : fan[root];
    }
    sc_free(sides);
    sc_free(parent);
    return good;
}
