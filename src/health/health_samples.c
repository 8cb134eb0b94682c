/* health_samples.c - see health_samples.h.
 *
 * Rays along +x, all of them in one look at the facets. Signs are exact: the ray is as if moved
 * by (0, e^2, e), e smaller than anything, so it meets no edge. */
#include "health_samples.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"

#include <stdlib.h>

enum { MOST_SAMPLES = 32, DEPTHS = 2, LOOK_FOR_LARGEST = 8 };
enum { ALL_SAMPLES = 1 << 14 };

/* Facet and point pairs looked at, at most: some seconds. */
#define BUDGET (UINT64_C(1) << 31)

typedef struct sample {
    sc_vec3 at;
    uint32_t shell;
    uint32_t id;
    bool bad; /* on a surface */
} sample;

typedef struct sampling {
    const sc_facets *facets;
    const sc_health_shells *shells;
    sample *samples; /* [count] by y */
    uint32_t count;
    uint64_t *crossings; /* sample << 33 | shell << 1 | (1 if inwards) */
    size_t crossing_count, crossing_capacity;
    sc_samples *out;
} sampling;

/* ---- samples ----------------------------------------------------------------------- */

static sc_vec3 doubled_area(const float v[9])
{
    sc_vec3 a = sc_health_vertex(v);
    return sc_cross(sc_sub(sc_health_vertex(v + 3), a), sc_sub(sc_health_vertex(v + 6), a));
}

/* Products of three in the exact core must not underflow, in their last bits either; parts of the
 * least floats, down to 2^-149, are still larger than what that leaves out. */
static double flushed(double x)
{
    return fabs(x) < 0x1p-200 ? 0 : x;
}

/* From the centre of a facet to the inner side, a part of its width deep. */
static bool inner_point(const float v[9], int sign, double part, sc_vec3 *p)
{
    sc_vec3 a = sc_health_vertex(v), b = sc_health_vertex(v + 3), c = sc_health_vertex(v + 6);
    sc_vec3 normal = doubled_area(v);
    double area = sc_length(normal);
    double round = sc_length(sc_sub(b, a)) + sc_length(sc_sub(c, b)) + sc_length(sc_sub(a, c));
    sc_vec3 centre = sc_scale(sc_add(a, sc_add(b, c)), 1.0 / 3);

    if (!(area > 0) || !isfinite(area)) { /* squares left the range of doubles */
        return false;
    }
    *p = sc_mul_add(centre, -sign * part / round, normal);
    *p = (sc_vec3){flushed(p->x), flushed(p->y), flushed(p->z)};
    return true;
}

static void add_samples(sampling *n, uint32_t s, const uint32_t *facets, uint32_t count)
{
    static const double depth[DEPTHS] = {0x1p-8, 0x1p-26};
    uint32_t chosen = n->out->per_shell / DEPTHS, id = s * n->out->per_shell;
    uint32_t window = count / chosen; /* needles are bad samples: the best of a few */

    window = window < 1 ? 1 : window > LOOK_FOR_LARGEST ? LOOK_FOR_LARGEST : window;
    chosen = chosen < count ? chosen : count;
    for (uint32_t k = 0; k < chosen; k++) {
        uint32_t at = (uint32_t)((uint64_t)k * count / chosen);
        float best[9] = {0}, v[9];
        double largest = -1;
        for (uint32_t i = at; i < count && i < at + window; i++) {
            sc_health_facet(n->facets, facets[i], v);
            double area = sc_length(doubled_area(v));
            if (area > largest) {
                largest = area;
                memcpy(best, v, sizeof best);
            }
        }
        for (int d = 0; d < DEPTHS && largest > 0; d++) {
            sample p = {.shell = s, .id = id++};
            if (inner_point(best, n->shells->shell[s].sign, depth[d], &p.at)) {
                n->samples[n->count++] = p;
            }
        }
    }
}

static int by_y(const void *a, const void *b)
{
    const sample *p = a, *q = b;
    return p->at.y != q->at.y ? (p->at.y < q->at.y ? -1 : 1) : (p->id > q->id) - (p->id < q->id);
}

