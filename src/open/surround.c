/* surround.c - see surround.h.
 *
 * The generalized winding number is continuous away from the surface, which no edge of a piece
 * passes. So it is summed up at one vertex of the piece and followed from there along the
 * edges: the border of the open part tells it up to an integer, and how far around a point it
 * stays below 0.5 (rim.h). All vertices that hang together with the point within so far are
 * done with, and the edges between them. All others are followed one by one: what is known of
 * their ends does not tell of what lies between. Cracks of the border that matter nowhere there
 * are left out (cracks.h). */
#include "surround.h"

#include "base/alloc.h"
#include "cracks.h"
#include "rim.h"
#include "solids/windings.h"

/* Edges of the border, over all looks at it: some seconds. */
static const uint64_t most_edges = 30000000;

typedef struct search {
    const sc_surround_request *request;
    sc_windings pieces;      /* of the part `of` */
    sc_rim rim;              /* of the part `in` */
    uint32_t *first;         /* [vertices + 1] */
    uint32_t *around;        /* facets: of vertex i around[first[i]] .. around[first[i + 1] - 1] */
    sc_box *box;             /* of the piece with this root */
    bool *touches;           /* the piece with this root touches the part `in` */
    uint32_t *ball;          /* in which a vertex was found to stay below 0.5; 0: not as yet */
    uint32_t balls;          /* so many of them; a vertex found at the end of an edge has its own */
    bool *followed;          /* vertices of which all edges are known to stay below */
    uint32_t *queue, queued; /* those found, in that order */
    uint64_t looks;          /* at the border that are left */
    sc_vec3 way;             /* of all vertices, where they move */
} search;

/* ---- making --------------------------------------------------------------- */

static uint32_t corner(const search *s, size_t use)
{
    return s->pieces.facets[use / 3].vertex[use % 3];
}

static void list_facets_around(search *s)
{
    const size_t uses = 3 * s->pieces.count;

    for (size_t i = 0; i < uses; i++) {
        s->first[corner(s, i)]++;
    }
    for (size_t i = 1; i <= s->pieces.vertices; i++) {
        s->first[i] += s->first[i - 1];
    }
    for (size_t i = uses; i-- > 0;) { /* the ends become the starts */
        s->around[--s->first[corner(s, i)]] = (uint32_t)(i / 3);
    }
}

static void make_boxes(search *s)
{
    for (size_t i = 0; i < s->pieces.vertices; i++) {
        s->box[i] = sc_box_empty();
    }
    for (uint32_t i = 0; i < s->pieces.vertices; i++) {
        sc_box_add_point(&s->box[sc_windings_root(&s->pieces, i)], s->pieces.points[i]);
    }
}

static void mark_touching(search *s)
{
    const sc_surround_request *r = s->request;
    for (size_t i = 0; i < r->hit_count; i++) {
        uint32_t facet = (uint32_t)(r->of->role == SC_ROLE_A ? r->hits[i] >> 32 : r->hits[i]);
        s->touches[sc_windings_root(&s->pieces, s->pieces.facets[facet].vertex[0])] = true;
    }
}

static bool list_vertices(search *s)
{
    return sc_windings_init(&s->pieces, s->request->of, s->request->in) &&
           sc_windings_add_all(&s->pieces);
}

static bool make_rim(search *s)
{
    const sc_part *in = s->request->in->part;
    sc_rim stored = {.count = 0};
    bool good = (s->request->in_is_closed || sc_rim_make(in->mesh, &stored)) &&
                sc_rim_place(&stored, &in->used, &s->rim);
    sc_rim_free(&stored);
    return good;
}

static void grant_looks(search *s)
{
    s->looks = most_edges / (s->rim.count + 1) + 1;
}

