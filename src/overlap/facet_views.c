/* facet_views.c - see facet_views.h. */
#include "facet_views.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

/* Of a facet that several pieces are on, for another than the first: from a point of the one the
 * stretches of the other, far off and short, would round by more than it holds. */
typedef struct sc_other_view {
    size_t facet, segment; /* numbers of the crossed facet, and of the segment that gives c */
    sc_facet_view view;
} other_view;

static int by_facet_and_piece(const void *x, const void *y)
{
    const other_view *a = x, *b = y;
    return a->facet != b->facet ? (a->facet > b->facet ? 1 : -1)
                                : (a->view.piece > b->view.piece) - (a->view.piece < b->view.piece);
}

const sc_facet_view *sc_facet_view_of_other(const sc_facet_views *s, const sc_active *f,
                                            size_t piece)
{
    const other_view key = {.facet = (size_t)(f - s->x->windings[s->part].facets),
                            .view = {.piece = piece}};
    const other_view *own =
        bsearch(&key, s->others, s->other_count, sizeof key, by_facet_and_piece);
    return own ? &own->view : NULL;
}

/* The first crossing on a facet serves as its c: it has a reach then, as what crosses has area.
 * Returns how many segments are of other pieces. */
static size_t make_views(sc_facet_views *s)
{
    const sc_crossings *x = s->x;
    const sc_windings *in = &x->windings[s->part];
    size_t others = 0;
    for (size_t i = 0; i < in->crossed; i++) {
        s->views[i] = (sc_facet_view){.c = sc_sub(in->points[in->facets[i].vertex[0]], x->origin)};
    }
    for (size_t i = 0; i < x->segment_count; i++) {
        const sc_segment *segment = &x->segments[i];
        const sc_active *f = sc_windings_crossed(in, segment->facet[s->part]);
        sc_facet_view *view = &s->views[f - in->facets];
        const size_t piece = s->pieces->of[sc_pieces_crossing(x, segment->start)];
        if (view->reach > 0.0) {
            const bool is_other = view->piece != piece;
            view->several |= is_other;
            others += is_other;
            continue;
        }
        view->piece = piece;
        view->c = x->crossings[segment->start].point;
        for (int k = 0; k < 3; k++) {
            const sc_vec3 p = sc_sub(in->points[f->vertex[k]], x->origin);
            view->reach = sc_fmax(view->reach, fabs(p.x) + fabs(p.y) + fabs(p.z));
        }
    }
    return others;
}

static int by_facet_piece_and_segment(const void *x, const void *y)
{
    const other_view *a = x, *b = y;
    const int order = by_facet_and_piece(a, b);
    return order ? order : (a->segment > b->segment) - (a->segment < b->segment);
}

/* The segments of crossed facets that other pieces are on than that of the view. */
static void list_others(const sc_facet_views *s, other_view *others)
{
    const sc_crossings *x = s->x;
    const sc_windings *in = &x->windings[s->part];
    size_t count = 0;
    for (size_t i = 0; i < x->segment_count; i++) {
        const sc_segment *segment = &x->segments[i];
        const sc_active *f = sc_windings_crossed(in, segment->facet[s->part]);
        const size_t facet = (size_t)(f - in->facets);
        const sc_facet_view *view = &s->views[facet];
        const size_t piece = s->pieces->of[sc_pieces_crossing(x, segment->start)];
        if (!view->several || view->piece == piece) {
            continue;
        }
        others[count] = (other_view){facet, i, *view};
        others[count].view.piece = piece;
        others[count++].view.c = x->crossings[segment->start].point;
    }
}

/* From that many segments. */
static bool make_other_views(sc_facet_views *s, size_t all)
{
    s->others = all ? sc_alloc(all, sizeof *s->others) : NULL;
    if (!s->others) {
        return all == 0;
    }
    list_others(s, s->others);
    if (!sc_sort_items(s->others, all, sizeof *s->others, by_facet_piece_and_segment,
                       s->x->solid[0]->watch)) {
        return false;
    }
    for (size_t i = 0; i < all; i++) { /* the first of each */
        if (i == 0 || by_facet_and_piece(&s->others[s->other_count - 1], &s->others[i]) != 0) {
            s->others[s->other_count++] = s->others[i];
        }
    }
    return true;
}

bool sc_facet_views_make(const sc_crossings *crossings, const sc_pieces *pieces, int part,
                         sc_facet_views *views)
{
    *views = (sc_facet_views){.x = crossings, .pieces = pieces, .part = part};
    views->views = sc_alloc(crossings->windings[part].crossed, sizeof *views->views);
    return views->views && make_other_views(views, make_views(views));
}

void sc_facet_views_free(sc_facet_views *views)
{
    sc_free(views->views);
    sc_free(views->others);
    *views = (sc_facet_views){.views = NULL};
}
