#include "cases.h"

#include "test.h"

#include <math.h>
#include <stdio.h>

const char *case_name(int kind)
{
    static const char *const names[CASE_CLASSES] = {
        "random",     "grid 0..3", "grid 0..8", "coplanar", "coplanar +-1 ulp", "degenerate",
        "shared",     "rotated",   "exponents", "slivers",  "near parallel",    "small gap",
        "far offset", "strips",    "needles",   "hovering"};
    return names[kind];
}

/* ---- vectors -------------------------------------------------------------- */

static sc_vec3 to_floats(sc_vec3 v)
{
    return (sc_vec3){(float)v.x, (float)v.y, (float)v.z};
}

static sc_vec3 in_cube(double low, double high)
{
    sc_vec3 v;
    v.x = test_uniform(low, high);
    v.y = test_uniform(low, high);
    v.z = test_uniform(low, high);
    return v;
}

static sc_vec3 on_grid(int n)
{
    sc_vec3 v;
    v.x = test_below(n);
    v.y = test_below(n);
    v.z = test_below(n);
    return v;
}

/* A direction that is not short. */
static sc_vec3 unit(void)
{
    sc_vec3 v;
    do {
        v = in_cube(-1, 1);
    } while (sc_dot(v, v) > 1 || sc_dot(v, v) < 0.01);
    return sc_scale(v, 1 / sc_length(v));
}

/* Three directions at right angles, up to rounding. */
static void frame(sc_vec3 axis[3])
{
    sc_vec3 other;
    axis[0] = unit();
    do {
        other = unit();
        axis[2] = sc_cross(axis[0], other);
    } while (sc_dot(axis[2], axis[2]) < 0.01);
    axis[2] = sc_scale(axis[2], 1 / sc_length(axis[2]));
    axis[1] = sc_cross(axis[2], axis[0]);
}

/* 10^-low .. 10^-high, evenly over the exponents. */
static double small(double low, double high)
{
    return pow(10, -test_uniform(low, high));
}

/* origin + x axis[0] + y axis[1] + z axis[2] */
static sc_vec3 combine(sc_vec3 origin, const sc_vec3 axis[3], double x, double y, double z)
{
    sc_vec3 v = sc_mul_add(origin, x, axis[0]);
    v = sc_mul_add(v, y, axis[1]);
    return sc_mul_add(v, z, axis[2]);
}

/* ---- classes -------------------------------------------------------------- */

static void fill_random(sc_vec3 v[3])
{
    for (int i = 0; i < 3; i++) {
        v[i] = to_floats(in_cube(-1, 1));
    }
}

static void fill_grid(sc_vec3 v[3], int n)
{
    for (int i = 0; i < 3; i++) {
        v[i] = on_grid(n);
    }
}

static sc_vec3 other_float(sc_vec3 v)
{
    float x[3] = {(float)v.x, (float)v.y, (float)v.z};
    for (int k = 0; k < 3; k++) {
        int step = test_below(3) - 1;
        if (step != 0) {
            x[k] = nextafterf(x[k], (float)step * INFINITY);
        }
    }
    return (sc_vec3){x[0], x[1], x[2]};
}

/* A lattice in an oblique plane. */
static void oblique_lattice(sc_vec3 *origin, sc_vec3 axis[3])
{
    *origin = on_grid(50);
    for (int i = 0; i < 2; i++) {
        axis[i] = sc_sub(on_grid(7), (sc_vec3){3, 3, 3});
    }
}

/* One whose plane rises by an ulp, of float or double, where it advances by one:
 * along two axes it looks like a line. */
static void flat_lattice(sc_vec3 *origin, sc_vec3 axis[3])
{
    int up = test_below(3);
    double x[3][3] = {{0}}, rise = test_below(2) ? 0x1p-23 : 0x1p-52;

    x[0][up] = 1;
    x[1][up] = rise * test_below(3);
    x[1][(up + 1) % 3] = 1;
    x[2][up] = rise;
    x[2][(up + 2) % 3] = 1;
    *origin = (sc_vec3){x[0][0], x[0][1], x[0][2]};
    axis[0] = (sc_vec3){x[1][0], x[1][1], x[1][2]};
    axis[1] = (sc_vec3){x[2][0], x[2][1], x[2][2]};
}

/* Both triangles in one plane; `noise` moves each coordinate by an ulp. */
static void make_coplanar(sc_vec3 *v[6], bool noise)
{
    sc_vec3 origin, axis[3] = {{0}};

    if (test_below(4)) {
        oblique_lattice(&origin, axis);
    } else {
        flat_lattice(&origin, axis);
    }
    for (int i = 0; i < 6; i++) {
        double x = test_below(7), y = test_below(7);
        *v[i] = combine(origin, axis, x, y, 0);
        if (noise) {
            *v[i] = other_float(*v[i]);
        }
    }
}

