/* options.c - see options.h. A new option is a line in `table` and a case in
 * `apply`, and the tests ask for a paragraph in the man page. */
#include "options.h"

#include "message.h"
#include "probe_spec.h"
#include "values.h"

#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef enum option_id {
    TOPIC, /* no option: a heading in the help */
    CLEARANCE,
    TOUCH_OVERLAP,
    TOUCH_GAP,
    CONTACT,
    EXACT,
    PLACE_A,
    PLACE_B,
    MOVE_A,
    MOVE_B,
    END_B,
    WAYPOINTS,
    TO_B,
    MOTION_TOLERANCE,
    QUICK,
    NO_OVERLAP,
    DEPTH_ERROR,
    HEALTH,
    RULE,
    PROBE,
    PROBES,
    MEMORY,
    MAX_TIME,
    THREADS,
    FORMAT,
    OUTPUT,
    BASELINE,
    CURVES,
    LIST,
    LIST_PAIRS,
    MAX_HITS,
    UNITS,
    QUIET,
    VERBOSE,
    PROGRESS,
    COLOR,
    HELP,
    VERSION
} option_id;

static const struct entry {
    option_id id;
    char letter;              /* or 0 */
    const char *name, *value; /* value: NULL where the option takes none */
    const char *help;         /* lines end in \n, the last one does not */
} table[] = {
    {TOPIC, 0, "Verdict", NULL, NULL},
    {CLEARANCE, 'c', "clearance", "D", "required gap: parts nearer than D fail (default 0)"},
    {TOUCH_OVERLAP, 0, "touch-overlap", "T",
     "depth of overlap up to which parts count as touching;\n"
     "auto (default): twice the resolution of the coordinates"},
    {TOUCH_GAP, 0, "touch-gap", "G", "the same for a gap"},
    {CONTACT, 0, "contact", "allow|fail", "whether parts that touch pass (default allow)"},
    {EXACT, 0, "exact", NULL,
     "judge the coordinates as they stand: touch overlap and\n"
     "gap 0, clearance without allowance for the resolution"},
    {PLACE_A, 0, "place-a", "SPEC",
     "move A first: X,Y,Z, or 12 or 16 numbers of a rigid\n"
     "matrix, row by row"},
    {PLACE_B, 0, "place-b", "SPEC", "the same for B"},
    {RULE, 0, "rule", "KEY=VALUE,...",
     "what applies to some pairs, like\n"
     "a=bolt*,b=plate,clearance=0.2; repeatable, the last\n"
     "one that matches a pair takes it"},

    {TOPIC, 0, "Motion", NULL, NULL},
    {MOVE_A, 0, "move-a", "X,Y,Z", "A moves straight by this; the whole way is checked"},
    {MOVE_B, 0, "move-b", "X,Y,Z", "the same for B"},
    {END_B, 0, "end-b", "SPEC",
     "B moves along a screw from its placement to this one,\n"
     "given like that of --place-b"},
    {WAYPOINTS, 0, "waypoints", "FILE", "the same through a JSON list of placements of B"},
    {TO_B, 0, "to-b", "FILE",
     "each vertex of B moves straight to its place in this\n"
     "STL file, which has the same facets"},
    {MOTION_TOLERANCE, 0, "motion-tolerance", "D",
     "how near parts may come on other than straight ways\n"
     "before it counts as contact (default 1/10000 of the\n"
     "longest side)"},

    {TOPIC, 0, "Probes, in place of pairs", NULL, NULL},
    {PROBE, 0, "probe", "SPEC",
     "a segment X,Y,Z:X,Y,Z, a ray X,Y,Z:DX,DY,DZ,inf, or,\n"
     "with :RADIUS behind, a capsule, against each part;\n"
     "repeatable"},
    {PROBES, 0, "probes", "FILE", "one such SPEC in each line of FILE, '-': standard input"},

    {TOPIC, 0, "Work", NULL, NULL},
    {QUICK, 0, "quick", NULL, "the verdict only: stop at the first proof"},
    {NO_OVERLAP, 0, "no-overlap", NULL, "the status, but no volume and depth of the overlap"},
    {DEPTH_ERROR, 0, "depth-error", "E",
     "relative error of the depth, like 0.001 or 0.1%\n"
     "(default 1%)"},
    {HEALTH, 0, "health", NULL, "judge both meshes in full, and show their volumes"},
    {MAX_TIME, 0, "max-time", "SECONDS", "what is not decided by then is undecided"},
    {MEMORY, 0, "memory", "SIZE",
     "for loaded parts, like 500M or 2G: beyond it they are\n"
     "read again when needed (default: half of what is free)"},
    {THREADS, 'j', "threads", "N", "threads (default 0: every core that may be used)"},

    {TOPIC, 0, "Report", NULL, NULL},
    {FORMAT, 'f', "format", "FORMAT",
     "what goes to standard output: text (default), json,\n"
     "junit, markdown, csv or github (annotations); jsonl\n"
     "(a line for each probe)"},
    {OUTPUT, 'o', "output", "FILE",
     "also write a report to FILE (.txt, .text, .json, .xml,\n"
     ".md, .csv; of probes .jsonl); repeatable"},
    {BASELINE, 0, "baseline", "FILE",
     "a former JSON report: only failures that are new or\n"
     "worse count"},
    {CURVES, 0, "curves", "FILE",
     "write the curves in which the surfaces meet to FILE\n"
     "(.obj)"},
    {LIST, 0, "list", "checked|all",
     "which pairs to list: all, or (default) not those that\n"
     "their boxes alone show to be clear, which are counted"},
    {LIST_PAIRS, 0, "list-pairs", NULL, "check nothing: list what would be checked, and why"},
    {MAX_HITS, 'n', "max-hits", "N|all",
     "how many intersecting pairs of triangles to list\n"
     "(default 100, in text 5); all are counted"},
    {UNITS, 'u', "units", "NAME", "label for lengths; nothing is converted"},
    {QUIET, 'q', "quiet", NULL, "nothing on standard output, only the exit status"},

    {TOPIC, 0, "Terminal", NULL, NULL},
    {VERBOSE, 'v', "verbose", NULL,
     "phases, counts, times and memory on standard error,\n"
     "and statistics in JSON"},
    {PROGRESS, 0, "progress", "WHEN",
     "bar on standard error: always, never, or auto\n"
     "(default): on a terminal, after a second"},
    {COLOR, 0, "color", "WHEN",
     "colour: always, never, or auto (default): on a\n"
     "terminal, unless NO_COLOR is set"},
    {HELP, 'h', "help", NULL, "print this and exit"},
    {VERSION, 'V', "version", NULL, "print the version and exit"},
};
enum { TABLE_LENGTH = sizeof table / sizeof table[0], FIRST_LONG = 256 };

