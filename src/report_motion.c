/* report_motion.c - what a motion came to, as text and as a member of the JSON report. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "report.h"
#include "report_number.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ----------------------------------------------------------------- */

static void print_name(const char *name, FILE *stream)
{
    for (; *name; name++) {
        bool control = (unsigned char)*name < ' ' || *name == 0x7f;
        fputc(control ? '?' : *name, stream);
    }
}

static void print_length(double value, const char *units, FILE *stream)
{
    char number[NUMBER_SIZE];
    fputs(number_rounded(number, value), stream);
    fprintf(stream, "%s%.64s", units ? " " : "", units ? units : "");
}

static void print_point(const double p[3], FILE *stream)
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE], text[4 * NUMBER_SIZE];
    snprintf(text, sizeof text, "%s %s %s", number_rounded(x, p[0]), number_rounded(y, p[1]),
             number_rounded(z, p[2]));
    fprintf(stream, "%-26s", text);
}

static void print_where(const char *label, const double p[3], stlclash_feature feature,
                        uint32_t triangle, const report_part *part, FILE *stream)
{
    fprintf(stream, "  %-12s  ", label);
    print_point(p, stream);
    fprintf(stream, "  %s of triangle %" PRIu32 " of ", stlclash_feature_text(feature), triangle);
    print_name(part->name, stream);
    fputc('\n', stream);
}

static void print_moment(const struct report *report, const report_pair *pair, const char *label,
                         const stlclash_moment *moment, FILE *stream)
{
    const stlclash_separation *s = &moment->separation;
    char time[NUMBER_SIZE];
    fprintf(stream, "  %-12s  at time %s, after ", label, number_rounded(time, moment->time));
    print_length(moment->travelled, report->units, stream);
    if (s->distance > 0.0) {
        fputs(", ", stream);
        print_length(s->distance, report->units, stream);
        fputs(" apart", stream);
    }
    fputs(moment->conservative ? " (or later, or not at all)\n" : "\n", stream);
    bool meet = s->distance == 0.0;
    print_where(meet ? "  there" : "  on A", s->point_a, s->feature_a, s->triangle_a, pair->a,
                stream);
    print_where(meet ? "" : "  on B", s->point_b, s->feature_b, s->triangle_b, pair->b, stream);
}

static void print_screws(const struct report *report, const stlclash_sweep_result *m, FILE *stream)
{
    for (size_t i = 0; i < m->screw_count; i++) {
        const stlclash_screw *s = &m->screws[i];
        char number[NUMBER_SIZE];
        fprintf(stream, "  %-12s  ", "screw");
        fprintf(stream, "%s degrees, shift ",
                number_rounded(number, s->angle * (180.0 / 3.14159265358979323846)));
        print_length(s->shift, report->units, stream);
        fputs(", about ", stream);
        for (int k = 0; k < 3; k++) {
            fprintf(stream, "%s ", number_rounded(number, s->direction[k]));
        }
        fputs("through", stream);
        for (int k = 0; k < 3; k++) {
            fprintf(stream, " %s", number_rounded(number, s->point[k]));
        }
        fputc('\n', stream);
    }
}

void report_motion_text(const struct report *report, const report_pair *pair, FILE *stream)
{
    const stlclash_sweep_result *m = pair->motion;
    char number[NUMBER_SIZE];
    static const char *const kinds[] = {"straight, decided exactly", "along a screw",
                                        "each vertex straight to its end"};

    fprintf(stream, "  %-12s  %s\n", "motion", kinds[m->kind]);
    print_screws(report, m, stream);
    if (m->has_contact) {
        print_moment(report, pair, "contact", &m->contact, stream);
    }
    if (m->has_clash && (!m->has_contact || m->clash.time != m->contact.time)) {
        print_moment(report, pair, "clash from", &m->clash, stream);
    }
    if (m->has_approach) {
        print_moment(report, pair, "nearest", &m->approach, stream);
        if (m->approach_error > 0.0) {
            fprintf(stream, "  %-12s  no nearer than ", "");
            double least = fmax(m->approach.separation.distance - m->approach_error, 0.0);
            print_length(least, report->units, stream);
            fputs(" at any time\n", stream);
        }
    }
    if (m->tolerance > 0.0) {
        fprintf(stream, "  %-12s  %s\n", "tolerance", number_rounded(number, m->tolerance));
    }
    for (size_t i = 0; i < m->note_count; i++) {
        fprintf(stream, "  %-12s  %s\n", "note", stlclash_note_text(m->notes[i]));
    }
    fprintf(stream, "  %-12s  %s\n", "at the start", stlclash_status_text(m->start->status));
}

