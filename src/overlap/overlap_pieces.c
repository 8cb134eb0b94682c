/* overlap_pieces.c - see overlap_pieces.h: union-find, by part first, then across the
 * segments in which the parts cross. Where all that crosses is of one piece, and all that lies
 * inside hangs together with that, there is no need to ask by what the patches do. */
#include "overlap_pieces.h"

#include "base/alloc.h"
#include "base/union_find.h"

typedef struct joining {
    const sc_crossings *x;
    size_t *parent;       /* of a node (sc_pieces) */
    bool multiplicity[2]; /* by part */
} joining;

static void join(joining *j, size_t a, size_t b)
{
    sc_union_join_wide(j->parent, a, b);
}

/* Crossings this close on an edge, facets that meet there, may stand in either order. */
static const double same_place = 0x1p-30;

/* Joins the ends of every stretch of an edge that lies inside the other part. */
static void join_edge(joining *j, int part, uint32_t from, uint32_t to)
{
    const sc_crossings *x = j->x;
    const sc_crossed_edge e = sc_crossings_of_edge(x, part, from, to);
    size_t node = sc_pieces_vertex(x, part, e.low);
    int winding = e.winding;

    for (size_t i = e.first; i < e.last; i++) {
        if (winding != 0) {
            join(j, node, sc_pieces_crossing(x, i));
        }
        winding += x->crossings[i].enters;
        double until = i + 1 < e.last ? x->crossings[i + 1].t : 1.0;
        j->multiplicity[part] |=
            (winding < 0 || winding > 1) && until - x->crossings[i].t > same_place;
        node = sc_pieces_crossing(x, i);
    }
    if (winding != 0) {
        join(j, node, sc_pieces_vertex(x, part, e.high));
    }
}

/* Whether all edges of a facet plainly lie inside the other part. */
static bool lies_inside(const sc_crossings *x, int part, const sc_active *f)
{
    const int32_t *winding = x->windings[part].winding;
    return winding[f->vertex[0]] != 0 && winding[f->vertex[1]] != 0 && winding[f->vertex[2]] != 0 &&
           sc_crossings_spare(x, part, f);
}

/* What lies on one part: nothing of that is joined to what lies on the other. */
static void join_part(void *context, int part)
{
    joining *j = context;
    const sc_windings *in = &j->x->windings[part];

    for (size_t i = 0; i < in->count && !sc_watch_ends(in->own->watch, i); i++) {
        const sc_active *f = &in->facets[i];
        if (lies_inside(j->x, part, f)) {
            join(j, sc_pieces_vertex(j->x, part, f->vertex[0]),
                 sc_pieces_vertex(j->x, part, f->vertex[1]));
            join(j, sc_pieces_vertex(j->x, part, f->vertex[1]),
                 sc_pieces_vertex(j->x, part, f->vertex[2]));
            continue;
        }
        for (int k = 0; k < 3; k++) {
            join_edge(j, part, f->vertex[k], f->vertex[(k + 1) % 3]);
        }
    }
    for (size_t i = 0; i < in->patch_count; i++) {
        const uint32_t *vertex = in->patch_vertices + in->patches[i].vertex;
        for (size_t k = 0; k < in->patches[i].vertices; k++) {
            join(j, sc_pieces_patch(j->x, part, i), sc_pieces_vertex(j->x, part, vertex[k]));
        }
    }
}

/* Whether a node is a vertex outside the other part. */
static bool is_outside(const sc_crossings *x, size_t node)
{
    const size_t of_a = x->windings[0].vertices;
    if (node < of_a) {
        return x->windings[0].winding[node] == 0;
    }
    return node - of_a < x->windings[1].vertices && x->windings[1].winding[node - of_a] == 0;
}

/* Numbers the sets; parents, being less than their children, become those numbers first. A vertex
 * outside is of no piece, unless something turns out to be joined to it. */
static size_t number_sets(const sc_crossings *x, size_t *parent, size_t nodes)
{
    size_t count = 1;
    for (size_t i = 0; i < nodes; i++) {
        const size_t up = parent[i];
        if (up == i) {
            parent[i] = is_outside(x, i) ? SC_NO_PIECE : count++;
            continue;
        }
        if (parent[up] == SC_NO_PIECE) {
            parent[up] = count++;
        }
        parent[i] = parent[up];
    }
    return count;
}

