/* layers.c - see layers.h. What lies over each other is told as stored, where what was coplanar
 * still is; its area from where it is placed, rounded. */
#include "layers.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* ---- convex polygons, counter-clockwise ------------------------------------------------- */

/* A cut adds a corner; what has too many is cut in two across. */
enum { MAX_CORNERS = SC_FLUSH_CORNERS + 4 };

typedef struct polygon {
    int count;
    double corner[MAX_CORNERS][2];
} polygon;

/* To the left of it. */
typedef struct line {
    double at[2], way[2];
    double on; /* what is no farther off may be on it as well, but for rounding */
} line;

static double beside(const line *l, const double p[2])
{
    return l->way[0] * (p[1] - l->at[1]) - l->way[1] * (p[0] - l->at[0]);
}

/* corners: x, y of each, as in the functions below. */
static double twice_area(const double *corners, int count)
{
    double twice = 0.0;
    for (int i = 2; i < count; i++) {
        const double *a = corners, *b = corners + 2 * (i - 1), *c = b + 2;
        twice += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }
    return twice;
}

static double area_of(const polygon *p)
{
    return 0.5 * fabs(twice_area(p->corner[0], p->count));
}

static void turn_round(double *corners, int count)
{
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        double kept[2];
        memcpy(kept, corners + 2 * i, sizeof kept);
        memcpy(corners + 2 * i, corners + 2 * k, sizeof kept);
        memcpy(corners + 2 * k, kept, sizeof kept);
    }
}

static void add_corner(polygon *p, const double at[2])
{
    if (p->count < MAX_CORNERS) {
        memcpy(p->corner[p->count++], at, sizeof p->corner[0]);
    }
}

/* What of it is to the left of a line, and to the right. */
static void cut(const polygon *p, const line *l, polygon side[2])
{
    side[0].count = side[1].count = 0;
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[i + 1 < p->count ? i + 1 : 0];
        const double sa = beside(l, a), sb = beside(l, b);
        if (sa >= 0.0) {
            add_corner(&side[0], a);
        }
        if (sa <= 0.0) {
            add_corner(&side[1], a);
        }
        if ((sa > 0.0 && sb < 0.0) || (sa < 0.0 && sb > 0.0)) {
            const double t = sa / (sa - sb);
            const double on[2] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])};
            add_corner(&side[0], on);
            add_corner(&side[1], on);
        }
    }
}

static void span_of(const double *corners, int count, double low[2], double high[2])
{
    for (int k = 0; k < 2; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (int i = 0; i < count; i++) {
            low[k] = sc_min(low[k], corners[2 * i + k]);
            high[k] = sc_max(high[k], corners[2 * i + k]);
        }
    }
}

/* ---- layers ----------------------------------------------------------------------------- */

/* A facet as it is seen. */
typedef struct seen {
    double corner[3][2], low[2], high[2];
} seen;

/* One that lies in the plane of one of the pair, of the same solid. */
typedef struct layer {
    uint32_t facet;
    int side, way; /* whose it is; 1 or -1: as that one faces, or the other way */
    seen seen;
    line edge[3];
} layer;

typedef struct layers {
    layer *items;
    size_t count, capacity;
} layers;

/* How many face as the facet of the pair does, with it, and how many more than the other way. */
typedef struct tally {
    int along[2], more[2];
} tally;

/* Where rounding may have put a corner, of the largest coordinate. */
static const double rounding = 0x1p-44;

static void finish_seen(seen *s)
{
    if (twice_area(s->corner[0], 3) < 0.0) {
        turn_round(s->corner[0], 3);
    }
    span_of(s->corner[0], 3, s->low, s->high);
}

static double reach_of(const double low[2], const double high[2])
{
    return sc_max(sc_max(fabs(low[0]), fabs(high[0])), sc_max(fabs(low[1]), fabs(high[1])));
}

/* `reach`: the largest coordinate of what is held against it. */
static line edge_of(const seen *s, int k, double reach)
{
    const double *from = s->corner[k], *to = s->corner[k < 2 ? k + 1 : 0];
    line e = {{from[0], from[1]}, {to[0] - from[0], to[1] - from[1]}, 0.0};
    reach = sc_max(reach, reach_of(s->low, s->high));
    e.on = rounding * reach * (fabs(e.way[0]) + fabs(e.way[1]));
    return e;
}

