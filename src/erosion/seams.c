/* seams.c - see seams.h.
 *
 * A vertex is told by where it is at both times: what coincides then does so all the way. Edges
 * that do not balance are gathered line by line, as they lie at the start, and each is divided at
 * the ends of others that keep to it. That all edges match then is shown by the sum of their
 * boundary, of the facets without area as well: those may have some on the way. */
#include "seams.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "corners.h"
#include "geom/modular.h"
#include "geom/orient.h"
#include "health/health_scan.h"

#include <stdlib.h>

#define NO_SPAN UINT32_MAX

/* Side 3 i + k of facet i, from its corner k on. */
typedef struct use {
    uint64_t low, high; /* its vertices */
    uint32_t side;
    int way; /* 1 from the low one to the high one, else -1 */
} use;

typedef struct corner_paths {
    sc_vec3 at[2]; /* at the start and at the end */
    uint64_t vertex;
} corner_paths;

/* An edge that does not balance, as one of its sides runs. */
typedef struct span {
    uint64_t key; /* equal on equal lines */
    corner_paths end[2];
    uint32_t corner[2];
    double place[2]; /* of its ends, along the first axis on which they differ */
    size_t first_use, uses;
    size_t inner; /* where the corners begin that divide it */
    uint32_t inner_count;
} span;

/* The end of a span, on its line. */
typedef struct point {
    double place;
    uint64_t vertex;
    uint32_t corner;
    sc_vec3 end;
} point;

typedef struct finding {
    const sc_facets *facets[2]; /* at the start and at the end */
    double limit;
    use *uses;
    span *spans;
    size_t span_count;
    point *points;   /* [2 * span_count] */
    uint32_t *inner; /* corners that divide spans */
    size_t inner_count, inner_capacity;
    uint32_t *span_of; /* [sides] or NO_SPAN */
    sc_seams *seams;
} finding;

/* ---- vertices ------------------------------------------------------------- */

static void load_corners(const finding *f, uint32_t facet, corner_paths corner[3])
{
    float v[2][9];
    for (int i = 0; i < 2; i++) {
        sc_health_facet(f->facets[i], facet, v[i]);
    }
    for (int k = 0; k < 3; k++) {
        corner[k].at[0] = sc_health_vertex(v[0] + 3 * k);
        corner[k].at[1] = sc_health_vertex(v[1] + 3 * k);
        corner[k].vertex = sc_corner_hash(sc_corner_hash(0, v[0] + 3 * k), v[1] + 3 * k);
    }
}

static corner_paths load_corner(const finding *f, uint32_t corner)
{
    corner_paths all[3];
    load_corners(f, corner / 3, all);
    return all[corner % 3];
}

/* The boundary of a facet, as a share of a sum that is 0 where all edges match. */
static uint64_t boundary_of(const uint64_t vertex[3])
{
    sc_facet_hashes hashes;
    for (int k = 0; k < 3; k++) {
        hashes.vertex[k].f = vertex[k];
        hashes.vertex[k].g = sc_hash_words(vertex[k], UINT64_C(0x9E3779B97F4A7C15));
    }
    return sc_boundary_of(&hashes);
}

static bool all_match(const finding *f)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < f->facets[0]->count; i++) {
        corner_paths c[3];
        load_corners(f, i, c);
        sum += boundary_of((uint64_t[3]){c[0].vertex, c[1].vertex, c[2].vertex});
    }
    return sum == 0;
}

static bool all_match_divided(const finding *f)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < f->seams->count; i++) {
        uint64_t vertex[3];
        for (int k = 0; k < 3; k++) {
            vertex[k] = load_corner(f, f->seams->corner[3 * i + (size_t)k]).vertex;
        }
        sum += boundary_of(vertex);
    }
    return sum == 0;
}

/* ---- edges that do not balance ----------------------------------------------- */

static int by_edge(const void *x, const void *y)
{
    const use *a = x, *b = y;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->side > b->side) - (a->side < b->side);
}

