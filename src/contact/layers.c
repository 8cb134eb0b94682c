/* layers.c - see layers.h. What lies over each other is coplanar as it is stored, or as nearly as
 * rounding leaves it; its area is that of where it is placed, rounded. */
#include "layers.h"

#include "base/alloc.h"
#include "plane_figures.h"
#include "solids/surface.h"

#include <stdlib.h>
#include <string.h>

/* ---- what of an area counts ------------------------------------------------------------- */

/* One that lies in the plane of one of the pair, of the same solid. */
typedef struct layer {
    uint32_t facet;
    int side, way; /* whose it is; 1 or -1: as that one faces, or the other way */
    sc_seen_facet seen;
    sc_plane_line edge[3];
} layer;

typedef struct layers {
    layer *items;
    size_t count, capacity;
    uint64_t visited; /* facets looked at for them */
} layers;

/* How many face as the facet of the pair does, with it, and how many more than the other way. */
typedef struct tally {
    int along[2], more[2];
} tally;

/* How a polygon lies to a layer: the edge that goes through it, or one of these. */
enum { HELD = -1, OFF = -2 };

static int lies(const sc_polygon *p, const double low[2], const double high[2], const layer *l)
{
    int through = HELD;
    for (int k = 0; k < 2; k++) {
        if (low[k] >= l->seen.high[k] || high[k] <= l->seen.low[k]) {
            return OFF;
        }
    }
    for (int k = 0; k < 3; k++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < p->count; i++) {
            const double at = sc_plane_beside(&l->edge[k], p->corner[i]);
            least = sc_min(least, at);
            most = sc_max(most, at);
        }
        if (most <= l->edge[k].on) {
            return OFF;
        }
        if (least < -l->edge[k].on && through == HELD) {
            through = k;
        }
    }
    return through;
}

/* What counts of a piece on which the same layers lie all over. */
typedef double share(const tally *t);

static bool both_bound(const tally *t)
{
    return t->more[0] > 0 && t->more[1] > 0;
}

static double share_of_pair(const tally *t)
{
    return both_bound(t) ? 1.0 / ((double)t->along[0] * t->along[1]) : 0.0;
}

static double share_with_nothing_behind(const tally *t)
{
    return both_bound(t) ? (double)t->more[1] / t->along[1] : 0.0;
}

/* Halvings tell apart what lies here and there, unless they have just done so in vain; else, and
 * where few are left, edges do. So deep in pieces of pieces there is no more than rounding. */
enum { FEW = 4, MAX_DEPTH = 128 };

typedef struct state {
    tally tally;
    int depth;
    size_t halved; /* how many were left before the last halving; 0: was cut along an edge since */
} state;

/* A line that divides the polygon: along an edge through it where few are left, else in the middle
 * across its longer side. */
static sc_plane_line divider(const sc_polygon *p, const double low[2], const double high[2],
                             const sc_plane_line *edge, bool halve)
{
    if (p->count > SC_FLUSH_CORNERS) {
        const double *a = p->corner[0], *b = p->corner[p->count / 2];
        return (sc_plane_line){{a[0], a[1]}, {b[0] - a[0], b[1] - a[1]}, 0.0};
    }
    if (!halve) {
        return *edge;
    }
    const bool wide = high[0] - low[0] > high[1] - low[1];
    return (sc_plane_line){{0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])},
                           {wide ? 0.0 : 1.0, wide ? 1.0 : 0.0},
                           0.0};
}

/* A piece, and of how many layers some may lie on it and some not: the first of all. */
typedef struct piece {
    sc_polygon polygon;
    size_t count;
    state at;
} piece;

/* Those that are to be looked at, the next one last. No recursion, as a stack may be small. */
typedef struct pieces {
    piece *items;
    size_t count, capacity;
} pieces;

/* There is room for many corners, of which most have few. */
static void copy_polygon(sc_polygon *to, const sc_polygon *from)
{
    to->count = from->count;
    memcpy(to->corner, from->corner, (size_t)from->count * sizeof from->corner[0]);
}

static bool leave_piece(pieces *to, const sc_polygon *polygon, size_t count, const state *at)
{
    if (!sc_make_room(&to->items, &to->capacity, to->count + 1, sizeof *to->items)) {
        return false;
    }
    piece *p = &to->items[to->count++];
    copy_polygon(&p->polygon, polygon);
    p->count = count;
    p->at = *at;
    return true;
}

/* Adds what counts of it; or leaves its halves. The layers are put in another order, those that
 * still may lie on some of it the first. False if memory ran out. */