static bool close_cracks(search *s, size_t count,
                         bool (*way)(void *context, size_t i, sc_vec3 *from, sc_vec3 *to))
{
    const sc_surround_request *r = s->request;
    const sc_cracks_request request = {.count = count, .way = way, .context = s, .poll = r->poll};
    bool good = sc_cracks_close(&request, &s->rim);
    grant_looks(s);
    return good;
}

/* Whether the piece is to be asked for. */
static bool matters(const search *s, uint32_t root)
{
    return !s->touches[root] && sc_boxes_meet(&s->box[root], &s->request->in->part->used_bounds);
}

/* Whether this is the first facet at its edge between two vertices. */
static bool is_first_at(const search *s, size_t facet, uint32_t a, uint32_t b)
{
    for (size_t i = s->first[a]; i < s->first[a + 1]; i++) {
        const uint32_t *v = s->pieces.facets[s->around[i]].vertex;
        if (v[0] == b || v[1] == b || v[2] == b) {
            return s->around[i] == facet;
        }
    }
    return true;
}

/* An edge of a facet. */
static bool edge_that_matters(void *context, size_t i, sc_vec3 *from, sc_vec3 *to)
{
    search *s = context;
    const uint32_t a = corner(s, i), b = corner(s, i - i % 3 + (i + 1) % 3);

    *from = s->pieces.points[a];
    *to = s->pieces.points[b];
    return matters(s, sc_windings_root(&s->pieces, a)) && is_first_at(s, i / 3, a, b);
}

static bool prepare(search *s)
{
    sc_windings *w = &s->pieces;

    if (!list_vertices(s) || !sc_windings_solve(w, false) || !make_rim(s)) {
        return false;
    }
    s->first = sc_calloc(w->vertices + 1, sizeof *s->first);
    s->around = sc_alloc(3 * w->count, sizeof *s->around);
    s->box = sc_alloc(w->vertices, sizeof *s->box);
    s->ball = sc_calloc(w->vertices, sizeof *s->ball);
    s->followed = sc_calloc(w->vertices, sizeof *s->followed);
    s->queue = sc_alloc(w->vertices, sizeof *s->queue);
    s->touches = sc_calloc(w->vertices, sizeof *s->touches);
    if (!s->first || !s->around || !s->box || !s->ball || !s->followed || !s->queue ||
        !s->touches) {
        return false;
    }
    list_facets_around(s);
    make_boxes(s);
    mark_touching(s);
    return close_cracks(s, 3 * w->count, edge_that_matters);
}

/* ---- following ------------------------------------------------------------ */

static void set_below(search *s, uint32_t vertex, uint32_t ball)
{
    s->ball[vertex] = ball;
    s->queue[s->queued++] = vertex;
}

/* The corners of the facets around a vertex: of all i from 3 first[vertex] to below
 * 3 first[vertex + 1]. */
static uint32_t corner_around(const search *s, size_t i)
{
    return corner(s, 3 * (size_t)s->around[i / 3] + i % 3);
}

static bool is_within(const search *s, uint32_t vertex, sc_vec3 centre, double radius)
{
    return sc_length(sc_sub(s->pieces.points[vertex], centre)) <= 0.999 * radius;
}

/* To the vertices around one, as far as they lie in the ball. */
static void spread(search *s, uint32_t vertex, sc_vec3 centre, double radius)
{
    for (size_t i = 3 * (size_t)s->first[vertex]; i < 3 * (size_t)s->first[vertex + 1]; i++) {
        uint32_t other = corner_around(s, i);
        if (s->ball[other] == 0 && is_within(s, other, centre, radius)) {
            set_below(s, other, s->balls);
        }
    }
}

/* Whether the winding number is known to stay below on the way between neighbours. */
static bool is_settled(const search *s, uint32_t vertex, uint32_t other)
{
    return s->ball[other] == s->ball[vertex] || s->followed[other];
}

static bool all_settled(const search *s, uint32_t vertex)
{
    for (size_t i = 3 * (size_t)s->first[vertex]; i < 3 * (size_t)s->first[vertex + 1]; i++) {
        if (!is_settled(s, vertex, corner_around(s, i))) {
            return false;
        }
    }
    return true;
}

