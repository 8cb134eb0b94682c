/* report_change.h - one pair in two reports: what became of a failure.
 *
 * Worse and better are only said of what is proven. The status decides first, in the
 * order near, contact, clash, undecided. Within a status the numbers decide: for a
 * clash its depth and its volume, for a contact its distance and its depth, for near
 * its distance, and for these two their gaps, where both reports list them: one more is
 * worse, and so is one that is narrower, taken in order from the narrowest on. A number
 * has changed if the two intervals that its stated errors allow are apart by more than
 * the slack: twice the larger resolution (nothing with --exact), for volumes times the
 * surface of the overlap's box. One number that is worse makes a pair worse, whatever
 * the others do. A number that only the former report lacks says nothing, for no bound
 * of it was accepted; one that only this report lacks is worse, for it can no longer be
 * shown to be as good. Closed parts in contact that have no overlap are 0 deep, and
 * known to be so where the contact area is. */
#ifndef REPORT_CHANGE_H
#define REPORT_CHANGE_H

#include "report.h"

/* An interval that holds a number; NAN: not known. */
typedef struct change_range {
    double low, high;
} change_range;

/* What a report says of a pair. */
typedef struct change_state {
    bool judged; /* false: ignored, or not listed; then all else is meaningless */
    bool fails;  /* by its rule, whatever a baseline made of that */
    stlclash_status status;
    double resolution;
    change_range distance, depth, volume;
    const stlclash_separation *gaps; /* [gap_count] of parts at rest; of a former report no more
                                        than their distances */
    size_t gap_count;
    bool has_gaps;
    double bounds[2][3]; /* of the overlap, where its volume is known */
} change_state;

/* What this report says of a pair. */
change_state report_change_state(const report_pair *pair);

/* Of a pair that fails in neither, or is not judged now: REPORT_NO_BASELINE. */
report_change report_change_between(const change_state *before, const change_state *now,
                                    bool exact);

/* The ranges of numbers with their stated errors. */
change_range report_change_distance(double distance, double resolution);
change_range report_change_depth(double depth, double error);
change_range report_change_volume(double volume, double error);

/* The depth of a pair that has no overlap; `has_area`: its contact area is known. */
change_range report_change_no_overlap(stlclash_status status, bool has_area);

/* Nothing is known. */
change_state report_change_unknown(void);

#endif
