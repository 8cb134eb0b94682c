/* frame.h - the frame of floats in which octrees are built and walked: boxes rounded
 * outwards, and facets, by themselves and side by side. */
#ifndef SC_FRAME_H
#define SC_FRAME_H

#include "blocks.h"
#include "fbox.h"
#include "geom/box.h"
#include "triangles.h"

/* The frame of all float boxes of one check: (x - origin) * scale lies within
 * -1 .. 1 for both parts. scale is a power of two; with origin 0 no box is wider
 * for it. */
typedef struct sc_frame {
    double origin[3], scale;
    double pad; /* relative error of x - origin: 0 or 2^-52 */
} sc_frame;

/* The frame for two boxes that are not empty. */
sc_frame sc_frame_make(const sc_box *a, const sc_box *b);

/* A point in the frame, to the nearest floats. */
static inline void sc_frame_point(const sc_frame *frame, sc_vec3 p, float at[3])
{
    for (int k = 0; k < 3; k++) {
        at[k] = (float)((sc_component(p, k) - frame->origin[k]) * frame->scale);
    }
}

/* A box in the frame, outwards. */
void sc_frame_box(const sc_frame *frame, const sc_box *box, float low[3], float high[3]);

/* The square of a distance in the frame, never too small: what boxes are apart, as floats, whose
 * contents are that near. Boxes are rounded outwards and floats tell their distance to less than
 * 2^-20 of it; `error`, in the frame, is what the distance itself, and what is asked about, may be
 * off. Of a distance of 0 that is exact, such as that of surfaces which meet, the limit is 0: boxes
 * of what has a point in common meet. Never infinite, as the distance may be, and that of an empty
 * box is: nothing is near that. */
static inline float sc_frame_limit(const sc_frame *frame, double distance, double error)
{
    const double within = distance * frame->scale * (1.0 + 0x1p-18) + error;
    const double farther_than_all = 1e30;
    return (float)sc_min(within * within * (1.0 + 0x1p-18), farther_than_all);
}

/* Whether coordinates as stored need no more than a factor, a power of two, to be in the
 * frame: exactly, but for what underflows. */
static inline bool sc_frame_is_scaling(const sc_frame *frame, const sc_placement *placement)
{
    return placement->is_identity && frame->pad == 0.0 && frame->scale < 0x1p127 &&
           frame->scale > 0x1p-126;
}

/* A box in the frame, outwards. */
static inline sc_fbox sc_frame_fbox(const sc_frame *frame, const sc_box *box)
{
    sc_fbox out = sc_fbox_empty();
    sc_frame_box(frame, box, out.low, out.high);
    return out;
}

/* Below this, floats lose bits; in the frame it is nothing. */
#define SC_FRAME_TINY 0x1p-126f

/* The box of a block of the file; for a frame and placement that do more than scale. */
sc_fbox sc_frame_placed_block(const sc_frame *frame, const sc_placement *placement,
                              const sc_block_box *box);

/* The box of a block of the file. */
static inline sc_fbox sc_frame_block(const sc_frame *frame, const sc_placement *placement,
                                     const sc_block_box *box)
{
    if (!sc_frame_is_scaling(frame, placement)) {
        return sc_frame_placed_block(frame, placement, box);
    }
    sc_fbox out = sc_fbox_empty();
    for (int k = 0; k < 3; k++) {
        out.low[k] = box->low[k] * (float)frame->scale - SC_FRAME_TINY;
        out.high[k] = box->high[k] * (float)frame->scale + SC_FRAME_TINY;
    }
    return out;
}

/* ---- facets: every pass over many of them spends its time here -------------- */

/* A facet: its vertices, each coordinate within 2^-24 of where it is, and its box:
 * outwards at the cost of up to two units in the last place where the coordinates are not
 * floats already; as stored (no placement, no origin) it is exact. */
typedef struct sc_ffacet {
    float v[3][4];
    sc_fbox box;
} sc_ffacet;

/* The vertices, for a frame and placement that do more than scale. */
void sc_frame_placed_vertices(const sc_frame *frame, const sc_facets *facets,
                              const sc_placement *placement, uint32_t facet, float v[3][4]);

#if defined(__SSE2__)

static inline void sc_frame_scaled_vertices(const sc_facets *facets, uint32_t facet, float scale,
                                            float v[3][4])
{
    const __m128 factor = _mm_set1_ps(scale);
    __m128 stored[3];
    sc_facet_registers(facets->first + (size_t)facet * facets->stride, stored);
    for (int k = 0; k < 3; k++) {
        _mm_storeu_ps(v[k], _mm_mul_ps(stored[k], factor));
    }
}

