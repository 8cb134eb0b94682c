/* frame.c - see frame.h. */
#include "frame.h"

/* ---- doubles to floats, outwards ----------------------------------------- */

sc_frame sc_frame_make(const sc_box *a, const sc_box *b)
{
    sc_frame frame = {.scale = 1.0};
    sc_box both = *a;
    int exponent;

    sc_box_add_box(&both, b);
    double reach = sc_box_reach(&both), extent = sc_box_extent(&both);
    if (reach > 4.0 * extent) { /* far out: floats from the middle are finer */
        for (int k = 0; k < 3; k++) {
            frame.origin[k] = 0.5 * (both.low[k] + both.high[k]);
        }
        frame.pad = 0x1p-52;
        reach = extent;
    }
    frexp(reach, &exponent); /* reach < 2^exponent */
    frame.scale = reach > 0.0 ? ldexp(1.0, -exponent) : 1.0;
    return frame;
}

/* x in the frame, as a double. */
static inline double to_frame(const sc_frame *frame, double x, int axis)
{
    return (x - frame->origin[axis]) * frame->scale;
}

static inline float float_below(double x)
{
    float f[1];
    f[0] = (float)x; /* through memory: gcc 12 may drop the rounding otherwise */
    return (double)f[0] > x ? nextafterf(f[0], -INFINITY) : f[0];
}

static inline float frame_low(const sc_frame *frame, double x, int axis)
{
    x = to_frame(frame, x, axis);
    return float_below(x - fabs(x) * frame->pad);
}

static inline float frame_high(const sc_frame *frame, double x, int axis)
{
    x = to_frame(frame, x, axis);
    return -float_below(-x - fabs(x) * frame->pad);
}

void sc_frame_box(const sc_frame *frame, const sc_box *box, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = frame_low(frame, box->low[k], k);
        high[k] = frame_high(frame, box->high[k], k);
    }
}

/* ---- blocks and facets, placed -------------------------------------------- */

sc_fbox sc_frame_placed_block(const sc_frame *frame, const sc_placement *placement,
                              const sc_block_box *box)
{
    sc_fbox out = sc_fbox_empty();
    sc_box placed = sc_block_placed(box, placement);
    sc_frame_box(frame, &placed, out.low, out.high);
    return out;
}

void sc_frame_placed_vertices(const sc_frame *frame, const sc_facets *facets,
                              const sc_placement *placement, uint32_t facet, float v[3][4])
{
    sc_vec3 placed[3];
    sc_triangle_vertices(facets, placement, facet, placed);
    for (int i = 0; i < 3; i++) {
        v[i][0] = (float)to_frame(frame, placed[i].x, 0);
        v[i][1] = (float)to_frame(frame, placed[i].y, 1);
        v[i][2] = (float)to_frame(frame, placed[i].z, 2);
        v[i][3] = 0.0f;
    }
}

/* ---- slabs --------------------------------------------------------------- */

/* Everything is within -1 .. 1 here, so one absolute margin covers the floats of both
 * a slab and the tests against it. */
#define SLAB_MARGIN 0x1p-19f

static void unit_vector(const float v[3], float shrink, float unit[3])
{
    double length = sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                         (double)v[2] * (double)v[2]);
    for (int k = 0; k < 3; k++) {
        unit[k] = length > 0.0 ? (float)((double)v[k] / length) * shrink : 0.0f;
    }
}

/* Directions need not be the best ones: a few facets tell them well enough. */
static size_t stride_of(size_t count)
{
    return (count + 3) / 4;
}

/* What a few facets have in common. */
typedef struct directions {
    float normal[4]; /* the sum of their cross products */
    float edge[4];   /* that of their longest edges, each turned to agree with those before */
    float edge_sq;   /* the mean of the squares of those */
} directions;

#if defined(__SSE2__)

static inline __m128 splat(__m128 v, int lane)
{
    switch (lane) {
    case 0: return _mm_shuffle_ps(v, v, _MM_SHUFFLE(0, 0, 0, 0));
    case 1: return _mm_shuffle_ps(v, v, _MM_SHUFFLE(1, 1, 1, 1));
    default: return _mm_shuffle_ps(v, v, _MM_SHUFFLE(2, 2, 2, 2));
    }
}

