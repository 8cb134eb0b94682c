/* probe_walk.c - see probe_walk.h. */
#include "probe_walk.h"

#include "geom/orient.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- into the frame ------------------------------------------------------------------ */

sc_probe_pose sc_probe_pose_make(const sc_placement *placement, double reach)
{
    sc_probe_pose pose = {.placement = *placement, .reach = reach};
    const double(*m)[4] = placement->m;

    if (placement->is_identity) {
        return pose;
    }
    double det = 0.0;
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        det += m[0][i] * (m[1][i1] * m[2][i2] - m[1][i2] * m[2][i1]);
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            pose.inverse[i][j] = m[j1][i1] * m[j2][i2] - m[j1][i2] * m[j2][i1];
        }
        pose.reach = sc_fmax(pose.reach, fabs(m[i][3]));
    }
    for (int i = 0; i < 9; i++) {
        pose.inverse[i / 3][i % 3] /= det;
    }
    pose.frame_error = 0x1p-47;
    return pose;
}

/* fmax is a call. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double largest(sc_vec3 p)
{
    return larger(larger(fabs(p.x), fabs(p.y)), fabs(p.z));
}

sc_vec3 sc_probe_to_frame(const sc_probe_tree *tree, const sc_probe_pose *pose, sc_vec3 p,
                          double *error)
{
    const sc_frame *f = &tree->frame;
    double size = largest(p), local[3] = {p.x, p.y, p.z};

    if (!pose->placement.is_identity) {
        const double(*m)[4] = pose->placement.m;
        sc_vec3 d = {p.x - m[0][3], p.y - m[1][3], p.z - m[2][3]};
        for (int k = 0; k < 3; k++) {
            const double *row = pose->inverse[k];
            local[k] = row[0] * d.x + row[1] * d.y + row[2] * d.z;
        }
    }
    *error = ((size + pose->reach) * pose->frame_error + size * 0x1p-51) * f->scale;
    return (sc_vec3){(local[0] - f->origin[0]) * f->scale, (local[1] - f->origin[1]) * f->scale,
                     (local[2] - f->origin[2]) * f->scale};
}

/* Beyond the bounds by this much nothing can be met. */
static const double margin = 0x1p-8;

/* p + t * way, t from t0 to t1. */
typedef struct chord {
    sc_vec3 p, way;
    double inverse[3]; /* of the way, bounded */
    double t0, t1;
} chord;

/* Narrows it to what lies within the bounds, and finds its inverse; false if nothing does. */
static bool clip(const sc_probe_tree *tree, double error, chord *s)
{
    for (int k = 0; k < 3; k++) {
        double low = (double)tree->bounds.low[k] - margin - 4.0 * error;
        double high = (double)tree->bounds.high[k] + margin + 4.0 * error;
        double from = sc_component(s->p, k), d = sc_component(s->way, k);
        s->inverse[k] = 1.0 / d;
        if (fabs(d) < 0x1p-100) {
            s->inverse[k] = d < 0.0 ? -0x1p100 : 0x1p100;
            if (from < low || from > high) {
                return false;
            }
            continue;
        }
        double a = (low - from) * s->inverse[k], b = (high - from) * s->inverse[k];
        double in = a < b ? a : b, out = a < b ? b : a;
        s->t0 = in > s->t0 ? in : s->t0;
        s->t1 = out < s->t1 ? out : s->t1;
    }
    return s->t0 <= s->t1;
}

bool sc_probe_ray_make(const sc_probe_tree *tree, const sc_probe_pose *pose,
                       const sc_segment *segment, sc_probe_ray *ray)
{
    double error_p, error_q;
    sc_vec3 p = sc_probe_to_frame(tree, pose, segment->p, &error_p);
    sc_vec3 q = sc_probe_to_frame(tree, pose, segment->q, &error_q);
    chord s = {.p = p, .way = sc_sub(q, p), .t0 = 0.0, .t1 = 1.0};
    double error = error_p + error_q + 0x1p-50 * (largest(p) + largest(q));

    if (!clip(tree, error, &s)) {
        return false;
    }
    double shorter = 1.0 / larger(s.t1 - s.t0, 0x1p-200);
    for (int k = 0; k < 3; k++) {
        double from = sc_component(p, k), d = sc_component(s.way, k);
        double steep = s.inverse[k] * shorter;
        ray->p[k] = (float)(s.t0 > 0.0 ? from + s.t0 * d : from);
        ray->q[k] = (float)(s.t1 < 1.0 ? from + s.t1 * d : sc_component(q, k));
        steep = steep < 0x1p60 ? steep : 0x1p60;
        ray->inverse[k] = (float)(steep > -0x1p60 ? steep : -0x1p60);
    }
    /* Floats of the ends, and of the way between them, are off by 2^-23 in 1.5. */
    error = 4.0 * error + 0x1p-22;
    ray->error = (float)(error < 1e18 ? error : 1e18);
    if (isinf(sc_orient_bounds.bound_3d)) {
        ray->error = 1e18f; /* tests: nothing is sure */
    }
    ray->t0 = s.t0;
    ray->t1 = s.t1;
    return true;
}

