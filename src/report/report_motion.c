/* report_motion.c - see report_motion.h. */
#include "report_motion.h"

#include "base/real.h"
#include "report_json.h"
#include "report_number.h"

#include <inttypes.h>

static const double pi = 3.14159265358979323846;

/* ---- text ----------------------------------------------------------------- */

/* What the functions below share. */
typedef struct rows {
    const row_page *page;
    FILE *stream;
    const char *names[2];
} rows;

static void put_length(const rows *r, double length)
{
    char value[ROW_VALUE_SIZE];
    row_name(r->page, row_number(value, r->page, length, 1));
}

static void print_where(const rows *r, const char *label, const stlclash_separation *s, int side)
{
    char value[ROW_VALUE_SIZE];
    row_start(r->page, label, row_point(value, side == 0 ? s->point_a : s->point_b));
    fprintf(r->stream, "%s of triangle %" PRIu32 " of ",
            stlclash_feature_text(side == 0 ? s->feature_a : s->feature_b),
            side == 0 ? s->triangle_a : s->triangle_b);
    row_name(r->page, r->names[side]);
    fputc('\n', r->stream);
}

static void print_moment(const rows *r, const char *label, const stlclash_moment *moment,
                         const char *remark)
{
    const stlclash_separation *s = &moment->separation;
    char time[NUMBER_SIZE];
    bool meet = s->distance == 0.0;

    fprintf(r->stream, "  %-12s  at time %s, after ", label, number_rounded(time, moment->time));
    put_length(r, moment->travelled);
    if (!meet) {
        fputs(", ", r->stream);
        put_length(r, s->distance);
        fputs(" apart", r->stream);
    }
    fprintf(r->stream, "%s\n", remark);
    print_where(r, meet ? "  there" : "  on A", s, 0);
    print_where(r, meet ? "" : "  on B", s, 1);
}

/* A leg of the way. `rounding`: coordinates below it are what is left of 0. */
static void print_screw(const rows *r, const stlclash_screw *screw, double rounding)
{
    char number[NUMBER_SIZE], value[ROW_VALUE_SIZE];
    double point[3];

    if (screw->angle == 0.0) {
        fprintf(r->stream, "  %-12s  ", "shift");
        put_length(r, screw->shift);
        if (screw->shift != 0.0) {
            fprintf(r->stream, " along %s", row_direction(value, screw->direction));
        }
        fputc('\n', r->stream);
        return;
    }
    for (int k = 0; k < 3; k++) {
        point[k] = fabs(screw->point[k]) < rounding ? 0.0 : screw->point[k];
    }

    fprintf(r->stream, "  %-12s  %s degrees, shift ", "screw",
            number_rounded(number, screw->angle * (180.0 / pi)));
    put_length(r, screw->shift);
    fprintf(r->stream, ", about %s", row_direction(value, screw->direction));
    fprintf(r->stream, " through %s\n", row_vector(value, point));
}

static const char *if_conservative(const stlclash_moment *moment, const char *remark)
{
    return moment->conservative ? remark : "";
}

static void print_contact(const rows *r, const stlclash_sweep_result *motion)
{
    const bool at_once =
        motion->has_contact && motion->has_clash && motion->clash.time == motion->contact.time;
    if (motion->has_contact) {
        const char *doubt = motion->has_clash ? " (or later)" : " (or later, or not at all)";
        print_moment(r, "contact", &motion->contact,
                     at_once ? ", clash from then on" : if_conservative(&motion->contact, doubt));
    }
    if (motion->has_clash && !at_once) {
        print_moment(r, "clash from", &motion->clash, "");
    }
}

static void print_approach(const rows *r, const stlclash_sweep_result *motion)
{
    print_moment(r, "nearest", &motion->approach,
                 if_conservative(&motion->approach, " (or nearer than the clearance)"));
    if (motion->approach_error > 0.0) {
        fprintf(r->stream, "  %-12s  no nearer than ", "");
        put_length(r, sc_fmax(motion->approach.separation.distance - motion->approach_error, 0.0));
        fputs(" at any time\n", r->stream);
    }
}

