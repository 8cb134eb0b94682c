/* report_junit.c - JUnit XML, as CI servers read it: a test case for each pair. */
#include "report.h"
#include "report_block.h"
#include "report_pair.h"

#include <inttypes.h>

/* name="..." */
static void write_attribute(FILE *stream, const char *name, const char *value)
{
    fprintf(stream, " %s=\"", name);
    escape_xml(value, stream);
    fputc('"', stream);
}

static void write_property(FILE *stream, const char *name, uint64_t value)
{
    fprintf(stream, "    <property name=\"%s\" value=\"%" PRIu64 "\"/>\n", name, value);
}

/* "clash: depth 0.5 mm, volume 0.125 mm^3" */
static void write_line(FILE *stream, const struct report *report, const report_pair *pair)
{
    char line[PAIR_LINE_SIZE];
    const char *change = report_change_text(pair->change);

    report_pair_line(line, report, pair);
    fprintf(stream, "%s%s", report_pair_word(pair), *line ? ": " : "");
    escape_xml(line, stream);
    fprintf(stream, "%s%s", change ? ", " : "", change ? change : "");
}

static void write_text(FILE *stream, const struct report *report, const report_pair *pair)
{
    row_page page = {.stream = stream, .report = report, .escape = escape_xml};

    fprintf(stream, "%s  ", report_pair_word(pair));
    escape_xml(pair->a->file, stream);
    fputs("  ", stream);
    escape_xml(pair->b->file, stream);
    fputc('\n', stream);
    report_print_block(&page, pair);
    report_print_warnings(&page, pair->a);
    report_print_warnings(&page, pair->b);
}

static void write_case(FILE *stream, const struct report *report, const report_pair *pair)
{
    fputs("  <testcase", stream);
    write_attribute(stream, "classname", pair->rule ? pair->rule->name : "all pairs");
    fputs(" name=\"", stream);
    escape_xml(pair->a->name, stream);
    fputs(" vs ", stream);
    escape_xml(pair->b->name, stream);
    fputs("\">\n", stream);

    if (pair->ignored) {
        fputs("    <skipped", stream);
        write_attribute(stream, "message", pair->ignored);
        fputs("/>\n", stream);
    } else if (report_pair_fails(pair)) {
        bool undecided = report_pair_status(pair) == STLCLASH_UNDECIDED;
        const char *element = undecided ? "error" : "failure";
        fprintf(stream, "    <%s type=\"%s\" message=\"", element, report_pair_word(pair));
        write_line(stream, report, pair);
        fputs("\">", stream);
        write_text(stream, report, pair);
        fprintf(stream, "</%s>\n", element);
    } else {
        fputs("    <system-out>", stream);
        write_line(stream, report, pair);
        fputs("</system-out>\n", stream);
    }
    fputs("  </testcase>\n", stream);
}

/* Pairs that are not listed are far too many for test cases. One stands for them
 * where there is no other, for servers take a suite without any as a failure. */
static void write_no_case(FILE *stream)
{
    fputs("  <testcase classname=\"all pairs\" name=\"no pair is near another\"/>\n", stream);
}

bool report_write_junit(const struct report *report, FILE *stream)
{
    report_summary summary = report_summarise(report);
    size_t failures = 0, errors = 0, skipped = 0, listed = report->pair_count;

    for (size_t i = 0; i < listed; i++) {
        const report_pair *pair = &report->pairs[i];
        bool undecided = report_pair_status(pair) == STLCLASH_UNDECIDED;
        skipped += pair->ignored != NULL;
        errors += report_pair_fails(pair) && undecided;
        failures += report_pair_fails(pair) && !undecided;
    }
    fprintf(stream,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"stlclash\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
            "skipped=\"%zu\">\n",
            listed > 0 ? listed : 1, failures, errors, skipped);
    fputs("  <properties>\n    <property name=\"version\"", stream);
    write_attribute(stream, "value", stlclash_version());
    fputs("/>\n", stream);
    if (report->units) {
        fputs("    <property name=\"units\"", stream);
        write_attribute(stream, "value", report->units);
        fputs("/>\n", stream);
    }
    write_property(stream, "pairs", summary.pairs);
    write_property(stream, "clear by their boxes", report->clear_unlisted);
    write_property(stream, "ignored", summary.ignored);
    fputs("  </properties>\n", stream);
    for (size_t i = 0; i < listed; i++) {
        write_case(stream, report, &report->pairs[i]);
    }
    if (listed == 0) {
        write_no_case(stream);
    }
    fputs("</testsuite>\n", stream);
    return true;
}
