/* flat.c - see flat.h.
 *
 * Let A end at n.x = a and B begin at n.x = b. A common point has b <= n.x <= a, and
 * moved by a - b along n it is out of A. So it lies no deeper than a - b. */
#include "flat.h"

/* Cosine of the angle between facets that face each other, and between those that
 * count as one face. */
static const double facing = -0.999999, alike = 0.999999;

/* Hits to take directions from, evenly among all. */
enum { MAX_HITS = 4096 };

/* Twice the area times the normal of a facet. */
static sc_vec3 area_vector(const sc_solid *solid, uint32_t facet)
{
    sc_vec3 v[3];
    sc_solid_facet(solid, facet, v);
    return sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
}

static double cosine(sc_vec3 a, sc_vec3 b)
{
    double size = sc_length(a) * sc_length(b);
    return size > 0.0 ? sc_dot(a, b) / size : 0.0;
}

/* How far a part reaches along n. */
static double end_along(const sc_part *part, sc_vec3 n)
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
                end = fmax(end, sc_dot(n, v[k]));
            }
        }
    }
    return end;
}

/* How deep a common point may lie by a plane across n, rounding included. */
static double thickness_along(const sc_solid solid[2], sc_vec3 n)
{
    double length = sc_length(n), reach = sc_box_reach(&solid[0].part->used_bounds) +
                                          sc_box_reach(&solid[1].part->used_bounds);
    if (!(length > 0.0)) {
        return INFINITY;
    }
    n = sc_scale(n, 1.0 / length);
    double thick = end_along(solid[0].part, n) + end_along(solid[1].part, sc_scale(n, -1.0));
    return fmax(thick, 0.0) + reach * 0x1p-48;
}

/* The pair of facets facing each other of which the smaller is largest. */
static bool find_face(const sc_solid solid[2], const uint64_t *hits, size_t hit_count, size_t step,
                      sc_vec3 face[2])
{
    double most = 0.0;
    for (size_t h = 0; h < hit_count; h += step) {
        sc_vec3 a = area_vector(&solid[0], (uint32_t)(hits[h] >> 32));
        sc_vec3 b = area_vector(&solid[1], (uint32_t)hits[h]);
        double size = fmin(sc_dot(a, a), sc_dot(b, b));
        if (size > most && cosine(a, b) <= facing) {
            most = size;
            face[0] = a;
            face[1] = b;
        }
    }
    return most > 0.0;
}

/* Along faces that touch. */
static double between_faces(const sc_solid solid[2], const uint64_t *hits, size_t hit_count,
                            size_t step, double limit)
{
    sc_vec3 face[2], sum[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    double thick = INFINITY;

    if (!find_face(solid, hits, hit_count, step, face)) {
        return INFINITY;
    }
    for (size_t h = 0; h < hit_count; h += step) {
        sc_vec3 n[2] = {area_vector(&solid[0], (uint32_t)(hits[h] >> 32)),
                        area_vector(&solid[1], (uint32_t)hits[h])};
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
    for (size_t i = 0; i < sizeof way / sizeof way[0] && !(thick <= limit); i++) {
        thick = thickness_along(solid, way[i]);
    }
    return thick;
}

/* ---- planes of facets that meet ------------------------------------------------ */

/* Where an edge or a vertex lies on a face, one plane tells: of all that meets, the larger facets
 * first, those of one direction once. */
enum { MAX_WAYS = 16 };

typedef struct ways {
    int count;
    sc_vec3 way[MAX_WAYS]; /* out of solid[0] or into solid[1], as long as the facet is large */
} ways;

static void add_way(ways *w, sc_vec3 n)
{
    int at = w->count;
    for (int i = 0; i < w->count; i++) {
        if (cosine(w->way[i], n) >= alike) {
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
    }
    w->way[at] = n;
}

static double across_facets(const sc_solid solid[2], const uint64_t *hits, size_t hit_count,
                            size_t step, double limit)
{
    ways w = {.count = 0};
    double thick = INFINITY;

    for (size_t h = 0; h < hit_count; h += step) {
        add_way(&w, area_vector(&solid[0], (uint32_t)(hits[h] >> 32)));
        add_way(&w, sc_scale(area_vector(&solid[1], (uint32_t)hits[h]), -1.0));
    }
    for (int i = 0; i < w.count && !(thick <= limit); i++) {
        thick = thickness_along(solid, w.way[i]);
    }
    return thick;
}

bool sc_flat_contact(const sc_solid solid[2], const uint64_t *hits, size_t hit_count, double limit,
                     double *thickness)
{
    const size_t step = hit_count / MAX_HITS + 1;
    *thickness = between_faces(solid, hits, hit_count, step, limit);
    if (!(*thickness <= limit)) {
        *thickness = across_facets(solid, hits, hit_count, step, limit);
    }
    return *thickness <= limit;
}
