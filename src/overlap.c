/* overlap.c - see overlap.h.
 *
 * The divergence theorem, piece by piece of the overlap's boundary: with c a point in
 * the plane of a facet and a -> b the stretches of the border of its part inside the
 * other solid, all relative to a local origin,
 *
 *   6 V = sum over facets, over stretches a -> b of det(c, a, b)
 *
 * Stretches are pieces of the facet's edges between crossings with the other surface,
 * and the segments S -> E in which facets f and g cross: forwards for f, backwards for
 * g. No order of the segments and no topology is needed. c is a crossing point where
 * there is one: then all numbers are as small as the overlap, and so are their errors.
 * An ill-conditioned crossing moves along its edge, which changes V in second order. */
#include "overlap.h"

#include "base/alloc.h"
#include "geom/modular.h"
#include "geom/orient.h"
#include "geom/sos.h"

#include <stdlib.h>

/* Where an edge of one part crosses a facet of the other. An edge runs from its
 * smaller vertex to its larger one, whichever facet it is looked at from. */
typedef struct crossing {
    uint32_t low, high; /* vertices of the edge */
    uint32_t facet;     /* of the other part */
    int8_t part;        /* that the edge belongs to */
    int8_t enters;      /* 1: into the other part along low -> high, -1: out of it */
    double t;           /* along low -> high */
    sc_vec3 point;      /* relative to the origin */
} crossing;

/* The line in which a facet of A crosses one of B. */
typedef struct segment {
    uint32_t facet[2];
    size_t start, end; /* crossings */
} segment;

typedef struct work {
    sc_solid *solid[2];
    sc_windings windings[2];
    crossing *crossings; /* as found, later sorted by edge and each once */
    size_t crossing_count, crossing_capacity;
    segment *segments;
    size_t segment_count, segment_capacity;
    sc_vec3 origin;
    size_t *region;       /* union-find over vertices of A, vertices of B, crossings */
    bool multiplicity;    /* some winding number is neither 0 nor 1 */
    size_t *reference[2]; /* [crossed facets] the crossing that is c, or SIZE_MAX */
} work;

/* ---- finding the crossings ----------------------------------------------- */

static bool before(sc_vec3 a, sc_vec3 b)
{
    if (a.x != b.x) {
        return a.x < b.x;
    }
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Grows an array of items; the new one, or NULL. */
static void *room(void *items, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity) {
        return items;
    }
    size_t larger = 2 * *capacity + 64;
    void *grown = sc_realloc(items, larger, size);
    if (grown) {
        *capacity = larger;
    }
    return grown;
}

static bool add_crossing(work *w, int part, const sc_active *own, int edge, const sc_vec3 v[3],
                         uint32_t other, const sc_vec3 plane[3], int enters)
{
    int next = (edge + 1) % 3;
    bool turned = before(v[next], v[edge]);
    sc_vec3 low = v[turned ? next : edge], high = v[turned ? edge : next];
    sc_vec3 near_low = sc_sub(low, w->origin), near_high = sc_sub(high, w->origin);
    double from = sc_orient3d_value(plane[0], plane[1], plane[2], low);
    double to = sc_orient3d_value(plane[0], plane[1], plane[2], high);
    double t = from == to ? 0.0 : from / (from - to);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;

    crossing *grown = room(w->crossings, &w->crossing_capacity, w->crossing_count, sizeof *grown);
    if (!grown) {
        return false;
    }
    w->crossings = grown;
    w->crossings[w->crossing_count++] =
        (crossing){.low = own->vertex[turned ? next : edge],
                   .high = own->vertex[turned ? edge : next],
                   .facet = other,
                   .part = (int8_t)part,
                   .enters = (int8_t)(turned ? -enters : enters),
                   .t = t,
                   .point = t <= 0.5 ? sc_mul_add(near_low, t, sc_sub(high, low))
                                     : sc_mul_add(near_high, from == to ? 0.0 : to / (to - from),
                                                  sc_sub(low, high))};
    return true;
}