static bool add_piece(double *sum, share *counts, piece *p, const layer **of, pieces *rest)
{
    const sc_polygon *whole = &p->polygon;
    const double area = sc_polygon_area(whole);
    double low[2], high[2];
    size_t left = 0;

    if (!(area > 0.0) || p->at.depth == MAX_DEPTH) {
        return true;
    }
    sc_plane_span(whole->corner, whole->count, low, high);
    for (size_t i = 0; i < p->count; i++) {
        const layer *l = of[i];
        const int how = lies(whole, low, high, l);
        if (how == HELD) {
            p->at.tally.along[l->side] += l->way > 0;
            p->at.tally.more[l->side] += l->way;
        } else if (how != OFF) {
            of[i] = of[left];
            of[left++] = l;
        }
    }
    if (left == 0) {
        *sum += area * counts(&p->at.tally);
        return true;
    }
    const bool in_vain = p->at.halved > 0 && 4 * left > 3 * p->at.halved;
    const bool halve = left > FEW && !in_vain;
    /* Any of them, but not one that their order has first: else cuts may go one by one. */
    const layer *some = of[left * 40503u % 65536u % left];
    const sc_plane_line by =
        divider(whole, low, high, &some->edge[lies(whole, low, high, some)], halve);
    const state next = {p->at.tally, p->at.depth + 1, halve ? left : 0};
    sc_polygon side[2];
    sc_polygon_cut(whole, &by, side);
    return leave_piece(rest, &side[1], left, &next) && leave_piece(rest, &side[0], left, &next);
}

static bool add_pieces(double *sum, share *counts, const sc_polygon *whole, const layer **of,
                       size_t count)
{
    const state begin = {.tally = {{1, 1}, {1, 1}}};
    pieces rest = {.items = NULL};
    bool good = leave_piece(&rest, whole, count, &begin);

    while (good && rest.count > 0) {
        piece p;
        const piece *last = &rest.items[--rest.count];
        copy_polygon(&p.polygon, &last->polygon);
        p.count = last->count;
        p.at = last->at;
        good = add_piece(sum, counts, &p, of, &rest);
    }
    sc_free(rest.items);
    return good;
}

static int by_side_and_facet(const void *a, const void *b)
{
    const layer *x = a, *y = b;
    return x->side != y->side ? x->side - y->side : (x->facet > y->facet) - (x->facet < y->facet);
}

static bool measure(layers *on, const sc_flush_part *part, share *counts, double *area)
{
    const layer **of = sc_alloc(on->count + 1, sizeof *of);
    sc_polygon whole = {.count = part->count};
    if (!of) {
        return false;
    }
    memcpy(whole.corner, part->corner, (size_t)part->count * sizeof part->corner[0]);
    sc_plane_orient(whole.corner, whole.count);
    if (on->count > 1) { /* the walk comes to them in any order */
        qsort(on->items, on->count, sizeof *on->items, by_side_and_facet);
    }
    for (size_t i = 0; i < on->count; i++) {
        of[i] = &on->items[i];
    }
    double sum = 0.0;
    const bool good = add_pieces(&sum, counts, &whole, of, on->count);
    *area = sum / sc_flush_part_aslant(part);
    sc_free(of);
    return good;
}

/* ---- which they are --------------------------------------------------------------------- */

static void load_stored(const sc_solid *solid, uint32_t facet, sc_vec3 v[3])
{
    const bool turned = solid->orientation && solid->orientation[facet] < 0;
    float xyz[9];
    sc_facet_load(&solid->part->mesh->file.facets, facet, xyz);
    for (int k = 0; k < 3; k++) {
        const float *at = xyz + 3 * (turned ? 2 - k : k);
        v[k] = (sc_vec3){(double)at[0], (double)at[1], (double)at[2]};
    }
}

/* In search of those about one facet of the pair. */
typedef struct looking {
    const sc_solid *solid;
    const sc_flush_part *part;
    uint32_t facet;
    int side;
    sc_vec3 stored[3], placed[3];
    sc_flush rounding;
    layers *found;
    double reach; /* the largest coordinate of the part */
} looking;

/* Whether another one lies in its plane. */
static bool are_flush(const looking *l, const sc_vec3 stored[3], const sc_vec3 placed[3])
{
    bool opposed;
    return sc_tri_coplanar(l->stored, stored) ||
           (l->rounding.all_over > 0.0 &&
            sc_tri_flush_area(l->placed, placed, &l->rounding, &opposed) > 0.0);
}

