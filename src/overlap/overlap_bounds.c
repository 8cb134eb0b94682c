/* overlap_bounds.c - see overlap_bounds.h.
 *
 * V(s), the volume of a region where x > s, is a sum of terms c (x_i - s)^n over the corners i of
 * its boundary with x_i > s, n = 1 .. 3: by the divergence theorem in space,
 *
 *   V(s) = sum over facets of the integral of max(x - s, 0) dy dz
 *
 * and once more in the plane of each facet, whose normal be N, an edge along d of it adds
 * -Nx / (6 (Ny^2 + Nz^2)) (Ny dz - Nz dy) / dx times (x - s)^3 at its end, and less as much at its
 * beginning; where dx is 0, and where Ny and Nz are, powers of less degree. These powers are
 * linearly independent for different x_i: so the region ends at the largest x_i at which the sums
 * of their factors are not all 0. There and back along the same wall they are. Where a wall ends
 * and where volume does in one plane, they are not, without any order or topology of the corners.
 *
 * Factors and x_i are rational functions of the coordinates: residues of factors modulo two primes
 * tell whether sums are 0 (overlap_zero.c), those of x_i modulo one whether they are the same.
 * Doubles choose which corners are looked at: first those at the end of the boundary, where most
 * regions end. */
#include "overlap_bounds.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "end_sums.h"
#include "geom/orient.h"
#include "overlap_closed.h"

enum { FIELDS = SC_LINE_FIELDS, SIDES = 6, DEGREES = SC_END_DEGREES };

/* One of the six sides of a region. Coordinates count outwards: the low ones negated. */
typedef struct side {
    double end, extent; /* of the boundary */
    double from;        /* corners from here on are looked at */
    bool settled;
    sc_end_sums sums; /* about the end */
} side;

/* What a corner adds to the sums of one side. */
typedef struct entry {
    size_t side;
    uint64_t place; /* the residue of its coordinate along the axis */
    double at;      /* that coordinate, outwards */
    uint64_t factor[FIELDS][DEGREES];
} entry;

typedef struct search {
    const sc_crossings *x;
    const sc_pieces *pieces;
    const sc_sums *sums;
    const uint32_t *region_of;
    sc_field field[FIELDS];
    size_t regions;
    side *sides;         /* [SIDES * (regions + 1)] of each, and of all of them as one */
    double *limit;       /* [the same] what lies farther in does not matter; infinite: settled */
    double least[SIDES]; /* of all of these */
    double slack;        /* more than rounding moves a corner by */
    entry *entries;      /* [count] */
    size_t count, capacity;
    bool failed;
} search;

/* ---- factors --------------------------------------------------------------- */

/* a x b along an axis. */
static uint64_t cross_along(const sc_field *f, sc_residue3 a, sc_residue3 b, int axis)
{
    return sc_residue_component(sc_field_cross(f, a, b), axis);
}

/* The factors of one more end of the line at p, along an axis. */
static void find_factors(const sc_field *f, const sc_line_residues *line, sc_residue3 p, int axis,
                         uint64_t factor[DEGREES])
{
    const uint64_t n = sc_residue_component(line->normal, axis),
                   d = sc_residue_component(line->along, axis);
    const uint64_t n1 = sc_residue_component(line->normal, (axis + 1) % 3),
                   n2 = sc_residue_component(line->normal, (axis + 2) % 3);
    uint64_t under = sc_field_add(f, sc_field_multiply(f, n1, n1), sc_field_multiply(f, n2, n2));

    factor[0] = factor[1] = factor[2] = 0;
    if (n == 0) { /* seen along the axis the facet is a line */
        return;
    }
    if (n1 == 0 && n2 == 0) {
        factor[0] = sc_field_multiply(f, f->half, cross_along(f, line->base, p, axis));
        return;
    }
    const int degree = d == 0 ? 1 : 2;
    uint64_t over = cross_along(f, line->normal, d == 0 ? p : line->along, axis);
    over = sc_field_subtract(f, 0, sc_field_multiply(f, n, over));
    under = sc_field_multiply(f, under, d == 0 ? f->two : d);
    under = sc_field_multiply(f, under, sc_field_integer(f, d == 0 ? 1 : 6));
    factor[degree] = sc_field_multiply(f, over, sc_field_inverse(f, under));
}

/* ---- corners --------------------------------------------------------------- */

/* A point outwards along each side. */
typedef struct spread {
    double at[SIDES];
} spread;

static spread spread_of(sc_vec3 p)
{
    return (spread){{-p.x, p.x, -p.y, p.y, -p.z, p.z}};
}

