/* course.c - see course.h. */
#include "course.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

static stlclash_code make_screws(sc_course *course, const double *from, const double (*to)[16],
                                 size_t count, stlclash_error *error)
{
    course->screws = sc_alloc(count, sizeof *course->screws);
    if (!course->screws) {
        return sc_error_memory(error);
    }
    course->legs = count;
    for (size_t i = 0; i < count; i++) {
        course->screws[i] = sc_screw_between(from, to[i]);
        from = to[i];
    }
    return STLCLASH_OK;
}

/* A way is a screw without a turn. */
static stlclash_code make_straight(sc_course *course, const double *placement, const double way[3],
                                   stlclash_error *error)
{
    double end[1][16];
    memcpy(end[0], sc_placement_numbers(placement), sizeof end[0]);
    for (int k = 0; k < 3; k++) {
        end[0][4 * k + 3] += way[k];
    }
    return make_screws(course, placement, (const double(*)[16])end, 1, error);
}

stlclash_code sc_course_make(const sc_part *start, const double *placement,
                             const stlclash_motion *motion, const char *whose, sc_course *course,
                             stlclash_error *error)
{
    *course = (sc_course){.start = start, .whose = whose, .legs = 1};
    switch (motion->kind) {
    case STLCLASH_STRAIGHT: return make_straight(course, placement, motion->way[0], error);
    case STLCLASH_SCREW:
        return make_screws(course, placement, motion->placements, motion->placement_count, error);
    case STLCLASH_VERTEX_PATHS:
    case STLCLASH_INDEPENDENT: break; /* no motion of one part */
    }
    course->deformed =
        (sc_deformed){.start = start, .end = motion->end, .placement = placement, .whose = whose};
    return sc_deformed_make(&course->deformed, error);
}

void sc_course_free(sc_course *course)
{
    sc_free(course->screws);
    sc_deformed_free(&course->deformed);
}

stlclash_code sc_course_part(sc_course *course, size_t leg, double t, sc_part *part,
                             stlclash_error *error)
{
    double placement[16];
    if (!course->screws) {
        return sc_deformed_at(&course->deformed, t, part, error);
    }
    sc_screw_at(&course->screws[leg], t, placement);
    return sc_part_place(course->start->mesh, placement, course->whose, part, error);
}

/* A point placed so, in the part's own coordinates. */
static sc_vec3 in_part(const double m[16], const double p[3])
{
    double v[3] = {p[0] - m[3], p[1] - m[7], p[2] - m[11]}, out[3];
    for (int i = 0; i < 3; i++) {
        out[i] = m[i] * v[0] + m[4 + i] * v[1] + m[8 + i] * v[2];
    }
    return sc_vec3_of(out);
}

static sc_vec3 placed(const double m[3][4], sc_vec3 p)
{
    double out[3];
    for (int i = 0; i < 3; i++) {
        out[i] = m[i][0] * p.x + m[i][1] * p.y + m[i][2] * p.z + m[i][3];
    }
    return sc_vec3_of(out);
}

double sc_course_way(const sc_course *course, size_t leg, double t, uint32_t triangle,
                     const double at[3])
{
    double placement[16], sum = 0.0;
    if (!course->screws) {
        return sc_deformed_way(&course->deformed, t, triangle, at);
    }
    sc_screw_at(&course->screws[leg], t, placement);
    const sc_vec3 p = in_part(placement, at);
    for (size_t i = 0; i <= leg; i++) {
        const sc_screw *screw = &course->screws[i];
        const sc_vec3 start = placed(screw->from, p);
        sum += (i < leg ? 1.0 : t) * sc_screw_way(screw, sc_screw_radius(screw, start));
    }
    return sum;
}

double sc_course_error(const sc_course *course, size_t leg)
{
    return course->screws ? sc_screw_deviation(&course->screws[leg],
                                               sc_box_reach(&course->start->mesh->blocks.bounds))
                          : course->deformed.error + course->deformed.seams.stray;
}
