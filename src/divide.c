/* divide.c - see divide.h. */
#include "divide.h"

#include "octets.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

static float steps_a_length(const float extent[3])
{
    float longest = extent[0] > extent[1] ? extent[0] : extent[1];
    longest = extent[2] > longest ? extent[2] : longest;
    return longest > 0x1p-100f ? 32767.0f / longest * (1.0f - 0x1p-20f) : 0.0f;
}

static void divide(sc_divided *items, uint32_t count, uint32_t size)
{
    while (count > size) {
        uint32_t groups = (count + size - 1) / size, half = (groups + 1) / 2 * size;
        sc_octets()->halve(items, count, half);
        divide(items, half, size);
        items += half;
        count -= half;
    }
}

/* 2^15 steps along the longest side of all, from the lowest corner. */
#if defined(__SSE2__)

static void make_items(const float (*centre)[4], uint32_t count, sc_divided *items)
{
    __m128 low = _mm_loadu_ps(centre[0]), high = low;
    for (uint32_t i = 1; i < count; i++) {
        __m128 at = _mm_loadu_ps(centre[i]);
        low = _mm_min_ps(low, at);
        high = _mm_max_ps(high, at);
    }
    float extent[4];
    _mm_storeu_ps(extent, _mm_sub_ps(high, low));
    const __m128 scale = _mm_set1_ps(steps_a_length(extent));
    for (uint32_t i = 0; i < count; i++) {
        __m128 at = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(centre[i]), low), scale);
        __m128i steps = _mm_cvttps_epi32(at);
        steps = _mm_insert_epi16(_mm_packs_epi32(steps, steps), (int)i, 3);
        _mm_storel_epi64((__m128i *)(void *)&items[i], steps);
    }
}

#else

static void make_items(const float (*centre)[4], uint32_t count, sc_divided *items)
{
    float low[3], extent[3];
    for (int k = 0; k < 3; k++) {
        float high = low[k] = centre[0][k];
        for (uint32_t i = 1; i < count; i++) {
            low[k] = centre[i][k] < low[k] ? centre[i][k] : low[k];
            high = centre[i][k] > high ? centre[i][k] : high;
        }
        extent[k] = high - low[k];
    }
    const float scale = steps_a_length(extent);
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            items[i].at[k] = (int16_t)((centre[i][k] - low[k]) * scale);
        }
        items[i].index = (uint16_t)i;
    }
}

#endif

void sc_divide(const float (*centre)[4], uint32_t *order, uint32_t count, uint32_t size)
{
    sc_divided items[SC_DIVIDE_MAX + SC_DIVIDED_ROOM];
    if (count > size) {
        make_items(centre, count, items);
        divide(items, count, size);
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = count > size ? items[i].index : i;
    }
}
