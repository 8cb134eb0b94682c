/* health_volume.h - the signed volume of closed surfaces, as a double and as a sign. */
#ifndef SC_HEALTH_VOLUME_H
#define SC_HEALTH_VOLUME_H

#include "geom/twofold.h"
#include "geom/vec3.h"

#include <stdint.h>

/* ---- the value --------------------------------------------------------------- */

/* Six times the volume, of facets relative to an origin near them: a sum with the
 * error that each addition made (Neumaier; here without a branch). */
typedef struct sc_volume_sum {
    double sum, error;
} sc_volume_sum;

static inline void sc_volume_add(sc_volume_sum *v, const float xyz[9], const double origin[3])
{
    double p[9];
    for (int k = 0; k < 9; k++) {
        p[k] = (double)xyz[k] - origin[k % 3];
    }
    double det = p[0] * (p[4] * p[8] - p[5] * p[7]) + p[1] * (p[5] * p[6] - p[3] * p[8]) +
                 p[2] * (p[3] * p[7] - p[4] * p[6]);
    const sc_pair sum = sc_two_sum(v->sum, det);
    v->sum = sum.high;
    v->error += sum.low;
}

/* The sum's sign, or 2 if rounding leaves it open. All points lie within `reach` of the origin,
 * along each axis: a determinant errs by 28 * 2^-53 of reach^3 at most where the differences are
 * exact, else by 46; the rest of 64 is for the sum. */
static inline int sc_volume_sign(const sc_volume_sum *v, double facets, double reach)
{
    double sixfold = v->sum + v->error, bound = facets * 0x1p-47 * reach * reach * reach;
    return sixfold > bound ? 1 : sixfold < -bound ? -1 : 2;
}

/* ---- the sign, exactly ------------------------------------------------------- */

/* A fixed-point number that no sum of products of three floats outgrows. */
enum { SC_VOLUME_WORDS = 16 };
typedef struct sc_volume_exact {
    uint64_t word[SC_VOLUME_WORDS]; /* two's complement, lowest first; unit 2^-447 */
} sc_volume_exact;

void sc_volume_exact_add(sc_volume_exact *v, const float xyz[9]);
int sc_volume_exact_sign(const sc_volume_exact *v);

#endif