/* ---- JSON ----------------------------------------------------------------- */

/* A member on a line of its own, where those of the pair's members have theirs. */
static void begin_member(const char *key, bool first, FILE *stream)
{
    fprintf(stream, "%s\n        \"%s\": ", first ? "" : ",", key);
}

static void write_number(double value, FILE *stream)
{
    char text[NUMBER_SIZE];
    fputs(number_shortest(text, value), stream);
}

static void write_vector(const double v[3], FILE *stream)
{
    for (int k = 0; k < 3; k++) {
        fputc(k == 0 ? '[' : ',', stream);
        write_number(v[k], stream);
    }
    fputc(']', stream);
}

static void write_moment(bool has, const stlclash_moment *m, FILE *stream)
{
    if (!has) {
        fputs("null", stream);
        return;
    }
    const stlclash_separation *s = &m->separation;
    fputs("{\"time\": ", stream);
    write_number(m->time, stream);
    fputs(", \"travelled\": ", stream);
    write_number(m->travelled, stream);
    fputs(", \"distance\": ", stream);
    write_number(s->distance, stream);
    fputs(", \"point_a\": ", stream);
    write_vector(s->point_a, stream);
    fputs(", \"point_b\": ", stream);
    write_vector(s->point_b, stream);
    fprintf(stream,
            ", \"triangle_a\": %" PRIu32 ", \"triangle_b\": %" PRIu32
            ", \"feature_a\": \"%s\", \"feature_b\": \"%s\", \"conservative\": %s}",
            s->triangle_a, s->triangle_b, stlclash_feature_text(s->feature_a),
            stlclash_feature_text(s->feature_b), m->conservative ? "true" : "false");
}

static void write_screw(const stlclash_screw *s, FILE *stream)
{
    fputs("{\"point\": ", stream);
    write_vector(s->point, stream);
    fputs(", \"direction\": ", stream);
    write_vector(s->direction, stream);
    fputs(", \"angle\": ", stream);
    write_number(s->angle, stream);
    fputs(", \"shift\": ", stream);
    write_number(s->shift, stream);
    fputs(", \"pitch\": ", stream); /* shift of a whole turn */
    if (s->angle > 0.0) {
        write_number(s->shift / s->angle * (2.0 * 3.14159265358979323846), stream);
    } else {
        fputs("null", stream);
    }
    fputc('}', stream);
}

char *report_motion_json(const report_pair *pair)
{
    const stlclash_sweep_result *m = pair->motion;
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) {
        return NULL;
    }
    fputc('{', stream);
    begin_member("kind", true, stream);
    fprintf(stream, "\"%s\"", stlclash_motion_kind_text(m->kind));
    begin_member("start_status", false, stream);
    fprintf(stream, "\"%s\"", stlclash_status_text(m->start->status));
    begin_member("tolerance", false, stream);
    write_number(m->tolerance, stream);
    begin_member("first_contact", false, stream);
    write_moment(m->has_contact, &m->contact, stream);
    begin_member("first_clash", false, stream);
    write_moment(m->has_clash, &m->clash, stream);
    begin_member("closest_approach", false, stream);
    write_moment(m->has_approach, &m->approach, stream);
    begin_member("closest_approach_error", false, stream);
    if (m->has_approach) {
        write_number(m->approach_error, stream);
    } else {
        fputs("null", stream);
    }
    begin_member("screws", false, stream);
    for (size_t i = 0; i < m->screw_count; i++) {
        fputs(i == 0 ? "[" : ", ", stream);
        write_screw(&m->screws[i], stream);
    }
    fputs(m->screw_count > 0 ? "]" : "[]", stream);
    begin_member("notes", false, stream);
    fputc('[', stream);
    for (size_t i = 0; i < m->note_count; i++) {
        fprintf(stream, "%s\"%s\"", i == 0 ? "" : ", ", m->notes[i]);
    }
    fputs("]\n      }", stream);
    bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
