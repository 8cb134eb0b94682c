/* probe_set.h - the probes of the benchmark, the same for every program: segments about a
 * part, drawn by splitmix64 from its bounds and its vertices. */
#ifndef BENCH_PROBE_SET_H
#define BENCH_PROBE_SET_H

#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct probe_segment {
    float from[3], to[3];
} probe_segment;

typedef enum probe_kind {
    PROBE_ACROSS,  /* between two points of the sphere about the bounds: a line of sight */
    PROBE_INWARDS, /* from that sphere to a point within the bounds: a tool */
    PROBE_NEAR,    /* between points within the bounds, a twentieth of them long: a finger */
    PROBE_AIMED,   /* from that sphere through a vertex or the middle of an edge: a hard one */
    PROBE_KINDS
} probe_kind;

static const char *const probe_kind_names[PROBE_KINDS] = {"across", "inwards", "near", "aimed"};

static inline double probe_uniform(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z ^= z >> 31;
    return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

/* A point of the unit ball (surface: of its surface). */
static inline void probe_direction(uint64_t *state, double out[3])
{
    double z = 2.0 * probe_uniform(state) - 1.0, turn = 6.283185307179586 * probe_uniform(state);
    double r = sqrt(1.0 - z * z);
    out[0] = r * cos(turn);
    out[1] = r * sin(turn);
    out[2] = z;
}

/* The part, in a binary STL file that is in memory. */
typedef struct probe_target {
    double low[3], high[3];
    const unsigned char *stl;
    uint32_t triangles;
} probe_target;

static inline void probe_vertex(const probe_target *part, uint32_t triangle, uint32_t corner,
                                float out[3])
{
    memcpy(out, part->stl + 84 + 50 * (size_t)triangle + 12 + 12 * (size_t)corner, 12);
}

/* A point to aim at: within the bounds, or on a border of a triangle. */
static inline void probe_aim(probe_kind kind, const probe_target *part, uint64_t *state,
                             double out[3])
{
    float a[3], b[3];
    uint32_t triangle = (uint32_t)(probe_uniform(state) * (double)part->triangles);
    uint32_t corner = (uint32_t)(probe_uniform(state) * 3.0);
    double half = probe_uniform(state) < 0.5 ? 0.5 : 0.0;

    probe_vertex(part, triangle, corner, a);
    probe_vertex(part, triangle, (corner + 1) % 3, b);
    for (int k = 0; k < 3; k++) {
        double share = probe_uniform(state);
        out[k] = kind == PROBE_AIMED ? (double)a[k] + half * ((double)b[k] - (double)a[k])
                                     : part->low[k] + (part->high[k] - part->low[k]) * share;
    }
}

static inline probe_segment probe_draw(probe_kind kind, const probe_target *part, uint64_t *state)
{
    probe_segment s;
    double centre[3], radius_sq = 0.0, direction[2][3], aim[3];

    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (part->low[k] + part->high[k]);
        radius_sq += 0.25 * (part->high[k] - part->low[k]) * (part->high[k] - part->low[k]);
    }
    double radius = sqrt(radius_sq);
    probe_aim(kind, part, state, aim);
    probe_direction(state, direction[0]);
    probe_direction(state, direction[1]);
    for (int k = 0; k < 3; k++) {
        double from = centre[k] + radius * direction[0][k];
        double to = kind == PROBE_ACROSS ? centre[k] + radius * direction[1][k] : aim[k];
        from = kind == PROBE_NEAR ? aim[k] + 0.1 * radius * direction[0][k] : from;
        s.from[k] = (float)from;
        s.to[k] = (float)(kind == PROBE_AIMED ? to + 0.5 * (to - from) : to);
    }
    return s;
}

#endif