/* The sides that are looked at as far as this point: a bit each. */
static unsigned sides_near(const double limit[SIDES], const spread *p)
{
    unsigned near = 0;
    for (unsigned i = 0; i < SIDES; i++) {
        near |= (unsigned)(p->at[i] >= limit[i]) << i;
    }
    return near;
}

/* On which sides a corner matters, of all regions as one and of its own, if it has one. */
typedef struct relevance {
    spread corner;
    size_t region[2];
    unsigned near[2]; /* as sides_near */
} relevance;

static relevance relevance_of(const search *s, uint32_t region, const spread *p)
{
    const bool has_own = region != SC_NO_REGION;
    return (relevance){*p,
                       {s->regions, has_own ? region : s->regions},
                       {sides_near(s->limit + SIDES * s->regions, p),
                        has_own ? sides_near(s->limit + SIDES * (size_t)region, p) : 0}};
}

/* Whether that is either side along an axis, of anything. */
static bool is_near(const relevance *of, int axis)
{
    return ((of->near[0] | of->near[1]) >> 2 * axis & 3) != 0;
}

static void add_entry(search *s, const entry *e, size_t number, double at)
{
    if (!sc_make_room(&s->entries, &s->capacity, s->count + 1, sizeof *s->entries)) {
        s->failed = true;
        return;
    }
    s->entries[s->count] = *e;
    s->entries[s->count].side = number;
    s->entries[s->count++].at = at;
}

static void find_entry(const search *s, const sc_boundary_line *l, const sc_boundary_corner *c,
                       int axis, entry *e)
{
    for (int i = 0; i < FIELDS; i++) {
        const sc_field *f = &s->field[i];
        const sc_residue3 p = sc_boundary_corner_residue(s->x, f, c);
        const uint64_t times = sc_field_integer(f, c->times);
        e->place = i == 0 ? sc_residue_component(p, axis) : e->place;
        find_factors(f, &l->in[i], p, axis, e->factor[i]);
        for (int k = 0; k < DEGREES; k++) {
            e->factor[i][k] = sc_field_multiply(f, e->factor[i][k], times);
        }
    }
}

/* To the region, if it is one, and to all; along axes along which the facet is not seen as a
 * line. */
static void add_factors(search *s, sc_boundary_line *l, const sc_boundary_corner *c,
                        const relevance *of)
{
    for (int axis = 0; axis < 3; axis++) {
        entry e;
        if (!is_near(of, axis) || sc_orient2d(l->plane[0], l->plane[1], l->plane[2], axis) == 0) {
            continue;
        }
        sc_boundary_line_know(s->x, s->field, l);
        find_entry(s, l, c, axis, &e);
        for (int i = 0; i < 4; i++) {
            const int number = 2 * axis + i % 2;
            if (of->near[i / 2] >> number & 1) {
                const size_t own = SIDES * of->region[i / 2] + (size_t)number;
                add_entry(s, &e, own, of->corner.at[number]);
            }
        }
    }
}

/* ---- flat faces ------------------------------------------------------------ */

/* To the sides along an axis, of all regions as one and of one if it is one, that are looked at as
 * far as that. */
static void add_area(search *s, uint32_t region, int axis, double at, const sc_end_term *area,
                     int times)
{
    const size_t of[2] = {s->regions, region};
    for (int n = 0; n < (region == SC_NO_REGION ? 1 : 2); n++) {
        for (int number = 2 * axis; number < 2 * axis + 2; number++) {
            const size_t i = SIDES * of[n] + (size_t)number;
            const double outwards = number % 2 == 0 ? -at : at;
            side *own = &s->sides[i];
            if (outwards >= s->limit[i]) {
                sc_end_sums_add(&own->sums, area, times, outwards);
            }
        }
    }
}

static uint32_t region_at(const search *s, size_t node)
{
    return s->region_of[s->pieces->of[node]];
}

/* What a corner of a flat face adds to its area: factor[0] of its line, in doubles. */
static void add_flat_corner(void *context, sc_boundary_line *l, const sc_boundary_corner *c)
{
    search *s = context;
    const sc_vec3 base = sc_sub(l->edge ? l->edge[0] : l->start_at, s->x->origin);
    const sc_vec3 p = sc_sub(c->at, s->x->origin);
    for (int axis = 0; axis < 3 && c->times != 0; axis++) {
        if (sc_facet_is_flat(l->plane, axis)) {
            const sc_end_term area = {.degree = 0, .factor = sc_end_area(base, p, axis)};
            add_area(s, region_at(s, c->node), axis, sc_component(c->at, axis), &area, c->times);
        }
    }
}

