/* sweep.c - see sweep.h. */
#include "sweep.h"

#include "base/alloc.h"
#include "base/error.h"
#include "node_pair.h"

#include <string.h>

typedef struct walk walk;
struct walk {
    sc_sweep *sweep;
    void (*look)(walk *w, const uint32_t triangle[2], const sc_vec3 a[3], const sc_vec3 b[3]);
    sc_octree tree[2];
    sc_placement turned[2]; /* each part's placement, and then the turn */
    float way;              /* length of d in the frame */
    float slack;            /* what float boxes may be wrong by, and what is displaced */
    float limit;            /* keys up to which pairs are followed */
    bool nearest;           /* the key is a squared distance */
    sc_sweep_approach *approach;
    double bound;        /* of the distance, in length units */
    sc_node_pair *stack; /* the key: how far the part must move before the boxes meet, or the
                          * squared distance on the way; in the frame */
    size_t count, capacity;
    bool out_of_memory;
};

/* What float boxes may be wrong by beyond their own rounding: the turn, and sums of floats
 * in these tests. In the frame, where no coordinate exceeds 1. */
static const float rounding = 0x1p-20f;

/* By how much any vertex is displaced, at most; in length units. */
static double most_displaced(const sc_sweep *s)
{
    double most = 0.0;
    for (int i = 0; i < 2; i++) {
        most += s->eroded[i] ? s->eroded[i]->most : 0.0;
    }
    return most;
}

/* ---- the frame ------------------------------------------------------------ */

/* An orthonormal basis whose first vector is d's direction; along an axis, exactly. */
static void basis_along(sc_vec3 d, double basis[3][3])
{
    double way[3] = {d.x, d.y, d.z}, length = sc_length(d);
    int longest = 0;
    for (int k = 1; k < 3; k++) {
        longest = fabs(way[k]) > fabs(way[longest]) ? k : longest;
    }
    int i = (longest + 1) % 3, j = (longest + 2) % 3;
    memset(basis, 0, 9 * sizeof basis[0][0]);
    if (way[i] == 0.0 && way[j] == 0.0) {
        basis[0][longest] = way[longest] > 0.0 ? 1.0 : -1.0;
        basis[1][i] = 1.0;
        basis[2][j] = 1.0;
        return;
    }
    /* longest and i, then j */
    double flat = sqrt(way[longest] * way[longest] + way[i] * way[i]);
    for (int k = 0; k < 3; k++) {
        basis[0][k] = way[k] / length;
    }
    basis[1][longest] = -way[i] / flat;
    basis[1][i] = way[longest] / flat;
    sc_vec3 x = {basis[0][0], basis[0][1], basis[0][2]};
    sc_vec3 y = {basis[1][0], basis[1][1], basis[1][2]}, z = sc_cross(x, y);
    basis[2][0] = z.x;
    basis[2][1] = z.y;
    basis[2][2] = z.z;
}

static sc_placement turned_placement(const sc_placement *placement, double basis[3][3])
{
    sc_placement out = {.is_identity = 0};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 3; k++) {
                double entry = placement->is_identity ? k == j : placement->m[k][j];
                out.m[i][j] += basis[i][k] * entry;
            }
        }
    }
    return out;
}

static sc_box lengthened(const sc_box *box, double from, double to)
{
    sc_box out = *box;
    out.low[0] += from;
    out.high[0] += to;
    return out;
}

/* Trees of what comes within `bound` on the way. */
static stlclash_code build_trees(walk *w, double bound, stlclash_error *error)
{
    const sc_sweep *s = w->sweep;
    double basis[3][3], length = sc_length(s->d);
    sc_box bounds[2];
    basis_along(s->d, basis);
    for (int i = 0; i < 2; i++) {
        const stlclash_mesh *mesh = s->part[i]->mesh;
        w->turned[i] = turned_placement(&s->part[i]->used, basis);
        bounds[i] = sc_blocks_placed_bounds(&mesh->blocks, &mesh->file.facets, &w->turned[i]);
    }
    sc_box swept = lengthened(&bounds[1], 0.0, length);
    sc_frame frame = sc_frame_make(&bounds[0], &swept);
    double margin = bound + 0x1p-40 / frame.scale;
    sc_box region[2];
    sc_box back = lengthened(&bounds[0], -length, 0.0);
    region[0] = sc_box_grown(&swept, margin);
    region[1] = sc_box_grown(&back, margin);
    for (int i = 0; i < 2; i++) {
        const sc_octree_request request = {.mesh = s->part[i]->mesh,
                                           .placement = &w->turned[i],
                                           .frame = &frame,
                                           .region = &region[i]};
        stlclash_code code = sc_octree_build(&request, &w->tree[i], error);
        if (code != STLCLASH_OK) {
            return code;
        }
    }
    w->way = (float)(length * frame.scale * (1.0 + 0x1p-22));
    w->slack = rounding + (float)(most_displaced(s) * frame.scale * (1.0 + 0x1p-22));
    return STLCLASH_OK;
}

