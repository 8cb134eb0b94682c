/* deepest.c - see deepest.h. */
#include "deepest.h"

#include "depth_chord.h"
#include "depth_climb.h"
#include "depth_region.h"
#include "embedded.h"
#include "overlap/overlap_regions.h"
#include "pair.h"

/* ---- what is known -------------------------------------------------------- */

sc_deepest sc_deepest_make(const sc_depth_request *request)
{
    double reach = sc_parts_reach(request->solid[0]->part, request->solid[1]->part);
    sc_deepest d = {.request = request,
                    .error = sc_fmin(request->relative_error, 1.0),
                    .floor = reach * 0x1p-40};
    d.fine = d.error / 8.0;
    for (int x = 0; x < 2; x++) {
        d.surface[x] = sc_surface_of(request->solid[x], request->solid[1 - x]->part);
        d.surface[x].embedded = sc_solid_is_known_embedded(request->solid[x]);
    }
    return d;
}

void sc_deepest_join(sc_deepest *d, const sc_deepest *other)
{
    if (other->best > d->best) {
        d->best = other->best;
        d->point = other->point;
        d->in = other->in;
    }
}

/* ---- what to beat -------------------------------------------------------- */

double sc_deepest_limit(const sc_deepest *d)
{
    if (d->request->threshold >= 0.0) {
        return sc_fmax(d->request->threshold, d->floor);
    }
    return sc_fmax(d->best * (1.0 + d->error), d->floor);
}

bool sc_deepest_within(const sc_deepest *d, sc_vec3 p)
{
    return sc_box_holds(&d->request->within, p);
}

bool sc_deepest_beaten(const sc_deepest *d)
{
    return d->request->threshold >= 0.0 && d->best > d->request->threshold;
}

/* Where only a threshold is to be exceeded, it suffices that no surface is near: how far the
 * nearest is does not matter, and may be dear to tell. */
static bool is_clear(sc_deepest *d, int x, sc_vec3 p, uint32_t hint, double clear)
{
    return sc_surface_any(&d->surface[x], p, clear, (sc_seek){.hint = hint}).distance > clear;
}

double sc_deepest_at(sc_deepest *d, int x, sc_vec3 p, uint32_t hint, double part, double enough)
{
    double clear = 2.0 * sc_fmax(d->request->threshold, d->floor);
    if (d->request->threshold >= 0.0 && is_clear(d, x, p, hint, clear)) {
        return clear - d->surface[x].margin;
    }
    sc_nearest n =
        sc_surface_nearest(&d->surface[x], p, (sc_seek){enough, INFINITY, part, 0.0, hint});
    return n.distance <= enough ? 0.0 : n.distance * (1.0 - part) - d->surface[x].margin;
}

/* Whether p is a common point after all: inside part x, and inside the other one or on it. */
static bool is_common(sc_deepest *d, sc_vec3 p, int x)
{
    sc_surface *other = &d->surface[1 - x];
    return sc_surface_surely_contains(&d->surface[x], p) &&
           (!is_clear(d, 1 - x, p, UINT32_MAX, 4.0 * other->margin) ||
            sc_surface_surely_contains(other, p));
}

void sc_deepest_improve(sc_deepest *d, sc_vec3 p, int x, double depth)
{
    if (!sc_depth_region_holds(d->request, d->surface, p) || !is_common(d, p, x)) {
        return;
    }
    d->best = depth;
    d->point = p;
    d->in = x;
}

/* ---- first tries --------------------------------------------------------- */

/* A point of the surface of the other part. Only for clearly more than the best is it
 * worth a search. */
static void try_point(sc_deepest *d, int x, sc_vec3 p, uint32_t hint)
{
    double depth =
        sc_deepest_within(d, p) ? sc_deepest_at(d, x, p, hint, d->fine, 1.02 * d->best) : 0.0;
    if (depth > d->best &&
        sc_surface_contains(&d->surface[x], sc_surface_tidy(&d->surface[x], p))) {
        sc_deepest_improve(d, p, x, depth);
    }
}

/* Some vertices, evenly through the file: the sooner the best is good, the more of
 * the rest is dropped unopened. */
static void try_samples(void *context, int x)
{
    enum { SAMPLES = 256 };
    sc_deepest *d = &((sc_deepest *)context)[x];
    const sc_solid *other = d->surface[1 - x].solid;
    uint32_t facets = other->part->mesh->file.facets.count;
    uint32_t samples = facets < SAMPLES ? facets : SAMPLES;

    for (uint32_t i = 0; i < samples && !sc_deepest_beaten(d); i++) {
        sc_vec3 v[3];
        sc_solid_facet(other, (uint32_t)((uint64_t)i * facets / samples), v);
        if (sc_facet_has_area(v)) {
            try_point(d, x, v[0], UINT32_MAX);
        }
    }
}

