/* orient.c - the exact halves of the predicates of orient.h. */
#include "orient.h"

#include "expansion.h"
#include "twofold.h"
#include "units.h"

/* (7 + 56e)e and (3 + 16e)e with e = 2^-53: Shewchuk's o3derrboundA, ccwerrboundA. */
static const sc_orient_filter filter_on = {7.7715611723761027e-16, 3.3306690738754716e-16};

static const sc_orient_filter filter_off = {INFINITY, INFINITY};

/* config=unfiltered: every test again with exact arithmetic alone. */
#if defined(SC_UNFILTERED)
sc_orient_filter sc_orient_bounds = {INFINITY, INFINITY};
#else
sc_orient_filter sc_orient_bounds = {7.7715611723761027e-16, 3.3306690738754716e-16};
#endif

static _Thread_local unsigned long exact_calls;

/* (a-b) x (c-d), component `axis`. */
static void cross_component(sc_expansion *out, sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    sc_expansion ui, uj, vi, vj, left, right;

    sc_expansion_difference(&ui, sc_component(a, i), sc_component(b, i));
    sc_expansion_difference(&uj, sc_component(a, j), sc_component(b, j));
    sc_expansion_difference(&vi, sc_component(c, i), sc_component(d, i));
    sc_expansion_difference(&vj, sc_component(c, j), sc_component(d, j));
    sc_expansion_multiply(&left, &ui, &vj);
    sc_expansion_multiply(&right, &uj, &vi);
    sc_expansion_add(out, &left, &right, -1.0);
}

/* (a-b) . ((c-d) x (e-f)) */
static void triple_product(sc_expansion *out, sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, sc_vec3 e,
                           sc_vec3 f)
{
    sc_expansion sum = {.count = 0};

    for (int axis = 0; axis < 3; axis++) {
        sc_expansion difference, minor, product;
        sc_expansion_difference(&difference, sc_component(a, axis), sc_component(b, axis));
        cross_component(&minor, c, d, e, f, axis);
        sc_expansion_multiply(&product, &minor, &difference);
        sc_expansion_add(out, &sum, &product, 1.0);
        sum = *out;
    }
}

/* Its sign. */
static int triple_sign(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, sc_vec3 e, sc_vec3 f)
{
    sc_units u, v, w;
    sc_expansion product;
    if (sc_difference_in_units(a, b, &u) && sc_difference_in_units(c, d, &v) &&
        sc_difference_in_units(e, f, &w)) {
        return sc_wide_sign(sc_units_triple(&u, &v, &w));
    }
    triple_product(&product, a, b, c, d, e, f);
    return sc_expansion_sign(&product);
}

/* det[a-d; b-d; c-d] */
static void determinant(sc_expansion *out, sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    triple_product(out, a, d, b, d, c, d);
}

int sc_orient3d_exact(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    if (sc_same(a, d) || sc_same(b, d) || sc_same(c, d) || sc_same(a, b) || sc_same(b, c) ||
        sc_same(c, a)) {
        return 0; /* as where conforming meshes share vertices */
    }
    exact_calls++;
    return triple_sign(a, d, b, d, c, d);
}

int sc_cross_sign_exact(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, int axis)
{
    sc_units u, v;
    sc_expansion det;
    if ((sc_same(a, c) && sc_same(b, d)) || (sc_same(a, d) && sc_same(b, c))) {
        return 0; /* as along an edge that ends in the vertex that is asked for */
    }
    exact_calls++;
    if (sc_difference_in_units(a, b, &u) && sc_difference_in_units(c, d, &v)) {
        return sc_wide_sign(sc_units_cross(&u, &v, axis));
    }
    cross_component(&det, a, b, c, d, axis);
    return sc_expansion_sign(&det);
}

int sc_triple_sign(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d, sc_vec3 e, sc_vec3 f)
{
    exact_calls++;
    return triple_sign(a, b, c, d, e, f);
}

/* The plain value will do where it is not small against its terms, whose rounding
 * errors add up to less than 2^-50 of them. */
static const double cancellation = 0x1p-2;

/* The same with twice the digits: rounding errors add up to less than 2^-96 of the terms. */
static const double twofold_cancellation = 0x1p-45;

static sc_pair twofold_minor(sc_pair a, sc_pair b, sc_pair c, sc_pair d)
{
    return sc_pair_difference(sc_pair_product(a, d), sc_pair_product(b, c));
}

static sc_pair twofold_determinant(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    sc_pair row[3][3];
    const sc_vec3 from[3] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        row[i][0] = sc_two_sum(from[i].x, -d.x);
        row[i][1] = sc_two_sum(from[i].y, -d.y);
        row[i][2] = sc_two_sum(from[i].z, -d.z);
    }
    sc_pair sum = {0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        sc_pair minor = twofold_minor(row[1][m], row[1][n], row[2][m], row[2][n]);
        sum = sc_pair_sum(sum, sc_pair_product(row[0][k], minor));
    }
    return sum;
}

double sc_orient3d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, sc_vec3 d)
{
    sc_vec3 u = sc_sub(a, d), v = sc_sub(b, d), w = sc_sub(c, d);
    sc_vec3 vw = sc_cross(v, w);
    double value = sc_dot(u, vw);
    double terms = fabs(u.x) * (fabs(v.y * w.z) + fabs(v.z * w.y)) +
                   fabs(u.y) * (fabs(v.z * w.x) + fabs(v.x * w.z)) +
                   fabs(u.z) * (fabs(v.x * w.y) + fabs(v.y * w.x));

    if (fabs(value) > cancellation * terms) {
        return value;
    }
    sc_pair closer = twofold_determinant(a, b, c, d);
    if (fabs(closer.high) > twofold_cancellation * terms) {
        return closer.high;
    }
    sc_expansion det;
    determinant(&det, a, b, c, d);
    return sc_expansion_value(&det);
}

double sc_orient2d_value(sc_vec3 a, sc_vec3 b, sc_vec3 c, int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double left =
        (sc_component(b, i) - sc_component(a, i)) * (sc_component(c, j) - sc_component(a, j));
    double right =
        (sc_component(b, j) - sc_component(a, j)) * (sc_component(c, i) - sc_component(a, i));

    if (fabs(left - right) > cancellation * (fabs(left) + fabs(right))) {
        return left - right;
    }
    sc_expansion det;
    cross_component(&det, b, a, c, a, axis);
    return sc_expansion_value(&det);
}

int sc_projection_axis(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    for (int axis = 0; axis < 3; axis++) {
        if (sc_orient2d(a, b, c, axis) != 0) {
            return axis;
        }
    }
    return -1;
}

void sc_orient_filter_off(int off)
{
    sc_orient_bounds = off ? filter_off : filter_on;
}

unsigned long sc_orient_exact_calls(void)
{
    unsigned long calls = exact_calls;
    exact_calls = 0;
    return calls;
}