/* ---- boxes ---------------------------------------------------------------- */

/* The gap of two boxes along an axis; negative where they overlap. */
static float gap_along(const sc_fbox *a, const sc_fbox *b, int axis)
{
    float below = a->low[axis] - b->high[axis], above = b->low[axis] - a->high[axis];
    return below > above ? below : above;
}

/* The square of a gap, less the slack. */
static float gap_squared(const walk *w, float gap)
{
    return gap > w->slack ? (gap - w->slack) * (gap - w->slack) : 0.0f;
}

/* How near the boxes come on the way, squared. */
static float nearest_on_way(const walk *w, const sc_fbox *a, const sc_fbox *b)
{
    float before = a->low[0] - b->high[0] - w->way, after = b->low[0] - a->high[0];
    return gap_squared(w, before > after ? before : after) + gap_squared(w, gap_along(a, b, 1)) +
           gap_squared(w, gap_along(a, b, 2));
}

/* Whether the boxes meet on the way; then how far the second one moves before they do. */
static bool meet_on_way(const walk *w, const sc_fbox *a, const sc_fbox *b, float *moved)
{
    const float before = a->low[0] - b->high[0], after = b->low[0] - a->high[0];
    const float slack = w->slack;
    *moved = before > slack ? before - slack : 0.0f;
    return before <= w->way + slack && after <= slack && gap_along(a, b, 1) <= slack &&
           gap_along(a, b, 2) <= slack;
}

/* Whether the boxes are to be followed; then their key. The second one moves. */
static bool boxes_near(const walk *w, const sc_fbox *a, const sc_fbox *b, float *key)
{
    if (w->nearest) {
        *key = nearest_on_way(w, a, b);
    } else if (!meet_on_way(w, a, b, key)) {
        return false;
    }
    return *key <= w->limit;
}

/* ---- pairs of triangles --------------------------------------------------- */

/* How far the plane of t keeps s, which moves by d, from t at least; not above 0: unknown. */
static double plane_gap(const sc_vec3 t[3], const sc_vec3 s[3], sc_vec3 d)
{
    sc_vec3 e = sc_sub(t[1], t[0]), f = sc_sub(t[2], t[0]), n = sc_cross(e, f);
    double low = INFINITY, high = -INFINITY, reach = 0.0;
    double size = (fabs(e.x) + fabs(e.y) + fabs(e.z)) * (fabs(f.x) + fabs(f.y) + fabs(f.z));
    for (int k = 0; k < 3; k++) {
        sc_vec3 w = sc_sub(s[k], t[0]);
        double height = sc_dot(n, w);
        low = sc_fmin(low, height);
        high = sc_fmax(high, height);
        reach = sc_fmax(reach, fabs(w.x) + fabs(w.y) + fabs(w.z));
    }
    double rise = sc_dot(n, d), length = sc_length(n);
    reach += fabs(d.x) + fabs(d.y) + fabs(d.z);
    double gap = sc_fmax(low + sc_fmin(rise, 0.0), -(high + sc_fmax(rise, 0.0)));
    gap -= 0x1p-47 * size * reach; /* for rounding */
    return gap > 0.0 && length > 0.0 ? gap / length * (1.0 - 0x1p-40) : 0.0;
}

/* The same by the planes of both. */
static double planes_gap(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 d)
{
    return sc_fmax(plane_gap(a, b, d), plane_gap(b, a, sc_scale(d, -1.0)));
}