/* How a polygon lies to a layer: the edge that goes through it, or one of these. */
enum { HELD = -1, OFF = -2 };

static int lies(const polygon *p, const double low[2], const double high[2], const layer *l)
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
            const double at = beside(&l->edge[k], p->corner[i]);
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
static double share_of(const tally *t)
{
    return t->more[0] > 0 && t->more[1] > 0 ? 1.0 / ((double)t->along[0] * t->along[1]) : 0.0;
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
static line divider(const polygon *p, const double low[2], const double high[2], const line *edge,
                    bool halve)
{
    if (p->count > SC_FLUSH_CORNERS) {
        const double *a = p->corner[0], *b = p->corner[p->count / 2];
        return (line){{a[0], a[1]}, {b[0] - a[0], b[1] - a[1]}, 0.0};
    }
    if (!halve) {
        return *edge;
    }
    const bool wide = high[0] - low[0] > high[1] - low[1];
    return (line){{0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])},
                  {wide ? 0.0 : 1.0, wide ? 1.0 : 0.0},
                  0.0};
}

/* Of the layers of which some may lie on the polygon and some not: these are put in another order,
 * those that still may the first. */
static void add_pieces(double *sum, const polygon *p, const layer **of, size_t count, state at)
{
    const double area = area_of(p);
    double low[2], high[2];
    size_t left = 0;

    if (!(area > 0.0) || at.depth == MAX_DEPTH) {
        return;
    }
    span_of(p->corner[0], p->count, low, high);
    for (size_t i = 0; i < count; i++) {
        const layer *l = of[i];
        const int how = lies(p, low, high, l);
        if (how == HELD) {
            at.tally.along[l->side] += l->way > 0;
            at.tally.more[l->side] += l->way;
        } else if (how != OFF) {
            of[i] = of[left];
            of[left++] = l;
        }
    }
    if (left == 0) {
        *sum += area * share_of(&at.tally);
        return;
    }
    const bool in_vain = at.halved > 0 && 4 * left > 3 * at.halved;
    const bool halve = left > FEW && !in_vain;
    /* Any of them, but not one that their order has first: else cuts may go one by one. */
    const layer *some = of[left * 40503u % 65536u % left];
    const line by = divider(p, low, high, &some->edge[lies(p, low, high, some)], halve);
    const state next = {at.tally, at.depth + 1, halve ? left : 0};
    polygon side[2];
    cut(p, &by, side);
    for (int k = 0; k < 2; k++) {
        add_pieces(sum, &side[k], of, left, next);
    }
}

static int by_side_and_facet(const void *a, const void *b)
{
    const layer *x = a, *y = b;
    return x->side != y->side ? x->side - y->side : (x->facet > y->facet) - (x->facet < y->facet);
}

static bool measure(layers *on, const sc_flush_part *part, double *area)
{
    const layer **of = sc_alloc(on->count + 1, sizeof *of);
    polygon whole = {.count = part->count};
    if (!of) {
        return false;
    }
    memcpy(whole.corner, part->corner, (size_t)part->count * sizeof part->corner[0]);
    if (twice_area(whole.corner[0], whole.count) < 0.0) {
        turn_round(whole.corner[0], whole.count);
    }
    if (on->count > 1) { /* the walk comes to them in any order */
        qsort(on->items, on->count, sizeof *on->items, by_side_and_facet);
    }
    for (size_t i = 0; i < on->count; i++) {
        of[i] = &on->items[i];
    }
    double sum = 0.0;
    add_pieces(&sum, &whole, of, on->count, (state){.tally = {{1, 1}, {1, 1}}});
    *area = sum / sc_flush_part_aslant(part);
    sc_free(of);
    return true;
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
    sc_vec3 stored[3];
    layers *found;
    double reach; /* the largest coordinate of the part */
} looking;