static bool add_layer(void *context, uint32_t facet, const sc_vec3 placed[3])
{
    looking *l = context;
    layers *to = l->found;
    sc_vec3 v[3];

    if (facet == l->facet) {
        return true;
    }
    load_stored(l->solid, facet, v);
    if (!are_flush(l, v, placed)) {
        return true;
    }
    if (!sc_make_room(&to->items, &to->capacity, to->count + 1, sizeof *to->items)) {
        return false;
    }
    layer *one = &to->items[to->count++];
    *one = (layer){.facet = facet, .side = l->side, .way = 1};
    if (sc_dot(sc_area_twice(l->stored), sc_area_twice(v)) < 0.0) {
        one->way = -1;
    }
    for (int k = 0; k < 3; k++) {
        sc_flush_part_see(l->part, placed[k], one->seen.corner[k]);
    }
    sc_seen_facet_finish(&one->seen);
    for (int k = 0; k < 3; k++) {
        one->edge[k] = sc_seen_facet_edge(&one->seen, k, l->reach);
    }
    return true;
}

static double margin_of(const sc_contact_request *r)
{
    return sc_surface_margin(r->solid[0]->part, r->solid[1]->part);
}

/* About a facet of solid[side], where the box is. */
static bool find_layers(const sc_contact_request *r, int side, uint32_t facet,
                        const sc_flush_part *part, const sc_box *within, layers *found)
{
    sc_surface own = {.solid = r->solid[side], .margin = margin_of(r)};
    looking l = {.solid = own.solid,
                 .part = part,
                 .facet = facet,
                 .side = side,
                 .rounding = sc_flush_all_over(r->within.all_over),
                 .found = found};
    sc_walk walk = {
        .within = sc_box_grown(within, r->within.all_over), .facet = add_layer, .context = &l};

    for (int i = 0; i < part->count; i++) {
        l.reach = sc_max(l.reach, sc_max(fabs(part->corner[i][0]), fabs(part->corner[i][1])));
    }
    load_stored(own.solid, facet, l.stored);
    sc_solid_facet(own.solid, facet, l.placed);
    const bool good = sc_surface_walk(&own, &walk);
    found->visited += own.visited;
    return good;
}

static bool measure_pair(const sc_contact_request *r, const sc_contact_pair *pair, share *counts,
                         double *area, uint64_t *visited)
{
    const double margin = margin_of(r), beside = 1.25 * sc_flush_reach(&r->within) + margin;
    layers found = {.items = NULL};
    sc_flush_part part;
    bool good = true, opposed;

    *area = 0.0;
    sc_tri_flush_part(pair->v[0], pair->v[1], &r->within, &opposed, &part);
    for (int i = 0; i < 2 && good; i++) {
        const sc_box own = sc_box_of_points(pair->v[i], 3);
        const sc_box other = sc_box_of_points(pair->v[1 - i], 3);
        const sc_box about = sc_box_grown(&other, beside);
        sc_box within = sc_boxes_common(&own, &about);
        within = sc_box_grown(&within, margin);
        good = find_layers(r, i, pair->facet[i], &part, &within, &found);
    }
    good = good && measure(&found, &part, counts, area);
    *visited += found.visited;
    sc_free(found.items);
    return good;
}

bool sc_layers_touching(const sc_contact_request *r, const sc_contact_pair *pair, double *area,
                        uint64_t *visited)
{
    return measure_pair(r, pair, share_of_pair, area, visited);
}

bool sc_layers_with_nothing_behind(const sc_contact_request *r, const sc_contact_pair *pair,
                                   double *area, uint64_t *visited)
{
    return measure_pair(r, pair, share_with_nothing_behind, area, visited);
}

/* Of the area of a facet, what counts as nothing of it. */
static const double nearly_none = 1e-9;

bool sc_layers_is_fin(const sc_contact_request *r, int side, uint32_t facet, bool *fin,
                      uint64_t *visited)
{
    const sc_flush everywhere = sc_flush_all_over(sc_flush_reach(&r->within));
    layers found = {.items = NULL};
    sc_flush_part part;
    sc_vec3 v[3];
    bool opposed;
    double bounding = 0.0;

    sc_solid_facet(r->solid[side], facet, v);
    const sc_box within = sc_box_of_points(v, 3);
    const double area = sc_tri_flush_part(v, v, &everywhere, &opposed, &part);
    bool good = find_layers(r, side, facet, &part, &within, &found) &&
                measure(&found, &part, share_of_pair, &bounding);
    *visited += found.visited;
    sc_free(found.items);
    *fin = good && bounding <= nearly_none * area;
    return good;
}
