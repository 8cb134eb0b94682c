/* motion_paths.c - each vertex moves straight to its place in another mesh.
 *
 * Whether and when the parts first come within the tolerance of each other the paths of
 * vertices and edges tell (paths.h). From then on poses are looked at for overlaps; where
 * there is no such time, for the least distance. A pose is a mesh of its own, whose vertices
 * are rounded to floats, and whose facets are divided at T-junctions (seams.h). */
#include "advance.h"
#include "base/alloc.h"
#include "base/error.h"
#include "check/result.h"
#include "erosion/seams.h"
#include "health/health_once.h"
#include "paths.h"

#include <string.h>

typedef struct moving {
    sc_motion_run *run;
    int moves; /* which part: 0 A, 1 B */
    sc_paths paths;
    sc_seams seams;
    double error;         /* of a vertex in a pose */
    unsigned char *bytes; /* a binary STL file: the pose */
    size_t size;
    stlclash_mesh *mesh; /* read from it, or NULL */
} moving;

static void facet_at(const moving *m, uint32_t i, double t, float out[9])
{
    const uint32_t *corner = m->seams.divided ? &m->seams.corner[3 * (size_t)i] : NULL;
    for (uint32_t k = 0; k < 3; k++) {
        const uint32_t facet = corner ? corner[k] / 3 : i, first = 3 * (corner ? corner[k] % 3 : k);
        float from[9], to[9];
        sc_facet_load(&m->paths.moves->mesh->file.facets, facet, from);
        sc_facet_load(&m->paths.end->file.facets, facet, to);
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

static stlclash_code make_pose(moving *m, double t)
{
    uint32_t count = m->seams.divided ? m->seams.count : m->paths.end->file.facets.count;
    stlclash_mesh_free(m->mesh);
    m->mesh = NULL;
    m->size = SC_BINARY_FACETS_AT + (size_t)count * SC_BINARY_FACET_BYTES;
    m->bytes = m->bytes ? m->bytes : sc_calloc(m->size, 1);
    if (!m->bytes) {
        return sc_error_memory(m->run->error);
    }
    put_u32(m->bytes + SC_BINARY_COUNT_AT, count);
    for (uint32_t i = 0; i < count; i++) {
        float xyz[9];
        facet_at(m, i, t, xyz);
        unsigned char *at = m->bytes + SC_BINARY_FACETS_AT + (size_t)i * SC_BINARY_FACET_BYTES;
        for (int k = 0; k < 9; k++) {
            uint32_t word;
            memcpy(&word, &xyz[k], sizeof word);
            put_u32(at + SC_BINARY_VERTICES_AT + 4 * k, word);
        }
    }
    return stlclash_mesh_parse(m->bytes, m->size, &m->mesh, m->run->error);
}

static stlclash_code pose(void *context, double t, sc_part part[2])
{
    moving *m = context;
    sc_motion_run *run = m->run;
    const stlclash_mesh *mesh = t <= 0.0 ? m->paths.moves->mesh : m->paths.end;
    if (t > 0.0 && t < 1.0) {
        stlclash_code code = make_pose(m, t);
        if (code != STLCLASH_OK) {
            return code;
        }
        mesh = m->mesh;
    }
    part[0] = run->part[0];
    part[1] = run->part[1];
    return sc_part_place(mesh, run->options.placement[m->moves], m->moves == 0 ? "A" : "B",
                         &part[m->moves], run->error);
}

/* Of the point of the triangle that lies there at time t: its coordinates along two edges
 * are the same all the time. */
static double way_of_point(const moving *m, uint32_t triangle, double t, const double at[3])
{
    sc_vec3 v[2][3], now[3], p = sc_vec3_of(at);
    const sc_placement *placement = &m->paths.moves->placement;
    sc_triangle_vertices(&m->paths.moves->mesh->file.facets, placement, triangle, v[0]);
    sc_triangle_vertices(&m->paths.end->file.facets, placement, triangle, v[1]);
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

static double travelled(void *context, double t, const stlclash_separation *at)
{
    const moving *m = context;
    return m->moves == 0 ? way_of_point(m, at->triangle_a, t, at->point_a)
                         : way_of_point(m, at->triangle_b, t, at->point_b);
}

static bool lies_near_edge(sc_vec3 p, sc_vec3 from, sc_vec3 to, double within)
{
    const sc_vec3 along = sc_sub(to, from);
    return sc_length(sc_cross(along, sc_sub(p, from))) <= within * sc_length(along);
}

/* Where the point, a vertex of a divided facet or on an edge of it, lies on the facet that was
 * given. */
static stlclash_feature feature_on(const moving *m, uint32_t triangle, double t, const double at[3])
{
    const sc_placement *placement = &m->paths.moves->placement;
    const double within = 2.0 * m->error;
    const sc_vec3 p = sc_vec3_of(at);
    stlclash_feature feature = STLCLASH_FACE;
    sc_vec3 v[2][3];

    sc_triangle_vertices(&m->paths.moves->mesh->file.facets, placement, triangle, v[0]);
    sc_triangle_vertices(&m->paths.end->file.facets, placement, triangle, v[1]);
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

static void as_given(void *context, double t, stlclash_separation *at)
{
    const moving *m = context;
    if (!m->seams.divided || t <= 0.0 || t >= 1.0) {
        return;
    }
    uint32_t *triangle = m->moves == 0 ? &at->triangle_a : &at->triangle_b;
    stlclash_feature *feature = m->moves == 0 ? &at->feature_a : &at->feature_b;
    *triangle = m->seams.given[*triangle];
    if (*feature != STLCLASH_FACE) {
        *feature = feature_on(m, *triangle, t, m->moves == 0 ? at->point_a : at->point_b);
    }
}

/* A part that is closed at T-junctions stays so where these keep to their edges. */
static stlclash_code find_seams(moving *m)
{
    const stlclash_mesh *mesh = m->paths.moves->mesh;
    const sc_health *health;
    if (sc_health_is_balanced(mesh)) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_health_get(mesh, false, &health, m->run->error);
    if (code == STLCLASH_OK && health->closed &&
        !sc_seams_find(&mesh->file.facets, &m->paths.end->file.facets, m->error, &m->seams)) {
        code = sc_error_memory(m->run->error);
    }
    return code;
}

static void fill_contact(moving *m)
{
    stlclash_sweep_result *r = &m->run->result->public;
    const sc_path_meeting *first = &m->paths.first;
    const sc_closest closest = {.on_a = first->on_a,
                                .on_b = first->on_b,
                                .feature_a = first->feature_a,
                                .feature_b = first->feature_b};
    const stlclash_separation s = sc_separation_of(&closest, m->paths.triangle, m->moves == 0,
                                                   sc_length(sc_sub(first->on_a, first->on_b)));
    r->has_contact = true;
    r->contact = (stlclash_moment){.time = first->time, .separation = s, .conservative = true};
    r->contact.travelled = travelled(m, first->time, &s);
}

static stlclash_code go(moving *m)
{
    sc_motion_run *run = m->run;
    stlclash_sweep_result *r = &run->result->public;
    double reach, speed = sc_paths_farthest(&m->paths, &reach);
    m->error = 0x1p-22 * reach; /* sqrt(3) * 2^-24, and the placing */
    stlclash_code code = find_seams(m);
    if (code != STLCLASH_OK) {
        return code;
    }
    sc_advance advance = {.run = run,
                          .speed = speed * (1.0 + 1e-12),
                          .error = m->error + m->seams.stray,
                          .tolerance = r->tolerance,
                          .near_by = sc_advance_near_by(run),
                          .from = 0.0,
                          .to = 1.0,
                          .pose = pose,
                          .travelled = travelled,
                          .as_given = as_given,
                          .context = m};
    sc_advance_findings findings = {
        .least = INFINITY, .certain = INFINITY, .apart = !r->has_contact};
    double start = r->has_contact ? 0.0 : m->paths.first.time;
    if (m->paths.first.found && !r->has_contact) {
        fill_contact(m);
    }
    code = r->has_contact ? sc_advance_meetings(&advance, start, &findings)
                          : sc_advance_ends(&advance, &findings);
    if (code == STLCLASH_OK && !findings.settled && !r->has_contact) {
        bool found;
        code = sc_advance_approach(&advance, SC_ANY_POSES, &findings, &found);
    }
    if (code == STLCLASH_OK && !findings.settled) {
        sc_advance_conclude(run, &findings);
    }
    sc_advance_free(&findings);
    return code;
}

stlclash_code sc_motion_paths(sc_motion_run *run)
{
    int moves = run->motion->moves == STLCLASH_B;
    sc_part end;
    run->result->public.tolerance = sc_advance_tolerance(run);
    moving m = {.run = run,
                .moves = moves,
                .paths = {.rests = &run->part[1 - moves],
                          .moves = &run->part[moves],
                          .end = run->motion->end,
                          .tolerance = run->result->public.tolerance,
                          .poll = sc_motion_poll(run)}};
    stlclash_code code = sc_part_place(run->motion->end, run->options.placement[moves],
                                       "the end of the motion", &end, run->error);
    code = code == STLCLASH_OK ? sc_paths_meet(&m.paths, run->error) : code;
    if (code == STLCLASH_OK && !m.paths.stopped) {
        code = go(&m);
    }
    stlclash_mesh_free(m.mesh);
    sc_seams_free(&m.seams);
    sc_free(m.bytes);
    return code;
}
