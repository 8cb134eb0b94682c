/* solid.c - see solid.h. */
#include "solid.h"

#include "geom/angle.h"
#include "health/health_once.h"

/* ---- making -------------------------------------------------------------- */

stlclash_code sc_solid_make(const sc_part *part, sc_role role, const sc_frame *frame,
                            sc_octree *tree, sc_solid *solid, stlclash_error *error)
{
    *solid = (sc_solid){
        .part = part, .role = role, .shift = sc_shift_usual, .tree = tree ? tree : &solid->own};
    return tree ? STLCLASH_OK
                : sc_octree_of_part(part, frame, &part->used_bounds, NULL, &solid->own, error);
}

void sc_solid_free(sc_solid *solid)
{
    sc_octree_free(&solid->own);
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

static int push_children(sc_node *stack, int count, sc_node n, unsigned mask)
{
    for (; mask != 0; mask &= mask - 1) {
        stack[count++] = (sc_node){8 * n.index + (uint32_t)__builtin_ctz(mask), n.level - 1};
    }
    return count;
}

/* A box or point as floats of the frame, outwards. */
typedef struct span {
    float low[3], high[3];
} span;

static span to_span(const sc_solid *solid, const sc_box *box)
{
    span s;
    sc_frame_box(&solid->tree->frame, box, s.low, s.high);
    return s;
}

/* ---- what lies near a box ------------------------------------------------ */

static bool meets_again(const sc_met *met, const span *s)
{
    const sc_octets_isa *octets = sc_octets();
    for (unsigned i = 0; i < SC_MET && i < met->count; i++) {
        const sc_octet *boxes = &met->boxes[(met->count - 1 - i) % SC_MET]; /* the latest first */
        if (octets->meeting(boxes, s->low, s->high) != 0) {
            return true;
        }
    }
    return false;
}

/* Boxes of facets that it meets come to *met. In `room` those of a leaf are made where they are
 * not kept; NULL: they are to be. */
static bool clear_span(sc_solid *solid, const span *s, sc_octet *room, const sc_octet **met,
                       bool *failed)
{
    const sc_octets_isa *octets = sc_octets();
    sc_octree *tree = solid->tree;
    sc_node stack[SC_WAITING];
    int count = 0;

    if (tree->levels > 0) {
        stack[count++] = (sc_node){0, tree->levels - 1};
    }
    while (count > 0) {
        sc_node n = stack[--count];
        const sc_octet *octet = n.level < 0 && room
                                    ? sc_leaf_boxes_once(tree, sc_octree_leaf(tree, n.index), room)
                                    : sc_octree_children(tree, n.level, n.index);
        if (!octet) {
            *failed = true;
            return false;
        }
        unsigned mask = octets->meeting(octet, s->low, s->high);
        if (mask != 0 && n.level < 0) {
            *met = octet;
            return false;
        }
        count = push_children(stack, count, n, mask);
    }
    return true;
}

bool sc_solid_clear(sc_solid *solid, const sc_box *box, bool *failed)
{
    const span s = to_span(solid, box);
    const sc_octet *met;
    return clear_span(solid, &s, NULL, &met, failed);
}

bool sc_solid_clear_frame(sc_solid *solid, sc_met *met, const float low[3], const float high[3],
                          bool *failed)
{
    const span s = {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    const sc_octet *boxes = NULL;
    sc_octet room;

    if (meets_again(met, &s)) {
        return false;
    }
    const bool clear = clear_span(solid, &s, &room, &boxes, failed);
    if (boxes) {
        met->boxes[met->count++ % SC_MET] = *boxes;
    }
    return clear;
}

/* ---- winding number ------------------------------------------------------ */

/* A ray from the point to far outside, seen as an edge of the other part; as moved by a shift, or
 * by two. */
typedef struct ray {
    const sc_solid *solid;
    sc_vec3 from, to;
    sc_shift shift[2];
    int shifts, entered[2], crossed[2];
} ray;

static void count_crossing(ray *r, uint32_t facet)
{
    sc_vec3 v[3];
    sc_solid_facet(r->solid, facet, v);
    for (int i = 0; i < r->shifts; i++) {
        int side = r->solid->role == SC_ROLE_B ? sc_sos_edge_of_a(r->from, r->to, v, &r->shift[i])
                                               : sc_sos_edge_of_b(r->from, r->to, v, &r->shift[i]);
        r->entered[i] += side;
        r->crossed[i] += side != 0;
    }
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
    unsigned mask = sc_octets()->meeting(octet, b->box.low, b->box.high);
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

/* Whether the segment passes by what a slab holds: beyond one of its planes, or off its tube. Of
 * long thin facets nearly all boxes meet it. */
static bool passes_by(const beam *b, const sc_slab *slab)
{
    const float *d = b->way;
    const sc_tube *tube = sc_slab_tube(slab);
    float start = 0.0f, rise = 0.0f;
    for (int k = 0; k < 3; k++) {
        start += slab->normal[k] * b->from[k];
        rise += slab->normal[k] * d[k];
    }
    float low = rise < 0.0f ? start + rise : start, high = rise < 0.0f ? start : start + rise;
    if (low > slab->high + b->margin || high < slab->low - b->margin) {
        return true;
    }
    if (!tube) {
        return false;
    }
    const float *e = tube->along;
    const float across[3] = {d[1] * e[2] - d[2] * e[1], d[2] * e[0] - d[0] * e[2],
                             d[0] * e[1] - d[1] * e[0]};
    float apart = 0.0f, length_sq = 0.0f;
    for (int k = 0; k < 3; k++) {
        apart += across[k] * (tube->centre[k] - b->from[k]);
        length_sq += across[k] * across[k];
    }
    return fabsf(apart) > (tube->radius + b->margin) * sqrtf(length_sq) + b->margin;
}

static bool walk_beam(const beam *b, ray *r)
{
    sc_octree *tree = r->solid->tree;
    sc_node stack[SC_WAITING];
    int count = 0;

    stack[count++] = (sc_node){0, tree->levels - 1};
    while (count > 0) {
        sc_node n = stack[--count];
        if (n.level <= 0 && passes_by(b, sc_octree_slab(tree, n.level, n.index))) {
            continue;
        }
        const sc_octet *octet = sc_octree_children(tree, n.level, n.index);
        if (!octet) {
            return false;
        }
        unsigned mask = crossing(octet, b);
        if (n.level >= 0) {
            count = push_children(stack, count, n, mask);
            continue;
        }
        for (; mask != 0; mask &= mask - 1) {
            count_crossing(r, sc_leaf_facet(sc_octree_leaf(tree, n.index), __builtin_ctz(mask)));
        }
    }
    return true;
}

static bool walk_ray(ray *r)
{
    const sc_frame *frame = &r->solid->tree->frame;
    sc_box box = sc_box_empty();

    sc_box_add_point(&box, r->from);
    sc_box_add_point(&box, r->to);
    beam b = {.box = to_span(r->solid, &box), .margin = 0x1p-17f};
    sc_vec3 way = sc_sub(r->to, r->from);
    sc_frame_point(frame, r->from, b.from);
    for (int k = 0; k < 3; k++) {
        b.way[k] = (float)(sc_component(way, k) * frame->scale);
    }
    return r->solid->tree->levels == 0 || walk_beam(&b, r);
}

bool sc_solid_crossings(sc_solid *solid, sc_vec3 from, sc_vec3 to, int *entered, int *crossed)
{
    ray r = {.solid = solid, .from = from, .to = to, .shift = {solid->shift}, .shifts = 1};
    bool good = walk_ray(&r);
    *entered = r.entered[0];
    *crossed = r.crossed[0];
    return good;
}

sc_box sc_solid_way_out(const sc_part *part, sc_vec3 p)
{
    sc_box box = sc_box_empty();
    sc_box_add_point(&box, p);
    sc_box_add_point(&box, sc_box_way_out(&part->used_bounds, p, sc_ray_slant));
    return box;
}

/* As sc_solid_crossings, from p to where the part is left. */
static bool leave_along(sc_solid *solid, sc_vec3 p, const double slant[2], int *entered,
                        int *crossed)
{
    const sc_box *bounds = &solid->part->used_bounds;
    *entered = *crossed = 0;
    /* not even in its box: outside; on its border is for the ray to say */
    return !sc_box_holds(bounds, p) ||
           sc_solid_crossings(solid, p, sc_box_way_out(bounds, p, slant), entered, crossed);
}

static bool wind_along(sc_solid *solid, sc_vec3 p, const double slant[2], int *winding)
{
    int entered, crossed;
    bool good = leave_along(solid, p, slant, &entered, &crossed);
    *winding = -entered; /* outside, at the far end, it is 0 */
    return good;
}

bool sc_solid_winding(sc_solid *solid, sc_vec3 p, int *winding)
{
    return wind_along(solid, p, sc_ray_slant, winding);
}

bool sc_solid_exits(sc_solid *solid, sc_vec3 p, int *exits)
{
    int entered, crossed;
    bool good = leave_along(solid, p, sc_ray_slant, &entered, &crossed);
    *exits = crossed == -entered ? crossed : -1;
    return good;
}

bool sc_solid_winding_again(sc_solid *solid, sc_vec3 p, int *winding)
{
    return wind_along(solid, p, sc_other_slant, winding);
}

bool sc_solid_winding_either_way(const sc_solid *solid, const sc_shift *shift, sc_vec3 p,
                                 int winding[2])
{
    const int forth = solid->role == SC_ROLE_B ? 0 : 1; /* it is A that a shift moves */
    const sc_box *bounds = &solid->part->used_bounds;
    ray r = {.solid = solid,
             .from = p,
             .to = sc_box_way_out(bounds, p, sc_ray_slant),
             .shift = {*shift, sc_shift_reversed(*shift)},
             .shifts = 2};
    bool good = !sc_box_holds(bounds, p) || walk_ray(&r); /* see wind_along */
    winding[0] = -r.entered[forth];
    winding[1] = -r.entered[1 - forth];
    return good;
}

bool sc_solid_may_be_cracked(sc_solid *solid)
{
    int known = atomic_load(&solid->cracked);
    if (known == 0) {
        const sc_part *part = solid->part;
        known = !part->used.is_identity && !sc_health_is_balanced(part->mesh) ? 1 : -1;
        atomic_store(&solid->cracked, known);
    }
    return known > 0;
}

/* What most of three ways out tell; mostly two agree. */
static bool wind_by_most(sc_solid *solid, sc_vec3 p, int *winding)
{
    static const double third_slant[2] = {0.0437, 0.1173};
    int again, last;
    bool good = sc_solid_winding(solid, p, winding) && sc_solid_winding_again(solid, p, &again);

    if (good && again != *winding) {
        good = wind_along(solid, p, third_slant, &last);
        *winding = good && last == again ? again : *winding;
    }
    return good;
}

bool sc_solid_winding_near(sc_solid *solid, sc_known_windings *known, sc_vec3 p, int *winding)
{
    if (sc_solid_may_be_cracked(solid)) {
        return wind_by_most(solid, p, winding);
    }
    unsigned count = known->count < SC_KNOWN_WINDINGS ? known->count : SC_KNOWN_WINDINGS;
    const sc_box *bounds = &solid->part->used_bounds;
    double way = sc_fmin(sc_fmin(p.x - bounds->low[0], bounds->high[0] - p.x),
                         sc_fmin(sc_fmin(p.y - bounds->low[1], bounds->high[1] - p.y),
                                 sc_fmin(p.z - bounds->low[2], bounds->high[2] - p.z)));
    double least = way > 0.0 ? way * way : 0.0;
    const sc_vec3 *from = NULL;
    int entered = 0, crossed;

    for (unsigned i = 0; i < count; i++) {
        sc_vec3 to = sc_sub(known->point[i], p);
        if (sc_dot(to, to) < least) {
            least = sc_dot(to, to);
            from = &known->point[i];
            *winding = known->winding[i];
        }
    }
    bool good = from ? sc_solid_crossings(solid, *from, p, &entered, &crossed)
                     : sc_solid_winding(solid, p, winding);
    *winding += entered;
    known->point[known->count % SC_KNOWN_WINDINGS] = p;
    known->winding[known->count++ % SC_KNOWN_WINDINGS] = *winding;
    return good;
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
            sc_atan2(det, la * lb * lc + sc_dot(a, b) * lc + sc_dot(b, c) * la + sc_dot(c, a) * lb);
    }
    return half_angles / (2.0 * SC_PI);
}
