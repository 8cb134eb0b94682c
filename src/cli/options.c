/* options.c - see options.h. A new option is a line in option_table.c and a case in
 * `apply`, and the tests ask for a paragraph in the man page and a word in completions/. */
#include "options.h"

#include "message.h"
#include "option_table.h"
#include "option_unknown.h"
#include "probe_spec.h"
#include "values.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool set_format(const option_entry *option, const char *value, const report_format **format)
{
    const report_format *named = report_format_named(value);
    if (named) {
        *format = named;
        return true;
    }
    char what[256];
    size_t used = (size_t)snprintf(what, sizeof what, "is not one of ");
    for (named = report_formats; named->name; named++) {
        used += (size_t)snprintf(what + used, sizeof what - used, "%s%s",
                                 named == report_formats ? "" : "|", named->name);
    }
    return value_refused(option->name, value, what);
}

/* A file in one of some formats, up to a NULL name. */
static bool set_output(const option_entry *option, const char *value, const report_format *formats,
                       cli_output *output)
{
    const report_format *format = report_format_of_file(value, formats);
    if (format) {
        *output = (cli_output){value, format};
        return true;
    }
    const bool several = formats[1].name != NULL;
    char what[256];
    size_t used =
        (size_t)snprintf(what, sizeof what, several ? "ends in none of" : "does not end in");
    for (format = formats; format->name; format++) {
        for (const char *const *extension = format->extensions; *extension; extension++) {
            used += (size_t)snprintf(what + used, sizeof what - used, " %s", *extension);
        }
    }
    return value_refused(option->name, value, what);
}

static bool add_output(const option_entry *option, const char *value, cli_options *options)
{
    return set_output(option, value, report_formats, &options->outputs[options->output_count++]);
}

/* What is drawn must be found, too. */
static bool set_drawing(const option_entry *option, const char *value, const report_format *formats,
                        cli_output *output, bool *find)
{
    *find = true;
    return set_output(option, value, formats, output);
}

static bool set_when(const option_entry *option, const char *value, cli_when *when)
{
    int choice;
    if (!value_choice(option->name, value, "auto|always|never", &choice)) {
        return false;
    }
    *when = (cli_when)choice; /* in the order of the words */
    return true;
}

/* One of two words: whether it is the second. */
static bool set_second(const option_entry *option, const char *value, bool *second)
{
    int choice;
    if (!value_choice(option->name, value, option->value, &choice)) {
        return false;
    }
    *second = choice == 1;
    return true;
}

static bool set_positive(const option_entry *option, const char *value, double *number)
{
    return value_number(option->name, value, number) &&
           (*number > 0.0 || value_refused(option->name, value, "is not more than 0"));
}

static bool set_threads(const option_entry *option, const char *value, int *threads)
{
    uint64_t count = 0;
    bool good = value_count(option->name, value, INT_MAX, &count);
    *threads = (int)count;
    return good;
}

/* Of part A or B, 0 or 1. */
static bool set_placement(const option_entry *option, const char *value, cli_options *options,
                          int part)
{
    options->check.placement[part] = options->placement[part];
    return value_placement(option->name, value, options->placement[part]);
}

static bool set_way(const option_entry *option, const char *value, cli_motion *motion, int part)
{
    motion->moves[part] = true;
    return value_vector(option->name, value, motion->way[part]);
}

static bool set_end(const option_entry *option, const char *value, cli_motion *motion, int part)
{
    motion->ends[part] = true;
    return value_placement(option->name, value, motion->end[part]);
}