/* The box of three vertices that are off by no more than the factor `widen`. */
static inline sc_fbox sc_frame_box_of(const float v[3][4], float widen)
{
    const __m128 a = _mm_loadu_ps(v[0]), b = _mm_loadu_ps(v[1]), c = _mm_loadu_ps(v[2]);
    const __m128 factor = _mm_set1_ps(widen), tiny = _mm_set1_ps(SC_FRAME_TINY);
    const __m128 sign = _mm_set1_ps(-0.0f);
    __m128 low = _mm_min_ps(_mm_min_ps(a, b), c), high = _mm_max_ps(_mm_max_ps(a, b), c);
    __m128 below = _mm_add_ps(_mm_mul_ps(_mm_andnot_ps(sign, low), factor), tiny);
    __m128 above = _mm_add_ps(_mm_mul_ps(_mm_andnot_ps(sign, high), factor), tiny);
    sc_fbox box;
    _mm_storeu_ps(box.low, _mm_sub_ps(low, below));
    _mm_storeu_ps(box.high, _mm_add_ps(high, above));
    return box;
}

#else

static inline void sc_frame_scaled_vertices(const sc_facets *facets, uint32_t facet, float scale,
                                            float v[3][4])
{
    float xyz[9];
    sc_facet_load(facets, facet, xyz);
    for (int k = 0; k < 9; k++) {
        v[k / 3][k % 3] = xyz[k] * scale;
    }
    v[0][3] = v[1][3] = v[2][3] = 0.0f;
}

static inline sc_fbox sc_frame_box_of(const float v[3][4], float widen)
{
    sc_fbox box;
    for (int k = 0; k < 4; k++) {
        float a = v[0][k], b = v[1][k], c = v[2][k];
        float low = a < b ? a : b, high = a > b ? a : b;
        low = low < c ? low : c;
        high = high > c ? high : c;
        box.low[k] = low - (fabsf(low) * widen + SC_FRAME_TINY);
        box.high[k] = high + (fabsf(high) * widen + SC_FRAME_TINY);
    }
    return box;
}

#endif

/* How far a vertex in the frame is off where it should be, at most: by less than floats can
 * tell where nothing is rounded. */
static inline float sc_frame_vertex_error(const sc_frame *frame, const sc_placement *placement)
{
    return sc_frame_is_scaling(frame, placement) ? 0x1p-120f : 0x1p-23f;
}

/* By what part of itself a coordinate in the frame is off where it should be, at most. */
static inline float sc_frame_widen(const sc_frame *frame, const sc_placement *placement)
{
    return sc_frame_is_scaling(frame, placement) ? 0.0f : 0x1p-23f;
}

/* The way of a part's facets into the frame, and what of it is the same for all of them: told once
 * before a loop, not for each. */
typedef struct sc_way_in {
    const sc_frame *frame;
    const sc_facets *facets;
    const sc_placement *placement;
    float factor; /* which is all that it takes; or 0 */
    float widen;
} sc_way_in;

static inline sc_way_in sc_frame_way_in(const sc_frame *frame, const sc_facets *facets,
                                        const sc_placement *placement)
{
    const float factor = sc_frame_is_scaling(frame, placement) ? (float)frame->scale : 0.0f;
    return (sc_way_in){frame, facets, placement, factor, sc_frame_widen(frame, placement)};
}

/* The vertices of a facet alone. */
static inline void sc_frame_vertices(const sc_way_in *way, uint32_t facet, float v[3][4])
{
    if (way->factor > 0.0f) {
        sc_frame_scaled_vertices(way->facets, facet, way->factor, v);
    } else {
        sc_frame_placed_vertices(way->frame, way->facets, way->placement, facet, v);
    }
}

static inline void sc_frame_facet(const sc_way_in *way, uint32_t facet, sc_ffacet *out)
{
    sc_frame_vertices(way, facet, out->v);
    out->box = sc_frame_box_of((const float(*)[4])out->v, way->widen);
}

/* Of 1 to 64 facets from `first` on, those that may meet a box: bit i, facet first + i. Tells
 * most others at a fraction of what it costs to put them into the frame. */
uint64_t sc_frame_facets_about(const sc_frame *frame, const sc_facets *facets,
                               const sc_placement *placement, uint32_t first, uint32_t count,
                               const sc_fbox *box);

/* ---- facets side by side ------------------------------------------------------ */

/* Of eight facets, each coordinate of each vertex together. */
typedef struct sc_side_by_side {
    float v[3][3][8]; /* [vertex][axis][facet] */
} sc_side_by_side;

#if defined(__SSE2__)

static inline void sc_put_side_by_side(const float (*const facet[8])[4], sc_side_by_side *out)
{
    for (int i = 0; i < 3; i++) {
        for (int h = 0; h < 8; h += 4) {
            __m128 a = _mm_loadu_ps(facet[h][i]), b = _mm_loadu_ps(facet[h + 1][i]);
            __m128 c = _mm_loadu_ps(facet[h + 2][i]), d = _mm_loadu_ps(facet[h + 3][i]);
            _MM_TRANSPOSE4_PS(a, b, c, d);
            _mm_storeu_ps(&out->v[i][0][h], a);
            _mm_storeu_ps(&out->v[i][1][h], b);
            _mm_storeu_ps(&out->v[i][2][h], c);
        }
    }
}

#else

static inline void sc_put_side_by_side(const float (*const facet[8])[4], sc_side_by_side *out)
{
    for (int n = 0; n < 72; n++) {
        out->v[n / 24][n / 8 % 3][n % 8] = facet[n % 8][n / 24][n / 8 % 3];
    }
}

#endif

#endif