/* The crossings of one pair of facets that meet: none, or one S and one E. */
static bool cross_pair(work *w, uint32_t facet_a, uint32_t facet_b)
{
    sc_vec3 a[3], b[3];
    sc_active *in_a = sc_windings_crossed(&w->windings[0], facet_a);
    sc_active *in_b = sc_windings_crossed(&w->windings[1], facet_b);
    segment s = {{facet_a, facet_b}, SIZE_MAX, SIZE_MAX};

    sc_solid_facet(w->solid[0], facet_a, a);
    sc_solid_facet(w->solid[1], facet_b, b);
    for (int i = 0; i < 3; i++) {
        int enters = sc_sos_edge_of_a(a[i], a[(i + 1) % 3], b);
        if (enters != 0) {
            in_a->change[i] += enters;
            *(enters > 0 ? &s.end : &s.start) = w->crossing_count;
            if (!add_crossing(w, 0, in_a, i, a, facet_b, b, enters)) {
                return false;
            }
        }
        enters = sc_sos_edge_of_b(b[i], b[(i + 1) % 3], a);
        if (enters != 0) {
            in_b->change[i] += enters;
            *(enters > 0 ? &s.start : &s.end) = w->crossing_count;
            if (!add_crossing(w, 1, in_b, i, b, facet_a, a, enters)) {
                return false;
            }
        }
    }
    if (s.start == SIZE_MAX || s.end == SIZE_MAX) {
        return true;
    }
    segment *grown = room(w->segments, &w->segment_capacity, w->segment_count, sizeof *grown);
    if (!grown) {
        return false;
    }
    w->segments = grown;
    w->segments[w->segment_count++] = s;
    return true;
}

static int by_value(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

/* The facets of one part that are in the hits, each once. */
static bool add_crossed_facets(sc_windings *windings, const uint64_t *hits, size_t count, int part)
{
    uint32_t *facets = sc_alloc(count, sizeof *facets);
    size_t unique = 0;
    if (!facets) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        facets[i] = (uint32_t)(part == 0 ? hits[i] >> 32 : hits[i]);
    }
    qsort(facets, count, sizeof *facets, by_value);
    for (size_t i = 0; i < count; i++) {
        if (unique == 0 || facets[unique - 1] != facets[i]) {
            facets[unique++] = facets[i];
        }
    }
    bool good = sc_windings_add_crossed(windings, facets, unique);
    sc_free(facets);
    return good;
}

/* By edge; along it; by facet. Equal ones are the same crossing, seen from the two
 * facets at the edge. */
static int by_edge(const void *x, const void *y)
{
    const crossing *a = x, *b = y;
    if (a->part != b->part) {
        return a->part < b->part ? -1 : 1;
    }
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    if (a->t != b->t) {
        return a->t < b->t ? -1 : 1;
    }
    return (a->facet > b->facet) - (a->facet < b->facet);
}

typedef struct numbered {
    crossing c;
    size_t number;
} numbered;

/* Sorts the crossings by edge, drops doubles, and renumbers the segments' ends. */
static bool sort_crossings(work *w)
{
    numbered *sorted = sc_alloc(w->crossing_count, sizeof *sorted);
    size_t *place = sc_alloc(w->crossing_count, sizeof *place);
    size_t unique = 0;

    if (!sorted || !place) {
        sc_free(sorted);
        sc_free(place);
        return false;
    }
    for (size_t i = 0; i < w->crossing_count; i++) {
        sorted[i] = (numbered){w->crossings[i], i};
    }
    qsort(sorted, w->crossing_count, sizeof *sorted, by_edge);
    for (size_t i = 0; i < w->crossing_count; i++) {
        if (unique == 0 || by_edge(&w->crossings[unique - 1], &sorted[i].c) != 0) {
            w->crossings[unique++] = sorted[i].c;
        }
        place[sorted[i].number] = unique - 1;
    }
    w->crossing_count = unique;
    for (size_t i = 0; i < w->segment_count; i++) {
        w->segments[i].start = place[w->segments[i].start];
        w->segments[i].end = place[w->segments[i].end];
    }
    sc_free(sorted);
    sc_free(place);
    return true;
}