static bool comes_before(const sc_sweep_event *event, const uint32_t triangle[2],
                         const sc_sweep_meeting *than, sc_vec3 d)
{
    if (!than->found) {
        return true;
    }
    int order = sc_sweep_compare(event, &than->event, d);
    if (order != 0) {
        return order < 0;
    }
    return triangle[0] < than->triangle[0] ||
           (triangle[0] == than->triangle[0] && triangle[1] < than->triangle[1]);
}

static void keep(sc_sweep_meeting *meeting, const sc_sweep_event *event, const uint32_t triangle[2],
                 sc_vec3 d)
{
    if (comes_before(event, triangle, meeting, d)) {
        *meeting = (sc_sweep_meeting){true, {triangle[0], triangle[1]}, *event};
    }
}

/* Against each other at the start, and moved into the part: the normal points out of it. */
static bool moves_inward(const sc_sweep *s, const sc_swept *swept, uint32_t triangle)
{
    int outward = s->orientation ? s->orientation[triangle] : 1;
    return s->closed_first && swept->leaves_along_normal * outward < 0;
}

static void keep_crossing(walk *w, const uint32_t triangle[2], bool inward)
{
    sc_sweep *s = w->sweep;
    if (s->keep_crossings && s->crossing_count < SC_SWEEP_KEPT) {
        s->crossings[s->crossing_count++] = (sc_sweep_crossing){{triangle[0], triangle[1]}, inward};
    }
}

static bool is_eroded(const sc_sweep *s)
{
    return s->eroded[0] || s->eroded[1];
}

static void look_for_meeting(walk *w, const uint32_t triangle[2], const sc_vec3 a[3],
                             const sc_vec3 b[3])
{
    sc_sweep *s = w->sweep;
    if (planes_gap(a, b, s->d) > 0.0) {
        return;
    }
    sc_swept swept = sc_tri_sweep(a, b, s->d);
    if (!swept.touches) {
        return;
    }
    const bool crosses = swept.crosses || moves_inward(s, &swept, triangle[0]);
    keep(&s->contact, &swept.first, triangle, s->d);
    if (crosses || is_eroded(s)) {
        keep_crossing(w, triangle, !swept.crosses);
    }
    if (crosses) {
        keep(&s->crossing, &swept.first, triangle, s->d);
        if (!s->keep_crossings) { /* later than the first crossing nothing matters */
            float latest = (float)s->crossing.event.time * w->way * (1.0f + 0x1p-20f) + w->slack;
            w->limit = latest < w->limit ? latest : w->limit;
        }
    }
}

/* ---- the distance on the way ---------------------------------------------- */

/* Keys of boxes that may hold something within the bound: places on the way are rounded to less
 * than 2^-40 of the frame. */
static float limit_of(const walk *w)
{
    return sc_frame_limit(&w->tree[0].frame, w->bound, 0x1p-40);
}

static void look_for_approach(walk *w, const uint32_t triangle[2], const sc_vec3 a[3],
                              const sc_vec3 b[3])
{
    sc_sweep_approach *best = w->approach;
    double time;
    if (planes_gap(a, b, w->sweep->d) > w->bound * (1.0 + 0x1p-40)) {
        return;
    }
    sc_closest closest = sc_tri_approach(a, b, w->sweep->d, &time);
    bool lower = triangle[0] < best->triangle[0] ||
                 (triangle[0] == best->triangle[0] && triangle[1] < best->triangle[1]);
    bool first = time < best->time || (time == best->time && lower);
    if (closest.distance_sq < best->distance_sq ||
        (closest.distance_sq == best->distance_sq && first)) {
        *best = (sc_sweep_approach){closest.distance_sq, {triangle[0], triangle[1]}, time, closest};
        double bound = sqrt(closest.distance_sq);
        if (bound < w->bound) {
            w->bound = bound;
            w->limit = limit_of(w);
        }
    }
}

/* ---- eroded parts --------------------------------------------------------- */

/* The pieces of a facet of a part that is eroded; of another, itself. */
static uint32_t pieces_of(const sc_erosion *eroded, uint32_t facet, uint32_t *first)
{
    *first = facet;
    return eroded ? sc_erosion_pieces(eroded, facet, first) : 1;
}

