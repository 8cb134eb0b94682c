/* triangles.c - see triangles.h.
 *
 * The barycentric test: with e1 = v1-v0, e2 = v2-v0, N = e1 x e2, the foot of p in
 * the plane is v0 + s e1 + t e2 with s = F1.(p-v0)/N.N, t = F2.(p-v0)/N.N,
 * F1 = e2 x N, F2 = N x e1 (Ericson, Real-Time Collision Detection, 2005, 3.4). */
#include "triangles.h"

#include "base/error.h"

/* ---- placement ----------------------------------------------------------- */

/* Largest error of an entry of R^T R that still counts as rigid. */
static const double rigid_tolerance = 1e-9;

/* Entries this close to 0, 1, -1 stand for them: cos(pi/2) is 6e-17 in doubles. */
static const double quarter_turn_tolerance = 0x1p-50;

static void snap_quarter_turns(double m[3][4])
{
    double snapped[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            snapped[i][j] = sc_round(m[i][j]);
            if (fabs(m[i][j] - snapped[i][j]) > quarter_turn_tolerance) {
                return;
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = snapped[i][j];
        }
    }
}

/* How far a matrix is from rotating and shifting only; infinite if it mirrors. */
static double rigidity_error(double m[3][4])
{
    double most = 0.0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double dot = m[0][i] * m[0][j] + m[1][i] * m[1][j] + m[2][i] * m[2][j];
            double error = fabs(dot - (i == j));
            if (!(error < INFINITY)) { /* of numbers whose products overflow */
                return INFINITY;
            }
            most = sc_fmax(most, error);
        }
    }
    sc_vec3 x = {m[0][0], m[1][0], m[2][0]}, y = {m[0][1], m[1][1], m[2][1]};
    sc_vec3 z = {m[0][2], m[1][2], m[2][2]};
    return sc_dot(sc_cross(x, y), z) > 0.0 ? most : INFINITY;
}

static stlclash_code refuse_placement(const char *whose, double error_of, stlclash_error *error)
{
    const double few_digits = 1e-4;
    return error_of <= few_digits
               ? sc_error(error, STLCLASH_E_ARGUMENT,
                          "the placement of %s rotates, but for %.0e: give its numbers with 10 "
                          "digits or more",
                          whose, error_of)
               : sc_error(error, STLCLASH_E_ARGUMENT,
                          "the placement of %s is not rigid: it must rotate and shift only, "
                          "without scale, shear or mirror",
                          whose);
}

stlclash_code sc_placement_make(const double *m, const char *whose, double reach,
                                sc_placement *placement, stlclash_error *error)
{
    *placement = (sc_placement){.is_identity = 1};
    if (!m) {
        return STLCLASH_OK;
    }
    for (int i = 0; i < 16; i++) {
        if (!isfinite(m[i])) {
            return sc_error(error, STLCLASH_E_ARGUMENT,
                            "the placement of %s has a number that is %s, at row %d, column %d",
                            whose, isnan(m[i]) ? "none (NaN)" : "infinite", i / 4 + 1, i % 4 + 1);
        }
    }
    double farthest = 0.0;
    int identity = 1;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            placement->m[i][j] = m[4 * i + j];
        }
    }
    if (m[12] != 0.0 || m[13] != 0.0 || m[14] != 0.0 || m[15] != 1.0) {
        return sc_error(error, STLCLASH_E_ARGUMENT,
                        "the placement of %s must end in the row 0,0,0,1: its numbers go row by "
                        "row",
                        whose);
    }
    double error_of = rigidity_error(placement->m);
    if (!(error_of <= rigid_tolerance)) {
        return refuse_placement(whose, error_of, error);
    }
    snap_quarter_turns(placement->m);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            identity &= placement->m[i][j] == (i == j);
        }
        identity &= placement->m[i][3] == 0.0;
        farthest += 2.0 * reach + fabs(placement->m[i][3]);
    }
    if (!(farthest < 0x1p200)) {
        return sc_error(error, STLCLASH_E_RANGE, "the placement of %s moves it beyond 1.6e60",
                        whose);
    }
    placement->is_identity = identity;
    placement->flush_below = farthest * 0x1p-80;
    return STLCLASH_OK;
}