/* The crossings of the edge between two vertices: *first .. the result. */
static size_t edge_crossings(const work *w, int part, uint32_t low, uint32_t high, size_t *first)
{
    crossing key = {.low = low, .high = high, .part = (int8_t)part, .t = -1.0};
    size_t from = 0, to = w->crossing_count;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (by_edge(&w->crossings[middle], &key) < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    *first = from;
    while (to < w->crossing_count && w->crossings[to].part == part && w->crossings[to].low == low &&
           w->crossings[to].high == high) {
        to++;
    }
    return to;
}

/* ---- connected pieces ---------------------------------------------------- */

static size_t vertex_node(const work *w, int part, uint32_t vertex)
{
    return part == 0 ? vertex : w->windings[0].vertices + vertex;
}

static size_t crossing_node(const work *w, size_t crossing_number)
{
    return w->windings[0].vertices + w->windings[1].vertices + crossing_number;
}

static size_t find(size_t *parent, size_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(work *w, size_t a, size_t b)
{
    a = find(w->region, a);
    b = find(w->region, b);
    if (a < b) {
        w->region[b] = a;
    } else {
        w->region[a] = b;
    }
}

/* Crossings this close on an edge, facets that meet there, may stand in either order. */
static const double same_place = 0x1p-30;

/* Joins the ends of every stretch of an edge that lies inside the other part. */
static void join_edge(work *w, int part, uint32_t from, uint32_t to)
{
    const sc_windings *in = &w->windings[part];
    bool turned = before(in->points[to], in->points[from]);
    uint32_t low = turned ? to : from, high = turned ? from : to;
    size_t first, last = edge_crossings(w, part, low, high, &first);
    size_t node = vertex_node(w, part, low);
    int winding = in->winding[low];

    for (size_t i = first; i < last; i++) {
        if (winding != 0) {
            join(w, node, crossing_node(w, i));
        }
        winding += w->crossings[i].enters;
        double until = i + 1 < last ? w->crossings[i + 1].t : 1.0;
        w->multiplicity |= (winding < 0 || winding > 1) && until - w->crossings[i].t > same_place;
        node = crossing_node(w, i);
    }
    if (winding != 0) {
        join(w, node, vertex_node(w, part, high));
    }
}

static bool join_pieces(work *w)
{
    size_t nodes = crossing_node(w, w->crossing_count);
    w->region = sc_alloc(nodes, sizeof *w->region);
    if (!w->region) {
        return false;
    }
    for (size_t i = 0; i < nodes; i++) {
        w->region[i] = i;
    }
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &w->windings[part];
        for (size_t i = 0; i < in->count; i++) {
            const sc_active *f = &in->facets[i];
            for (int k = 0; k < 3; k++) {
                join_edge(w, part, f->vertex[k], f->vertex[(k + 1) % 3]);
            }
        }
    }
    for (size_t i = 0; i < w->segment_count; i++) {
        join(w, crossing_node(w, w->segments[i].start), crossing_node(w, w->segments[i].end));
    }
    return true;
}

/* ---- sums ---------------------------------------------------------------- */

/* A sum that loses nothing in the order of its terms (Neumaier 1974), and what bounds
 * the rounding of the terms themselves: the products that they were made of. */
typedef struct sum {
    double value, lost, magnitude;
} sum;

static void add(sum *s, double term)
{
    double total = s->value + term;
    s->lost += fabs(s->value) >= fabs(term) ? (s->value - total) + term : (term - total) + s->value;
    s->value = total;
}

static double total(const sum *s)
{
    return s->value + s->lost;
}

/* What is summed for one region, and for all of them together. */
typedef struct account {
    sum volume6;
    sc_box bounds;
} account;

typedef struct sums {
    account all;
    sum moment[3];     /* 24 * volume * centroid */
    sum area[3];       /* twice the area vector of A's surface */
    double area_terms; /* the magnitudes of what it was summed from */
    account *of;       /* [nodes]: of the region that the node stands for */
} sums;

/* A determinant and the sum of the magnitudes of its products. */
typedef struct det_value {
    double value, magnitude;
} det_value;

static det_value det(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    sc_vec3 normal = sc_cross(b, c);
    sc_vec3 size = {fabs(b.y * c.z) + fabs(b.z * c.y), fabs(b.z * c.x) + fabs(b.x * c.z),
                    fabs(b.x * c.y) + fabs(b.y * c.x)};
    return (det_value){sc_dot(a, normal),
                       fabs(a.x) * size.x + fabs(a.y) * size.y + fabs(a.z) * size.z};
}

/* What a stretch belongs to: a facet, seen from its reference point c. */
typedef struct facet_view {
    sc_vec3 c;
    double reach; /* of its vertices from the origin: what its points are rounded to */
    int part;
} facet_view;

static size_t *reference_of(work *w, int part, const sc_active *f)
{
    size_t i = (size_t)(f - w->windings[part].facets);
    return i < w->windings[part].crossed ? &w->reference[part][i] : NULL;
}

static facet_view view_of(work *w, int part, const sc_active *f)
{
    const sc_windings *in = &w->windings[part];
    const size_t *reference = reference_of(w, part, f);
    facet_view view = {.part = part, .c = sc_sub(in->points[f->vertex[0]], w->origin)};

    if (reference && *reference != SIZE_MAX) {
        view.c = w->crossings[*reference].point;
        for (int k = 0; k < 3; k++) {
            sc_vec3 p = sc_sub(in->points[f->vertex[k]], w->origin);
            view.reach = fmax(view.reach, fabs(p.x) + fabs(p.y) + fabs(p.z));
        }
    }
    return view;
}

/* The stretch from a to b, `times` over. */
static void add_stretch(work *w, sums *s, const facet_view *view, sc_vec3 a, sc_vec3 b,
                        double times, size_t node)
{
    sc_vec3 ca = sc_sub(a, view->c), cb = sc_sub(b, view->c), twice_area = sc_cross(ca, cb);
    det_value d = det(view->c, ca, cb); /* short edges round less */
    double magnitude =
        d.magnitude + view->reach * (fabs(twice_area.x) + fabs(twice_area.y) + fabs(twice_area.z));
    sum *sums_of[2] = {&s->all.volume6, &s->of[find(w->region, node)].volume6};

    for (int i = 0; i < 2; i++) {
        add(sums_of[i], times * d.value);
        sums_of[i]->magnitude += fabs(times) * magnitude;
    }
    sc_vec3 moment = sc_scale(sc_add(view->c, sc_add(a, b)), times * d.value);
    add(&s->moment[0], moment.x);
    add(&s->moment[1], moment.y);
    add(&s->moment[2], moment.z);
    if (view->part == 0) {
        add(&s->area[0], times * twice_area.x);
        add(&s->area[1], times * twice_area.y);
        add(&s->area[2], times * twice_area.z);
        s->area_terms += fabs(times) * sc_length(twice_area);
    }
}

static void add_point(work *w, sums *s, size_t node, sc_vec3 p)
{
    sc_box_add_point(&s->all.bounds, p);
    sc_box_add_point(&s->of[find(w->region, node)].bounds, p);
}

/* The stretches of one edge of a facet, from vertex `from` to `to`. */
static void add_edge(work *w, sums *s, const facet_view *view, uint32_t from, uint32_t to)
{
    const sc_windings *in = &w->windings[view->part];
    bool turned = before(in->points[to], in->points[from]);
    uint32_t low = turned ? to : from, high = turned ? from : to;
    size_t first, last = edge_crossings(w, view->part, low, high, &first);
    size_t node = vertex_node(w, view->part, low);
    sc_vec3 at = sc_sub(in->points[low], w->origin);
    double sign = turned ? -1.0 : 1.0;
    int winding = in->winding[low];

    for (size_t i = first; i < last; i++) {
        const crossing *x = &w->crossings[i];
        if (winding != 0) {
            add_stretch(w, s, view, at, x->point, sign * winding, node);
        }
        winding += x->enters;
        at = x->point;
        node = crossing_node(w, i);
    }
    if (winding != 0) {
        add_stretch(w, s, view, at, sc_sub(in->points[high], w->origin), sign * winding, node);
    }
}

static void add_facet(work *w, sums *s, int part, const sc_active *f)
{
    const sc_windings *in = &w->windings[part];
    facet_view view = view_of(w, part, f);

    for (int k = 0; k < 3; k++) {
        add_edge(w, s, &view, f->vertex[k], f->vertex[(k + 1) % 3]);
        if (in->winding[f->vertex[k]] != 0) {
            add_point(w, s, vertex_node(w, part, f->vertex[k]), in->points[f->vertex[k]]);
        }
    }
}

static void add_segment(work *w, sums *s, const segment *x)
{
    sc_vec3 start = w->crossings[x->start].point, end = w->crossings[x->end].point;
    size_t node = crossing_node(w, x->start);

    for (int part = 0; part < 2; part++) {
        facet_view view = view_of(w, part, sc_windings_crossed(&w->windings[part], x->facet[part]));
        add_stretch(w, s, &view, start, end, part == 0 ? 1.0 : -1.0, node);
    }
    add_point(w, s, node, sc_add(start, w->origin));
    add_point(w, s, node, sc_add(end, w->origin));
}

/* The first crossing on a facet serves as its c. */
static bool choose_references(work *w)
{
    for (int part = 0; part < 2; part++) {
        size_t crossed = w->windings[part].crossed;
        w->reference[part] = sc_alloc(crossed, sizeof *w->reference[part]);
        if (!w->reference[part]) {
            return false;
        }
        for (size_t i = 0; i < crossed; i++) {
            w->reference[part][i] = SIZE_MAX;
        }
        for (size_t i = 0; i < w->segment_count; i++) {
            const segment *x = &w->segments[i];
            size_t *reference =
                reference_of(w, part, sc_windings_crossed(&w->windings[part], x->facet[part]));
            *reference = *reference == SIZE_MAX ? x->start : *reference;
        }
    }
    return true;
}

/* ---- regions ------------------------------------------------------------- */

static int by_volume(const void *x, const void *y)
{
    const sc_overlap_region *a = x, *b = y;
    if (a->volume != b->volume) {
        return a->volume > b->volume ? -1 : 1;
    }
    for (int k = 0; k < 3; k++) {
        if (a->bounds.low[k] != b->bounds.low[k]) {
            return a->bounds.low[k] < b->bounds.low[k] ? -1 : 1;
        }
    }
    return 0;
}

/* A surface that encloses less than nothing bounds a hole or a cavity of a region: the
 * smallest whose box holds it. */
static void fill_holes(sc_overlap_region *regions, size_t count)
{
    for (size_t i = count; i-- > 0 && regions[i].volume < 0.0;) {
        for (size_t k = i; k-- > 0;) {
            if (regions[k].volume > 0.0 && sc_box_inside(&regions[i].bounds, &regions[k].bounds)) {
                regions[k].volume += regions[i].volume;
                break;
            }
        }
    }
}

static bool list_regions(work *w, const sums *s, double noise, sc_overlap *overlap)
{
    size_t nodes = crossing_node(w, w->crossing_count), count = 0;
    for (size_t i = 0; i < nodes; i++) {
        count += fabs(total(&s->of[i].volume6)) / 6.0 > noise;
    }
    overlap->regions = sc_alloc(count, sizeof *overlap->regions);
    if (!overlap->regions) {
        return false;
    }
    count = 0;
    for (size_t i = 0; i < nodes; i++) {
        double volume = total(&s->of[i].volume6) / 6.0;
        if (fabs(volume) > noise) {
            overlap->regions[count++] = (sc_overlap_region){volume, s->of[i].bounds};
        }
    }
    qsort(overlap->regions, count, sizeof *overlap->regions, by_volume);
    fill_holes(overlap->regions, count);
    while (count > 0 && overlap->regions[count - 1].volume <= noise) {
        count--;
    }
    qsort(overlap->regions, count, sizeof *overlap->regions, by_volume);
    overlap->region_count = count;
    /* Pieces without volume, where parts only touch, are none of the overlap. */
    overlap->bounds = sc_box_empty();
    for (size_t i = 0; i < count; i++) {
        sc_box_add_box(&overlap->bounds, &overlap->regions[i].bounds);
    }
    return true;
}

/* ---- is it zero? --------------------------------------------------------- */

static uint64_t volume_in_field(work *w, const sc_field *f)
{
    uint64_t sum6 = 0;
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &w->windings[part];
        for (size_t i = 0; i < in->count; i++) {
            const sc_active *facet = &in->facets[i];
            bool turned = before(in->points[facet->vertex[2]], in->points[facet->vertex[1]]);
            uint32_t low = facet->vertex[turned ? 2 : 1], high = facet->vertex[turned ? 1 : 2];
            size_t first, last = edge_crossings(w, part, low, high, &first);
            int ends = in->winding[low];
            sc_residue3 u = sc_field_from3(f, in->points[low]);
            sc_residue3 v = sc_field_from3(f, in->points[high]);
            uint64_t lambda = 0;
            for (size_t k = first; k < last; k++) {
                const crossing *x = &w->crossings[k];
                sc_vec3 plane[3];
                sc_solid_facet(w->solid[1 - part], x->facet, plane);
                sc_residue3 p0 = sc_field_from3(f, plane[0]);
                sc_residue3 e1 = sc_field_subtract3(f, sc_field_from3(f, plane[1]), p0);
                sc_residue3 e2 = sc_field_subtract3(f, sc_field_from3(f, plane[2]), p0);
                uint64_t from = sc_field_det(f, sc_field_subtract3(f, u, p0), e1, e2);
                uint64_t to = sc_field_det(f, sc_field_subtract3(f, v, p0), e1, e2);
                uint64_t t =
                    sc_field_multiply(f, from, sc_field_inverse(f, sc_field_subtract(f, from, to)));
                lambda = sc_field_subtract(f, lambda,
                                           sc_field_multiply(f, sc_field_integer(f, x->enters), t));
                ends += x->enters;
            }
            lambda = sc_field_add(f, lambda, sc_field_integer(f, ends));
            if (lambda == 0) {
                continue;
            }
            uint64_t term = sc_field_multiply(
                f, lambda, sc_field_det(f, sc_field_from3(f, in->points[facet->vertex[0]]), u, v));
            sum6 = turned ? sc_field_subtract(f, sum6, term) : sc_field_add(f, sum6, term);
        }
    }
    return sum6;
}

