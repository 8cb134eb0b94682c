/* facet_views.h - the points that the facets of a part are seen from when what lies of them in the
 * other part is summed up: near by, so that little is rounded. */
#ifndef SC_FACET_VIEWS_H
#define SC_FACET_VIEWS_H

#include "overlap_pieces.h"

/* What a stretch of its boundary belongs to: a facet, seen from its reference point c. */
typedef struct sc_facet_view {
    sc_vec3 c;
    double reach; /* of its vertices from the origin: what its points are rounded to */
    size_t piece; /* of a crossed facet: that of c */
    bool several; /* other pieces have views of their own of the facet */
} sc_facet_view;

/* Those of a part: of each crossed facet one, and others for more pieces on it. */
typedef struct sc_facet_views {
    const sc_crossings *x;
    const sc_pieces *pieces;
    int part;
    sc_facet_view *views; /* [crossed facets] */
    struct sc_other_view *others;
    size_t other_count;
} sc_facet_views;

/* False if memory ran out, or time; free in any case. The crossings and pieces must outlive it. */
bool sc_facet_views_make(const sc_crossings *crossings, const sc_pieces *pieces, int part,
                         sc_facet_views *views);
void sc_facet_views_free(sc_facet_views *views);

/* The one that the piece has of a facet that several have views of; NULL if it is not one of those
 * others. */
const sc_facet_view *sc_facet_view_of_other(const sc_facet_views *views, const sc_active *facet,
                                            size_t piece);

/* Of any facet that was looked at: the one at hand, or from a vertex of its own. */
static inline sc_facet_view sc_facet_view_of(const sc_facet_views *views, const sc_active *facet)
{
    const sc_windings *in = &views->x->windings[views->part];
    const size_t number = (size_t)(facet - in->facets);
    return number < in->crossed
               ? views->views[number]
               : (sc_facet_view){.c = sc_sub(in->points[facet->vertex[0]], views->x->origin)};
}

/* That for the piece of a node, given the one above. */
static inline const sc_facet_view *sc_facet_view_for(const sc_facet_views *views,
                                                     const sc_facet_view *view,
                                                     const sc_active *facet, size_t node)
{
    const size_t piece = views->pieces->of[node];
    const sc_facet_view *own =
        view->several && view->piece != piece ? sc_facet_view_of_other(views, facet, piece) : NULL;
    return own ? own : view;
}

#endif
