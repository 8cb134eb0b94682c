/* edge_crossing.c - see edge_crossing.h. */
#include "edge_crossing.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"
#include "geom/orient.h"
#include "pair.h"

enum { MAX_SHEETS = 16 }; /* of one part, at an edge */

/* At facets that might be at an edge. */
static const uint64_t most_looks = 50000000;

typedef struct pairs {
    sc_solid *const *solid;
    const uint64_t *by[2]; /* sorted; the facet of that part in the upper half */
    size_t count;
    uint64_t looks;
} pairs;

/* Where the pairs of a facet end, of which this is one. */
static size_t end_of(const pairs *p, int part, size_t first)
{
    size_t end = first;
    while (end < p->count &&
           sc_pair_facet(p->by[part][end], 0) == sc_pair_facet(p->by[part][first], 0)) {
        end++;
    }
    return end;
}

static bool is_of_former(const void *pair, const void *facet)
{
    return sc_pair_facet(*(const uint64_t *)pair, 0) < *(const uint32_t *)facet;
}

/* Where the pairs of a facet begin: it has some. */
static size_t first_of(const pairs *p, int part, uint32_t facet)
{
    return sc_lower_bound(p->by[part], p->count, sizeof *p->by[part], is_of_former, &facet);
}

/* ---- a stretch of an edge --------------------------------------------------- */

/* What leads away from an edge to one side: the facets that lie on each other there, as where a
 * surface is there twice. */
typedef struct sheet {
    sc_vec3 third; /* corner of one of them */
    int ways;      /* how many have the edge forwards, less those that have it backwards */
} sheet;

/* Along an edge, from where to where all facets that were found there have it in common; and where
 * these lead. */
typedef struct stretch {
    sc_vec3 from, to;
    int axis;                   /* along which it is longest */
    sheet sheet[2][MAX_SHEETS]; /* [0] of the part whose edge it is */
    int count[2];
    bool too_many;
} stretch;

static bool is_on_line(const stretch *s, sc_vec3 p)
{
    return sc_orient2d(s->from, s->to, p, 0) == 0 && sc_orient2d(s->from, s->to, p, 1) == 0 &&
           sc_orient2d(s->from, s->to, p, 2) == 0;
}

static double along(const stretch *s, sc_vec3 p)
{
    return sc_component(p, s->axis);
}

static stretch stretch_of(sc_vec3 p, sc_vec3 q)
{
    stretch s = {.axis = sc_largest_axis(sc_sub(q, p))};
    bool forwards = along(&s, p) < along(&s, q);
    s.from = forwards ? p : q;
    s.to = forwards ? q : p;
    return s;
}

/* Whether the half planes from the line of the stretch to two points are the same. */
static bool is_same_sheet(const stretch *s, sc_vec3 a, sc_vec3 b)
{
    bool same = sc_orient3d(s->from, s->to, a, b) == 0;
    for (int axis = 0; axis < 3 && same; axis++) {
        same = sc_orient2d(s->from, s->to, a, axis) == sc_orient2d(s->from, s->to, b, axis);
    }
    return same;
}

static void add_to_sheet(stretch *s, int side, sc_vec3 third, int way)
{
    int i = 0;
    while (i < s->count[side] && !is_same_sheet(s, s->sheet[side][i].third, third)) {
        i++;
    }
    if (i == MAX_SHEETS) {
        s->too_many = true;
        return;
    }
    if (i == s->count[side]) {
        s->sheet[side][s->count[side]++] = (sheet){third, 0};
    }
    s->sheet[side][i].ways += way;
}

/* A facet with an edge that has some of the stretch: that is what is left of it. */
static void add_facet(stretch *s, int side, const sc_vec3 v[3])
{
    for (int k = 0; k < 3; k++) {
        sc_vec3 p = v[k], q = v[(k + 1) % 3], third = v[(k + 2) % 3];
        if (!is_on_line(s, p) || !is_on_line(s, q) || is_on_line(s, third)) {
            continue;
        }
        const int way = along(s, p) > along(s, q) ? -1 : 1;
        if (way < 0) {
            sc_vec3 t = p;
            p = q;
            q = t;
        }
        sc_vec3 from = along(s, p) > along(s, s->from) ? p : s->from;
        sc_vec3 to = along(s, q) < along(s, s->to) ? q : s->to;
        if (!(along(s, from) < along(s, to))) {
            continue;
        }
        s->from = from;
        s->to = to;
        add_to_sheet(s, side, third, way);
    }
}

