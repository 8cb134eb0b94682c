/* options_check.c - whether the options and files of a command line go together. */
#include "list_pairs.h"
#include "message.h"
#include "options.h"
#include "outputs.h"
#include "report/report_probe.h"

#include <string.h>
#include <strings.h>

/* ---- options and options ------------------------------------------------- */

/* An option, and whether it was given. */
typedef struct given_option {
    const char *name;
    bool given;
} given_option;

/* The name of the first of those that were given, or NULL. */
static const char *first_given(const given_option *option, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (option[i].given) {
            return option[i].name;
        }
    }
    return NULL;
}

/* The first option about a motion, or NULL. */
static const char *motion_option(const cli_motion *motion)
{
    const given_option of_motion[] = {
        {"move-a", motion->moves[0]},
        {"move-b", motion->moves[1]},
        {"end-a", motion->ends[0]},
        {"end-b", motion->ends[1]},
        {"waypoints", motion->waypoints != NULL},
        {"to-b", motion->end_mesh != NULL},
        {"motion-tolerance", motion->tolerance > 0.0},
    };
    return first_given(of_motion, sizeof of_motion / sizeof *of_motion);
}

/* One motion of either part, and a tolerance only where there is something inexact. */
static bool check_motion(const cli_motion *motion)
{
    const int inexact_b =
        motion->ends[1] + (motion->waypoints != NULL) + (motion->end_mesh != NULL);
    if (motion->ends[0] && motion->moves[0]) {
        message_print("--move-a and --end-a are motions of their own: give one (try --help)");
        return false;
    }
    if (inexact_b + motion->moves[1] > 1) {
        message_print("--move-b, --end-b, --waypoints and --to-b are motions of their own: give "
                      "one (try --help)");
        return false;
    }
    if (motion->tolerance > 0.0 && !motion->ends[0] && inexact_b == 0) {
        message_print("--motion-tolerance needs --end-a, --end-b, --waypoints or --to-b (try "
                      "--help)");
        return false;
    }
    return true;
}

/* The first format that is asked for and that `have` has none of; NULL: there is none. */
static const report_format *missing_format(const cli_options *options,
                                           const report_format *(*have)(const report_format *))
{
    if (!have(options->format)) {
        return options->format;
    }
    for (size_t i = 0; i < options->output_count; i++) {
        if (!have(options->outputs[i].format)) {
            return options->outputs[i].format;
        }
    }
    return NULL;
}

/* A list of pairs is no report: only some formats have one. */
static bool check_list_pairs(const cli_options *options)
{
    const report_format *missing = missing_format(options, list_pairs_format);
    const char *other = options->overlap.path  ? "overlap"
                        : options->curves.path ? "curves"
                        : options->baseline    ? "baseline"
                                               : NULL;

    if (missing) {
        message_print("--list-pairs gives text or JSON, not %s (try --help)", missing->name);
    } else if (other) {
        message_print("--%s needs what --list-pairs leaves out (try --help)", other);
    }
    return !missing && !other;
}

/* The first option that is about pairs, or NULL. */
static const char *pair_option(const cli_options *options)
{
    const given_option of_pairs[] = {
        {"overlap", options->overlap.path != NULL},
        {"curves", options->curves.path != NULL},
        {"baseline", options->baseline != NULL},
        {"list-pairs", options->list_pairs},
        {"rule", options->rule_count > 0},
        {"quick", options->check.quick},
        {"no-distance", options->check.no_distance},
        {"no-overlap", options->check.no_overlap},
        {"no-depth", options->check.no_depth},
        {"require-closed", options->check.require_closed},
        {"health", options->check.health},
        {"gaps", options->check.gaps},
        {"list", options->list_all},
        {"depth-error", options->check.depth_error > 0.0},
    };
    const char *name = first_given(of_pairs, sizeof of_pairs / sizeof *of_pairs);
    return name ? name : motion_option(&options->motion);
}

/* Nor has a run of probes every format, or use for what is about pairs. */
static bool check_probes(const cli_options *options)
{
    const report_format *missing = missing_format(options, report_probe_format);
    const char *other = pair_option(options);

    if (missing) {
        message_print("--probe gives text, JSON or JSON lines, not %s (try --help)", missing->name);
    } else if (other) {
        message_print("--%s is for pairs, not for probes (try --help)", other);
    }
    return !missing && !other;
}

