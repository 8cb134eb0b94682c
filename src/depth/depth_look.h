/* depth_look.h - one step of the search for the depth: something that may hold deep points is
 * divided, and its parts are looked at.
 *
 * The distance from the surface of one part, over all common points, is largest on the surface of
 * the other part, or at a peak inside. So for either part there are nodes of the other's octree,
 * divided down to facets and pieces of them, and cells of space, for peaks alone. Each is dropped
 * as soon as it is proven to hold no common point deeper than the limit, a little more than the
 * best point so far (depth_proof.h has the proofs).
 *
 * A point on the surface of one part and inside the other counts as common: inner points of both
 * come arbitrarily close to it, since winding numbers are not negative and facets without area are
 * not looked at. */
#ifndef SC_DEPTH_LOOK_H
#define SC_DEPTH_LOOK_H

#include "deepest.h"
#include "depth_axes.h"

/* Something that may hold deep points: a node of an octree, a piece of a facet, a cell of space. */
typedef enum sc_suspect_kind { SC_SUSPECT_NODE, SC_SUSPECT_PIECE, SC_SUSPECT_CELL } sc_suspect_kind;

typedef struct sc_suspect {
    double bound;    /* no common point in it lies deeper */
    uint64_t serial; /* of equal bounds the first made is first looked at */
    sc_suspect_kind kind;
    bool depth_of[2];  /* whether the distance from the surface of 0, of 1 matters; of
                          nodes and pieces, that of the other part alone */
    bool inside[2];    /* all of it is known to lie inside part 0, 1 */
    bool stubborn;     /* of a cell: no part was dropped of the one that it is a part of */
    uint32_t near[2];  /* facets near it, UINT32_MAX: unknown */
    int level;         /* of a node */
    uint32_t index;    /* of a node; of a piece, its facet */
    sc_vec3 corner[3]; /* of a piece */
    sc_box box;        /* of a node; of a cell, along the axes */
} sc_suspect;

enum { SC_SUSPECT_PARTS = 8 };

/* Who looks at one of them. Any number may do so side by side. */
typedef struct sc_looker {
    sc_deepest found;   /* what was known before, and what it found itself */
    sc_depth_axes axes; /* along which cells lie: from sc_look_at_all on */
    sc_vec3 way[2];     /* the unit vector along which something last left part 0, 1 */
    sc_suspect suspect, parts[SC_SUSPECT_PARTS]; /* of it those that remain */
    int count;                                   /* of these; 0 before a look */
    uint64_t looked_at;
} sc_looker;

/* The whole of both parts, after some tries for a good best; finds the axes. */
void sc_look_at_all(sc_looker *looker, sc_crew *crew);

/* In which part anything may lie deep, as the whole of both shows, in a column square to what faces
 * each other: dear, where parts have many facets. */
void sc_look_at_whole(sc_looker *looker, bool depth_of[2]);

/* Divides the suspect and looks at its parts. */
void sc_look_closer(sc_looker *looker);

#endif
