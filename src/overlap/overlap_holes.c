/* overlap_holes.c - see overlap_holes.h. A hole lies in the box of its region, most often of no
 * other. Where there is a choice, as among plates that stand side by side askew, points of its
 * edges tell: the winding number of a piece of the boundary about such a point is that of the
 * faces that a ray along x meets, each a polygon of the stretches that bound it. */
#include "overlap_holes.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"
#include "broad.h"
#include "overlap_corners.h"

#include <stdlib.h>

enum { SAMPLES = 6 };

/* A region whose box holds that of a hole. */
typedef struct holding {
    size_t inner, outer; /* the region that stands for the hole, and that one */
} holding;

typedef struct hole {
    size_t region;        /* that stands for it */
    size_t first, choice; /* candidates: the smallest first, and how many */
    sc_vec3 at[SAMPLES];
    int samples;
} hole;

/* One of several that may have a hole. */
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
    size_t solid;      /* regions before the holes */
    holding *holdings; /* [holding_count] by hole, the smallest region first */
    size_t holding_count, holding_capacity;
    size_t *holdings_of; /* [count + 1] the first of a region that is a hole, or a later one's */
    sc_watch *watch;
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

/* A hole may reach a wall of its region, as a bore does that ends there, and is rounded by
 * itself. */
static double rounding_of(const sc_box *inner)
{
    return 0x1p-30 * sc_box_extent(inner);
}

/* Of two regions, if one is a hole and the other holds it. */
static bool note_holding(void *context, uint32_t a, uint32_t b)
{
    search *s = context;
    const size_t outer = a < b ? a : b, inner = a < b ? b : a;
    const sc_box *own = &s->regions[inner].bounds;

    if (inner < s->solid || outer >= s->solid ||
        !(sticks_out(own, &s->regions[outer].bounds) <= rounding_of(own))) {
        return true;
    }
    if (!sc_make_room(&s->holdings, &s->holding_capacity, s->holding_count + 1,
                      sizeof *s->holdings)) {
        return false;
    }
    s->holdings[s->holding_count++] = (holding){inner, outer};
    return true;
}

static bool note_each_with_each(search *s)
{
    bool good = true;
    for (size_t i = s->solid; i < s->count; i++) {
        for (size_t k = 0; k < s->solid && good; k++) {
            good = note_holding(s, (uint32_t)k, (uint32_t)i);
        }
    }
    return good;
}

static bool note_those_that_meet(search *s)
{
    sc_box *boxes = sc_alloc(s->count, sizeof *boxes);
    for (size_t i = 0; i < s->count && boxes; i++) {
        const sc_box *own = &s->regions[i].bounds;
        boxes[i] = sc_box_grown(own, i < s->solid ? 0.0 : rounding_of(own));
    }
    const bool good = boxes && sc_broad_sweep(boxes, s->count, s->watch, note_holding, s);
    sc_free(boxes);
    return good;
}

static int by_inner(const void *a, const void *b)
{
    const holding *p = a, *q = b;
    if (p->inner != q->inner) {
        return p->inner < q->inner ? -1 : 1;
    }
    return (p->outer < q->outer) - (p->outer > q->outer);
}

static bool list_holdings(search *s)
{
    enum { FEW = 64 }; /* looks at boxes, for each region */
    const uint64_t all = (uint64_t)s->solid * (s->count - s->solid);

    s->holdings_of = sc_alloc(s->count + 1, sizeof *s->holdings_of);
    if (!s->holdings_of ||
        !(all <= (uint64_t)FEW * s->count ? note_each_with_each(s) : note_those_that_meet(s)) ||
        !sc_sort_items(s->holdings, s->holding_count, sizeof *s->holdings, by_inner, s->watch)) {
        return false;
    }
    for (size_t i = 0, first = 0; i <= s->count; i++) {
        while (first < s->holding_count && s->holdings[first].inner < i) {
            first++;
        }
        s->holdings_of[i] = first;
    }
    return true;
}

static size_t holdings_of(const search *s, size_t region)
{
    return s->holdings_of[region + 1] - s->holdings_of[region];
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

static size_t first_holder(const search *s, size_t region)
{
    return holdings_of(s, region) > 0 ? s->holdings[s->holdings_of[region]].outer
                                      : nearest_holder(s->regions, region, s->solid);
}

/* Counts them, or lists them if there is room. */
static void list_choices(search *s)
{
    s->hole_count = s->candidate_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (holdings_of(s, i) < 2) {
            continue; /* no doubt */
        }
        hole h = {.region = i, .first = s->candidate_count};
        for (size_t k = s->holdings_of[i]; k < s->holdings_of[i + 1]; k++) {
            if (s->candidates) {
                s->candidates[s->candidate_count] =
                    (candidate){.hole = s->hole_count, .region = s->holdings[k].outer};
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

static bool make_choices(search *s)
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
    list_choices(s);
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

static bool lies_below(const void *one, const void *z)
{
    return ((const probe *)one)->at.z < *(const double *)z;
}

/* The first probe of a region that is not below z, or one behind the last. */
static size_t first_above(const search *s, size_t region, double z)
{
    const size_t first = s->first_of[region], end = s->first_of[region + 1];
    return first +
           sc_lower_bound(s->probes + first, end - first, sizeof *s->probes, lies_below, &z);
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
    const bool good = make_choices(s);

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
    search s = {
        .pieces = pieces, .regions = regions, .count = count, .watch = crossings->solid[0]->watch};

    while (s.solid < count && regions[s.solid].volume > 0.0) {
        s.solid++;
    }
    for (size_t i = 0; i < count; i++) {
        holder[i] = SIZE_MAX;
    }
    bool good = s.solid == count || list_holdings(&s);
    for (size_t i = s.solid; i < count && good; i++) {
        holder[i] = first_holder(&s, i);
        good = !sc_watch_ends(s.watch, i - s.solid);
    }
    if (good && s.solid < count) {
        list_choices(&s);
        good = s.hole_count == 0 || decide(crossings, &s, holder);
    }
    sc_free(s.holdings);
    sc_free(s.holdings_of);
    return good;
}
