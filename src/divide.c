/* divide.c - see divide.h. */
#include "divide.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* A float as an integer of the same order. */
static uint32_t ordered(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static void exchange(uint64_t *a, uint64_t *b)
{
    uint64_t former = *a;
    *a = *b;
    *b = former;
}

/* Of three keys that all differ, the place of the middle one. */
static uint32_t middle(const uint64_t *key, uint32_t a, uint32_t b, uint32_t c)
{
    if ((key[a] < key[b]) == (key[b] < key[c])) {
        return b;
    }
    return (key[a] < key[b]) == (key[a] < key[c]) ? c : a;
}

/* Puts the `rank` least keys, which all differ, first (Hoare 1961). Whether a key is less
 * than the pivot nobody can predict: either way the same is done, but for a step. */
static void select_least(uint64_t *key, uint32_t count, uint32_t rank)
{
    while (rank > 0 && rank < count) {
        uint32_t last = count - 1, less = 0;
        exchange(&key[middle(key, 0, count / 2, last)], &key[last]);
        uint64_t pivot = key[last];
        for (uint32_t i = 0; i < last; i++) {
            uint64_t k = key[i];
            key[i] = key[less];
            key[less] = k;
            less += k < pivot;
        }
        if (less >= rank) {
            count = less;
        } else { /* the pivot behind those that are less, and on with the others */
            exchange(&key[less], &key[last]);
            less++;
            key += less;
            rank -= less;
            count -= less;
        }
    }
}

/* Between which the centres lie. */
#if defined(__SSE2__)
static void range_of(const float (*centre)[4], const uint32_t *order, uint32_t count, float low[4],
                     float high[4])
{
    __m128 least = _mm_loadu_ps(centre[order[0]]), most = least;
    for (uint32_t i = 1; i < count; i++) {
        __m128 c = _mm_loadu_ps(centre[order[i]]);
        least = _mm_min_ps(c, least);
        most = _mm_max_ps(c, most);
    }
    _mm_storeu_ps(low, least);
    _mm_storeu_ps(high, most);
}
#else
static void range_of(const float (*centre)[4], const uint32_t *order, uint32_t count, float low[4],
                     float high[4])
{
    for (int k = 0; k < 4; k++) {
        low[k] = high[k] = centre[order[0]][k];
    }
    for (uint32_t i = 1; i < count; i++) {
        const float *c = centre[order[i]];
        for (int k = 0; k < 4; k++) {
            low[k] = c[k] < low[k] ? c[k] : low[k];
            high[k] = c[k] > high[k] ? c[k] : high[k];
        }
    }
}
#endif

static int longest_side(const float (*centre)[4], const uint32_t *order, uint32_t count)
{
    float low[4], high[4];
    range_of(centre, order, count, low, high);
    int axis = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

void sc_divide(const float (*centre)[4], uint32_t *order, uint32_t count, uint32_t size)
{
    while (count > size) {
        uint64_t key[SC_DIVIDE_MAX];
        uint32_t groups = (count + size - 1) / size, half = (groups + 1) / 2 * size;
        int axis = longest_side(centre, order, count);

        for (uint32_t i = 0; i < count; i++) {
            key[i] = (uint64_t)ordered(centre[order[i]][axis]) << 32 | order[i];
        }
        select_least(key, count, half);
        for (uint32_t i = 0; i < count; i++) {
            order[i] = (uint32_t)key[i];
        }
        sc_divide(centre, order, half, size);
        order += half;
        count -= half;
    }
}