/* What all corners of a facet add, if it is flat along that axis. */
static inline void add_flat_along(search *s, const sc_vec3 v[3], size_t node, int times, int axis)
{
    if (sc_facet_is_flat(v, axis)) {
        const sc_end_term area = {
            .degree = 0, .factor = sc_end_area(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]), axis)};
        if (area.factor.terms > 0.0) {
            add_area(s, region_at(s, node), axis, sc_component(v[0], axis), &area, times);
        }
    }
}

static void add_flat_facet(void *context, const sc_vec3 v[3], size_t node, int times)
{
    add_flat_along(context, v, node, times, 0);
    add_flat_along(context, v, node, times, 1);
    add_flat_along(context, v, node, times, 2);
}

/* ---- what is looked for ----------------------------------------------------- */

static void add_terms(search *s, sc_boundary_line *l, const sc_boundary_corner *c,
                      const relevance *of)
{
    sc_end_term along[3];
    sc_end_terms(s->x, s->field, l, c, s->slack, along);
    for (int n = 0; n < 2; n++) {
        for (int number = 0; number < SIDES; number++) {
            if (of->near[n] >> number & 1) {
                side *own = &s->sides[SIDES * of->region[n] + (size_t)number];
                sc_end_sums_add(&own->sums, &along[number / 2], c->times, of->corner.at[number]);
            }
        }
    }
}

/* Whether a corner matters, and where. */
static bool matters(const search *s, const sc_boundary_corner *c, relevance *of)
{
    const spread at = spread_of(c->at);
    if (c->times == 0 || s->failed || sides_near(s->least, &at) == 0) {
        return false;
    }
    *of = relevance_of(s, region_at(s, c->node), &at);
    return (of->near[0] | of->near[1]) != 0;
}

static void add_to_rough_sums(void *context, sc_boundary_line *l, const sc_boundary_corner *c)
{
    search *s = context;
    relevance of;
    if (matters(s, c, &of)) {
        add_terms(s, l, c, &of);
    }
}

static void add_to_sums(void *context, sc_boundary_line *l, const sc_boundary_corner *c)
{
    search *s = context;
    relevance of;
    if (matters(s, c, &of)) {
        add_factors(s, l, c, &of);
    }
}

/* What lies so far inside of all sides that it does not matter. */
static sc_box inner_box(const search *s)
{
    sc_box inner = sc_box_empty();
    for (int k = 0; k < 3; k++) {
        inner.low[k] = s->slack - s->least[2 * k];
        inner.high[k] = s->least[2 * k + 1] - s->slack;
    }
    return inner;
}

static void visit(search *s, void (*corner)(void *, sc_boundary_line *, const sc_boundary_corner *),
                  void (*flat_facet)(void *, const sc_vec3[3], size_t, int))
{
    const sc_box inner = inner_box(s);
    const sc_corner_visitor visitor = {&inner, flat_facet, s->sums, corner, s};
    sc_overlap_corners(s->x, &visitor);
}

/* ---- sums ------------------------------------------------------------------ */

static int by_place(const void *x, const void *y)
{
    const entry *a = x, *b = y;
    if (a->side != b->side) {
        return a->side < b->side ? -1 : 1;
    }
    return (a->place > b->place) - (a->place < b->place);
}