/* Coplanar up to rounding, or up to a little more. */
static void make_rotated(sc_vec3 *v[6])
{
    sc_vec3 origin = in_cube(-10, 10), axis[3];
    double noise = test_below(3) ? 0 : small(8, 16);

    frame(axis);
    for (int i = 0; i < 6; i++) {
        double x = test_below(7), y = test_below(7), z = test_uniform(-noise, noise);
        *v[i] = combine(origin, axis, x, y, z);
    }
}

/* A point, a segment with two equal vertices, or one with three different ones. */
static void collapse(sc_vec3 v[3])
{
    switch (test_below(4)) {
    case 0: v[1] = v[2] = v[0]; break;
    case 1: v[test_below(2)] = v[2]; break;
    default: { /* on a grid, to be exact */
        sc_vec3 step = sc_sub(on_grid(5), (sc_vec3){2, 2, 2});
        v[0] = on_grid(5);
        for (int i = 1; i < 3; i++) {
            double factor = test_below(7) - 3;
            v[i] = sc_mul_add(v[0], factor, step);
        }
    }
    }
}

static void make_degenerate(sc_vec3 a[3], sc_vec3 b[3])
{
    int which = 1 + test_below(3);
    bool random = test_below(4) == 0;

    if (test_below(4) == 0) { /* both on one line */
        sc_vec3 origin = on_grid(5), step = sc_sub(on_grid(5), (sc_vec3){2, 2, 2});
        for (int i = 0; i < 6; i++) {
            double factor = test_below(9);
            *(i < 3 ? &a[i] : &b[i - 3]) = sc_mul_add(origin, factor, step);
        }
        return;
    }

    for (int i = 0; i < 2; i++) {
        sc_vec3 *v = i == 0 ? a : b;
        if (random) {
            fill_random(v);
        } else {
            fill_grid(v, 5);
        }
        if (which & (1 << i)) {
            collapse(v);
        }
    }
}

static void make_shared(sc_vec3 a[3], sc_vec3 b[3])
{
    int i = test_below(3), j = test_below(3);

    if (test_below(2)) {
        fill_random(a);
        fill_random(b);
    } else {
        fill_grid(a, 9);
        fill_grid(b, 9);
    }
    b[j] = a[i];
    if (test_below(2)) {
        int turn = 1 + test_below(2);
        b[(j + turn) % 3] = a[(i + 1) % 3];
    }
}

static void make_exponents(sc_vec3 *v[6])
{
    for (int i = 0; i < 6; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) {
            x[k] = test_uniform(-1, 1);
            x[k] = ldexp(x[k], test_below(41) - 20);
        }
        *v[i] = to_floats((sc_vec3){x[0], x[1], x[2]});
    }
}

/* Most pairs of the classes for distances are floats, some are any doubles. */
static void round_most(sc_vec3 *v[6])
{
    if (test_below(4) > 0) {
        for (int i = 0; i < 6; i++) {
            *v[i] = to_floats(*v[i]);
        }
    }
}

static void fill_sliver(sc_vec3 v[3], double low, double high)
{
    sc_vec3 off = unit();
    double along = test_uniform(0, 1), height = small(low, high);

    v[0] = in_cube(-1, 1);
    v[1] = in_cube(-1, 1);
    v[2] = sc_mul_add(v[0], along, sc_sub(v[1], v[0]));
    v[2] = sc_mul_add(v[2], height, off);
}

/* A vertex of b a little above or below the inside of a needle. */
static void make_hovering(sc_vec3 a[3], sc_vec3 b[3])
{
    double u, v, gap;

    fill_sliver(a, 4, 14);
    u = test_uniform(0, 1);
    v = test_uniform(0, 1 - u);
    b[0] = sc_mul_add(sc_mul_add(a[0], u, sc_sub(a[1], a[0])), v, sc_sub(a[2], a[0]));
    gap = small(2, 17);
    b[0] = sc_mul_add(b[0], gap, unit());
    b[1] = sc_add(b[0], in_cube(-1, 1));
    b[2] = sc_add(b[0], in_cube(-1, 1));
}

static void make_near_parallel(sc_vec3 a[3], sc_vec3 b[3])
{
    sc_vec3 way = unit(), bend = unit(), gap = unit();
    double angle = small(2, 16), distance = small(0, 4), length[2], shift;

    a[0] = in_cube(-1, 1);
    length[0] = test_uniform(0.5, 2);
    a[1] = sc_mul_add(a[0], length[0], way);
    a[2] = sc_add(a[0], in_cube(-1, 1));
    shift = test_uniform(-1, 1);
    b[0] = sc_mul_add(sc_mul_add(a[0], shift, way), distance, gap);
    length[1] = test_uniform(0.5, 2);
    b[1] = sc_mul_add(b[0], length[1], sc_mul_add(way, angle, bend));
    b[2] = sc_mul_add(sc_add(b[0], in_cube(-1, 1)), 2, gap);
}