/* Of two facets as they are, or what these are taken for. */
static void look_at_pieces(walk *w, const uint32_t triangle[2], const sc_vec3 a[3],
                           const sc_vec3 b[3])
{
    const sc_erosion *const *eroded = w->sweep->eroded;
    uint32_t first[2], count[2];
    sc_vec3 v[2][3];
    for (int i = 0; i < 2; i++) {
        count[i] = pieces_of(eroded[i], triangle[i], &first[i]);
    }
    for (uint32_t i = 0; i < count[0]; i++) {
        if (eroded[0]) {
            sc_erosion_vertices(eroded[0], first[0] + i, v[0]);
        }
        for (uint32_t j = 0; j < count[1]; j++) {
            if (eroded[1]) {
                sc_erosion_vertices(eroded[1], first[1] + j, v[1]);
            }
            look_for_meeting(w, triangle, eroded[0] ? v[0] : a, eroded[1] ? v[1] : b);
        }
    }
}

/* ---- down the trees ------------------------------------------------------- */

static void load(const walk *w, int part, uint32_t facet, sc_vec3 v[3])
{
    const sc_part *p = w->sweep->part[part];
    sc_triangle_vertices(&p->mesh->file.facets, &p->used, facet, v);
}

static void leaf_pair(walk *w, uint32_t index_a, uint32_t index_b)
{
    const sc_leaf *a = sc_octree_leaf(&w->tree[0], index_a);
    const sc_leaf *b = sc_octree_leaf(&w->tree[1], index_b);
    const sc_octet *boxes_a = sc_octree_children(&w->tree[0], -1, index_a);
    const sc_octet *boxes_b = sc_octree_children(&w->tree[1], -1, index_b);
    sc_vec3 vb[8][3];
    unsigned loaded = 0;
    if (!boxes_a || !boxes_b) {
        w->out_of_memory = true;
        return;
    }
    for (int i = 0; i < (int)a->slab.count; i++) {
        sc_fbox box_a = sc_octet_box(boxes_a, (size_t)i);
        sc_vec3 va[3];
        bool have_a = false;
        for (int j = 0; j < (int)b->slab.count; j++) {
            sc_fbox box_b = sc_octet_box(boxes_b, (size_t)j);
            float key;
            if (!boxes_near(w, &box_a, &box_b, &key)) {
                continue;
            }
            if (!have_a) {
                load(w, 0, sc_leaf_facet(a, i), va);
                have_a = true;
            }
            if ((loaded >> j & 1) == 0) {
                load(w, 1, sc_leaf_facet(b, j), vb[j]);
                loaded |= 1u << j;
            }
            const uint32_t triangle[2] = {sc_leaf_facet(a, i), sc_leaf_facet(b, j)};
            w->look(w, triangle, va, vb[j]);
        }
    }
}

static void push(walk *w, sc_node_pair pair)
{
    if (!sc_make_room(&w->stack, &w->capacity, w->count + 1, sizeof *w->stack)) {
        w->out_of_memory = true;
        return;
    }
    w->stack[w->count++] = pair;
}

/* A node of one side of a pair, or its children in its place. */
typedef struct one_side {
    const sc_octet *in; /* the children; NULL: the node itself */
    sc_fbox box;        /* of the node */
    sc_node node;
} one_side;

static uint32_t count_of(const one_side *side)
{
    return side->in ? 8 : 1;
}

static sc_fbox box_of(const one_side *side, uint32_t i)
{
    return side->in ? sc_octet_box(side->in, i) : side->box;
}

static uint32_t index_of(const one_side *side, uint32_t i)
{
    return side->in ? 8 * side->node.index + i : side->node.index;
}

static int8_t level_of(const one_side *side)
{
    return (int8_t)(side->node.level - (side->in != NULL));
}

/* Puts its children in the place of a node; false if memory ran out. */
static bool split(walk *w, int part, one_side *side)
{
    side->in = sc_octree_children(&w->tree[part], side->node.level, side->node.index);
    w->out_of_memory = w->out_of_memory || !side->in;
    return side->in != NULL;
}

