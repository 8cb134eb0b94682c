/* surface.c - see surface.h. */
#include "surface.h"

#include "sift.h"

/* ---- points and facets --------------------------------------------------- */

sc_vec3 sc_surface_tidy(const sc_surface *surface, sc_vec3 p)
{
    return sc_flushed(p, surface->margin * 0x1p-20);
}

sc_box sc_surface_tidy_box(const sc_surface *surface, const sc_box *box)
{
    const double least = surface->margin * 0x1p-20;
    sc_box tidy = *box;
    for (int k = 0; k < 3; k++) {
        tidy.low[k] = fabs(box->low[k]) < least ? sc_fmin(box->low[k], 0.0) : box->low[k];
        tidy.high[k] = fabs(box->high[k]) < least ? sc_fmax(box->high[k], 0.0) : box->high[k];
    }
    return tidy;
}

bool sc_surface_through(const sc_surface *surface, sc_vec3 from, sc_vec3 to, uint32_t facet,
                        sc_vec3 *through)
{
    sc_vec3 v[3];
    double error;
    sc_solid_facet(surface->solid, facet, v);
    sc_vec3 n = sc_facet_normal(v, &error);
    double above = sc_dot(n, sc_sub(to, v[0])), below = sc_dot(n, sc_sub(v[0], from));
    if (!(above * below > 0.0)) {
        return false;
    }
    *through = sc_mul_add(from, below / (below + above), sc_sub(to, from));
    return true;
}

bool sc_surface_winding(sc_surface *surface, sc_vec3 p, int *winding)
{
    bool known = sc_solid_winding_near(surface->solid, &surface->known, sc_surface_tidy(surface, p),
                                       winding);
    surface->failed = surface->failed || !known;
    return known;
}

bool sc_surface_contains(sc_surface *surface, sc_vec3 p)
{
    int winding = 0;
    return sc_surface_winding(surface, p, &winding) && sc_is_inside(winding);
}

bool sc_surface_surely_contains(sc_surface *surface, sc_vec3 p)
{
    int winding = 0;
    bool told = sc_solid_winding_again(surface->solid, sc_surface_tidy(surface, p), &winding);
    surface->failed = surface->failed || !told;
    if (!sc_is_inside(winding)) {
        surface->known.count = 0; /* a way that slipped through may have led to others */
    }
    return told && sc_is_inside(winding);
}

/* ---- nodes --------------------------------------------------------------- */

/* Boxes of the children of a node, which is this leaf, or none; in the room, if they are not kept.
 * NULL if memory ran out. */
static const sc_octet *children(sc_surface *surface, sc_node n, sc_leaf *leaf, sc_octet *room)
{
    sc_octree *tree = surface->solid->tree;
    const sc_octet *octet =
        leaf ? sc_leaf_boxes(tree, leaf, room) : sc_octree_children(tree, n.level, n.index);
    surface->failed = surface->failed || !octet;
    return octet;
}

/* Box i of the octet in length units, with the rounding of the way back. */
static sc_box unit_box(const sc_surface *surface, const sc_octet *octet, int i)
{
    const sc_frame *frame = &surface->solid->tree->frame;
    double size = 1.0 / frame->scale; /* a power of two */
    sc_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = (double)octet->low[k][i] * size + frame->origin[k] - surface->margin;
        box.high[k] = (double)octet->high[k][i] * size + frame->origin[k] + surface->margin;
    }
    return box;
}

sc_box sc_surface_node_box(sc_surface *surface, int level, uint32_t index)
{
    const sc_octet *octet = sc_octree_siblings(surface->solid->tree, level, index);
    surface->failed = surface->failed || !octet;
    if (!octet || !(octet->low[0][index % 8] <= octet->high[0][index % 8])) {
        return sc_box_empty();
    }
    return unit_box(surface, octet, (int)(index % 8));
}

/* Boxes that all lie beyond a plane, in the frame; a little beyond, for rounding. */
typedef struct half_space {
    float way[3], limit;
} half_space;

static half_space beyond(const sc_frame *frame, const sc_walk *walk)
{
    const double way[3] = {walk->way.x, walk->way.y, walk->way.z};
    double most = walk->most;
    half_space h;
    for (int k = 0; k < 3; k++) {
        h.way[k] = (float)way[k];
        most -= way[k] * frame->origin[k];
    }
    h.limit = (float)sc_min(most * frame->scale + 0x1p-18, 4.0);
    return h;
}

