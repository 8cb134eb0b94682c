/* health_nesting.c - see health_nesting.h.
 *
 * Points just inside each shell are asked for the winding numbers of all shells around
 * them: rays along +x, all of them in one look at the facets. A point is believed only
 * if its own shell does surround it and if it lies on no surface. Signs are exact: the
 * ray is as if moved by (0, e^2, e), e smaller than anything, so it meets no edge. */
#include "health_nesting.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

enum { MOST_SAMPLES = 32, DEPTHS = 2, LOOK_FOR_LARGEST = 8 };
enum { ALL_SAMPLES = 1 << 14 };

/* Facet and point pairs looked at, at most: some seconds. */
#define BUDGET (UINT64_C(1) << 31)

typedef struct probe {
    sc_vec3 at;
    uint32_t shell;
    uint32_t id;
    bool bad; /* on a surface, or not in its shell */
} probe;

/* The winding number of a shell around a probe. */
typedef struct winding {
    uint32_t probe; /* its id */
    uint32_t shell;
    int number;
} winding;

typedef struct nest {
    const sc_facets *facets;
    sc_health_shells *shells;
    uint32_t per_shell; /* probes; those of shell s have ids s * per_shell and up */
    probe *probes;      /* [count] by y, from the second step on */
    uint32_t count;
    uint64_t *crossings; /* probe << 33 | shell << 1 | (1 if inwards) */
    size_t crossing_count, crossing_capacity;
    winding *windings; /* by probe and shell */
    size_t *first;     /* [shells * per_shell + 1] windings of probe id */
    bool *good;        /* [shells * per_shell] */
    bool gave_up;
} nest;

/* ---- probes ----------------------------------------------------------------------- */

static sc_vec3 doubled_area(const float v[9])
{
    sc_vec3 a = sc_health_vertex(v);
    return sc_cross(sc_sub(sc_health_vertex(v + 3), a), sc_sub(sc_health_vertex(v + 6), a));
}

/* Products in the exact core must not underflow. */
static double flushed(double x)
{
    return fabs(x) < 0x1p-140 ? 0 : x;
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

static void add_probes(nest *n, uint32_t s, const uint32_t *facets, uint32_t count)
{
    static const double depth[DEPTHS] = {0x1p-8, 0x1p-26};
    uint32_t samples = n->per_shell / DEPTHS, id = s * n->per_shell;
    uint32_t window = count / samples; /* needles are bad samples: the best of a few */

    window = window < 1 ? 1 : window > LOOK_FOR_LARGEST ? LOOK_FOR_LARGEST : window;
    samples = samples < count ? samples : count;
    for (uint32_t k = 0; k < samples; k++) {
        uint32_t at = (uint32_t)((uint64_t)k * count / samples);
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
            probe p = {.shell = s, .id = id++};
            if (inner_point(best, n->shells->shell[s].sign, depth[d], &p.at)) {
                n->probes[n->count++] = p;
            }
        }
    }
}

static int by_y(const void *a, const void *b)
{
    const probe *p = a, *q = b;
    return p->at.y != q->at.y ? (p->at.y < q->at.y ? -1 : 1) : (p->id > q->id) - (p->id < q->id);
}

/* Facets grouped by shell, only to sample them. */
static bool make_probes(nest *n)
{
    const sc_health_shells *shells = n->shells;
    uint32_t *start = sc_calloc((size_t)shells->count + 1, sizeof start[0]);
    uint32_t *facets = sc_alloc(n->facets->count, sizeof facets[0]);
    n->probes = sc_alloc((size_t)shells->count * n->per_shell, sizeof n->probes[0]);
    bool ok = start && facets && n->probes;

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
            add_probes(n, s, facets + (start[s] - count), count);
        }
    }
    if (ok) {
        qsort(n->probes, n->count, sizeof n->probes[0], by_y);
    }
    sc_free(start);
    sc_free(facets);
    return ok;
}

/* ---- rays ------------------------------------------------------------------------- */

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
        if (side == 0) {
            side = w.y != u.y ? (w.y > u.y ? 1 : -1) : (from_below ? -1 : 1);
        }
        turns += from_below && side > 0 ? 1 : to_below && side < 0 ? -1 : 0;
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

static bool add_crossing(nest *n, const probe *p, uint32_t shell, int way)
{
    if (!sc_make_room(&n->crossings, &n->crossing_capacity, n->crossing_count + 1,
                      sizeof n->crossings[0])) {
        return false;
    }
    n->crossings[n->crossing_count++] = (uint64_t)p->id << 33 | (uint64_t)shell << 1 | (way < 0);
    return true;
}