/* The point of a crossing, exactly but for the modulus. */
static sc_residue3 point_in_field(const work *w, const sc_field *f, const crossing *x)
{
    const sc_windings *in = &w->windings[x->part];
    sc_residue3 u = sc_field_from3(f, in->points[x->low]);
    sc_residue3 v = sc_field_from3(f, in->points[x->high]);
    sc_vec3 plane[3];
    sc_solid_facet(w->solid[1 - x->part], x->facet, plane);
    sc_residue3 p0 = sc_field_from3(f, plane[0]);
    sc_residue3 e1 = sc_field_subtract3(f, sc_field_from3(f, plane[1]), p0);
    sc_residue3 e2 = sc_field_subtract3(f, sc_field_from3(f, plane[2]), p0);
    uint64_t from = sc_field_det(f, sc_field_subtract3(f, u, p0), e1, e2);
    uint64_t to = sc_field_det(f, sc_field_subtract3(f, v, p0), e1, e2);
    uint64_t t = sc_field_multiply(f, from, sc_field_inverse(f, sc_field_subtract(f, from, to)));
    sc_residue3 way = sc_field_subtract3(f, v, u);
    return (sc_residue3){sc_field_add(f, u.x, sc_field_multiply(f, t, way.x)),
                         sc_field_add(f, u.y, sc_field_multiply(f, t, way.y)),
                         sc_field_add(f, u.z, sc_field_multiply(f, t, way.z))};
}

