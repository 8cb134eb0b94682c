/* report_csv.c - a row for each listed pair (RFC 4180), for spreadsheets and scripts.
 *
 * What was not computed is an empty field. Numbers are the shortest that read back to
 * the same double and have no guard, texts as report_escape.h says. */
#include "report.h"
#include "report_escape.h"
#include "report_id.h"
#include "report_number.h"
#include "report_pair.h"

#include <inttypes.h>

static const char header[] =
    "id,a,b,rule,status,pass,change,distance,depth,depth_error,volume,volume_error,clearance,"
    "resolution,intersecting_pairs,contact_area,ax,ay,az,bx,by,bz,reason";

static void write_text(FILE *stream, const char *text)
{
    escape_csv(text ? text : "", stream);
    fputc(',', stream);
}

static void write_number(FILE *stream, bool known, double value)
{
    char text[NUMBER_SIZE];
    fprintf(stream, "%s,", known ? number_shortest(text, value) : "");
}

static void write_point(FILE *stream, bool known, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        write_number(stream, known, point[k]);
    }
}

static void write_result(FILE *stream, const report_pair *pair)
{
    static const stlclash_result nothing;
    const stlclash_result *result = pair->result ? pair->result : &nothing;
    const stlclash_overlap *overlap = &result->overlap;
    const stlclash_separation *known = report_pair_separation(pair);
    const stlclash_separation *separation = known ? known : &nothing.separation;
    bool apart = known != NULL, deep = result->has_overlap && overlap->has_depth;

    write_number(stream, apart, separation->distance);
    write_number(stream, deep, overlap->depth);
    write_number(stream, deep, overlap->depth_error);
    write_number(stream, result->has_overlap, overlap->volume);
    write_number(stream, result->has_overlap, overlap->volume_error);
    write_number(stream, !pair->ignored, pair->options->clearance);
    write_number(stream, result->resolution > 0.0, result->resolution);
    if (result->has_hit_count) {
        fprintf(stream, "%" PRIu64, result->hit_count);
    }
    fputc(',', stream);
    write_number(stream, result->has_contact_area, result->contact_area);
    write_point(stream, apart, separation->point_a);
    write_point(stream, apart, separation->point_b);
}

static const char *reason_of(char text[PAIR_LINE_SIZE], const report_pair *pair)
{
    const char *note = NULL;

    if (pair->ignored) {
        return pair->ignored;
    }
    if (pair->error) {
        return report_pair_error(text, pair);
    }
    if (report_pair_status(pair) == STLCLASH_UNDECIDED) {
        note = report_pair_reason(pair);
    }
    return note ? note : "";
}

static void write_row(FILE *stream, const report_pair *pair)
{
    char id[REPORT_ID_SIZE], reason[PAIR_LINE_SIZE];

    write_text(stream, report_id(id, pair->a->name, pair->b->name));
    write_text(stream, pair->a->name);
    write_text(stream, pair->b->name);
    write_text(stream, pair->rule ? pair->rule->name : NULL);
    write_text(stream, report_pair_word(pair));
    write_text(stream, report_pair_fails(pair) ? "false" : "true");
    write_text(stream, report_change_text(pair->change));
    write_result(stream, pair);
    escape_csv(reason_of(reason, pair), stream);
    fputs("\r\n", stream);
}

bool report_write_csv(const struct report *report, FILE *stream)
{
    fprintf(stream, "%s\r\n", header);
    for (size_t i = 0; i < report->pair_count; i++) {
        write_row(stream, &report->pairs[i]);
    }
    return true;
}
