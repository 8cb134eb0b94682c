/* nearing.c - see nearing.h. */
#include "nearing.h"

/* ---- one part ---------------------------------------------------------------- */

/* Of a turn about the axis, and what it does to what is off it. */
static void take_screw(const sc_screw *screw, double share, sc_swept *swept)
{
    const sc_vec3 direction = sc_vec3_of(screw->screw.direction);
    const sc_vec3 point = sc_vec3_of(screw->screw.point);
    swept->turn = sc_scale(direction, share * screw->screw.angle);
    swept->slide =
        sc_sub(sc_scale(direction, share * screw->screw.shift), sc_cross(swept->turn, point));
}

/* Each vertex stays in the box around both of its ends. */
static stlclash_code sweep_paths(sc_course *course, size_t leg, double share, sc_swept *swept,
                                 stlclash_error *error)
{
    sc_part end;
    stlclash_code code = sc_course_part(course, leg, 1.0, &end, error);
    if (code == STLCLASH_OK) {
        sc_box box = course->start->bounds;
        sc_box_add_box(&box, &end.bounds);
        swept->box = sc_box_grown(&box, sc_course_error(course, leg));
        swept->farthest = share * course->deformed.farthest;
    }
    return code;
}

stlclash_code sc_swept_make(sc_course *course, size_t leg, double from, double to, sc_swept *swept,
                            stlclash_error *error)
{
    *swept = (sc_swept){.turns = false};
    if (!course->screws) {
        return sweep_paths(course, leg, to - from, swept, error);
    }
    const sc_screw *screw = &course->screws[leg];
    swept->box = sc_screw_sweep(screw, from, to, &course->start->mesh->blocks.bounds);
    take_screw(screw, to - from, swept);
    if (screw->screw.angle == 0.0) {
        return STLCLASH_OK;
    }
    sc_part start;
    stlclash_code code = sc_course_part(course, leg, 0.0, &start, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    swept->turns = true;
    swept->axis = sc_axis_of(screw);
    const sc_cylinder_box bounds = sc_cylinder_bounds(&start, &swept->axis);
    const double error_there = sc_course_error(course, leg) + 0x1p-44 * sc_box_reach(&swept->box);
    const double shift = screw->screw.shift, first = from * shift, last = to * shift;
    swept->radius = sc_cylinder_radius(&start, &swept->axis) + error_there;
    swept->low = bounds.low[SC_HEIGHT] + sc_fmin(first, last) - error_there;
    swept->high = bounds.high[SC_HEIGHT] + sc_fmax(first, last) + error_there;
    return STLCLASH_OK;
}

/* ---- where both come ------------------------------------------------------------ */

/* Whether the part comes within a distance of a cell, as its cylinder tells. */
static bool comes_near(const sc_swept *swept, const sc_box *cell, double within)
{
    if (!swept->turns) {
        return true;
    }
    const sc_vec3 p = sc_sub(sc_box_centre(cell), swept->axis.origin);
    const double half =
        0.5 * sc_length(sc_sub(sc_vec3_of(cell->high), sc_vec3_of(cell->low))) + within;
    const double x = sc_dot(swept->axis.side[0], p), y = sc_dot(swept->axis.side[1], p);
    const double height = sc_dot(swept->axis.side[2], p);
    const double reach = half * (1.0 + 0x1p-30);
    return sqrt(x * x + y * y) <= (swept->radius + reach) * (1.0 + 0x1p-30) &&
           height + reach >= swept->low && height - reach <= swept->high;
}

/* The places of one part that the other comes near. */
typedef struct search {
    const sc_swept *own, *other;
    sc_vec3 turn, slide; /* of the one as seen from the other */
    double within;
    int cells;   /* looked at */
    double most; /* so far */
} search;

/* The most that the velocities differ in a cell: a convex function of the place. */
static double most_in(const search *s, const sc_box *cell)
{
    double most = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        const sc_vec3 p = sc_box_corner(cell, corner);
        most = sc_max(most, sc_length(sc_add(sc_cross(s->turn, p), s->slide)));
    }
    return most;
}

static void divide(const sc_box *cell, sc_box half[2])
{
    int longest = 0;
    for (int k = 1; k < 3; k++) {
        longest =
            cell->high[k] - cell->low[k] > cell->high[longest] - cell->low[longest] ? k : longest;
    }
    half[0] = half[1] = *cell;
    half[0].high[longest] = half[1].low[longest] =
        cell->low[longest] + 0.5 * (cell->high[longest] - cell->low[longest]);
}

/* The fastest half first; a cell that is not divided any more counts as a whole. */
static void look_in(search *s, const sc_box *cell, int depth)
{
    enum { MOST_CELLS = 20000 };
    const double most = most_in(s, cell);
    if (most <= s->most || !comes_near(s->own, cell, 0.0) ||
        !comes_near(s->other, cell, s->within)) {
        return;
    }
    if (depth == 0 || ++s->cells > MOST_CELLS) {
        s->most = most;
        return;
    }
    sc_box half[2];
    divide(cell, half);
    const int first = most_in(s, &half[0]) < most_in(s, &half[1]);
    look_in(s, &half[first], depth - 1);
    look_in(s, &half[1 - first], depth - 1);
}

/* Of closest points the one of `own` lies there. */
static double speed_there(const sc_swept *own, const sc_swept *other, double within)
{
    enum { DEPTH = 18 };
    const sc_box beside = sc_box_grown(&other->box, within);
    const sc_box region = sc_boxes_common(&own->box, &beside);
    search s = {.own = own,
                .other = other,
                .turn = sc_sub(own->turn, other->turn),
                .slide = sc_sub(own->slide, other->slide),
                .within = within};
    for (int k = 0; k < 3; k++) {
        if (region.low[k] > region.high[k]) {
            return 0.0; /* they stay farther apart */
        }
    }
    look_in(&s, &region, DEPTH);
    const double reach = sc_box_reach(&region);
    const double rounding = 0x1p-46 * (sc_length(own->slide) + sc_length(other->slide) +
                                       (sc_length(own->turn) + sc_length(other->turn)) * reach);
    return (s.most + (own->farthest + other->farthest)) * (1.0 + 0x1p-40) + rounding;
}

/* Either bound holds; the same with the parts exchanged. */
static double speed_of(const sc_nearing *nearing, double within)
{
    const sc_swept *swept = nearing->swept;
    return sc_fmin(speed_there(&swept[0], &swept[1], within),
                   speed_there(&swept[1], &swept[0], within));
}

/* Not less: a few digits of it, so that few have to be found. */
static double rounded_up(double within)
{
    int exponent;
    const double mantissa = frexp(within, &exponent);
    return ldexp(sc_ceil(mantissa * 16.0), exponent - 4);
}

double sc_nearing_speed(sc_nearing *n, double within)
{
    within = rounded_up(within);
    for (int i = 0; i < n->known; i++) {
        if (n->within[i] == within) {
            return n->speed[i];
        }
    }
    const int at = n->known < SC_KNOWN_SPEEDS ? n->known++ : SC_KNOWN_SPEEDS - 1;
    n->within[at] = within;
    n->speed[at] = speed_of(n, within);
    return n->speed[at];
}