static bool set_format(const struct entry *option, const char *value, const report_format **format)
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

static bool add_output(const struct entry *option, const char *value, cli_options *options)
{
    const report_format *format = report_format_of_file(value);
    if (format) {
        options->outputs[options->output_count++] = (cli_output){value, format};
        return true;
    }
    char what[256];
    size_t used = (size_t)snprintf(what, sizeof what, "ends in none of");
    for (format = report_formats; format->name; format++) {
        for (const char *const *extension = format->extensions; *extension; extension++) {
            used += (size_t)snprintf(what + used, sizeof what - used, " %s", *extension);
        }
    }
    return value_refused(option->name, value, what);
}

static bool set_curves(const struct entry *option, const char *value, cli_options *options)
{
    const char *dot = strrchr(value, '.');
    if (!dot || strcasecmp(dot, ".obj") != 0) {
        return value_refused(option->name, value, "does not end in .obj");
    }
    options->curves = value;
    options->check.curves = true;
    return true;
}

static bool set_when(const struct entry *option, const char *value, cli_when *when)
{
    int choice;
    if (!value_choice(option->name, value, "auto|always|never", &choice)) {
        return false;
    }
    *when = (cli_when)choice; /* in the order of the words */
    return true;
}

static bool apply(cli_options *options, const struct entry *option, const char *value)
{
    stlclash_options *check = &options->check;
    uint64_t count;
    int choice;

    switch (option->id) {
    case TOPIC: return false;
    case CLEARANCE: return value_number(option->name, value, &check->clearance);
    case TOUCH_OVERLAP: return value_tolerance(option->name, value, &check->touch_overlap);
    case TOUCH_GAP: return value_tolerance(option->name, value, &check->touch_gap);
    case CONTACT:
        if (!value_choice(option->name, value, option->value, &choice)) {
            return false;
        }
        check->contact_fails = choice == 1;
        return true;
    case EXACT: check->exact = true; return true;
    case PLACE_A:
    case PLACE_B:
        choice = option->id == PLACE_B;
        check->placement[choice] = options->placement[choice];
        return value_placement(option->name, value, options->placement[choice]);
    case MOVE_A:
    case MOVE_B:
        choice = option->id == MOVE_B;
        options->motion.moves[choice] = true;
        return value_vector(option->name, value, options->motion.way[choice]);
    case END_B:
        options->motion.ends = true;
        return value_placement(option->name, value, options->motion.end);
    case WAYPOINTS: options->motion.waypoints = value; return true;
    case TO_B: options->motion.end_mesh = value; return true;
    case MOTION_TOLERANCE:
        if (!value_number(option->name, value, &options->motion.tolerance)) {
            return false;
        }
        return options->motion.tolerance > 0.0 ||
               value_refused(option->name, value, "is not more than 0");
    case QUICK: check->quick = true; return true;
    case NO_OVERLAP: check->no_overlap = true; return true;
    case DEPTH_ERROR: return value_fraction(option->name, value, 1e-6, &check->depth_error);
    case HEALTH: check->health = true; return true;
    case PROBE:
        options->probes[options->probe_count++] = value;
        return probe_value(option->name, value);
    case PROBES: options->probe_file = value; return true;
    case RULE: options->rules[options->rule_count++] = value; return true;
    case MEMORY: return value_size(option->name, value, &options->memory);
    case MAX_TIME:
        if (!value_number(option->name, value, &check->max_seconds)) {
            return false;
        }
        /* To the library 0 is no limit; to a script that computes it, none left. */
        return check->max_seconds > 0.0 || value_refused(option->name, value, "is not more than 0");
    case THREADS:
        if (!value_count(option->name, value, INT_MAX, &count)) {
            return false;
        }
        check->threads = (int)count;
        return true;
    case FORMAT: return set_format(option, value, &options->format);
    case OUTPUT: return add_output(option, value, options);
    case BASELINE: options->baseline = value; return true;
    case CURVES: return set_curves(option, value, options);
    case LIST:
        if (!value_choice(option->name, value, option->value, &choice)) {
            return false;
        }
        options->list_all = choice == 1;
        return true;
    case LIST_PAIRS: options->list_pairs = true; return true;
    case MAX_HITS:
        options->max_hits_given = true;
        return value_count_or_all(option->name, value, &check->max_hits);
    case UNITS: return value_label(option->name, value, &options->units);
    case QUIET: options->quiet = true; return true;
    case VERBOSE: options->verbose = true; return true;
    case PROGRESS: return set_when(option, value, &options->progress);
    case COLOR: return set_when(option, value, &options->color);
    case HELP: options->action = CLI_HELP; return true;
    case VERSION: options->action = CLI_VERSION; return true;
    }
    return false;
}

