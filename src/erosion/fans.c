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

/* The one from a corner on. */
static side side_of(const sc_fan_facets *f, uint32_t corner)
{
    const uint32_t facet = corner / 3, to = 3 * facet + (corner + 1) % 3;
    const uint32_t a = f->vertex[corner], b = f->vertex[to];
    return a < b ? (side){a, b, corner, to, f->turned[facet]}
                 : (side){b, a, to, corner, a == b ? 0 : -f->turned[facet]};
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

static uint32_t low_vertex(const void *facets, uint32_t corner)
{
    return side_of(facets, corner).low;
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

/* False if memory or time ran out. */
static bool sort_by_edge(side *sides, size_t count, sc_watch *watch)
{
    enum { FEW = 32 };
    if (count > FEW) {
        return sc_sort_items(sides, count, sizeof *sides, by_edge, watch);
    }
    sort_few(sides, count);
    return true;
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
static size_t gather_sides(const sc_fan_facets *f, uint32_t *parent, const uint32_t *corner,
                           size_t corners, side *sides)
{
    size_t count = 0;
    for (size_t i = 0; i < corners; i++) {
        const side s = side_of(f, corner[i]);
        if (s.way != 0) {
            sides[count++] = s;
        } else {
            sc_union_join(parent, s.at_low, s.at_high);
        }
    }
    return count;
}

/* At one vertex after the other, the sides of which it is the lower one: so few at a time are
 * spelled out. */
static bool join_all(const sc_fan_facets *f, uint32_t *parent, const sc_groups *at, side *sides,
                     sc_watch *watch)
{
    bool good = true;
    for (uint32_t i = 0; i < f->vertices && good; i++) {
        const uint32_t first = at->from[i];
        const size_t count =
            gather_sides(f, parent, at->items + first, at->from[i + 1] - first, sides);
        good = sort_by_edge(sides, count, watch);
        if (good) {
            join_sides(f, parent, sides, count);
        }
    }
    return good;
}

static uint32_t largest_of(const sc_groups *at, uint32_t groups)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < groups; i++) {
        const uint32_t count = at->from[i + 1] - at->from[i];
        most = count > most ? count : most;
    }
    return most;
}

bool sc_fans_find(const sc_fan_facets *facets, sc_watch *watch, uint32_t *fan, uint32_t *fans)
{
    const uint32_t corners = 3 * facets->count;
    sc_groups at;
    bool good = sc_groups_make(corners, facets->vertices, low_vertex, facets, &at);
    side *sides = good ? sc_alloc(largest_of(&at, facets->vertices), sizeof *sides) : NULL;
    sc_union_begin(fan, corners);
    good = sides && join_all(facets, fan, &at, sides, watch);
    *fans = 0;
    for (uint32_t i = 0; i < corners && good; i++) { /* a parent comes before its children */
        fan[i] = fan[i] == i ? (*fans)++ : fan[fan[i]];
    }
    sc_free(sides);
    sc_groups_free(&at);
    return good;
}