/* Facets grouped by shell, only to sample them. */
static bool make_samples(sampling *n)
{
    const sc_health_shells *shells = n->shells;
    uint32_t *start = sc_calloc((size_t)shells->count + 1, sizeof start[0]);
    uint32_t *facets = sc_alloc(n->facets->count, sizeof facets[0]);
    n->samples = sc_alloc((size_t)shells->count * n->out->per_shell, sizeof n->samples[0]);
    bool ok = start && facets && n->samples;

    for (uint32_t s = 0; s < shells->count && ok; s++) {
        start[s + 1] = start[s] + shells->shell[s].facets;
    }
    for (uint32_t i = 0; i < n->facets->count && ok; i++) {
        if (shells->of[i] != SC_NO_INDEX) {
            facets[start[shells->of[i]]++] = i;
        }
    }
    for (uint32_t s = 0; s < shells->count && ok; s++) {
        uint32_t count = shells->shell[s].facets; /* start[s] is now its end */
        if (shells->shell[s].sign != 0) {
            add_samples(n, s, facets + (start[s] - count), count);
        }
    }
    if (ok) {
        qsort(n->samples, n->count, sizeof n->samples[0], by_y);
    }
    sc_free(start);
    sc_free(facets);
    return ok;
}

/* ---- rays ------------------------------------------------------------------------- */

/* The side of an edge on which a point on it comes to lie that is moved by e along z, and by much
 * less along y. */
static int side_when_moved(sc_vec3 u, sc_vec3 w, bool up)
{
    if (w.y != u.y) {
        return w.y > u.y ? 1 : -1;
    }
    return up ? -1 : 1;
}

/* How often the facet, seen along x, turns round p: 0, 1 or -1. */
static int turns_round(const sc_vec3 v[3], sc_vec3 p)
{
    int turns = 0;
    for (int k = 0; k < 3; k++) {
        sc_vec3 u = v[k], w = v[(k + 1) % 3];
        bool from_below = u.z <= p.z, to_below = w.z <= p.z; /* p is moved by e along z */
        if (from_below == to_below) {
            continue;
        }
        int side = sc_orient2d(u, w, p, 0);
        side = side == 0 ? side_when_moved(u, w, from_below) : side;
        turns += (from_below && side > 0) - (to_below && side < 0);
    }
    return turns;
}

/* What the facet adds to the winding number around p; *on if p lies on it. */
static int crossing(const sc_vec3 v[3], sc_vec3 p, bool *on)
{
    int turns = turns_round(v, p);
    if (turns == 0) {
        return 0;
    }
    int side = sc_orient3d(v[0], v[1], v[2], p);
    *on = *on || side == 0;
    return side == turns ? turns : 0; /* the facet is ahead of p */
}

static bool add_crossing(sampling *n, const sample *p, uint32_t shell, int way)
{
    if (!sc_make_room(&n->crossings, &n->crossing_capacity, n->crossing_count + 1,
                      sizeof n->crossings[0])) {
        return false;
    }
    n->crossings[n->crossing_count++] = (uint64_t)p->id << 33 | (uint64_t)shell << 1 | (way < 0);
    return true;
}

static bool lies_below(const void *one, const void *y)
{
    return ((const sample *)one)->at.y < *(const double *)y;
}

/* The first sample that does not lie below y. */
static uint32_t first_from(const sampling *n, double y)
{
    return (uint32_t)sc_lower_bound(n->samples, n->count, sizeof *n->samples, lies_below, &y);
}

/* The rays of all samples through a facet of a shell; false if memory ran out. */
static bool cross_facet(sampling *n, uint32_t facet, uint32_t shell, uint64_t *looks)
{
    float xyz[9];
    sc_vec3 v[3];
    sc_box box = sc_box_empty();

    sc_health_facet(n->facets, facet, xyz);
    for (int k = 0; k < 3; k++) {
        v[k] = sc_health_vertex(xyz + 3 * k);
        sc_box_add_point(&box, v[k]);
    }
    for (uint32_t i = first_from(n, box.low[1]); i < n->count; i++) {
        sample *p = &n->samples[i];
        if (p->at.y > box.high[1]) {
            break;
        }
        ++*looks;
        if (p->at.z < box.low[2] || p->at.z > box.high[2] || p->at.x > box.high[0]) {
            continue;
        }
        int way = crossing(v, p->at, &p->bad);
        if (way != 0 && !add_crossing(n, p, shell, way)) {
            return false;
        }
    }
    return true;
}

