/* verdict.h - tolerances and the status that follows from what was found. */
#ifndef SC_VERDICT_H
#define SC_VERDICT_H

#include "geom/tri_flush.h"
#include "stlclash.h"

#include <stdbool.h>

/* The tolerances of one pair, with auto resolved. */
typedef struct sc_tolerances {
    double resolution;
    double touch_gap, touch_overlap;
    sc_flush flush; /* faces touch that are no farther apart */
    double clearance, clearance_slack;
    bool contact_fails;
} sc_tolerances;

/* `reach` is the largest magnitude of a coordinate of either part. */
sc_tolerances sc_tolerances_make(const stlclash_options *options, double reach);

/* A depth up to this counts as equal to a limit, in coordinates of up to `reach`: distances are
 * rounded, and the limit itself passes. Proofs of a depth charge up to 7 times 2^-48 of them. */
static inline double sc_equal_depth(double limit, double reach)
{
    return limit * (1.0 + 0x1p-30) + reach * 0x1p-45;
}

/* Whether some common point lies deeper than the touch overlap. */
typedef enum sc_deep { SC_NOT_DEEP, SC_DEEP, SC_DEEP_UNKNOWN } sc_deep;

/* What is known of a pair. */
typedef struct sc_findings {
    bool complete; /* no search was given up */
    bool meeting;  /* some triangles meet */
    sc_deep deep;
    double distance; /* of the surfaces; infinite: known to exceed touch gap and
                        clearance */
} sc_findings;

/* Whether surfaces that do not meet touch all the same. */
bool sc_gap_touches(double distance, const sc_tolerances *tolerances);

/* The first status that applies, in the order of stlclash_status. */
stlclash_status sc_verdict(const sc_findings *findings, const sc_tolerances *tolerances);

/* Whether a pair of that status and distance passes, limits of a clash aside. */
bool sc_passes(stlclash_status status, double distance, const sc_tolerances *tolerances);

/* Whether a clash of a certain volume or depth may pass. */
static inline bool sc_has_limits(const stlclash_options *options)
{
    return options->max_volume != STLCLASH_NO_LIMIT || options->max_depth != STLCLASH_NO_LIMIT;
}

/* What is proven of a volume or depth; `most` is infinite where nothing is. */
typedef struct sc_measure {
    double least, most;
} sc_measure;

typedef enum sc_limit { SC_KEPT, SC_EXCEEDED, SC_LIMIT_UNKNOWN } sc_limit;

/* Whether a clash keeps the limits that the options set. */
sc_limit sc_keeps_limits(const sc_measure *volume, const sc_measure *depth,
                         const stlclash_options *options);

/* The largest distance of a gap that is too narrow, or touches. */
double sc_gap_reach(const sc_tolerances *tolerances);

/* The largest distance that can still change the status. */
double sc_deciding_distance(const sc_tolerances *tolerances);

#endif
