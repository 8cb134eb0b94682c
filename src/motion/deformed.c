/* deformed.c - see deformed.h. */
#include "deformed.h"

#include "base/alloc.h"
#include "base/error.h"
#include "health/health_once.h"

#include <string.h>

/* ---- the mesh in between ---------------------------------------------------- */

static void facet_at(const sc_deformed *d, uint32_t i, double t, float out[9])
{
    const uint32_t *corner = d->seams.divided ? &d->seams.corner[3 * (size_t)i] : NULL;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t facet = corner ? corner[k] / 3 : i, first = 3 * (corner ? corner[k] % 3 : k);
        float from[9], to[9];
        sc_facet_load(&d->start->mesh->file.facets, facet, from);
        sc_facet_load(&d->end->file.facets, facet, to);
        for (uint32_t j = 0; j < 3; j++) {
            const double start = (double)from[first + j], end = (double)to[first + j];
            out[3 * k + j] = (float)(start + t * (end - start));
        }
    }
}

static void put_u32(unsigned char *at, uint32_t word)
{
    for (int k = 0; k < 4; k++) {
        at[k] = (unsigned char)(word >> (8 * k));
    }
}

static stlclash_code make_mesh(sc_deformed *d, double t, stlclash_error *error)
{
    const uint32_t count = d->seams.divided ? d->seams.count : d->end->file.facets.count;
    const size_t size = SC_BINARY_FACETS_AT + (size_t)count * SC_BINARY_FACET_BYTES;
    stlclash_mesh_free(d->mesh);
    d->mesh = NULL;
    d->bytes = d->bytes ? d->bytes : sc_calloc(size, 1);
    if (!d->bytes) {
        return sc_error_memory(error);
    }
    put_u32(d->bytes + SC_BINARY_COUNT_AT, count);
    for (uint32_t i = 0; i < count; i++) {
        float xyz[9];
        facet_at(d, i, t, xyz);
        unsigned char *at = d->bytes + SC_BINARY_FACETS_AT + (size_t)i * SC_BINARY_FACET_BYTES;
        for (int k = 0; k < 9; k++) {
            uint32_t word;
            memcpy(&word, &xyz[k], sizeof word);
            put_u32(at + SC_BINARY_VERTICES_AT + 4 * k, word);
        }
    }
    return stlclash_mesh_parse(d->bytes, size, &d->mesh, error);
}

stlclash_code sc_deformed_at(sc_deformed *d, double t, sc_part *part, stlclash_error *error)
{
    const stlclash_mesh *mesh = t <= 0.0 ? d->start->mesh : d->end;
    if (t > 0.0 && t < 1.0) {
        stlclash_code code = make_mesh(d, t, error);
        if (code != STLCLASH_OK) {
            return code;
        }
        mesh = d->mesh;
    }
    return sc_part_place(mesh, d->placement, d->whose, part, error);
}

/* ---- points of it ------------------------------------------------------------ */

/* The coordinates of the point along two edges of the triangle are the same all the time. */
double sc_deformed_way(const sc_deformed *d, double t, uint32_t triangle, const double at[3])
{
    sc_vec3 v[2][3], now[3], p = sc_vec3_of(at);
    const sc_placement *placement = &d->start->placement;
    sc_triangle_vertices(&d->start->mesh->file.facets, placement, triangle, v[0]);
    sc_triangle_vertices(&d->end->file.facets, placement, triangle, v[1]);
    for (int k = 0; k < 3; k++) {
        now[k] = sc_mul_add(v[0][k], t, sc_sub(v[1][k], v[0][k]));
    }
    sc_vec3 e = sc_sub(now[1], now[0]), f = sc_sub(now[2], now[0]), w = sc_sub(p, now[0]);
    sc_vec3 n = sc_cross(e, f);
    double nn = sc_dot(n, n), r = 0.0, s = 0.0;
    if (nn > 0.0) {
        r = sc_dot(sc_cross(w, f), n) / nn;
        s = sc_dot(sc_cross(e, w), n) / nn;
    }
    sc_vec3 way = sc_sub(v[1][0], v[0][0]);
    way = sc_mul_add(way, r, sc_sub(sc_sub(v[1][1], v[0][1]), sc_sub(v[1][0], v[0][0])));
    way = sc_mul_add(way, s, sc_sub(sc_sub(v[1][2], v[0][2]), sc_sub(v[1][0], v[0][0])));
    return t * sc_length(way);
}

