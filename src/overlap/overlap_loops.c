/* overlap_loops.c - see overlap_loops.h.
 *
 * Its edges as far as they lie inside, and the segments in which it crosses facets of the other
 * part, with what is inside to the left: as many of these begin in each corner as end there. */
#include "overlap_loops.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"
#include "geom/angle.h"

/* Straight on from one corner to the next. */
typedef struct sc_stretch {
    size_t from, to; /* nodes */
    bool used;
} stretch;

static size_t node_of_crossing(const sc_overlap_loops *l, size_t crossing)
{
    return sc_pieces_crossing(l->crossings, sc_crossings_place(l->crossings, crossing));
}

/* ---- stretches --------------------------------------------------------------- */

/* So many times; backwards if less than none. */
static bool add_stretch(sc_overlap_loops *l, size_t from, size_t to, int times)
{
    const stretch s = times > 0 ? (stretch){from, to, false} : (stretch){to, from, false};
    const size_t more = (size_t)(times > 0 ? times : -times);

    if (from == to) {
        return true;
    }
    if (!sc_make_room(&l->stretches, &l->stretch_capacity, l->stretch_count + more,
                      sizeof *l->stretches)) {
        return false;
    }
    for (size_t i = 0; i < more; i++) {
        l->stretches[l->stretch_count++] = s;
    }
    l->covered_twice = l->covered_twice || more > 1;
    return true;
}

static bool add_edge(sc_overlap_loops *l, uint32_t from, uint32_t to)
{
    const sc_crossed_edge e = sc_crossings_of_edge(l->crossings, l->part, from, to);
    size_t node = sc_pieces_vertex(l->crossings, l->part, e.low);
    int winding = e.winding;
    bool good = true;

    for (size_t i = e.first; i < e.last && good; i++) {
        const size_t next = node_of_crossing(l, i);
        good = add_stretch(l, node, next, e.sign * winding);
        winding += l->crossings->crossings[i].enters;
        node = next;
    }
    const size_t high = sc_pieces_vertex(l->crossings, l->part, e.high);
    return good && add_stretch(l, node, high, e.sign * winding);
}

/* A segment runs with the inside to its left on the facet of A, to its right on that of B. */
static bool add_segments(sc_overlap_loops *l, uint32_t facet)
{
    const size_t count = l->crossings->segment_count;
    bool good = true;
    for (; l->next < count && l->segments[l->next] >> 32 == facet && good; l->next++) {
        const sc_segment *s = &l->crossings->segments[(uint32_t)l->segments[l->next]];
        good = add_stretch(l, node_of_crossing(l, s->start), node_of_crossing(l, s->end),
                           l->part == 0 ? 1 : -1);
    }
    return good;
}

