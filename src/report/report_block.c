/* report_block.c - see report_block.h. */
#include "report_block.h"

#include "report_motion.h"
#include "report_number.h"
#include "report_pair.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FEW_HITS = 5, FEW_REGIONS = 3, FEW_GAPS = 10, SHORT_NAMES = 32 };

/* What the functions below share. */
typedef struct block {
    const row_page *row;
    FILE *stream;
    const report_pair *pair;
    const stlclash_result *result;
} block;

/* A part in the rows of its block. The head has both names: where they are long, the
 * rows of an assembly do with their places in it. */
static const char *called(const block *p, const report_part *part)
{
    const report_pair *pair = p->pair;
    size_t columns = row_columns(pair->a->name) + row_columns(pair->b->name);

    if (!p->row->brief || columns <= SHORT_NAMES) {
        return part->name;
    }
    return part == pair->a ? "A" : "B";
}

/* A value, which may have a unit from outside, between words of ours. */
static void say(const block *p, const char *before, const char *value, const char *after)
{
    fputs(before, p->stream);
    row_name(p->row, value);
    fputs(after, p->stream);
}

/* ---- the surfaces ---------------------------------------------------------------- */

/* What the distance means for the verdict; a text, then a length if that is >= 0. */
static const char *distance_remark(const block *p, double *length)
{
    const stlclash_result *result = p->result;
    double distance = result->separation.distance, clearance = p->pair->options->clearance;

    *length = -1.0;
    if (distance == DBL_MIN) {
        return "not 0, but less than rounding leaves";
    }
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
        *length = distance > result->touch_gap ? result->touch_overlap : result->touch_gap;
        return distance > result->touch_gap ? "one part lies inside the other, no deeper than "
                                            : "within the touch gap of ";
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

static void print_distance(const block *p)
{
    double distance = p->result->separation.distance, clearance = p->pair->options->clearance;
    char number[NUMBER_SIZE], required[NUMBER_SIZE], value[ROW_VALUE_SIZE];

    /* Never "0.2 is below 0.2": as many digits as it takes. */
    number_rounded(number, distance);
    if (distance != clearance && strcmp(number, number_rounded(required, clearance)) == 0) {
        number_shortest(number, distance);
    }
    row_with_unit(value, p->row, number, 1);

    double length;
    const char *remark = distance_remark(p, &length);
    if (!*remark) {
        row_value(p->row, "distance", value);
        return;
    }
    row_start(p->row, "distance", value);
    say(p, remark, length >= 0.0 ? row_number(value, p->row, length, 1) : "", "\n");
}

static void print_from_to(const block *p, const report_part *from, const report_part *to)
{
    fputs("from ", p->stream);
    row_name(p->row, called(p, from));
    fputs(" to ", p->stream);
    row_name(p->row, called(p, to));
    fputc('\n', p->stream);
}

/* Where a witness point is and what it lies on. */
static void print_point(const block *p, const char *label, const char *point, uint32_t triangle,
                        const report_part *part, stlclash_feature feature)
{
    row_start(p->row, label, point);
    fprintf(p->stream, "%s of triangle %" PRIu32 " of ", stlclash_feature_text(feature), triangle);
    row_name(p->row, called(p, part));
    fputc('\n', p->stream);
}

static void print_separation(const block *p)
{
    const stlclash_separation *s = &p->result->separation;
    const report_part *a = p->pair->a, *b = p->pair->b;
    char value[ROW_VALUE_SIZE];
    bool meet = s->distance == 0.0;

    print_distance(p);
    if (!meet) {
        row_start(p->row, "vector", row_way(value, s->vector));
        print_from_to(p, b, a);
    }
    print_point(p, meet ? "common point" : "point on A", row_point(value, s->point_a),
                s->triangle_a, a, s->feature_a);
    print_point(p, meet ? "" : "point on B", meet ? "" : row_point(value, s->point_b),
                s->triangle_b, b, s->feature_b);
}

static void print_from_point_to(const block *p, const double from[3], const double to[3])
{
    char value[ROW_VALUE_SIZE];
    fprintf(p->stream, "from %s", row_point(value, from));
    fprintf(p->stream, " to %s\n", row_point(value, to));
}

static void print_more(const block *p, size_t count, const char *what)
{
    char value[ROW_VALUE_SIZE];
    snprintf(value, sizeof value, "and %zu more", count);
    row_start(p->row, "", value);
    fprintf(p->stream, "%s\n", what);
}

/* Where the parts come near each other, if that was asked for; the nearest place stands above. */
static void print_gaps(const block *p)
{
    const stlclash_result *result = p->result;
    char value[ROW_VALUE_SIZE];
    size_t shown = 0;

    if (!result->has_gaps || result->gap_count == 0) {
        return;
    }
    snprintf(value, sizeof value, "%zu", result->gap_count);
    row_start(p->row, "gaps", value);
    fputs(result->gap_count == 1 ? "the one above\n" : "narrowest first, from A to B\n", p->stream);
    for (; shown < result->gap_count && shown < FEW_GAPS && result->gap_count > 1; shown++) {
        const stlclash_separation *gap = &result->gaps[shown];
        row_start(p->row, "", row_number(value, p->row, gap->distance, 1));
        if (gap->distance == 0.0) {
            fprintf(p->stream, "at %s\n", row_point(value, gap->point_a));
        } else {
            print_from_point_to(p, gap->point_a, gap->point_b);
        }
    }
    if (shown > 0 && shown < result->gap_count) {
        print_more(p, result->gap_count - shown, "--format=json lists them");
    }
}

/* How the surfaces touch, where they do. */
static void print_touch(const block *p)
{
    const stlclash_result *result = p->result;
    char value[ROW_VALUE_SIZE];

    if (result->has_normal) {
        row_start(p->row, "normal", row_direction(value, result->normal));
        print_from_to(p, p->pair->b, p->pair->a);
    }
    if (result->has_contact_area && result->contact_area > 0.0) {
        row_start(p->row, "contact area", row_number(value, p->row, result->contact_area, 2));
        fputs("face to face\n", p->stream);
    }
}

static void print_hit(const block *p, const stlclash_hit *hit)
{
    char numbers[ROW_VALUE_SIZE], first[ROW_VALUE_SIZE], second[ROW_VALUE_SIZE];

    snprintf(numbers, sizeof numbers, "%" PRIu32 " and %" PRIu32, hit->triangle_a, hit->triangle_b);
    row_start(p->row, "", numbers);
    row_point(first, hit->points[0]);
    row_point(second, hit->points[hit->point_count - 1]);
    if (hit->point_count <= 2 && strcmp(first, second) == 0) {
        fprintf(p->stream, "at %s\n", first); /* a point, or a segment that looks like one */
    } else if (hit->point_count == 2) {
        fprintf(p->stream, "from %s to %s\n", first, second);
    } else {
        fprintf(p->stream, "polygon of %" PRIu32 " corners, one at %s\n", hit->point_count, first);
    }
}

static void print_hits(const block *p)
{
    const stlclash_result *result = p->result;
    char value[ROW_VALUE_SIZE];

    if (result->has_hit_count ? result->hit_count == 0 : result->hits_listed == 0) {
        return;
    }
    uint64_t known = result->has_hit_count ? result->hit_count : result->hits_listed;
    snprintf(value, sizeof value, "%s%" PRIu64 " %s", result->has_hit_count ? "" : "at least ",
             known, known == 1 ? "pair meets" : "pairs meet");
    row_start(p->row, "triangles", value);
    fputs("one of ", p->stream);
    row_name(p->row, called(p, p->pair->a));
    fputs(", one of ", p->stream);
    row_name(p->row, called(p, p->pair->b));
    fputc('\n', p->stream);

    if (p->row->brief) {
        return;
    }
    uint64_t shown = result->hits_listed;
    if (shown > FEW_HITS && !p->row->report->all_hits) {
        shown = FEW_HITS;
    }
    for (uint64_t i = 0; i < shown; i++) {
        print_hit(p, &result->hits[i]);
    }
    if (shown > 0 && shown < known) {
        snprintf(value, sizeof value, "and %" PRIu64 " more", known - shown);
        row_start(p->row, "", value);
        fputs("--max-hits=all lists them\n", p->stream);
    }
}

static void print_clearance(const block *p, const char *kept)
{
    char value[ROW_VALUE_SIZE];
    fprintf(p->stream, "  %-12s  %s", "clearance", kept);
    say(p, ": ", row_number(value, p->row, p->pair->options->clearance, 1), "\n");
}

/* What the distance alone does not tell: the clearance where no distance was
 * computed, or of parts that move, and what makes a contact fail. */
static void print_rules(const block *p)
{
    const stlclash_options *options = p->pair->options;
    const stlclash_sweep_result *motion = p->pair->motion;
    stlclash_status status = report_pair_status(p->pair);
    bool pass = motion ? motion->pass : p->result->pass;
    bool told = p->result->has_separation && !motion;

    if (status == STLCLASH_CONTACT && !pass) {
        if (options->contact_fails) {
            bool asked = p->row->report->options.contact_fails;
            row_value(p->row, "contact", asked ? "fails by --contact=fail" : "fails by the rule");
        } else {
            print_clearance(p, "not kept");
        }
    } else if (!told && options->clearance > 0.0) {
        if (status == STLCLASH_NEAR || status == STLCLASH_CLEAR) {
            print_clearance(p, pass ? "kept" : "not kept");
        }
    }
}

/* ---- the overlap --------------------------------------------------------- */

static const char *name_of(const block *p, stlclash_side side)
{
    return called(p, side == STLCLASH_A ? p->pair->a : p->pair->b);
}

static void print_error(const block *p, double error, int power)
{
    char value[ROW_VALUE_SIZE];
    say(p, "error at most ", row_error(value, p->row, error, power), "\n");
}

static void print_depth(const block *p, const stlclash_overlap *overlap)
{
    char value[ROW_VALUE_SIZE];

    row_start(p->row, "depth", row_number(value, p->row, overlap->depth, 1));
    if (p->result->status == STLCLASH_CONTACT) {
        say(p, "within the touch overlap of ",
            row_number(value, p->row, p->result->touch_overlap, 1), "\n");
    } else if (overlap->depth_error > overlap->depth) { /* the figure alone would mislead */
        say(p, "or more, but at most ",
            row_error(value, p->row, overlap->depth + overlap->depth_error, 1), "\n");
    } else {
        print_error(p, overlap->depth_error, 1);
    }
    row_value(p->row, "deepest at", row_point(value, overlap->deepest_point));
    row_start(p->row, "way out", row_way(value, overlap->deepest_vector));
    fputs("from there to the surface of ", p->stream);
    row_name(p->row, name_of(p, overlap->deepest_in));
    fputc('\n', p->stream);
}

/* What counts as touching: mostly rounding, beside what overlaps indeed. */
static bool only_touches(const block *p, const stlclash_region *region)
{
    return region->depth <= p->result->touch_overlap; /* not if it is unknown, NaN */
}

static void print_region(const block *p, const stlclash_region *region)
{
    char value[ROW_VALUE_SIZE];
    row_start(p->row, "", row_number(value, p->row, region->volume, 3));
    if (p->result->overlap.has_depth && !isnan(region->depth)) {
        say(p, "", row_number(value, p->row, region->depth, 1), " deep, ");
    } else if (p->result->overlap.has_depth) {
        fputs("how deep is not known, ", p->stream);
    }
    print_from_point_to(p, region->bounds[0], region->bounds[1]);
}

static void print_regions(const block *p, const stlclash_overlap *overlap)
{
    char value[ROW_VALUE_SIZE];
    size_t count = 0, shown = 0; /* of those that do more than touch, unless none does */
    bool all = only_touches(p, &(stlclash_region){.depth = overlap->depth});

    for (size_t i = 0; i < overlap->region_count; i++) {
        count += all || !only_touches(p, &overlap->regions[i]);
    }
    if (count > 1) {
        snprintf(value, sizeof value, "%zu", count);
        row_start(p->row, "regions", value);
        fputs("separate ones, largest first\n", p->stream);
    }
    for (size_t i = 0; i < overlap->region_count && shown < FEW_REGIONS; i++) {
        const stlclash_region *region = &overlap->regions[i];
        if (!all && only_touches(p, region)) {
            continue;
        }
        if (count == 1) {
            fprintf(p->stream, "  %-12s  ", "region");
            print_from_point_to(p, region->bounds[0], region->bounds[1]);
        } else {
            print_region(p, region);
        }
        shown++;
    }
    if (shown < count) {
        print_more(p, count - shown, "--format=json lists them");
    }
    if (count < overlap->region_count) {
        print_more(p, overlap->region_count - count, "no deeper than the touch overlap");
    }
}

static void print_overlap(const block *p)
{
    const stlclash_overlap *overlap = &p->result->overlap;
    char value[ROW_VALUE_SIZE];

    if (overlap->contained != STLCLASH_NEITHER) {
        bool a_inside = overlap->contained == STLCLASH_A;
        fprintf(p->stream, "  %-12s  ", "contained");
        row_name(p->row, name_of(p, overlap->contained));
        fputs(" lies inside ", p->stream);
        row_name(p->row, name_of(p, a_inside ? STLCLASH_B : STLCLASH_A));
        fputc('\n', p->stream);
    }
    if (overlap->has_depth && overlap->depth > 0.0) {
        print_depth(p, overlap);
    }
    if (overlap->volume > 0.0) {
        row_start(p->row, "volume", row_number(value, p->row, overlap->volume, 3));
        print_error(p, overlap->volume_error, 3);
        print_regions(p, overlap);
    }
}

/* ---- the rule, the notes ------------------------------------------------- */

static void print_limit(const block *p, const char *what, double limit, int power)
{
    char value[ROW_VALUE_SIZE];
    if (isfinite(limit)) {
        row_start(p->row, "", "");
        say(p, what, row_number(value, p->row, limit, power), "\n");
    }
}

/* By which rule it was judged, where there is one, and what the baseline knew. */
static void print_terms(const block *p)
{
    const report_rule *rule = p->pair->rule;
    const char *change = report_change_text(p->pair->change);

    if (rule) {
        row_value(p->row, "rule", rule->name);
    }
    if (rule && p->pair->motion) {
        if (isfinite(rule->max_depth) || isfinite(rule->max_volume)) {
            row_start(p->row, "", "");
            fputs("its limits let no clash of a motion pass\n", p->stream);
        }
    } else if (rule) {
        print_limit(p, "a clash passes up to a depth of ", rule->max_depth, 1);
        print_limit(p, "a clash passes up to a volume of ", rule->max_volume, 3);
    }
    if (change) {
        row_start(p->row, "baseline", change);
        say(p, "against ", p->row->report->baseline, "\n");
    }
}

static void print_notes(const block *p)
{
    for (size_t i = 0; i < p->result->note_count; i++) {
        row_sentence(p->row, "note", NULL, stlclash_note_text(p->result->notes[i]));
    }
}

/* Of a pair with a part that holds nothing there is none. */
static void print_resolution(const block *p)
{
    if (p->result->resolution <= 0.0) {
        return;
    }
    char number[NUMBER_SIZE], value[ROW_VALUE_SIZE];
    snprintf(number, sizeof number, "%.2g", p->result->resolution);
    row_value(p->row, "resolution", row_with_unit(value, p->row, number, 1));
}

/* ---- the block ----------------------------------------------------------- */

static void print_result(const block *p)
{
    bool undecided = p->result->status == STLCLASH_UNDECIDED;

    if (undecided) {
        print_notes(p); /* why, first of all */
    }
    if (p->result->has_overlap) {
        print_overlap(p);
    }
    if (p->result->has_separation) {
        print_separation(p);
    }
    print_gaps(p);
    print_touch(p);
    print_hits(p);
    if (!p->pair->motion) {
        print_rules(p);
    }
    print_resolution(p);
    if (!undecided) {
        print_notes(p);
    }
}

void report_print_block(const row_page *page, const report_pair *pair)
{
    block p = {.row = page, .stream = page->stream, .pair = pair, .result = pair->result};

    if (pair->error) {
        const report_part *unread = report_pair_unread(pair);
        row_sentence(page, "undecided", unread ? unread->name : NULL, pair->error);
    }
    if (pair->motion) {
        report_motion_print(page, pair, called(&p, pair->a), called(&p, pair->b));
        print_rules(&p);
        row_value(page, "at the start", stlclash_status_text(pair->result->status));
    }
    if (p.result) {
        print_result(&p);
    }
    print_terms(&p);
}

/* ---- parts ----------------------------------------------------------------- */

static void print_warnings(const row_page *page, const char *name, const stlclash_warning *warnings,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        row_sentence(page, "warning", name, warnings[i].text);
    }
}

void report_print_warnings(const row_page *page, const report_part *part)
{
    print_warnings(page, part->name, part->info.warnings, part->info.warning_count);
    print_warnings(page, part->name, part->found.warnings, part->found.warning_count);
}