static bool add_layer(void *context, uint32_t facet, const sc_vec3 placed[3])
{
    looking *l = context;
    layers *to = l->found;
    sc_vec3 v[3];

    if (facet == l->facet) {
        return true;
    }
    load_stored(l->solid, facet, v);
    if (!sc_tri_coplanar(l->stored, v)) {
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
    finish_seen(&one->seen);
    for (int k = 0; k < 3; k++) {
        one->edge[k] = edge_of(&one->seen, k, l->reach);
    }
    return true;
}

/* About one facet of the pair, where the box is. */
static bool find_layers(const sc_layers_pair *pair, int side, const sc_flush_part *part,
                        const sc_box *within, layers *found)
{
    sc_surface *own = pair->own[side];
    looking l = {.solid = own->solid,
                 .part = part,
                 .facet = pair->facet[side],
                 .side = side,
                 .found = found};
    sc_walk walk = {.within = *within, .facet = add_layer, .context = &l};

    for (int i = 0; i < part->count; i++) {
        l.reach = sc_max(l.reach, sc_max(fabs(part->corner[i][0]), fabs(part->corner[i][1])));
    }
    load_stored(own->solid, pair->facet[side], l.stored);
    return sc_surface_walk(own, &walk);
}

bool sc_layers_touching(const sc_layers_pair *pair, const sc_flush_part *part, double *area)
{
    layers found = {.items = NULL};
    bool good = true;

    *area = 0.0;
    for (int i = 0; i < 2 && good; i++) {
        const sc_box own = sc_box_of_points(pair->v[i], 3);
        const sc_box other = sc_box_of_points(pair->v[1 - i], 3);
        const double beside = 1.25 * pair->reach + pair->own[i]->margin;
        const sc_box about = sc_box_grown(&other, beside);
        sc_box within = sc_boxes_common(&own, &about);
        within = sc_box_grown(&within, pair->own[i]->margin);
        good = find_layers(pair, i, part, &within, &found);
    }
    good = good && measure(&found, part, area);
    sc_free(found.items);
    return good;
}

/* Of the area of a facet, what counts as nothing of it. */
static const double nearly_none = 1e-9;

static bool is_fin(const sc_layers_pair *pair, int side, bool *fin)
{
    const sc_flush everywhere = sc_flush_all_over(pair->reach);
    const sc_vec3 *v = pair->v[side];
    const sc_box within = sc_box_of_points(v, 3);
    layers found = {.items = NULL};
    sc_flush_part part;
    bool opposed;
    double bounding = 0.0;

    const double area = sc_tri_flush_part(v, v, &everywhere, &opposed, &part);
    bool good =
        find_layers(pair, side, &part, &within, &found) && measure(&found, &part, &bounding);
    sc_free(found.items);
    *fin = good && bounding <= nearly_none * area;
    return good;
}

bool sc_layers_some_fin(const sc_layers_pair *pair, bool *fin)
{
    bool good = is_fin(pair, 0, fin);
    if (good && !*fin) {
        good = is_fin(pair, 1, fin);
    }
    return good;
}

/* ---- which facets may have any ---------------------------------------------------------- */

/* Facets as they are seen along an axis, and the cells that they are sorted into. */
typedef struct sheet {
    seen *seen; /* [count] */
    uint32_t count;
    bool *marked;    /* [count] */
    uint32_t *first; /* [cells x cells + 1] */
    uint32_t *items; /* in cells */
    uint32_t cells;
    double low[2], size[2]; /* of a cell */
} sheet;

/* Whether an edge of a has b beyond it. */
static bool beyond_edge(const seen *a, const seen *b)
{
    const double reach = reach_of(b->low, b->high);
    for (int k = 0; k < 3; k++) {
        const line e = edge_of(a, k, reach);
        if (beside(&e, b->corner[0]) <= e.on && beside(&e, b->corner[1]) <= e.on &&
            beside(&e, b->corner[2]) <= e.on) {
            return true;
        }
    }
    return false;
}

static bool overlie(const seen *a, const seen *b)
{
    return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] &&
           b->low[1] < a->high[1] && !beyond_edge(a, b) && !beyond_edge(b, a);
}

/* items: NULL: the first ones. */
static void mark_among(const sheet *s, const uint32_t *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            const uint32_t a = items ? items[i] : i, b = items ? items[k] : k;
            if (!(s->marked[a] && s->marked[b]) && overlie(&s->seen[a], &s->seen[b])) {
                s->marked[a] = s->marked[b] = true;
            }
        }
    }
}

typedef struct cells {
    uint32_t low[2], high[2];
} cells;

