/* verdict.c - see verdict.h. */
#include "verdict.h"

/* What an STL file can tell apart: the distance of its largest coordinate to the
 * next float. A coordinate beyond the floats (only placed ones are) has the
 * resolution that a float of that size would have. */
static double resolution_at(double reach)
{
    enum { LEAST_EXPONENT = -126, BITS = 23 };
    float rounded[1] = {0.0f};
    if (reach <= 0x1p127) {
        rounded[0] = (float)reach; /* through memory: gcc 12 may drop the rounding otherwise */
        reach = (double)rounded[0];
    }
    const int exponent = sc_binary_exponent(reach);
    return sc_power_of_two((exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT) - BITS);
}

/* How far apart faces may be, where parts may: what an automatic tolerance allows is rounding, and
 * nothing is farther apart than the parts reach. */
static double facing_limit(double touch, double automatic, double reach)
{
    return touch > automatic ? sc_equal_depth(sc_fmin(touch, 4.0 * reach), reach) : automatic;
}

sc_tolerances sc_tolerances_make(const stlclash_options *options, double reach)
{
    sc_tolerances t = {.resolution = resolution_at(reach),
                       .clearance = options->clearance,
                       .contact_fails = options->contact_fails};
    t.clearance_slack = options->exact ? 0.0 : t.resolution;
    double automatic = options->exact ? 0.0 : 2.0 * t.resolution;
    t.touch_gap = options->touch_gap == STLCLASH_AUTO ? automatic : options->touch_gap;
    t.touch_overlap = options->touch_overlap == STLCLASH_AUTO ? automatic : options->touch_overlap;
    t.flush = (sc_flush){.all_over = automatic,
                         .gap = facing_limit(t.touch_gap, automatic, reach),
                         .overlap = facing_limit(t.touch_overlap, automatic, reach)};
    return t;
}

static bool reaches_clearance(double distance, const sc_tolerances *t)
{
    return distance >= t->clearance - t->clearance_slack;
}

bool sc_gap_touches(double distance, const sc_tolerances *t)
{
    return t->touch_gap > 0.0 && distance <= t->touch_gap;
}

stlclash_status sc_verdict(const sc_findings *f, const sc_tolerances *t)
{
    if (f->deep == SC_DEEP) {
        return STLCLASH_CLASH; /* proven, whatever else was given up */
    }
    if (!f->complete || f->deep == SC_DEEP_UNKNOWN) {
        return STLCLASH_UNDECIDED;
    }
    /* Whether triangles meet is exact; a distance of 0 may be a gap that rounding has lost. */
    if (f->meeting || sc_gap_touches(f->distance, t)) {
        return STLCLASH_CONTACT;
    }
    return reaches_clearance(f->distance, t) ? STLCLASH_CLEAR : STLCLASH_NEAR;
}

bool sc_passes(stlclash_status status, double distance, const sc_tolerances *t)
{
    return status == STLCLASH_CLEAR ||
           (status == STLCLASH_CONTACT && !t->contact_fails && reaches_clearance(distance, t));
}

/* What exceeds the limit by rounding alone is equal to it, and the bound itself passes. What is not
 * known keeps no limit, however large. */
static sc_limit compare(const sc_measure *measure, double limit)
{
    double equal = limit * (1.0 + 0x1p-30);
    bool kept = isfinite(measure->most) && measure->most <= equal;
    return limit == STLCLASH_NO_LIMIT || kept ? SC_KEPT
           : measure->least > limit           ? SC_EXCEEDED
                                              : SC_LIMIT_UNKNOWN;
}

sc_limit sc_keeps_limits(const sc_measure *volume, const sc_measure *depth,
                         const stlclash_options *options)
{
    sc_limit by_volume = compare(volume, options->max_volume);
    sc_limit by_depth = compare(depth, options->max_depth);
    if (by_volume == SC_EXCEEDED || by_depth == SC_EXCEEDED) {
        return SC_EXCEEDED;
    }
    return by_volume == SC_KEPT ? by_depth : by_volume;
}

double sc_gap_reach(const sc_tolerances *t)
{
    const double least = t->clearance - t->clearance_slack; /* this one is wide enough */
    return least > t->touch_gap ? sc_next_below(least) : t->touch_gap;
}

double sc_deciding_distance(const sc_tolerances *t)
{
    return t->clearance > t->touch_gap ? t->clearance : t->touch_gap;
}
