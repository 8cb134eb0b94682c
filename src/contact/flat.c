/* flat.c - see flat.h.
 *
 * Let A end at n.x = a and B begin at n.x = b. A common point has b <= n.x <= a, and
 * moved by a - b along n it is out of A. So it lies no deeper than a - b.
 *
 * The plane is mostly that of faces that touch, or of some facet; else it is found by turns. */
#include "flat.h"

#include "geom/facet_distance.h"
#include "pair.h"

/* Cosine of the angle between facets that face each other, and between those that
 * count as one face. */
static const double facing = -0.999999, alike = 0.999999;

/* Hits to take directions from, and vertices of either part that may show that a plane is none,
 * evenly among all. */
enum { MAX_HITS = 4096, SAMPLES = 64 };

typedef struct search {
    const sc_solid *solid; /* [2] */
    const uint64_t *hits;
    size_t hit_count, step;
    double limit;
    int sampled[2];
    sc_vec3 sample[2][SAMPLES];
} search;

static void add_sample(search *s, int x, uint32_t facet)
{
    sc_vec3 v[3];
    sc_solid_facet(&s->solid[x], facet, v);
    for (int k = 0; k < 3 && s->sampled[x] < SAMPLES; k++) {
        s->sample[x][s->sampled[x]++] = v[k];
    }
}

/* Mostly of what meets: where that goes deep, no plane is between its vertices. */
static void take_samples(search *s)
{
    enum { MEETING = SAMPLES / 4, OTHERS = SAMPLES / 12 };
    const size_t step = s->hit_count / MEETING + 1;
    for (int x = 0; x < 2; x++) {
        const uint32_t facets = s->solid[x].part->mesh->file.facets.count;
        for (size_t h = 0; h < s->hit_count; h += step) {
            add_sample(s, x, sc_pair_facet(s->hits[h], x));
        }
        for (uint64_t i = 0; i < facets; i += facets / OTHERS + 1) {
            add_sample(s, x, (uint32_t)i);
        }
    }
}

/* Twice the area times the normal of a facet. */
static sc_vec3 area_vector(const sc_solid *solid, uint32_t facet)
{
    sc_vec3 v[3];
    sc_solid_facet(solid, facet, v);
    return sc_area_twice(v);
}

/* Of vectors of these lengths. */
static double cosine_of(sc_vec3 a, sc_vec3 b, double length_a, double length_b)
{
    const double size = length_a * length_b;
    return size > 0.0 ? sc_dot(a, b) / size : 0.0;
}

static double cosine(sc_vec3 a, sc_vec3 b)
{
    return cosine_of(a, b, sc_length(a), sc_length(b));
}

/* How far a part reaches along n, and with which vertex. */
static double end_along(const sc_part *part, sc_vec3 n, sc_vec3 *vertex)
{
    const sc_blocks *blocks = &part->mesh->blocks;
    const sc_facets *facets = &part->mesh->file.facets;
    double end = -INFINITY;

    for (size_t b = 0; b < blocks->count; b++) {
        sc_box box = sc_blocks_placed_box(blocks, &part->used, b);
        sc_vec3 corner = {n.x > 0.0 ? box.high[0] : box.low[0],
                          n.y > 0.0 ? box.high[1] : box.low[1],
                          n.z > 0.0 ? box.high[2] : box.low[2]};
        uint32_t first, count = sc_block_facets(facets, b, &first);
        if (!(sc_dot(n, corner) > end)) {
            continue;
        }
        for (uint32_t i = first; i < first + count; i++) {
            sc_vec3 v[3];
            sc_triangle_vertices(facets, &part->used, i, v);
            for (int k = 0; k < 3; k++) {
                double at = sc_dot(n, v[k]);
                if (at > end) {
                    end = at;
                    *vertex = v[k];
                }
            }
        }
    }
    return end;
}

