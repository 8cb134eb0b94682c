/* screw.c - see screw.h.
 *
 * With R the rotation from one attitude to the other and T where the origin goes, a point x
 * goes to R(t a) x + t h k + (1 - cos(t a)) c - sin(t a) k x c: k the axis, a the angle,
 * h = T . k, c the point of the axis next to the origin. In this form a small angle, which
 * has its axis far away, costs no accuracy. */
#include "screw.h"

#include "geom/angle.h"

#include <string.h>

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

const double *sc_placement_numbers(const double *placement)
{
    return placement ? placement : identity;
}

static void take(const double *given, double m[3][4])
{
    memcpy(m, sc_placement_numbers(given), 12 * sizeof(double));
}

static sc_vec3 row_of(double m[3][4], int i)
{
    return sc_vec3_of(m[i]);
}

bool sc_same_attitude(const double *from, const double *to)
{
    from = sc_placement_numbers(from);
    to = sc_placement_numbers(to);
    for (int i = 0; i < 12; i++) {
        if (i % 4 != 3 && from[i] != to[i]) { /* -0 is 0 */
            return false;
        }
    }
    return true;
}

/* The rows made orthonormal, one after the other. Where they are but for rounding, as they stand:
 * in a turn about x, y or z what lies along that stays where it is, and slides along what it
 * touches. */
static void orthonormal(double m[3][4], double out[3][3])
{
    sc_vec3 x = row_of(m, 0), y = row_of(m, 1), z;
    x = sc_scale(x, 1.0 / sc_length(x));
    y = sc_mul_add(y, -sc_dot(x, y), x);
    y = sc_scale(y, 1.0 / sc_length(y));
    z = sc_cross(x, y);
    sc_vec3 rows[3] = {x, y, z};
    double change = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = sc_component(rows[i], j);
            change = sc_fmax(change, fabs(out[i][j] - m[i][j]));
        }
    }
    for (int i = 0; i < 3 && change <= 0x1p-51; i++) {
        memcpy(out[i], m[i], sizeof out[i]);
    }
}

/* a b^T */
static void multiply_transposed(double a[3][3], double b[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[i][j] = a[i][0] * b[j][0] + a[i][1] * b[j][1] + a[i][2] * b[j][2];
        }
    }
}

/* The axis of a rotation by about half a turn, up to its sign: the column of R + R^T -
 * 2 cos I that is longest. */
static sc_vec3 half_turn_axis(double r[3][3], double cosine)
{
    sc_vec3 best = {0.0, 0.0, 0.0};
    for (int j = 0; j < 3; j++) {
        double c[3];
        for (int i = 0; i < 3; i++) {
            c[i] = 0.5 * (r[i][j] + r[j][i]) - (i == j ? cosine : 0.0);
        }
        sc_vec3 column = sc_vec3_of(c);
        best = sc_dot(column, column) > sc_dot(best, best) ? column : best;
    }
    return best;
}

/* Whether its largest component is positive, of those that are equal but for rounding the first. */
static bool points_up(sc_vec3 axis)
{
    const double largest = sc_fmax(fabs(axis.x), sc_fmax(fabs(axis.y), fabs(axis.z)));
    int k = 0;
    while (fabs(sc_component(axis, k)) < largest * (1.0 - 0x1p-20)) {
        k++;
    }
    return sc_component(axis, k) > 0.0;
}

/* Half a turn leads to the same place either way round, and its rounding must not choose: parts
 * that turn together would each go another way. */
static void find_axis(double r[3][3], sc_vec3 *axis, double *angle)
{
    sc_vec3 twice_sine = {r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]};
    double sine = 0.5 * sc_length(twice_sine), cosine = 0.5 * (r[0][0] + r[1][1] + r[2][2] - 1.0);
    *angle = sc_atan2(sine, cosine);
    *axis = twice_sine;
    if (sine < 0.5 && cosine < 0.0) {
        *axis = half_turn_axis(r, cosine);
        const bool is_half_turn = sine < 0x1p-44;
        const bool right = is_half_turn ? points_up(*axis) : sc_dot(*axis, twice_sine) >= 0.0;
        *angle = is_half_turn ? SC_PI : *angle;
        *axis = right ? *axis : sc_scale(*axis, -1.0);
    }
    if (!(*angle > 0x1p-50)) { /* what is left of equal attitudes by rounding */
        *angle = 0.0;
        return;
    }
    *axis = sc_scale(*axis, 1.0 / sc_length(*axis));
}

static void store(double out[3], sc_vec3 v)
{
    sc_vec3_store(sc_add(v, (sc_vec3){0.0, 0.0, 0.0}), out); /* no -0 */
}

/* R(t a) p, R as in the head of this file (Rodrigues). */
static sc_vec3 turned(const sc_screw *s, double t, sc_vec3 p)
{
    sc_vec3 k = sc_vec3_of(s->screw.direction), kp = sc_cross(k, p);
    double angle = t * s->screw.angle, half = sc_sin(0.5 * angle);
    return sc_mul_add(sc_mul_add(p, sc_sin(angle), kp), 2.0 * half * half, sc_cross(k, kp));
}

/* Where the origin of the world is at time t. */
static sc_vec3 origin_at(const sc_screw *s, double t)
{
    double angle = t * s->screw.angle, half = sc_sin(0.5 * angle);
    sc_vec3 out = sc_scale(sc_vec3_of(s->screw.direction), t * s->screw.shift);
    out = sc_mul_add(out, 2.0 * half * half, sc_vec3_of(s->screw.point));
    return sc_mul_add(out, -sc_sin(angle), sc_vec3_of(s->moment));
}

