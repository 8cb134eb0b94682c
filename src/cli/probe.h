/* probe.h - the command's run of probes: files and probes -> what was found of each. */
#ifndef CLI_PROBE_H
#define CLI_PROBE_H

#include "options.h"
#include "report_probe.h"

/* What one run holds; zero is empty. */
typedef struct probe_run {
    const cli_options *options;
    size_t part_count;
    char **names;
    stlclash_mesh **meshes;
    stlclash_prober **probers;
    report_part *parts; /* each [part_count] */
    struct report_probes sums;
    report_probe *probes; /* [sums.count], those that are kept for the report */
    size_t capacity;
    uint64_t number; /* probes so far */
    double start;    /* in process_seconds() */
    bool kept;       /* all for a report at the end; else each is written at once */
    report_cost cost;
} probe_run;

/* Reads the parts and makes them ready. False, after a line on standard error, where that
 * failed. probe_run_free in any case. */
bool probe_run_open(probe_run *run, const cli_options *options);

/* All probes, in order. A line that is no probe is told on standard error, and the others
 * are answered all the same. JSON lines go to standard output as they come, unless there
 * are other outputs. False where something failed for which there is no answer. */
bool probe_run_check(probe_run *run);

/* The report; it refers to the run. */
struct report probe_run_report(probe_run *run);

void probe_run_free(probe_run *run);

#endif