/* Points of an edge of the other part on both sides of a facet that it may pass through, or half
 * way along: of long edges neither end need be near. */
static void try_edge(sc_deepest *d, int x, sc_vec3 from, sc_vec3 to, uint32_t facet)
{
    enum { HALVINGS = 6 };
    sc_vec3 through;
    if (!sc_surface_through(&d->surface[x], from, to, facet, &through)) {
        const sc_vec3 middle = sc_mul_add(from, 0.5, sc_sub(to, from));
        try_point(d, x, sc_surface_tidy(&d->surface[x], middle), facet);
        return;
    }
    sc_vec3 end[2] = {from, to};
    for (int i = 0; i < 2; i++) {
        double part = 0.5;
        for (int k = 0; k < HALVINGS && !sc_deepest_beaten(d); k++, part *= 0.5) {
            sc_vec3 p = sc_mul_add(through, part, sc_sub(end[i], through));
            try_point(d, x, sc_surface_tidy(&d->surface[x], p), facet);
        }
    }
}

/* Whether the tries alone have taken all that the search may. */
static bool is_spent(const sc_deepest *d)
{
    return (d->surface[0].visited + d->surface[1].visited) / SC_FACETS_A_LOOK > d->request->budget;
}

/* Where two facets cross, vertices close by are often deep enough, and all there is to look at is
 * close by. */
static void try_facets(sc_deepest *d, const uint32_t facet[2])
{
    for (int x = 0; x < 2; x++) {
        sc_vec3 v[3];
        sc_solid_facet(d->surface[1 - x].solid, facet[1 - x], v);
        for (int k = 0; k < 3 && sc_facet_has_area(v) && !sc_deepest_beaten(d); k++) {
            try_point(d, x, v[k], facet[x]);
            try_edge(d, x, v[k], v[(k + 1) % 3], facet[x]);
        }
    }
}

/* Up to so many hits, evenly through the list. */
static void try_hits(sc_deepest *d, size_t hits)
{
    const sc_depth_request *r = d->request;
    size_t step = r->hit_count / hits + 1;

    for (size_t h = 0; r->threshold >= 0.0 && h < r->hit_count && !is_spent(d); h += step) {
        const uint32_t facet[2] = {sc_pair_facet(r->hits[h], 0), sc_pair_facet(r->hits[h], 1)};
        try_facets(d, facet);
    }
}

/* Where the surfaces cross about the region that is asked for: one of many is small. */
static void try_region(sc_deepest *d)
{
    enum { MOST = 16 };
    const sc_depth_request *r = d->request;
    size_t count = r->regions ? sc_regions_segments(r->regions, r->region) : 0;
    size_t step = count / MOST + 1;

    for (size_t i = 0; i < count && !is_spent(d); i += step) {
        uint32_t facet[2];
        sc_regions_segment(r->regions, r->region, i, facet);
        try_facets(d, facet);
    }
}

static void try_in(sc_deepest *d, int x, sc_vec3 p)
{
    double depth = sc_deepest_at(d, x, p, UINT32_MAX, d->fine, d->best);
    if (depth > d->best && sc_surface_contains(&d->surface[x], p)) {
        sc_deepest_improve(d, p, x, depth);
    }
}

void sc_deepest_try(sc_deepest *d, sc_vec3 p)
{
    try_in(d, 0, p);
    try_in(d, 1, p);
}

/* Where surfaces lie on one another, no point of them is deep, and what is deep is between them:
 * half way through, from up to so many facets of part x, the thickest place first. */
static void try_chords_from(sc_deepest *d, int x, uint32_t most)
{
    const sc_solid *solid = d->surface[x].solid;
    uint32_t facets = solid->part->mesh->file.facets.count;
    uint32_t samples = facets < most ? facets : most;
    sc_midway all[SC_MIDWAYS * SC_MANY_CHORDS];
    int count = 0;

    for (uint32_t i = 0; i < samples; i++) {
        sc_vec3 v[3];
        double error;
        sc_solid_facet(solid, (uint32_t)((uint64_t)i * facets / samples), v);
        sc_vec3 from = sc_triangle_middle(v);
        sc_vec3 normal = sc_facet_normal(v, &error);
        double length = sc_length(normal);
        if (length > error && sc_deepest_within(d, from)) {
            count += sc_depth_chord(d->surface, from, sc_scale(normal, -1.0 / length),
                                    &d->request->within, all + count);
        }
    }
    for (int n = count; n > 0 && !is_spent(d) && !sc_deepest_beaten(d); n--) {
        int widest = 0;
        for (int i = 1; i < n; i++) {
            widest = all[i].half > all[widest].half ? i : widest;
        }
        if (!(all[widest].half > d->best)) {
            return;
        }
        sc_deepest_try(d, sc_surface_tidy(&d->surface[x], all[widest].point));
        all[widest] = all[n - 1];
    }
}

