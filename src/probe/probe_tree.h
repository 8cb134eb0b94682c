/* probe_tree.h - all facets of a part in a tree for probes: segments and points.
 *
 * Unlike the octree, which opens only what lies near another part, it is built once and
 * asked millions of times. It stands in the part's own coordinates, so a placement moves
 * the probe and not the tree. Nodes have 8 children with boxes of floats rounded
 * outwards. Leaves hold triangles in fours, each as the affine map that takes the
 * triangle to (0,0,0), (1,0,0), (0,1,0) (Baldwin and Weber, Fast Ray-Triangle Intersections
 * by Coordinate Transformation, 2016): where a segment's ends lie in that frame tells
 * nearly always whether it passes. */
#ifndef SC_PROBE_TREE_H
#define SC_PROBE_TREE_H

#include "facets.h"
#include "frame.h"

enum { SC_PROBE_WIDTH = 8, SC_PROBE_LANES = 4, SC_PROBE_DEPTH = 96 };

/* Boxes of the children, [axis][0 low, 1 high][child]; an absent one is empty. */
typedef struct sc_probe_node {
    float bounds[3][2][SC_PROBE_WIDTH];
    uint32_t child[SC_PROBE_WIDTH]; /* a node, or SC_PROBE_LEAF + a bundle */
} sc_probe_node;

#define SC_PROBE_LEAF UINT32_C(0x80000000)

/* Up to four triangles. For a point x of the frame map[0].x and map[1].x are its
 * coordinates along v1 - v0 and v2 - v0, map[2].x its height; entry 3 is the constant.
 * A triangle without a map, a needle or one without area, has zeros: it is never sure. */
typedef struct sc_probe_bundle {
    float map[3][4][SC_PROBE_LANES];
    float slack[SC_PROBE_LANES];       /* what an error of x of 1 along each axis may do to the
                                    first two coordinates */
    uint32_t triangle[SC_PROBE_LANES]; /* an absent one has height 2^100 everywhere: it is missed */
} sc_probe_bundle;

typedef struct sc_probe_tree {
    sc_frame frame;
    sc_fbox bounds;           /* in the frame */
    sc_probe_node *nodes;     /* [node_count], the root first; none: no triangles */
    sc_probe_bundle *bundles; /* [bundle_count] */
    size_t node_count, bundle_count;
} sc_probe_tree;

/* Facets as stored, with finite coordinates; `bounds` are theirs. */
stlclash_code sc_probe_tree_build(const sc_facets *facets, const sc_box *bounds,
                                  sc_probe_tree *tree, stlclash_error *error);
void sc_probe_tree_free(sc_probe_tree *tree);

#endif