bool options_probe(const cli_options *options)
{
    return options->probe_count > 0 || options->probe_file;
}

/* Of pairs there are no JSON lines. */
static const report_format *pair_format(const report_format *format)
{
    return format->write ? format : NULL;
}

static bool check_lines(const cli_options *options)
{
    if (missing_format(options, pair_format)) {
        message_print("JSON lines are for --probe or --probes (try --help)");
        return false;
    }
    return true;
}

/* Each option is right; are they together? */
static bool check_together(const cli_options *options)
{
    if (options_probe(options)) {
        return check_probes(options);
    }
    if (!check_lines(options) || !check_motion(&options->motion)) {
        return false;
    }
    const char *drawn = options->overlap.path ? "overlap" : options->curves.path ? "curves" : NULL;
    const char *more = drawn ? drawn : options->check.gaps ? "gaps" : NULL;
    if ((more && options->check.quick) || (drawn && options->check.no_overlap)) {
        message_print("--%s needs what --%s leaves out (try --help)", more,
                      options->check.quick ? "quick" : "no-overlap");
        return false;
    }
    return !options->list_pairs || check_list_pairs(options);
}

/* ---- options and files --------------------------------------------------- */

static bool is_manifest(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot && strcasecmp(dot, ".json") == 0;
}

/* A single operand can only be a manifest, but for probes a part. */
static bool take_manifest(cli_options *options)
{
    const char *file = options->file_count == 1 ? options->files[0] : NULL;
    bool piped = file && strcmp(file, "-") == 0 && !options_probe(options);
    if (file && (is_manifest(file) || piped)) {
        options->manifest = file;
        options->file_count = 0;
    }
    return options->manifest != NULL;
}

static bool is_stdin(const char *file)
{
    return file && strcmp(file, "-") == 0;
}

static bool refuse_twice(void)
{
    message_print("standard input, '-', can be read only once (try --help)");
    return false;
}

/* A manifest, which stands alone. */
static bool check_manifest(const cli_options *options)
{
    return !is_stdin(options->manifest) || !is_stdin(options->baseline) || refuse_twice();
}

static bool check_files(const cli_options *options)
{
    int from_stdin = is_stdin(options->baseline) + is_stdin(options->probe_file) +
                     is_stdin(options->motion.waypoints) + is_stdin(options->motion.end_mesh);
    for (size_t i = 0; i < options->file_count; i++) {
        from_stdin += is_stdin(options->files[i]);
        if (!*options->files[i]) {
            message_print("'' is no name of a file (try --help)");
            return false;
        }
        if (is_manifest(options->files[i])) {
            message_print("%s: a manifest stands alone, without other files (try --help)",
                          options->files[i]);
            return false;
        }
    }
    if (options_probe(options) && options->file_count == 0) {
        message_print("an STL file or a manifest to probe is expected, none given (try --help)");
        return false;
    }
    if (options->file_count < 2 && !options_probe(options)) {
        message_print("two STL files or more, or a manifest (.json), are expected, %zu file%s "
                      "given (try --help)",
                      options->file_count, options->file_count == 1 ? "" : "s");
        return false;
    }
    return from_stdin <= 1 || refuse_twice();
}

/* --place-a and --place-b speak of two files. */
static bool check_placements(const cli_options *options)
{
    for (int i = 0; i < 2; i++) {
        bool one = i == 0 && options->file_count == 1 && options_probe(options);
        if (options->check.placement[i] && options->file_count != 2 && !one) {
            message_print("--place-%c is for two STL files; %s (try --help)", i == 0 ? 'a' : 'b',
                          options->manifest ? "a manifest gives each part its placement"
                                            : "a manifest can place more parts than two");
            return false;
        }
    }
    return true;
}

/* So do the motions. */
static bool check_movers(const cli_options *options)
{
    const char *option = motion_option(&options->motion);
    if (option && options->file_count != 2) {
        message_print("--%s is for two STL files; %s (try --help)", option,
                      options->manifest ? "a manifest gives each part its motion"
                                        : "a manifest can move parts of more");
        return false;
    }
    return true;
}

bool options_check(cli_options *options)
{
    return check_together(options) &&
           (take_manifest(options) ? check_manifest(options) : check_files(options)) &&
           check_placements(options) && check_movers(options) && outputs_check(options);
}
