/* depth.c - see depth.h: branch and bound, deepest bound first.
 *
 * The distance from the surface of one part, over all common points, is largest on
 * the surface of the other part, or at a peak inside. So for either part there are
 * nodes of the other's octree, divided down to facets and pieces of them, and cells
 * of space, for peaks alone. Each is dropped as soon as it is proven to hold no
 * common point deeper than the limit, a little more than the best point so far; what
 * cannot be proven is divided (depth_proof.h has the proofs).
 *
 * A point on the surface of one part and inside the other counts as common: inner
 * points of both come arbitrarily close to it, since winding numbers are not negative
 * and facets without area are not looked at. */
#include "depth.h"

#include "base/alloc.h"
#include "deepest.h"
#include "depth_proof.h"
#include "depth_region.h"

#include <string.h>

typedef enum kind { KIND_NODE, KIND_PIECE, KIND_CELL } kind;

/* Something that may hold deep points. */
typedef struct item {
    double bound;    /* no common point in it lies deeper */
    uint64_t serial; /* of equal bounds the first made is first looked at */
    kind kind;
    bool depth_of[2];  /* whether the distance from the surface of 0, of 1 matters; of
                         nodes and pieces, that of the other part alone */
    bool inside[2];    /* all of it is known to lie inside part 0, 1 */
    uint32_t near[2];  /* facets near it, UINT32_MAX: unknown */
    int level;         /* of a node */
    uint32_t index;    /* of a node; of a piece, its facet */
    sc_vec3 corner[3]; /* of a piece */
    sc_box box;        /* of a cell or node */
} item;

typedef struct search {
    sc_deepest found;
    sc_vec3 way[2]; /* the unit vector along which something last left part 0, 1 */
    item *heap;     /* the largest bound on top */
    size_t count, capacity;
    uint64_t serial, looked_at;
    bool failed, given_up;
    double open_bound; /* of the item in hand: none that is left can be deeper */
} search;

/* How much above the least the distance of a near facet may be: a part of the size of
 * what is looked at, or if that is more, of the error that the depth may have. Where
 * much of the surface is about as near (around the middle of a ball), more is dear. */
static const double rough = 0.25;

static sc_nearest near_of(search *s, item *it, int x, sc_vec3 p, double radius, double *least)
{
    double margin = s->found.shell[x].margin,
           enough = sc_deepest_limit(&s->found) - radius - margin;
    double floor = s->found.error * sc_deepest_limit(&s->found) * rough;
    sc_nearest n = sc_shell_nearest(&s->found.shell[x], p,
                                    (sc_seek){enough, radius * rough, rough, floor, it->near[x]});
    *least = n.distance - fmax(fmin(radius, n.distance) * rough, floor) - margin;
    it->near[x] = n.facet;
    return n;
}

/* ---- the queue ----------------------------------------------------------- */

static bool before(const item *a, const item *b)
{
    return a->bound > b->bound || (a->bound == b->bound && a->serial < b->serial);
}

static void push(search *s, item *it)
{
    if (s->count == s->capacity) {
        size_t capacity = 2 * s->capacity + 256;
        item *heap = sc_realloc(s->heap, capacity, sizeof *heap);
        if (!heap) {
            s->failed = true;
            return;
        }
        s->heap = heap;
        s->capacity = capacity;
    }
    it->serial = s->serial++;
    size_t at = s->count++;
    for (; at > 0 && before(it, &s->heap[(at - 1) / 2]); at = (at - 1) / 2) {
        s->heap[at] = s->heap[(at - 1) / 2];
    }
    s->heap[at] = *it;
}

static item pop(search *s)
{
    item top = s->heap[0], last = s->heap[--s->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->count) {
            break;
        }
        if (child + 1 < s->count && before(&s->heap[child + 1], &s->heap[child])) {
            child++;
        }
        if (!before(&s->heap[child], &last)) {
            break;
        }
        s->heap[at] = s->heap[child];
        at = child;
    }
    if (s->count > 0) {
        s->heap[at] = last;
    }
    return top;
}

/* Counts one look; false when it is time to stop. Long thin facets lie near so much
 * that what a look costs is in the facets. */
static bool may_go_on(search *s)
{
    const sc_depth_request *r = s->found.request;
    uint64_t facets = s->found.shell[0].visited + s->found.shell[1].visited;
    if (++s->looked_at + facets / 64 > r->budget ||
        (s->looked_at % 256 == 0 && r->poll && !r->poll(r->poll_context))) {
        s->given_up = true;
    }
    return !s->given_up && !s->failed && !s->found.shell[0].failed && !s->found.shell[1].failed;
}

