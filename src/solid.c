/* solid.c - see solid.h. */
#include "solid.h"

#include "base/error.h"
#include "geom/sos.h"

/* ---- making -------------------------------------------------------------- */

stlclash_code sc_solid_make(const sc_part *part, sc_role role, const sc_frame *frame,
                            sc_solid *solid, stlclash_error *error)
{
    const stlclash_mesh *mesh = part->mesh;
    *solid = (sc_solid){.part = part, .role = role};
    return sc_octree_build(&mesh->blocks, &mesh->file.facets, &part->used, frame,
                           &part->used_bounds, &solid->tree, error);
}

void sc_solid_free(sc_solid *solid)
{
    sc_octree_free(&solid->tree);
}

void sc_solid_facet(const sc_solid *solid, uint32_t triangle, sc_vec3 v[3])
{
    sc_triangle_vertices(&solid->part->mesh->file.facets, &solid->part->used, triangle, v);
    if (solid->orientation && solid->orientation[triangle] < 0) {
        sc_vec3 second = v[1];
        v[1] = v[2];
        v[2] = second;
    }
}

/* ---- walking down the tree ----------------------------------------------- */

/* A node: level -1 is a leaf, numbered 8 * block + its place. */
typedef struct node {
    uint32_t index;
    int level;
    float key; /* what a search orders nodes by */
} node;

/* Depth first, eight children at a time, the stack stays below this. */
enum { STACK = 8 * (SC_LEVELS + 2) };

static node root_of(const sc_solid *solid)
{
    return (node){0, solid->tree.levels - 1, 0.0f};
}

/* A box or point as floats of the frame, outwards. */
typedef struct span {
    float low[3], high[3];
} span;

static span to_span(const sc_solid *solid, const sc_box *box)
{
    span s;
    sc_frame_box(&solid->tree.frame, box, s.low, s.high);
    return s;
}

/* Bit i: box i of the octet meets the span. */
static unsigned meeting(const sc_octet *octet, const span *s)
{
    unsigned mask = 0;
    for (int i = 0; i < 8; i++) {
        bool meets = true;
        for (int k = 0; k < 3; k++) {
            meets = meets && octet->low[k][i] <= s->high[k] && octet->high[k][i] >= s->low[k];
        }
        mask |= (unsigned)meets << i;
    }
    return mask;
}

/* ---- what lies near a box ------------------------------------------------ */

/* Calls visit for the triangles whose boxes meet the span until it returns false. */
static bool visit_span(sc_solid *solid, const span *s,
                       bool (*visit)(void *context, const sc_leaf *leaf, int i), void *context)
{
    node stack[STACK];
    int count = 0;

    if (solid->tree.levels > 0) {
        stack[count++] = root_of(solid);
    }
    while (count > 0) {
        node n = stack[--count];
        if (n.level < 0) {
            const sc_leaf *leaf = sc_octree_leaf(&solid->tree, n.index);
            for (unsigned mask = meeting(&leaf->boxes, s); mask != 0; mask &= mask - 1) {
                if (!visit(context, leaf, __builtin_ctz(mask))) {
                    return true;
                }
            }
            continue;
        }
        const sc_octet *octet = sc_octree_children(&solid->tree, n.level, n.index);
        if (!octet) {
            return false;
        }
        for (unsigned mask = meeting(octet, s); mask != 0; mask &= mask - 1) {
            stack[count++] = (node){8 * n.index + (uint32_t)__builtin_ctz(mask), n.level - 1, 0.0f};
        }
    }
    return true;
}

static bool first_found(void *context, const sc_leaf *leaf, int i)
{
    (void)leaf;
    (void)i;
    *(bool *)context = true;
    return false;
}

static bool clear_span(sc_solid *solid, const span *s, bool *failed)
{
    bool found = false;
    if (!visit_span(solid, s, first_found, &found)) {
        *failed = true;
        return false;
    }
    return !found;
}

bool sc_solid_clear(sc_solid *solid, const sc_box *box, bool *failed)
{
    span s = to_span(solid, box);
    return clear_span(solid, &s, failed);
}