/* Of both nodes where they are of like size, else of the larger one, the children. */
static void expand(walk *w, sc_node_pair pair)
{
    one_side side[2];
    float size[2];
    for (int i = 0; i < 2; i++) {
        const sc_node node = {pair.index[i], pair.level[i]};
        side[i] = (one_side){NULL, sc_octree_box(&w->tree[i], node), node};
        size[i] = sc_fbox_size(&side[i].box);
    }
    for (int i = 0; i < 2; i++) {
        const bool wide = pair.level[1 - i] < 0 || size[i] * 2.0f >= size[1 - i];
        if (pair.level[i] >= 0 && wide && !split(w, i, &side[i])) {
            return;
        }
    }
    const size_t from = w->count;
    for (uint32_t i = 0; i < count_of(&side[0]); i++) {
        const sc_fbox a = box_of(&side[0], i);
        float key;
        if (!boxes_near(w, &a, &side[1].box, &key)) {
            continue;
        }
        for (uint32_t j = 0; j < count_of(&side[1]); j++) {
            const sc_fbox b = box_of(&side[1], j);
            if (boxes_near(w, &a, &b, &key)) {
                push(w, (sc_node_pair){key,
                                       {level_of(&side[0]), level_of(&side[1])},
                                       {index_of(&side[0], i), index_of(&side[1], j)}});
            }
        }
    }
    sc_node_pairs_sort(w->stack + from, w->count - from);
}

static void look_at_pair(walk *w, sc_node_pair pair)
{
    if (pair.key > w->limit) {
        return;
    }
    if (pair.level[0] < 0 && pair.level[1] < 0) {
        leaf_pair(w, pair.index[0], pair.index[1]);
    } else {
        expand(w, pair);
    }
}

/* In steps: a pair of leaves may take a good part of a millisecond. */
enum { POLL_INTERVAL = 256 };

static stlclash_code walk_down(walk *w, stlclash_error *error)
{
    sc_sweep *s = w->sweep;
    if (w->tree[0].levels == 0 || w->tree[1].levels == 0) {
        return STLCLASH_OK;
    }
    sc_node_pair root = {
        0.0f, {(int8_t)(w->tree[0].levels - 1), (int8_t)(w->tree[1].levels - 1)}, {0, 0}};
    push(w, root);
    for (unsigned steps = 1; w->count > 0 && !w->out_of_memory; steps++) {
        look_at_pair(w, w->stack[--w->count]);
        if (steps % POLL_INTERVAL == 0 && !sc_poll_goes_on(&s->poll)) {
            s->stopped = true;
            break;
        }
    }
    return w->out_of_memory ? sc_error_memory(error) : STLCLASH_OK;
}

static void walk_free(walk *w)
{
    sc_free(w->stack);
    sc_octree_free(&w->tree[0]);
    sc_octree_free(&w->tree[1]);
}

stlclash_code sc_sweep_meetings(sc_sweep *sweep, stlclash_error *error)
{
    const bool eroded = sweep->eroded[0] || sweep->eroded[1];
    walk w = {
        .sweep = sweep, .look = eroded ? look_at_pieces : look_for_meeting, .limit = INFINITY};
    if (sweep->keep_crossings && !sweep->crossings) {
        sweep->crossings = sc_alloc(SC_SWEEP_KEPT, sizeof *sweep->crossings);
        if (!sweep->crossings) {
            return sc_error_memory(error);
        }
    }
    stlclash_code code = build_trees(&w, most_displaced(sweep), error);
    code = code == STLCLASH_OK ? walk_down(&w, error) : code;
    walk_free(&w);
    return code;
}

void sc_sweep_free(sc_sweep *sweep)
{
    sc_free(sweep->crossings);
    sweep->crossings = NULL;
}

stlclash_code sc_sweep_nearest(sc_sweep *sweep, double bound, sc_sweep_approach *approach,
                               stlclash_error *error)
{
    walk w = {.sweep = sweep,
              .look = look_for_approach,
              .nearest = true,
              .approach = approach,
              .bound = bound};
    *approach = (sc_sweep_approach){.distance_sq = INFINITY, .time = 2.0};
    stlclash_code code = build_trees(&w, bound, error);
    w.limit = limit_of(&w);
    code = code == STLCLASH_OK ? walk_down(&w, error) : code;
    walk_free(&w);
    return code;
}