/* Of a distance that may be so far below 0 that nothing is near enough. Points in the frame are
 * within 2^-20 of where they should be. */
static float limit_of(const sc_frame *frame, double distance)
{
    static const double error = 0x1p-20;
    return distance * frame->scale < -error ? -1.0f : sc_frame_limit(frame, distance, error);
}

static sc_fbox point_of(const sc_frame *frame, sc_vec3 p)
{
    sc_fbox at = {{0.0f}, {0.0f}};
    sc_frame_point(frame, p, at.low);
    sc_frame_point(frame, p, at.high);
    return at;
}

/* Room for the rounding of floats in the frame, of slabs and tests against them. */
static const float slab_room = 0x1p-17f;

/* The slab that holds a leaf, the node if it is one, or a cluster: where facets lie aslant it is
 * much thinner than their boxes. NULL: none. */
static const sc_slab *slab_of(const sc_surface *surface, sc_node n, const sc_leaf *leaf)
{
    return leaf           ? &leaf->slab
           : n.level == 0 ? sc_octree_slab(surface->solid->tree, n.level, n.index)
                          : NULL;
}

/* How far p is from the planes of a slab, and from its tube, if that is more; in the frame.
 * Negative within both. */
static float gap_of(const sc_slab *slab, const float p[3], float off_planes, float off_tube)
{
    const float at = slab->normal[0] * p[0] + slab->normal[1] * p[1] + slab->normal[2] * p[2];
    const float above = at - slab->high, below = slab->low - at;
    float gap = (above > below ? above : below) - off_planes;
    const sc_tube *tube = sc_slab_tube(slab);
    if (tube) {
        const float *d = tube->along;
        const float x = p[0] - tube->centre[0], y = p[1] - tube->centre[1],
                    z = p[2] - tube->centre[2];
        const float across[3] = {y * d[2] - z * d[1], z * d[0] - x * d[2], x * d[1] - y * d[0]};
        const float beside =
            sqrtf(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]) -
            tube->radius - off_tube;
        gap = beside > gap ? beside : gap;
    }
    return gap - slab_room;
}

/* Whether a slab lies beyond a limit, squared. */
static bool is_beyond(const sc_slab *slab, const float p[3], float limit)
{
    const float gap = slab ? gap_of(slab, p, 0.0f, 0.0f) : 0.0f;
    return gap > 0.0f && gap * gap > limit;
}

/* A box in the frame that may lie askew. */
typedef struct askew {
    float centre[3], arm[3][3], radius;
    bool known; /* small enough for slab_room */
} askew;

static askew askew_of(const sc_frame *frame, const sc_walk *walk)
{
    static const float most = 4.0f;
    const sc_vec3 middle = sc_box_centre(&walk->within);
    askew box = {.known = !sc_box_is_empty(&walk->within)};
    float size_sq = 0.0f;
    sc_frame_point(frame, middle, box.centre);
    for (int k = 0; k < 3; k++) {
        const double half = 0.5 * (walk->within.high[k] - walk->within.low[k]);
        sc_vec3 arm = walk->arm[k];
        if (sc_dot(walk->arm[0], walk->arm[0]) == 0.0) {
            arm = (sc_vec3){k == 0 ? half : 0.0, k == 1 ? half : 0.0, k == 2 ? half : 0.0};
        }
        for (int i = 0; i < 3; i++) {
            box.arm[k][i] = (float)(sc_component(arm, i) * frame->scale);
            size_sq += box.arm[k][i] * box.arm[k][i];
        }
        box.known = box.known && fabsf(box.centre[k]) < most;
    }
    box.radius = sqrtf(size_sq) * (1.0f + 0x1p-18f);
    box.known = box.known && box.radius < most;
    return box;
}

/* Whether all of a slab lies outside a box. */
static bool is_off(const sc_slab *slab, const askew *box)
{
    float off_planes = 0.0f;
    if (!slab || !box->known) {
        return false;
    }
    for (int k = 0; k < 3; k++) {
        off_planes += fabsf(slab->normal[0] * box->arm[k][0] + slab->normal[1] * box->arm[k][1] +
                            slab->normal[2] * box->arm[k][2]);
    }
    return gap_of(slab, box->centre, off_planes, box->radius) > 0.0f;
}