static double sampled_end(const search *s, int x, sc_vec3 n, sc_vec3 *vertex)
{
    double end = -INFINITY;
    for (int i = 0; i < s->sampled[x]; i++) {
        double at = sc_dot(n, s->sample[x][i]);
        if (at > end) {
            end = at;
            *vertex = s->sample[x][i];
        }
    }
    return end;
}

static bool is_along_axis(sc_vec3 n)
{
    return (n.x != 0.0) + (n.y != 0.0) + (n.z != 0.0) == 1;
}

/* What rounding may have made of the thickness along a unit vector. Of each product and sum that is
 * 2^-53 of it at most, and as much of the length of the vector: a quarter of this. It is no matter
 * how wide the parts are across; and heights along an axis are exact, only the difference is not.
 */
static double rounding_along(const sc_part *a, const sc_part *b, sc_vec3 n, double thick)
{
    double sum = fabs(thick);
    for (int k = 0; k < 3 && !is_along_axis(n); k++) {
        const sc_box *box[2] = {&a->used_bounds, &b->used_bounds};
        for (int x = 0; x < 2; x++) {
            sum += fabs(sc_component(n, k)) * sc_fmax(fabs(box[x]->low[k]), fabs(box[x]->high[k]));
        }
    }
    return sum * 0x1p-48;
}

/* How deep a common point may lie by a plane across n, rounding included; if some vertices show
 * that this exceeds the limit, how deep by those. *across: from where solid[1] begins to where
 * solid[0] ends. */
static double thickness_along(const search *s, sc_vec3 n, sc_vec3 *across)
{
    const sc_part *a = s->solid[0].part, *b = s->solid[1].part;
    double length = sc_length(n),
           reach = sc_box_reach(&a->used_bounds) + sc_box_reach(&b->used_bounds);
    sc_vec3 end = {0.0, 0.0, 0.0}, begin = end;

    *across = end;
    if (!(length > 0.0)) {
        return INFINITY;
    }
    n = is_along_axis(n) ? sc_unit(n) : sc_scale(n, 1.0 / length);
    const sc_vec3 back = sc_scale(n, -1.0);
    double thick = sampled_end(s, 0, n, &end) + sampled_end(s, 1, back, &begin);
    if (thick <= s->limit) {
        thick = end_along(a, n, &end) + end_along(b, back, &begin);
    }
    *across = sc_sub(end, begin);
    thick = sc_fmax(thick, 0.0);
    const double rounding = reach * 0x1p-48;
    return thick + rounding <= s->limit ? thick + rounding
                                        : thick + sc_fmin(rounding, rounding_along(a, b, n, thick));
}

/* The pair of facets facing each other of which the smaller is largest. */
static bool find_face(const search *s, sc_vec3 face[2])
{
    double most = 0.0;
    for (size_t h = 0; h < s->hit_count; h += s->step) {
        sc_vec3 a = area_vector(&s->solid[0], sc_pair_facet(s->hits[h], 0));
        sc_vec3 b = area_vector(&s->solid[1], sc_pair_facet(s->hits[h], 1));
        double size = sc_fmin(sc_dot(a, a), sc_dot(b, b));
        if (size > most && cosine(a, b) <= facing) {
            most = size;
            face[0] = a;
            face[1] = b;
        }
    }
    return most > 0.0;
}

