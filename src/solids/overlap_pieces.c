/* overlap_pieces.c - see overlap_pieces.h: union-find, by part first, then across the
 * segments in which the parts cross. */
#include "overlap_pieces.h"

#include "base/alloc.h"
#include "base/parallel.h"

typedef struct joining {
    const sc_crossings *x;
    size_t *parent;       /* of a vertex or crossing; that of a root is itself, else less */
    bool multiplicity[2]; /* by part */
} joining;

static size_t find(size_t *parent, size_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(joining *j, size_t a, size_t b)
{
    a = find(j->parent, a);
    b = find(j->parent, b);
    j->parent[a < b ? b : a] = a < b ? a : b;
}

/* Crossings this close on an edge, facets that meet there, may stand in either order. */
static const double same_place = 0x1p-30;

/* Joins the ends of every stretch of an edge that lies inside the other part. */
static void join_edge(joining *j, int part, uint32_t from, uint32_t to)
{
    const sc_crossings *x = j->x;
    const sc_windings *in = &x->windings[part];
    bool turned = sc_vertex_before(in->points[to], in->points[from]);
    uint32_t low = turned ? to : from, high = turned ? from : to;
    size_t first, last = sc_crossings_of_edge(x, part, low, high, &first);
    size_t node = sc_pieces_vertex(x, part, low);
    int winding = in->winding[low];

    for (size_t i = first; i < last; i++) {
        if (winding != 0) {
            join(j, node, sc_pieces_crossing(x, i));
        }
        winding += x->crossings[i].enters;
        double until = i + 1 < last ? x->crossings[i + 1].t : 1.0;
        j->multiplicity[part] |=
            (winding < 0 || winding > 1) && until - x->crossings[i].t > same_place;
        node = sc_pieces_crossing(x, i);
    }
    if (winding != 0) {
        join(j, node, sc_pieces_vertex(x, part, high));
    }
}

/* What lies on one part: nothing of that is joined to what lies on the other. */
static void join_part(void *context, int part)
{
    joining *j = context;
    const sc_windings *in = &j->x->windings[part];

    for (size_t i = 0; i < in->count; i++) {
        const sc_active *f = &in->facets[i];
        for (int k = 0; k < 3; k++) {
            join_edge(j, part, f->vertex[k], f->vertex[(k + 1) % 3]);
        }
    }
    for (size_t i = 0; i < in->patch_count; i++) {
        const uint32_t *vertex = in->patch_vertices + in->patches[i].vertex;
        for (size_t k = 1; k < in->patches[i].vertices; k++) {
            join(j, sc_pieces_vertex(j->x, part, vertex[0]),
                 sc_pieces_vertex(j->x, part, vertex[k]));
        }
    }
}

/* Numbers the sets; parents, being less than their children, become those numbers first. */
static size_t number_sets(size_t *parent, size_t nodes)
{
    size_t count = 0;
    for (size_t i = 0; i < nodes; i++) {
        parent[i] = parent[i] == i ? count++ : parent[parent[i]];
    }
    return count;
}

bool sc_pieces_find(const sc_crossings *crossings, int threads, sc_pieces *pieces)
{
    size_t nodes = sc_pieces_crossing(crossings, crossings->crossing_count);
    joining j = {.x = crossings, .parent = sc_alloc(nodes, sizeof *j.parent)};

    *pieces = (sc_pieces){.of = j.parent};
    if (!j.parent) {
        return false;
    }
    for (size_t i = 0; i < nodes; i++) {
        j.parent[i] = i;
    }
    sc_parallel_items(threads, 2, join_part, &j);
    for (size_t i = 0; i < crossings->segment_count; i++) {
        const sc_segment *s = &crossings->segments[i];
        join(&j, sc_pieces_crossing(crossings, s->start), sc_pieces_crossing(crossings, s->end));
    }
    pieces->count = number_sets(j.parent, nodes);
    pieces->multiplicity = j.multiplicity[0] || j.multiplicity[1];
    return true;
}

void sc_pieces_free(sc_pieces *pieces)
{
    sc_free(pieces->of);
    *pieces = (sc_pieces){.of = NULL};
}