bool sc_solid_clear_frame(sc_solid *solid, const float low[3], const float high[3], bool *failed)
{
    span s = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    return clear_span(solid, &s, failed);
}

typedef struct facet_visit {
    const sc_solid *solid;
    bool (*visit)(void *context, uint32_t facet, const sc_vec3 v[3]);
    void *context;
} facet_visit;

static bool visit_facet(void *context, const sc_leaf *leaf, int i)
{
    facet_visit *f = context;
    sc_vec3 v[3];
    sc_solid_facet(f->solid, leaf->triangle[i], v);
    return f->visit(f->context, leaf->triangle[i], v);
}

bool sc_solid_visit(sc_solid *solid, const sc_box *box, double by,
                    bool (*visit)(void *context, uint32_t facet, const sc_vec3 v[3]), void *context)
{
    sc_box grown = sc_box_grown(box, by);
    span s = to_span(solid, &grown);
    facet_visit f = {solid, visit, context};
    return visit_span(solid, &s, visit_facet, &f);
}

/* ---- winding number ------------------------------------------------------ */

/* A ray from the point to far outside, seen as an edge of the other part. */
typedef struct ray {
    const sc_solid *solid;
    sc_vec3 from, to;
    int entered;
} ray;

static bool count_crossing(void *context, uint32_t facet, const sc_vec3 v[3])
{
    ray *r = context;
    (void)facet;
    r->entered += r->solid->role == SC_ROLE_B ? sc_sos_edge_of_a(r->from, r->to, v)
                                              : sc_sos_edge_of_b(r->from, r->to, v);
    return true;
}

/* Walks the octree along the ray: the nodes whose boxes the segment may meet. */
typedef struct beam {
    span box;              /* of the segment */
    float from[3], way[3]; /* start and direction, in the frame */
    float margin;
} beam;

/* Whether the segment may meet box i: by boxes, and by the three cross products of
 * its direction with the axes. */
static unsigned crossing(const sc_octet *octet, const beam *b)
{
    unsigned mask = meeting(octet, &b->box);
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        int i = __builtin_ctz(rest);
        float centre[3], half[3];
        for (int k = 0; k < 3; k++) {
            centre[k] = 0.5f * (octet->low[k][i] + octet->high[k][i]) - b->from[k];
            half[k] = 0.5f * (octet->high[k][i] - octet->low[k][i]) + b->margin;
        }
        for (int k = 0; k < 3; k++) {
            int m = (k + 1) % 3, n = (k + 2) % 3;
            float moment = centre[m] * b->way[n] - centre[n] * b->way[m];
            float reach = half[m] * fabsf(b->way[n]) + half[n] * fabsf(b->way[m]);
            if (fabsf(moment) > reach) {
                mask &= ~(1u << i);
            }
        }
    }
    return mask;
}

static bool walk_ray(sc_solid *solid, const beam *b, ray *r)
{
    node stack[STACK];
    int count = 0;

    stack[count++] = root_of(solid);
    while (count > 0) {
        node n = stack[--count];
        if (n.level < 0) {
            const sc_leaf *leaf = sc_octree_leaf(&solid->tree, n.index);
            for (unsigned mask = crossing(&leaf->boxes, b); mask != 0; mask &= mask - 1) {
                sc_vec3 v[3];
                uint32_t facet = leaf->triangle[__builtin_ctz(mask)];
                sc_solid_facet(solid, facet, v);
                count_crossing(r, facet, v);
            }
            continue;
        }
        const sc_octet *octet = sc_octree_children(&solid->tree, n.level, n.index);
        if (!octet) {
            return false;
        }
        for (unsigned mask = crossing(octet, b); mask != 0; mask &= mask - 1) {
            stack[count++] = (node){8 * n.index + (uint32_t)__builtin_ctz(mask), n.level - 1, 0.0f};
        }
    }
    return true;
}

/* The point outside the part towards which rays run: past the nearest of its six
 * sides, and a little aslant so that they do not run along facets. */
