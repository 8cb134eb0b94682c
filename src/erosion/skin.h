/* skin.h - the surface of a part, as it is or eroded, in pieces: which of them lie outside another
 * part.
 *
 * Surfaces that have no point in common wind about all of a piece as often, so a point of it tells.
 * What a part is eroded to is closed as it is placed, so there any point will do; the other part
 * may be so but for rounding, where T-junctions close it. */
#ifndef SC_SKIN_H
#define SC_SKIN_H

#include "base/poll.h"
#include "corners.h"
#include "erosion.h"
#include "solids/surface.h"

/* Where a piece lies. */
enum { SC_SKIN_UNKNOWN, SC_SKIN_OUTSIDE, SC_SKIN_HELD };

/* Its triangles; those that have a vertex in common are one piece. */
typedef struct sc_skin {
    const sc_solid *solid;
    const sc_erosion *eroded; /* or NULL */
    const bool *left_out;   /* [triangles] which are of no piece, as where surfaces meet; or NULL */
    sc_corners corners;     /* where it is as it is */
    const uint32_t *vertex; /* [3 * triangles] of each corner */
    uint32_t triangles, vertices;
    uint32_t *parent;        /* [vertices] in one set with those of its piece */
    uint32_t *number;        /* [vertices] of its piece, by root: from 1 on; 0: it has none */
    sc_box *box;             /* [pieces] */
    uint8_t *where;          /* [pieces] as far as it is known */
    uint32_t pieces, inside; /* of them: those not known to be outside */
    sc_box bounds;           /* of all, left out or not */
} sc_skin;

/* Of a solid, or of what it is eroded to. Nothing is known to be outside. False if memory ran out;
 * free in any case. */
bool sc_skin_make(const sc_solid *solid, const sc_erosion *eroded, const bool *left_out,
                  sc_skin *skin);
void sc_skin_free(sc_skin *skin);

void sc_skin_vertices(const sc_skin *skin, uint32_t triangle, sc_vec3 v[3]);

/* Whether a triangle is of a piece that is known to be outside. */
bool sc_skin_is_outside(const sc_skin *skin, uint32_t triangle);

/* More than rounding leaves open at T-junctions of a part. */
static inline double sc_skin_room(const sc_surface *surface)
{
    return 4.0 * surface->margin;
}

/* Which pieces are outside what another part is eroded to, nothing of which is left out: those that
 * are in no box of its pieces. */
void sc_skin_tell_by_boxes(sc_skin *skin, const sc_skin *eroded);

/* Where pieces lie, none of which has a point in common with the surface: by the middle of some
 * triangle of each that is well away from that. */
void sc_skin_tell_by_points(sc_skin *skin, sc_surface *other, const sc_poll *poll);

/* The same of what another part is eroded to, by how that winds about a corner of each. Pieces no
 * larger than `small` are not looked at, and none any more when that takes long. */
void sc_skin_tell_by_windings(sc_skin *skin, const sc_skin *eroded, double small,
                              const sc_poll *poll);

#endif