/* Along faces that touch. */
static double between_faces(const search *s)
{
    const sc_vec3 none = {0.0, 0.0, 0.0};
    sc_vec3 face[2] = {none, none}, sum[2] = {none, none}, across;
    double thick = INFINITY;

    if (!find_face(s, face)) {
        return INFINITY;
    }
    for (size_t h = 0; h < s->hit_count; h += s->step) {
        sc_vec3 n[2] = {area_vector(&s->solid[0], sc_pair_facet(s->hits[h], 0)),
                        area_vector(&s->solid[1], sc_pair_facet(s->hits[h], 1))};
        for (int x = 0; x < 2; x++) {
            if (cosine(n[x], face[x]) >= alike) {
                sum[x] = sc_add(sum[x], n[x]);
            }
        }
    }
    /* The mean of both first: rounding tilts either face a little its own way. */
    for (int x = 0; x < 2; x++) {
        double length = sc_length(sum[x]);
        sum[x] = sc_scale(sum[x], length > 0.0 ? (x == 0 ? 1.0 : -1.0) / length : 0.0);
    }
    const sc_vec3 way[] = {sc_add(sum[0], sum[1]), sum[0], sum[1], face[0],
                           sc_scale(face[1], -1.0)};
    for (size_t i = 0; i < sizeof way / sizeof way[0] && !(thick <= s->limit); i++) {
        thick = thickness_along(s, way[i], &across);
    }
    return thick;
}

/* ---- planes of facets that meet ------------------------------------------------ */

/* Where an edge or a vertex lies on a face, that tells: of all that meets, the larger facets first,
 * those of one direction once. */
enum { MAX_WAYS = 16 };

typedef struct ways {
    int count;
    sc_vec3 way[MAX_WAYS]; /* out of solid[0] or into solid[1], as long as the facet is large */
    double length[MAX_WAYS];
} ways;

static void add_way(ways *w, sc_vec3 n)
{
    const double length = sc_length(n);
    int at = w->count;
    for (int i = 0; i < w->count; i++) {
        if (cosine_of(w->way[i], n, w->length[i], length) >= alike) {
            if (sc_dot(n, n) <= sc_dot(w->way[i], w->way[i])) {
                return;
            }
            at = i;
            break;
        }
    }
    if (at == MAX_WAYS) { /* in place of the last one */
        at--;
        if (sc_dot(n, n) <= sc_dot(w->way[at], w->way[at])) {
            return;
        }
    }
    w->count += at == w->count;
    for (; at > 0 && sc_dot(w->way[at - 1], w->way[at - 1]) < sc_dot(n, n); at--) {
        w->way[at] = w->way[at - 1];
        w->length[at] = w->length[at - 1];
    }
    w->way[at] = n;
    w->length[at] = length;
}

static ways ways_of(const search *s)
{
    ways w = {.count = 0};
    for (size_t h = 0; h < s->hit_count; h += s->step) {
        add_way(&w, area_vector(&s->solid[0], sc_pair_facet(s->hits[h], 0)));
        add_way(&w, sc_scale(area_vector(&s->solid[1], sc_pair_facet(s->hits[h], 1)), -1.0));
    }
    return w;
}

static double across_facets(const search *s, const ways *w)
{
    double thick = INFINITY;
    sc_vec3 across;
    for (int i = 0; i < w->count && !(thick <= s->limit); i++) {
        thick = thickness_along(s, w->way[i], &across);
    }
    return thick;
}

/* ---- any plane ----------------------------------------------------------------- */

/* Where only edges and vertices touch, no facet need be in the plane. Each plane that fails tells
 * of two vertices that must lie the other way round; the next one is that which has all of these
 * as far as can be on their sides. */
enum { MAX_TURNS = 40 };

static sc_vec3 mean_way(const ways *w)
{
    sc_vec3 sum = {0.0, 0.0, 0.0};
    for (int i = 0; i < w->count; i++) {
        double length = sc_length(w->way[i]);
        sum = length > 0.0 ? sc_mul_add(sum, 1.0 / length, w->way[i]) : sum;
    }
    return sum;
}

/* What stands against a plane: unit vectors that must all have their way to one side of it. */
typedef struct sides {
    int count;
    sc_vec3 to[MAX_TURNS];
    sc_vec3 line; /* the plane must hold this; 0: no line in particular */
} sides;

/* Sides closer to opposite ones than this leave a line between them. */
static const double opposite = 1e-5;

static void add_side(sides *s, sc_vec3 to)
{
    to = sc_sub(to, sc_scale(s->line, sc_dot(to, s->line)));
    double length = sc_length(to);
    if (length > opposite) {
        s->to[s->count++] = sc_scale(to, 1.0 / length);
    }
}

