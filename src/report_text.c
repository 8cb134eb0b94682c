/* report_text.c - the report for people: the verdict, then the numbers that matter.
 *
 * Numbers are rounded to seven digits, which is what a float can tell; JSON has
 * them in full. */
#include "report.h"
#include "report_number.h"

#include <inttypes.h>
#include <string.h>

enum { FEW_HITS = 5, VALUE_SIZE = 128, LINE_LENGTH = 90 };

static const struct appearance {
    const char *word, *color; /* the colour as terminals number it */
} appearances[] = {
    [STLCLASH_UNDECIDED] = {"UNDECIDED", "35"}, [STLCLASH_CLASH] = {"CLASH", "1;31"},
    [STLCLASH_CONTACT] = {"CONTACT", "36"},     [STLCLASH_NEAR] = {"NEAR", "33"},
    [STLCLASH_CLEAR] = {"CLEAR", "32"},
};

/* What the functions below share. */
typedef struct page {
    FILE *stream;
    const struct report *report;
    const report_pair *pair;
    const stlclash_result *result;
} page;

/* ---- pieces -------------------------------------------------------------- */

/* A name from outside: control characters could move the cursor, or worse. */
static void print_name(const char *name, FILE *stream)
{
    for (; *name; name++) {
        bool control = (unsigned char)*name < ' ' || *name == 0x7f;
        fputc(control ? '?' : *name, stream);
    }
}

/* "  label         value" */
static void print_value(FILE *stream, const char *label, const char *value)
{
    fprintf(stream, "  %-12s  %s\n", label, value);
}

/* The same for a sentence, in lines of a length that reads well. */
static void print_sentence(FILE *stream, const char *label, const char *before, const char *text)
{
    int indent = fprintf(stream, "  %-12s  ", label);
    int column = indent + (int)strlen(before);

    print_name(before, stream);
    for (;;) {
        int word = (int)strcspn(text, " ");
        column += fprintf(stream, "%.*s", word, text);
        text += word;
        if (!*text) {
            break;
        }
        text++; /* the blank, which becomes a line end where the next word is too long */
        if (column + 1 + (int)strcspn(text, " ") > LINE_LENGTH) {
            column = fprintf(stream, "\n%*s", indent, "") - 1;
        } else {
            column += fprintf(stream, " ");
        }
    }
    fputc('\n', stream);
}

/* "  label         value                     ", for a remark to follow. */
static void start_remark(FILE *stream, const char *label, const char *value)
{
    fprintf(stream, "  %-12s  %-26s  ", label, value);
}

static void print_length(FILE *stream, const page *p, double value)
{
    char text[NUMBER_SIZE];
    const char *units = p->report->units;
    fprintf(stream, "%s%s%s", number_rounded(text, value), units ? " " : "", units ? units : "");
}

static const char *vector_text(char text[VALUE_SIZE], const double v[3])
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    snprintf(text, VALUE_SIZE, "%s %s %s", number_rounded(x, v[0]), number_rounded(y, v[1]),
             number_rounded(z, v[2]));
    return text;
}

/* ---- rows ---------------------------------------------------------------- */

/* CLASH      a.stl  b.stl */
static void print_verdict(const page *p)
{
    struct appearance look = appearances[p->result->status];
    if (p->report->color) {
        fprintf(p->stream, "\033[%sm%-9s\033[0m  ", look.color, look.word);
    } else {
        fprintf(p->stream, "%-9s  ", look.word);
    }
    print_name(p->pair->a->file, p->stream);
    fputs("  ", p->stream);
    print_name(p->pair->b->file, p->stream);
    fputc('\n', p->stream);
}

/* What the distance means for the verdict; a text, then a length if that is >= 0. */
static const char *distance_remark(const page *p, double *length)
{
    const stlclash_result *result = p->result;
    double distance = result->separation.distance, clearance = p->report->options.clearance;

    *length = -1.0;
    switch (result->status) {
    case STLCLASH_CLASH:
        return distance == 0.0 ? "the surfaces meet" : "one part lies inside the other";
    case STLCLASH_CONTACT:
        if (distance == 0.0) {
            return "the surfaces meet";
        }
        *length = result->touch_gap;
        return "within the touch gap of ";
    case STLCLASH_NEAR: *length = clearance; return "below the clearance of ";
    case STLCLASH_CLEAR:
        if (clearance == 0.0) {
            return "";
        }
        *length = clearance;
        return distance < clearance ? "within the resolution of the clearance of "
                                    : "keeps the clearance of ";
    case STLCLASH_UNDECIDED: break;
    }
    return "";
}

static void print_distance(const page *p)
{
    double distance = p->result->separation.distance, clearance = p->report->options.clearance;
    const char *units = p->report->units;
    char number[NUMBER_SIZE], required[NUMBER_SIZE], value[VALUE_SIZE];

    /* Never "0.2 is below 0.2": as many digits as it takes. */
    number_rounded(number, distance);
    if (distance != clearance && strcmp(number, number_rounded(required, clearance)) == 0) {
        number_shortest(number, distance);
    }
    snprintf(value, sizeof value, "%s%s%.64s", number, units ? " " : "", units ? units : "");

    double length;
    const char *remark = distance_remark(p, &length);
    if (!*remark) {
        print_value(p->stream, "distance", value);
        return;
    }
    start_remark(p->stream, "distance", value);
    fputs(remark, p->stream);
    if (length >= 0.0) {
        print_length(p->stream, p, length);
    }
    fputc('\n', p->stream);
}

/* Where a witness point is and what it lies on. */
static void print_point(const page *p, const char *label, const char *point, uint32_t triangle,
                        const report_part *part, stlclash_feature feature)
{
    start_remark(p->stream, label, point);
    fprintf(p->stream, "%s of triangle %" PRIu32 " of ", stlclash_feature_text(feature), triangle);
    print_name(part->name, p->stream);
    fputc('\n', p->stream);
}

