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

static bool is_flat_along(const sc_solid solid[2], sc_vec3 n, double limit)
{
    double length = sc_length(n), reach = sc_box_reach(&solid[0].part->used_bounds) +
                                          sc_box_reach(&solid[1].part->used_bounds);
    if (!(length > 0.0)) {
        return false;
    }
    n = sc_scale(n, 1.0 / length);
    double thick = end_along(solid[0].part, n) + end_along(solid[1].part, sc_scale(n, -1.0));
    return thick + reach * 0x1p-48 <= limit;
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

bool sc_flat_contact(const sc_solid solid[2], const uint64_t *hits, size_t hit_count, double limit)
{
    size_t step = hit_count / MAX_HITS + 1;
    sc_vec3 face[2], sum[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

    if (!find_face(solid, hits, hit_count, step, face)) {
        return false;
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
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        if (is_flat_along(solid, way[i], limit)) {
            return true;
        }
    }
    return false;
}
