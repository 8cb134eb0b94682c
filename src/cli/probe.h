/* probe.h - the command's run of probes: files and probes -> what was found of each. */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "options.h"
#include "probe_parts.h"
#include "report/report_probe.h"

/* What one run holds; zero is empty. */
typedef struct probe_run {
    const cli_options *options;
    probe_parts parts;
    bool color; /* of text; set by the caller */
    struct report_probes sums;
    report_probe *probes;              /* [sums.count], those that are kept for the report */
    size_t capacity, answered;         /* of `probes`, the first ones that are answered */
    uint64_t number;                   /* probes so far */
    double start;                      /* in process_seconds() */
    const report_format *as_they_come; /* each is written at once; or NULL: kept for the end */
    report_cost cost;
} probe_run;

/* Reads the parts and makes them ready. False, after a line on standard error, where that
 * failed. probe_run_free in any case. */
bool probe_run_open(probe_run *run, const cli_options *options);

/* All probes, in order. A line that is no probe is told on standard error, and the others
 * are answered all the same. Text and JSON lines go to standard output as they come, unless
 * there are other outputs. False where something failed for which there is no answer. */
bool probe_run_check(probe_run *run);

/* The report; it refers to the run. */
struct report probe_run_report(probe_run *run);

void probe_run_free(probe_run *run);

#endif