static bool apply(cli_options *options, const option_entry *option, const char *value)
{
    stlclash_options *check = &options->check;

    switch (option->id) {
    case OPTION_TOPIC: return false;
    case OPTION_CLEARANCE: return value_number(option->name, value, &check->clearance);
    case OPTION_TOUCH_OVERLAP: return value_tolerance(option->name, value, &check->touch_overlap);
    case OPTION_TOUCH_GAP: return value_tolerance(option->name, value, &check->touch_gap);
    case OPTION_CONTACT: return set_second(option, value, &check->contact_fails);
    case OPTION_REQUIRE_CLOSED: check->require_closed = true; return true;
    case OPTION_EXACT: check->exact = true; return true;
    case OPTION_PLACE_A: return set_placement(option, value, options, 0);
    case OPTION_PLACE_B: return set_placement(option, value, options, 1);
    case OPTION_MOVE_A: return set_way(option, value, &options->motion, 0);
    case OPTION_MOVE_B: return set_way(option, value, &options->motion, 1);
    case OPTION_END_A: return set_end(option, value, &options->motion, 0);
    case OPTION_END_B: return set_end(option, value, &options->motion, 1);
    case OPTION_WAYPOINTS: return value_file(option->name, value, &options->motion.waypoints);
    case OPTION_TO_B: return value_file(option->name, value, &options->motion.end_mesh);
    case OPTION_MOTION_TOLERANCE: return set_positive(option, value, &options->motion.tolerance);
    case OPTION_QUICK: check->quick = true; return true;
    case OPTION_NO_OVERLAP: check->no_overlap = true; return true;
    case OPTION_NO_DISTANCE: check->no_distance = true; return true;
    case OPTION_NO_DEPTH: check->no_depth = true; return true;
    case OPTION_DEPTH_ERROR: return value_fraction(option->name, value, 1e-6, &check->depth_error);
    case OPTION_HEALTH: check->health = true; return true;
    case OPTION_PROBE:
        options->probes[options->probe_count++] = value;
        return probe_value(option->name, value);
    case OPTION_PROBES: return value_file(option->name, value, &options->probe_file);
    case OPTION_RULE: options->rules[options->rule_count++] = value; return true;
    case OPTION_MEMORY: return value_size(option->name, value, &options->memory);
    case OPTION_MAX_TIME: /* to the library 0 is no limit; to a script, none left */
        return set_positive(option, value, &check->max_seconds);
    case OPTION_THREADS: return set_threads(option, value, &check->threads);
    case OPTION_FORMAT: return set_format(option, value, &options->format);
    case OPTION_OUTPUT: return add_output(option, value, options);
    case OPTION_BASELINE: return value_file(option->name, value, &options->baseline);
    case OPTION_OVERLAP:
        return set_drawing(option, value, report_overlaps, &options->overlap, &check->overlap_mesh);
    case OPTION_GAPS: check->gaps = true; return true;
    case OPTION_CURVES:
        return set_drawing(option, value, report_curves, &options->curves, &check->curves);
    case OPTION_LIST: return set_second(option, value, &options->list_all);
    case OPTION_LIST_PAIRS: options->list_pairs = true; return true;
    case OPTION_MAX_HITS:
        options->max_hits_given = true;
        return value_count_or_all(option->name, value, &check->max_hits);
    case OPTION_UNITS: return value_label(option->name, value, &options->units);
    case OPTION_QUIET: options->quiet = true; return true;
    case OPTION_VERBOSE: options->verbose = true; return true;
    case OPTION_PROGRESS: return set_when(option, value, &options->progress);
    case OPTION_COLOR: return set_when(option, value, &options->color);
    case OPTION_HELP: options->action = CLI_HELP; return true;
    case OPTION_VERSION: options->action = CLI_VERSION; return true;
    }
    return false;
}

/* ---- the command line ---------------------------------------------------- */

/* The table as getopt_long wants it. */
typedef struct getopt_table {
    struct option names[OPTION_IDS + 1];
    char letters[2 * OPTION_IDS + 2];
} getopt_table;

static getopt_table make_getopt_table(void)
{
    getopt_table made = {.letters = ":"}; /* tell a missing value from an unknown option */
    int names = 0, letters = 1;

    for (const option_entry *option = option_table; option->name; option++) {
        if (option->id == OPTION_TOPIC) {
            continue;
        }
        int takes = option->value ? required_argument : no_argument;
        made.names[names++] =
            (struct option){option->name, takes, NULL, OPTION_LONG + (int)option->id};
        if (option->letter) {
            made.letters[letters++] = option->letter;
            if (option->value) {
                made.letters[letters++] = ':';
            }
        }
    }
    return made;
}

/* ---- all of it ----------------------------------------------------------- */

bool options_parse(cli_options *options, int argc, char **argv)
{
    *options = (cli_options){
        .check = stlclash_options_default(),
        .format = &report_formats[0],
        .outputs = malloc((size_t)argc * sizeof *options->outputs),
        .rules = malloc((size_t)argc * sizeof *options->rules),
        .probes = malloc((size_t)argc * sizeof *options->probes),
    };
    if (!options->outputs || !options->rules || !options->probes) {
        return message_no_memory();
    }

    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (option_explain_one_dash(argv[i])) {
            return false;
        }
    }
    getopt_table made = make_getopt_table();
    opterr = 0;
    for (;;) {
        int value = getopt_long(argc, argv, made.letters, made.names, NULL);
        if (value == -1) {
            break;
        }
        if (value == '?') {
            option_explain_unknown(argv);
            return false;
        }
        if (value == ':') {
            message_print("option '--%s' needs a value (try --help)",
                          option_of_getopt(optopt)->name);
            return false;
        }
        if (!apply(options, option_of_getopt(value), optarg)) {
            return false;
        }
        if (options->action != CLI_CHECK) {
            return true;
        }
    }
    options->files = argv + optind;
    options->file_count = (size_t)(argc - optind);
    return options_check(options);
}

void options_free(cli_options *options)
{
    free(options->outputs);
    free(options->probes);
    options->probes = NULL;
    free(options->rules);
    options->outputs = NULL;
    options->rules = NULL;
}
