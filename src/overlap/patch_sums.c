/* patch_sums.c - see patch_sums.h. Two facets at a time, each in its half of the registers, and the
 * sums of either half added up in the end: the same bits on every processor. */
#include "patch_sums.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* ---- two doubles at a time -------------------------------------------------- */

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_bits __attribute__((vector_size(16)));

static inline two magnitude(two a)
{
    return (two)((two_bits)a & (two_bits){INT64_MAX, INT64_MAX});
}

#if defined(__SSE2__)
static inline two smaller(two a, two b)
{
    return (two)_mm_min_pd((__m128d)a, (__m128d)b);
}

static inline two larger(two a, two b)
{
    return (two)_mm_max_pd((__m128d)a, (__m128d)b);
}

static inline two square_root(two a)
{
    return (two)_mm_sqrt_pd((__m128d)a);
}
#else
static inline two smaller(two a, two b)
{
    return (two){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}

static inline two larger(two a, two b)
{
    return (two){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}

static inline two square_root(two a)
{
    return (two){sqrt(a[0]), sqrt(a[1])};
}
#endif

typedef struct vectors {
    two x, y, z;
} vectors;

static inline vectors difference(vectors a, vectors b)
{
    return (vectors){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline vectors sum(vectors a, vectors b)
{
    return (vectors){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vectors scaled(vectors a, two by)
{
    return (vectors){a.x * by, a.y * by, a.z * by};
}

static inline two dot(vectors a, vectors b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vectors magnitudes(vectors a)
{
    return (vectors){magnitude(a.x), magnitude(a.y), magnitude(a.z)};
}

static inline vectors vertices(sc_vec3 a, sc_vec3 b)
{
    return (vectors){{a.x, b.x}, {a.y, b.y}, {a.z, b.z}};
}

/* That of both halves. */
static sc_vec3 total(vectors a)
{
    return (sc_vec3){a.x[0] + a.x[1], a.y[0] + a.y[1], a.z[0] + a.z[1]};
}

/* ---- sums --------------------------------------------------------------------- */

typedef struct sums {
    two value, lost, magnitude; /* of the volume, as in sc_sum */
    vectors low, high;
    vectors moment, area;
    two area_terms;
} sums;

static inline void add_to_box(sums *s, vectors v)
{
    s->low = (vectors){smaller(v.x, s->low.x), smaller(v.y, s->low.y), smaller(v.z, s->low.z)};
    s->high = (vectors){larger(v.x, s->high.x), larger(v.y, s->high.y), larger(v.z, s->high.z)};
}

static inline void add_to_volume(sums *s, two term)
{
    const two all = s->value + term, part = all - s->value; /* as sc_sum_add */
    s->lost += (s->value - (all - part)) + (term - part);
    s->value = all;
}

/* What a facet has of volume is the determinant of the way to its first vertex, from the origin,
 * and of two edges. */
static inline void add_facets(sums *s, sc_vec3 v[2][3], vectors origin, bool with_area)
{
    const vectors a = vertices(v[0][0], v[1][0]), b = vertices(v[0][1], v[1][1]),
                  c = vertices(v[0][2], v[1][2]);
    const vectors from = difference(a, origin), e1 = difference(b, a), e2 = difference(c, a);
    const vectors plus = {e1.y * e2.z, e1.z * e2.x, e1.x * e2.y},
                  minus = {e1.z * e2.y, e1.x * e2.z, e1.y * e2.x};
    const vectors twice_area = difference(plus, minus);
    const vectors size = sum(magnitudes(plus), magnitudes(minus));
    const two volume6 = dot(from, twice_area), three = {3.0, 3.0};

    add_to_box(s, a);
    add_to_box(s, b);
    add_to_box(s, c);
    add_to_volume(s, volume6);
    s->magnitude += dot(magnitudes(from), size);
    s->moment = sum(s->moment, scaled(sum(scaled(from, three), sum(e1, e2)), volume6));
    if (with_area) {
        s->area = sum(s->area, twice_area);
        s->area_terms += square_root(dot(twice_area, twice_area));
    }
}

static sc_run_sums both_halves(const sums *s)
{
    sc_account account[2];
    for (int i = 0; i < 2; i++) {
        account[i] = (sc_account){
            {s->value[i], s->lost[i], s->magnitude[i]},
            {{s->low.x[i], s->low.y[i], s->low.z[i]}, {s->high.x[i], s->high.y[i], s->high.z[i]}}};
    }
    sc_account_join(&account[0], &account[1]);
    return (sc_run_sums){account[0], total(s->moment), total(s->area),
                         s->area_terms[0] + s->area_terms[1]};
}

sc_run_sums sc_run_sums_of(const sc_solid *own, const uint32_t *facets, size_t count,
                           sc_vec3 origin, bool with_area)
{
    enum { AHEAD = 16 };
    const two above = {INFINITY, INFINITY};
    const vectors from = vertices(origin, origin);
    sums s = {.low = {above, above, above}, .high = {-above, -above, -above}};

    for (size_t i = 0; i < count; i += 2) {
        sc_vec3 v[2][3];
        for (size_t k = 0; k < 2; k++) {
            sc_solid_expect(own, facets[i + k + AHEAD < count ? i + k + AHEAD : i]);
        }
        sc_solid_facet(own, facets[i], v[0]);
        if (i + 1 < count) {
            sc_solid_facet(own, facets[i + 1], v[1]);
        } else {
            v[1][0] = v[1][1] = v[1][2] = v[0][0]; /* adds nothing */
        }
        add_facets(&s, v, from, with_area);
    }
    return both_halves(&s);
}