void sc_deepest_try_between(sc_deepest *d, uint32_t most)
{
    for (int x = 0; x < 2 && d->best == 0.0 && !is_spent(d); x++) {
        try_chords_from(d, x, most);
    }
}

void sc_deepest_climb_from(sc_deepest *d, int x, sc_vec3 from, double part, double step)
{
    double depth = sc_depth_climb(d->surface, x, &d->request->within, part, step, &from);
    if (part > d->fine && depth > 0.0) {
        try_in(d, x, from);
    } else if (depth > d->best) {
        sc_deepest_improve(d, from, x, depth);
    }
}

void sc_deepest_climb(sc_deepest *d, double step)
{
    if (d->best > 0.0) {
        sc_deepest_climb_from(d, d->in, d->point, d->fine, step * d->best);
    }
}

void sc_deepest_climb_up(sc_deepest *d)
{
    static const double part = 0x1p-30, step = 1.0 / 16.0;
    if (d->best > 0.0) {
        sc_deepest_climb_from(d, d->in, d->point, part, step * d->best);
    }
}

void sc_deepest_measure(sc_surface *surface, sc_depth *depth)
{
    sc_nearest n = sc_surface_nearest(surface, depth->point, (sc_seek){.hint = UINT32_MAX});
    depth->depth = n.distance;
    depth->nearest = n.point;
}

bool sc_deepest_tell(sc_deepest *d, sc_depth *depth)
{
    if (d->best > depth->depth) {
        depth->point = d->point;
        depth->in = d->in;
        sc_deepest_measure(&d->surface[d->in], depth);
        depth->bound = sc_fmax(depth->bound, depth->depth);
    }
    return !d->surface[0].failed && !d->surface[1].failed;
}

/* Uphill in either part from the best so far, if there is one, and from the middle. A good best at
 * the start settles most of the rest: bars and plates are no thicker. Roughly, as only one of them
 * matters in the end. */
enum { CLIMBS = 4 };
static const double rough_part = 1.0 / 64.0;
static void climb(void *context, int number)
{
    sc_deepest *d = &((sc_deepest *)context)[number];
    bool from_middle = number < 2;
    if (from_middle || d->best > 0.0) {
        sc_vec3 from = from_middle ? sc_box_centre(&d->request->within) : d->point;
        if (from_middle) { /* which is best where all is symmetric */
            try_in(d, number % 2, sc_surface_tidy(&d->surface[number % 2], from));
        }
        sc_deepest_climb_from(d, number % 2, from, sc_fmax(rough_part, d->fine), INFINITY);
    }
}

/* `count` searches side by side, each with what is known before. Of finds that are as good, as far
 * as they are told, the first counts: the middle, before a place near it. */
static void side_by_side(sc_deepest *d, sc_crew *crew, int count,
                         void (*work)(void *context, int number))
{
    sc_deepest each[CLIMBS];
    for (int i = 0; i < count; i++) {
        each[i] = *d;
    }
    sc_crew_items(crew, count, work, each);
    uint64_t visited[2] = {d->surface[0].visited, d->surface[1].visited};
    for (int i = 0; i < count; i++) {
        if (each[i].best * (1.0 - 0.5 * d->fine) > d->best) {
            sc_deepest_join(d, &each[i]);
        }
        for (int x = 0; x < 2; x++) {
            d->surface[x].visited += each[i].surface[x].visited - visited[x];
            d->surface[x].failed |= each[i].surface[x].failed;
        }
    }
}

/* How deep the best point is, to all digits: where it is one of several regions that are alike,
 * that may be enough. */
static void tell_best(sc_deepest *d)
{
    if (d->request->regions && d->best > 0.0) {
        d->best = sc_fmax(d->best, sc_deepest_at(d, d->in, d->point, UINT32_MAX, 0.0, 0.0));
    }
}

void sc_deepest_start(sc_deepest *d, sc_crew *crew)
{
    enum { FEW_HITS = 8, MANY_HITS = 1024 };
    bool measures = d->request->threshold < 0.0; /* else the first sample may be enough */
    try_hits(d, FEW_HITS);
    try_region(d);
    if (!measures) { /* a part that is there twice */
        sc_deepest_try_between(d, SC_FEW_CHORDS);
    }
    if (!sc_deepest_beaten(d)) {
        side_by_side(d, measures ? crew : NULL, 2, try_samples);
    }
    if (!sc_deepest_beaten(d)) { /* nearly flush parts cross in many places where nothing is deep */
        try_hits(d, MANY_HITS);
    }
    sc_deepest_try_between(d, SC_MANY_CHORDS);
    if (!sc_deepest_beaten(d) && !is_spent(d)) {
        side_by_side(d, crew, CLIMBS, climb);
    }
    if (!sc_deepest_beaten(d) && !is_spent(d)) {
        sc_deepest_climb(d, 8.0 * rough_part);
    }
    tell_best(d);
}
