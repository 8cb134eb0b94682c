/* report_probe.h - reports of probes: text, JSON, and JSON lines. */
#ifndef REPORT_PROBE_H
#define REPORT_PROBE_H

#include "report.h"

/* A probe and what was found of it in each part. */
typedef struct report_probe {
    stlclash_probe probe;
    uint64_t number;                       /* from 0, in the order in which they came */
    uint64_t line;                         /* of its file, from 1; 0: from the command line */
    stlclash_probe_result *const *results; /* [part_count]; NULL: given up, see `note` */
    const char *note;
} report_probe;

/* The probes of a report. */
struct report_probes {
    const report_probe *probes; /* [count] */
    size_t count;
    uint64_t status[STLCLASH_CLEAR + 1]; /* sums over all probes, also those not in the list */
    uint64_t unread;                     /* lines that were no probe */
    bool pass;
};

/* The worst of what was found: undecided, clash, what else does not pass, contact, clear. */
stlclash_status report_probe_status(const report_probe *probe, size_t parts);
bool report_probe_passes(const report_probe *probe, size_t parts);

/* The format of a report of probes in place of one of pairs; NULL: there is none. */
const report_format *report_probe_format(const report_format *format);

/* Whether such a report is one probe after the other and nothing else, so that it may be
 * written in portions: text and JSON lines. */
bool report_probe_is_list(const report_format *format);

#endif
