/* tri_flush.h - how much of two facets lies flush: face to face, or in one another. */
#ifndef SC_TRI_FLUSH_H
#define SC_TRI_FLUSH_H

#include "vec3.h"

#include <stdbool.h>

/* How far apart facets may lie that count as flush. */
typedef struct sc_flush {
    double all_over;     /* where they lie nowhere farther apart, as a whole: rounding tilts them;
                            0: where they are coplanar, exactly */
    double gap, overlap; /* else what lies no farther in front of the other, or behind it; neither
                            is less than `all_over` */
} sc_flush;

static inline sc_flush sc_flush_all_over(double within)
{
    return (sc_flush){within, within, within};
}

static inline double sc_flush_reach(const sc_flush *flush)
{
    return flush->gap > flush->overlap ? flush->gap : flush->overlap;
}

/* The area in which a and b lie over each other, seen along the mean of their normals by area, as
 * far as a lies there within those limits from the plane of b. 0 where their normals differ by more
 * than rounding tilts a facet that it leaves flush, some 6 degrees, or one has no area.
 *
 * *opposed: their normals are, as they are wound: the inside of either lies beyond the other. */
double sc_tri_flush_area(const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *flush,
                         bool *opposed);

/* The same with what it is the area of: a convex polygon, seen along the mean of their normals. */
enum { SC_FLUSH_CORNERS = 3 * 2 * 2 * 2 * 2 * 2 };
typedef struct sc_flush_part {
    sc_vec3 origin, along; /* a corner of a; that mean, a unit vector */
    int count;
    double corner[SC_FLUSH_CORNERS][2];
} sc_flush_part;
double sc_tri_flush_part(const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *flush,
                         bool *opposed, sc_flush_part *part);

/* Where a point is seen in it, and by what factor areas are seen smaller. */
void sc_flush_part_see(const sc_flush_part *part, sc_vec3 p, double at[2]);
double sc_flush_part_aslant(const sc_flush_part *part);

/* Whether they are coplanar, exactly, and have area. */
bool sc_tri_coplanar(const sc_vec3 a[3], const sc_vec3 b[3]);

#endif
