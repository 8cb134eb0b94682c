/* surround.c - see surround.h.
 *
 * The generalized winding number is continuous away from the surface, which no facet of a piece
 * passes, and the border of the open part tells it up to an integer. So that integer is the same
 * all over a piece on which what the border tells stays below 0.5 (span.h), and found out at one of
 * its vertices, by a ray. Cracks of the border that matter nowhere on the pieces are left out
 * (cracks.h), and so is what runs there and back but for rounding (welds.h).
 *
 * Of what moves only its edges are asked about on their way: in what a facet sweeps out the
 * winding number is harmonic, and greatest on its surface. */
#include "surround.h"

#include "base/alloc.h"
#include "cracks.h"
#include "links.h"
#include "pair.h"
#include "rim.h"
#include "solids/windings.h"
#include "span.h"
#include "touches.h"
#include "welds.h"

/* Edges of the border, over all looks at it, and pairs of facets: some seconds. */
static const uint64_t most_edges = 50000000, most_pairs = 300000000;

typedef struct search {
    const sc_surround_request *request;
    sc_windings pieces; /* of the part `of` */
    sc_rim border;      /* of the part `in` */
    sc_rim rim;         /* that without cracks */
    uint32_t *first;    /* [vertices + 1] */
    uint32_t *around;   /* facets: of vertex i around[first[i]] .. around[first[i + 1] - 1] */
    sc_box *box;        /* of the piece with this root */
    bool *touches;      /* the piece with this root touches the part `in` */
    sc_links links;     /* between pieces, where they are many */
    sc_vec3 offset;     /* of all vertices, from where they are given, */
    sc_vec3 way;        /* and how they move from there */
    bool is_later;      /* that is not where the way begins */
    uint32_t only;      /* the root of the only piece that is asked for, or `all` */
    uint64_t edges;     /* of the border that may be looked at */
} search;

static const uint32_t all = UINT32_MAX;

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
        uint32_t facet = sc_pair_facet(r->hits[i], r->of->role == SC_ROLE_A ? 0 : 1);
        s->touches[sc_windings_root(&s->pieces, s->pieces.facets[facet].vertex[0])] = true;
    }
}

static bool make_border(search *s)
{
    const sc_part *in = s->request->in->part;
    sc_rim stored = {.count = 0};
    bool good = (s->request->in_is_closed || sc_rim_make(in->mesh, &stored)) &&
                sc_rim_place(&stored, &in->used, &s->border);
    sc_rim_free(&stored);
    return good;
}

/* A copy of the border, to take cracks out of. */
static bool make_rim(search *s)
{
    const sc_placement as_it_is = {.is_identity = 1};
    sc_rim_free(&s->rim);
    return sc_rim_place(&s->border, &as_it_is, &s->rim);
}

/* Where many edges are left: the border with what runs there and back left out, if it has far less
 * of them. */
static bool weld(search *s, const sc_tiles *tiles)
{
    enum { FEW = 256, FAR_LESS = 8 };
    const sc_placement as_it_is = {.is_identity = 1};
    sc_rim welded = {.count = 0};

    if (s->rim.count <= FEW) {
        return true;
    }
    const bool good = sc_rim_place(&s->border, &as_it_is, &welded) &&
                      sc_welds_close(tiles, s->rim.count / FAR_LESS, &welded);
    if (good && welded.count <= s->rim.count / FAR_LESS) {
        sc_rim_free(&s->rim);
        s->rim = welded;
    } else {
        sc_rim_free(&welded);
    }
    return good;
}

static bool prepare(search *s)
{
    sc_windings *w = &s->pieces;

    if (!sc_windings_init(w, s->request->of, s->request->in) || !sc_windings_add_all(w) ||
        !sc_windings_solve(w, false) || !make_border(s)) {
        return false;
    }
    s->first = sc_calloc(w->vertices + 1, sizeof *s->first);
    s->around = sc_alloc(3 * w->count, sizeof *s->around);
    s->box = sc_alloc(w->vertices, sizeof *s->box);
    s->touches = sc_calloc(w->vertices, sizeof *s->touches);
    if (!s->first || !s->around || !s->box || !s->touches) {
        return false;
    }
    list_facets_around(s);
    make_boxes(s);
    mark_touching(s);
    s->only = all;
    s->edges = most_edges;
    return true;
}