/* ---- boxes --------------------------------------------------------------------------- */

/* Three roundings on either side, doubled. */
#define ROUNDING (1.0f + 0x1p-20f)

/* Bit i: the ray may meet box i before the limit; near[i] is where it enters. */
static inline unsigned boxes_on_ray(const sc_probe_node *node, const sc_probe_walk *s,
                                    float near[SC_PROBE_WIDTH])
{
#if defined(__SSE2__)
    unsigned mask = 0;
    for (int half = 0; half < SC_PROBE_WIDTH; half += 4) {
        __m128 in = _mm_setzero_ps(), out = _mm_set1_ps(s->limit);
        for (int k = 0; k < 3; k++) {
            __m128 inverse = _mm_set1_ps(s->ray.inverse[k]);
            __m128 low = _mm_loadu_ps(&node->bounds[k][!s->far_side[k]][half]);
            __m128 high = _mm_loadu_ps(&node->bounds[k][s->far_side[k]][half]);
            low = _mm_mul_ps(_mm_sub_ps(low, _mm_set1_ps(s->near_at[k])), inverse);
            high = _mm_mul_ps(_mm_sub_ps(high, _mm_set1_ps(s->far_at[k])), inverse);
            in = _mm_max_ps(in, low);
            out = _mm_min_ps(out, high);
        }
        _mm_storeu_ps(&near[half], in);
        out = _mm_mul_ps(out, _mm_set1_ps(ROUNDING));
        mask |= (unsigned)_mm_movemask_ps(_mm_cmple_ps(in, out)) << half;
    }
    return mask;
#else
    unsigned mask = 0;
    for (int i = 0; i < SC_PROBE_WIDTH; i++) {
        float in = 0.0f, out = s->limit;
        for (int k = 0; k < 3; k++) {
            float low = (node->bounds[k][!s->far_side[k]][i] - s->near_at[k]) * s->ray.inverse[k];
            float high = (node->bounds[k][s->far_side[k]][i] - s->far_at[k]) * s->ray.inverse[k];
            in = low > in ? low : in;
            out = high < out ? high : out;
        }
        near[i] = in;
        mask |= (unsigned)(in <= out * ROUNDING) << i;
    }
    return mask;
#endif
}

/* ---- triangles ------------------------------------------------------------------------ */

/* Four floats, and what comparing them gives: -1 where it holds. gcc and clang do the
 * arithmetic of such types on any processor. */
typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));

static inline four load(const float *x)
{
    four v;
    memcpy(&v, x, sizeof v);
    return v;
}

static inline four all(float x)
{
    return (four){x, x, x, x};
}

static inline four choose(four_bits which, four yes, four no)
{
    return (four)((which & (four_bits)yes) | (~which & (four_bits)no));
}

static inline four absolute(four x)
{
    return (four)((four_bits)x & 0x7fffffff);
}

/* Bit i: lane i is -1. */
static inline unsigned bits_of(four_bits x)
{
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)x);
#else
    unsigned bits = 0;
    for (int i = 0; i < SC_PROBE_LANES; i++) {
        bits |= (unsigned)(x[i] & 1) << i;
    }
    return bits;
#endif
}

static inline four affine(const float row[4][SC_PROBE_LANES], const float x[3])
{
    return load(row[0]) * x[0] + load(row[1]) * x[1] + load(row[2]) * x[2] + load(row[3]);
}

/* Bounds. With e0 the error of a coordinate of the ray's ends, of which none is beyond 1.25:
 *
 * - A height is n . x + c with |n| = 1: off by sqrt 3 e0 for the ends, and for the rounding
 *   of entries, products and sums by at most 20 units of 2^-24. With e = e0 + 2^-20 that is
 *   less than 1.8 e. What is wrong with n itself, from coordinates rounded to 2^-52, tilts
 *   the plane about v0; a triangle so small that this tells is no longer sure, for:
 * - A coordinate in the triangle is off by slack e0, and by slack times 20 units of 2^-24
 *   for rounding: less than 1.3 slack e. Weighted by heights that sum up to w, and with
 *   the rounding of that, 1.7 slack e w; and as the weights are off by a height's error each,
 *   by that times the sum of both coordinates, and times slack e once more. The third is
 *   w less two of them.
 * - The parameter is a ratio of heights: off by a height's error over w. */
