/* nearing.h - how fast two parts that move each by itself can come near each other, for a leg of
 * their courses.
 *
 * On a screw a point that passes through x moves as any other one there: at turn x x + slide. Where
 * both parts do, the distance of their closest points p and q changes as if p were a point of both
 * parts, as what q moves otherwise is at a right angle to p - q. And so does the depth of a point
 * where they overlap. So what counts is by how much the two velocities differ, and only where both
 * parts come: gears that roll on each other hardly move against each other there. */
#ifndef SC_NEARING_H
#define SC_NEARING_H

#include "course.h"
#include "cylinder.h"

/* All places to which a part comes on a leg, and how it moves there. */
typedef struct sc_swept {
    sc_box box;
    bool turns; /* then they are also in a cylinder: */
    sc_axis axis;
    double radius, low, high; /* heights along the axis */
    sc_vec3 turn, slide;      /* per unit of time; 0 on vertex paths, on which */
    double farthest;          /* points move this fast at most */
} sc_swept;

/* From time `from` to `to` of a leg, which take one unit of time. */
stlclash_code sc_swept_make(sc_course *course, size_t leg, double from, double to, sc_swept *swept,
                            stlclash_error *error);

/* Speeds that are known: for distances in steps of a few percent. */
enum { SC_KNOWN_SPEEDS = 64 };

typedef struct sc_nearing {
    sc_swept swept[2];
    double within[SC_KNOWN_SPEEDS], speed[SC_KNOWN_SPEEDS]; /* [known] */
    int known;
} sc_nearing;

/* While the parts are no farther apart than `within`, their distance changes no faster than
 * this, and nor does the depth of an overlap. */
double sc_nearing_speed(sc_nearing *nearing, double within);

#endif
