/* ear_holes.h - the corners of a flat face in circular lists: one for all that bounds a connected
 * piece of it, with the holes joined to the rest by edges there and back (Eberly 1998, section 3).
 */
#ifndef SC_EAR_HOLES_H
#define SC_EAR_HOLES_H

#include "base/watch.h"
#include "geom/orient.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sc_flat {
    double x, y;
} sc_flat;

/* Loops one after the other, with what belongs to the face to the left of each. */
typedef struct sc_face {
    const sc_flat *corners;
    const uint32_t *ends; /* [loop_count] where in `corners` each loop ends */
    uint32_t loop_count;
    double same; /* corners that are no farther apart along each axis are in one place */
} sc_face;

/* A corner at which holes are joined is in its list several times. */
typedef struct sc_ear_corner {
    sc_flat at;
    uint32_t number; /* of the face */
    uint32_t loop;
    uint32_t previous, next;
    bool blunt;  /* turns to the right, or not at all: only such can lie in an ear */
    bool is_cut; /* off, with its ear */
} sc_ear_corner;

typedef struct sc_ear_lists {
    sc_ear_corner *corners;
    size_t count, capacity;
    uint32_t *first; /* [loops] a corner of each that is not cut off, or SC_NO_CORNER */
    uint32_t *sets;  /* [loops] of loops in one list (base/union_find.h) */
    size_t first_capacity, set_capacity;
    struct sc_hole_entry *entries; /* edges in rows */
    size_t entry_count, entry_capacity;
    uint32_t *rows;
    size_t row_capacity;
} sc_ear_lists;

#define SC_NO_CORNER UINT32_MAX

/* One for each loop. False if memory ran out. */
bool sc_ear_lists_make(sc_ear_lists *lists, const sc_face *face);
/* Joins them; loops that go there and back may not be told from holes. False if memory or time ran
 * out. */
bool sc_ear_lists_join(sc_ear_lists *lists, uint32_t loops, sc_watch *watch);
void sc_ear_lists_free(sc_ear_lists *lists);

/* 1 where a, b, c turn to the left, -1 to the right, 0 on a line; exact. */
static inline int sc_flat_turn(sc_flat a, sc_flat b, sc_flat c)
{
    const sc_vec3 p = {a.x, a.y, 0.0}, q = {b.x, b.y, 0.0}, r = {c.x, c.y, 0.0};
    return sc_orient2d(p, q, r, 2);
}

static inline double sc_flat_twice_area(sc_flat a, sc_flat b, sc_flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static inline bool sc_flat_same(sc_flat a, sc_flat b)
{
    return a.x == b.x && a.y == b.y;
}

/* Heights in rows of equal height, one above the other. */
typedef struct sc_flat_rows {
    double bottom, height;
    uint32_t count;
} sc_flat_rows;

/* As high as all corners that are not cut off, in one row. */
sc_flat_rows sc_ear_lists_rows(const sc_ear_lists *lists);

static inline uint32_t sc_flat_row(const sc_flat_rows *rows, double y)
{
    const double row = (y - rows->bottom) / rows->height * rows->count;
    return row >= rows->count ? rows->count - 1 : row > 0.0 ? (uint32_t)row : 0;
}

#endif
