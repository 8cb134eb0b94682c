/* report_pair.h - what the formats ask of a pair: its verdict, its place among the
 * others, and its numbers in one line. */
#ifndef REPORT_PAIR_H
#define REPORT_PAIR_H

#include "report.h"

/* Of a pair that is not ignored; undecided where it could not be judged. */
stlclash_status report_pair_status(const report_pair *pair);

/* Of a part without triangles, or in error, there is none, and box_distance has no meaning. */
bool report_pair_has_boxes(const report_pair *pair);

/* Its status, or "ignored". */
const char *report_pair_word(const report_pair *pair);

/* It fails, but the baseline has it as it is, or worse: it counts as passing. */
bool report_pair_accepted(const report_pair *pair);

/* Fails and counts: neither passes, nor is ignored or accepted. */
bool report_pair_fails(const report_pair *pair);

/* Left out by a rule. */
bool report_pair_ignored(const report_pair *pair);

/* Passes by itself: neither fails, nor is ignored or accepted. */
bool report_pair_passes(const report_pair *pair);

/* Where the parts are nearest, or first meet on the way if they move; NULL: not known. */
const stlclash_separation *report_pair_separation(const report_pair *pair);

/* The note that says why a pair is undecided, or NULL. */
const char *report_pair_reason(const report_pair *pair);

/* The part for which a pair could not be judged; NULL: for neither alone. */
const report_part *report_pair_unread(const report_pair *pair);

/* One line of numbers and reasons for people, cut where it is too long: "depth 0.5 mm,
 * volume 1.2 mm^3". Names are left out, but for that of a part that could not be read; units,
 * notes and reasons come from outside and are not escaped. May be empty. */
enum { PAIR_LINE_SIZE = 512 };
const char *report_pair_line(char text[PAIR_LINE_SIZE], const struct report *report,
                             const report_pair *pair);

/* Why a pair could not be judged, which has an error, in such a line: "lid: the file is empty". */
const char *report_pair_error(char text[PAIR_LINE_SIZE], const report_pair *pair);

/* How many pairs there are of each change, with those resolved that this report does not list;
 * counts[0] is of pairs of which no change is told. */
void report_count_changes(const struct report *report, uint64_t counts[REPORT_RESOLVED + 1]);

/* Of the run: "undecided" if any pair is or a part could not be read, else "pass" or "fail". */
const char *report_verdict(const struct report *report);

/* "10 parts, 45 pairs: 2 clash (1 passes), 42 clear (30 by their boxes alone), 1 ignored" */
const char *report_counts_line(char text[PAIR_LINE_SIZE], const struct report *report);

/* The pairs of a report in the order in which they concern people: those that fail,
 * those that the baseline accepts, those that pass, those ignored. Among each
 * undecided ones, clashes (deepest first), contacts, gaps (smallest first). The
 * caller frees the [pair_count] pointers; NULL: memory is short. Not NULL for no
 * pairs. */
const report_pair **report_pairs_worst_first(const struct report *report);

#endif