void sc_placement_shift(sc_placement *placement, sc_vec3 shift, double reach)
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    if (placement->is_identity) {
        memcpy(placement->m, identity, sizeof identity);
    }
    for (int i = 0; i < 3; i++) {
        placement->m[i][3] += sc_component(shift, i);
    }
    placement->is_identity = 0;
    placement->flush_below = sc_fmax(placement->flush_below, 0x1p-80 * reach);
}

sc_vec3 sc_place_point(const sc_placement *placement, sc_vec3 p)
{
    double out[3];

    if (placement->is_identity) {
        return (sc_vec3){p.x + 0.0, p.y + 0.0, p.z + 0.0}; /* -0 + 0 = +0 */
    }
    for (int i = 0; i < 3; i++) {
        const double *row = placement->m[i];
        out[i] = ((row[0] * p.x + row[1] * p.y) + row[2] * p.z) + row[3];
        if (fabs(out[i]) < placement->flush_below) {
            out[i] = 0.0;
        }
        out[i] += 0.0;
    }
    return sc_vec3_of(out);
}

sc_vec3 sc_place(const sc_placement *placement, const float xyz[3])
{
    return sc_place_point(placement, (sc_vec3){(double)xyz[0], (double)xyz[1], (double)xyz[2]});
}

/* ---- triangles ----------------------------------------------------------- */

#if defined(__SSE2__)
/* The coordinates of a facet as stored, two at a time, across vertices; twice the last one. */
static inline void stored_pairs(const unsigned char *bytes, __m128d pair[5])
{
    const __m128 first = _mm_loadu_ps((const float *)(const void *)bytes);
    const __m128 second = _mm_loadu_ps((const float *)(const void *)(bytes + 16));
    float last;
    memcpy(&last, bytes + 32, sizeof last);
    pair[0] = _mm_cvtps_pd(first);
    pair[1] = _mm_cvtps_pd(_mm_movehl_ps(first, first));
    pair[2] = _mm_cvtps_pd(second);
    pair[3] = _mm_cvtps_pd(_mm_movehl_ps(second, second));
    pair[4] = _mm_set1_pd((double)last);
}

/* As stored, -0 as +0. */
static void load_vertices(const unsigned char *bytes, sc_vec3 v[3])
{
    const __m128d zero = _mm_setzero_pd();
    double *to = (double *)v;
    __m128d pair[5];
    stored_pairs(bytes, pair);
    for (int i = 0; i < 4; i++) {
        _mm_storeu_pd(to + 2 * i, _mm_add_pd(pair[i], zero));
    }
    _mm_storel_pd(to + 8, _mm_add_pd(pair[4], zero));
}

/* Two coordinates at a time, each as sc_place_point rounds it. */
static inline __m128d place_two(const __m128d column[4], __m128d x, __m128d y, __m128d z,
                                __m128d flush_below)
{
    const __m128d xy = _mm_add_pd(_mm_mul_pd(column[0], x), _mm_mul_pd(column[1], y));
    const __m128d sum = _mm_add_pd(_mm_add_pd(xy, _mm_mul_pd(column[2], z)), column[3]);
    const __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), sum);
    return _mm_add_pd(_mm_andnot_pd(_mm_cmplt_pd(size, flush_below), sum), _mm_setzero_pd());
}

