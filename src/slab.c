/* slab.c - see slab.h. */
#include "slab.h"

#include "octets.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

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

/* Directions need not be the best ones: one eight in so many tells them well enough. */
static size_t stride_of(size_t eights)
{
    return (eights + 1) / 2;
}

/* The sum of the cross products of some facets, and the mean of the squares of their longest
 * edges. */
static void add_normals(const sc_side_by_side *facets, size_t eights, float normal[3],
                        float *longest_sq)
{
    float looked_at = 0.0f;
    normal[0] = normal[1] = normal[2] = *longest_sq = 0.0f;
    for (size_t n = 0; n < eights; n += stride_of(eights), looked_at += 8.0f) {
        float sum[4];
        sc_octets()->normals(&facets[n], sum);
        for (int k = 0; k < 3; k++) {
            normal[k] += sum[k];
        }
        *longest_sq += sum[3];
    }
    *longest_sq /= looked_at;
}

/* The sum of the longest edges of the same facets, each turned to agree with those before. */
static void add_longest_edges(const sc_side_by_side *facets, size_t eights, float sum[3])
{
    sum[0] = sum[1] = sum[2] = 0.0f;
    for (size_t n = 0; n < eights; n += stride_of(eights)) {
        for (int i = 0; i < 8; i++) {
            float most = -1.0f, x = 0.0f, y = 0.0f, z = 0.0f;
            for (int e = 0; e < 3; e++) {
                const float(*from)[8] = facets[n].v[e], (*to)[8] = facets[n].v[(e + 1) % 3];
                float edge[3] = {to[0][i] - from[0][i], to[1][i] - from[1][i],
                                 to[2][i] - from[2][i]};
                float sq = edge[0] * edge[0] + edge[1] * edge[1] + edge[2] * edge[2];
                if (sq > most) {
                    most = sq;
                    x = edge[0];
                    y = edge[1];
                    z = edge[2];
                }
            }
            float turn = sum[0] * x + sum[1] * y + sum[2] * z < 0.0f ? -1.0f : 1.0f;
            sum[0] += turn * x;
            sum[1] += turn * y;
            sum[2] += turn * z;
        }
    }
}

static float tube_radius(const sc_side_by_side *facets, size_t eights, const float c[3],
                         const float d[3])
{
    float farthest = 0.0f;
    for (size_t at = 0; at < eights; at++) {
        for (int v = 0; v < 3; v++) {
            for (int i = 0; i < 8; i++) {
                const sc_side_by_side *f = &facets[at];
                float x = f->v[v][0][i] - c[0], y = f->v[v][1][i] - c[1], z = f->v[v][2][i] - c[2];
                float p = y * d[2] - z * d[1], q = z * d[0] - x * d[2], r = x * d[1] - y * d[0];
                float sq = p * p + q * q + r * r;
                farthest = sq > farthest ? sq : farthest;
            }
        }
    }
    return (float)sqrt((double)farthest) * (1.0f + 0x1p-20f) + SLAB_MARGIN;
}

bool sc_slab_make(const sc_side_by_side *facets, size_t eights, const sc_fbox *box, sc_slab *slab,
                  sc_tube *tube)
{
    float normal[3], edge[3], longest_sq;
    double diagonal = 0.0;

    sc_fbox_centre(box, tube->centre);
    add_normals(facets, eights, normal, &longest_sq);
    unit_vector(normal, 1.0f - 0x1p-20f, slab->normal);
    for (int k = 0; k < 3; k++) {
        double extent = (double)box->high[k] - (double)box->low[k];
        diagonal += extent * extent;
    }
    slab->radius = (float)(0.5 * sqrt(diagonal)) + SLAB_MARGIN;
    sc_octets()->extent(facets, eights, slab->normal, &slab->low, &slab->high);
    slab->low -= SLAB_MARGIN;
    slab->high += SLAB_MARGIN;
    slab->tube = slab->count = slab->number = slab->cluster = slab->ordered = 0;
    if (!((double)longest_sq > 0.25 * diagonal)) {
        return false; /* a patch: no direction is special */
    }
    add_longest_edges(facets, eights, edge);
    unit_vector(edge, 1.0f, tube->along);
    tube->radius = tube_radius(facets, eights, tube->centre, tube->along);
    return tube->radius < slab->radius;
}

/* ---- two slabs ------------------------------------------------------------- */

/* Whether the planes of either keep the other farther off than the limit. A point of b lies off
 * its centre by something between b's planes along b's normal and by no more than its radius
 * across, of which the sine of the angle between the normals counts. */
#if defined(__SSE2__)

/* Both ways side by side: in the first lane what a does with b, in the second what b does with a.
 * Fourth lanes of normals are other fields, and do not matter. */
