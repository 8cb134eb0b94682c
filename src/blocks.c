/* blocks.c - see blocks.h. */
#include "blocks.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/pages.h"
#include "geom/orient.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- the pass over one block --------------------------------------------- */

typedef struct scan {
    sc_block_box box;
    bool finite;
    uint64_t doubtful; /* bit i: facet i may lack area, look again exactly */
} scan;

static const sc_block_box empty = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};

/* A component of e1 x e2 that exceeds this part of its two products is not 0: rounding accounts
 * for less than 2^-21 of them, and where they underflow for less than 2^-147 besides. */
#define AREA_FILTER 0x1p-20f
#define AREA_TINY 0x1p-126f

#if defined(__SSE2__)

static inline __m128 absolute(__m128 v)
{
    return _mm_andnot_ps(_mm_set1_ps(-0.0f), v);
}

static inline __m128 yzx(__m128 v)
{
    return _mm_shuffle_ps(v, v, _MM_SHUFFLE(3, 0, 2, 1));
}

/* The fourth lanes are ignored. */
static scan scan_block(const sc_facets *facets, uint32_t first, uint32_t count)
{
    const unsigned char *at = facets->first + (size_t)first * facets->stride;
    __m128 low = _mm_set1_ps(INFINITY), high = _mm_set1_ps(-INFINITY), nan = _mm_setzero_ps();
    const __m128 filter = _mm_set1_ps(AREA_FILTER), tiny = _mm_set1_ps(AREA_TINY);
    scan s = {.doubtful = 0};

    for (uint32_t i = 0; i < count; i++, at += facets->stride) {
        sc_facet_prefetch_behind(at);
        __m128 v[3];
        sc_facet_registers(at, v);
        const __m128 a = v[0], b = v[1], c = v[2];
        low = _mm_min_ps(low, _mm_min_ps(a, _mm_min_ps(b, c)));
        high = _mm_max_ps(high, _mm_max_ps(a, _mm_max_ps(b, c)));
        nan = _mm_or_ps(nan, _mm_or_ps(_mm_cmpunord_ps(a, b), _mm_cmpunord_ps(c, c)));

        __m128 e1 = _mm_sub_ps(b, a), e2 = _mm_sub_ps(c, a);
        __m128 left = _mm_mul_ps(e1, yzx(e2)), right = _mm_mul_ps(yzx(e1), e2);
        __m128 sum = _mm_add_ps(absolute(left), absolute(right));
        __m128 bound = _mm_add_ps(_mm_mul_ps(filter, sum), tiny);
        int area = _mm_movemask_ps(_mm_cmpgt_ps(absolute(_mm_sub_ps(left, right)), bound)) & 7;
        s.doubtful |= (uint64_t)(area == 0) << i;
    }
    float lows[4], highs[4];
    _mm_storeu_ps(lows, low);
    _mm_storeu_ps(highs, high);
    memcpy(s.box.low, lows, sizeof s.box.low);
    memcpy(s.box.high, highs, sizeof s.box.high);
    /* What is infinite is in the box; x - x is NaN exactly there. */
    nan = _mm_or_ps(nan, _mm_cmpunord_ps(_mm_sub_ps(low, low), _mm_sub_ps(high, high)));
    s.finite = _mm_movemask_ps(nan) == 0;
    return s;
}

#else

static scan scan_block(const sc_facets *facets, uint32_t first, uint32_t count)
{
    scan s = {empty, true, 0};

    for (uint32_t i = 0; i < count; i++) {
        float v[9], e1[3], e2[3];
        sc_facet_load(facets, first + i, v);
        for (int k = 0; k < 9; k++) {
            s.finite = s.finite && v[k] * 0.0f == 0.0f;
            s.box.low[k % 3] = v[k] < s.box.low[k % 3] ? v[k] : s.box.low[k % 3];
            s.box.high[k % 3] = v[k] > s.box.high[k % 3] ? v[k] : s.box.high[k % 3];
        }
        for (int k = 0; k < 3; k++) {
            e1[k] = v[3 + k] - v[k];
            e2[k] = v[6 + k] - v[k];
        }
        bool area = false;
        for (int k = 0; k < 3; k++) {
            float left = e1[k] * e2[(k + 1) % 3], right = e1[(k + 1) % 3] * e2[k];
            area |= fabsf(left - right) > AREA_FILTER * (fabsf(left) + fabsf(right)) + AREA_TINY;
        }
        s.doubtful |= (uint64_t)!area << i;
    }
    return s;
}