static sc_vec3 way_out(const sc_box *bounds, sc_vec3 p)
{
    double at[3] = {p.x, p.y, p.z}, extent = 0.0, nearest = INFINITY;
    int axis = 0, up = 1;

    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, bounds->high[k] - bounds->low[k]);
    }
    for (int k = 0; k < 3; k++) {
        if (bounds->high[k] - at[k] < nearest) {
            nearest = bounds->high[k] - at[k];
            axis = k;
            up = 1;
        }
        if (at[k] - bounds->low[k] < nearest) {
            nearest = at[k] - bounds->low[k];
            axis = k;
            up = 0;
        }
    }
    double beyond = 0.25 * extent + 0x1p-20 * sc_box_reach(bounds);
    double length = nearest + beyond;
    at[axis] = up ? bounds->high[axis] + beyond : bounds->low[axis] - beyond;
    at[(axis + 1) % 3] += 0.123 * length;
    at[(axis + 2) % 3] -= 0.077 * length;
    return (sc_vec3){at[0], at[1], at[2]};
}

bool sc_solid_winding(sc_solid *solid, sc_vec3 p, int *winding)
{
    const sc_box *bounds = &solid->part->used_bounds;
    const sc_frame *frame = &solid->tree.frame;
    ray r = {.solid = solid, .from = p};
    sc_box box = sc_box_empty();

    *winding = 0;
    sc_box_add_point(&box, p);
    if (solid->tree.levels == 0 || !sc_boxes_meet(&box, bounds)) {
        return true; /* not even in its box; on its border is for the ray to say */
    }
    r.to = way_out(bounds, p);
    sc_box_add_point(&box, r.to);
    beam b = {.box = to_span(solid, &box), .margin = 0x1p-19f};
    double from[3] = {p.x, p.y, p.z}, to[3] = {r.to.x, r.to.y, r.to.z};
    for (int k = 0; k < 3; k++) {
        b.from[k] = (float)((from[k] - frame->origin[k]) * frame->scale);
        b.way[k] = (float)((to[k] - from[k]) * frame->scale);
    }
    if (!walk_ray(solid, &b, &r)) {
        return false;
    }
    *winding = -r.entered; /* outside, at the far end, it is 0 */
    return true;
}

/* Solid angles by Van Oosterom and Strackee, 1983. */
double sc_solid_generalized_winding(const sc_solid *solid, sc_vec3 p)
{
    double half_angles = 0.0;
    for (uint32_t i = 0; i < solid->part->mesh->file.facets.count; i++) {
        sc_vec3 v[3];
        sc_solid_facet(solid, i, v);
        sc_vec3 a = sc_sub(v[0], p), b = sc_sub(v[1], p), c = sc_sub(v[2], p);
        double la = sc_length(a), lb = sc_length(b), lc = sc_length(c);
        double det = sc_dot(a, sc_cross(b, c));
        half_angles +=
            atan2(det, la * lb * lc + sc_dot(a, b) * lc + sc_dot(b, c) * la + sc_dot(c, a) * lb);
    }
    return half_angles / 6.283185307179586;
}

/* ---- the nearest point --------------------------------------------------- */

/* The point of the triangle nearest to p, by the region of the plane that p projects
 * to (Ericson, Real-Time Collision Detection, 2005, 5.1.5). */
static sc_vec3 nearest_on_triangle(sc_vec3 p, const sc_vec3 t[3])
{
    sc_vec3 ab = sc_sub(t[1], t[0]), ac = sc_sub(t[2], t[0]), ap = sc_sub(p, t[0]);
    double d1 = sc_dot(ab, ap), d2 = sc_dot(ac, ap);
    if (d1 <= 0.0 && d2 <= 0.0) {
        return t[0]; /* vertex 0 */
    }
    sc_vec3 bp = sc_sub(p, t[1]);
    double d3 = sc_dot(ab, bp), d4 = sc_dot(ac, bp);
    if (d3 >= 0.0 && d4 <= d3) {
        return t[1]; /* vertex 1 */
    }
    double vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3) {
        return sc_mul_add(t[0], d1 / (d1 - d3), ab); /* edge 01 */
    }
    sc_vec3 cp = sc_sub(p, t[2]);
    double d5 = sc_dot(ab, cp), d6 = sc_dot(ac, cp);
    if (d6 >= 0.0 && d5 <= d6) {
        return t[2]; /* vertex 2 */
    }
    double vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6) {
        return sc_mul_add(t[0], d2 / (d2 - d6), ac); /* edge 02 */
    }
    double va = d3 * d6 - d5 * d4, e = d4 - d3, f = d5 - d6;
    if (va <= 0.0 && e >= 0.0 && f >= 0.0 && e + f > 0.0) {
        return sc_mul_add(t[1], e / (e + f), sc_sub(t[2], t[1])); /* edge 12 */
    }
    double sum = va + vb + vc;
    if (!(sum > 0.0)) {
        return t[0]; /* no area left in doubles: the edges were looked at */
    }
    return sc_add(sc_mul_add(t[0], vb / sum, ab), sc_scale(ac, vc / sum)); /* face */
}