/* As the formula has it, at the ends too. */
static void formula_at(const sc_screw *s, double t, double out[3][4])
{
    for (int j = 0; j < 4; j++) {
        sc_vec3 column = j < 3 ? (sc_vec3){s->attitude[0][j], s->attitude[1][j], s->attitude[2][j]}
                               : (sc_vec3){s->from[0][3], s->from[1][3], s->from[2][3]};
        column = turned(s, t, column);
        column = j == 3 ? sc_add(column, origin_at(s, t)) : column;
        out[0][j] = column.x;
        out[1][j] = column.y;
        out[2][j] = column.z;
    }
}

/* Of what turns and of what shifts, lest one be measured by the other. */
static void add_errors(sc_screw *s, double a[3][4], double b[3][4])
{
    double turn = 0.0, shift = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turn += fabs(a[i][j] - b[i][j]);
        }
        shift += fabs(a[i][3] - b[i][3]);
    }
    s->turn_error = sc_fmax(s->turn_error, turn);
    s->shift_error = sc_fmax(s->shift_error, shift);
}

double sc_screw_deviation(const sc_screw *screw, double reach)
{
    return screw->turn_error * reach + screw->shift_error;
}

sc_screw sc_screw_between(const double *from, const double *to)
{
    sc_screw s;
    double end[3][3], r[3][3], at[3][4];
    sc_vec3 axis;

    memset(&s, 0, sizeof s);
    take(from, s.from);
    take(to, s.to);
    orthonormal(s.from, s.attitude);
    orthonormal(s.to, end);
    multiply_transposed(end, s.attitude, r);
    find_axis(r, &axis, &s.screw.angle);

    sc_vec3 start = {s.from[0][3], s.from[1][3], s.from[2][3]};
    sc_vec3 way = {s.to[0][3], s.to[1][3], s.to[2][3]};
    if (s.screw.angle == 0.0) {
        way = sc_sub(way, start);
        s.screw.shift = sc_length(way);
        axis = s.screw.shift > 0.0 ? sc_scale(way, 1.0 / s.screw.shift) : (sc_vec3){0, 0, 1};
        store(s.screw.direction, axis);
    } else {
        store(s.screw.direction, axis);
        way = sc_sub(way, turned(&s, 1.0, start));
        s.screw.shift = sc_dot(way, axis);
        sc_vec3 across = sc_mul_add(way, -s.screw.shift, axis);
        double half = 0.5 * s.screw.angle, cotangent = sc_cos(half) / sc_sin(half);
        sc_vec3 point = sc_scale(sc_mul_add(across, cotangent, sc_cross(axis, across)), 0.5);
        store(s.screw.point, point);
        store(s.moment, sc_cross(axis, point));
    }
    formula_at(&s, 0.0, at);
    add_errors(&s, at, s.from);
    formula_at(&s, 1.0, at);
    add_errors(&s, at, s.to);
    return s;
}

void sc_screw_at(const sc_screw *s, double t, double placement[16])
{
    double at[3][4];
    memcpy(placement, identity, sizeof identity);
    if (t <= 0.0 || t >= 1.0) {
        memcpy(placement, t <= 0.0 ? s->from : s->to, sizeof at);
        return;
    }
    formula_at(s, t, at);
    memcpy(placement, at, sizeof at);
}

static sc_vec3 placed(const double m[16], sc_vec3 p)
{
    return (sc_vec3){m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3],
                     m[4] * p.x + m[5] * p.y + m[6] * p.z + m[7],
                     m[8] * p.x + m[9] * p.y + m[10] * p.z + m[11]};
}

/* Between two times that are h apart a point leaves the chord of its helix by no more than
 * radius (angle h)^2 / 8, and the box around both ends of all chords holds the chords. */
sc_box sc_screw_sweep(const sc_screw *s, double from, double to, const sc_box *local)
{
    enum { STEPS = 32 };
    sc_box swept = sc_box_empty();
    double radius = 0.0, size = sc_box_reach(local);

    for (int step = 0; step <= STEPS; step++) {
        double m[16];
        sc_screw_at(s, step < STEPS ? from + (to - from) * step / STEPS : to, m);
        for (int corner = 0; corner < 8; corner++) {
            sc_vec3 p = placed(m, sc_box_corner(local, corner));
            sc_box_add_point(&swept, p);
            radius = step == 0 ? sc_fmax(radius, sc_screw_radius(s, p)) : radius;
        }
    }
    double turn = s->screw.angle * (to - from) / STEPS;
    double rounding = 0x1p-44 * (size + sc_box_reach(&swept)) + sc_screw_deviation(s, size);
    return sc_box_grown(&swept, radius * turn * turn / 8.0 + rounding);
}

double sc_screw_radius(const sc_screw *s, sc_vec3 p)
{
    return sc_length(
        sc_cross(sc_vec3_of(s->screw.direction), sc_sub(p, sc_vec3_of(s->screw.point))));
}

double sc_screw_way(const sc_screw *s, double radius)
{
    const double around = s->screw.angle > 0.0 ? s->screw.angle * radius : 0.0;
    return sqrt(around * around + s->screw.shift * s->screw.shift);
}
