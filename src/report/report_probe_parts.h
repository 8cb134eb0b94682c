/* report_probe_parts.h - one probe and several parts: what its report says of them together. */
#ifndef REPORT_PROBE_PARTS_H
#define REPORT_PROBE_PARTS_H

#include "report_probe.h"

/* A hit and the part that is hit. */
typedef struct report_probe_hit {
    const stlclash_probe_hit *hit;
    size_t part;
} report_probe_hit;

/* The next hit along the probe, over all parts: of equal parameters the first part's.
 * `next` counts those taken of each part. False at the end. */
bool report_probe_next_hit(const report_probe *probe, size_t parts, size_t *next,
                           report_probe_hit *hit);

/* Counters of hits for report_probe_next_hit, one a part, all 0; free. NULL: no memory. */
size_t *report_probe_make_next(const struct report *report);

/* Of the probe with all parts, listed or not. */
uint64_t report_probe_count_hits(const report_probe *probe, size_t parts);

/* The part that a probe which hits nothing comes nearest to, or `parts`. */
size_t report_probe_nearest(const report_probe *probe, size_t parts);

/* The part that a capsule comes to first, or `parts`. */
size_t report_probe_contact(const report_probe *probe, size_t parts);

/* The largest resolution of a part with the probe. */
double report_probe_resolution(const report_probe *probe, size_t parts);

/* Whether an earlier part has the same note. */
bool report_probe_noted(const report_probe *probe, size_t part, const char *note);

/* The reports; false: no memory. */
bool report_probe_write_text(const struct report *report, FILE *stream);
bool report_probe_write_json(const struct report *report, FILE *stream);
bool report_probe_write_lines(const struct report *report, FILE *stream);

#endif
