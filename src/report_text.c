/* report_text.c - the report for people: the verdict, then the numbers that matter.
 *
 * Numbers are rounded to seven digits, which is what a float can tell; JSON has
 * them in full. */
#include "report.h"
#include "report_number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FEW_HITS = 5, FEW_REGIONS = 3, VALUE_SIZE = 128, LINE_LENGTH = 90 };

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
    fprintf(stream, "  %-12s  ", label);
    print_name(value, stream);
    int length = (int)strlen(value);
    fprintf(stream, "%*s  ", length < 26 ? 26 - length : 0, "");
}

/* A number with its unit: of a length, an area (power 2) or a volume (3). */
static const char *with_unit(char text[VALUE_SIZE], const page *p, const char *number, int power)
{
    static const char *const powers[] = {"", "", "^2", "^3"};
    const char *units = p->report->units;
    snprintf(text, VALUE_SIZE, "%s%s%.64s%s", number, units ? " " : "", units ? units : "",
             units ? powers[power] : "");
    return text;
}

static const char *rounded(char text[VALUE_SIZE], const page *p, double value, int power)
{
    char number[NUMBER_SIZE];
    return with_unit(text, p, number_rounded(number, value), power);
}

static const char *vector_text(char text[VALUE_SIZE], const double v[3])
{
    char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
    snprintf(text, VALUE_SIZE, "%s %s %s", number_rounded(x, v[0]), number_rounded(y, v[1]),
             number_rounded(z, v[2]));
    return text;
}

/* A way from one point to another; what is far below its length is rounding. */
static const char *way_text(char text[VALUE_SIZE], const double v[3])
{
    double longest = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2])), cleaned[3];
    for (int k = 0; k < 3; k++) {
        cleaned[k] = fabs(v[k]) < 1e-7 * longest ? 0.0 : v[k];
    }
    return vector_text(text, cleaned);
}

/* A unit vector, to five digits. */
static const char *direction_text(char text[VALUE_SIZE], const double v[3])
{
    double cleaned[3];
    for (int k = 0; k < 3; k++) {
        cleaned[k] = fabs(v[k]) < 0.5e-5 ? 0.0 : v[k];
    }
    snprintf(text, VALUE_SIZE, "%.5g %.5g %.5g", cleaned[0], cleaned[1], cleaned[2]);
    return text;
}

/* ---- rows ---------------------------------------------------------------- */

/* CLASH      a.stl  b.stl */
static void print_verdict(const page *p)
{
    struct appearance look = appearances[report_status(p->pair)];
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
    double distance = result->separation.distance, clearance = p->pair->options->clearance;

    *length = -1.0;
    switch (result->status) {
    case STLCLASH_CLASH:
        if (result->has_overlap && result->overlap.contained != STLCLASH_NEITHER) {
            return "between the surfaces";
        }
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
    double distance = p->result->separation.distance, clearance = p->pair->options->clearance;
    char number[NUMBER_SIZE], required[NUMBER_SIZE], value[VALUE_SIZE];

    /* Never "0.2 is below 0.2": as many digits as it takes. */
    number_rounded(number, distance);
    if (distance != clearance && strcmp(number, number_rounded(required, clearance)) == 0) {
        number_shortest(number, distance);
    }
    with_unit(value, p, number, 1);

    double length;
    const char *remark = distance_remark(p, &length);
    if (!*remark) {
        print_value(p->stream, "distance", value);
        return;
    }
    start_remark(p->stream, "distance", value);
    fputs(remark, p->stream);
    fprintf(p->stream, "%s\n", length >= 0.0 ? rounded(value, p, length, 1) : "");
}

static void print_from_to(const page *p, const report_part *from, const report_part *to)
{
    fputs("from ", p->stream);
    print_name(from->name, p->stream);
    fputs(" to ", p->stream);
    print_name(to->name, p->stream);
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
        start_remark(p->stream, "vector", way_text(value, s->vector));
        print_from_to(p, b, a);
    }
    print_point(p, meet ? "common point" : "point on A", vector_text(value, s->point_a),
                s->triangle_a, a, s->feature_a);
    print_point(p, meet ? "" : "point on B", meet ? "" : vector_text(value, s->point_b),
                s->triangle_b, b, s->feature_b);
}

/* How the surfaces touch, where they do. */
static void print_touch(const page *p)
{
    const stlclash_result *result = p->result;
    char value[VALUE_SIZE];

    if (result->has_normal) {
        start_remark(p->stream, "normal", direction_text(value, result->normal));
        print_from_to(p, p->pair->b, p->pair->a);
    }
    if (result->has_contact_area && result->contact_area > 0.0) {
        start_remark(p->stream, "contact area", rounded(value, p, result->contact_area, 2));
        fputs("face to face\n", p->stream);
    }
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
    char value[VALUE_SIZE];
    fprintf(p->stream, "  %-12s  %s: %s\n", "clearance", kept,
            rounded(value, p, p->pair->options->clearance, 1));
}

/* What the distance alone does not tell: the clearance where no distance was
 * computed, and what makes a contact fail. */
