/* overlap_corners.h - the boundary of what two parts have in common, corner by corner: where the
 * lines that bound its faces begin and end. */
#ifndef SC_OVERLAP_CORNERS_H
#define SC_OVERLAP_CORNERS_H

#include "crossing_residue.h"
#include "overlap_sums.h"

enum { SC_LINE_FIELDS = 2 };

/* The residues of a line in one field: the normal of its facet, its direction, a point of it. */
typedef struct sc_line_residues {
    sc_residue3 normal, along, base;
} sc_line_residues;

/* An edge of a facet, or a segment on it. */
typedef struct sc_boundary_line {
    sc_vec3 plane[3];         /* the facet */
    const sc_vec3 *edge;      /* its ends, the lower first; NULL: a segment */
    sc_vec3 other[3];         /* the facet that the segment crosses */
    const sc_crossing *start; /* of the segment */
    sc_vec3 start_at;
    bool known; /* its residues are: */
    sc_line_residues in[SC_LINE_FIELDS];
} sc_boundary_line;

/* A corner on a line: a vertex, or a crossing. */
typedef struct sc_boundary_corner {
    sc_vec3 at;
    const sc_crossing *crossing; /* NULL: a vertex */
    size_t node;                 /* of the pieces of the boundary (overlap_pieces.h) */
    int times;                   /* its line ends here so often, or begins if negative; may be 0 */
} sc_boundary_corner;

/* Who is told of all corners, but those of facets, segments and runs of them that lie within a box
 * and do not reach its sides; of a run it is what of it lies in the other part. NULL: none lies in
 * it. */
typedef struct sc_corner_visitor {
    const sc_box *inner;
    /* NULL, or: only of those on facets that are flat along an axis, and of such a facet of a patch
     * as a whole, `times` over. */
    void (*flat_facet)(void *context, const sc_vec3 v[3], size_t node, int times);
    const sc_sums *sums; /* with the boxes of runs; NULL: each facet is looked at */
    void (*corner)(void *context, sc_boundary_line *line, const sc_boundary_corner *corner);
    void *context;
} sc_corner_visitor;
void sc_overlap_corners(const sc_crossings *crossings, const sc_corner_visitor *visitor);

/* Whether all of a facet has one coordinate along an axis. */
static inline bool sc_facet_is_flat(const sc_vec3 v[3], int axis)
{
    const double at = sc_component(v[0], axis);
    return sc_component(v[1], axis) == at && sc_component(v[2], axis) == at;
}

/* Makes the residues of a line, once. */
void sc_boundary_line_know(const sc_crossings *crossings, const sc_field field[SC_LINE_FIELDS],
                           sc_boundary_line *line);

sc_residue3 sc_boundary_corner_residue(const sc_crossings *crossings, const sc_field *field,
                                       const sc_boundary_corner *corner);

#endif