#endif

/* ---- the pass over a part ------------------------------------------------ */

static const sc_placement identity = {.is_identity = 1};

static stlclash_code nonfinite(const sc_facets *facets, uint32_t first, stlclash_error *error)
{
    for (uint32_t i = first;; i++) {
        float v[9];
        sc_facet_load(facets, i, v);
        for (int k = 0; k < 9; k++) {
            if (!isfinite(v[k])) {
                return sc_error(error, STLCLASH_E_NONFINITE,
                                "triangle %lu has a vertex coordinate that is %s", (unsigned long)i,
                                isnan(v[k]) ? "not a number" : "infinite");
            }
        }
    }
}

static void count_degenerate(sc_blocks *blocks, const sc_facets *facets, uint32_t first,
                             uint64_t doubtful)
{
    for (uint32_t i = first; doubtful != 0; i++, doubtful >>= 1) {
        sc_vec3 v[3];
        if ((doubtful & 1) == 0) {
            continue;
        }
        sc_triangle_vertices(facets, &identity, i, v);
        if (sc_projection_axis(v[0], v[1], v[2]) < 0 && blocks->degenerate++ == 0) {
            blocks->first_degenerate = i;
        }
    }
}

static void box_add(sc_block_box *to, const sc_block_box *box)
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = box->low[k] < to->low[k] ? box->low[k] : to->low[k];
        to->high[k] = box->high[k] > to->high[k] ? box->high[k] : to->high[k];
    }
}

static void make_groups(sc_blocks *blocks)
{
    sc_block_box all = empty;
    for (size_t g = 0; g < blocks->group_count; g++) {
        blocks->groups[g] = empty;
        for (size_t b = g * SC_GROUP; b < sc_group_end(blocks, g); b++) {
            box_add(&blocks->groups[g], &blocks->boxes[b]);
        }
        box_add(&all, &blocks->groups[g]);
    }
    if (blocks->count > 0) {
        blocks->bounds = sc_block_box_as_stored(&all);
    }
}

/* At some blocks: what is to be read until the next of them. */
static inline void expect_facets(const sc_facets *facets, size_t b)
{
    enum { BLOCKS = 4096 }; /* 3 MB of a binary file */
    if (b % BLOCKS == 0) {
        const size_t first = b * SC_BLOCK, left = facets->count - first;
        const size_t count = left < BLOCKS * SC_BLOCK ? left : BLOCKS * SC_BLOCK;
        sc_pages_expect(facets->first + first * facets->stride, count * facets->stride);
    }
}

stlclash_code sc_blocks_build(const sc_facets *facets, sc_blocks *blocks, stlclash_error *error)
{
    size_t count = ((size_t)facets->count + SC_BLOCK - 1) / SC_BLOCK;

    *blocks = (sc_blocks){.bounds = sc_box_empty()};
    blocks->boxes = sc_alloc(count, sizeof blocks->boxes[0]);
    blocks->group_count = (count + SC_GROUP - 1) / SC_GROUP;
    blocks->groups = sc_alloc(blocks->group_count, sizeof blocks->groups[0]);
    if (!blocks->boxes || !blocks->groups) {
        sc_blocks_free(blocks);
        return sc_error_memory(error);
    }
    blocks->count = count;
    for (size_t b = 0; b < count; b++) {
        expect_facets(facets, b);
        uint32_t first, n = sc_block_facets(facets, b, &first);
        scan s = scan_block(facets, first, n);
        if (!s.finite) {
            sc_blocks_free(blocks);
            return nonfinite(facets, first, error);
        }
        blocks->boxes[b] = s.box;
        if (s.doubtful != 0) {
            count_degenerate(blocks, facets, first, s.doubtful);
        }
    }
    make_groups(blocks);
    return STLCLASH_OK;
}

