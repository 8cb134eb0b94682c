/* report_pair.c - see report_pair.h. */
#include "report_pair.h"

#include "report_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool report_pair_has_boxes(const report_pair *pair)
{
    return !report_pair_unread(pair) && pair->a->info.triangles > 0 && pair->b->info.triangles > 0;
}

stlclash_status report_pair_status(const report_pair *pair)
{
    if (pair->error || !pair->result) {
        return STLCLASH_UNDECIDED;
    }
    return pair->motion ? pair->motion->status : pair->result->status;
}

const char *report_pair_word(const report_pair *pair)
{
    return pair->ignored ? "ignored" : stlclash_status_text(report_pair_status(pair));
}

const stlclash_separation *report_pair_separation(const report_pair *pair)
{
    const stlclash_sweep_result *motion = pair->motion;
    if (motion) {
        return motion->has_contact    ? &motion->contact.separation
               : motion->has_approach ? &motion->approach.separation
                                      : NULL;
    }
    return pair->result && pair->result->has_separation ? &pair->result->separation : NULL;
}

/* Notes that are remarks, and leave no pair undecided. */
static bool is_remark(const char *note)
{
    static const char *const remarks[] = {"open_part",
                                          "open_faces_alike",
                                          "units_differ",
                                          "overlap_skipped",
                                          "depth_skipped",
                                          "region_depth_unknown",
                                          "stopped_at_proof",
                                          "distance_not_needed",
                                          "counted_with_multiplicity",
                                          "overlap_without_volume",
                                          "contact_area_unknown"};
    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++) {
        if (strcmp(note, remarks[i]) == 0) {
            return true;
        }
    }
    return false;
}

const char *report_pair_reason(const report_pair *pair)
{
    const stlclash_sweep_result *motion = pair->motion;
    const stlclash_result *result = pair->result;
    const char *const *notes = result ? result->notes : NULL;
    size_t count = result ? result->note_count : 0, i = 0;
    if (motion && motion->note_count > 0 && result->status != STLCLASH_UNDECIDED) {
        notes = motion->notes;
        count = motion->note_count;
    }
    while (i + 1 < count && is_remark(notes[i])) {
        i++;
    }
    return count > 0 ? notes[i] : NULL;
}

bool report_pair_accepted(const report_pair *pair)
{
    return pair->pass && (pair->change == REPORT_EXISTING || pair->change == REPORT_BETTER);
}

bool report_pair_fails(const report_pair *pair)
{
    return !pair->ignored && !pair->pass;
}

bool report_pair_ignored(const report_pair *pair)
{
    return pair->ignored != NULL;
}

bool report_pair_passes(const report_pair *pair)
{
    return !pair->ignored && pair->pass && !report_pair_accepted(pair);
}

const char *report_change_text(report_change change)
{
    switch (change) {
    case REPORT_NO_BASELINE: break;
    case REPORT_NEW: return "new";
    case REPORT_WORSE: return "worse";
    case REPORT_EXISTING: return "existing";
    case REPORT_BETTER: return "better";
    case REPORT_RESOLVED: return "resolved";
    }
    return NULL;
}

void report_count_changes(const struct report *report, uint64_t counts[REPORT_RESOLVED + 1])
{
    memset(counts, 0, (REPORT_RESOLVED + 1) * sizeof counts[0]);
    for (size_t i = 0; i < report->pair_count; i++) {
        counts[report->pairs[i].change]++;
    }
    counts[REPORT_RESOLVED] += report->resolved_count;
}

/* ---- one line ------------------------------------------------------------ */

/* A text that grows up to its size. */
typedef struct line {
    char *text;
    size_t used;
    const char *units;
} line;

static void __attribute__((format(printf, 2, 3))) put(line *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(l->text + l->used, PAIR_LINE_SIZE - l->used, format, arguments);
    va_end(arguments);
    if (length > 0) {
        l->used += (size_t)length;
        l->used = l->used < PAIR_LINE_SIZE ? l->used : PAIR_LINE_SIZE - 1;
    }
}

