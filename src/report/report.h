/* report.h - results -> output: the formats, and writing one to a stream or a file.
 *
 * A report sees what the public header shows and nothing else, so that each
 * format can be replaced on its own. */
#ifndef REPORT_H
#define REPORT_H

#include "stlclash.h"

#include <stdbool.h>
#include <stdio.h>

enum { REPORT_SCHEMA = 1 }; /* the version of the JSON format */

typedef struct report_part {
    const char *file;              /* as given; "-" is standard input */
    const char *name;              /* unique in the report */
    const char *error;             /* why it could not be read, or NULL; then `info` is zero */
    const stlclash_motion *motion; /* or NULL: it rests */
    const char *motion_end;        /* of vertex paths: the file of the mesh at the end */
    stlclash_mesh_info info;
    stlclash_part_result found; /* its bounds have no meaning without triangles */
} report_part;

/* A rule of a manifest or of --rule: what it asks of the pairs that it matches. */
typedef struct report_rule {
    const char *name;                /* "bolt* / plate" */
    const char *a, *b;               /* the two patterns, for either order of a pair */
    const stlclash_options *options; /* those of the run with what the rule changes */
    const char *reason;              /* as given, or NULL */
    bool ignore;                     /* it leaves its pairs out */
    double max_volume;               /* of an overlap that still passes; infinite: no limit given */
    double max_depth;                /* the same for its depth */
    uint64_t matched;                /* pairs for which its patterns hold */
    uint64_t applied;                /* those among them that no later rule took */
} report_rule;

/* Against a former report. */
typedef enum report_change {
    REPORT_NO_BASELINE,
    REPORT_NEW,
    REPORT_WORSE,
    REPORT_EXISTING,
    REPORT_BETTER,
    REPORT_RESOLVED
} report_change;

/* "new", "worse", ...; NULL without a baseline. */
const char *report_change_text(report_change change);

typedef struct report_pair {
    const report_part *a, *b;            /* in `parts` of the report */
    const stlclash_options *options;     /* by which it was judged; a rule may change them */
    const stlclash_result *result;       /* NULL: ignored, or not judged for `error` */
    const stlclash_sweep_result *motion; /* or NULL; `result` is its start */
    bool pass;                           /* by its rule and the baseline: what counts */
    const report_rule *rule;             /* the one that applies, or NULL */
    const char *ignored;                 /* the reason for leaving it out, or NULL */
    const char *error;                   /* why it could not be judged, or NULL */
    bool clear_by_boxes;                 /* its boxes alone show it to be clear */
    double box_distance;                 /* the surfaces are no nearer; 0: the boxes meet */
    report_change change;
} report_pair;

/* A pair that failed in the baseline and is now clear without being listed. */
typedef struct report_resolved {
    const char *a, *b, *id; /* as the baseline has them */
    const char *was;        /* its status there */
} report_resolved;

/* What the run cost: everything in a report that may differ from run to run. */
typedef struct report_cost {
    double read_seconds, check_seconds, cpu_seconds;
    uint64_t peak_bytes;
} report_cost;

struct report {
    const report_part *parts; /* [part_count] */
    size_t part_count;
    bool own_names;           /* those of a manifest, not made from those of the files */
    const report_pair *pairs; /* [pair_count] */
    size_t pair_count;
    uint64_t clear_unlisted;   /* pairs that their boxes alone show to be clear */
    uint64_t ignored_unlisted; /* ignored pairs that are not in `pairs` */
    const report_rule *rules;  /* [rule_count] */
    size_t rule_count;
    const char *baseline;            /* the file of --baseline, or NULL */
    const report_resolved *resolved; /* [resolved_count] */
    size_t resolved_count;
    const char *units;        /* a label for lengths, or NULL */
    stlclash_options options; /* as given */
    bool all_hits;            /* text: list every hit that the result lists */
    bool color;               /* text: for a terminal */
    const report_cost *cost;  /* JSON: write statistics; NULL: do not */

    const struct report_probes *probes; /* of a run of probes, which has no pairs; or NULL */
};

typedef struct report_summary {
    uint64_t pairs;                       /* checked + ignored + undecided, always */
    uint64_t status[STLCLASH_CLEAR + 1];  /* pairs by stlclash_status */
    uint64_t passing[STLCLASH_CLEAR + 1]; /* of these, those that pass */
    uint64_t checked;                     /* pairs that are neither undecided nor ignored */
    uint64_t ignored;
    bool known; /* no pair is undecided, and every part could be read */
    bool pass;  /* that, and every pair passes or is ignored */
} report_summary;

report_summary report_summarise(const struct report *report);

/* A format. `write` leaves errors of the stream in the stream; it returns false,
 * before the first byte, where memory is short. */
typedef struct report_format {
    const char *name;
    const char *extensions[3]; /* of files in this format, up to a NULL */
    bool (*write)(const struct report *report, FILE *stream); /* NULL: of probes alone */
} report_format;

extern const report_format report_formats[]; /* up to a NULL name */

/* The curves in which the surfaces meet, as lines of an OBJ file. */
extern const report_format report_curves[]; /* up to a NULL name, as all of these */

/* What parts that clash have in common, as a mesh; the pairs that have one. */
extern const report_format report_overlaps[];
bool report_shows_overlap(const report_pair *pair);

/* NULL where there is none; of some formats, up to a NULL name. */
const report_format *report_format_named(const char *name);
const report_format *report_format_of_file(const char *path, const report_format *formats);

/* Writes a report to the stream and flushes it. On failure errno tells why. */
bool report_print(const struct report *report, const report_format *format, FILE *stream);

/* Writes a report to a file, whole or not at all: to a temporary file beside it
 * that then takes its name. On failure errno tells why and a file that was there
 * is as before. */
bool report_save(const struct report *report, const report_format *format, const char *path);

/* Whether report_save may succeed, as far as folders and rights tell; nothing is written. If not,
 * errno tells why. */
bool report_can_save(const char *path);

bool report_write_text(const struct report *report, FILE *stream);
bool report_write_json(const struct report *report, FILE *stream);
bool report_write_junit(const struct report *report, FILE *stream);
bool report_write_markdown(const struct report *report, FILE *stream);
bool report_write_csv(const struct report *report, FILE *stream);
bool report_write_github(const struct report *report, FILE *stream);
bool report_write_curves(const struct report *report, FILE *stream);
bool report_write_overlap_stl(const struct report *report, FILE *stream);
bool report_write_overlap_obj(const struct report *report, FILE *stream);

#endif
