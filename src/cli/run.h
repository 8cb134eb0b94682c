/* run.h - operands -> parts, rules, and what was found of every pair. */
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "baseline.h"
#include "manifest.h"
#include "motion.h"
#include "options.h"
#include "progress.h"
#include "report/report.h"
#include "rules.h"
#include "stlclash.h"

/* What one run holds; zero is empty. */
typedef struct run {
    const cli_options *options;
    manifest manifest; /* empty where files are the operands */
    size_t part_count;
    char **names, **files;  /* [part_count] */
    stlclash_part *given;   /* [part_count] */
    part_motion motions[2]; /* of two files */
    rules rules;
    stlclash_options check; /* the defaults of all pairs */
    stlclash_assembly *assembly;
    report_part *parts; /* [part_count] */
    char **problems;    /* [part_count] why the file of a part could not be read, or NULL */
    report_pair *pairs; /* [pair_count], in the order of the parts */
    size_t pair_count, pair_capacity;
    uint64_t ignored_listed;
    progress bar;
    bool unreadable, out_of_memory;
    baseline *before; /* of --baseline, or NULL */
    report_cost cost;
} run;

/* Parts and rules, into a run that is empty; files are read. Prints a line for each error; false:
 * there is nothing to check. run_free in any case. */
bool run_open(run *r, const cli_options *options);

/* All pairs. False, after a line on standard error, where that came to nothing. */
bool run_check(run *r);

/* Whether it was of one pair that could not be judged, and why is on standard error already. */
bool run_is_told(const run *r);

/* The report of a run that was checked; it refers to the run. */
struct report run_report(const run *r);

void run_free(run *r);

#endif