/* Placed: x and y of each vertex, then z of two. */
static void place_vertices(const unsigned char *bytes, const sc_placement *placement, sc_vec3 v[3])
{
    __m128d pair[5];
    stored_pairs(bytes, pair); /* xy, zx, yz, xy, z */
    const __m128d x[3] = {_mm_unpacklo_pd(pair[0], pair[0]), _mm_unpackhi_pd(pair[1], pair[1]),
                          _mm_unpacklo_pd(pair[3], pair[3])};
    const __m128d y[3] = {_mm_unpackhi_pd(pair[0], pair[0]), _mm_unpacklo_pd(pair[2], pair[2]),
                          _mm_unpackhi_pd(pair[3], pair[3])};
    const __m128d z[3] = {_mm_unpacklo_pd(pair[1], pair[1]), _mm_unpackhi_pd(pair[2], pair[2]),
                          pair[4]};
    const __m128d flush_below = _mm_set1_pd(placement->flush_below);
    __m128d upper[4], lower[4];
    double *to = (double *)v;

    for (int k = 0; k < 4; k++) {
        upper[k] = _mm_set_pd(placement->m[1][k], placement->m[0][k]);
        lower[k] = _mm_set1_pd(placement->m[2][k]);
    }
    for (int i = 0; i < 3; i++) {
        _mm_storeu_pd(to + 3 * i, place_two(upper, x[i], y[i], z[i], flush_below));
    }
    const __m128d both = place_two(lower, _mm_unpacklo_pd(x[0], x[1]), _mm_unpacklo_pd(y[0], y[1]),
                                   _mm_unpacklo_pd(z[0], z[1]), flush_below);
    _mm_storel_pd(to + 2, both);
    _mm_storeh_pd(to + 5, both);
    _mm_storel_pd(to + 8, place_two(lower, x[2], y[2], z[2], flush_below));
}
#endif

void sc_triangle_vertices(const sc_facets *facets, const sc_placement *placement, uint32_t i,
                          sc_vec3 v[3])
{
#if defined(__SSE2__)
    const unsigned char *bytes = facets->first + (size_t)i * facets->stride;
    if (placement->is_identity) {
        load_vertices(bytes, v);
    } else {
        place_vertices(bytes, placement, v);
    }
#else
    float xyz[9];
    sc_facet_load(facets, i, xyz);
    for (int k = 0; k < 3; k++) {
        v[k] = sc_place(placement, &xyz[3 * k]);
    }
#endif
}

/* Bounding spheres are compared with a margin for their own rounding. */
static const double radius_margin = 1.0 + 0x1p-48;

/* Heights above a triangle's plane are rounded: by this part of the edges at most. */
static const double height_margin = 0x1p-50;

void sc_triangle_set(sc_triangle *t, const sc_vec3 v[3])
{
    sc_vec3 e1 = sc_sub(v[1], v[0]), e2 = sc_sub(v[2], v[0]);
    sc_vec3 n = sc_cross(e1, e2), none = {0.0, 0.0, 0.0};
    double det = sc_dot(n, n);

    for (int i = 0; i < 3; i++) {
        t->v[i] = v[i];
    }
    t->edge[0] = e1;
    t->edge[1] = sc_sub(v[2], v[1]);
    t->edge[2] = sc_sub(v[0], v[2]);
    if (det > 0.0) {
        t->inverse_det = 1.0 / det;
        t->normal = sc_scale(n, 1.0 / sqrt(det));
        double d1 = fabs(sc_dot(t->normal, e1)), d2 = fabs(sc_dot(t->normal, e2));
        double l1 = sc_dot(e1, e1), l2 = sc_dot(e2, e2);
        t->thickness = (d1 > d2 ? d1 : d2) + height_margin * sqrt(l1 + l2);
        t->foot_margin = 0x1p-40 + 0x1p-46 * l1 * l2 * t->inverse_det;
        t->f[0] = sc_cross(e2, n);
        t->f[1] = sc_cross(n, e1);
    } else {
        t->inverse_det = t->thickness = t->foot_margin = 0.0;
        t->normal = t->f[0] = t->f[1] = none;
    }

    t->centre = (sc_vec3){(v[0].x + v[1].x + v[2].x) / 3.0, (v[0].y + v[1].y + v[2].y) / 3.0,
                          (v[0].z + v[1].z + v[2].z) / 3.0};
    double farthest = 0.0, coordinate = 0.0;
    for (int i = 0; i < 3; i++) {
        sc_vec3 out = sc_sub(v[i], t->centre);
        double d = sc_dot(out, out);
        farthest = d > farthest ? d : farthest;
        double m = fabs(v[i].x) + fabs(v[i].y) + fabs(v[i].z);
        coordinate = m > coordinate ? m : coordinate;
    }
    t->radius = sqrt(farthest) * radius_margin + coordinate * 0x1p-50;
}
