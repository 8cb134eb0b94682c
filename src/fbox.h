/* fbox.h - boxes of floats, as octrees have them: three coordinates and a fourth lane that
 * does not matter, so that either end is one register. */
#ifndef SC_FBOX_H
#define SC_FBOX_H

#include <math.h>
#include <stdbool.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef struct sc_fbox {
    float low[4], high[4];
} sc_fbox;

static inline sc_fbox sc_fbox_empty(void)
{
    return (sc_fbox){{INFINITY, INFINITY, INFINITY, INFINITY},
                     {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
}

/* As a whole: a register that is loaded from what was stored by its parts waits for them. */
#if defined(__SSE2__)

static inline sc_fbox sc_fbox_of(float x, float y, float z, float to_x, float to_y, float to_z)
{
    sc_fbox box;
    _mm_storeu_ps(box.low, _mm_setr_ps(x, y, z, 0.0f));
    _mm_storeu_ps(box.high, _mm_setr_ps(to_x, to_y, to_z, 0.0f));
    return box;
}

static inline void sc_fbox_add(sc_fbox *to, const sc_fbox *box)
{
    _mm_storeu_ps(to->low, _mm_min_ps(_mm_loadu_ps(box->low), _mm_loadu_ps(to->low)));
    _mm_storeu_ps(to->high, _mm_max_ps(_mm_loadu_ps(box->high), _mm_loadu_ps(to->high)));
}

/* Adds the ends: what both are long together. */
static inline void sc_fbox_sum(sc_fbox *to, const sc_fbox *box)
{
    _mm_storeu_ps(to->low, _mm_add_ps(_mm_loadu_ps(box->low), _mm_loadu_ps(to->low)));
    _mm_storeu_ps(to->high, _mm_add_ps(_mm_loadu_ps(box->high), _mm_loadu_ps(to->high)));
}

static inline sc_fbox sc_fbox_around(const float v[3][4])
{
    const __m128 a = _mm_loadu_ps(v[0]), b = _mm_loadu_ps(v[1]), c = _mm_loadu_ps(v[2]);
    sc_fbox box;
    _mm_storeu_ps(box.low, _mm_min_ps(_mm_min_ps(a, b), c));
    _mm_storeu_ps(box.high, _mm_max_ps(_mm_max_ps(a, b), c));
    return box;
}

static inline void sc_fbox_grow(sc_fbox *box, float by)
{
    const __m128 margin = _mm_set1_ps(by);
    _mm_storeu_ps(box->low, _mm_sub_ps(_mm_loadu_ps(box->low), margin));
    _mm_storeu_ps(box->high, _mm_add_ps(_mm_loadu_ps(box->high), margin));
}

static inline void sc_fbox_twice_the_centre(const sc_fbox *box, float centre[4])
{
    _mm_storeu_ps(centre, _mm_add_ps(_mm_loadu_ps(box->low), _mm_loadu_ps(box->high)));
}

static inline void sc_fbox_centre(const sc_fbox *box, float centre[4])
{
    const __m128 twice = _mm_add_ps(_mm_loadu_ps(box->low), _mm_loadu_ps(box->high));
    _mm_storeu_ps(centre, _mm_mul_ps(_mm_set1_ps(0.5f), twice));
}

static inline bool sc_fbox_meet(const sc_fbox *a, const sc_fbox *b)
{
    __m128 below = _mm_cmple_ps(_mm_loadu_ps(a->low), _mm_loadu_ps(b->high));
    __m128 above = _mm_cmpge_ps(_mm_loadu_ps(a->high), _mm_loadu_ps(b->low));
    return (_mm_movemask_ps(_mm_and_ps(below, above)) & 7) == 7;
}

#else

static inline sc_fbox sc_fbox_of(float x, float y, float z, float to_x, float to_y, float to_z)
{
    return (sc_fbox){{x, y, z, 0.0f}, {to_x, to_y, to_z, 0.0f}};
}

static inline void sc_fbox_add(sc_fbox *to, const sc_fbox *box)
{
    for (int k = 0; k < 4; k++) {
        to->low[k] = box->low[k] < to->low[k] ? box->low[k] : to->low[k];
        to->high[k] = box->high[k] > to->high[k] ? box->high[k] : to->high[k];
    }
}

static inline void sc_fbox_sum(sc_fbox *to, const sc_fbox *box)
{
    for (int k = 0; k < 4; k++) {
        to->low[k] += box->low[k];
        to->high[k] += box->high[k];
    }
}

static inline sc_fbox sc_fbox_around(const float v[3][4])
{
    sc_fbox box;
    for (int k = 0; k < 4; k++) {
        float low = v[0][k] < v[1][k] ? v[0][k] : v[1][k];
        float high = v[0][k] > v[1][k] ? v[0][k] : v[1][k];
        box.low[k] = low < v[2][k] ? low : v[2][k];
        box.high[k] = high > v[2][k] ? high : v[2][k];
    }
    return box;
}

static inline void sc_fbox_grow(sc_fbox *box, float by)
{
    for (int k = 0; k < 4; k++) {
        box->low[k] -= by;
        box->high[k] += by;
    }
}

static inline void sc_fbox_twice_the_centre(const sc_fbox *box, float centre[4])
{
    for (int k = 0; k < 4; k++) {
        centre[k] = box->low[k] + box->high[k];
    }
}

static inline void sc_fbox_centre(const sc_fbox *box, float centre[4])
{
    for (int k = 0; k < 4; k++) {
        centre[k] = 0.5f * (box->low[k] + box->high[k]);
    }
}

static inline bool sc_fbox_meet(const sc_fbox *a, const sc_fbox *b)
{
    for (int k = 0; k < 3; k++) {
        if (!(a->low[k] <= b->high[k] && a->high[k] >= b->low[k])) {
            return false;
        }
    }
    return true;
}

#endif

/* The sum of its sides. */
static inline float sc_fbox_size(const sc_fbox *b)
{
    return (b->high[0] - b->low[0]) + (b->high[1] - b->low[1]) + (b->high[2] - b->low[2]);
}

static inline double sc_fbox_diagonal_squared(const sc_fbox *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double extent = (double)b->high[k] - (double)b->low[k];
        sum += extent * extent;
    }
    return sum;
}

#endif