static int by_start(const void *x, const void *y)
{
    const stretch *a = x, *b = y;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

static bool list_stretches(sc_overlap_loops *l, const sc_active *facet)
{
    bool good = true;
    l->stretch_count = 0;
    l->covered_twice = false;
    for (int k = 0; k < 3 && good; k++) {
        good = add_edge(l, facet->vertex[k], facet->vertex[(k + 1) % 3]);
    }
    return good && add_segments(l, facet->facet) &&
           sc_sort_items(l->stretches, l->stretch_count, sizeof *l->stretches, by_start,
                         l->crossings->solid[0]->watch);
}

/* ---- loops ------------------------------------------------------------------- */

/* How the facet is seen from outside. */
typedef struct view {
    int across, up;
    double sign;
} view;

static view view_of(const sc_overlap_loops *l, const sc_active *facet)
{
    const sc_vec3 *points = l->crossings->windings[l->part].points;
    const sc_vec3 v[3] = {points[facet->vertex[0]], points[facet->vertex[1]],
                          points[facet->vertex[2]]};
    const sc_vec3 normal = sc_area_twice(v);
    const int axis = sc_largest_axis(normal);
    return (view){(axis + 1) % 3, (axis + 2) % 3, sc_component(normal, axis) < 0.0 ? -1.0 : 1.0};
}

/* From the origin of the crossings. */
static sc_vec3 point_from_origin(const sc_overlap_loops *l, size_t node)
{
    const sc_crossings *x = l->crossings;
    const size_t crossing = sc_pieces_crossing(x, 0);
    if (node >= crossing) {
        return x->crossings[node - crossing].point;
    }
    const size_t vertex = node - sc_pieces_vertex(x, l->part, 0);
    return sc_sub(x->windings[l->part].points[vertex], x->origin);
}

static sc_flat flat_of(const sc_overlap_loops *l, const view *v, size_t node)
{
    const sc_vec3 p = point_from_origin(l, node);
    return (sc_flat){v->sign * sc_component(p, v->across), sc_component(p, v->up)};
}

static bool is_before(const void *item, const void *key)
{
    return ((const stretch *)item)->from < *(const size_t *)key;
}

/* By how much a way bends to the left: -pi .. pi. */
static double bend(sc_flat a, sc_flat b, sc_flat c)
{
    const sc_flat in = {b.x - a.x, b.y - a.y}, out = {c.x - b.x, c.y - b.y};
    const double cross = in.x * out.y - in.y * out.x, dot = in.x * out.x + in.y * out.y;
    return sc_atan2(cross, dot);
}

/* The stretch on which a way from one node to another goes on, or SIZE_MAX: the one most to the
 * left, so that a loop which meets itself in a corner does not cross itself there; or to the right,
 * so that what is covered twice has two loops about it. */
static size_t next_stretch(const sc_overlap_loops *l, const view *v, size_t from, size_t at)
{
    const size_t first =
        sc_lower_bound(l->stretches, l->stretch_count, sizeof *l->stretches, is_before, &at);
    size_t best = SIZE_MAX;
    double most = 0.0;
    for (size_t i = first; i < l->stretch_count && l->stretches[i].from == at; i++) {
        if (l->stretches[i].used) {
            continue;
        }
        if (best == SIZE_MAX && (i + 1 == l->stretch_count || l->stretches[i + 1].from != at)) {
            return i; /* as mostly */
        }
        const double left =
            bend(flat_of(l, v, from), flat_of(l, v, at), flat_of(l, v, l->stretches[i].to)) *
            (l->covered_twice ? -1.0 : 1.0);
        if (best == SIZE_MAX || left > most) {
            best = i;
            most = left;
        }
    }
    return best;
}

/* Where cracks left stretches that do not go on, a loop is closed straight. */
static bool follow(sc_overlap_loops *l, const view *v, size_t start)
{
    const size_t first = l->corner_count, begin = l->stretches[start].from;

    for (size_t i = start; i != SIZE_MAX;) {
        stretch *s = &l->stretches[i];
        s->used = true;
        if (!sc_make_room(&l->corners, &l->corner_capacity, l->corner_count + 1,
                          sizeof *l->corners)) {
            return false;
        }
        l->corners[l->corner_count++] = (sc_loop_corner){flat_of(l, v, s->from), s->from};
        i = s->to == begin ? SIZE_MAX : next_stretch(l, v, s->from, s->to);
    }
    if (!sc_make_room(&l->loops, &l->capacity, l->count + 1, sizeof *l->loops)) {
        return false;
    }
    l->loops[l->count++] = (sc_loop){first, l->corner_count, l->region_of[l->pieces->of[begin]]};
    return true;
}

static bool is_alone(const sc_overlap_loops *l, size_t i)
{
    const stretch *s = l->stretches;
    return (i == 0 || s[i - 1].from != s[i].from) &&
           (i + 1 == l->stretch_count || s[i + 1].from != s[i].from);
}

static int by_region(const void *x, const void *y)
{
    const sc_loop *a = x, *b = y;
    return a->region != b->region ? (a->region < b->region ? -1 : 1)
                                  : (a->first > b->first) - (a->first < b->first);
}

/* From corners that only one leaves, first: there it is plain where a loop ends. */
static bool chain(sc_overlap_loops *l, const view *v)
{
    sc_watch *watch = l->crossings->solid[0]->watch;
    l->corner_count = l->count = 0;
    for (int all = 0; all < 2; all++) {
        for (size_t i = 0; i < l->stretch_count; i++) {
            if (!l->stretches[i].used && (all || is_alone(l, i)) && !follow(l, v, i)) {
                return false;
            }
        }
    }
    return l->count < 2 || sc_sort_items(l->loops, l->count, sizeof *l->loops, by_region, watch);
}

/* ---- all of it --------------------------------------------------------------- */

bool sc_overlap_loops_begin(const sc_crossings *x, const sc_pieces *pieces,
                            const uint32_t *region_of, int part, sc_overlap_loops *loops)
{
    uint64_t *keys = sc_alloc(2 * x->segment_count, sizeof *keys);

    *loops = (sc_overlap_loops){
        .crossings = x, .pieces = pieces, .region_of = region_of, .part = part, .segments = keys};
    for (size_t i = 0; i < x->segment_count && keys; i++) {
        keys[i] = (uint64_t)x->segments[i].facet[part] << 32 | i;
    }
    if (keys) {
        sc_sort_keys(keys, keys + x->segment_count, x->segment_count, 32, 32);
    }
    return keys && x->segment_count <= UINT32_MAX;
}

void sc_overlap_loops_free(sc_overlap_loops *loops)
{
    sc_free(loops->corners);
    sc_free(loops->loops);
    sc_free(loops->stretches);
    sc_free(loops->segments);
    *loops = (sc_overlap_loops){.count = 0};
}

bool sc_overlap_loops_find(sc_overlap_loops *loops, const sc_active *facet)
{
    const view v = view_of(loops, facet);
    return list_stretches(loops, facet) && chain(loops, &v);
}

sc_vec3 sc_overlap_loops_point(const sc_overlap_loops *l, size_t node)
{
    const size_t crossing = sc_pieces_crossing(l->crossings, 0);
    return node < crossing ? l->crossings->windings[l->part]
                                 .points[node - sc_pieces_vertex(l->crossings, l->part, 0)]
                           : sc_add(point_from_origin(l, node), l->crossings->origin);
}
