/* probe_set.h - the probes of the benchmark, the same for every program: random segments
 * about a part, drawn by splitmix64 from its bounds alone. */
#ifndef BENCH_PROBE_SET_H
#define BENCH_PROBE_SET_H

#include <math.h>
#include <stdint.h>

typedef struct probe_segment {
    float from[3], to[3];
} probe_segment;

typedef enum probe_kind {
    PROBE_ACROSS,  /* between two points of the sphere about the bounds: a line of sight */
    PROBE_INWARDS, /* from that sphere to a point within the bounds: a tool */
    PROBE_NEAR,    /* between points within the bounds, a twentieth of them long: a finger */
    PROBE_KINDS
} probe_kind;

static const char *const probe_kind_names[PROBE_KINDS] = {"across", "inwards", "near"};

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

static inline probe_segment probe_draw(probe_kind kind, const double low[3], const double high[3],
                                       uint64_t *state)
{
    probe_segment s;
    double centre[3], radius_sq = 0.0, direction[2][3], inside[3];

    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5 * (low[k] + high[k]);
        radius_sq += 0.25 * (high[k] - low[k]) * (high[k] - low[k]);
        inside[k] = low[k] + (high[k] - low[k]) * probe_uniform(state);
    }
    double radius = sqrt(radius_sq);
    probe_direction(state, direction[0]);
    probe_direction(state, direction[1]);
    for (int k = 0; k < 3; k++) {
        double from = centre[k] + radius * direction[0][k];
        double to = kind == PROBE_ACROSS ? centre[k] + radius * direction[1][k] : inside[k];
        from = kind == PROBE_NEAR ? inside[k] + 0.1 * radius * direction[0][k] : from;
        s.from[k] = (float)from;
        s.to[k] = (float)to;
    }
    return s;
}

#endif