/* "depth 0.5 mm", with a comma in front where something stands there. */
static void put_number(line *l, const char *what, double value, int power)
{
    static const char *const powers[] = {"", "", "^2", "^3"};
    char number[NUMBER_SIZE];
    put(l, "%s%s %s", l->used ? ", " : "", what, number_rounded(number, value));
    if (l->units) {
        put(l, " %.64s%s", l->units, powers[power]);
    }
}

static void put_overlap(line *l, const report_pair *pair)
{
    const stlclash_overlap *overlap = &pair->result->overlap;

    if (!pair->result->has_overlap) {
        put(l, "the surfaces cross, or one part lies in the other");
        return;
    }
    if (overlap->has_depth) {
        put_number(l, "depth", overlap->depth, 1);
    }
    put_number(l, "volume", overlap->volume, 3);
    if (pair->options->max_volume != STLCLASH_NO_LIMIT ||
        pair->options->max_depth != STLCLASH_NO_LIMIT) {
        put(l, pair->result->pass ? ", within the limits" : ", beyond the limits");
    }
    if (overlap->contained != STLCLASH_NEITHER) {
        put(l, ", %s", overlap->contained == STLCLASH_A ? "A lies inside B" : "B lies inside A");
    }
}

/* What makes a contact or a gap fail. */
static void put_failure(line *l, const report_pair *pair)
{
    if (report_pair_status(pair) == STLCLASH_CONTACT && pair->options->contact_fails) {
        put(l, "%scontact is not allowed", l->used ? ", " : "");
    } else {
        put_number(l, "below the clearance of", pair->options->clearance, 1);
    }
}

static void put_separation(line *l, const report_pair *pair)
{
    const stlclash_result *result = pair->result;

    if (result->has_separation) {
        put_number(l, "distance", result->separation.distance, 1);
        if (result->gap_count > 1) {
            put(l, " in the narrowest of %zu gaps", result->gap_count);
        }
    } else if (pair->box_distance > 0.0) {
        put_number(l, "distance at least", pair->box_distance, 1);
    }
    if (!result->pass) {
        put_failure(l, pair);
    }
}

static void put_moment(line *l, const char *what, const stlclash_moment *moment)
{
    char number[NUMBER_SIZE];
    put(l, "%s", l->used ? ", " : "");
    if (moment->time == 0.0) {
        put(l, "at the start");
        return;
    }
    put(l, "%s time %s", what, number_rounded(number, moment->time));
    put_number(l, "after", moment->travelled, 1);
}

/* Of a pair that is decided. */
static void put_motion(line *l, const report_pair *pair)
{
    const stlclash_sweep_result *motion = pair->motion;

    if (motion->status == STLCLASH_CLASH && motion->has_clash) {
        put_moment(l, "from", &motion->clash);
    } else if (motion->has_contact) {
        put_moment(l, motion->contact.conservative ? "possibly from" : "from", &motion->contact);
    } else if (motion->has_approach) {
        put_number(l, "distance", motion->approach.separation.distance, 1);
        put_moment(l, "at", &motion->approach);
    }
    if (motion->status != STLCLASH_CLASH && !motion->pass) {
        put_failure(l, pair);
    }
}

const report_part *report_pair_unread(const report_pair *pair)
{
    return pair->a->error ? pair->a : pair->b->error ? pair->b : NULL;
}

/* A name may be as long as a path; what is wrong must have room behind it. */
const char *report_pair_error(char text[PAIR_LINE_SIZE], const report_pair *pair)
{
    const report_part *unread = report_pair_unread(pair);
    snprintf(text, PAIR_LINE_SIZE, "%.100s%s%s", unread ? unread->name : "", unread ? ": " : "",
             pair->error);
    return text;
}

const char *report_pair_line(char text[PAIR_LINE_SIZE], const struct report *report,
                             const report_pair *pair)
{
    line l = {.text = text, .units = report->units};

    if (!pair->ignored && pair->error) {
        return report_pair_error(text, pair);
    }
    text[0] = '\0';
    if (pair->ignored) {
        put(&l, "%s", pair->ignored);
        return text;
    }
    stlclash_status status = report_pair_status(pair);
    if (status == STLCLASH_UNDECIDED) {
        const char *note = report_pair_reason(pair);
        put(&l, "%s", note ? stlclash_note_text(note) : "");
    } else if (pair->motion) {
        put_motion(&l, pair);
    } else if (status == STLCLASH_CLASH) {
        put_overlap(&l, pair);
    } else {
        put_separation(&l, pair);
    }
    return text;
}