/* From a vertex along all edges; false where it does not stay below. */
static bool go_on_from(search *s, uint32_t vertex)
{
    const sc_vec3 p = s->pieces.points[vertex];
    uint32_t next = s->queued;
    double within;

    if (all_settled(s, vertex)) {
        s->followed[vertex] = true;
        return true;
    }
    sc_rim_winding(&s->rim, p, &within);
    s->looks -= s->looks > 0;
    s->balls++;
    spread(s, vertex, p, within);
    for (; next < s->queued; next++) {
        spread(s, s->queue[next], p, within);
    }
    for (size_t i = 3 * (size_t)s->first[vertex]; i < 3 * (size_t)s->first[vertex + 1]; i++) {
        uint32_t other = corner_around(s, i);
        if (is_settled(s, vertex, other) || is_within(s, other, p, within)) {
            continue;
        }
        if (!sc_rim_stays_below(&s->rim, p, s->pieces.points[other], &s->looks)) {
            return false;
        }
        if (s->ball[other] == 0) {
            set_below(s, other, ++s->balls);
        }
    }
    s->followed[vertex] = true;
    return true;
}

static bool may_go_on(const search *s, size_t step)
{
    const sc_surround_request *r = s->request;
    return s->looks > 0 && (step % 256 != 0 || sc_poll_goes_on(&r->poll));
}

/* The piece with this root. */
static bool stays_below(search *s, uint32_t root)
{
    double winding = sc_solid_generalized_winding(s->request->in, s->pieces.points[root]);

    s->queued = 0;
    set_below(s, root, ++s->balls);
    bool below = fabs(winding) < 0.5;
    for (uint32_t i = 0; i < s->queued && below; i++) {
        below = may_go_on(s, i) && go_on_from(s, s->queue[i]);
    }
    return below;
}

static bool search_pieces(search *s)
{
    for (uint32_t i = 0; i < s->pieces.vertices; i++) {
        if (sc_windings_root(&s->pieces, i) == i && matters(s, i) && !stays_below(s, i)) {
            return true;
        }
    }
    return false;
}

static void free_search(search *s)
{
    sc_windings_free(&s->pieces);
    sc_rim_free(&s->rim);
    sc_free(s->first);
    sc_free(s->around);
    sc_free(s->box);
    sc_free(s->ball);
    sc_free(s->followed);
    sc_free(s->touches);
    sc_free(s->queue);
}

bool sc_surround_find(const sc_surround_request *request, bool *held)
{
    search s = {.request = request};
    bool good = prepare(&s);

    *held = good && search_pieces(&s);
    free_search(&s);
    return good;
}

/* ---- on the way ------------------------------------------------------------ */

/* Of a vertex, where it comes to the part. */
static bool way_that_matters(void *context, size_t i, sc_vec3 *from, sc_vec3 *to)
{
    const search *s = context;
    sc_box swept = sc_box_empty();

    *from = s->pieces.points[i];
    *to = sc_add(*from, s->way);
    sc_box_add_point(&swept, *from);
    sc_box_add_point(&swept, *to);
    return sc_boxes_meet(&swept, &s->request->in->part->used_bounds);
}

bool sc_surround_on_way(const sc_surround_request *request, sc_vec3 way, bool *held)
{
    search s = {.request = request, .way = way};
    bool good =
        list_vertices(&s) && make_rim(&s) && close_cracks(&s, s.pieces.vertices, way_that_matters);
    sc_vec3 from, to;

    *held = false;
    for (size_t i = 0; good && !*held && i < s.pieces.vertices; i++) {
        *held = way_that_matters(&s, i, &from, &to) &&
                !(may_go_on(&s, i) && sc_rim_stays_below(&s.rim, from, to, &s.looks));
    }
    free_search(&s);
    return good;
}