static void print_separation(const page *p)
{
    const stlclash_separation *s = &p->result->separation;
    const report_part *a = p->pair->a, *b = p->pair->b;
    char value[VALUE_SIZE];
    bool meet = s->distance == 0.0;

    print_distance(p);
    if (!meet) {
        start_remark(p->stream, "vector", vector_text(value, s->vector));
        fputs("from ", p->stream);
        print_name(b->name, p->stream);
        fputs(" to ", p->stream);
        print_name(a->name, p->stream);
        fputc('\n', p->stream);
    }
    print_point(p, meet ? "common point" : "point on A", vector_text(value, s->point_a),
                s->triangle_a, a, s->feature_a);
    print_point(p, meet ? "" : "point on B", meet ? "" : vector_text(value, s->point_b),
                s->triangle_b, b, s->feature_b);
}

static void print_hit(const page *p, const stlclash_hit *hit)
{
    char numbers[VALUE_SIZE], first[VALUE_SIZE], second[VALUE_SIZE];

    snprintf(numbers, sizeof numbers, "%" PRIu32 " and %" PRIu32, hit->triangle_a, hit->triangle_b);
    start_remark(p->stream, "", numbers);
    vector_text(first, hit->points[0]);
    vector_text(second, hit->points[hit->point_count - 1]);
    if (hit->point_count <= 2 && strcmp(first, second) == 0) {
        fprintf(p->stream, "at %s\n", first); /* a point, or a segment that looks like one */
    } else if (hit->point_count == 2) {
        fprintf(p->stream, "from %s to %s\n", first, second);
    } else {
        fprintf(p->stream, "polygon of %" PRIu32 " corners, one at %s\n", hit->point_count, first);
    }
}

static void print_hits(const page *p)
{
    const stlclash_result *result = p->result;
    char value[VALUE_SIZE];

    if (result->has_hit_count ? result->hit_count == 0 : result->hits_listed == 0) {
        return;
    }
    uint64_t known = result->has_hit_count ? result->hit_count : result->hits_listed;
    snprintf(value, sizeof value, "%s%" PRIu64 " %s", result->has_hit_count ? "" : "at least ",
             known, known == 1 ? "pair meets" : "pairs meet");
    start_remark(p->stream, "triangles", value);
    fputs("one of ", p->stream);
    print_name(p->pair->a->name, p->stream);
    fputs(", one of ", p->stream);
    print_name(p->pair->b->name, p->stream);
    fputc('\n', p->stream);

    uint64_t shown = result->hits_listed;
    if (shown > FEW_HITS && !p->report->all_hits) {
        shown = FEW_HITS;
    }
    for (uint64_t i = 0; i < shown; i++) {
        print_hit(p, &result->hits[i]);
    }
    if (shown > 0 && shown < known) {
        snprintf(value, sizeof value, "and %" PRIu64 " more", known - shown);
        start_remark(p->stream, "", value);
        fputs("--max-hits=all lists them\n", p->stream);
    }
}

static void print_clearance(const page *p, const char *kept)
{
    fprintf(p->stream, "  %-12s  %s: ", "clearance", kept);
    print_length(p->stream, p, p->report->options.clearance);
    fputc('\n', p->stream);
}

/* What the distance alone does not tell: the clearance where no distance was
 * computed, and what makes a contact fail. */
static void print_rules(const page *p)
{
    const stlclash_result *result = p->result;
    const stlclash_options *options = &p->report->options;

    if (result->status == STLCLASH_CONTACT && !result->pass) {
        if (options->contact_fails) {
            print_value(p->stream, "contact", "fails by --contact=fail");
        } else {
            print_clearance(p, "not kept");
        }
    } else if (!result->has_separation && options->clearance > 0.0) {
        if (result->status == STLCLASH_NEAR || result->status == STLCLASH_CLEAR) {
            print_clearance(p, result->pass ? "kept" : "not kept");
        }
    }
}

static void print_warnings(const page *p, const report_part *part)
{
    char before[VALUE_SIZE];
    snprintf(before, sizeof before, "%.100s: ", part->name);
    for (size_t i = 0; i < part->info.warning_count; i++) {
        print_sentence(p->stream, "warning", before, part->info.warnings[i].text);
    }
}

/* ---- the report ---------------------------------------------------------- */

static void print_notes(const page *p)
{
    for (size_t i = 0; i < p->result->note_count; i++) {
        print_sentence(p->stream, "note", "", stlclash_note_text(p->result->notes[i]));
    }
}

static void print_pair(const page *p)
{
    const char *units = p->report->units;
    char resolution[VALUE_SIZE];
    bool undecided = p->result->status == STLCLASH_UNDECIDED;

    print_verdict(p);
    if (undecided) {
        print_notes(p); /* why, first of all */
    }
    if (p->result->has_separation) {
        print_separation(p);
    }
    print_hits(p);
    print_rules(p);
    snprintf(resolution, sizeof resolution, "%.2g%s%.64s", p->result->resolution, units ? " " : "",
             units ? units : "");
    print_value(p->stream, "resolution", resolution);
    if (!undecided) {
        print_notes(p);
    }
}

bool report_write_text(const struct report *report, FILE *stream)
{
    page p = {.stream = stream, .report = report};

    for (size_t i = 0; i < report->pair_count; i++) {
        p.pair = &report->pairs[i];
        p.result = p.pair->result;
        print_pair(&p);
    }
    for (size_t i = 0; i < report->part_count; i++) {
        print_warnings(&p, &report->parts[i]);
    }
    return true;
}