static void free_search(search *s)
{
    sc_windings_free(&s->pieces);
    sc_rim_free(&s->border);
    sc_rim_free(&s->rim);
    sc_free(s->first);
    sc_free(s->around);
    sc_free(s->box);
    sc_free(s->touches);
    sc_links_free(&s->links);
}

/* ---- pieces ---------------------------------------------------------------- */

/* Whether the piece is to be asked for: where it is, or comes on its way. */
static bool matters(const search *s, uint32_t root)
{
    const sc_box from = sc_box_moved(&s->box[root], s->offset);
    sc_box swept = sc_box_moved(&from, s->way);
    sc_box_add_box(&swept, &from);
    return (s->only == all || s->only == root) && !s->touches[root] &&
           sc_boxes_meet(&swept, &s->request->in->part->used_bounds);
}

/* Along one of some rays; false where none of them is clear of the border. */
static bool wind_along_rays(const search *s, sc_vec3 p, double *winding, bool *found)
{
    static const double slants[][2] = {
        {0.123, -0.077}, {-0.0913, 0.0611}, {0.0517, 0.1391}, {-0.1117, -0.0419}};
    sc_solid *in = s->request->in;
    const sc_box *bounds = &in->part->used_bounds;

    *found = false;
    for (size_t i = 0; i < sizeof slants / sizeof slants[0] && !*found; i++) {
        const sc_vec3 to = sc_box_way_out(bounds, p, slants[i]);
        int entered, crossed;
        if (!sc_rim_winding_along(&s->border, p, to, winding)) {
            continue;
        }
        if (!sc_solid_crossings(in, p, to, &entered, &crossed)) {
            return false;
        }
        *winding -= entered;
        *found = true;
    }
    return true;
}

/* About a vertex in the box of the part. */
static bool wind(const search *s, sc_vec3 p, double *winding)
{
    int way, other_way;
    bool found = false;

    if (!s->request->in_is_closed) {
        if (!wind_along_rays(s, p, winding, &found)) {
            return false;
        }
    } else {
        if (!sc_solid_winding(s->request->in, p, &way) ||
            !sc_solid_winding_again(s->request->in, p, &other_way)) {
            return false;
        }
        *winding = way;
        found = way == other_way; /* neither slips through a T-junction */
    }
    if (!found) {
        *winding = sc_solid_generalized_winding(s->request->in, p);
    }
    return true;
}

/* The same outside the box: no ray away from that passes anything. */
static bool wind_outside(const search *s, sc_vec3 p, double *winding)
{
    const sc_vec3 centre = sc_box_centre(&s->request->in->part->used_bounds);
    const sc_vec3 to = sc_add(p, sc_sub(p, centre));
    if (!sc_rim_winding_along(&s->border, p, to, winding)) {
        *winding = sc_solid_generalized_winding(s->request->in, p);
    }
    return true;
}

/* With a piece that is asked for before it. */
static bool is_linked(const search *s, uint32_t root)
{
    return s->links.first && s->links.first[root] != root;
}

/* Whether it is below one half at a vertex of each piece that is asked for. Of those that move this
 * is known already where they start in the box; but not of where they are later on. */
static bool start_below(search *s, bool moves, bool *below)
{
    sc_windings *w = &s->pieces;

    *below = true;
    for (uint32_t i = 0; i < w->vertices && *below; i++) {
        const sc_vec3 p = sc_add(w->points[i], s->offset);
        const bool inside = sc_box_holds(&s->request->in->part->used_bounds, p);
        double winding = 0.0;
        if (sc_windings_root(w, i) != i || !matters(s, i) || (inside && moves && !s->is_later) ||
            is_linked(s, i)) {
            continue;
        }
        if (inside && s->is_later) {
            winding = sc_solid_generalized_winding(s->request->in, p);
        } else if (!(inside ? wind(s, p, &winding) : wind_outside(s, p, &winding))) {
            return false;
        }
        s->edges -= s->edges < s->border.count ? s->edges : s->border.count;
        *below = fabs(winding) < 0.5 && s->edges > 0 && sc_poll_goes_on(&s->request->poll);
    }
    return true;
}