static uint32_t cell_of(const sheet *s, int axis, double at)
{
    const double cell = s->size[axis] > 0.0 ? (at - s->low[axis]) / s->size[axis] : 0.0;
    return cell < s->cells ? (uint32_t)sc_max(cell, 0.0) : s->cells - 1;
}

static cells cells_of(const sheet *s, uint32_t item)
{
    cells c;
    for (int k = 0; k < 2; k++) {
        c.low[k] = cell_of(s, k, s->seen[item].low[k]);
        c.high[k] = cell_of(s, k, s->seen[item].high[k]);
    }
    return c;
}

/* Where those of each cell end; false if there are many, or many pairs, for so many facets. */
static bool count_in_cells(sheet *s)
{
    const uint64_t few = 64, most = few * s->count;
    uint64_t items = 0, pairs = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const cells c = cells_of(s, i);
        items += (uint64_t)(c.high[0] - c.low[0] + 1) * (c.high[1] - c.low[1] + 1);
        if (items > most || items > UINT32_MAX || pairs > most) {
            return false;
        }
        for (uint32_t y = c.low[1]; y <= c.high[1]; y++) {
            for (uint32_t x = c.low[0]; x <= c.high[0]; x++) {
                pairs += s->first[y * s->cells + x]++;
            }
        }
    }
    for (uint32_t i = 1; i <= s->cells * s->cells; i++) {
        s->first[i] += s->first[i - 1];
    }
    return pairs <= most;
}

static void put_into_cells(sheet *s)
{
    for (uint32_t i = s->count; i-- > 0;) {
        const cells c = cells_of(s, i);
        for (uint32_t y = c.low[1]; y <= c.high[1]; y++) {
            for (uint32_t x = c.low[0]; x <= c.high[0]; x++) {
                s->items[--s->first[y * s->cells + x]] = i;
            }
        }
    }
}

static void lay_cells(sheet *s)
{
    double high[2] = {-INFINITY, -INFINITY};
    s->low[0] = s->low[1] = INFINITY;
    for (uint32_t i = 0; i < s->count; i++) {
        for (int k = 0; k < 2; k++) {
            s->low[k] = sc_min(s->low[k], s->seen[i].low[k]);
            high[k] = sc_max(high[k], s->seen[i].high[k]);
        }
    }
    s->cells = (uint32_t)sqrt((double)s->count);
    for (int k = 0; k < 2; k++) {
        s->size[k] = (high[k] - s->low[k]) / s->cells;
    }
}

/* All of them where a look at all pairs takes long: then a look at each tells. */
static bool mark_by_cells(sheet *s)
{
    lay_cells(s);
    s->first = sc_calloc((size_t)s->cells * s->cells + 1, sizeof *s->first);
    if (!s->first) {
        return false;
    }
    if (!count_in_cells(s)) {
        memset(s->marked, true, s->count * sizeof *s->marked);
        return true;
    }
    s->items = sc_alloc((size_t)s->first[s->cells * s->cells] + 1, sizeof *s->items);
    if (!s->items) {
        return false;
    }
    put_into_cells(s);
    for (uint32_t i = 0; i < s->cells * s->cells; i++) {
        mark_among(s, s->items + s->first[i], s->first[i + 1] - s->first[i]);
    }
    return true;
}

bool sc_layers_mark(const sc_overlaid *facets)
{
    enum { ALL_PAIRS = 24 };
    const uint32_t count = facets->count;
    const int axis = sc_largest_axis(sc_area_twice(facets->within));
    seen few[ALL_PAIRS];
    sheet s = {.seen = few, .count = count, .marked = facets->marked};

    if (count > ALL_PAIRS) {
        s.seen = sc_alloc(count, sizeof *s.seen);
        if (!s.seen) {
            return false;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        s.marked[i] = false;
        for (int k = 0; k < 3; k++) {
            const sc_vec3 at = sc_sub(facets->v[i][k], facets->within[0]);
            s.seen[i].corner[k][0] = sc_component(at, (axis + 1) % 3);
            s.seen[i].corner[k][1] = sc_component(at, (axis + 2) % 3);
        }
        finish_seen(&s.seen[i]);
    }
    bool good = true;
    if (count > ALL_PAIRS) {
        good = mark_by_cells(&s);
        sc_free(s.first);
        sc_free(s.items);
        sc_free(s.seen);
    } else {
        mark_among(&s, NULL, count);
    }
    return good;
}