/* Whether the entries from `first` to before `end`, of one place, do not add up to nothing. */
static bool counts(const search *s, size_t first, size_t end)
{
    for (int i = 0; i < FIELDS; i++) {
        for (int k = 0; k < DEGREES; k++) {
            uint64_t sum = 0;
            for (size_t e = first; e < end; e++) {
                sum = sc_field_add(&s->field[i], sum, s->entries[e].factor[i][k]);
            }
            if (sum != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Settles the sides on which some place counts that is known wholly. */
static void settle(search *s)
{
    if (!sc_sort_items(s->entries, s->count, sizeof *s->entries, by_place, s->x->solid[0]->watch)) {
        s->failed = true;
        return;
    }
    for (size_t first = 0, end; first < s->count; first = end) {
        side *own = &s->sides[s->entries[first].side];
        double at = -INFINITY;
        for (end = first; end < s->count && by_place(&s->entries[first], &s->entries[end]) == 0;
             end++) {
            at = sc_fmax(at, s->entries[end].at);
        }
        if (at >= own->from && (!own->settled || at > own->end) && counts(s, first, end)) {
            own->end = at;
            own->settled = true;
        }
    }
    s->count = 0;
}

/* Where doubles tell: first by flat faces, at which most regions end, then by all that is there. */
static void settle_plain_ends(search *s, bool all)
{
    if (all) {
        visit(s, add_to_rough_sums, NULL);
    } else {
        visit(s, add_flat_corner, add_flat_facet);
    }
    for (size_t i = 0; i < SIDES * (s->regions + 1); i++) {
        side *own = &s->sides[i];
        own->settled = own->settled || sc_end_sums_tell(&own->sums, own->end, s->slack);
    }
}

static bool is_settled(const search *s, size_t region)
{
    bool settled = true;
    for (size_t i = 0; i < SIDES; i++) {
        settled = settled && s->sides[SIDES * region + i].settled;
    }
    return settled;
}

/* Regions that are not settled but whose boundary is not closed remain as they are: of meshes with
 * T-junctions its pieces may not hang together. All of them are closed, as the parts are. */
static void settle_open_regions(search *s)
{
    bool *open = sc_alloc(s->regions, sizeof *open);
    for (size_t i = 0; i < s->regions && open; i++) {
        open[i] = !is_settled(s, i);
    }
    s->failed = s->failed || !open ||
                !sc_overlap_open_regions(s->x, s->pieces, s->region_of, s->field, open, s->regions);
    for (size_t i = 0; i < SIDES * s->regions && !s->failed; i++) {
        s->sides[i].settled = s->sides[i].settled || open[i / SIDES];
    }
    sc_free(open);
}

static bool all_are_settled(const search *s)
{
    bool settled = true;
    for (size_t i = 0; i <= s->regions; i++) {
        settled = settled && is_settled(s, i);
    }
    return settled;
}

/* Looks at the boundary beyond a share of the extent of each region. */
static void look_beyond(search *s, double share)
{
    for (int i = 0; i < SIDES; i++) {
        s->least[i] = INFINITY;
    }
    for (size_t i = 0; i < SIDES * (s->regions + 1); i++) {
        side *own = &s->sides[i];
        own->from = own->end - share * own->extent;
        s->limit[i] = own->settled ? INFINITY : own->from - s->slack;
        s->least[i % SIDES] = sc_fmin(s->least[i % SIDES], s->limit[i]);
    }
}

/* Ever more of the boundary, until it is known where all regions end. */
static bool look(search *s)
{
    static const double shares[] = {0.0, 0x1p-6, 0x1p-3, 1.0};

    look_beyond(s, 0.0);
    settle_plain_ends(s, false);
    if (!all_are_settled(s)) {
        look_beyond(s, 0.0);
        settle_plain_ends(s, true);
    }
    for (size_t k = 0; k < sizeof shares / sizeof shares[0] && !all_are_settled(s) && !s->failed;
         k++) {
        look_beyond(s, shares[k]);
        visit(s, add_to_sums, NULL);
        settle(s);
        if (k == 0) {
            settle_open_regions(s);
        }
    }
    return !s->failed;
}

static void begin_region(const sc_box *bounds, side *sides)
{
    for (int i = 0; i < SIDES; i++) {
        const int k = i / 2;
        sides[i] = (side){.end = i % 2 == 0 ? -bounds->low[k] : bounds->high[k],
                          .extent = bounds->high[k] - bounds->low[k],
                          .sums = {.innermost = INFINITY}};
    }
}

static void end_region(const side *sides, sc_box *bounds)
{
    for (int k = 0; k < 3; k++) {
        bounds->low[k] = 0.0 - sides[2 * k].end; /* no -0 */
        bounds->high[k] = 0.0 + sides[2 * k + 1].end;
    }
}

bool sc_overlap_narrow_bounds(const sc_crossings *x, const sc_pieces *pieces, const sc_sums *sums,
                              sc_overlap *overlap)
{
    const size_t regions = overlap->region_count;
    search s = {.x = x,
                .pieces = pieces,
                .sums = sums,
                .region_of = overlap->region_of,
                .field = {sc_field_fixed(), sc_field_random()},
                .regions = regions,
                .sides = sc_alloc(SIDES * (regions + 1), sizeof *s.sides),
                .limit = sc_alloc(SIDES * (regions + 1), sizeof *s.limit)};
    bool good = s.sides && s.limit;
    for (int part = 0; part < 2; part++) {
        s.slack += 0x1p-40 * sc_box_reach(&x->solid[part]->part->used_bounds);
    }
    for (size_t i = 0; i <= regions && good; i++) {
        const sc_box *box = i < regions ? &overlap->regions[i].bounds : &overlap->common;
        begin_region(box, &s.sides[SIDES * i]);
    }
    good = good && look(&s);
    for (size_t i = regions + 1; i-- > 0 && good;) {
        end_region(&s.sides[SIDES * i],
                   i < regions ? &overlap->regions[i].bounds : &overlap->bounds);
        if (i < regions) {
            overlap->regions[i].bounds =
                sc_boxes_common(&overlap->regions[i].bounds, &overlap->bounds);
        }
    }
    sc_free(s.sides);
    sc_free(s.limit);
    sc_free(s.entries);
    return good;
}
