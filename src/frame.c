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

/* No call of nextafterf, and no jump: half of all numbers are rounded up. */
static inline float float_below(double x)
{
    float f[1];
    uint32_t bits;
    f[0] = (float)x; /* through memory: gcc 12 may drop the rounding otherwise */
    memcpy(&bits, f, sizeof bits);
    const uint32_t above = (double)f[0] > x;
    bits = f[0] > 0.0f ? bits - above : bits + above; /* 0 rounded up is -0 */
    memcpy(f, &bits, sizeof bits);
    return f[0];
}

/* No more than x is; what is infinite stays so. */
static inline float frame_below(const sc_frame *frame, double x)
{
    return float_below(isfinite(x) ? x - fabs(x) * frame->pad : x);
}

static inline float frame_low(const sc_frame *frame, double x, int axis)
{
    return frame_below(frame, to_frame(frame, x, axis));
}

static inline float frame_high(const sc_frame *frame, double x, int axis)
{
    return -frame_below(frame, -to_frame(frame, x, axis));
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

#if defined(__SSE2__)

/* As sc_frame_point has it; the fourth is 0. */
static inline void vertex_to_frame(const sc_frame *frame, const sc_vec3 *p, float v[4])
{
    const __m128d scale = _mm_set1_pd(frame->scale);
    const __m128d xy = _mm_sub_pd(_mm_loadu_pd(&p->x), _mm_loadu_pd(frame->origin));
    const __m128d z = _mm_sub_sd(_mm_load_sd(&p->z), _mm_load_sd(&frame->origin[2]));
    const __m128 xy_in = _mm_cvtpd_ps(_mm_mul_pd(xy, scale));
    _mm_storeu_ps(v, _mm_movelh_ps(xy_in, _mm_cvtpd_ps(_mm_mul_sd(z, scale))));
}

#else

static inline void vertex_to_frame(const sc_frame *frame, const sc_vec3 *p, float v[4])
{
    sc_frame_point(frame, *p, v);
    v[3] = 0.0f;
}

#endif

void sc_frame_placed_vertices(const sc_frame *frame, const sc_facets *facets,
                              const sc_placement *placement, uint32_t facet, float v[3][4])
{
    sc_vec3 placed[3];
    sc_triangle_vertices(facets, placement, facet, placed);
    for (int i = 0; i < 3; i++) {
        vertex_to_frame(frame, &placed[i], v[i]);
    }
}

/* ---- facets about a box ----------------------------------------------------- */

static uint64_t all_of(uint32_t count)
{
    return UINT64_MAX >> (64 - count);
}

#if defined(__SSE2__)

/* The box in coordinates as stored, with room for what was rounded. */
static sc_fbox as_stored(const sc_frame *frame, const sc_fbox *box)
{
    const float per_unit = (float)(1.0 / frame->scale);
    sc_fbox stored = sc_fbox_empty();
    for (int k = 0; k < 3; k++) {
        float low = box->low[k] * per_unit, high = box->high[k] * per_unit;
        stored.low[k] = low - fabsf(low) * 0x1p-20f - SC_FRAME_TINY;
        stored.high[k] = high + fabsf(high) * 0x1p-20f + SC_FRAME_TINY;
    }
    return stored;
}

uint64_t sc_frame_facets_about(const sc_frame *frame, const sc_facets *facets,
                               const sc_placement *placement, uint32_t first, uint32_t count,
                               const sc_fbox *box)
{
    if (!sc_frame_is_scaling(frame, placement)) {
        return all_of(count);
    }
    const sc_fbox stored = as_stored(frame, box);
    const __m128 low = _mm_loadu_ps(stored.low), high = _mm_loadu_ps(stored.high);
    const unsigned char *at = facets->first + (size_t)first * facets->stride;
    uint64_t about = 0;

    for (uint32_t i = 0; i < count; i++, at += facets->stride) {
        sc_facet_prefetch_behind(at);
        __m128 v[3];
        sc_facet_registers(at, v);
        __m128 in = _mm_and_ps(_mm_cmple_ps(_mm_min_ps(_mm_min_ps(v[0], v[1]), v[2]), high),
                               _mm_cmpge_ps(_mm_max_ps(_mm_max_ps(v[0], v[1]), v[2]), low));
        about |= (uint64_t)((_mm_movemask_ps(in) & 7) == 7) << i;
    }
    return about;
}

#else

uint64_t sc_frame_facets_about(const sc_frame *frame, const sc_facets *facets,
                               const sc_placement *placement, uint32_t first, uint32_t count,
                               const sc_fbox *box)
{
    (void)frame, (void)facets, (void)placement, (void)first, (void)box;
    return all_of(count);
}

#endif
