/* piece.h - convex pieces of a facet, cut by planes, and the facets about them: walls. In doubles;
 * who asks leaves room for rounding. */
#ifndef SC_PIECE_H
#define SC_PIECE_H

#include "geom/box.h"

enum { SC_PIECE_CORNERS = 32 };

/* A convex piece of a plane, counterclockwise as seen from where its normal points. */
typedef struct sc_piece {
    sc_vec3 corner[SC_PIECE_CORNERS];
    int count;
    sc_vec3 normal; /* unit; zero if it is not known well */
} sc_piece;

/* A facet with area; where `out` points, all of it lies behind that side, `in_plane` aside. */
typedef struct sc_wall {
    sc_vec3 v[3], normal, out[3]; /* unit; side k leads from v[k] to the next */
    sc_box box;
} sc_wall;

/* False where rounding leaves the plane of the facet in doubt, or which way is out: a corner would
 * be farther off it, or out beyond a side, than `in_plane`. */
bool sc_wall_make(const sc_vec3 v[3], double in_plane, sc_wall *wall);

/* The box about its corners; and their mean, of one at least. */
sc_box sc_piece_box(const sc_piece *p);
sc_vec3 sc_piece_middle(const sc_piece *p);

/* How far its corners are from a point at most. */
double sc_piece_radius(const sc_piece *p, sc_vec3 middle);

/* Whether its mean width is more than that; a piece without corners is not. */
bool sc_piece_is_wider(const sc_piece *p, double width);

/* Cuts by a plane through `at`: above is where `normal` points, from `offset` along it on. Either
 * part may be empty. False if one has too many corners, or what is computed is not a number. */
bool sc_piece_cut(const sc_piece *p, sc_vec3 normal, sc_vec3 at, double offset, sc_piece *above,
                  sc_piece *below);

/* The same across the longest side of the box, in the middle. */
bool sc_piece_halve(const sc_piece *p, sc_piece half[2]);

/* Along its plane, out of each of its sides. Unit; not a number where no way is known beyond which
 * there is no more of the piece than `in_plane`: cuts through a corner leave sides that are no
 * longer than rounding and lead anywhere. */
typedef struct sc_outline {
    sc_vec3 out[SC_PIECE_CORNERS];
} sc_outline;
sc_outline sc_piece_outline(const sc_piece *p, double in_plane);

/* Whether more than `room` less two `in_plane` is between the piece and a wall, as the plane of one
 * of them shows, or one that stands on a side of it. False proves nothing. */
bool sc_piece_misses(const sc_piece *p, const sc_outline *outline, const sc_wall *wall,
                     double room);

/* The same by the plane and sides of the piece alone, of any facet. */
bool sc_piece_misses_facet(const sc_piece *p, const sc_outline *outline, const sc_vec3 v[3],
                           double room);

/* Whether no point of the piece is farther than `limit` from a facet. */
bool sc_piece_is_near(const sc_piece *p, const sc_vec3 v[3], double limit);

#endif