/* Lower bounds of the squared distances, in the frame, from a point to the boxes. */
static void box_distances(const sc_octet *octet, const float p[3], float out[8])
{
    for (int i = 0; i < 8; i++) {
        float sum = 0.0f;
        for (int k = 0; k < 3; k++) {
            float below = octet->low[k][i] - p[k], above = p[k] - octet->high[k][i];
            float gap = below > above ? below : above;
            gap = gap > 0.0f ? gap : 0.0f;
            sum += gap * gap;
        }
        out[i] = sum;
    }
}

static void try_leaf(sc_solid *solid, const sc_leaf *leaf, sc_vec3 p, const float at[3],
                     float *limit, double *best_sq, sc_nearest *nearest)
{
    float key[8];
    double scale = solid->tree.frame.scale;

    box_distances(&leaf->boxes, at, key);
    for (int i = 0; i < leaf->count; i++) {
        if (key[i] > *limit) {
            continue;
        }
        sc_vec3 v[3];
        sc_solid_facet(solid, leaf->triangle[i], v);
        sc_vec3 on = nearest_on_triangle(p, v), away = sc_sub(on, p);
        double sq = sc_dot(away, away);
        if (sq < *best_sq || (sq == *best_sq && leaf->triangle[i] < nearest->facet)) {
            *best_sq = sq;
            *nearest = (sc_nearest){sqrt(sq), leaf->triangle[i], on};
            double reach = nearest->distance * scale * (1.0 + 0x1p-18) + 0x1p-20;
            *limit = (float)(reach * reach * (1.0 + 0x1p-18));
        }
    }
}

bool sc_solid_nearest(sc_solid *solid, sc_vec3 p, double within, sc_nearest *nearest)
{
    const sc_frame *frame = &solid->tree.frame;
    float at[3] = {(float)((p.x - frame->origin[0]) * frame->scale),
                   (float)((p.y - frame->origin[1]) * frame->scale),
                   (float)((p.z - frame->origin[2]) * frame->scale)};
    /* The point's own rounding in the frame is covered by 2^-20 of its unit. */
    double reach = within * frame->scale * (1.0 + 0x1p-18) + 0x1p-20;
    float limit = (float)fmin(reach * reach * (1.0 + 0x1p-18), 1e30);
    double best_sq = within * within;
    node stack[STACK];
    int count = 0;

    *nearest = (sc_nearest){INFINITY, UINT32_MAX, p};
    if (solid->tree.levels > 0) {
        stack[count++] = root_of(solid);
    }
    while (count > 0) {
        node n = stack[--count];
        if (n.key > limit) {
            continue;
        }
        if (n.level < 0) {
            try_leaf(solid, sc_octree_leaf(&solid->tree, n.index), p, at, &limit, &best_sq,
                     nearest);
            continue;
        }
        float key[8];
        const sc_octet *octet = sc_octree_children(&solid->tree, n.level, n.index);
        if (!octet) {
            return false;
        }
        box_distances(octet, at, key);
        int from = count;
        for (uint32_t i = 0; i < 8; i++) { /* farthest first: the nearest is popped first */
            if (!(key[i] <= limit)) {
                continue;
            }
            int slot = count++;
            for (; slot > from && stack[slot - 1].key < key[i]; slot--) {
                stack[slot] = stack[slot - 1];
            }
            stack[slot] = (node){8 * n.index + i, n.level - 1, key[i]};
        }
    }
    return true;
}