static bool cast_rays(nest *n)
{
    uint64_t looks = 0;

    for (uint32_t i = 0; i < n->facets->count && !n->gave_up; i++) {
        uint32_t shell = n->shells->of[i], low = 0, high = n->count;
        float xyz[9];
        if (shell == SC_NO_INDEX) {
            continue;
        }
        sc_health_facet(n->facets, i, xyz);
        sc_vec3 v[3];
        sc_box box = sc_box_empty();
        for (int k = 0; k < 3; k++) {
            v[k] = sc_health_vertex(xyz + 3 * k);
            sc_box_add_point(&box, v[k]);
        }
        while (low < high) { /* the first probe with y >= box.low[1] */
            uint32_t middle = low + (high - low) / 2;
            if (n->probes[middle].at.y < box.low[1]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (; low < n->count && n->probes[low].at.y <= box.high[1]; low++) {
            probe *p = &n->probes[low];
            looks++;
            if (p->at.z < box.low[2] || p->at.z > box.high[2] || p->at.x > box.high[0]) {
                continue;
            }
            int way = crossing(v, p->at, &p->bad);
            if (way != 0 && !add_crossing(n, p, shell, way)) {
                return false;
            }
        }
        n->gave_up = looks > BUDGET;
    }
    return true;
}

/* Crossings of the same probe and shell are summed, and probes judged. */
static bool sum_windings(nest *n)
{
    size_t ids = (size_t)n->shells->count * n->per_shell, count = 0;
    uint64_t *scratch = sc_alloc(n->crossing_count, sizeof scratch[0]);
    n->windings = sc_alloc(n->crossing_count, sizeof n->windings[0]);
    n->first = sc_calloc(ids + 1, sizeof n->first[0]);
    n->good = sc_calloc(ids, sizeof n->good[0]);
    if (!scratch || !n->windings || !n->first || !n->good) {
        sc_free(scratch);
        return false;
    }
    sc_sort_keys(n->crossings, scratch, n->crossing_count, 1, 63);
    sc_free(scratch);
    for (size_t i = 0; i < n->crossing_count;) {
        uint64_t key = n->crossings[i] >> 1;
        winding w = {(uint32_t)(key >> 32), (uint32_t)key, 0};
        for (; i < n->crossing_count && n->crossings[i] >> 1 == key; i++) {
            w.number += n->crossings[i] & 1 ? -1 : 1;
        }
        if (w.number != 0) {
            n->windings[count++] = w;
            n->first[w.probe + 1] = count;
        }
    }
    for (size_t id = 0; id < ids; id++) { /* probes without windings begin where they end */
        n->first[id + 1] = n->first[id + 1] > n->first[id] ? n->first[id + 1] : n->first[id];
    }
    for (uint32_t k = 0; k < n->count; k++) {
        const probe *p = &n->probes[k];
        for (size_t i = n->first[p->id]; i < n->first[p->id + 1] && !p->bad; i++) {
            const winding *w = &n->windings[i];
            int sign = n->shells->shell[p->shell].sign;
            n->good[p->id] |= w->shell == p->shell && w->number * sign > 0;
        }
    }
    return true;
}

/* ---- decisions -------------------------------------------------------------------- */

/* For the order of sizes: the volume's upper bits, since shells of the same shape have
 * the same volume but for rounding; of those the outward ones come first. */
typedef struct place {
    uint64_t size;
    int sign;
    uint32_t shell;
} place;

static place place_of(const sc_health_shells *shells, uint32_t s)
{
    double magnitude = fabs(shells->shell[s].volume);
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    return (place){bits >> 16, shells->shell[s].sign, s};
}

static int by_size(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->size != q->size) {
        return p->size > q->size ? -1 : 1;
    }
    return p->sign != q->sign ? q->sign - p->sign : (p->shell > q->shell) - (p->shell < q->shell);
}

/* Only a larger shell can have another one in it. */
static bool may_hold(const sc_health_shells *shells, uint32_t outer, uint32_t inner)
{
    place p = place_of(shells, outer), q = place_of(shells, inner);
    return p.size > q.size || (p.size == q.size && p.sign > q.sign);
}

static void count_shell(sc_count *c, const sc_health_shell *shell)
{
    c->first = c->count == 0 || shell->first < c->first ? shell->first : c->first;
    c->count++;
}

/* Whether shell s is inverted or nested outward; larger shells are decided. votes:
 * [shells] zeros, and left so. own: -1 for shells found inverted themselves. */
static void decide(const nest *n, uint32_t s, int32_t *votes, int8_t *own, sc_nesting *nesting)
{
    sc_health_shell *shell = &n->shells->shell[s];
    uint32_t good = 0, in_solid = 0;
    size_t id = (size_t)s * n->per_shell, end = id + n->per_shell;
    size_t begin = n->first[id], stop = n->first[end];

    for (; id < end; id++) {
        int around = 0;
        for (size_t i = n->first[id]; i < n->first[id + 1] && n->good[id]; i++) {
            const winding *w = &n->windings[i];
            if (may_hold(n->shells, w->shell, s)) {
                around += w->number * n->shells->shell[w->shell].flip;
                votes[w->shell]++;
            }
        }
        good += n->good[id];
        in_solid += n->good[id] && around > 0;
    }
    for (size_t i = begin; i < stop; i++) { /* what turns a shell turns all within it */
        uint32_t outer = n->windings[i].shell;
        if (2 * (uint32_t)votes[outer] > good && own[outer] < 0) {
            shell->flip = -shell->flip;
        }
        votes[outer] = 0;
    }
    if (good == 0) {
        nesting->simple = nesting->simple && shell->sign >= 0;
        return;
    }
    bool outward = shell->sign * shell->flip > 0;
    if (!outward && 2 * in_solid <= good) {
        own[s] = -1;
        shell->flip = -shell->flip;
        count_shell(&nesting->inverted, shell);
    } else if (outward && 2 * in_solid > good) {
        count_shell(&nesting->outward, shell);
    }
}

static bool decide_all(const nest *n, sc_nesting *nesting)
{
    uint32_t count = n->shells->count;
    place *order = sc_alloc(count, sizeof order[0]);
    int32_t *votes = sc_calloc(count, sizeof votes[0]);
    int8_t *own = sc_calloc(count, sizeof own[0]);
    bool ok = order && votes && own;

    for (uint32_t s = 0; s < count && ok; s++) {
        order[s] = place_of(n->shells, s);
    }
    if (ok) {
        qsort(order, count, sizeof order[0], by_size);
    }
    for (uint32_t k = 0; k < count && ok; k++) {
        decide(n, order[k].shell, votes, own, nesting);
    }
    sc_free(order);
    sc_free(votes);
    sc_free(own);
    return ok;
}

static bool all_positive(const nest *n)
{
    for (size_t id = 0; id < (size_t)n->shells->count * n->per_shell; id++) {
        int sum = 0;
        for (size_t i = n->first[id]; i < n->first[id + 1] && n->good[id]; i++) {
            sum += n->windings[i].number * n->shells->shell[n->windings[i].shell].flip;
        }
        if (sum < 0) {
            return false;
        }
    }
    return true;
}

static void nest_free(nest *n)
{
    sc_free(n->probes);
    sc_free(n->crossings);
    sc_free(n->windings);
    sc_free(n->first);
    sc_free(n->good);
}

/* Asks so many points of each shell; gives up for them all. False if memory ran out. */
static bool ask(nest *n, const sc_facets *facets, sc_health_shells *shells, uint32_t samples)
{
    *n = (nest){.facets = facets, .shells = shells, .per_shell = samples * DEPTHS};
    n->gave_up = (uint64_t)shells->count * n->per_shell >= (uint64_t)1 << 31; /* ids must fit */
    return n->gave_up || (make_probes(n) && cast_rays(n));
}

bool sc_nesting_find(const sc_facets *facets, sc_health_shells *shells, sc_nesting *nesting)
{
    uint32_t samples = ALL_SAMPLES / shells->count;
    nest n;

    samples = samples < 1 ? 1 : samples > MOST_SAMPLES ? MOST_SAMPLES : samples;
    bool ok = ask(&n, facets, shells, samples);
    if (ok && n.gave_up && samples > 1) {
        nest_free(&n);
        ok = ask(&n, facets, shells, 1);
    }
    *nesting = (sc_nesting){.known = !n.gave_up, .simple = !n.gave_up};
    if (ok && nesting->known) {
        ok = sum_windings(&n) && decide_all(&n, nesting);
        nesting->simple = nesting->simple && ok && all_positive(&n);
    }
    nest_free(&n);
    return ok;
}