/* ---- the command line ---------------------------------------------------- */

/* The table as getopt_long wants it. A long option's value is FIRST_LONG + its
 * index, so that it is told from every letter. */
typedef struct getopt_table {
    struct option names[TABLE_LENGTH + 1];
    char letters[2 * TABLE_LENGTH + 2];
} getopt_table;

static getopt_table make_getopt_table(void)
{
    getopt_table made = {.letters = ":"}; /* tell a missing value from an unknown option */
    int names = 0, letters = 1;

    for (int i = 0; i < TABLE_LENGTH; i++) {
        const struct entry *option = &table[i];
        if (option->id == TOPIC) {
            continue;
        }
        int takes = option->value ? required_argument : no_argument;
        made.names[names++] = (struct option){option->name, takes, NULL, FIRST_LONG + i};
        if (option->letter) {
            made.letters[letters++] = option->letter;
            if (option->value) {
                made.letters[letters++] = ':';
            }
        }
    }
    return made;
}

static const struct entry *find(int getopt_value)
{
    if (getopt_value >= FIRST_LONG) {
        return &table[getopt_value - FIRST_LONG];
    }
    for (int i = 0; i < TABLE_LENGTH; i++) {
        if (table[i].id != TOPIC && table[i].letter == getopt_value) {
            return &table[i];
        }
    }
    return NULL;
}

/* How many letters must be put in, taken out or changed to make one word the other (Wagner and
 * Fischer, The string-to-string correction problem, 1974); INT_MAX for words longer than any. */