void sc_blocks_free(sc_blocks *blocks)
{
    sc_free(blocks->boxes);
    sc_free(blocks->groups);
    *blocks = (sc_blocks){.bounds = sc_box_empty()};
}

/* ---- placement ----------------------------------------------------------- */

sc_box sc_block_box_turned(const sc_block_box *box, const sc_placement *placement)
{
    sc_box placed;

    for (int i = 0; i < 3; i++) { /* centre and half extents, with room for rounding */
        const double *row = placement->m[i];
        double centre = row[3], half = 0.0, terms = fabs(row[3]);
        for (int k = 0; k < 3; k++) {
            double low = (double)box->low[k], high = (double)box->high[k];
            centre += row[k] * (0.5 * (low + high));
            half += fabs(row[k]) * (0.5 * (high - low));
            terms += fabs(row[k]) * sc_max(fabs(low), fabs(high));
        }
        half += terms * 0x1p-49 + placement->flush_below;
        placed.low[i] = centre - half;
        placed.high[i] = centre + half;
    }
    return placed;
}

static bool exceeds(const sc_box *box, const sc_box *bounds)
{
    return !sc_box_inside(box, bounds);
}

/* Adds the placed vertices of block b, if it may stick out. */
static void widen_by_block(const sc_blocks *blocks, const sc_facets *facets,
                           const sc_placement *placement, size_t b, sc_box *bounds)
{
    sc_box box = sc_blocks_placed_box(blocks, placement, b);
    if (!exceeds(&box, bounds)) {
        return;
    }
    uint32_t first, n = sc_block_facets(facets, b, &first);
    for (uint32_t f = first; f < first + n; f++) {
        sc_vec3 v[3];
        sc_triangle_vertices(facets, placement, f, v);
        for (int k = 0; k < 3; k++) {
            sc_box_add_point(bounds, v[k]);
        }
    }
}

static double reach_of(const sc_box *box, int direction)
{
    return direction < 3 ? -box->low[direction] : box->high[direction - 3];
}

/* The block that reaches farthest in one of the six directions, of those in the group that
 * does: a good start. */
static size_t far_block(const sc_blocks *blocks, const sc_placement *placement, int direction)
{
    size_t group = 0, block = 0;
    double farthest = -INFINITY;
    for (size_t g = 0; g < blocks->group_count; g++) {
        sc_box box = sc_blocks_placed_group(blocks, placement, g);
        if (reach_of(&box, direction) > farthest) {
            farthest = reach_of(&box, direction);
            group = g;
        }
    }
    farthest = -INFINITY;
    for (size_t b = group * SC_GROUP; b < sc_group_end(blocks, group); b++) {
        sc_box box = sc_blocks_placed_box(blocks, placement, b);
        if (reach_of(&box, direction) > farthest) {
            farthest = reach_of(&box, direction);
            block = b;
        }
    }
    return block;
}

sc_box sc_blocks_placed_bounds(const sc_blocks *blocks, const sc_facets *facets,
                               const sc_placement *placement)
{
    if (placement->is_identity) {
        return blocks->bounds;
    }
    sc_box bounds = sc_box_empty();
    for (int direction = 0; direction < 6 && blocks->count > 0; direction++) {
        widen_by_block(blocks, facets, placement, far_block(blocks, placement, direction), &bounds);
    }
    for (size_t g = 0; g < blocks->group_count; g++) { /* whatever still sticks out */
        sc_box box = sc_blocks_placed_group(blocks, placement, g);
        for (size_t b = g * SC_GROUP; exceeds(&box, &bounds) && b < sc_group_end(blocks, g); b++) {
            widen_by_block(blocks, facets, placement, b, &bounds);
        }
    }
    return bounds;
}
