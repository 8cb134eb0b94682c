/* report_change.c - see report_change.h. */
#include "report_change.h"

#include "base/real.h"
#include "report_pair.h"

/* ---- states -------------------------------------------------------------- */

/* The error of a distance is at most 2^-50 times an extent or a gap of the parts, and
 * these are below 4 times the largest coordinate, which is below 2^24 resolutions. */
change_range report_change_distance(double distance, double resolution)
{
    double error = 0x1p-24 * resolution;
    return (change_range){distance - error, distance + error};
}

change_range report_change_depth(double depth, double error)
{
    return (change_range){depth, depth + error};
}

change_range report_change_volume(double volume, double error)
{
    return (change_range){volume - error, volume + error};
}

change_range report_change_no_overlap(stlclash_status status, bool has_area)
{
    const bool none = status == STLCLASH_CONTACT && has_area;
    return none ? report_change_depth(0.0, 0.0) : (change_range){NAN, NAN};
}

change_state report_change_unknown(void)
{
    return (change_state){.distance = {NAN, NAN}, .depth = {NAN, NAN}, .volume = {NAN, NAN}};
}

change_state report_change_state(const report_pair *pair)
{
    const stlclash_result *result = pair->result;
    change_state state = report_change_unknown();

    if (pair->ignored) {
        return state;
    }
    state.judged = true;
    state.status = report_pair_status(pair);
    state.fails = !pair->pass || report_pair_accepted(pair);
    if (!result) {
        return state;
    }
    state.resolution = result->resolution;
    const stlclash_separation *separation = report_pair_separation(pair);
    if (separation) {
        state.distance = report_change_distance(separation->distance, result->resolution);
        state.distance.low -= pair->motion ? pair->motion->approach_error : 0.0;
    }
    state.has_gaps = result->has_gaps && !pair->motion;
    state.gaps = result->gaps;
    state.gap_count = result->gap_count;
    if (result->has_overlap) {
        const stlclash_overlap *overlap = &result->overlap;
        state.volume = report_change_volume(overlap->volume, overlap->volume_error);
        for (int k = 0; k < 6; k++) {
            state.bounds[k / 3][k % 3] = overlap->bounds[k / 3][k % 3];
        }
        if (overlap->has_depth) {
            state.depth = report_change_depth(overlap->depth, overlap->depth_error);
        }
    } else {
        state.depth = report_change_no_overlap(state.status, result->has_contact_area);
    }
    return state;
}

/* ---- the comparison ------------------------------------------------------ */

typedef enum trend { SMALLER = -1, SAME = 0, LARGER = 1 } trend;

static bool is_known(change_range range)
{
    return !isnan(range.low);
}

static trend trend_of(change_range before, change_range now, double slack)
{
    if (now.low > before.high + slack) {
        return LARGER;
    }
    return now.high < before.low - slack ? SMALLER : SAME;
}

/* The same where larger is worse; see the head of the header for what is unknown. */
static trend harm_of(change_range before, change_range now, double slack)
{
    if (!is_known(before)) {
        return SAME;
    }
    return is_known(now) ? trend_of(before, now, slack) : LARGER;
}

/* A smaller distance is worse. */
static change_range negated(change_range range)
{
    return (change_range){-range.high, -range.low};
}

static trend trend_of_distances(double before, double now, double resolution, double slack)
{
    return trend_of(negated(report_change_distance(before, resolution)),
                    negated(report_change_distance(now, resolution)), slack);
}

/* One more is harm, too. */
static trend harm_of_gaps(const change_state *before, const change_state *now, double slack)
{
    const double resolution = sc_fmax(before->resolution, now->resolution);
    trend harm = SAME;

    if (!before->has_gaps || !now->has_gaps) {
        return before->has_gaps ? LARGER : SAME;
    }
    for (size_t i = 0; i < before->gap_count && i < now->gap_count && harm != LARGER; i++) {
        const trend next =
            trend_of_distances(before->gaps[i].distance, now->gaps[i].distance, resolution, slack);
        harm = next != SAME ? next : harm;
    }
    return harm == LARGER || now->gap_count > before->gap_count ? LARGER
           : now->gap_count < before->gap_count                 ? SMALLER
                                                                : harm;
}

/* By how much a volume may change where its surface moves by the slack: for a convex
 * body at most by the surface of its box, grown as much. */
static double volume_slack(const change_state *state, double slack)
{
    double edge[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = state->bounds[1][k] - state->bounds[0][k] + 2.0 * slack;
    }
    return slack * 2.0 * (edge[0] * edge[1] + edge[1] * edge[2] + edge[2] * edge[0]);
}

/* From the least to the worst. */
static int rank_of(stlclash_status status)
{
    switch (status) {
    case STLCLASH_CLEAR: return 0;
    case STLCLASH_NEAR: return 1;
    case STLCLASH_CONTACT: return 2;
    case STLCLASH_CLASH: return 3;
    case STLCLASH_UNDECIDED: break;
    }
    return 4;
}

/* Two failures of one status. */
static report_change compare_numbers(const change_state *before, const change_state *now,
                                     bool exact)
{
    double slack = exact ? 0.0 : 2.0 * sc_fmax(before->resolution, now->resolution);
    trend harm[3] = {SAME, SAME, SAME};

    switch (now->status) {
    case STLCLASH_CLASH:
        harm[0] = harm_of(before->depth, now->depth, slack);
        harm[1] = harm_of(before->volume, now->volume,
                          sc_fmax(volume_slack(before, slack), volume_slack(now, slack)));
        break;
    case STLCLASH_CONTACT:
        harm[0] = harm_of(negated(before->distance), negated(now->distance), slack);
        /* It is no deeper than the touch overlap, be it known or not. */
        harm[1] = is_known(now->depth) ? harm_of(before->depth, now->depth, slack) : SAME;
        harm[2] = harm_of_gaps(before, now, slack);
        break;
    case STLCLASH_NEAR:
    case STLCLASH_CLEAR:
        harm[0] = harm_of(negated(before->distance), negated(now->distance), slack);
        harm[2] = harm_of_gaps(before, now, slack);
        break;
    case STLCLASH_UNDECIDED: break;
    }
    report_change change = REPORT_EXISTING;
    for (size_t i = 0; i < sizeof harm / sizeof *harm && change != REPORT_WORSE; i++) {
        change = harm[i] == LARGER ? REPORT_WORSE : harm[i] == SMALLER ? REPORT_BETTER : change;
    }
    return change;
}

report_change report_change_between(const change_state *before, const change_state *now, bool exact)
{
    bool failed = before->judged && before->fails;

    if (!now->judged || (!failed && !now->fails)) {
        return REPORT_NO_BASELINE;
    }
    if (!now->fails) {
        return REPORT_RESOLVED;
    }
    /* Of an undecided pair nothing was known, so nothing was accepted. */
    if (!failed || (before->status == STLCLASH_UNDECIDED && now->status != STLCLASH_UNDECIDED)) {
        return REPORT_NEW;
    }
    int order = rank_of(now->status) - rank_of(before->status);
    if (order != 0) {
        return order > 0 ? REPORT_WORSE : REPORT_BETTER;
    }
    return compare_numbers(before, now, exact);
}