/* ---- pieces of surface, and nodes of them -------------------------------- */

static double box_radius(const sc_box *box)
{
    double x = box->high[0] - box->low[0], y = box->high[1] - box->low[1],
           z = box->high[2] - box->low[2];
    return 0.5 * sqrt(x * x + y * y + z * z) * (1.0 + 0x1p-48);
}

/* Whether what lies within `radius` of p is outside part x, all of it; notes in the
 * item if it is inside. */
static bool is_outside(search *s, item *it, int x, sc_vec3 p, double radius, double distance)
{
    if (it->inside[x] || !(distance > radius + s->found.shell[x].margin)) {
        return false;
    }
    it->inside[x] = sc_shell_contains(&s->found.shell[x], sc_shell_tidy(&s->found.shell[x], p));
    return !it->inside[x];
}

static sc_vec3 unit_normal(const search *s, int x, uint32_t facet)
{
    double error;
    sc_vec3 v[3];
    sc_solid_facet(s->found.shell[x].solid, facet, v);
    sc_vec3 n = sc_facet_normal(v, &error);
    double length = sc_length(n);
    return length > 0.0 ? sc_scale(n, 1.0 / length) : (sc_vec3){0.0, 0.0, 0.0};
}

/* How far a way out may lead, with the rounding of its end. */
static double way_length(const search *s)
{
    return sc_deepest_limit(&s->found) - 2.0 * s->found.shell[0].margin;
}

static bool same_way(sc_vec3 a, sc_vec3 b)
{
    return sc_dot(a, b) > 1.0 - 0x1p-40;
}

static bool matters(const search *s, const item *it)
{
    return it->bound > sc_deepest_limit(&s->found);
}

static void look_at_node(search *s, item *it, int x)
{
    it->box = sc_shell_node_box(&s->found.shell[1 - x], it->level, it->index);
    if (!may_go_on(s) || sc_box_is_empty(&it->box) ||
        !sc_boxes_meet(&it->box, &s->found.request->within)) {
        return;
    }
    sc_vec3 c = sc_box_centre(&it->box);
    double radius = box_radius(&it->box);
    double margin = s->found.shell[x].margin,
           enough = sc_deepest_limit(&s->found) - radius - margin;
    double clear = fmax(enough, radius + 2.0 * margin),
           slack = s->found.error * sc_deepest_limit(&s->found) * rough;
    sc_nearest n =
        sc_shell_any(&s->found.shell[x], c, clear, (sc_seek){enough, slack, 0.0, 0.0, it->near[x]});
    it->near[x] = n.facet;
    it->bound = fmin(it->bound, n.distance + radius + margin);
    if (!matters(s, it) || (n.distance > clear && is_outside(s, it, x, c, radius, clear))) {
        return;
    }
    double length = way_length(s);
    if (!(length > 0.0) || !(n.distance <= radius)) {
        push(s, it);
        return;
    }
    sc_vec3 way[2] = {s->way[x], unit_normal(s, x, n.facet)};
    for (int i = 0; i < 2; i++) {
        if ((i == 0 || !same_way(way[0], way[1])) &&
            sc_depth_box_leaves(&s->found.shell[x], &it->box, sc_scale(way[i], length))) {
            s->way[x] = way[i];
            return;
        }
    }
    push(s, it);
}

/* A point of the surface of the other part that may be deeper than the best. */
static void try_surface_point(search *s, const item *it, int x, sc_vec3 p, uint32_t hint)
{
    double depth = sc_deepest_within(&s->found, p)
                       ? sc_deepest_at(&s->found, x, p, hint, s->found.fine, s->found.best)
                       : 0.0;
    if (depth > s->found.best &&
        (it->inside[x] ||
         sc_shell_contains(&s->found.shell[x], sc_shell_tidy(&s->found.shell[x], p)))) {
        sc_deepest_improve(&s->found, p, x, depth);
    }
}

static double piece_radius(const item *it, sc_vec3 c)
{
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        sc_vec3 to = sc_sub(it->corner[k], c);
        most = fmax(most, sc_dot(to, to));
    }
    return sqrt(most) * (1.0 + 0x1p-48);
}

/* Whether the piece leaves the part: along the way that the last one took, along the
 * normals of the facets nearest to its centre and corners, or along their mean. */
