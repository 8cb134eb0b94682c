/* rim.c - see rim.h.
 *
 * The solid angle of a surface is, but for whole spheres, that of a cone over its border: the
 * sum over the border's edges of the spherical triangles between them and a pole (Van Oosterom
 * and Strackee, 1983), here as one product of complex numbers, whose argument is half that
 * angle. Away from the surface the solid angle changes as the magnetic potential of a current
 * along the border does: its gradient is at most the integral of ds / r^2 (Biot and Savart). */
#include "rim.h"

#include "base/alloc.h"
#include "health/health_edges.h"

#include <stdlib.h>

/* ---- making -------------------------------------------------------------- */

static sc_vec3 point(const sc_edges *edges, uint32_t vertex)
{
    const float *xyz = edges->vertex[vertex];
    return (sc_vec3){(double)xyz[0], (double)xyz[1], (double)xyz[2]};
}

bool sc_rim_make(const stlclash_mesh *mesh, sc_rim *rim)
{
    sc_edges edges;
    size_t count = 0;

    *rim = (sc_rim){.edges = NULL};
    if (!sc_edges_make(&mesh->file.facets, &edges)) {
        return false;
    }
    for (uint32_t i = 0; i < edges.count; i++) {
        count += edges.edge[i].net != 0;
    }
    rim->edges = sc_alloc(count + 1, sizeof *rim->edges);
    for (uint32_t i = 0; i < edges.count && rim->edges; i++) {
        const sc_edge *e = &edges.edge[i];
        if (e->net != 0) {
            rim->edges[rim->count++] =
                (sc_rim_edge){point(&edges, e->low), point(&edges, e->high), e->net};
        }
    }
    sc_edges_free(&edges);
    return rim->edges != NULL;
}

bool sc_rim_place(const sc_rim *rim, const sc_placement *placement, sc_rim *placed)
{
    *placed = (sc_rim){.edges = sc_alloc(rim->count + 1, sizeof *placed->edges)};
    for (size_t i = 0; i < rim->count && placed->edges; i++) {
        const sc_rim_edge *e = &rim->edges[i];
        placed->edges[placed->count++] = (sc_rim_edge){sc_place_point(placement, e->from),
                                                       sc_place_point(placement, e->to), e->times};
    }
    return placed->edges != NULL;
}

void sc_rim_free(sc_rim *rim)
{
    sc_free(rim->edges);
    *rim = (sc_rim){.edges = NULL};
}

/* ---- looking -------------------------------------------------------------- */

static const double pi = 3.14159265358979323846;

typedef struct complex_number {
    double re, im;
} complex_number;

static complex_number product(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Half the solid angle of the triangle between the directions of u, v and the pole, as the
 * argument of a number whose magnitude, from 0 to 4, tells how well it is known. */
static complex_number half_angle(sc_vec3 pole, sc_vec3 u, sc_vec3 v)
{
    sc_vec3 a = sc_unit(u), b = sc_unit(v);
    return (complex_number){1.0 + sc_dot(pole, a) + sc_dot(a, b) + sc_dot(b, pole),
                            sc_dot(pole, sc_cross(a, b))};
}

/* Half the solid angle of all, as an argument; false if an edge runs where the pole sees it
 * badly, just opposite. */
static bool half_angle_from(const sc_rim *rim, sc_vec3 p, sc_vec3 pole, complex_number *half)
{
    static const double least_size = 1e-6;

    *half = (complex_number){1.0, 0.0};
    for (size_t i = 0; i < rim->count; i++) {
        const sc_rim_edge *e = &rim->edges[i];
        complex_number z = half_angle(pole, sc_sub(e->from, p), sc_sub(e->to, p));
        double size = sqrt(z.re * z.re + z.im * z.im);
        if (!(size > least_size)) {
            return false;
        }
        z = (complex_number){z.re / size, e->times < 0 ? -z.im / size : z.im / size};
        for (int32_t n = 0; n < abs(e->times); n++) {
            *half = product(*half, z);
        }
    }
    return true;
}

/* At least the integral of ds / r^2 over all edges, and the least distance. */
static double pull(const sc_rim *rim, sc_vec3 p, double *nearest)
{
    double sum = 0.0;

    *nearest = INFINITY;
    for (size_t i = 0; i < rim->count; i++) {
        const sc_rim_edge *e = &rim->edges[i];
        sc_vec3 along = sc_sub(e->to, e->from);
        double length_sq = sc_dot(along, along);
        if (!(length_sq > 0.0)) {
            continue; /* its ends became one when they were placed */
        }
        sc_vec3 apart = sc_off_segment(sc_sub(p, e->from), along, length_sq);
        double distance = sqrt(sc_dot(apart, apart)), length = sqrt(length_sq);
        *nearest = fmin(*nearest, distance);
        /* r^2 >= distance^2 + s^2: no more than that of the whole line, pi / distance */
        sum += abs(e->times) * fmin(length / distance, pi) / distance;
    }
    return sum;
}

double sc_rim_winding(const sc_rim *rim, sc_vec3 p, double *within)
{
    static const double rounding = 1e-9;
    static const sc_vec3 poles[] = {
        {0.48, 0.6, 0.64}, {-0.64, 0.48, 0.6}, {0.6, -0.64, 0.48}, {-0.6, -0.48, -0.64}};
    complex_number half;
    double nearest;
    size_t pole = 0, count = sizeof poles / sizeof poles[0];

    while (pole < count && !half_angle_from(rim, p, poles[pole], &half)) {
        pole++;
    }
    if (pole == count) {
        *within = 0.0;
        return 0.5;
    }
    double winding = atan2(half.im, half.re) / (2.0 * pi);
    double left = 0.5 - rounding - rim->slack - fabs(winding);
    double fastest = pull(rim, p, &nearest) / (4.0 * pi);
    /* A third of the way to the border distances shrink to two thirds, at most. */
    *within = rim->count == 0 ? INFINITY : fmin(nearest / 3.0, left * (4.0 / 9.0) / fastest);
    *within = *within > 0.0 && !isnan(fastest) ? *within : 0.0;
    return winding;
}

bool sc_rim_stays_below(const sc_rim *rim, sc_vec3 from, sc_vec3 to, uint64_t *looks)
{
    const sc_vec3 way = sc_sub(to, from);
    const double length = sc_length(way);

    for (double gone = 0.0, within; gone < length; gone += 0.999 * within) {
        if (*looks == 0) {
            return false;
        }
        --*looks;
        sc_rim_winding(rim, sc_mul_add(from, gone / length, way), &within);
        if (gone + 0.999 * within == gone) {
            return false;
        }
    }
    return true;
}
