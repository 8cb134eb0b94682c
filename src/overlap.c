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
#include "crossings.h"

#include <stdlib.h>

typedef struct work {
    sc_crossings x;
    size_t *region;       /* union-find over vertices of A, vertices of B, crossings */
    bool multiplicity;    /* some winding number is neither 0 nor 1 */
    size_t *reference[2]; /* [crossed facets] the crossing that is c, or SIZE_MAX */
} work;

/* ---- connected pieces ---------------------------------------------------- */

static size_t vertex_node(const work *w, int part, uint32_t vertex)
{
    return part == 0 ? vertex : w->x.windings[0].vertices + vertex;
}

static size_t crossing_node(const work *w, size_t crossing_number)
{
    return w->x.windings[0].vertices + w->x.windings[1].vertices + crossing_number;
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
    const sc_windings *in = &w->x.windings[part];
    bool turned = sc_vertex_before(in->points[to], in->points[from]);
    uint32_t low = turned ? to : from, high = turned ? from : to;
    size_t first, last = sc_crossings_of_edge(&w->x, part, low, high, &first);
    size_t node = vertex_node(w, part, low);
    int winding = in->winding[low];

    for (size_t i = first; i < last; i++) {
        if (winding != 0) {
            join(w, node, crossing_node(w, i));
        }
        winding += w->x.crossings[i].enters;
        double until = i + 1 < last ? w->x.crossings[i + 1].t : 1.0;
        w->multiplicity |= (winding < 0 || winding > 1) && until - w->x.crossings[i].t > same_place;
        node = crossing_node(w, i);
    }
    if (winding != 0) {
        join(w, node, vertex_node(w, part, high));
    }
}

static bool join_pieces(work *w)
{
    size_t nodes = crossing_node(w, w->x.crossing_count);
    w->region = sc_alloc(nodes, sizeof *w->region);
    if (!w->region) {
        return false;
    }
    for (size_t i = 0; i < nodes; i++) {
        w->region[i] = i;
    }
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &w->x.windings[part];
        for (size_t i = 0; i < in->count; i++) {
            const sc_active *f = &in->facets[i];
            for (int k = 0; k < 3; k++) {
                join_edge(w, part, f->vertex[k], f->vertex[(k + 1) % 3]);
            }
        }
        for (size_t i = 0; i < in->patch_count; i++) {
            const uint32_t *vertex = in->patch_vertices + in->patches[i].vertex;
            for (size_t k = 1; k < in->patches[i].vertices; k++) {
                join(w, vertex_node(w, part, vertex[0]), vertex_node(w, part, vertex[k]));
            }
        }
    }
    for (size_t i = 0; i < w->x.segment_count; i++) {
        join(w, crossing_node(w, w->x.segments[i].start), crossing_node(w, w->x.segments[i].end));
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
    size_t i = (size_t)(f - w->x.windings[part].facets);
    return i < w->x.windings[part].crossed ? &w->reference[part][i] : NULL;
}