static bool piece_leaves(search *s, item *it, int x, const sc_nearest *n, double radius)
{
    double length = way_length(s);
    sc_shell *shell = &s->found.shell[x];
    sc_vec3 way[6] = {s->way[x], unit_normal(s, x, n->facet)}, sum = way[1];

    if (!(length > 0.0) || !(n->distance <= length + radius)) {
        return false;
    }
    for (int i = 0; i < 6; i++) {
        if (i >= 2 && i < 5) {
            sc_nearest at = sc_shell_nearest(shell, it->corner[i - 2],
                                             (sc_seek){0.0, radius * rough, rough, 0.0, n->facet});
            way[i] = unit_normal(s, x, at.facet);
            sum = sc_add(sum, way[i]);
        } else if (i == 5) {
            double size = sc_length(sum);
            way[i] = sc_scale(sum, size > 0.25 ? 1.0 / size : 0.0);
        }
        bool tried = sc_dot(way[i], way[i]) == 0.0;
        for (int j = 0; j < i; j++) {
            tried = tried || same_way(way[i], way[j]);
        }
        if (!tried && sc_depth_triangle_leaves(shell, it->corner, sc_scale(way[i], length))) {
            s->way[x] = way[i];
            return true;
        }
    }
    return false;
}

/* The corner that the nearest facet lets lie deepest is looked at itself: where the
 * surfaces are flat it is the deepest point. */
static void try_corner(search *s, const item *it, int x, uint32_t facet)
{
    int deepest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        double d = sc_depth_facet_bound(&s->found.shell[x], facet, &it->corner[k], 1);
        if (d > most) {
            most = d;
            deepest = k;
        }
    }
    if (most > s->found.best) {
        try_surface_point(s, it, x, it->corner[deepest], facet);
    }
}

static void look_at_piece(search *s, item *it, int x)
{
    sc_box box = sc_box_empty();
    for (int k = 0; k < 3; k++) {
        sc_box_add_point(&box, it->corner[k]);
    }
    if (!may_go_on(s) || !sc_boxes_meet(&box, &s->found.request->within)) {
        return;
    }
    sc_vec3 c = sc_scale(sc_add(sc_add(it->corner[0], it->corner[1]), it->corner[2]), 1.0 / 3.0);
    double radius = piece_radius(it, c);
    double least;
    sc_nearest n = near_of(s, it, x, c, radius, &least);
    it->bound = fmin(it->bound, n.distance + radius + s->found.shell[x].margin);
    if (!matters(s, it) || is_outside(s, it, x, c, radius, least) ||
        sc_depth_region_lacks_facet(s->found.request, 1 - x, it->index, c,
                                    least > radius ? 0.0 : radius)) {
        return;
    }
    it->bound = fmin(it->bound, sc_depth_facet_bound(&s->found.shell[x], n.facet, it->corner, 3));
    if (n.distance > s->found.best) {
        try_surface_point(s, it, x, c, n.facet);
    }
    if (!matters(s, it)) {
        return;
    }
    try_corner(s, it, x, n.facet);
    if (matters(s, it) && !piece_leaves(s, it, x, &n, radius)) {
        push(s, it);
    }
}

/* In two across the longest edge. */
static void split_piece(search *s, const item *it, int x)
{
    int longest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        sc_vec3 edge = sc_sub(it->corner[(k + 1) % 3], it->corner[k]);
        if (sc_dot(edge, edge) > most) {
            most = sc_dot(edge, edge);
            longest = k;
        }
    }
    int next = (longest + 1) % 3;
    sc_vec3 middle = sc_scale(sc_add(it->corner[longest], it->corner[next]), 0.5);
    middle = sc_shell_tidy(&s->found.shell[x], middle);
    for (int half = 0; half < 2; half++) {
        item part = *it;
        part.corner[half ? longest : next] = middle;
        look_at_piece(s, &part, x);
    }
}

static void split_leaf(search *s, const item *it, int x)
{
    sc_solid *solid = s->found.shell[1 - x].solid;
    const sc_leaf *leaf = sc_octree_leaf(solid->tree, it->index);
    for (int i = 0; i < leaf->count; i++) {
        item piece = *it;
        piece.kind = KIND_PIECE;
        piece.index = leaf->triangle[i];
        sc_solid_facet(solid, leaf->triangle[i], piece.corner);
        if (sc_facet_has_area(piece.corner)) {
            look_at_piece(s, &piece, x);
        }
    }
}

static void split_node(search *s, const item *it, int x)
{
    for (uint32_t i = 0; i < 8; i++) {
        item child = *it;
        child.level--;
        child.index = 8 * it->index + i;
        look_at_node(s, &child, x); /* which an absent one may be */
    }
}