/* With the cracks closed that do not matter on the tiles, or as it is. */
static bool find(search *s, sc_tiles tiles, bool moves, bool *held)
{
    bool below;

    *held = true;
    tiles.poll = s->request->poll;
    if (!start_below(s, moves, &below)) {
        return false;
    }
    if (!below) {
        return true;
    }
    if (!make_rim(s) || !sc_cracks_close(&tiles, &s->rim) || !weld(s, &tiles) ||
        !sc_span_stays_below(&s->rim, &tiles, &s->edges, &below)) {
        return false;
    }
    if (!below && s->rim.slack > 0.0 && /* unless for what the cracks may amount to */
        !sc_span_stays_below(&s->border, &tiles, &s->edges, &below)) {
        return false;
    }
    *held = !below;
    return true;
}

/* ---- where they are --------------------------------------------------------- */

static bool piece_matters(const void *context, uint32_t root)
{
    return matters(context, root);
}

/* Else each facet that has corners of its own would be asked for by itself. */
static bool link_pieces(search *s)
{
    enum { MANY = 64 };
    size_t pieces = 0;
    for (uint32_t i = 0; i < s->pieces.vertices && pieces <= MANY; i++) {
        pieces += sc_windings_root(&s->pieces, i) == i && matters(s, i);
    }
    return pieces <= MANY || sc_links_find(&s->pieces, s->request->in, piece_matters, s, &s->links);
}

/* Facets, and behind them ways from one piece to another. */
static bool facet_that_matters(void *context, size_t i, sc_vec3 v[3])
{
    search *s = context;
    if (i >= s->pieces.count) {
        const uint32_t *ends = s->links.ends[i - s->pieces.count];
        v[0] = s->pieces.points[ends[0]];
        v[1] = v[2] = s->pieces.points[ends[1]];
        return true;
    }
    for (size_t k = 0; k < 3; k++) {
        v[k] = s->pieces.points[corner(s, 3 * i + k)];
    }
    return matters(s, sc_windings_root(&s->pieces, corner(s, 3 * i)));
}

bool sc_surround_find(const sc_surround_request *request, bool *held)
{
    search s = {.request = request};
    bool good = prepare(&s) && link_pieces(&s);
    const sc_tiles tiles = {
        .count = s.pieces.count + s.links.count, .tile = facet_that_matters, .context = &s};

    *held = false;
    good = good && find(&s, tiles, false, held);
    free_search(&s);
    return good;
}

/* ---- on the way ------------------------------------------------------------ */

/* Whether this is the first facet at its edge between two vertices. */
static bool is_first_at(const search *s, size_t facet, uint32_t a, uint32_t b)
{
    if (s->first[b + 1] - s->first[b] < s->first[a + 1] - s->first[a]) { /* a may be a hub */
        return is_first_at(s, facet, b, a);
    }
    for (size_t i = s->first[a]; i < s->first[a + 1]; i++) {
        const uint32_t *v = s->pieces.facets[s->around[i]].vertex;
        if (v[0] == b || v[1] == b || v[2] == b) {
            return s->around[i] == facet;
        }
    }
    return true;
}

/* Half of what an edge sweeps out. */
static bool half_that_matters(void *context, size_t i, sc_vec3 v[3])
{
    search *s = context;
    const size_t use = i / 2;
    const uint32_t a = corner(s, use), b = corner(s, use - use % 3 + (use + 1) % 3);
    const sc_vec3 from = sc_add(s->pieces.points[a], s->offset),
                  to = sc_add(s->pieces.points[b], s->offset);

    v[0] = i % 2 ? sc_add(to, s->way) : from;
    v[1] = i % 2 ? sc_add(from, s->way) : to;
    v[2] = i % 2 ? to : sc_add(from, s->way);
    return matters(s, sc_windings_root(&s->pieces, a)) && is_first_at(s, use / 3, a, b);
}

/* When a piece touches; *known is left false where that would take too long. False if memory ran
 * out. */