static facet_view view_of(work *w, int part, const sc_active *f)
{
    const sc_windings *in = &w->x.windings[part];
    const size_t *reference = reference_of(w, part, f);
    facet_view view = {.part = part, .c = sc_sub(in->points[f->vertex[0]], w->x.origin)};

    if (reference && *reference != SIZE_MAX) {
        view.c = w->x.crossings[*reference].point;
        for (int k = 0; k < 3; k++) {
            sc_vec3 p = sc_sub(in->points[f->vertex[k]], w->x.origin);
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
    const sc_windings *in = &w->x.windings[view->part];
    bool turned = sc_vertex_before(in->points[to], in->points[from]);
    uint32_t low = turned ? to : from, high = turned ? from : to;
    size_t first, last = sc_crossings_of_edge(&w->x, view->part, low, high, &first);
    size_t node = vertex_node(w, view->part, low);
    sc_vec3 at = sc_sub(in->points[low], w->x.origin);
    double sign = turned ? -1.0 : 1.0;
    int winding = in->winding[low];

    for (size_t i = first; i < last; i++) {
        const sc_crossing *x = &w->x.crossings[i];
        if (winding != 0) {
            add_stretch(w, s, view, at, x->point, sign * winding, node);
        }
        winding += x->enters;
        at = x->point;
        node = crossing_node(w, i);
    }
    if (winding != 0) {
        add_stretch(w, s, view, at, sc_sub(in->points[high], w->x.origin), sign * winding, node);
    }
}

static void add_facet(work *w, sums *s, int part, const sc_active *f)
{
    const sc_windings *in = &w->x.windings[part];
    facet_view view = view_of(w, part, f);

    for (int k = 0; k < 3; k++) {
        add_edge(w, s, &view, f->vertex[k], f->vertex[(k + 1) % 3]);
        if (in->winding[f->vertex[k]] != 0) {
            add_point(w, s, vertex_node(w, part, f->vertex[k]), in->points[f->vertex[k]]);
        }
    }
}

/* The sums of one patch, whose terms are few enough to be added as they come, but for
 * those of the volume: its error is stated. */
static void add_patch(work *w, sums *s, int part, const sc_patch *patch)
{
    const sc_windings *in = &w->x.windings[part];
    const uint32_t vertex = in->patch_vertices[patch->vertex];
    account *accounts[2] = {&s->all, &s->of[find(w->region, vertex_node(w, part, vertex))]};
    double times = in->winding[vertex], area_terms = 0.0;
    sum volume6 = {0.0, 0.0, 0.0};
    sc_vec3 moment = {0.0, 0.0, 0.0}, area = {0.0, 0.0, 0.0};

    for (size_t i = 0; i < patch->facets; i++) {
        sc_vec3 v[3];
        sc_solid_facet(in->own, in->patch_facets[patch->facet + i], v);
        sc_vec3 c = sc_sub(v[0], w->x.origin), e1 = sc_sub(v[1], v[0]), e2 = sc_sub(v[2], v[0]);
        sc_vec3 twice_area = sc_cross(e1, e2);
        det_value d = det(c, e1, e2);
        add(&volume6, d.value);
        volume6.magnitude += d.magnitude;
        sc_vec3 corners = sc_add(sc_scale(c, 3.0), sc_add(e1, e2));
        moment = sc_mul_add(moment, d.value, corners);
        area = sc_add(area, twice_area);
        area_terms += sc_length(twice_area);
    }
    for (int i = 0; i < 2; i++) {
        add(&accounts[i]->volume6, times * total(&volume6));
        accounts[i]->volume6.magnitude += fabs(times) * volume6.magnitude;
        for (size_t k = 0; k < patch->vertices; k++) {
            sc_box_add_point(&accounts[i]->bounds,
                             in->points[in->patch_vertices[patch->vertex + k]]);
        }
    }
    add(&s->moment[0], times * moment.x);
    add(&s->moment[1], times * moment.y);
    add(&s->moment[2], times * moment.z);
    if (part == 0) {
        add(&s->area[0], times * area.x);
        add(&s->area[1], times * area.y);
        add(&s->area[2], times * area.z);
        s->area_terms += fabs(times) * area_terms;
    }
}

static void add_segment(work *w, sums *s, const sc_segment *x)
{
    sc_vec3 start = w->x.crossings[x->start].point, end = w->x.crossings[x->end].point;
    size_t node = crossing_node(w, x->start);

    for (int part = 0; part < 2; part++) {
        facet_view view =
            view_of(w, part, sc_windings_crossed(&w->x.windings[part], x->facet[part]));
        add_stretch(w, s, &view, start, end, part == 0 ? 1.0 : -1.0, node);
    }
    add_point(w, s, node, sc_add(start, w->x.origin));
    add_point(w, s, node, sc_add(end, w->x.origin));
}

/* The first crossing on a facet serves as its c. */
static bool choose_references(work *w)
{
    for (int part = 0; part < 2; part++) {
        size_t crossed = w->x.windings[part].crossed;
        w->reference[part] = sc_alloc(crossed, sizeof *w->reference[part]);
        if (!w->reference[part]) {
            return false;
        }
        for (size_t i = 0; i < crossed; i++) {
            w->reference[part][i] = SIZE_MAX;
        }
        for (size_t i = 0; i < w->x.segment_count; i++) {
            const sc_segment *x = &w->x.segments[i];
            size_t *reference =
                reference_of(w, part, sc_windings_crossed(&w->x.windings[part], x->facet[part]));
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
    size_t nodes = crossing_node(w, w->x.crossing_count), count = 0;
    for (size_t i = 0; i < nodes; i++) {
        count += fabs(total(&s->of[i].volume6)) / 6.0 > noise;
    }
    overlap->regions = sc_alloc(count + 1, sizeof *overlap->regions);
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
    if (count == 0) { /* there is some volume, less than rounding lets tell apart */
        overlap->regions[count++] = (sc_overlap_region){overlap->volume, overlap->common};
    }
    overlap->region_count = count;
    /* Pieces without volume, where parts only touch, are none of the overlap. */
    overlap->bounds = sc_box_empty();
    for (size_t i = 0; i < count; i++) {
        sc_box_add_box(&overlap->bounds, &overlap->regions[i].bounds);
    }
    return true;
}

/* ---- all of it ----------------------------------------------------------- */

/* Less of the area than this left over is rounding, not a direction. */
static const double direction_threshold = 1e-6;

static bool measure(work *w, sc_overlap *overlap)
{
    size_t nodes = crossing_node(w, w->x.crossing_count);
    sums s = {.of = sc_calloc(nodes, sizeof *s.of)};
    if (!s.of) {
        return false;
    }
    s.all.bounds = sc_box_empty();
    for (size_t i = 0; i < nodes; i++) {
        s.of[i].bounds = sc_box_empty();
    }
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < w->x.windings[part].count; i++) {
            add_facet(w, &s, part, &w->x.windings[part].facets[i]);
        }
        for (size_t i = 0; i < w->x.windings[part].patch_count; i++) {
            add_patch(w, &s, part, &w->x.windings[part].patches[i]);
        }
    }
    for (size_t i = 0; i < w->x.segment_count; i++) {
        add_segment(w, &s, &w->x.segments[i]);
    }
    overlap->volume = total(&s.all.volume6) / 6.0;
    overlap->volume_error = 16.0 * 0x1p-53 * s.all.volume6.magnitude / 6.0;
    overlap->bounds = overlap->common = s.all.bounds;
    overlap->area_vector =
        (sc_vec3){0.5 * total(&s.area[0]), 0.5 * total(&s.area[1]), 0.5 * total(&s.area[2])};
    overlap->has_direction =
        2.0 * sc_length(overlap->area_vector) > direction_threshold * s.area_terms;
    if (overlap->volume <= overlap->volume_error) {
        overlap->volume_is_zero = sc_overlap_is_zero(&w->x);
    }
    if (overlap->volume_is_zero) {
        overlap->volume = overlap->volume_error = 0.0;
    } else if (overlap->volume <= overlap->volume_error) { /* too little to weigh */
        const sc_box *box = &overlap->common;
        overlap->volume = fmax(overlap->volume, 0.0);
        overlap->centroid =
            (sc_vec3){0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                      0.5 * (box->low[2] + box->high[2])};
    } else {
        double scale = 24.0 * overlap->volume;
        overlap->centroid =
            sc_add(w->x.origin, (sc_vec3){total(&s.moment[0]) / scale, total(&s.moment[1]) / scale,
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
        const sc_windings *in = &w->x.windings[part];
        all_inside[part] = in->vertices > 0 && in->crossed == 0 && !in->some_outside;
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

bool sc_overlap_find(sc_solid *solid[2], const uint64_t *hits, size_t hit_count, bool curves,
                     sc_overlap *overlap)
{
    work w = {.region = NULL};

    *overlap = (sc_overlap){.none = true, .bounds = sc_box_empty(), .common = sc_box_empty()};
    bool good = sc_crossings_find(solid, hits, hit_count, &w.x) && sc_crossings_wind(&w.x);
    if (good) {
        note_windings(&w, overlap);
        overlap->none = overlap->none && w.x.segment_count == 0;
        overlap->volume_is_zero = overlap->none;
    }
    if (good && !overlap->none) {
        good = choose_references(&w) && join_pieces(&w) && measure(&w, overlap);
    }
    overlap->multiplicity = w.multiplicity;
    good = good && (!curves || sc_overlap_chain_curves(&w.x, overlap));
    for (int part = 0; part < 2; part++) {
        sc_free(w.reference[part]);
    }
    sc_free(w.region);
    sc_crossings_free(&w.x);
    return good;
}

bool sc_overlap_find_curves(sc_solid *solid[2], const uint64_t *hits, size_t hit_count,
                            sc_overlap *overlap)
{
    sc_crossings x;

    *overlap = (sc_overlap){.none = true, .bounds = sc_box_empty(), .common = sc_box_empty()};
    bool good =
        sc_crossings_find(solid, hits, hit_count, &x) && sc_overlap_chain_curves(&x, overlap);
    sc_crossings_free(&x);
    return good;
}

void sc_overlap_free(sc_overlap *overlap)
{
    sc_free(overlap->regions);
    sc_free(overlap->curves);
    sc_free(overlap->curve_points);
    *overlap = (sc_overlap){.none = true};
}