/* Whether all facets of a node need no closer look. What is known of normals is so as stored. */
static bool passes_at_once(sc_surface *surface, const sc_walk *walk, sc_node n)
{
    if (!walk->passes || !surface->by_normals || n.level < 0 || n.level > 1 ||
        surface->solid->orientation) {
        return false;
    }
    const sc_normals *normals = sc_octree_normals(surface->solid->tree, n.level, n.index);
    surface->failed = surface->failed || !normals;
    if (!normals) {
        return false;
    }
    const sc_box box = sc_surface_node_box(surface, n.level, n.index);
    return walk->passes(walk->context, &box, normals);
}

static inline bool enters(const sc_surface *surface, const sc_walk *walk, const sc_octet *octet,
                          int i)
{
    if (!walk->enter) {
        return true;
    }
    const sc_box box = unit_box(surface, octet, i);
    return walk->enter(walk->context, &box);
}

static inline bool visit(sc_surface *surface, const sc_walk *walk, uint32_t facet)
{
    sc_vec3 v[3];
    surface->visited++;
    sc_solid_facet(surface->solid, facet, v);
    return walk->facet(walk->context, facet, v);
}

bool sc_surface_walk(sc_surface *surface, const sc_walk *walk)
{
    const sc_octets_isa *octets = sc_octets();
    const sc_frame *frame = &surface->solid->tree->frame;
    const sc_fbox within = sc_frame_fbox(frame, &walk->within), at = point_of(frame, walk->centre);
    const float limit = limit_of(frame, walk->reach);
    const half_space out = beyond(frame, walk);
    const askew box = askew_of(frame, walk);
    const bool round = walk->reach > 0.0;
    sc_node stack[SC_WAITING];
    sc_octet room;
    float distance_sq[8];
    int count = 0;

    if (surface->solid->tree->levels > 0) {
        stack[count++] = (sc_node){0, surface->solid->tree->levels - 1};
    }
    while (count > 0) {
        sc_node n = stack[--count];
        sc_leaf *leaf = n.level < 0 ? sc_octree_leaf(surface->solid->tree, n.index) : NULL;
        const sc_slab *slab = slab_of(surface, n, leaf);
        if (round ? is_beyond(slab, at.low, limit) : is_off(slab, &box)) {
            continue;
        }
        if (passes_at_once(surface, walk, n)) {
            continue;
        }
        const sc_octet *octet = children(surface, n, leaf, &room);
        if (!octet) {
            return false;
        }
        unsigned mask = round ? octets->near_boxes(&at, octet, limit, distance_sq)
                              : octets->meeting(octet, within.low, within.high);
        for (mask &= ~octets->beyond(octet, out.way, out.limit); mask != 0; mask &= mask - 1) {
            const int i = __builtin_ctz(mask);
            if (!enters(surface, walk, octet, i)) {
                continue;
            }
            if (!leaf) {
                stack[count++] = (sc_node){8 * n.index + (uint32_t)i, n.level - 1};
            } else if (!visit(surface, walk, sc_leaf_facet(leaf, i))) {
                return false;
            }
        }
    }
    return true;
}

/* ---- the nearest facet --------------------------------------------------- */

/* One search: the best so far, and the squared distance in the frame from which on
 * boxes are not worth a look. */
typedef struct seeker {
    sc_surface *surface;
    sc_vec3 p;
    sc_fbox at; /* p in the frame */
    sc_seek seek;
    double clear; /* infinite: the nearest is sought */
    float limit;  /* negative: the best is near enough */
    sc_nearest best;
} seeker;

static void lower_limit(seeker *s)
{
    double d = s->best.distance, less = d;
    if (s->clear < INFINITY) {
        less = d <= s->clear ? sc_min(d, s->seek.enough - s->seek.slack) : s->clear;
    } else if (d < INFINITY) {
        less = d - sc_max(sc_min(s->seek.slack, d * s->seek.part), s->seek.fine);
    }
    s->limit = d <= s->seek.enough ? -1.0f : limit_of(&s->surface->solid->tree->frame, less);
}