static void print_rules(const page *p)
{
    const stlclash_result *result = p->result;
    const stlclash_options *options = p->pair->options;

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

/* ---- the overlap --------------------------------------------------------- */

static const char *name_of(const page *p, stlclash_side side)
{
    return side == STLCLASH_A ? p->pair->a->name : p->pair->b->name;
}

static void print_error(const page *p, double error, int power)
{
    char number[NUMBER_SIZE], value[VALUE_SIZE];
    number_error(number, error);
    fprintf(p->stream, "error at most %s\n", with_unit(value, p, number, power));
}

static void print_depth(const page *p, const stlclash_overlap *overlap)
{
    char value[VALUE_SIZE];

    start_remark(p->stream, "depth", rounded(value, p, overlap->depth, 1));
    if (p->result->status == STLCLASH_CONTACT) {
        fprintf(p->stream, "within the touch overlap of %s\n",
                rounded(value, p, p->result->touch_overlap, 1));
    } else {
        print_error(p, overlap->depth_error, 1);
    }
    print_value(p->stream, "deepest at", vector_text(value, overlap->deepest_point));
    start_remark(p->stream, "way out", way_text(value, overlap->deepest_vector));
    fputs("from there to the surface of ", p->stream);
    print_name(name_of(p, overlap->deepest_in), p->stream);
    fputc('\n', p->stream);
}

static void print_box(const page *p, const double bounds[2][3])
{
    char value[VALUE_SIZE];
    fprintf(p->stream, "from %s", vector_text(value, bounds[0]));
    fprintf(p->stream, " to %s\n", vector_text(value, bounds[1]));
}

static void print_regions(const page *p, const stlclash_overlap *overlap)
{
    char value[VALUE_SIZE];
    size_t count = overlap->region_count, shown = count < FEW_REGIONS ? count : FEW_REGIONS;

    if (count == 1) {
        fprintf(p->stream, "  %-12s  ", "region");
        print_box(p, overlap->regions[0].bounds);
        return;
    }
    if (count > 1) {
        snprintf(value, sizeof value, "%zu", count);
        start_remark(p->stream, "regions", value);
        fputs("separate ones, largest first\n", p->stream);
    }
    for (size_t i = 0; i < shown; i++) {
        const stlclash_region *region = &overlap->regions[i];
        start_remark(p->stream, "", rounded(value, p, region->volume, 3));
        if (overlap->has_depth && !isnan(region->depth)) {
            fprintf(p->stream, "%s deep, ", rounded(value, p, region->depth, 1));
        }
        print_box(p, region->bounds);
    }
    if (shown < count) {
        snprintf(value, sizeof value, "and %zu more", count - shown);
        start_remark(p->stream, "", value);
        fputs("--format=json lists them\n", p->stream);
    }
}

static void print_overlap(const page *p)
{
    const stlclash_overlap *overlap = &p->result->overlap;
    char value[VALUE_SIZE];

    if (overlap->contained != STLCLASH_NEITHER) {
        bool a_inside = overlap->contained == STLCLASH_A;
        fprintf(p->stream, "  %-12s  ", "contained");
        print_name(name_of(p, overlap->contained), p->stream);
        fputs(" lies inside ", p->stream);
        print_name(name_of(p, a_inside ? STLCLASH_B : STLCLASH_A), p->stream);
        fputc('\n', p->stream);
    }
    if (overlap->has_depth && overlap->depth > 0.0) {
        print_depth(p, overlap);
    }
    if (overlap->volume > 0.0) {
        start_remark(p->stream, "volume", rounded(value, p, overlap->volume, 3));
        print_error(p, overlap->volume_error, 3);
        print_regions(p, overlap);
    }
}

/* ---- the parts ----------------------------------------------------------- */

static void print_health(const page *p, const report_part *part)
{
    const stlclash_part_result *found = &part->found;
    char value[VALUE_SIZE];

    start_remark(p->stream, "part", part->name);
    if (!found->has_health) {
        fputs("not judged\n", p->stream);
    } else if (!found->closed) {
        fputs("not closed\n", p->stream);
    } else {
        fprintf(p->stream, "closed, volume %s\n", rounded(value, p, found->volume, 3));
    }
}

static void print_warnings(const page *p, const report_part *part, const stlclash_warning *warnings,
                           size_t count)
{
    char before[VALUE_SIZE];
    snprintf(before, sizeof before, "%.100s: ", part->name);
    for (size_t i = 0; i < count; i++) {
        print_sentence(p->stream, "warning", before, warnings[i].text);
    }
}

/* ---- the report ---------------------------------------------------------- */

static void print_notes(const page *p)
{
    for (size_t i = 0; i < p->result->note_count; i++) {
        print_sentence(p->stream, "note", "", stlclash_note_text(p->result->notes[i]));
    }
}

static void print_resolution(const page *p)
{
    char number[NUMBER_SIZE], value[VALUE_SIZE];
    snprintf(number, sizeof number, "%.2g", p->result->resolution);
    print_value(p->stream, "resolution", with_unit(value, p, number, 1));
}

static void print_pair(const page *p)
{
    bool undecided = p->result->status == STLCLASH_UNDECIDED;

    print_verdict(p);
    if (p->pair->motion) {
        report_motion_text(p->report, p->pair, p->stream);
    }
    if (undecided) {
        print_notes(p); /* why, first of all */
    }
    if (p->result->has_overlap) {
        print_overlap(p);
    }
    if (p->result->has_separation) {
        print_separation(p);
    }
    print_touch(p);
    print_hits(p);
    print_rules(p);
    print_resolution(p);
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
    for (size_t i = 0; report->options.health && i < report->part_count; i++) {
        print_health(&p, &report->parts[i]);
    }
    for (size_t i = 0; i < report->part_count; i++) {
        const report_part *part = &report->parts[i];
        print_warnings(&p, part, part->info.warnings, part->info.warning_count);
        print_warnings(&p, part, part->found.warnings, part->found.warning_count);
    }
    return true;
}
