/* support.h - how far the nodes of an octree reach along a direction.
 *
 * Boxes of long facets all meet where these have a corner in common, as about the hub of a fan;
 * and of two such fans all pairs of facets are equally far apart, which boxes of rounded floats
 * do not show. Along the way between the closest points known, heights of facets in doubles do:
 * they keep pairs apart to the last bits, nodes at a time. What lies farther off than a bound is
 * passed by then, and what lies as far and has higher numbers.
 *
 * A height is a function of a vertex alone, rounded towards the other part: so facets that share
 * the vertex that matters have the same, and whichever order pairs come in, of which the gap is
 * the same the lowest one is told. */
#ifndef SC_SUPPORT_H
#define SC_SUPPORT_H

#include "geom/tri_distance.h"
#include "octree.h"

typedef struct sc_support_way {
    sc_vec3 from, unit; /* from A to B, not longer than 1 */
} sc_support_way;

/* How far what is below a node reaches towards the other part, and its lowest facet. */
typedef struct sc_support {
    double height;
    uint32_t lowest;
} sc_support;

/* Of a node, once somebody asked for it: few do of parts that are near each other in one place. */
typedef struct sc_node_support {
    sc_support support;
    atomic_int progress;
} sc_node_support;

/* The support of nodes of level 1 and more. */
typedef struct sc_supports {
    sc_octree *tree;
    sc_support_way way; /* towards the other part */
    sc_node_support *nodes[SC_LEVELS];
} sc_supports;

/* What was found of clusters lately, by one thread. */
typedef struct sc_cluster_supports sc_cluster_supports;

/* Between the closest points of two facets; false if it has no direction. */
bool sc_support_way_make(const sc_triangle *a, const sc_triangle *b, sc_support_way *way);

/* The same as seen from B. */
static inline sc_support_way sc_support_way_back(const sc_support_way *way)
{
    return (sc_support_way){way->from, sc_scale(way->unit, -1.0)};
}

/* The height of a facet: as far as its farthest vertex, and what rounding may have taken. */
double sc_support_height(const sc_support_way *way, const sc_vec3 v[3]);

/* Facets of A and B with these heights, or nodes of them, are no nearer to each other. */
static inline double sc_support_gap(double a, double b)
{
    return -(a + b);
}

/* False if memory ran out; freed by sc_supports_free in either case. */
bool sc_supports_make(sc_octree *tree, const sc_support_way *way, sc_supports *supports);
void sc_supports_free(sc_supports *supports);

/* NULL if memory ran out; freed by sc_free. */
sc_cluster_supports *sc_cluster_supports_make(void);

/* That of a node whose box was seen. False if memory ran out. Any number of threads may ask, with
 * clusters of their own. */
bool sc_support_of(const sc_supports *supports, sc_cluster_supports *clusters, sc_node node,
                   sc_support *support);

#endif