static void try_facet(seeker *s, uint32_t facet)
{
    sc_vec3 v[3], on;
    sc_solid_facet(s->surface->solid, facet, v);
    double distance = sc_facet_distance(s->p, v, &on);
    bool nearer = distance < s->best.distance || /* of equals, the lowest number */
                  (distance == s->best.distance && facet < s->best.facet);
    if (nearer && sc_facet_has_area(v)) {
        s->best = (sc_nearest){distance, facet, on};
        lower_limit(s);
    }
}

/* Of the facets of a leaf in the mask those that may be no farther than the best: of more than
 * one, all planes and edges at once tell that of most at a fraction of what it costs to tell how
 * far each is. */
static unsigned not_farther(const seeker *s, sc_leaf *leaf, unsigned mask)
{
    if ((mask & (mask - 1)) == 0) {
        return mask;
    }
    sc_octree *tree = s->surface->solid->tree;
    sc_octet_facets room;
    const sc_octet_facets *facets = sc_sift_facets(tree, leaf, &room);
    float reach = 2.0f * leaf->slab.radius;
    s->surface->failed = s->surface->failed || !facets;
    if (!facets) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        reach += fabsf(facets->corners.v[0][k][0] - s->at.low[k]);
    }
    const float error = sc_frame_vertex_error(&tree->frame, tree->placement);
    return sc_octets()->near_ball(facets, mask, s->at.low, 0.0f, sc_sift_margin(reach, error),
                                  limit_of(&tree->frame, s->best.distance));
}

/* Tries those of a leaf, `key` how far their boxes are, squared, in the frame. */
static void try_leaf(seeker *s, sc_leaf *leaf, const float key[8], unsigned mask)
{
    const unsigned near = not_farther(s, leaf, mask);
    for (; mask != 0; mask &= mask - 1) {
        const int i = __builtin_ctz(mask);
        if (key[i] > s->limit) { /* which may have been lowered */
            continue;
        }
        s->surface->visited++;
        if (near >> i & 1) {
            try_facet(s, sc_leaf_facet(leaf, i));
        }
    }
}

/* A node and its squared distance. */
typedef struct keyed {
    sc_node node;
    float key;
} keyed;

/* Farthest first, so that the nearest is popped first. */
static int push_near(keyed *stack, int count, sc_node parent, const float key[8], unsigned mask)
{
    int from = count;
    for (; mask != 0; mask &= mask - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(mask);
        int slot = count++;
        for (; slot > from && stack[slot - 1].key < key[i]; slot--) {
            stack[slot] = stack[slot - 1];
        }
        stack[slot] = (keyed){{8 * parent.index + i, parent.level - 1}, key[i]};
    }
    return count;
}

static sc_nearest descend(sc_surface *surface, sc_vec3 p, sc_seek seek, double clear)
{
    const sc_octets_isa *octets = sc_octets();
    seeker s = {.surface = surface,
                .p = p,
                .at = point_of(&surface->solid->tree->frame, p),
                .seek = seek,
                .clear = clear,
                .best = {INFINITY, UINT32_MAX, p}};
    keyed stack[SC_WAITING];
    sc_octet room;
    int count = 0;
    float key[8];

    lower_limit(&s);
    if (seek.hint != UINT32_MAX) {
        surface->visited++;
        try_facet(&s, seek.hint);
    }
    if (surface->solid->tree->levels > 0) {
        stack[count++] = (keyed){{0, surface->solid->tree->levels - 1}, 0.0f};
    }
    while (count > 0) {
        sc_node n = stack[--count].node;
        if (stack[count].key > s.limit) {
            continue;
        }
        sc_leaf *leaf = n.level < 0 ? sc_octree_leaf(surface->solid->tree, n.index) : NULL;
        if (is_beyond(slab_of(surface, n, leaf), s.at.low, s.limit)) {
            continue;
        }
        const sc_octet *octet = children(surface, n, leaf, &room);
        if (!octet) {
            return s.best;
        }
        unsigned mask = octets->near_boxes(&s.at, octet, s.limit, key);
        if (leaf) {
            try_leaf(&s, leaf, key, mask);
            continue;
        }
        count = push_near(stack, count, n, key, mask);
    }
    return s.best;
}

sc_nearest sc_surface_nearest(sc_surface *surface, sc_vec3 p, sc_seek seek)
{
    return descend(surface, p, seek, INFINITY);
}

sc_nearest sc_surface_any(sc_surface *surface, sc_vec3 p, double clear, sc_seek seek)
{
    return descend(surface, p, seek, sc_max(seek.enough, clear));
}