static void gather_uses(finding *f)
{
    const uint32_t count = f->facets[0]->count;
    for (uint32_t i = 0; i < count; i++) {
        corner_paths c[3];
        load_corners(f, i, c);
        for (uint32_t k = 0; k < 3; k++) {
            const uint64_t from = c[k].vertex, to = c[(k + 1) % 3].vertex;
            f->uses[3 * (size_t)i + k] = (use){.low = from < to ? from : to,
                                               .high = from < to ? to : from,
                                               .side = 3 * i + k,
                                               .way = from == to  ? 0
                                                      : from < to ? 1
                                                                  : -1};
        }
    }
    qsort(f->uses, 3 * (size_t)count, sizeof f->uses[0], by_edge);
}

static span span_of(const finding *f, const sc_field *field, size_t first, size_t uses)
{
    const uint32_t side = f->uses[first].side;
    span s = {
        .corner = {side, side % 3 == 2 ? side - 2 : side + 1}, .first_use = first, .uses = uses};
    for (int i = 0; i < 2; i++) {
        s.end[i] = load_corner(f, s.corner[i]);
    }
    const sc_vec3 a = s.end[0].at[0], b = s.end[1].at[0];
    const int axis = a.x != b.x ? 0 : a.y != b.y ? 1 : 2;
    s.place[0] = axis == 0 ? a.x : axis == 1 ? a.y : a.z;
    s.place[1] = axis == 0 ? b.x : axis == 1 ? b.y : b.z;
    const sc_residue3 from = sc_field_from3(field, a);
    const sc_residue3 along = sc_field_subtract3(field, sc_field_from3(field, b), from);
    const uint64_t inverse = sc_field_inverse(field, sc_residue_leading(along));
    s.key = sc_field_line_key(field, from, along, inverse);
    return s;
}

/* With `spans` NULL only their number. */
static size_t find_spans(const finding *f, span *spans)
{
    const sc_field field = sc_field_fixed();
    const size_t sides = 3 * (size_t)f->facets[0]->count;
    size_t count = 0;
    for (size_t i = 0, n; i < sides; i += n) {
        int64_t net = 0;
        for (n = 0; i + n < sides && f->uses[i + n].low == f->uses[i].low &&
                    f->uses[i + n].high == f->uses[i].high;
             n++) {
            net += f->uses[i + n].way;
        }
        if (net != 0 && spans) {
            spans[count] = span_of(f, &field, i, n);
        }
        count += net != 0;
    }
    return count;
}

static int by_key(const void *x, const void *y)
{
    const span *a = x, *b = y;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    return (a->first_use > b->first_use) - (a->first_use < b->first_use);
}

/* ---- what divides them ---------------------------------------------------------- */

