/* first_bound.c - see first_bound.h. */
#include "first_bound.h"

/* More samples cost more than their better bound saves; fewer leave whole blocks
 * in play that a search then has to open. */
enum { MAX_SAMPLES = 512, MIN_SAMPLES = 16, TRIANGLES_PER_SAMPLE = 64 };

typedef struct samples {
    int count;
    uint32_t triangle[MAX_SAMPLES];
    double x[MAX_SAMPLES], y[MAX_SAMPLES], z[MAX_SAMPLES];
} samples;

/* The first vertices of triangles at even distances in the file. */
static void take_samples(const sc_part *part, samples *s)
{
    uint32_t triangles = part->mesh->file.facets.count;
    uint32_t wanted = triangles / TRIANGLES_PER_SAMPLE;

    wanted = wanted < MIN_SAMPLES ? MIN_SAMPLES : wanted > MAX_SAMPLES ? MAX_SAMPLES : wanted;
    wanted = wanted > triangles ? triangles : wanted;
    s->count = (int)wanted;
    for (uint32_t i = 0; i < wanted; i++) {
        sc_vec3 v[3];
        s->triangle[i] = (uint32_t)((uint64_t)i * triangles / wanted);
        sc_triangle_vertices(&part->mesh->file.facets, &part->used, s->triangle[i], v);
        s->x[i] = v[0].x;
        s->y[i] = v[0].y;
        s->z[i] = v[0].z;
    }
}

void sc_nearest_samples(const sc_part *a, const sc_part *b, uint32_t *triangle_a,
                        uint32_t *triangle_b)
{
    samples sa, sb;
    double best = INFINITY;

    take_samples(a, &sa);
    take_samples(b, &sb);
    *triangle_a = *triangle_b = 0;
    for (int i = 0; i < sa.count; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < sb.count; j++) { /* the least first: this loop is wide */
            double x = sa.x[i] - sb.x[j], y = sa.y[i] - sb.y[j], z = sa.z[i] - sb.z[j];
            double d = x * x + y * y + z * z;
            nearest = d < nearest ? d : nearest;
        }
        if (nearest >= best) {
            continue;
        }
        best = nearest;
        *triangle_a = sa.triangle[i];
        for (int j = sb.count - 1; j >= 0; j--) {
            double x = sa.x[i] - sb.x[j], y = sa.y[i] - sb.y[j], z = sa.z[i] - sb.z[j];
            if (x * x + y * y + z * z <= nearest) {
                *triangle_b = sb.triangle[j];
            }
        }
    }
}
