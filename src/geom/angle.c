/* angle.c - see angle.h: Taylor series about the nearest of a few angles whose values are known to
 * more digits than a double has. */
#include "angle.h"

#include "twofold.h"

#include <math.h>
#include <stddef.h>

/* factor[0] + factor[1] x + factor[2] x^2 + ... */
static double series(const double *factor, size_t count, double x)
{
    double sum = 0.0;
    while (count > 0) {
        sum = sum * x + factor[--count];
    }
    return sum;
}

/* ---- sine and cosine ------------------------------------------------------- */

/* The angle less the nearest multiple of a right angle, and which multiple, modulo 4. The first two
 * parts of a right angle have 33 bits each, so that small multiples of them are exact, and so is
 * what is left of the angle by the first (Cody and Waite, 1980). */
static sc_pair from_nearest_axis(double angle, unsigned *axis)
{
    static const double right[3] = {0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};
    static const double whole = 0x1.8p+52; /* added to a double, rounds it to a whole number */
    const double times = (angle / right[0] + whole) - whole;
    const sc_pair left = sc_two_sum(angle - times * right[0], -times * right[1]);

    *axis = (unsigned)(int)times & 3;
    return sc_fast_two_sum(left.high, left.low - times * right[2]);
}

/* Of at most an eighth of a turn, as those below. */
static double sine_of(sc_pair r)
{
    static const double factor[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000};
    const double sq = r.high * r.high;
    const double sum = series(factor, sizeof factor / sizeof factor[0], sq);
    return r.high + (r.high * sq * sum + r.low * (1.0 - 0.5 * sq));
}

static double cosine_of(sc_pair r)
{
    static const double factor[] = {
        1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
        1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000};
    const double sq = r.high * r.high;
    const sc_pair first = sc_fast_two_sum(1.0, -0.5 * sq);
    const double sum = series(factor, sizeof factor / sizeof factor[0], sq);
    return first.high + (first.low + (sq * sq * sum - r.high * r.low));
}

/* The cosine of an angle beyond that axis; the first is that of x, the next that of y, etc. */
static double cosine_beyond(sc_pair r, unsigned axis)
{
    const double value = axis % 2 == 0 ? cosine_of(r) : sine_of(r);
    return axis % 4 == 1 || axis % 4 == 2 ? -value : value;
}

double sc_cos(double angle)
{
    unsigned axis;
    const sc_pair r = from_nearest_axis(angle, &axis);
    return cosine_beyond(r, axis);
}

double sc_sin(double angle)
{
    unsigned axis;
    const sc_pair r = from_nearest_axis(angle, &axis);
    return cosine_beyond(r, axis + 3);
}

/* ---- arctangent ------------------------------------------------------------ */

/* The angle whose tangent is y / x, 0 <= y <= x: that of the nearest eighth, and the series of what
 * is beyond it. */
static sc_pair below_diagonal(double y, double x)
{
    static const sc_pair of_eighths[] = {
        {0.0, 0.0},
        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    static const double factor[] = {-1.0 / 3,  1.0 / 5,  -1.0 / 7, 1.0 / 9,
                                    -1.0 / 11, 1.0 / 13, -1.0 / 15};
    if (y == 0.0) { /* as x may be, too */
        return of_eighths[0];
    }
    const sc_pair tangent = sc_pair_quotient((sc_pair){y, 0.0}, (sc_pair){x, 0.0});
    const int eighths = (int)(8.0 * tangent.high + 0.5);
    const double nearest = eighths / 8.0;
    const sc_pair beyond =
        sc_pair_quotient(sc_two_sum(tangent.high - nearest, tangent.low),
                         sc_pair_sum((sc_pair){1.0, 0.0}, sc_two_product(nearest, tangent.high)));
    const double sq = beyond.high * beyond.high;
    const double cubic = beyond.high * sq * series(factor, sizeof factor / sizeof factor[0], sq);
    return sc_pair_sum(of_eighths[eighths], (sc_pair){beyond.high, beyond.low + cubic});
}

double sc_atan2(double y, double x)
{
    static const sc_pair right = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
    static const sc_pair straight = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
    const double up = fabs(y), along = fabs(x);
    sc_pair angle;

    if (!isfinite(x) || !isfinite(y)) {
        return NAN;
    }
    if (up > along) {
        angle = sc_pair_difference(right, below_diagonal(along, up));
    } else {
        angle = below_diagonal(up, along);
    }
    if (signbit(x)) {
        angle = sc_pair_difference(straight, angle);
    }
    return copysign(angle.high, y);
}