static bool find_touches(search *s, uint32_t root, uint64_t *pairs, sc_touches *touches,
                         bool *known)
{
    const uint32_t others = s->request->in->part->mesh->file.facets.count;

    *known = false;
    for (size_t i = 0; i < s->pieces.count; i++) {
        sc_vec3 v[3];
        if (sc_windings_root(&s->pieces, corner(s, 3 * i)) != root) {
            continue;
        }
        if (*pairs < others || !sc_poll_goes_on(&s->request->poll)) {
            return true;
        }
        *pairs -= others;
        for (size_t k = 0; k < 3; k++) {
            v[k] = s->pieces.points[corner(s, 3 * i + k)];
        }
        if (!sc_touches_add(touches, s->request->in->part, v, s->way)) {
            return false;
        }
    }
    sc_touches_sort(touches);
    *known = true;
    return true;
}

/* What the edges sweep out between two times, and the facets at either. */
static bool part_that_matters(void *context, size_t i, sc_vec3 v[3])
{
    search *s = context;
    const size_t halves = 6 * s->pieces.count, facet = (i - halves) / 2;

    if (i < halves) {
        return half_that_matters(context, i, v);
    }
    for (size_t k = 0; k < 3; k++) {
        v[k] = sc_add(s->pieces.points[corner(s, 3 * facet + k)], s->offset);
        v[k] = i % 2 ? sc_add(v[k], s->way) : v[k];
    }
    return matters(s, sc_windings_root(&s->pieces, corner(s, 3 * facet)));
}

/* Whether a piece may be held between two times. */
static bool find_between(search *s, double from, double to, bool *held)
{
    const sc_tiles tiles = {.count = 8 * s->pieces.count, .tile = part_that_matters, .context = s};
    const sc_vec3 way = s->way;
    s->offset = sc_scale(way, from);
    s->way = sc_scale(way, to - from);
    s->is_later = from > 0.0;
    const bool good = find(s, tiles, true, held);
    s->way = way;
    s->offset = (sc_vec3){0.0, 0.0, 0.0};
    s->is_later = false;
    return good;
}

/* A piece that may be held somewhere on the way: whether it may be at a time when it does not
 * touch. About those when it does, the winding number comes as near to one half as one likes. */
static bool find_apart_from_touches(search *s, uint32_t root, uint64_t *pairs, bool *held)
{
    static const double about = 0x1p-6;
    sc_touches touches = {.count = 0};
    bool known, good = find_touches(s, root, pairs, &touches, &known);
    double from = 0.0; /* no touch from there on, up to the next one */

    *held = !known || touches.count == 0;
    for (size_t i = 0; i <= touches.count && good && !*held; i++) {
        const bool is_last = i == touches.count;
        const double to = is_last ? 1.0 : touches.time[i].first - about;
        if (from < to) {
            good = find_between(s, from, to, held);
        }
        from = is_last ? 1.0 : sc_max(from, touches.time[i].last + about);
    }
    sc_touches_free(&touches);
    return good;
}

/* One piece after the other, where not all of them stay below. */
static bool find_one(search *s, const sc_tiles *tiles, bool *held)
{
    uint64_t pairs = most_pairs;

    *held = false;
    for (uint32_t i = 0; i < s->pieces.vertices && !*held; i++) {
        s->only = all;
        if (sc_windings_root(&s->pieces, i) != i || !matters(s, i)) {
            continue;
        }
        s->only = i;
        if (!find(s, *tiles, true, held) ||
            (*held && !find_apart_from_touches(s, i, &pairs, held))) {
            return false;
        }
    }
    return true;
}

bool sc_surround_on_way(const sc_surround_request *request, sc_vec3 way, bool *held)
{
    search s = {.request = request, .way = way};
    bool good = prepare(&s);
    const sc_tiles tiles = {.count = 6 * s.pieces.count, .tile = half_that_matters, .context = &s};

    *held = false;
    good = good && find(&s, tiles, true, held);
    if (good && *held && request->may_touch) {
        good = find_one(&s, &tiles, held);
    }
    free_search(&s);
    return good;
}