static bool lies_near_edge(sc_vec3 p, sc_vec3 from, sc_vec3 to, double within)
{
    const sc_vec3 along = sc_sub(to, from);
    return sc_length(sc_cross(along, sc_sub(p, from))) <= within * sc_length(along);
}

/* Where the point, a vertex of a divided facet or on an edge of it, lies on the facet that was
 * given. */
static stlclash_feature feature_on(const sc_deformed *d, uint32_t triangle, double t,
                                   const double at[3])
{
    const sc_placement *placement = &d->start->placement;
    const double within = 2.0 * d->error;
    const sc_vec3 p = sc_vec3_of(at);
    stlclash_feature feature = STLCLASH_FACE;
    sc_vec3 v[2][3];

    sc_triangle_vertices(&d->start->mesh->file.facets, placement, triangle, v[0]);
    sc_triangle_vertices(&d->end->file.facets, placement, triangle, v[1]);
    for (int k = 0; k < 3; k++) {
        v[0][k] = sc_mul_add(v[0][k], t, sc_sub(v[1][k], v[0][k]));
    }
    for (int k = 0; k < 3; k++) {
        if (sc_length(sc_sub(p, v[0][k])) <= within) {
            return STLCLASH_VERTEX;
        }
        if (lies_near_edge(p, v[0][k], v[0][(k + 1) % 3], within)) {
            feature = STLCLASH_EDGE;
        }
    }
    return feature;
}

void sc_deformed_as_given(const sc_deformed *d, double t, const double at[3], uint32_t *triangle,
                          stlclash_feature *feature)
{
    if (!d->seams.divided || t <= 0.0 || t >= 1.0) {
        return;
    }
    *triangle = d->seams.given[*triangle];
    if (*feature != STLCLASH_FACE) {
        *feature = feature_on(d, *triangle, t, at);
    }
}

/* ---- making ------------------------------------------------------------------ */

static void find_farthest(sc_deformed *d)
{
    const sc_facets *start = &d->start->mesh->file.facets, *end = &d->end->file.facets;
    double farthest = 0.0, reach = 0.0;
    for (uint32_t i = 0; i < start->count; i++) {
        float from[9], to[9];
        sc_facet_load(start, i, from);
        sc_facet_load(end, i, to);
        for (int k = 0; k < 9; k += 3) {
            double way[3];
            for (int j = 0; j < 3; j++) {
                way[j] = (double)to[k + j] - (double)from[k + j];
                reach = sc_fmax(reach, sc_fmax(fabs((double)to[k + j]), fabs((double)from[k + j])));
            }
            farthest = sc_fmax(farthest, sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]));
        }
    }
    d->farthest = farthest;
    d->error = 0x1p-22 * reach; /* sqrt(3) * 2^-24, and the placing */
}

/* A part that is closed at T-junctions stays so where these keep to their edges. */
static stlclash_code find_seams(sc_deformed *d, stlclash_error *error)
{
    const stlclash_mesh *mesh = d->start->mesh;
    const sc_health *health;
    if (sc_health_is_balanced(mesh)) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_health_get(mesh, false, &health, error);
    if (code == STLCLASH_OK && health->closed &&
        !sc_seams_find(&mesh->file.facets, &d->end->file.facets, d->error, &d->seams)) {
        code = sc_error_memory(error);
    }
    return code;
}

stlclash_code sc_deformed_make(sc_deformed *d, stlclash_error *error)
{
    *d = (sc_deformed){
        .start = d->start, .end = d->end, .placement = d->placement, .whose = d->whose};
    find_farthest(d);
    return find_seams(d, error);
}

void sc_deformed_free(sc_deformed *d)
{
    stlclash_mesh_free(d->mesh);
    sc_seams_free(&d->seams);
    sc_free(d->bytes);
}