/* The direction that has all of them as far as can be on its side, longer the farther that is: the
 * point of their hull that is nearest to the origin, amid three of them at most. `first`: of all
 * before, none is amid those three with two others before. */
static sc_vec3 way_between(const sides *s, int first, sc_vec3 corners[3])
{
    const sc_vec3 origin = {0.0, 0.0, 0.0};
    sc_vec3 nearest = origin, on;
    double least = INFINITY;
    for (int i = first; i < s->count; i++) {
        for (int k = 0; k <= i; k++) {
            for (int m = 0; m <= k; m++) {
                const sc_vec3 three[3] = {s->to[i], s->to[k], s->to[m]};
                double distance = sc_facet_distance(origin, three, &on);
                if (distance < least) {
                    least = distance;
                    nearest = on;
                    memcpy(corners, three, sizeof three);
                }
            }
        }
    }
    return nearest;
}

/* Whether some are so far on the other side that there is no plane at all: then the origin is
 * inside the hull. */
static bool are_all_around(const sides *s, sc_vec3 way)
{
    for (int i = 0; i < s->count; i++) {
        if (sc_dot(way, s->to[i]) < -100.0 * opposite * sc_length(way)) {
            return true;
        }
    }
    return false;
}

/* They go all around, for what touches is a line or a face: the plane must hold the line between
 * two that are opposite, or is the one that three of them are in. */
static sc_vec3 way_across(sides *s, sc_vec3 corners[3])
{
    const sc_vec3 e = sc_sub(corners[1], corners[0]), f = sc_sub(corners[2], corners[0]);
    const sides all = *s;
    sc_vec3 normal = sc_cross(e, f);

    if (sc_length(normal) > 100.0 * opposite) {
        return normal;
    }
    sc_vec3 line = sc_dot(e, e) > sc_dot(f, f) ? e : f;
    if (sc_length(s->line) > 0.0) { /* both */
        return sc_cross(s->line, line);
    }
    s->line = sc_scale(line, 1.0 / sc_length(line));
    s->count = 0;
    for (int i = 0; i < all.count; i++) {
        add_side(s, all.to[i]);
    }
    sc_vec3 way = way_between(s, 0, corners);
    return sc_length(way) > opposite ? way : sc_cross(s->line, corners[0]);
}

static double by_turns(const search *s, sc_vec3 way)
{
    sides against = {.count = 0};
    sc_vec3 corners[3], across;
    double thick = thickness_along(s, way, &across);

    for (int turn = 1; turn < MAX_TURNS && thick > s->limit; turn++) {
        double length = sc_length(across);
        if (!(length > 0.0 && length < INFINITY)) {
            break;
        }
        const int before = against.count;
        add_side(&against, sc_scale(across, -1.0 / length));
        if (against.count == before) {
            break;
        }
        way = way_between(&against, before, corners);
        if (sc_length(way) <= opposite) { /* either way: no more is told than that */
            way = way_across(&against, corners);
            thick = thickness_along(s, sc_scale(way, -1.0), &across);
        } else if (are_all_around(&against, way)) {
            break;
        }
        if (thick > s->limit) {
            thick = thickness_along(s, way, &across);
        }
    }
    return thick;
}

bool sc_flat_contact(const sc_solid solid[2], const uint64_t *hits, size_t hit_count, double limit,
                     double *thickness)
{
    search s = {.solid = solid,
                .hits = hits,
                .hit_count = hit_count,
                .step = hit_count / MAX_HITS + 1,
                .limit = limit};
    take_samples(&s);
    *thickness = between_faces(&s);
    if (!(*thickness <= limit)) {
        const ways w = ways_of(&s);
        *thickness = across_facets(&s, &w);
        if (!(*thickness <= limit)) {
            *thickness = by_turns(&s, mean_way(&w));
        }
    }
    return *thickness <= limit;
}
