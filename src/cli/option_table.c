/* option_table.c - see option_table.h. */
#include "option_table.h"

#include "options.h"

#include <stdio.h>
#include <string.h>

const option_entry option_table[] = {
    {OPTION_TOPIC, 0, "Verdict", NULL, NULL},
    {OPTION_CLEARANCE, 'c', "clearance", "D", "required gap: parts nearer than D fail (default 0)"},
    {OPTION_TOUCH_OVERLAP, 0, "touch-overlap", "T",
     "depth of overlap up to which parts count as\n"
     "touching; auto (default): twice the resolution of\n"
     "the coordinates"},
    {OPTION_TOUCH_GAP, 0, "touch-gap", "G", "the same for a gap"},
    {OPTION_CONTACT, 0, "contact", "allow|fail", "whether parts that touch pass (default allow)"},
    {OPTION_REQUIRE_CLOSED, 0, "require-closed", NULL,
     "a part that is not closed leaves its pairs\n"
     "undecided, unless they clash"},
    {OPTION_EXACT, 0, "exact", NULL,
     "judge the coordinates as they stand: touch overlap\n"
     "and gap 0, clearance without allowance for the\n"
     "resolution"},
    {OPTION_PLACE_A, 0, "place-a", "SPEC",
     "move A first: X,Y,Z, or 12 or 16 numbers of a rigid\n"
     "matrix, row by row"},
    {OPTION_PLACE_B, 0, "place-b", "SPEC", "the same for B"},
    {OPTION_RULE, 0, "rule", "KEY=VALUE,...",
     "what applies to some pairs, like\n"
     "a=bolt*,b=plate,clearance=0.2; repeatable, the last\n"
     "one that matches a pair takes it"},

    {OPTION_TOPIC, 0, "Motion", NULL, NULL},
    {OPTION_MOVE_A, 0, "move-a", "X,Y,Z", "A moves straight by this; the whole way is checked"},
    {OPTION_MOVE_B, 0, "move-b", "X,Y,Z", "the same for B"},
    {OPTION_END_A, 0, "end-a", "SPEC",
     "A moves along a screw from its placement to this\n"
     "one, given like that of --place-a"},
    {OPTION_END_B, 0, "end-b", "SPEC", "the same for B"},
    {OPTION_WAYPOINTS, 0, "waypoints", "FILE", "the same through a JSON list of placements of B"},
    {OPTION_TO_B, 0, "to-b", "FILE",
     "each vertex of B moves straight to its place in this\n"
     "STL file, which has the same facets"},
    {OPTION_MOTION_TOLERANCE, 0, "motion-tolerance", "D",
     "how near parts may come on other than straight ways\n"
     "before it counts as contact (default 1/10000 of the\n"
     "longest side)"},

    {OPTION_TOPIC, 0, "Probes, in place of pairs", NULL, NULL},
    {OPTION_PROBE, 0, "probe", "SPEC",
     "a segment X,Y,Z:X,Y,Z, a ray X,Y,Z:DX,DY,DZ,inf, or,\n"
     "with :RADIUS behind, a capsule, against each part;\n"
     "repeatable"},
    {OPTION_PROBES, 0, "probes", "FILE",
     "one such SPEC in each line of FILE, '-': standard\n"
     "input"},

    {OPTION_TOPIC, 0, "Work", NULL, NULL},
    {OPTION_QUICK, 0, "quick", NULL, "the verdict only: stop at the first proof"},
    {OPTION_NO_DISTANCE, 0, "no-distance", NULL,
     "the distance only where the status depends on it"},
    {OPTION_NO_OVERLAP, 0, "no-overlap", NULL,
     "the status, but no volume and depth of the overlap"},
    {OPTION_NO_DEPTH, 0, "no-depth", NULL, "the volume of the overlap, but not its depth"},
    {OPTION_DEPTH_ERROR, 0, "depth-error", "E",
     "relative error of the depth, like 0.001 or 0.1%\n"
     "(default 1%)"},
    {OPTION_HEALTH, 0, "health", NULL, "judge every mesh in full, show its volume and pieces"},
    {OPTION_MAX_TIME, 0, "max-time", "SECONDS", "what is not decided by then is undecided"},
    {OPTION_MEMORY, 0, "memory", "SIZE",
     "for loaded parts, like 500M or 2G: beyond it they\n"
     "are read again when needed (default: half of what is\n"
     "free)"},
    {OPTION_THREADS, 'j', "threads", "N", "threads (default 0: every core that may be used)"},

    {OPTION_TOPIC, 0, "Report", NULL, NULL},
    {OPTION_FORMAT, 'f', "format", "FORMAT",
     "what goes to standard output: text (default), json,\n"
     "junit, markdown, csv or github (annotations); jsonl\n"
     "(a line for each probe)"},
    {OPTION_OUTPUT, 'o', "output", "FILE",
     "also write a report to FILE (.txt, .text, .json,\n"
     ".xml, .md, .csv; of probes .jsonl); repeatable"},
    {OPTION_BASELINE, 0, "baseline", "FILE",
     "a former JSON report: only failures that are new or\n"
     "worse count"},
    {OPTION_OVERLAP, 0, "overlap", "FILE",
     "write what parts that clash have in common to FILE,\n"
     "as a mesh (.stl, .obj)"},
    {OPTION_GAPS, 0, "gaps", NULL,
     "list every place where parts come nearer than the\n"
     "clearance, or touch, not only the nearest"},
    {OPTION_CURVES, 0, "curves", "FILE",
     "write the curves in which the surfaces meet to FILE\n"
     "(.obj)"},
    {OPTION_LIST, 0, "list", "checked|all",
     "which pairs to list: all, or (default) not those\n"
     "that their boxes alone show to be clear, which are\n"
     "counted"},
    {OPTION_LIST_PAIRS, 0, "list-pairs", NULL,
     "check nothing: list what would be checked, and why"},
    {OPTION_MAX_HITS, 'n', "max-hits", "N|all",
     "how many intersecting pairs of triangles to list\n"
     "(default 100, in text 5); all are counted"},
    {OPTION_UNITS, 'u', "units", "NAME", "label for lengths; nothing is converted"},
    {OPTION_QUIET, 'q', "quiet", NULL, "nothing on standard output, only the exit status"},

    {OPTION_TOPIC, 0, "Terminal", NULL, NULL},
    {OPTION_VERBOSE, 'v', "verbose", NULL,
     "phases, counts, times and memory on standard error,\n"
     "and statistics in JSON"},
    {OPTION_PROGRESS, 0, "progress", "WHEN",
     "bar on standard error: always, never, or auto\n"
     "(default): on a terminal, after a second"},
    {OPTION_COLOR, 0, "color", "WHEN",
     "colour: always, never, or auto (default): on a\n"
     "terminal, unless NO_COLOR is set"},
    {OPTION_HELP, 'h', "help", NULL, "print this and exit"},
    {OPTION_VERSION, 'V', "version", NULL, "print the version and exit"},
    {OPTION_TOPIC, 0, NULL, NULL, NULL},
};

const option_entry *option_of_getopt(int value)
{
    for (const option_entry *option = option_table; option->name; option++) {
        if (option->id != OPTION_TOPIC &&
            (option->letter == value || OPTION_LONG + (int)option->id == value)) {
            return option;
        }
    }
    return NULL;
}

/* ---- help ---------------------------------------------------------------- */

enum { HELP_COLUMN = 28 };

static void print_option(FILE *stream, const option_entry *option)
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
    for (const option_entry *option = option_table; option->name; option++) {
        if (option->id == OPTION_TOPIC) {
            fprintf(stream, "\n%s:\n", option->name);
        } else {
            print_option(stream, option);
        }
    }
    fputs("\nExit status: 0 every pair passes, 1 a pair fails, 2 an error or undecided pair.\n",
          stream);
}