static int by_place(const void *x, const void *y)
{
    const point *a = x, *b = y;
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    if (a->vertex != b->vertex) {
        return a->vertex < b->vertex ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static bool on_one_line(const span *s, const span *t)
{
    const sc_vec3 a = s->end[0].at[0], b = s->end[1].at[0];
    return sc_projection_axis(a, b, t->end[0].at[0]) < 0 &&
           sc_projection_axis(a, b, t->end[1].at[0]) < 0;
}

static bool is_not_beyond(const void *one, const void *place)
{
    return ((const point *)one)->place <= *(const double *)place;
}

/* The first point that lies beyond `place`. */
static size_t first_beyond(const point *points, size_t count, double place)
{
    return sc_lower_bound(points, count, sizeof *points, is_not_beyond, &place);
}

/* How far the point is at the end from where it would be if it kept to the edge. On the way it is
 * nearer: there is no such distance at the start. */
static double stray_of(const point *p, const span *s)
{
    const double share = (p->place - s->place[0]) / (s->place[1] - s->place[0]);
    const sc_vec3 a = s->end[0].at[1], b = s->end[1].at[1];
    return sc_length(sc_sub(p->end, sc_mul_add(a, share, sc_sub(b, a))));
}

/* False if memory ran out. */
static bool divide_span(finding *f, span *s, size_t points)
{
    const double low = sc_fmin(s->place[0], s->place[1]), high = sc_fmax(s->place[0], s->place[1]);
    s->inner = f->inner_count;
    for (size_t i = first_beyond(f->points, points, low); i < points; i++) {
        const point *p = &f->points[i];
        const double stray = p->place < high ? stray_of(p, s) : INFINITY;
        if (!(p->place < high)) {
            break;
        }
        if (!(stray <= f->limit)) {
            continue;
        }
        if (!sc_make_room(&f->inner, &f->inner_capacity, f->inner_count + 1, sizeof *f->inner)) {
            return false;
        }
        f->inner[f->inner_count++] = p->corner;
        f->seams->stray = sc_fmax(f->seams->stray, stray);
    }
    s->inner_count = (uint32_t)(f->inner_count - s->inner);
    if (s->place[0] > s->place[1]) { /* as its side runs */
        for (size_t i = s->inner, k = f->inner_count; i + 1 < k; i++) {
            const uint32_t swap = f->inner[i];
            f->inner[i] = f->inner[--k];
            f->inner[k] = swap;
        }
    }
    return true;
}

/* Long edges among many others have many corners in them: not more are looked at. */
static bool is_too_much(const finding *f)
{
    return f->inner_count > 16 * f->span_count + 64;
}

static bool divide_line(finding *f, span *spans, size_t count)
{
    size_t points = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 2 && on_one_line(&spans[0], &spans[i]); k++) {
            f->points[points++] = (point){.place = spans[i].place[k],
                                          .vertex = spans[i].end[k].vertex,
                                          .corner = spans[i].corner[k],
                                          .end = spans[i].end[k].at[1]};
        }
    }
    qsort(f->points, points, sizeof f->points[0], by_place);
    for (size_t i = 0; i < points; i++) {
        if (kept == 0 || f->points[kept - 1].vertex != f->points[i].vertex) {
            f->points[kept++] = f->points[i];
        }
    }
    for (size_t i = 0; i < count && !is_too_much(f); i++) {
        if (on_one_line(&spans[0], &spans[i]) && !divide_span(f, &spans[i], kept)) {
            return false;
        }
    }
    return true;
}

/* ---- facets ---------------------------------------------------------------- */

/* Corners on a side, as the facet runs. */
typedef struct side_corners {
    const uint32_t *inner;
    uint32_t count;
    bool back;
} side_corners;

static side_corners corners_on(const finding *f, uint32_t side)
{
    if (f->span_of[side] == NO_SPAN) {
        return (side_corners){.inner = NULL};
    }
    const span *s = &f->spans[f->span_of[side]];
    return (side_corners){.inner = f->inner + s->inner,
                          .count = s->inner_count,
                          .back = load_corner(f, side).vertex != s->end[0].vertex};
}

static uint32_t inner_corner(const side_corners *c, uint32_t i)
{
    return c->inner[c->back ? c->count - 1 - i : i];
}

static void put(sc_seams *seams, uint32_t facet, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *corner = &seams->corner[3 * (size_t)seams->count];
    seams->given[seams->count++] = facet;
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
}

/* What lies between a divided side, from `from` to `to`, and a corner beside it. */
static void put_fan(sc_seams *seams, uint32_t facet, uint32_t from, const side_corners *side,
                    uint32_t to, uint32_t beside)
{
    for (uint32_t i = 0; i < side->count; i++) {
        put(seams, facet, from, inner_corner(side, i), beside);
        from = inner_corner(side, i);
    }
    put(seams, facet, from, to, beside);
}

