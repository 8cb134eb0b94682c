/* deepest.c - see deepest.h. */
#include "deepest.h"

#include "depth_climb.h"
#include "depth_region.h"

/* ---- what to beat -------------------------------------------------------- */

double sc_deepest_limit(const sc_deepest *d)
{
    if (d->request->threshold >= 0.0) {
        return fmax(d->request->threshold, d->floor);
    }
    return fmax(d->best * (1.0 + d->error), d->floor);
}

bool sc_deepest_within(const sc_deepest *d, sc_vec3 p)
{
    return sc_box_holds(&d->request->within, p);
}

bool sc_deepest_beaten(const sc_deepest *d)
{
    return d->request->threshold >= 0.0 && d->best > d->request->threshold;
}

double sc_deepest_at(sc_deepest *d, int x, sc_vec3 p, uint32_t hint, double part, double enough)
{
    sc_nearest n = sc_shell_nearest(&d->shell[x], p, (sc_seek){enough, INFINITY, part, 0.0, hint});
    return n.distance <= enough ? 0.0 : n.distance * (1.0 - part) - d->shell[x].margin;
}

void sc_deepest_improve(sc_deepest *d, sc_vec3 p, int x, double depth)
{
    if (!sc_depth_region_holds(d->request, d->shell, p)) {
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
    if (depth > d->best && sc_shell_contains(&d->shell[x], sc_shell_tidy(&d->shell[x], p))) {
        sc_deepest_improve(d, p, x, depth);
    }
}

/* Some vertices, evenly through the file: the sooner the best is good, the more of
 * the rest is dropped unopened. */
static void try_samples(sc_deepest *d, int x)
{
    enum { SAMPLES = 256 };
    const sc_solid *other = d->shell[1 - x].solid;
    uint32_t facets = other->part->mesh->file.facets.count;
    uint32_t samples = facets < SAMPLES ? facets : SAMPLES;

    for (uint32_t i = 0; i < samples; i++) {
        sc_vec3 v[3];
        sc_solid_facet(other, (uint32_t)((uint64_t)i * facets / samples), v);
        if (sc_facet_has_area(v)) {
            try_point(d, x, v[0], UINT32_MAX);
        }
    }
}

/* Points of an edge of the other part on both sides of a facet that it may pass through:
 * of long edges neither end need be near. */
static void try_edge(sc_deepest *d, int x, sc_vec3 from, sc_vec3 to, uint32_t facet)
{
    enum { HALVINGS = 6 };
    sc_vec3 through;
    if (!sc_shell_through(&d->shell[x], from, to, facet, &through)) {
        return;
    }
    sc_vec3 end[2] = {from, to};
    for (int i = 0; i < 2; i++) {
        double part = 0.5;
        for (int k = 0; k < HALVINGS && !sc_deepest_beaten(d); k++, part *= 0.5) {
            sc_vec3 p = sc_mul_add(through, part, sc_sub(end[i], through));
            try_point(d, x, sc_shell_tidy(&d->shell[x], p), facet);
        }
    }
}

/* Where surfaces cross, vertices close by are often deep enough, and all there is to look
 * at is close by. Up to so many hits, evenly through the list. */
static void try_hits(sc_deepest *d, size_t hits)
{
    const sc_depth_request *r = d->request;
    size_t step = r->hit_count / hits + 1;

    for (size_t h = 0; r->threshold >= 0.0 && h < r->hit_count; h += step) {
        uint32_t facet[2] = {(uint32_t)(r->hits[h] >> 32), (uint32_t)r->hits[h]};
        for (int x = 0; x < 2; x++) {
            sc_vec3 v[3];
            sc_solid_facet(d->shell[1 - x].solid, facet[1 - x], v);
            for (int k = 0; k < 3 && sc_facet_has_area(v) && !sc_deepest_beaten(d); k++) {
                try_point(d, x, v[k], facet[x]);
                try_edge(d, x, v[k], v[(k + 1) % 3], facet[x]);
            }
        }
    }
}

/* A good best at the start settles most of the rest: bars and plates are no thicker. */
static void climb(sc_deepest *d)
{
    sc_vec3 from[2] = {d->point, sc_box_centre(&d->request->within)};
    for (int i = d->best > 0.0 ? 0 : 1; i < 2; i++) {
        for (int x = 0; x < 2; x++) {
            sc_vec3 p = from[i];
            double depth = sc_depth_climb(d->shell, x, &d->request->within, d->fine, &p);
            if (depth > d->best) {
                sc_deepest_improve(d, p, x, depth);
            }
        }
    }
}

void sc_deepest_start(sc_deepest *d)
{
    enum { FEW_HITS = 8, MANY_HITS = 1024 };
    try_hits(d, FEW_HITS);
    for (int x = 0; x < 2 && !sc_deepest_beaten(d); x++) {
        try_samples(d, x);
    }
    if (!sc_deepest_beaten(d)) { /* nearly flush parts cross in many places where nothing is deep */
        try_hits(d, MANY_HITS);
    }
    if (!sc_deepest_beaten(d)) {
        climb(d);
    }
}