static void add_facets(stretch *s, int side, pairs *p, int part, uint32_t facet)
{
    const size_t first = first_of(p, part, facet), end = end_of(p, part, first);
    p->looks += end - first;
    for (size_t i = first; i < end && !s->too_many && p->looks <= most_looks; i++) {
        sc_vec3 v[3];
        sc_solid_facet(p->solid[1 - part], sc_pair_facet(p->by[part][i], 1), v);
        add_facet(s, side, v);
    }
}

/* ---- which sides ------------------------------------------------------------ */

/* Whether some of the stretch lies inside a facet, in the plane of which it is: no line divides
 * them. */
static bool is_within(const stretch *s, const sc_vec3 t[3])
{
    int axis = 0, turn = 0;
    for (; axis < 3 && turn == 0; axis++) {
        turn = sc_orient2d(t[0], t[1], t[2], axis);
    }
    axis--;
    bool above = false, below = false;
    for (int k = 0; k < 3; k++) {
        const sc_vec3 a = t[k], b = t[(k + 1) % 3];
        if (turn * sc_orient2d(a, b, s->from, axis) <= 0 &&
            turn * sc_orient2d(a, b, s->to, axis) <= 0) {
            return false;
        }
        int side = sc_orient2d(s->from, s->to, a, axis);
        above = above || side > 0;
        below = below || side < 0;
    }
    return above && below;
}

/* The sheets that lead somewhere, all their ways added up. */
typedef struct bundle {
    int count, ways;
} bundle;

static void add_to_bundle(bundle *b, const sheet *one)
{
    b->count++;
    b->ways += one->ways;
}

/* Whether one of them goes on in one of the others. With an odd number on both sides they cannot
 * all turn back; nor can they where more come in than go out, the same way round. */
static bool goes_through(const bundle *a, const bundle *b)
{
    return (a->count % 2 == 1 && b->count % 2 == 1) || (a->ways < 0 && b->ways > 0) ||
           (a->ways > 0 && b->ways < 0);
}

/* Whether a sheet leads from one side of a plane to the other, and none along it. */
static bool divides(const sc_vec3 t[3], const stretch *s)
{
    bundle bundles[3] = {{0, 0}};
    for (int i = 0; i < s->count[0]; i++) {
        const sheet *own = &s->sheet[0][i];
        add_to_bundle(&bundles[1 + sc_orient3d(t[0], t[1], t[2], own->third)], own);
    }
    return bundles[1].count == 0 && goes_through(&bundles[0], &bundles[2]);
}

/* Of half planes that begin in the stretch: whether that of w comes after that of a and before that
 * of b, turning; *flush: it is one of them. */
static bool is_between(const stretch *s, sc_vec3 a, sc_vec3 b, sc_vec3 w, bool *flush)
{
    const int ab = sc_orient3d(s->from, s->to, a, b), aw = sc_orient3d(s->from, s->to, a, w),
              wb = sc_orient3d(s->from, s->to, w, b);
    if ((aw == 0 && ab == wb) || (wb == 0 && ab == aw)) {
        *flush = true; /* of opposite half planes, the signs towards a third one differ */
    }
    if (ab == 0) { /* opposite to each other */
        return aw > 0;
    }
    return ab > 0 ? aw > 0 && wb > 0 : !(aw <= 0 && wb <= 0);
}

/* The same on either side of two sheets that meet in the edge. */
static bool divide(const stretch *s)
{
    const sheet *of_other = s->sheet[1];
    bundle between = {0, 0}, beside = {0, 0};
    bool flush = false;
    for (int i = 0; i < s->count[0]; i++) {
        const sheet *own = &s->sheet[0][i];
        bool is_in = is_between(s, of_other[0].third, of_other[1].third, own->third, &flush);
        add_to_bundle(is_in ? &between : &beside, own);
    }
    return !flush && goes_through(&between, &beside);
}

/* ---- all pairs -------------------------------------------------------------- */

/* The edge of a facet that lies in the plane of t, while the facet does not: its first corner;
 * *side, on which the facet lies. -1 if there is none. */
