/* overlap_holes.c - see overlap_holes.h. A hole lies in the box of its region, most often of no
 * other. Where there is a choice, as among plates that stand side by side askew, points of its
 * edges tell: the winding number of a piece of the boundary about such a point is that of the
 * faces that a ray along x meets, each a polygon of the stretches that bound it. */
#include "overlap_holes.h"

#include "base/alloc.h"
#include "overlap_corners.h"

#include <stdlib.h>

enum { SAMPLES = 6 };

typedef struct hole {
    size_t region;        /* that stands for it */
    size_t first, choice; /* candidates: the smallest first, and how many */
    sc_vec3 at[SAMPLES];
    int samples;
} hole;

/* A region whose box holds that of a hole. */
typedef struct candidate {
    size_t hole, region;
    int winding[SAMPLES];
} candidate;

/* A sample of a candidate. */
typedef struct probe {
    size_t region, candidate;
    int sample;
    sc_vec3 at;
} probe;

typedef struct search {
    const sc_pieces *pieces;
    const sc_overlap_region *regions;
    hole *holes;
    candidate *candidates;
    size_t count, hole_count, candidate_count;
    size_t *of_piece; /* [pieces->count] its region; SIZE_MAX: none */
    size_t *of_hole;  /* [count] of the hole for which a region stands; SIZE_MAX: none in doubt */
    probe *probes;    /* [probe_count] by region, and from low to high */
    size_t probe_count;
    size_t *first_of; /* [count + 1] the first probe of a region, or a later one */

    sc_boundary_corner last; /* on a line, before this one */
    int sum;                 /* of the times of all before it: 0 outside of the overlap */
} search;

/* ---- choices ---------------------------------------------------------------- */

/* How far a box sticks out of another one; 0: nowhere. */
static double sticks_out(const sc_box *inner, const sc_box *outer)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        most = sc_max(most, sc_max(outer->low[k] - inner->low[k], inner->high[k] - outer->high[k]));
    }
    return most;
}

/* The smallest region before number `before` whose box holds that of this one; SIZE_MAX: none. A
 * hole may reach a wall of its region, as a bore does that ends there, and is rounded by itself. */
static size_t next_holder(const sc_overlap_region *regions, size_t region, size_t before)
{
    const sc_box *inner = &regions[region].bounds;
    const double rounding = 0x1p-30 * sc_box_extent(inner);
    for (size_t k = before; k-- > 0;) {
        if (sticks_out(inner, &regions[k].bounds) <= rounding) {
            return k;
        }
    }
    return SIZE_MAX;
}

/* A hole is in some region: where rounding took it out of all, in that whose box it leaves the
 * least. */
static size_t nearest_holder(const sc_overlap_region *regions, size_t region, size_t before)
{
    size_t nearest = SIZE_MAX;
    double least = INFINITY;
    for (size_t k = before; k-- > 0;) {
        const double out = sticks_out(&regions[region].bounds, &regions[k].bounds);
        nearest = out < least ? k : nearest;
        least = sc_min(out, least);
    }
    return nearest;
}

static size_t first_holder(const sc_overlap_region *regions, size_t region, size_t before)
{
    const size_t holder = next_holder(regions, region, before);
    return holder != SIZE_MAX ? holder : nearest_holder(regions, region, before);
}

static bool in_doubt(const search *s, const size_t *holder, size_t region)
{
    return holder[region] != SIZE_MAX &&
           next_holder(s->regions, region, holder[region]) != SIZE_MAX;
}

/* Counts them, or lists them if there is room. */
static void list_choices(search *s, const size_t *holder)
{
    s->hole_count = s->candidate_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (!in_doubt(s, holder, i)) {
            continue;
        }
        hole h = {.region = i, .first = s->candidate_count};
        for (size_t k = holder[i]; k != SIZE_MAX; k = next_holder(s->regions, i, k)) {
            if (s->candidates) {
                s->candidates[s->candidate_count] = (candidate){.hole = s->hole_count, .region = k};
            }
            s->candidate_count++;
        }
        h.choice = s->candidate_count - h.first;
        if (s->holes) {
            s->holes[s->hole_count] = h;
            s->of_hole[i] = s->hole_count;
        }
        s->hole_count++;
    }
}

static size_t *make_numbers(size_t count)
{
    size_t *numbers = sc_alloc(count, sizeof *numbers);
    for (size_t i = 0; numbers && i < count; i++) {
        numbers[i] = SIZE_MAX;
    }
    return numbers;
}

static bool make_choices(search *s, const size_t *holder)
{
    s->holes = sc_alloc(s->hole_count, sizeof *s->holes);
    s->candidates = sc_alloc(s->candidate_count, sizeof *s->candidates);
    s->of_piece = make_numbers(s->pieces->count);
    s->of_hole = make_numbers(s->count);
    s->first_of = sc_alloc(s->count + 1, sizeof *s->first_of);
    s->probes = sc_alloc(s->candidate_count, SAMPLES * sizeof *s->probes);
    if (!s->holes || !s->candidates || !s->of_piece || !s->of_hole || !s->first_of || !s->probes) {
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        s->of_piece[s->regions[i].piece] = i;
    }
    list_choices(s, holder);
    return true;
}

static void free_choices(search *s)
{
    sc_free(s->holes);
    sc_free(s->candidates);
    sc_free(s->of_piece);
    sc_free(s->of_hole);
    sc_free(s->first_of);
    sc_free(s->probes);
}

/* ---- stretches -------------------------------------------------------------- */

