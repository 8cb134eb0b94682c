/* rim.c - see rim.h.
 *
 * The solid angle of a surface is, but for whole spheres, that of a cone over its border: the
 * sum over the border's edges of the spherical triangles between them and a pole (Van Oosterom
 * and Strackee, 1983), here as one product of complex numbers, whose argument is half that
 * angle. Away from the surface the solid angle changes as the magnetic potential of a current
 * along the border does: its gradient is the integral of ds x r / r^3 (Biot and Savart). */
#include "rim.h"

#include "base/alloc.h"
#include "geom/angle.h"
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
    if (!sc_edges_make_unbalanced(&mesh->file.facets, &edges)) {
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

typedef struct complex_number {
    double re, im;
} complex_number;

static complex_number product(complex_number a, complex_number b)
{
    return (complex_number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* An edge as seen from a point: where it starts and ends, and what is made of these. */
typedef struct seen {
    sc_vec3 from, to, cross;
    double from_length, to_length, dot;
} seen;

static seen see(const sc_rim_edge *e, sc_vec3 p)
{
    seen s = {.from = sc_sub(e->from, p), .to = sc_sub(e->to, p)};
    s.cross = sc_cross(s.from, s.to);
    s.from_length = sc_length(s.from);
    s.to_length = sc_length(s.to);
    s.dot = sc_dot(s.from, s.to);
    return s;
}

/* Of a sum or product of a few numbers, what rounding takes from it. */
static const double rounding = 0x1p-49;

/* Half the solid angle of the triangle between the directions of an edge's ends and the pole, as
 * the argument of a number; *error: of that argument. */
static complex_number half_angle(const seen *s, sc_vec3 pole, double *error)
{
    const double lengths = s->from_length * s->to_length;
    complex_number z = {lengths + sc_dot(pole, s->from) * s->to_length + s->dot +
                            sc_dot(pole, s->to) * s->from_length,
                        sc_dot(pole, s->cross)};
    double size = sqrt(z.re * z.re + z.im * z.im);
    *error = rounding * lengths / size;
    return (complex_number){z.re / size, z.im / size};
}

/* The integral of the vector product of ds and r / r^3 along an edge, by Biot and Savart; *error
 * bounds what rounding does to each component. */
static sc_vec3 field(const seen *s, double *error)
{
    const double lengths = s->from_length * s->to_length, sum = s->from_length + s->to_length;
    const double cross_sq = sc_dot(s->cross, s->cross);

    if (s->dot >= 0.0) {
        *error = rounding * sum / lengths;
        return sc_scale(s->cross, sum / (lengths * (lengths + s->dot)));
    }
    *error = rounding * sum * (lengths / cross_sq);
    return sc_scale(s->cross, sum * (lengths - s->dot) / (lengths * cross_sq));
}

/* At least the integral of ds / r^3 along an edge that is nowhere nearer than `distance`. */
static double pull(double length, double distance)
{
    /* r^2 >= distance^2 + s^2: no more than that of the whole line, 2 / distance^2 */
    return sc_fmin(length / distance, 2.0) / (distance * distance);
}

static const double whole_sphere = 4.0 * SC_PI;

double sc_rim_add_edge(const sc_rim_edge *e, sc_vec3 p, sc_rim_look *look)
{
    const seen s = see(e, p);
    const double times = e->times, many = fabs(times) * (1.0 + 0x1p-30) / whole_sphere;
    const sc_vec3 along = sc_sub(e->to, e->from);
    const double length_sq = sc_dot(along, along);
    const double distance = sc_length(sc_off_segment(sc_scale(s.from, -1.0), along, length_sq));
    double error;

    look->gradient = sc_mul_add(look->gradient, times / whole_sphere, field(&s, &error));
    look->gradient_error += 2.0 * many * error;
    look->nearest = sc_fmin(look->nearest, distance);
    /* the derivative of r / r^3 is no larger than 2 / r^3 */
    look->bend += 2.0 * many * pull(sqrt(length_sq), distance);
    return distance;
}

static void look_from(const sc_rim *rim, sc_vec3 p, sc_vec3 pole, sc_rim_look *look)
{
    complex_number half = {1.0, 0.0};

    *look = (sc_rim_look){.nearest = INFINITY};
    for (size_t i = 0; i < rim->count; i++) {
        const sc_rim_edge *e = &rim->edges[i];
        const seen s = see(e, p);
        double error;
        if (sc_same(e->from, e->to)) {
            continue; /* its ends became one when they were placed */
        }
        complex_number z = half_angle(&s, pole, &error);
        z.im = e->times < 0 ? -z.im : z.im;
        for (int32_t n = 0; n < abs(e->times); n++) {
            half = product(half, z);
            look->error += error + rounding;
        }
        sc_rim_add_edge(e, p, look);
    }
    look->winding = sc_atan2(half.im, half.re) / (2.0 * SC_PI);
    look->error = look->error / (2.0 * SC_PI) + rounding;
}

void sc_rim_look_at(const sc_rim *rim, sc_vec3 p, sc_rim_look *look)
{
    static const double most_error = 1e-8;
    static const sc_vec3 poles[] = {
        {0.48, 0.6, 0.64}, {-0.64, 0.48, 0.6}, {0.6, -0.64, 0.48}, {-0.6, -0.48, -0.64}};
    size_t pole = 0, count = sizeof poles / sizeof poles[0];

    do {
        look_from(rim, p, poles[pole], look);
    } while (!(look->error <= most_error) && ++pole < count);
    if (pole == count) { /* some edge is seen just opposite the pole, or p lies on one */
        *look = (sc_rim_look){.winding = 0.5};
    }
    look->error += rim->slack;
}

double sc_rim_winding(const sc_rim *rim, sc_vec3 p, double *within)
{
    sc_rim_look look;
    sc_rim_look_at(rim, p, &look);
    /* A third of the way to the border distances shrink to two thirds, at most: then left is
     * more than fastest r + bend r^2 / 2. */
    const double left = 0.5 - 0x1p-30 - look.error - fabs(look.winding);
    const double fastest = sc_length(look.gradient) + 2.0 * look.gradient_error;
    const double bend = 27.0 / 8.0 * look.bend;
    double most = 2.0 * left / (fastest + sqrt(fastest * fastest + 2.0 * bend * left));

    *within = rim->count == 0 ? INFINITY : sc_fmin(look.nearest / 3.0, (1.0 - 0x1p-40) * most);
    *within = *within > 0.0 && !isnan(most) ? *within : 0.0;
    return look.winding;
}

/* Half the solid angle of a triangle, as above. */
static complex_number half_angle_of(sc_vec3 u, sc_vec3 v, sc_vec3 w, double *error)
{
    const double a = sc_length(u), b = sc_length(v), c = sc_length(w);
    const complex_number z = {a * b * c + sc_dot(u, v) * c + sc_dot(v, w) * a + sc_dot(w, u) * b,
                              sc_dot(u, sc_cross(v, w))};
    const double size = sqrt(z.re * z.re + z.im * z.im);
    *error = rounding * (a * b * c / size);
    return (complex_number){z.re / size, z.im / size};
}

double sc_rim_change(const sc_rim_edge *e, sc_vec3 p, sc_vec3 to, double *error)
{
    const sc_vec3 d = sc_sub(to, p), a = sc_sub(e->from, p), b = sc_sub(e->to, p);
    const sc_vec3 c = sc_sub(e->from, to), f = sc_sub(e->to, to);
    double errors[2];

    if (sc_same(e->from, e->to) || sc_same(d, (sc_vec3){0.0, 0.0, 0.0})) {
        *error = 0.0;
        return 0.0;
    }
    const complex_number half =
        product(half_angle_of(b, a, c, &errors[0]), half_angle_of(b, c, f, &errors[1]));
    const double many = abs(e->times) / (2.0 * SC_PI);
    *error = many * (errors[0] + errors[1] + 4.0 * rounding);
    return e->times * sc_atan2(half.im, half.re) / (2.0 * SC_PI);
}

bool sc_rim_winding_along(const sc_rim *rim, sc_vec3 p, sc_vec3 to, double *winding)
{
    static const double most_error = 0x1p-20;
    const sc_vec3 pole = sc_unit(sc_sub(p, to));
    double sum = 0.0, errors = 0.0;

    for (size_t i = 0; i < rim->count; i++) {
        const sc_rim_edge *e = &rim->edges[i];
        const seen s = see(e, p);
        double error;
        if (sc_same(e->from, e->to)) {
            continue;
        }
        const complex_number z = half_angle(&s, pole, &error);
        /* Just opposite the pole the argument jumps between pi and -pi. */
        if (z.re < 0.0 && !(fabs(z.im) > 16.0 * error)) {
            return false;
        }
        sum += e->times * sc_atan2(z.im, z.re);
        errors += abs(e->times) * error;
    }
    *winding = sum / (2.0 * SC_PI);
    return errors < most_error;
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