static inline void pass_bundle(const sc_probe_bundle *bundle, const sc_probe_ray *ray,
                               sc_probe_lanes *lanes)
{
    float e = ray->error + 0x1p-20f, height_error = 1.8f * e;
    four above = all(height_error), below = all(-height_error);

    four height_p = affine(bundle->map[2], ray->p), height_q = affine(bundle->map[2], ray->q);
    four_bits apart =
        ((height_p > above) & (height_q > above)) | ((height_p < below) & (height_q < below));
    lanes->sure = lanes->maybe = 0;
    if (bits_of(apart) == 15) {
        return;
    }
    /* Where the ray passes the plane, times a + b: an end weighs as the other's height. */
    four a = absolute(height_p), b = absolute(height_q), w = a + b;
    four u_p = affine(bundle->map[0], ray->p), u_q = affine(bundle->map[0], ray->q);
    four v_p = affine(bundle->map[1], ray->p), v_q = affine(bundle->map[1], ray->q);
    four u = u_q * a + u_p * b, v = v_q * a + v_p * b;
    four rest = w - u - v, least = choose(u < v, u, v);
    four u_size = absolute(u_p) + absolute(u_q), v_size = absolute(v_p) + absolute(v_q);
    four error = load(bundle->slack) * e * (1.7f * w + 4.0f * height_error) +
                 height_error * choose(u_size < v_size, v_size, u_size);
    four rest_error = 2.0f * error + 2.5f * height_error;
    four_bits misses = apart | (least < -error) | (rest < -rest_error);
    four_bits across =
        ((height_p > above) & (height_q < below)) | ((height_p < below) & (height_q > above));
    lanes->sure = bits_of(across & (least > error) & (rest > rest_error));
    lanes->maybe = ~(bits_of(misses) | lanes->sure) & 15;
    if (lanes->sure != 0) {
        four t = a / w, t_error = 2.0f * height_error / w + 0x1p-21f;
        memcpy(lanes->t, &t, sizeof t);
        memcpy(lanes->t_error, &t_error, sizeof t_error);
        memcpy(lanes->down, &height_p, sizeof height_p);
    }
}

/* ---- the walk ------------------------------------------------------------------------- */

/* Nothing left to visit; no node has so high a number. */
static const uint32_t none = UINT32_MAX;

/* What the next step looks at comes into the cache meanwhile. */
static inline void prefetch(const sc_probe_tree *tree, uint32_t child)
{
    const char *at = child & SC_PROBE_LEAF ? (const char *)&tree->bundles[child - SC_PROBE_LEAF]
                                           : (const char *)&tree->nodes[child];
    for (int i = 0; i < 4; i++) {
        __builtin_prefetch(at + 64 * i);
    }
}

/* The nearest of what is left, if it is not beyond the limit. */
static inline uint32_t pop(sc_probe_walk *walk)
{
    float limit = walk->limit * ROUNDING;
    while (walk->count > 0) {
        const sc_probe_entry *top = &walk->stack[--walk->count];
        if (top->near <= limit) {
            return top->child;
        }
    }
    return none;
}

/* The nearest of the marked children; the others go on the stack, the nearer on top. */
static inline uint32_t nearest_child(sc_probe_walk *walk, const sc_probe_node *node, unsigned mask,
                                     const float *near)
{
    int first = __builtin_ctz(mask), bottom = walk->count, count = bottom;
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        int i = __builtin_ctz(mask), other = i;
        if (near[i] < near[first]) {
            other = first;
            first = i;
        }
        int j = count++;
        for (; j > bottom && walk->stack[j - 1].near < near[other]; j--) {
            walk->stack[j] = walk->stack[j - 1];
        }
        walk->stack[j] = (sc_probe_entry){node->child[other], near[other]};
    }
    walk->count = count;
    return node->child[first];
}

void sc_probe_start(sc_probe_walk *walk, float limit)
{
    const sc_probe_ray *ray = &walk->ray;
    for (int k = 0; k < 3; k++) {
        bool up = ray->inverse[k] > 0.0f;
        walk->near_at[k] = up ? ray->p[k] + ray->error : ray->p[k] - ray->error;
        walk->far_at[k] = up ? ray->p[k] - ray->error : ray->p[k] + ray->error;
        walk->far_side[k] = up;
    }
    walk->limit = limit;
    walk->next = 0;
    walk->count = 0;
}

bool sc_probe_step(const sc_probe_tree *tree, sc_probe_walk *walk, sc_probe_visit *visit,
                   void *context)
{
    if (!(walk->next & SC_PROBE_LEAF)) {
        const sc_probe_node *node = &tree->nodes[walk->next];
        float near[SC_PROBE_WIDTH];
        unsigned mask = boxes_on_ray(node, walk, near);
        walk->next = mask != 0 ? nearest_child(walk, node, mask, near) : pop(walk);
    } else {
        const sc_probe_bundle *bundle = &tree->bundles[walk->next - SC_PROBE_LEAF];
        sc_probe_lanes lanes;
        pass_bundle(bundle, &walk->ray, &lanes);
        if ((lanes.sure | lanes.maybe) != 0) {
            walk->limit = visit(context, bundle, &lanes);
            if (walk->limit < 0.0f) {
                return false;
            }
        }
        walk->next = pop(walk);
    }
    if (walk->next == none) {
        return false;
    }
    prefetch(tree, walk->next);
    return true;
}

void sc_probe_walk_all(const sc_probe_tree *tree, sc_probe_walk *walk, sc_probe_visit *visit,
                       void *context)
{
    sc_probe_start(walk, 1.0f);
    while (sc_probe_step(tree, walk, visit, context)) {
    }
}