static int letters_apart(const char *word, size_t length, const char *name)
{
    enum { LONGEST = 32 };
    int row[LONGEST + 1];
    size_t width = strlen(name);

    if (width > LONGEST || length > LONGEST) {
        return INT_MAX;
    }
    for (size_t k = 0; k <= width; k++) {
        row[k] = (int)k;
    }
    for (size_t i = 0; i < length; i++) {
        int before = row[0];
        row[0] = (int)i + 1;
        for (size_t k = 1; k <= width; k++) {
            int least = before + (word[i] != name[k - 1]);
            least = least < row[k - 1] + 1 ? least : row[k - 1] + 1;
            before = row[k];
            row[k] = least < before + 1 ? least : before + 1;
        }
    }
    return row[width];
}

/* The option that may have been meant, or NULL. */
static const char *similar_option(const char *word, size_t length)
{
    enum { MOST = 2 }; /* of shorter words that is half */
    const char *best = NULL;
    int least = MOST + 1;
    for (int i = 0; i < TABLE_LENGTH && length > 2 * MOST; i++) {
        if (table[i].id == TOPIC) {
            continue;
        }
        int apart = letters_apart(word, length, table[i].name);
        if (apart < least) {
            least = apart;
            best = table[i].name;
        }
    }
    return best;
}

/* getopt's '?': an option that is unknown, ambiguous, or given a value in vain. */
static void explain_unknown(const char *argument)
{
    if (optopt >= FIRST_LONG) {
        message_print("option '--%s' takes no value (try --help)", find(optopt)->name);
        return;
    }
    if (optopt != 0) {
        message_print("unknown option '-%c' (try --help)", optopt);
        return;
    }
    size_t length = strcspn(argument, "=");
    const char *candidates[2] = {NULL, NULL};
    for (int i = 0, found = 0; i < TABLE_LENGTH && found < 2; i++) {
        if (table[i].id != TOPIC && length > 2 &&
            strncmp(argument + 2, table[i].name, length - 2) == 0) {
            candidates[found++] = table[i].name;
        }
    }
    const char *similar = length > 2 ? similar_option(argument + 2, length - 2) : NULL;
    if (candidates[1]) {
        message_print("option '%.*s' could be '--%s' or '--%s' (try --help)", (int)length, argument,
                      candidates[0], candidates[1]);
    } else if (similar) {
        message_print("unknown option '%.*s'; did you mean '--%s'? (try --help)", (int)length,
                      argument, similar);
    } else {
        message_print("unknown option '%.*s' (try --help)", (int)length, argument);
    }
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

    getopt_table made = make_getopt_table();
    opterr = 0;
    for (;;) {
        int value = getopt_long(argc, argv, made.letters, made.names, NULL);
        if (value == -1) {
            break;
        }
        if (value == '?') {
            explain_unknown(argv[optind - 1]);
            return false;
        }
        if (value == ':') {
            message_print("option '--%s' needs a value (try --help)", find(optopt)->name);
            return false;
        }
        if (!apply(options, find(value), optarg)) {
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

/* ---- help ---------------------------------------------------------------- */

enum { HELP_COLUMN = 31 };

static void print_option(FILE *stream, const struct entry *option)
{
    int width =
        option->letter ? fprintf(stream, "  -%c, ", option->letter) : fprintf(stream, "      ");
    width += fprintf(stream, "--%s%s%s", option->name, option->value ? "=" : "",
                     option->value ? option->value : "");

    const char *line = option->help;
    for (;;) {
        int length = (int)strcspn(line, "\n");
        fprintf(stream, "%*s%.*s\n", width < HELP_COLUMN ? HELP_COLUMN - width : 1, "", length,
                line);
        if (line[length] == '\0') {
            return;
        }
        line += length + 1;
        width = 0;
    }
}

void options_print_help(FILE *stream)
{
    fputs("Usage: stlclash [OPTION]... A.stl B.stl [PART.stl]...\n"
          "       stlclash [OPTION]... ASSEMBLY.json\n"
          "       stlclash --probe=SPEC|--probes=FILE [OPTION]... PART.stl...|ASSEMBLY.json\n"
          "Tell whether STL parts clash, touch, or how far apart they are, and where: every\n"
          "pair of them. '-' reads a part, or the assembly, from standard input.\n",
          stream);
    for (int i = 0; i < TABLE_LENGTH; i++) {
        if (table[i].id == TOPIC) {
            fprintf(stream, "\n%s:\n", table[i].name);
        } else {
            print_option(stream, &table[i]);
        }
    }
    fputs("\nExit status: 0 every pair passes, 1 a pair fails, 2 an error, or an undecided pair.\n",
          stream);
}