static bool zero_in_field(work *w, const sc_field *f)
{
    uint64_t sum6 = volume_in_field(w, f);
    for (size_t i = 0; i < w->segment_count; i++) {
        const segment *x = &w->segments[i];
        sc_vec3 a[3], b[3];
        sc_solid_facet(w->solid[0], x->facet[0], a);
        sc_solid_facet(w->solid[1], x->facet[1], b);
        sc_residue3 between =
            sc_field_subtract3(f, sc_field_from3(f, a[0]), sc_field_from3(f, b[0]));
        sum6 = sc_field_add(f, sum6,
                            sc_field_det(f, between, point_in_field(w, f, &w->crossings[x->start]),
                                         point_in_field(w, f, &w->crossings[x->end])));
    }
    return sum6 == 0;
}

static bool volume_is_zero(work *w)
{
    sc_field fixed = sc_field_fixed(), random = sc_field_random();
    return zero_in_field(w, &fixed) && zero_in_field(w, &random);
}

/* ---- curves -------------------------------------------------------------- */

/* Adds a point to the last curve unless it is there already. */
static void add_curve_point(const work *w, sc_overlap *overlap, size_t first, size_t number)
{
    sc_vec3 p = sc_add(w->crossings[number].point, w->origin);
    if (overlap->curve_point_count > first) {
        sc_vec3 last = overlap->curve_points[overlap->curve_point_count - 1];
        if (last.x == p.x && last.y == p.y && last.z == p.z) {
            return;
        }
    }
    overlap->curve_points[overlap->curve_point_count++] = p;
}

