/* course.h - where a part that moves by itself stands at some time: on screws, leg by leg, or with
 * each vertex on a way of its own. */
#ifndef SC_COURSE_H
#define SC_COURSE_H

#include "deformed.h"
#include "screw.h"
#include "stlclash.h"

typedef struct sc_course {
    const sc_part *start;
    const char *whose;    /* the part, in messages */
    size_t legs;          /* each takes the same share of the time */
    sc_screw *screws;     /* [legs], or NULL: */
    sc_deformed deformed; /* a single leg */
} sc_course;

/* Of a part as it stands at the start, placed by 16 numbers or NULL, and its own motion, as an
 * assembly has it. Free in any case. */
stlclash_code sc_course_make(const sc_part *start, const double *placement,
                             const stlclash_motion *motion, const char *whose, sc_course *course,
                             stlclash_error *error);
void sc_course_free(sc_course *course);

/* The part at time t, 0..1, of a leg; it is used until the next call. */
stlclash_code sc_course_part(sc_course *course, size_t leg, double t, sc_part *part,
                             stlclash_error *error);

/* How far the point `at` of the part, on a triangle of it, has come by then since the start. */
double sc_course_way(const sc_course *course, size_t leg, double t, uint32_t triangle,
                     const double at[3]);

/* By how much the part of a leg may be off, but for what it is placed by. */
double sc_course_error(const sc_course *course, size_t leg);

#endif
