/* baseline_read.h - the JSON report that a baseline is, as far as a comparison needs it. */
#ifndef CLI_BASELINE_READ_H
#define CLI_BASELINE_READ_H

#include "baseline.h"
#include "report/report_change.h"

#include <cJSON.h>

/* The options that a rule can change. A touch tolerance may be STLCLASH_AUTO. */
typedef struct baseline_terms {
    double clearance, touch_overlap, touch_gap;
    bool contact_fails;
} baseline_terms;

typedef struct baseline_rule {
    const char *name;
    baseline_terms terms;
    double max_volume, max_depth; /* infinite: no limit */
    bool ignore;
} baseline_rule;

typedef struct baseline_part {
    const char *name;
    const cJSON *motion;    /* or NULL: it rested */
    const report_part *now; /* the part of the run, by baseline_compare */
} baseline_part;

typedef struct baseline_pair {
    const char *id, *a, *b;
    change_state state;
    stlclash_separation *gaps; /* of `state`, or NULL */
    bool seen;                 /* by baseline_compare */
} baseline_pair;

struct baseline {
    const char *path;
    cJSON *root; /* holds the texts */
    const char *units;
    baseline_terms terms;
    bool exact, quick, no_distance, no_overlap, no_depth, require_closed, gaps;
    baseline_rule *rules; /* [rule_count], in order */
    size_t rule_count;
    baseline_part *parts; /* [part_count], by name */
    size_t part_count;
    baseline_pair *pairs;   /* [pair_count], in order */
    baseline_pair **sorted; /* the same by id, each once */
    size_t pair_count;
    report_resolved *resolved; /* room for [pair_count] */
};

#endif