/* A loop that ends where it began says so once. */
static void close_curve(sc_overlap *overlap, sc_overlap_curve *curve)
{
    sc_vec3 first = overlap->curve_points[curve->first];
    sc_vec3 last = overlap->curve_points[overlap->curve_point_count - 1];
    if (overlap->curve_point_count - curve->first > 1 && first.x == last.x && first.y == last.y &&
        first.z == last.z) {
        overlap->curve_point_count--;
    }
    curve->closed = true;
}

/* Chains the segments: each crossing ends one of them and begins another, since the
 * facets at an edge come in pairs. */
static bool chain_curves(const work *w, sc_overlap *overlap)
{
    size_t *next = sc_alloc(w->crossing_count, sizeof *next); /* segment that starts there */
    bool *entered = sc_calloc(w->crossing_count, sizeof *entered), *done = NULL;
    overlap->curves = sc_alloc(w->segment_count, sizeof *overlap->curves);
    overlap->curve_points = sc_alloc(2 * w->segment_count, sizeof *overlap->curve_points);
    done = sc_calloc(w->segment_count, sizeof *done);
    bool good = next && entered && done && overlap->curves && overlap->curve_points;

    for (size_t i = 0; good && i < w->crossing_count; i++) {
        next[i] = SIZE_MAX;
    }
    for (size_t i = w->segment_count; good && i-- > 0;) {
        next[w->segments[i].start] = i;
        entered[w->segments[i].end] = true;
    }
    /* Open ends first (there are none on closed parts), then loops. */
    for (int loops = 0; good && loops < 2; loops++) {
        for (size_t i = 0; i < w->segment_count; i++) {
            size_t start = w->segments[i].start, at = start;
            if (done[i] || (!loops && entered[start])) {
                continue;
            }
            sc_overlap_curve curve = {overlap->curve_point_count, 0, false};
            add_curve_point(w, overlap, curve.first, start);
            for (size_t k = i; k != SIZE_MAX && !done[k]; k = next[at]) {
                done[k] = true;
                at = w->segments[k].end;
                if (at == start) {
                    close_curve(overlap, &curve);
                    break;
                }
                add_curve_point(w, overlap, curve.first, at);
            }
            curve.count = overlap->curve_point_count - curve.first;
            overlap->curves[overlap->curve_count++] = curve;
        }
    }
    sc_free(next);
    sc_free(entered);
    sc_free(done);
    return good;
}

