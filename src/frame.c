/* frame.c - see frame.h. */
#include "frame.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* ---- facets -------------------------------------------------------------- */

/* Below this, floats lose bits; in the frame it is nothing. */
#define TINY 0x1p-126f

bool sc_frame_is_scaling(const sc_frame *frame, const sc_placement *placement)
{
    return placement->is_identity && frame->pad == 0.0 && frame->scale < 0x1p127 &&
           frame->scale > 0x1p-126;
}

sc_fbox sc_frame_block(const sc_frame *frame, const sc_placement *placement,
                       const sc_block_box *box)
{
    sc_fbox out = sc_fbox_empty();
    if (sc_frame_is_scaling(frame, placement)) {
        for (int k = 0; k < 3; k++) {
            out.low[k] = box->low[k] * (float)frame->scale - TINY;
            out.high[k] = box->high[k] * (float)frame->scale + TINY;
        }
    } else {
        sc_box placed = sc_block_placed(box, placement);
        sc_frame_box(frame, &placed, out.low, out.high);
    }
    return out;
}

#if defined(__SSE2__)

/* Four at a time, none from beyond the facet: of the last load, one too many in front. */
static void load_scaled(const sc_facets *facets, uint32_t facet, float scale, float v[3][4])
{
    const unsigned char *at = facets->first + (size_t)facet * facets->stride;
    const __m128 factor = _mm_set1_ps(scale);
    __m128 last = _mm_loadu_ps((const float *)(const void *)(at + 20));
    last = _mm_shuffle_ps(last, last, _MM_SHUFFLE(0, 3, 2, 1));
    _mm_storeu_ps(v[0], _mm_mul_ps(_mm_loadu_ps((const float *)(const void *)at), factor));
    _mm_storeu_ps(v[1], _mm_mul_ps(_mm_loadu_ps((const float *)(const void *)(at + 12)), factor));
    _mm_storeu_ps(v[2], _mm_mul_ps(last, factor));
}

#else

static void load_scaled(const sc_facets *facets, uint32_t facet, float scale, float v[3][4])
{
    float xyz[9];
    sc_facet_load(facets, facet, xyz);
    for (int k = 0; k < 9; k++) {
        v[k / 3][k % 3] = xyz[k] * scale;
    }
    v[0][3] = v[1][3] = v[2][3] = 0.0f;
}

#endif

void sc_frame_vertices(const sc_frame *frame, const sc_facets *facets,
                       const sc_placement *placement, uint32_t facet, float v[3][4])
{
    if (sc_frame_is_scaling(frame, placement)) {
        load_scaled(facets, facet, (float)frame->scale, v);
        return;
    }
    sc_vec3 placed[3];
    sc_triangle_vertices(facets, placement, facet, placed);
    for (int i = 0; i < 3; i++) {
        v[i][0] = (float)to_frame(frame, placed[i].x, 0);
        v[i][1] = (float)to_frame(frame, placed[i].y, 1);
        v[i][2] = (float)to_frame(frame, placed[i].z, 2);
        v[i][3] = 0.0f;
    }
}

/* Outwards at the cost of up to two units in the last place where the coordinates are
 * not floats already; as stored (no placement, no origin) the box is exact. */
void sc_frame_facet(const sc_frame *frame, const sc_facets *facets, const sc_placement *placement,
                    uint32_t facet, sc_ffacet *out)
{
    const float widen = sc_frame_is_scaling(frame, placement) ? 0.0f : 0x1p-23f;

    sc_frame_vertices(frame, facets, placement, facet, out->v);
    for (int k = 0; k < 4; k++) {
        float a = out->v[0][k], b = out->v[1][k], c = out->v[2][k];
        float low = a < b ? a : b, high = a > b ? a : b;
        low = low < c ? low : c;
        high = high > c ? high : c;
        out->box.low[k] = low - (fabsf(low) * widen + TINY);
        out->box.high[k] = high + (fabsf(high) * widen + TINY);
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
    return (count + 7) / 8;
}

static void mean_normal(const sc_ffacet *const *f, size_t count, float normal[3])
{
    float sum[3] = {0.0f, 0.0f, 0.0f};

    for (size_t i = 0; i < count; i += stride_of(count)) {
        float e1[3], e2[3];
        for (int k = 0; k < 3; k++) {
            e1[k] = f[i]->v[1][k] - f[i]->v[0][k];
            e2[k] = f[i]->v[2][k] - f[i]->v[0][k];
        }
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            sum[k] += e1[m] * e2[n] - e1[n] * e2[m];
        }
    }
    unit_vector(sum, 1.0f - 0x1p-20f, normal);
}

/* The sum of the facets' longest edges, each turned to agree with those before. Returns
 * their mean length squared. */
static float longest_edges(const sc_ffacet *const *f, size_t count, float sum[3])
{
    float squares = 0.0f, looked_at = 0.0f;
    for (size_t i = 0; i < count; i += stride_of(count)) {
        float longest[3] = {0.0f, 0.0f, 0.0f}, most = -1.0f, agreement = 0.0f;
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
            agreement += sum[k] * longest[k];
        }
        for (int k = 0; k < 3; k++) {
            sum[k] += agreement < 0.0f ? -longest[k] : longest[k];
        }
        squares += most;
        looked_at += 1.0f;
    }
    return squares / looked_at;
}

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
    float low = INFINITY, high = -INFINITY, edges[3] = {0.0f, 0.0f, 0.0f};
    double diagonal = 0.0;

    mean_normal(facets, count, slab->normal);
    for (int k = 0; k < 3; k++) {
        double extent = (double)box->high[k] - (double)box->low[k];
        slab->centre[k] = 0.5f * (box->low[k] + box->high[k]);
        diagonal += extent * extent;
    }
    slab->radius = (float)(0.5 * sqrt(diagonal)) + SLAB_MARGIN;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            const float *v = facets[i]->v[k], *n = slab->normal;
            float at = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
    }
    slab->low = low - SLAB_MARGIN;
    slab->high = high + SLAB_MARGIN;
    if ((double)longest_edges(facets, count, edges) > 0.25 * diagonal) {
        unit_vector(edges, 1.0f, slab->along);
        slab->tube = tube_radius(facets, count, slab);
    } else { /* a patch: no direction is special */
        slab->along[0] = slab->along[1] = slab->along[2] = 0.0f;
        slab->tube = slab->radius;
    }
}