/* ---- cells --------------------------------------------------------------- */

/* Whether no peak of the distance from part x in the cell is deeper than the limit. */
static bool cell_is_shallow(search *s, const item *it, int x, const sc_nearest *n)
{
    sc_vec3 corner[8];
    double limit = sc_deepest_limit(&s->found);

    for (int k = 0; k < 8; k++) {
        corner[k] = (sc_vec3){k & 1 ? it->box.high[0] : it->box.low[0],
                              k & 2 ? it->box.high[1] : it->box.low[1],
                              k & 4 ? it->box.high[2] : it->box.low[2]};
    }
    if (sc_depth_facet_bound(&s->found.shell[x], n->facet, corner, 8) <= limit ||
        sc_depth_no_peak(&s->found.shell[x], &it->box, n)) {
        return true;
    }
    return n->distance <= limit &&
           sc_depth_column_bound(&s->found.shell[x], &it->box, unit_normal(s, x, n->facet), limit,
                                 SC_DEPTH_FACETS) <= limit;
}

static void try_cell_centre(search *s, const item *it, sc_vec3 c, const sc_nearest n[2])
{
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x] || !(n[x].distance > s->found.best)) {
            continue;
        }
        double depth = sc_deepest_at(&s->found, x, c, n[x].facet, s->found.fine, s->found.best);
        bool common = depth > s->found.best;
        for (int i = 0; i < 2 && common; i++) {
            common = it->inside[i] || sc_shell_contains(&s->found.shell[i], c);
        }
        if (common) {
            sc_deepest_improve(&s->found, c, x, depth);
        }
    }
}

/* Whether all of the cell is outside part x, whose distance does not matter. */
static bool is_clear_outside(search *s, item *it, int x, sc_vec3 c, double radius)
{
    double clear = radius + 2.0 * s->found.shell[x].margin;
    if (it->inside[x]) {
        return false;
    }
    sc_nearest n = sc_shell_any(&s->found.shell[x], c, clear, (sc_seek){.hint = it->near[x]});
    it->near[x] = n.facet;
    return n.distance > clear && is_outside(s, it, x, c, radius, clear);
}

static void look_at_cell(search *s, item *it)
{
    sc_vec3 c = sc_shell_tidy(&s->found.shell[0], sc_box_centre(&it->box));
    double radius = box_radius(&it->box), most[2] = {0.0, 0.0};
    sc_nearest n[2];

    if (!may_go_on(s)) {
        return;
    }
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x]) {
            continue;
        }
        double least;
        n[x] = near_of(s, it, x, c, radius, &least);
        most[x] = n[x].distance + radius + s->found.shell[x].margin;
        it->depth_of[x] = most[x] > sc_deepest_limit(&s->found);
        if (it->depth_of[x] && is_outside(s, it, x, c, radius, least)) {
            return;
        }
    }
    if (!it->depth_of[0] && !it->depth_of[1]) {
        return;
    }
    for (int x = 0; x < 2; x++) {
        if (!it->depth_of[x] && is_clear_outside(s, it, x, c, radius)) {
            return;
        }
    }
    try_cell_centre(s, it, c, n);
    double bound = 0.0;
    for (int x = 0; x < 2; x++) {
        it->depth_of[x] = it->depth_of[x] && most[x] > sc_deepest_limit(&s->found) &&
                          !cell_is_shallow(s, it, x, &n[x]);
        bound = it->depth_of[x] ? fmax(bound, most[x]) : bound;
    }
    it->bound = fmin(it->bound, bound);
    if (bound > 0.0 &&
        !sc_depth_region_lacks_cell(s->found.request, s->found.shell, it->near, c, radius)) {
        push(s, it);
    }
}

/* In two along each side that is more than half as long as the longest. */
static void split_cell(search *s, const item *it)
{
    double extent[3], longest = 0.0;
    int sides = 0;

    for (int k = 0; k < 3; k++) {
        extent[k] = it->box.high[k] - it->box.low[k];
        longest = fmax(longest, extent[k]);
    }
    for (int k = 0; k < 3; k++) {
        sides |= (extent[k] > 0.5 * longest) << k;
    }
    for (int part = 0; part < 8; part++) {
        if (part & ~sides) {
            continue;
        }
        item cell = *it;
        for (int k = 0; k < 3; k++) {
            double middle = 0.5 * (it->box.low[k] + it->box.high[k]);
            if (sides >> k & 1) {
                *(part >> k & 1 ? &cell.box.low[k] : &cell.box.high[k]) = middle;
            }
        }
        look_at_cell(s, &cell);
    }
}