static inline __m128 choose(__m128 mask, __m128 yes, __m128 no)
{
    return _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
}

static inline __m128 cross(__m128 a, __m128 b)
{
    const __m128 a_yzx = _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 0, 2, 1));
    const __m128 b_yzx = _mm_shuffle_ps(b, b, _MM_SHUFFLE(3, 0, 2, 1));
    const __m128 a_zxy = _mm_shuffle_ps(a, a, _MM_SHUFFLE(3, 1, 0, 2));
    const __m128 b_zxy = _mm_shuffle_ps(b, b, _MM_SHUFFLE(3, 1, 0, 2));
    return _mm_sub_ps(_mm_mul_ps(a_yzx, b_zxy), _mm_mul_ps(b_yzx, a_zxy));
}

/* Lanes 0 to 2 of three vectors, each summed up: to lanes 0, 1 and 2. */
static inline __m128 sums_of(__m128 a, __m128 b, __m128 c)
{
    __m128 d = _mm_setzero_ps();
    _MM_TRANSPOSE4_PS(a, b, c, d);
    return _mm_add_ps(_mm_add_ps(a, b), c);
}

static inline directions directions_of(const sc_ffacet *const *f, size_t count)
{
    __m128 normals = _mm_setzero_ps(), edges = normals, squares = normals;
    size_t looked_at = 0;
    for (size_t i = 0; i < count; i += stride_of(count), looked_at++) {
        const __m128 a = _mm_loadu_ps(f[i]->v[0]), b = _mm_loadu_ps(f[i]->v[1]);
        const __m128 c = _mm_loadu_ps(f[i]->v[2]);
        const __m128 ab = _mm_sub_ps(b, a), bc = _mm_sub_ps(c, b), ca = _mm_sub_ps(a, c);
        normals = _mm_add_ps(normals, cross(ab, _mm_sub_ps(c, a)));
        __m128 sq = sums_of(_mm_mul_ps(ab, ab), _mm_mul_ps(bc, bc), _mm_mul_ps(ca, ca));
        __m128 second = _mm_cmpgt_ps(splat(sq, 1), splat(sq, 0));
        __m128 most = _mm_max_ps(splat(sq, 0), splat(sq, 1));
        __m128 third = _mm_cmpgt_ps(splat(sq, 2), most);
        __m128 longest = choose(third, ca, choose(second, bc, ab));
        __m128 agreeing = _mm_mul_ps(edges, longest);
        agreeing =
            _mm_add_ps(_mm_add_ps(splat(agreeing, 0), splat(agreeing, 1)), splat(agreeing, 2));
        __m128 turn = _mm_and_ps(_mm_cmplt_ps(agreeing, _mm_setzero_ps()), _mm_set1_ps(-0.0f));
        edges = _mm_add_ps(edges, _mm_xor_ps(longest, turn));
        squares = _mm_add_ps(squares, _mm_max_ps(most, splat(sq, 2)));
    }
    directions d;
    _mm_storeu_ps(d.normal, normals);
    _mm_storeu_ps(d.edge, edges);
    d.edge_sq = _mm_cvtss_f32(squares) / (float)looked_at;
    return d;
}

/* Between which two values all vertices lie along a direction. */
static inline void extent_along(const sc_ffacet *const *f, size_t count, const float n[3],
                                float *low, float *high)
{
    const __m128 nx = _mm_set1_ps(n[0]), ny = _mm_set1_ps(n[1]), nz = _mm_set1_ps(n[2]);
    __m128 least = _mm_set1_ps(INFINITY), most = _mm_set1_ps(-INFINITY);
    for (size_t i = 0; i < count; i++) {
        __m128 a = _mm_loadu_ps(f[i]->v[0]), b = _mm_loadu_ps(f[i]->v[1]);
        __m128 c = _mm_loadu_ps(f[i]->v[2]), again = c;
        _MM_TRANSPOSE4_PS(a, b, c, again);
        __m128 at = _mm_add_ps(_mm_add_ps(_mm_mul_ps(nx, a), _mm_mul_ps(ny, b)), _mm_mul_ps(nz, c));
        least = _mm_min_ps(at, least);
        most = _mm_max_ps(at, most);
    }
    *low = _mm_cvtss_f32(_mm_min_ps(_mm_min_ps(splat(least, 0), splat(least, 1)), splat(least, 2)));
    *high = _mm_cvtss_f32(_mm_max_ps(_mm_max_ps(splat(most, 0), splat(most, 1)), splat(most, 2)));
}