static bool planes_separate(const sc_slab *a, const float at_a[4], const sc_slab *b,
                            const float at_b[4], float limit)
{
    const __m128 normal_a = _mm_loadu_ps(a->normal), normal_b = _mm_loadu_ps(b->normal);
    const __m128 centre_a = _mm_loadu_ps(at_a), centre_b = _mm_loadu_ps(at_b);
    __m128 x = _mm_mul_ps(normal_a, centre_b), y = _mm_mul_ps(normal_b, centre_a);
    __m128 z = _mm_mul_ps(normal_b, centre_b), w = _mm_mul_ps(normal_a, centre_a);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    const __m128 middle = _mm_add_ps(_mm_add_ps(x, y), z), own = _mm_movehl_ps(middle, middle);

    const __m128 product = _mm_mul_ps(normal_a, normal_b);
    __m128 cosine = _mm_add_ss(product, _mm_shuffle_ps(product, product, 1));
    cosine = _mm_add_ss(cosine, _mm_movehl_ps(product, product));
    __m128 sine = _mm_sub_ss(_mm_set_ss(1.0f), _mm_mul_ss(cosine, cosine));
    sine = _mm_sqrt_ss(_mm_max_ss(sine, _mm_setzero_ps())); /* as far as normals are short of 1 */
    cosine = _mm_shuffle_ps(cosine, cosine, 0);
    sine = _mm_shuffle_ps(sine, sine, 0);

    const __m128 low = _mm_setr_ps(b->low, a->low, 0.0f, 0.0f);
    const __m128 high = _mm_setr_ps(b->high, a->high, 0.0f, 0.0f);
    const __m128 radius = _mm_setr_ps(b->radius, a->radius, 0.0f, 0.0f);
    const __m128 one = _mm_mul_ps(cosine, _mm_sub_ps(low, own));
    const __m128 two = _mm_mul_ps(cosine, _mm_sub_ps(high, own));
    const __m128 across = _mm_mul_ps(sine, radius);
    const __m128 least = _mm_sub_ps(_mm_add_ps(middle, _mm_min_ps(one, two)), across);
    const __m128 most = _mm_add_ps(_mm_add_ps(middle, _mm_max_ps(one, two)), across);
    const __m128 above = _mm_sub_ps(least, _mm_shuffle_ps(high, high, 1));
    const __m128 below = _mm_sub_ps(_mm_shuffle_ps(low, low, 1), most);
    const __m128 gap = _mm_sub_ps(_mm_max_ps(above, below), _mm_set1_ps(0x1p-18f));
    const __m128 apart = _mm_and_ps(_mm_cmpgt_ps(gap, _mm_setzero_ps()),
                                    _mm_cmpgt_ps(_mm_mul_ps(gap, gap), _mm_set1_ps(limit)));
    return (_mm_movemask_ps(apart) & 3) != 0;
}

#else

static float dot(const float a[3], const float b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool planes_of(const sc_slab *a, const sc_slab *b, const float at_b[4], float cosine,
                      float sine, float limit)
{
    float middle = dot(a->normal, at_b), own = dot(b->normal, at_b);
    float across = sine * b->radius;
    float one = cosine * (b->low - own), two = cosine * (b->high - own);
    float low = middle + (one < two ? one : two) - across;
    float high = middle + (one < two ? two : one) + across;
    float gap = (low - a->high > a->low - high ? low - a->high : a->low - high) - 0x1p-18f;
    return gap > 0.0f && gap * gap > limit;
}

static bool planes_separate(const sc_slab *a, const float at_a[4], const sc_slab *b,
                            const float at_b[4], float limit)
{
    float cosine = dot(a->normal, b->normal);
    float sine_sq = 1.0f - cosine * cosine; /* as far as normals are short of 1 */
    float sine = sqrtf(sine_sq > 0.0f ? sine_sq : 0.0f);
    return planes_of(a, b, at_b, cosine, sine, limit) || planes_of(b, a, at_a, cosine, sine, limit);
}

#endif

/* Whether the tubes pass each other farther off than the limit, along the direction at a
 * right angle to both: long thin facets lie crosswise in boxes that all meet. */
static bool tubes_pass(const sc_slab *a, const sc_slab *b, float limit)
{
    const sc_tube *tube_a = sc_slab_tube(a), *tube_b = sc_slab_tube(b);
    const float *d = tube_a->along, *e = tube_b->along;
    float across[3] = {d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2],
                       d[0] * e[1] - d[1] * e[0]};
    float apart = 0.0f, length_sq = 0.0f;
    for (int k = 0; k < 3; k++) {
        apart += across[k] * (tube_b->centre[k] - tube_a->centre[k]);
        length_sq += across[k] * across[k];
    }
    float gap = fabsf(apart) - (tube_a->radius + tube_b->radius) * sqrtf(length_sq) - 0x1p-18f;
    return gap > 0.0f && gap * gap > limit * length_sq;
}

bool sc_slabs_pass(const sc_slab *a, const sc_slab *b, float limit)
{
    return a->tube != 0 && b->tube != 0 && tubes_pass(a, b, limit);
}

bool sc_slabs_apart(const sc_slab *a, const float centre_a[4], const sc_slab *b,
                    const float centre_b[4], float limit)
{
    return sc_slabs_pass(a, b, limit) || planes_separate(a, centre_a, b, centre_b, limit);
}