static int edge_in_plane(const sc_vec3 t[3], const sc_vec3 v[3], int *side)
{
    int sign[3], edge = -1;
    sc_orient3d_of_three(t, v, sign);
    for (int k = 0; k < 3; k++) {
        if (sign[k] == 0 && sign[(k + 1) % 3] == 0 && sign[(k + 2) % 3] != 0) {
            edge = k;
            *side = sign[(k + 2) % 3];
        }
    }
    return edge;
}

/* Whether the surface of one part crosses that of the other along edges of `facet` of part `own`
 * that lie in the plane of `other`. */
static sc_deep crosses(pairs *p, int own, uint32_t facet, uint32_t other)
{
    sc_vec3 v[3], t[3];
    int side;

    sc_solid_facet(p->solid[own], facet, v);
    sc_solid_facet(p->solid[1 - own], other, t);
    int edge = edge_in_plane(t, v, &side);
    if (edge < 0) {
        return SC_NOT_DEEP;
    }
    stretch s = stretch_of(v[edge], v[(edge + 1) % 3]);
    add_facets(&s, 0, p, 1 - own, other);
    add_facets(&s, 1, p, own, facet);
    if (s.too_many || p->looks > most_looks) {
        return SC_DEEP_UNKNOWN;
    }
    bool found = s.count[0] < 2    ? false
                 : s.count[1] == 0 ? is_within(&s, t) && divides(t, &s)
                 : s.count[1] == 2 ? divide(&s)
                                   : false;
    return found ? SC_DEEP : SC_NOT_DEEP;
}

/* Whether facets lead from the plane of t to either side: where surfaces cross along an edge of two
 * facets, they do so from one of these at least. */
static bool leads_to_both_sides(const pairs *p, int part, uint32_t facet, size_t first, size_t end)
{
    bool above = false, below = false;
    sc_vec3 t[3];
    sc_solid_facet(p->solid[part], facet, t);
    for (size_t i = first; i < end && !(above && below); i++) {
        sc_vec3 v[3];
        int side = 0;
        sc_solid_facet(p->solid[1 - part], sc_pair_facet(p->by[part][i], 1), v);
        if (edge_in_plane(t, v, &side) >= 0) {
            above = above || side > 0;
            below = below || side < 0;
        }
    }
    return above && below;
}

/* Along edges that lie in the planes of facets of one part. */
static sc_deep crosses_facets(pairs *p, int part)
{
    sc_deep found = SC_NOT_DEEP;
    sc_watch *watch = p->solid[0]->watch;
    for (size_t first = 0, end; first < p->count && found == SC_NOT_DEEP; first = end) {
        if (sc_watch_is_over(watch)) {
            return SC_DEEP_UNKNOWN;
        }
        const uint32_t facet = sc_pair_facet(p->by[part][first], 0);
        end = end_of(p, part, first);
        if (!leads_to_both_sides(p, part, facet, first, end)) {
            continue;
        }
        for (size_t k = first; k < end && found == SC_NOT_DEEP; k++) {
            found = sc_watch_ends(watch, k)
                        ? SC_DEEP_UNKNOWN
                        : crosses(p, 1 - part, sc_pair_facet(p->by[part][k], 1), facet);
        }
    }
    return found;
}

/* hits with the facets the other way round, sorted; the caller frees them. */
static uint64_t *swapped(const uint64_t *hits, size_t count)
{
    uint64_t *keys = sc_alloc(2 * count, sizeof *keys);
    for (size_t i = 0; keys && i < count; i++) {
        keys[i] = sc_pair_turned(hits[i]);
    }
    if (keys) {
        sc_sort_keys(keys, keys + count, count, 32, 32);
    }
    return keys;
}

bool sc_crosses_along_edges(sc_solid *const solid[2], const uint64_t *hits, size_t count,
                            sc_deep *found)
{
    uint64_t *turned = swapped(hits, count);
    pairs p = {.solid = solid, .by = {hits, turned}, .count = count};

    *found = SC_NOT_DEEP;
    for (int part = 0; part < 2 && turned && *found == SC_NOT_DEEP; part++) {
        *found = crosses_facets(&p, part);
    }
    sc_free(turned);
    return turned != NULL;
}