static void put_count(line *l, const char *between, uint64_t count, const char *what)
{
    if (count > 0) {
        put(l, "%s%" PRIu64 " %s", between, count, what);
    }
}

/* Those that pass as others of their status do not, or the other way round. */
static void put_exceptions(line *l, stlclash_status status, const report_summary *summary)
{
    uint64_t passing = summary->passing[status], failing = summary->status[status] - passing;
    if (status == STLCLASH_CONTACT) {
        if (failing > 0) {
            put(l, " (%" PRIu64 " %s)", failing, failing == 1 ? "fails" : "fail");
        }
    } else if (status != STLCLASH_CLEAR && passing > 0) {
        put(l, " (%" PRIu64 " %s)", passing, passing == 1 ? "passes" : "pass");
    }
}

const char *report_verdict(const struct report *report)
{
    report_summary summary = report_summarise(report);
    return !summary.known ? "undecided" : summary.pass ? "pass" : "fail";
}

const char *report_counts_line(char text[PAIR_LINE_SIZE], const struct report *report)
{
    report_summary summary = report_summarise(report);
    line l = {.text = text};

    put(&l, "%zu part%s, %" PRIu64 " pair%s", report->part_count,
        report->part_count == 1 ? "" : "s", summary.pairs, summary.pairs == 1 ? "" : "s");
    const char *between = ": ";
    for (int status = STLCLASH_UNDECIDED; status <= STLCLASH_CLEAR; status++) {
        put_count(&l, between, summary.status[status],
                  stlclash_status_text((stlclash_status)status));
        between = summary.status[status] > 0 ? ", " : between;
        put_exceptions(&l, (stlclash_status)status, &summary);
    }
    if (report->clear_unlisted > 0) {
        put(&l, " (%" PRIu64 " by %s boxes alone)", report->clear_unlisted,
            report->clear_unlisted == 1 ? "its" : "their");
    }
    put_count(&l, between, summary.ignored, "ignored");
    return text;
}

/* ---- order --------------------------------------------------------------- */

/* Lower is worse. */
static int class_of(const report_pair *pair)
{
    return report_pair_fails(pair) ? 0 : pair->ignored ? 3 : report_pair_accepted(pair) ? 1 : 2;
}

static double depth_of(const report_pair *pair)
{
    const stlclash_result *result = pair->result;
    return result && result->has_overlap && result->overlap.has_depth ? result->overlap.depth
                                                                      : -1.0;
}

static double volume_of(const report_pair *pair)
{
    return pair->result && pair->result->has_overlap ? pair->result->overlap.volume : -1.0;
}

static double distance_of(const report_pair *pair)
{
    const stlclash_separation *separation = report_pair_separation(pair);
    if (separation) {
        return separation->distance;
    }
    return pair->box_distance > 0.0 ? pair->box_distance : INFINITY;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int by_concern(const void *x, const void *y)
{
    const report_pair *a = *(const report_pair *const *)x, *b = *(const report_pair *const *)y;
    int order = class_of(a) - class_of(b);

    if (order == 0 && !a->ignored) {
        order = (int)report_pair_status(a) - (int)report_pair_status(b);
        order = order ? order : compare(depth_of(b), depth_of(a));
        order = order ? order : compare(volume_of(b), volume_of(a));
        order = order ? order : compare(distance_of(a), distance_of(b));
    }
    return order ? order : (a > b) - (a < b); /* as the report has them */
}

const report_pair **report_pairs_worst_first(const struct report *report)
{
    const report_pair **pairs = malloc((report->pair_count + 1) * sizeof(const report_pair *));

    for (size_t i = 0; pairs && i < report->pair_count; i++) {
        pairs[i] = &report->pairs[i];
    }
    if (pairs && report->pair_count > 1) {
        qsort(pairs, report->pair_count, sizeof(const report_pair *), by_concern);
    }
    return pairs;
}