static void divide_facet(const finding *f, uint32_t facet)
{
    side_corners side[3];
    uint32_t a = 0;
    for (uint32_t k = 0; k < 3; k++) {
        side[k] = corners_on(f, 3 * facet + k);
    }
    while (a < 2 && side[a].count == 0) {
        a++;
    }
    const uint32_t b = (a + 1) % 3, c = (a + 2) % 3, corner = 3 * facet;
    if (side[a].count == 0) {
        put(f->seams, facet, corner, corner + 1, corner + 2);
        return;
    }
    const uint32_t first = inner_corner(&side[a], 0);
    const uint32_t last = inner_corner(&side[a], side[a].count - 1);
    for (uint32_t i = 0; i + 1 < side[a].count; i++) {
        put(f->seams, facet, inner_corner(&side[a], i), inner_corner(&side[a], i + 1), corner + c);
    }
    put_fan(f->seams, facet, corner + c, &side[c], corner + a, first);
    put_fan(f->seams, facet, corner + b, &side[b], corner + c, last);
}

/* False if memory ran out. */
static bool divide_facets(finding *f)
{
    const uint32_t given = f->facets[0]->count;
    size_t count = given;
    memset(f->span_of, 0xFF, 3 * (size_t)given * sizeof f->span_of[0]); /* NO_SPAN */
    for (size_t i = 0; i < f->span_count; i++) {
        const span *s = &f->spans[i];
        for (size_t k = 0; k < s->uses; k++) {
            f->span_of[f->uses[s->first_use + k].side] = (uint32_t)i;
        }
        count += s->uses * s->inner_count;
    }
    if (count > UINT32_MAX / 3) {
        return true;
    }
    f->seams->corner = sc_alloc(3 * count, sizeof f->seams->corner[0]);
    f->seams->given = sc_alloc(count, sizeof f->seams->given[0]);
    if (!f->seams->corner || !f->seams->given) {
        return false;
    }
    for (uint32_t i = 0; i < given; i++) {
        divide_facet(f, i);
    }
    f->seams->match = f->seams->divided = all_match_divided(f);
    return true;
}

/* ---- all of it ------------------------------------------------------------- */

static bool find(finding *f)
{
    const size_t sides = 3 * (size_t)f->facets[0]->count;
    f->uses = sc_alloc(sides, sizeof f->uses[0]);
    if (!f->uses) {
        return false;
    }
    gather_uses(f);
    f->span_count = find_spans(f, NULL);
    f->spans = sc_alloc(f->span_count, sizeof f->spans[0]);
    f->points = sc_alloc(f->span_count, 2 * sizeof f->points[0]);
    f->span_of = sc_alloc(sides, sizeof f->span_of[0]);
    if (!f->spans || !f->points || !f->span_of) {
        return false;
    }
    find_spans(f, f->spans);
    qsort(f->spans, f->span_count, sizeof f->spans[0], by_key);
    for (size_t i = 0, n; i < f->span_count; i += n) {
        for (n = 1; i + n < f->span_count && f->spans[i + n].key == f->spans[i].key;) {
            n++;
        }
        if (!divide_line(f, &f->spans[i], n)) {
            return false;
        }
    }
    return is_too_much(f) || divide_facets(f);
}

bool sc_seams_find(const sc_facets *start, const sc_facets *end, double limit, sc_seams *seams)
{
    finding f = {.facets = {start, end}, .limit = limit, .seams = seams};
    *seams = (sc_seams){.match = false};
    if (start->count > UINT32_MAX / 3) {
        return true;
    }
    seams->match = all_match(&f);
    if (seams->match) {
        return true;
    }
    const bool good = find(&f);
    sc_free(f.uses);
    sc_free(f.spans);
    sc_free(f.points);
    sc_free(f.inner);
    sc_free(f.span_of);
    if (!seams->divided) {
        sc_seams_free(seams);
    }
    return good;
}

void sc_seams_free(sc_seams *seams)
{
    sc_free(seams->corner);
    sc_free(seams->given);
    *seams = (sc_seams){.match = false};
}