/* ---- all of it ----------------------------------------------------------- */

/* Less of the area than this left over is rounding, not a direction. */
static const double direction_threshold = 1e-6;

static bool measure(work *w, sc_overlap *overlap)
{
    size_t nodes = crossing_node(w, w->crossing_count);
    sums s = {.of = sc_calloc(nodes, sizeof *s.of)};
    if (!s.of) {
        return false;
    }
    s.all.bounds = sc_box_empty();
    for (size_t i = 0; i < nodes; i++) {
        s.of[i].bounds = sc_box_empty();
    }
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < w->windings[part].count; i++) {
            add_facet(w, &s, part, &w->windings[part].facets[i]);
        }
    }
    for (size_t i = 0; i < w->segment_count; i++) {
        add_segment(w, &s, &w->segments[i]);
    }
    overlap->volume = total(&s.all.volume6) / 6.0;
    overlap->volume_error = 16.0 * 0x1p-53 * s.all.volume6.magnitude / 6.0;
    overlap->bounds = s.all.bounds;
    overlap->area_vector =
        (sc_vec3){0.5 * total(&s.area[0]), 0.5 * total(&s.area[1]), 0.5 * total(&s.area[2])};
    overlap->has_direction =
        2.0 * sc_length(overlap->area_vector) > direction_threshold * s.area_terms;
    if (overlap->volume <= overlap->volume_error) {
        overlap->volume_is_zero = volume_is_zero(w);
    }
    if (overlap->volume_is_zero) {
        overlap->volume = overlap->volume_error = 0.0;
    } else {
        double scale = 24.0 * overlap->volume;
        overlap->centroid =
            sc_add(w->origin, (sc_vec3){total(&s.moment[0]) / scale, total(&s.moment[1]) / scale,
                                        total(&s.moment[2]) / scale});
    }
    bool good = overlap->volume_is_zero || list_regions(w, &s, overlap->volume_error, overlap);
    sc_free(s.of);
    return good;
}