#else

static directions directions_of(const sc_ffacet *const *f, size_t count)
{
    directions d = {.edge_sq = 0.0f};
    float looked_at = 0.0f;
    for (size_t i = 0; i < count; i += stride_of(count)) {
        float e1[3], e2[3], longest[3] = {0.0f, 0.0f, 0.0f}, most = -1.0f, agreement = 0.0f;
        for (int k = 0; k < 3; k++) {
            e1[k] = f[i]->v[1][k] - f[i]->v[0][k];
            e2[k] = f[i]->v[2][k] - f[i]->v[0][k];
        }
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            d.normal[k] += e1[m] * e2[n] - e1[n] * e2[m];
        }
        for (int e = 0; e < 3; e++) {
            const float *from = f[i]->v[e], *to = f[i]->v[(e + 1) % 3];
            float x = to[0] - from[0], y = to[1] - from[1], z = to[2] - from[2];
            float sq = x * x + y * y + z * z;
            if (sq > most) {
                most = sq;
                longest[0] = x;
                longest[1] = y;
                longest[2] = z;
            }
        }
        for (int k = 0; k < 3; k++) {
            agreement += d.edge[k] * longest[k];
        }
        for (int k = 0; k < 3; k++) {
            d.edge[k] += agreement < 0.0f ? -longest[k] : longest[k];
        }
        d.edge_sq += most;
        looked_at += 1.0f;
    }
    d.edge_sq /= looked_at;
    return d;
}

static void extent_along(const sc_ffacet *const *f, size_t count, const float n[3], float *low,
                         float *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const float *v = f[i]->v[k];
            float at = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
            *low = at < *low ? at : *low;
            *high = at > *high ? at : *high;
        }
    }
}

#endif

static float tube_radius(const sc_ffacet *const *f, size_t count, const sc_slab *slab)
{
    const float *d = slab->along, *c = slab->centre;
    float farthest = 0.0f;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const float *v = f[i]->v[k];
            float x = v[0] - c[0], y = v[1] - c[1], z = v[2] - c[2];
            float p = y * d[2] - z * d[1], q = z * d[0] - x * d[2], r = x * d[1] - y * d[0];
            float sq = p * p + q * q + r * r;
            farthest = sq > farthest ? sq : farthest;
        }
    }
    return (float)sqrt((double)farthest) * (1.0f + 0x1p-20f) + SLAB_MARGIN;
}

void sc_slab_make(const sc_ffacet *const *facets, size_t count, const sc_fbox *box, sc_slab *slab)
{
    const directions d = directions_of(facets, count);
    double diagonal = 0.0;

    unit_vector(d.normal, 1.0f - 0x1p-20f, slab->normal);
    for (int k = 0; k < 3; k++) {
        double extent = (double)box->high[k] - (double)box->low[k];
        slab->centre[k] = 0.5f * (box->low[k] + box->high[k]);
        diagonal += extent * extent;
    }
    slab->radius = (float)(0.5 * sqrt(diagonal)) + SLAB_MARGIN;
    extent_along(facets, count, slab->normal, &slab->low, &slab->high);
    slab->low -= SLAB_MARGIN;
    slab->high += SLAB_MARGIN;
    if ((double)d.edge_sq > 0.25 * diagonal) {
        unit_vector(d.edge, 1.0f, slab->along);
        slab->tube = tube_radius(facets, count, slab);
    } else { /* a patch: no direction is special */
        slab->along[0] = slab->along[1] = slab->along[2] = 0.0f;
        slab->tube = slab->radius;
    }
}