static bool cast_rays(sampling *n)
{
    uint64_t looks = 0;

    for (uint32_t i = 0; i < n->facets->count && !n->out->gave_up; i++) {
        const uint32_t shell = n->shells->of[i];
        if (shell != SC_NO_INDEX && !cross_facet(n, i, shell, &looks)) {
            return false;
        }
        n->out->gave_up = looks > BUDGET;
    }
    return true;
}

/* Crossings of the same sample and shell are summed, and samples judged. */
static bool sum_windings(sampling *n)
{
    size_t ids = (size_t)n->shells->count * n->out->per_shell, count = 0;
    uint64_t *scratch = sc_alloc(n->crossing_count, sizeof scratch[0]);
    n->out->windings = sc_alloc(n->crossing_count, sizeof n->out->windings[0]);
    n->out->first = sc_calloc(ids + 1, sizeof n->out->first[0]);
    n->out->good = sc_calloc(ids, sizeof n->out->good[0]);
    if (!scratch || !n->out->windings || !n->out->first || !n->out->good) {
        sc_free(scratch);
        return false;
    }
    sc_sort_keys(n->crossings, scratch, n->crossing_count, 1, 63);
    sc_free(scratch);
    for (size_t i = 0; i < n->crossing_count;) {
        uint64_t key = n->crossings[i] >> 1;
        sc_sample_winding w = {(uint32_t)(key >> 32), (uint32_t)key, 0};
        for (; i < n->crossing_count && n->crossings[i] >> 1 == key; i++) {
            w.number += n->crossings[i] & 1 ? -1 : 1;
        }
        if (w.number != 0) {
            n->out->windings[count++] = w;
            n->out->first[w.sample + 1] = count;
        }
    }
    for (size_t id = 0; id < ids; id++) { /* samples without windings begin where they end */
        n->out->first[id + 1] =
            n->out->first[id + 1] > n->out->first[id] ? n->out->first[id + 1] : n->out->first[id];
    }
    for (uint32_t k = 0; k < n->count; k++) {
        const sample *p = &n->samples[k];
        for (size_t i = n->out->first[p->id]; i < n->out->first[p->id + 1] && !p->bad; i++) {
            const sc_sample_winding *w = &n->out->windings[i];
            int sign = n->shells->shell[p->shell].sign;
            n->out->good[p->id] |= w->shell == p->shell && w->number * sign > 0;
        }
    }
    return true;
}

/* ---- all of it --------------------------------------------------------------------- */

/* Of so many facets of each shell; gives up for them all. False if memory ran out. */
static bool take(const sc_facets *facets, const sc_health_shells *shells, uint32_t chosen,
                 sc_samples *out)
{
    sampling n = {.facets = facets, .shells = shells, .out = out};

    *out = (sc_samples){.per_shell = chosen * DEPTHS};
    out->gave_up = (uint64_t)shells->count * out->per_shell >= (uint64_t)1 << 31; /* ids must fit */
    bool ok = out->gave_up || (make_samples(&n) && cast_rays(&n));
    ok = ok && (out->gave_up || sum_windings(&n));
    sc_free(n.samples);
    sc_free(n.crossings);
    return ok;
}

bool sc_samples_take(const sc_facets *facets, const sc_health_shells *shells, sc_samples *samples)
{
    uint32_t chosen = ALL_SAMPLES / shells->count;

    chosen = chosen < 1 ? 1 : chosen > MOST_SAMPLES ? MOST_SAMPLES : chosen;
    bool ok = take(facets, shells, chosen, samples);
    if (ok && samples->gave_up && chosen > 1) {
        sc_samples_free(samples);
        ok = take(facets, shells, 1, samples);
    }
    return ok;
}

void sc_samples_free(sc_samples *samples)
{
    sc_free(samples->windings);
    sc_free(samples->first);
    sc_free(samples->good);
    *samples = (sc_samples){.gave_up = true};
}
