/* divide.c - see divide.h. What is divided is small, so that 16 bits a coordinate tell enough,
 * and counting all keys below some value is a matter of a few wide instructions: the median is
 * found without moving anything, and each half moved once. */
#include "divide.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef struct item {
    int16_t at[3];
    uint16_t index;
} item;

static float steps_a_length(const float extent[3])
{
    float longest = extent[0] > extent[1] ? extent[0] : extent[1];
    longest = extent[2] > longest ? extent[2] : longest;
    return longest > 0x1p-100f ? 32767.0f / longest * (1.0f - 0x1p-20f) : 0.0f;
}

typedef struct range {
    int16_t low[8], high[8]; /* three */
} range;

/* Between which they lie. */
#if defined(__SSE2__)

static range range_of(const item *items, uint32_t count)
{
    const __m128i last = _mm_loadl_epi64((const __m128i *)(const void *)&items[count - 1]);
    __m128i least = _mm_unpacklo_epi64(last, last), most = least;
    for (uint32_t i = 0; i + 1 < count; i += 2) { /* with the index, which does not matter */
        __m128i two = _mm_loadu_si128((const __m128i *)(const void *)&items[i]);
        least = _mm_min_epi16(least, two);
        most = _mm_max_epi16(most, two);
    }
    range r;
    least = _mm_min_epi16(least, _mm_unpackhi_epi64(least, least));
    most = _mm_max_epi16(most, _mm_unpackhi_epi64(most, most));
    _mm_storeu_si128((__m128i *)(void *)r.low, least);
    _mm_storeu_si128((__m128i *)(void *)r.high, most);
    return r;
}

#else

static range range_of(const item *items, uint32_t count)
{
    range r;
    for (int k = 0; k < 3; k++) {
        r.low[k] = r.high[k] = items[0].at[k];
    }
    for (uint32_t i = 1; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            int16_t at = items[i].at[k];
            r.low[k] = at < r.low[k] ? at : r.low[k];
            r.high[k] = at > r.high[k] ? at : r.high[k];
        }
    }
    return r;
}

#endif

static uint32_t number_below(const int16_t *key, uint32_t count, int limit)
{
    const int16_t below = (int16_t)limit;
    int16_t number = 0;
    for (uint32_t i = 0; i < count; i++) {
        number = (int16_t)(number + (key[i] < below));
    }
    return (uint32_t)number;
}

/* The value below which `rank` of the keys lie, and in *equal how many of those at it make up
 * for what is missing. The keys are from low to high. */
static int value_at(const int16_t *key, uint32_t count, uint32_t rank, int low, int high,
                    uint32_t *equal)
{
    uint32_t below = 0, up_to = count;
    high++;
    for (bool even = true; high - low > 1 && below < rank; even = !even) {
        /* Where it would be if they lay evenly, and in the middle, in turn. */
        int step =
            even ? (high - low) * (int)(rank - below) / (int)(up_to - below) : (high - low) / 2;
        int middle = step < 1 ? low + 1 : step < high - low ? low + step : high - 1;
        uint32_t number = number_below(key, count, middle);
        if (number <= rank) {
            low = middle;
            below = number;
        } else {
            high = middle;
            up_to = number;
        }
    }
    *equal = rank - below;
    return low;
}

/* Puts the `rank` least along an axis first; of those that are equal, the first ones. */
static void part(item *items, uint32_t count, uint32_t rank, int axis, int low, int high)
{
    int16_t key[SC_DIVIDE_MAX];
    item others[SC_DIVIDE_MAX];
    uint32_t first = 0, equal;

    for (uint32_t i = 0; i < count; i++) {
        key[i] = items[i].at[axis];
    }
    const int value = value_at(key, count, rank, low, high, &equal);
    for (uint32_t i = 0; equal > 0; i++) {
        if (key[i] == value) {
            key[i]--;
            equal--;
        }
    }
    for (uint32_t i = 0; i < count; i++) { /* either way the same is done, but for a step */
        uint64_t whole;
        memcpy(&whole, &items[i], sizeof whole);
        memcpy(&items[first], &whole, sizeof whole);
        memcpy(&others[i - first], &whole, sizeof whole);
        first += key[i] < value;
    }
    memcpy(items + rank, others, (count - rank) * sizeof *items);
}

static void divide(item *items, uint32_t count, uint32_t size)
{
    while (count > size) {
        uint32_t groups = (count + size - 1) / size, half = (groups + 1) / 2 * size;
        const range r = range_of(items, count);
        int axis = r.high[1] - r.low[1] > r.high[0] - r.low[0];
        axis = r.high[2] - r.low[2] > r.high[axis] - r.low[axis] ? 2 : axis;

        part(items, count, half, axis, r.low[axis], r.high[axis]);
        divide(items, half, size);
        items += half;
        count -= half;
    }
}

/* 2^15 steps along the longest side of all, from the lowest corner. */
#if defined(__SSE2__)

static void make_items(const float (*centre)[4], uint32_t count, item *items)
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

static void make_items(const float (*centre)[4], uint32_t count, item *items)
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
    item items[SC_DIVIDE_MAX];
    if (count > size) {
        make_items(centre, count, items);
        divide(items, count, size);
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = count > size ? items[i].index : i;
    }
}