static void make_small_gap(sc_vec3 *v[6])
{
    sc_vec3 origin = in_cube(-1, 1), axis[3];

    frame(axis);
    for (int i = 0; i < 6; i++) {
        double x = test_uniform(-1, 1), y = test_uniform(-1, 1);
        double lift = test_below(2) ? test_uniform(0, 1) : 0;
        *v[i] = combine(origin, axis, x, y, i < 3 ? -lift : 1e-6 + lift);
    }
}

static void make_far_offset(sc_vec3 *v[6])
{
    sc_vec3 offset = sc_scale(unit(), 1000);

    for (int i = 0; i < 6; i++) {
        *v[i] = sc_add(offset, in_cube(-1, 1));
    }
}

/* Facets of two cylinders on one axis, radius 1 outside and a little less inside. */
static void make_strips(sc_vec3 a[3], sc_vec3 b[3])
{
    double radius[2] = {1, 1 - small(1, 4)}, turn = test_uniform(0, 6.3);
    sc_vec3 axis[3], origin = in_cube(-1, 1);

    frame(axis);
    for (int i = 0; i < 2; i++) {
        sc_vec3 *v = i == 0 ? a : b;
        double start = turn + test_uniform(-0.02, 0.02), width = small(1, 3);
        double low = test_uniform(-1, 1);
        for (int k = 0; k < 3; k++) {
            double angle = start + (k == 1 ? width : 0);
            v[k] = combine(origin, axis, radius[i] * cos(angle), radius[i] * sin(angle),
                           k == 2 ? 5 : low);
        }
    }
}

void case_make(int kind, sc_vec3 a[3], sc_vec3 b[3])
{
    sc_vec3 *v[6] = {&a[0], &a[1], &a[2], &b[0], &b[1], &b[2]};

    switch (kind) {
    case CASE_GRID_3:
        fill_grid(a, 4);
        fill_grid(b, 4);
        if (test_below(5) == 0) {
            a[test_below(2)] = a[2];
        }
        break;
    case CASE_GRID_8:
        fill_grid(a, 9);
        fill_grid(b, 9);
        break;
    case CASE_COPLANAR: make_coplanar(v, false); break;
    case CASE_COPLANAR_ULP: make_coplanar(v, true); break;
    case CASE_DEGENERATE: make_degenerate(a, b); break;
    case CASE_SHARED: make_shared(a, b); break;
    case CASE_ROTATED: make_rotated(v); break;
    case CASE_EXPONENTS: make_exponents(v); break;
    case CASE_SLIVERS:
        fill_sliver(a, 1, 7);
        fill_sliver(b, 1, 7);
        round_most(v);
        break;
    case CASE_NEAR_PARALLEL:
        make_near_parallel(a, b);
        round_most(v);
        break;
    case CASE_SMALL_GAP:
        make_small_gap(v);
        round_most(v);
        break;
    case CASE_FAR_OFFSET:
        make_far_offset(v);
        round_most(v);
        break;
    case CASE_STRIPS:
        make_strips(a, b);
        round_most(v);
        break;
    case CASE_HOVERING: make_hovering(a, b); break;
    case CASE_NEEDLES:
        fill_sliver(a, 7, 17);
        fill_sliver(b, 7, 17);
        round_most(v);
        break;
    default: fill_random(a); fill_random(b);
    }
}

/* ---- presentation --------------------------------------------------------- */

void case_present(int way, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 c[3], sc_vec3 d[3])
{
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int *of_c = orders[way / 2 % 6], *of_d = orders[way / 12];

    for (int i = 0; i < 3; i++) {
        c[i] = way % 2 ? b[of_c[i]] : a[of_c[i]];
        d[i] = way % 2 ? a[of_d[i]] : b[of_d[i]];
    }
}

double case_magnitude(const sc_vec3 a[3], const sc_vec3 b[3])
{
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(sc_component(a[i / 3], i % 3)));
        largest = fmax(largest, fabs(sc_component(b[i / 3], i % 3)));
    }
    return largest;
}

double case_extent(const sc_vec3 a[3], const sc_vec3 b[3])
{
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        largest = fmax(largest, fabs(sc_component(sc_sub(a[i / 3], a[(i / 3 + 1) % 3]), i % 3)));
        largest = fmax(largest, fabs(sc_component(sc_sub(b[i / 3], b[(i / 3 + 1) % 3]), i % 3)));
    }
    return largest;
}

const char *case_text(const sc_vec3 a[3], const sc_vec3 b[3])
{
    static char text[1024];
    int used = 0;

    for (int i = 0; i < 6; i++) {
        const sc_vec3 *v = i < 3 ? &a[i] : &b[i - 3];
        const char *lead = i == 0 ? "A " : i == 3 ? " B " : " ";
        used += snprintf(text + used, sizeof text - (size_t)used, "%s{%a, %a, %a}", lead, v->x,
                         v->y, v->z);
    }
    return text;
}