void report_motion_print(const row_page *page, const report_pair *pair, const char *a,
                         const char *b)
{
    static const char *const kinds[] = {"straight, decided exactly", "along a screw",
                                        "each vertex straight to its end",
                                        "both parts, each its own way"};
    const stlclash_sweep_result *motion = pair->motion;
    rows r = {.page = page, .stream = page->stream, .names = {a, b}};
    char value[ROW_VALUE_SIZE];

    /* A screw without turn is straight too, and then has no tolerance. */
    row_value(page, "motion", kinds[motion->tolerance == 0.0 ? STLCLASH_STRAIGHT : motion->kind]);
    for (size_t i = 0; i < motion->screw_count; i++) {
        print_screw(&r, &motion->screws[i], 1e-3 * motion->start->resolution);
    }
    print_contact(&r, motion);
    if (motion->has_approach) {
        print_approach(&r, motion);
    }
    if (motion->tolerance > 0.0) {
        row_value(page, "tolerance", row_number(value, page, motion->tolerance, 1));
    }
    for (size_t i = 0; i < motion->note_count; i++) {
        row_sentence(page, "note", NULL, stlclash_note_text(motion->notes[i]));
    }
}

/* ---- JSON ----------------------------------------------------------------- */

static void write_moment(json_writer *json, const char *key, bool known,
                         const stlclash_moment *moment)
{
    const stlclash_separation *s = &moment->separation;
    if (!known) {
        json_null(json, key);
        return;
    }
    json_open(json, key, '{', JSON_INLINE);
    json_number(json, "time", moment->time);
    json_number(json, "travelled", moment->travelled);
    json_number(json, "distance", s->distance);
    report_json_witnesses(json, true, s);
    json_bool(json, "conservative", moment->conservative);
    json_close(json);
}

static void write_screw(json_writer *json, const stlclash_screw *screw)
{
    json_open(json, NULL, '{', JSON_INLINE);
    json_vector(json, "point", screw->point);
    json_vector(json, "direction", screw->direction);
    json_number(json, "angle", screw->angle);
    json_number(json, "shift", screw->shift);
    if (screw->angle > 0.0) { /* the shift of a whole turn */
        json_number(json, "pitch", screw->shift / screw->angle * (2.0 * pi));
    } else {
        json_null(json, "pitch");
    }
    json_close(json);
}

void report_motion_json(json_writer *json, const stlclash_sweep_result *motion)
{
    json_open(json, "motion", '{', JSON_LINES);
    json_string(json, "kind", stlclash_motion_kind_text(motion->kind));
    json_string(json, "start_status", stlclash_status_text(motion->start->status));
    json_number(json, "tolerance", motion->tolerance);
    write_moment(json, "first_contact", motion->has_contact, &motion->contact);
    write_moment(json, "first_clash", motion->has_clash, &motion->clash);
    write_moment(json, "closest_approach", motion->has_approach, &motion->approach);
    if (motion->has_approach) {
        json_number(json, "closest_approach_error", motion->approach_error);
    } else {
        json_null(json, "closest_approach_error");
    }
    json_open(json, "screws", '[', JSON_LINES);
    for (size_t i = 0; i < motion->screw_count; i++) {
        write_screw(json, &motion->screws[i]);
    }
    json_close(json);
    json_open(json, "notes", '[', JSON_INLINE);
    for (size_t i = 0; i < motion->note_count; i++) {
        json_string(json, NULL, motion->notes[i]);
    }
    json_close(json);
    json_close(json);
}

static void write_placements(json_writer *json, const stlclash_motion *motion)
{
    json_open(json, "placements", '[', JSON_INLINE);
    for (size_t i = 0; i < motion->placement_count; i++) {
        json_open(json, NULL, '[', JSON_TIGHT);
        for (int k = 0; k < 16; k++) {
            json_number(json, NULL, motion->placements[i][k]);
        }
        json_close(json);
    }
    json_close(json);
}

void report_motion_json_part(json_writer *json, const report_part *part)
{
    const stlclash_motion *motion = part->motion;

    json_open(json, "motion", '{', JSON_INLINE);
    json_string(json, "kind", stlclash_motion_kind_text(motion->kind));
    switch (motion->kind) {
    case STLCLASH_STRAIGHT: json_vector(json, "move", motion->way[0]); break;
    case STLCLASH_SCREW: write_placements(json, motion); break;
    case STLCLASH_VERTEX_PATHS: json_string(json, "to", part->motion_end); break;
    case STLCLASH_INDEPENDENT: break; /* of pairs alone */
    }
    if (motion->kind != STLCLASH_STRAIGHT) {
        if (motion->tolerance > 0.0) {
            json_number(json, "tolerance", motion->tolerance);
        } else {
            json_string(json, "tolerance", "auto");
        }
    }
    json_close(json);
}
