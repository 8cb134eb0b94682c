/* depth_look_at.h - looks at nodes and pieces of surfaces, and at cells of space: of each suspect
 * the looker keeps the parts that may still hold deep points. */
#ifndef SC_DEPTH_LOOK_AT_H
#define SC_DEPTH_LOOK_AT_H

#include "depth_look.h"

/* How much above the least the distance of a near facet may be: a part of the size of
 * what is looked at, or if that is more, of the error that the depth may have. Where
 * much of the surface is about as near (around the middle of a ball), more is dear. */
#define SC_LOOK_ROUGH 0.25

/* A facet of part x near p, for what lies within `radius` of p, and is so `wide`; *least: none is
 * nearer. */
sc_nearest sc_look_near(sc_looker *looker, sc_suspect *it, int x, sc_vec3 p, double radius,
                        double wide, double *least);

/* Whether what lies within `radius` of p is outside part x, all of it; notes in the
 * item if it is inside. No facet is nearer to p than `distance`. */
bool sc_look_is_outside(sc_looker *looker, sc_suspect *it, int x, sc_vec3 p, double radius,
                        double distance);

/* Counts one look; false when none makes sense any more. */
bool sc_look_may(sc_looker *looker);
void sc_look_keep(sc_looker *looker, const sc_suspect *it);

/* Of a facet of part x; 0 where rounding leaves none. */
sc_vec3 sc_look_normal(const sc_looker *looker, int x, uint32_t facet);

/* Whether two walls, of these unit normals or zero, are about parallel; *across: about square to
 * both, unit. */
bool sc_look_across(sc_vec3 a, sc_vec3 b, sc_vec3 *across);

/* Each drops what it is given, or keeps it. */
void sc_look_at_node(sc_looker *looker, sc_suspect *it, int x);
void sc_look_at_cell(sc_looker *looker, sc_suspect *it);

/* Each looks at the parts of the suspect. */
void sc_look_split_node(sc_looker *looker, const sc_suspect *it, int x);
void sc_look_split_leaf(sc_looker *looker, const sc_suspect *it, int x);
void sc_look_split_piece(sc_looker *looker, const sc_suspect *it, int x);
void sc_look_split_cell(sc_looker *looker, const sc_suspect *it);

#endif
