/* options.h - the command line: one table (option_table.h) parses it and prints --help. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "report/report.h"
#include "stlclash.h"

#include <stdbool.h>
#include <stdio.h>

typedef enum cli_action { CLI_CHECK, CLI_HELP, CLI_VERSION } cli_action;
typedef enum cli_when { CLI_AUTO, CLI_ALWAYS, CLI_NEVER } cli_when;

typedef struct cli_output {
    const char *path;
    const report_format *format;
} cli_output;

/* How two parts move, as far as options say it. */
typedef struct cli_motion {
    bool moves[2]; /* --move-a, --move-b */
    double way[2][3];
    bool ends[2]; /* --end-a, --end-b */
    double end[2][16];
    const char *waypoints; /* a file, or NULL */
    const char *end_mesh;  /* the file of --to-b, or NULL */
    double tolerance;      /* 0: not given */
} cli_motion;

typedef struct cli_options {
    cli_action action;
    char **files; /* STL files, [file_count], in argv; none with a manifest */
    size_t file_count;
    const char *manifest; /* the only operand, or NULL */
    const char **rules;   /* [rule_count], the values of --rule */
    size_t rule_count;
    uint64_t memory;         /* for loaded parts, in bytes; 0: the default */
    bool list_all;           /* pairs that boxes alone show clear are listed too */
    bool list_pairs;         /* what would be checked, and why */
    stlclash_options check;  /* its placements point to `placement` */
    double placement[2][16]; /* of A and B, where one was given */
    cli_motion motion;
    bool max_hits_given;
    const report_format *format; /* on standard output */
    cli_output *outputs;         /* [output_count], the files of -o */
    size_t output_count;
    const char **probes; /* [probe_count], the values of --probe */
    size_t probe_count;
    const char *probe_file; /* of --probes, or NULL */
    cli_output overlap, curves; /* those of --overlap and --curves, or no path */
    const char *baseline;       /* the file of --baseline, or NULL */
    const char *units;          /* or NULL */
    bool quiet, verbose;
    cli_when progress, color;
} cli_options;

/* Whether probes are asked for, not pairs. */
bool options_probe(const cli_options *options);

/* Fills *options, which must stay where it is. On misuse it prints one line on
 * standard error and returns false. options_free in both cases. */
bool options_parse(cli_options *options, int argc, char **argv);
void options_free(cli_options *options);

/* Whether options and files go together, as options_parse has it; of the files it takes a
 * manifest. */
bool options_check(cli_options *options);

void options_print_help(FILE *stream);

#endif