static bool join_all(joining *j, sc_crew *crew)
{
    const sc_crossings *x = j->x;
    size_t nodes = sc_pieces_patch(x, 1, x->windings[1].patch_count);

    sc_free(j->parent);
    j->parent = sc_union_make_wide(nodes);
    if (!j->parent) {
        return false;
    }
    sc_crew_items(crew, 2, join_part, j);
    if (sc_watch_is_over(x->solid[0]->watch)) {
        return false;
    }
    for (size_t i = 0; i < x->segment_count; i++) {
        const sc_segment *s = &x->segments[i];
        join(j, sc_pieces_crossing(x, s->start), sc_pieces_crossing(x, s->end));
    }
    for (size_t i = 0; i < x->crossing_count; i++) {
        join(j, sc_pieces_crossing(x, i), sc_pieces_crossing(x, sc_crossings_place(x, i)));
    }
    return true;
}

/* Whether all crossings, if there are some, are of one piece with all vertices inside of facets
 * that cross. */
static bool cross_in_one_piece(joining *j)
{
    const sc_crossings *x = j->x;
    const size_t first = sc_pieces_crossing(x, 0);
    bool one = x->crossing_count > 0;

    for (size_t i = 1; i < x->crossing_count && one; i++) {
        one = sc_union_root_wide(j->parent, first + i) == sc_union_root_wide(j->parent, first);
    }
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &x->windings[part];
        for (size_t i = 0; i < 3 * in->crossed && one; i++) {
            uint32_t vertex = in->facets[i / 3].vertex[i % 3];
            one = in->winding[vertex] == 0 ||
                  sc_union_root_wide(j->parent, sc_pieces_vertex(x, part, vertex)) ==
                      sc_union_root_wide(j->parent, first);
        }
    }
    return one;
}

/* All that is inside, to one piece. */
static void join_inside(joining *j)
{
    const sc_crossings *x = j->x;
    const size_t crossing = sc_pieces_crossing(x, 0);

    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &x->windings[part];
        for (uint32_t i = 0; i < in->vertices; i++) {
            if (in->winding[i] != 0) {
                join(j, sc_pieces_vertex(x, part, i), crossing);
            }
        }
        for (size_t i = 0; i < in->patch_count; i++) {
            join(j, sc_pieces_patch(x, part, i), crossing);
        }
    }
}

typedef struct splitting {
    sc_crossings *x;
    bool failed[2];
} splitting;

static void split_part(void *context, int part)
{
    splitting *s = context;
    s->failed[part] = !sc_windings_split(&s->x->windings[part]);
}

static bool split_patches(sc_crossings *x, sc_crew *crew)
{
    splitting s = {.x = x};
    sc_crew_items(crew, 2, split_part, &s);
    return !s.failed[0] && !s.failed[1];
}

/* Whether it may matter which piece a patch is of. */
static bool patches_may_differ(const sc_crossings *x)
{
    const size_t patches = x->windings[0].patch_count + x->windings[1].patch_count;
    const bool whole = x->windings[0].is_whole || x->windings[1].is_whole;
    return patches > 0 && !(patches == 1 && whole);
}

/* All nodes, each with the piece that it is of. */
static bool join_nodes(joining *j, sc_crossings *x, sc_crew *crew)
{
    const bool differ = patches_may_differ(x);

    if (differ && !x->anchored) {
        return split_patches(x, crew) && join_all(j, crew);
    }
    if (!join_all(j, crew)) {
        return false;
    }
    if (differ && !cross_in_one_piece(j)) {
        return split_patches(x, crew) && join_all(j, crew);
    }
    if (differ) {
        join_inside(j);
    }
    return true;
}

bool sc_pieces_find(sc_crossings *crossings, sc_crew *crew, sc_pieces *pieces)
{
    joining j = {.x = crossings};
    bool good = join_nodes(&j, crossings, crew);

    *pieces = (sc_pieces){.of = j.parent};
    if (good) {
        size_t nodes = sc_pieces_patch(crossings, 1, crossings->windings[1].patch_count);
        pieces->count = number_sets(crossings, j.parent, nodes);
        pieces->multiplicity = j.multiplicity[0] || j.multiplicity[1];
    }
    return good;
}

void sc_pieces_free(sc_pieces *pieces)
{
    sc_free(pieces->of);
    *pieces = (sc_pieces){.of = NULL};
}