/* The region of the stretch that ends in this corner; SIZE_MAX if the overlap is not there. */
static size_t region_before(const search *s)
{
    return s->sum == 0 ? SIZE_MAX : s->of_piece[s->pieces->of[s->last.node]];
}

static void pass(search *s, const sc_boundary_corner *corner)
{
    s->sum += corner->times;
    s->last = *corner;
}

/* The middle of a stretch of an edge lies inside the other part, so in the region itself; that of
 * a segment may be on its surface. */
static void take_sample(void *context, sc_boundary_line *line, const sc_boundary_corner *corner)
{
    search *s = context;
    const size_t region = line->edge ? region_before(s) : SIZE_MAX;

    if (region != SIZE_MAX && s->of_hole[region] != SIZE_MAX) {
        hole *h = &s->holes[s->of_hole[region]];
        const sc_vec3 along = sc_sub(corner->at, s->last.at);
        if (h->samples < SAMPLES && sc_dot(along, along) > 0.0) {
            h->at[h->samples++] = sc_scale(sc_add(s->last.at, corner->at), 0.5);
        }
    }
    pass(s, corner);
}

static int by_region_and_height(const void *a, const void *b)
{
    const probe *p = a, *q = b;
    if (p->region != q->region) {
        return p->region < q->region ? -1 : 1;
    }
    return (p->at.z > q->at.z) - (p->at.z < q->at.z);
}

static void list_probes(search *s)
{
    for (size_t i = 0; i < s->candidate_count; i++) {
        const candidate *c = &s->candidates[i];
        const hole *h = &s->holes[c->hole];
        for (int k = 0; k < h->samples; k++) {
            s->probes[s->probe_count++] = (probe){c->region, i, k, h->at[k]};
        }
    }
    if (s->probe_count > 1) {
        qsort(s->probes, s->probe_count, sizeof *s->probes, by_region_and_height);
    }
    for (size_t region = 0, first = 0; region <= s->count; region++) {
        while (first < s->probe_count && s->probes[first].region < region) {
            first++;
        }
        s->first_of[region] = first;
    }
}

/* The first probe of a region that is not below z, or one behind the last. */
static size_t first_above(const search *s, size_t region, double z)
{
    size_t first = s->first_of[region], end = s->first_of[region + 1];
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (s->probes[middle].at.z < z) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

/* How often a ray from p along x meets a face more, outwards, for this one of its border. */
static int meets(const sc_vec3 plane[3], sc_vec3 from, sc_vec3 to, sc_vec3 p)
{
    const bool up = from.z <= p.z;
    if (up == (to.z <= p.z)) {
        return 0;
    }
    const sc_vec3 low = up ? from : to, high = up ? to : from; /* the same for either face */
    if (low.y + (p.z - low.z) / (high.z - low.z) * (high.y - low.y) <= p.y) {
        return 0;
    }
    const sc_vec3 normal = sc_area_twice(plane), way = sc_sub(plane[0], p);
    const bool ahead = normal.x != 0.0 && sc_dot(normal, way) / normal.x > 0.0;
    return !ahead ? 0 : up ? 1 : -1;
}

static void wind(void *context, sc_boundary_line *line, const sc_boundary_corner *corner)
{
    search *s = context;
    const size_t region = region_before(s);
    const sc_vec3 from = s->last.at, to = corner->at;

    if (region != SIZE_MAX) {
        const double high = sc_max(from.z, to.z);
        const size_t end = s->first_of[region + 1];
        size_t i = first_above(s, region, sc_min(from.z, to.z));
        for (; i < end && s->probes[i].at.z < high; i++) {
            const probe *p = &s->probes[i];
            s->candidates[p->candidate].winding[p->sample] -=
                s->sum * meets(line->plane, from, to, p->at);
        }
    }
    pass(s, corner);
}

/* ---- all of it --------------------------------------------------------------- */

static int samples_inside(const hole *h, const candidate *c)
{
    int inside = 0;
    for (int k = 0; k < h->samples; k++) {
        inside += c->winding[k] > 0;
    }
    return inside;
}

/* Of those around most of the samples the smallest: another around it has it in a hole. */
static size_t choose(const search *s, const hole *h)
{
    for (size_t i = h->first; i < h->first + h->choice; i++) {
        if (2 * samples_inside(h, &s->candidates[i]) > h->samples) {
            return s->candidates[i].region;
        }
    }
    return s->candidates[h->first].region;
}

static bool decide(const sc_crossings *x, search *s, size_t *holder)
{
    const sc_corner_visitor sampling = {.corner = take_sample, .context = s};
    const sc_corner_visitor winding = {.corner = wind, .context = s};
    const bool good = make_choices(s, holder);

    if (good) {
        sc_overlap_corners(x, &sampling);
        list_probes(s);
        sc_overlap_corners(x, &winding);
    }
    for (size_t i = 0; i < s->hole_count && good; i++) {
        holder[s->holes[i].region] = choose(s, &s->holes[i]);
    }
    free_choices(s);
    return good;
}

bool sc_overlap_find_holders(const sc_crossings *crossings, const sc_pieces *pieces,
                             const sc_overlap_region *regions, size_t count, size_t *holder)
{
    search s = {.pieces = pieces, .regions = regions, .count = count};
    size_t solid = 0;

    while (solid < count && regions[solid].volume > 0.0) {
        solid++;
    }
    for (size_t i = 0; i < count; i++) {
        holder[i] = i < solid ? SIZE_MAX : first_holder(regions, i, solid);
    }
    list_choices(&s, holder);
    return s.hole_count == 0 || decide(crossings, &s, holder);
}