static void note_windings(work *w, sc_overlap *overlap)
{
    bool all_inside[2], none_inside[2];
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &w->windings[part];
        all_inside[part] = in->count > 0 && in->crossed == 0 && !in->some_outside;
        none_inside[part] = true;
        for (size_t i = 0; i < in->vertices; i++) {
            all_inside[part] = all_inside[part] && in->winding[i] != 0;
            none_inside[part] = none_inside[part] && in->winding[i] == 0;
            w->multiplicity |= in->winding[i] < 0 || in->winding[i] > 1;
        }
    }
    overlap->none = none_inside[0] && none_inside[1];
    for (int part = 0; part < 2; part++) { /* else a cavity of the other is inside it */
        overlap->inside[part] = all_inside[part] && none_inside[1 - part];
    }
}

static bool find_windings(work *w, const uint64_t *hits, size_t hit_count)
{
    for (int part = 0; part < 2; part++) {
        sc_windings *in = &w->windings[part];
        if (!sc_windings_init(in, w->solid[part], w->solid[1 - part]) ||
            !add_crossed_facets(in, hits, hit_count, part)) {
            return false;
        }
    }
    for (size_t i = 0; i < hit_count; i++) {
        if (!cross_pair(w, (uint32_t)(hits[i] >> 32), (uint32_t)hits[i])) {
            return false;
        }
    }
    for (int part = 0; part < 2; part++) {
        if (!sc_windings_add_rest(&w->windings[part]) ||
            !sc_windings_solve(&w->windings[part], true)) {
            return false;
        }
    }
    return true;
}

bool sc_overlap_find(sc_solid *solid[2], const uint64_t *hits, size_t hit_count, bool curves,
                     sc_overlap *overlap)
{
    work w = {.solid = {solid[0], solid[1]}};
    const sc_box *a = &solid[0]->part->used_bounds, *b = &solid[1]->part->used_bounds;

    *overlap = (sc_overlap){.none = true, .bounds = sc_box_empty()};
    w.origin = (sc_vec3){0.5 * (fmax(a->low[0], b->low[0]) + fmin(a->high[0], b->high[0])),
                         0.5 * (fmax(a->low[1], b->low[1]) + fmin(a->high[1], b->high[1])),
                         0.5 * (fmax(a->low[2], b->low[2]) + fmin(a->high[2], b->high[2]))};
    bool good = find_windings(&w, hits, hit_count) && sort_crossings(&w);
    if (good) {
        note_windings(&w, overlap);
        overlap->none = overlap->none && w.segment_count == 0;
        overlap->volume_is_zero = overlap->none;
    }
    if (good && !overlap->none) {
        good = choose_references(&w) && join_pieces(&w) && measure(&w, overlap);
    }
    overlap->multiplicity = w.multiplicity;
    good = good && (!curves || chain_curves(&w, overlap));
    for (int part = 0; part < 2; part++) {
        sc_windings_free(&w.windings[part]);
        sc_free(w.reference[part]);
    }
    sc_free(w.crossings);
    sc_free(w.segments);
    sc_free(w.region);
    return good;
}

void sc_overlap_free(sc_overlap *overlap)
{
    sc_free(overlap->regions);
    sc_free(overlap->curves);
    sc_free(overlap->curve_points);
    *overlap = (sc_overlap){.none = true};
}