/* ---- all of it ----------------------------------------------------------- */

/* Whether part x as a whole is no thicker than the limit allows: bars and plates. */
static bool is_thin(search *s, int x, uint32_t facet)
{
    return facet != UINT32_MAX &&
           sc_depth_column_bound(&s->found.shell[x], &s->found.request->within,
                                 unit_normal(s, x, facet), sc_deepest_limit(&s->found),
                                 0) <= sc_deepest_limit(&s->found);
}

static void start(search *s)
{
    sc_deepest_start(&s->found);
    if (sc_deepest_beaten(&s->found)) {
        return;
    }
    item cell = {.bound = INFINITY,
                 .kind = KIND_CELL,
                 .depth_of = {true, true},
                 .near = {UINT32_MAX, UINT32_MAX},
                 .box = s->found.request->within};
    look_at_cell(s, &cell);
    for (int x = 0; x < 2; x++) {
        if (is_thin(s, x, cell.near[x])) {
            continue;
        }
        item root = {.bound = INFINITY,
                     .kind = KIND_NODE,
                     .near = {UINT32_MAX, UINT32_MAX},
                     .level = s->found.shell[1 - x].solid->tree->levels - 1};
        root.depth_of[x] = true;
        if (root.level >= 0) {
            look_at_node(s, &root, x);
        }
    }
}

static void run(search *s)
{
    s->count = 0;
    s->open_bound = INFINITY;
    start(s);
    while (s->count > 0 && !sc_deepest_beaten(&s->found) && may_go_on(s)) {
        item it = pop(s);
        s->open_bound = it.bound;
        if (it.bound <= sc_deepest_limit(&s->found)) {
            s->count = 0; /* nor is any other deeper */
            return;
        }
        int x = it.depth_of[1];
        if (it.kind == KIND_CELL) {
            split_cell(s, &it);
        } else if (it.kind == KIND_PIECE) {
            split_piece(s, &it, x);
        } else if (it.level < 0) {
            split_leaf(s, &it, x);
        } else {
            split_node(s, &it, x);
        }
    }
}

static void report(search *s, sc_depth *depth)
{
    *depth = (sc_depth){
        .bound = INFINITY, .in = s->found.in, .point = s->found.point, .nearest = s->found.point};
    if (s->found.best > 0.0) {
        sc_nearest n = sc_shell_nearest(&s->found.shell[s->found.in], s->found.point,
                                        (sc_seek){0.0, 0.0, 0.0, 0.0, UINT32_MAX});
        depth->depth = n.distance;
        depth->nearest = n.point;
    }
    depth->complete = !s->given_up;
    if (!sc_deepest_beaten(&s->found)) {
        double bound = depth->complete ? sc_deepest_limit(&s->found)
                                       : fmax(sc_deepest_limit(&s->found), s->open_bound);
        depth->bound = fmax(bound, depth->depth);
    }
}

bool sc_depth_find(const sc_depth_request *request, sc_depth *depth)
{
    double reach = fmax(sc_box_reach(&request->solid[0]->part->used_bounds),
                        sc_box_reach(&request->solid[1]->part->used_bounds));
    search s = {.found = {.request = request, .error = fmin(request->relative_error, 1.0)}};
    bool known[2];

    *depth = (sc_depth){.complete = true};
    if (sc_box_is_empty(&request->within)) {
        return true;
    }
    for (int x = 0; x < 2; x++) {
        s.found.shell[x] =
            (sc_shell){.solid = request->solid[x], .margin = reach * SC_SHELL_MARGIN};
    }
    s.found.fine = s.found.error / 8.0;
    s.found.floor = reach * 0x1p-40;
    if (request->regions && sc_depth_region_holds(request, s.found.shell, request->all->point)) {
        *depth = *request->all;
        return !s.found.shell[0].failed && !s.found.shell[1].failed;
    }
    /* Where a part is found to overlap itself, its walls are seen from outside too:
     * what was dropped for the sake of normals is looked at again. */
    do {
        known[0] = s.found.shell[0].overlaps_itself;
        known[1] = s.found.shell[1].overlaps_itself;
        run(&s);
    } while ((known[0] != s.found.shell[0].overlaps_itself ||
              known[1] != s.found.shell[1].overlaps_itself) &&
             !s.failed && !s.given_up && !sc_deepest_beaten(&s.found));
    report(&s, depth);
    sc_free(s.heap);
    return !s.failed && !s.found.shell[0].failed && !s.found.shell[1].failed;
}
