/* support.c - see support.h. */
#include "support.h"

#include "base/alloc.h"

/* Direct-mapped by number: what was found is made again where it is not there any more. */
enum { CLUSTERS = 256 };

struct sc_cluster_supports {
    const sc_opened *opened[CLUSTERS]; /* NULL: none */
    sc_support all[CLUSTERS], leaf[CLUSTERS][8];
};

/* ---- facets ---------------------------------------------------------------- */

/* v less what it has along a direction, which has a length; twice is enough (Kahan). */
static sc_vec3 across(sc_vec3 v, sc_vec3 along)
{
    const double along_sq = sc_dot(along, along);
    v = sc_mul_add(v, -sc_dot(v, along) / along_sq, along);
    return sc_mul_add(v, -sc_dot(v, along) / along_sq, along);
}

/* The way between closest points lies across the edges that these lie on, but for rounding, which
 * counts where it is short: turned, so that all of an edge is at one height. */
static sc_vec3 turned(sc_vec3 way, const sc_triangle *a, const sc_triangle *b)
{
    const double rounding = (a->radius + b->radius + sc_length(way)) * 0x1p-48;
    sc_vec3 flat[2];
    int count = 0;

    for (int i = 0; i < 6 && count < 2; i++) {
        const sc_vec3 edge = i < 3 ? a->edge[i] : b->edge[i - 3];
        const double length = sc_length(edge);
        if (length > 0.0 && fabs(sc_dot(way, edge)) <= rounding * length) {
            const sc_vec3 rest = count == 0 ? edge : across(edge, flat[0]);
            if (sc_length(rest) > 0x1p-40 * length) {
                flat[count++] = rest;
            }
        }
    }
    for (int i = 0; i < 2 * count; i++) {
        way = across(way, flat[i % count]);
    }
    return way;
}

/* What hardly counts is left out, for what lies across an axis to be at one height. */
static double component(double x, double length)
{
    return fabs(x) > 0x1p-30 * length ? x : 0.0;
}

bool sc_support_way_make(const sc_triangle *a, const sc_triangle *b, sc_support_way *way)
{
    const sc_closest closest = sc_tri_closest(a, b);
    const sc_vec3 between = turned(sc_sub(closest.on_b, closest.on_a), a, b);
    const double length = sc_length(between);
    const sc_vec3 v = {component(between.x, length), component(between.y, length),
                       component(between.z, length)};
    const double rest = sc_length(v), size = fabs(v.x) + fabs(v.y) + fabs(v.z);
    const bool along_axis = fabs(v.x) == size || fabs(v.y) == size || fabs(v.z) == size;
    const double shrink = along_axis ? 1.0 : 1.0 - 0x1p-50; /* for rounding */

    way->from = closest.on_a;
    way->unit = (sc_vec3){v.x / rest * shrink, v.y / rest * shrink, v.z / rest * shrink};
    return rest > 0.0 && isfinite(rest);
}

double sc_support_height(const sc_support_way *way, const sc_vec3 v[3])
{
    double height = -INFINITY;
    for (int k = 0; k < 3; k++) {
        const sc_vec3 d = sc_sub(v[k], way->from);
        const double x = way->unit.x * d.x, y = way->unit.y * d.y, z = way->unit.z * d.z;
        const double at = x + y + z + (fabs(x) + fabs(y) + fabs(z)) * 0x1.02p-51;
        height = at > height ? at : height;
    }
    return height + 0x1p-1000; /* that products may have fallen short of where they are tiny */
}

/* ---- nodes ----------------------------------------------------------------- */

static sc_support nothing(void)
{
    return (sc_support){-INFINITY, UINT32_MAX};
}

static void add(sc_support *to, const sc_support *more)
{
    to->height = more->height > to->height ? more->height : to->height;
    to->lowest = more->lowest < to->lowest ? more->lowest : to->lowest;
}

static sc_support support_of_facets(const sc_supports *s, const uint32_t *facet, uint32_t count)
{
    enum { AHEAD = 8 };
    const sc_octree *tree = s->tree;
    sc_support all = nothing();

    for (uint32_t i = 0; i < count; i++) {
        sc_vec3 v[3];
        sc_facet_prefetch(tree->facets, facet[i + AHEAD < count ? i + AHEAD : i]);
        sc_triangle_vertices(tree->facets, tree->placement, facet[i], v);
        const sc_support one = {sc_support_height(&s->way, v), facet[i]};
        add(&all, &one);
    }
    return all;
}

bool sc_supports_make(sc_octree *tree, const sc_support_way *way, sc_supports *supports)
{
    *supports = (sc_supports){.tree = tree, .way = *way};
    for (int level = 1; level < tree->levels; level++) {
        supports->nodes[level] = sc_calloc(tree->count[level], sizeof *supports->nodes[level]);
        if (!supports->nodes[level]) {
            return false;
        }
    }
    return true;
}

void sc_supports_free(sc_supports *supports)
{
    for (int level = 0; level < SC_LEVELS; level++) {
        sc_free(supports->nodes[level]);
        supports->nodes[level] = NULL;
    }
}

sc_cluster_supports *sc_cluster_supports_make(void)
{
    sc_cluster_supports *clusters = sc_alloc(1, sizeof *clusters);
    for (int i = 0; clusters && i < CLUSTERS; i++) {
        clusters->opened[i] = NULL;
    }
    return clusters;
}

static sc_support support_of_family(const sc_supports *s, uint32_t index)
{
    uint32_t facet[SC_FAMILY];
    const uint32_t count = sc_octree_facets(s->tree, 1, index, facet);
    return support_of_facets(s, facet, count);
}

/* Threads that come to a node at once all look; one of them keeps what they found. */
static sc_support support_of_node(const sc_supports *s, int level, uint32_t index)
{
    enum { NOT_KEPT, BEING_KEPT, KEPT };
    sc_node_support *node = &s->nodes[level][index];
    int progress = atomic_load_explicit(&node->progress, memory_order_acquire);

    if (progress == KEPT) {
        return node->support;
    }
    sc_support all = level == 1 ? support_of_family(s, index) : nothing();
    for (uint32_t i = 8 * index; level > 1 && i < 8 * index + 8 && i < s->tree->count[level - 1];
         i++) {
        const sc_support child = support_of_node(s, level - 1, i);
        add(&all, &child);
    }
    progress = NOT_KEPT;
    if (atomic_compare_exchange_strong(&node->progress, &progress, BEING_KEPT)) {
        node->support = all;
        atomic_store_explicit(&node->progress, KEPT, memory_order_release);
    }
    return all;
}

static void look_at_cluster(const sc_supports *s, sc_cluster_supports *clusters, size_t slot,
                            const sc_opened *opened)
{
    clusters->opened[slot] = opened;
    clusters->all[slot] = nothing();
    for (int i = 0; i < 8; i++) {
        sc_support *leaf = &clusters->leaf[slot][i];
        *leaf = nothing();
        if (opened->boxes.low[0][i] <= opened->boxes.high[0][i]) { /* else absent */
            uint32_t facet[8];
            *leaf = support_of_facets(s, facet, sc_leaf_list(&opened->leaves[i], facet));
        }
        add(&clusters->all[slot], leaf);
    }
}

bool sc_support_of(const sc_supports *supports, sc_cluster_supports *clusters, sc_node node,
                   sc_support *support)
{
    if (node.level > 0) {
        *support = support_of_node(supports, node.level, node.index);
        return true;
    }
    const uint32_t index = node.level < 0 ? node.index / 8 : node.index;
    const sc_opened *opened = sc_octree_cluster(supports->tree, index);
    const size_t slot = index % CLUSTERS;
    if (!opened) {
        return false;
    }
    if (clusters->opened[slot] != opened) {
        look_at_cluster(supports, clusters, slot, opened);
    }
    *support = node.level < 0 ? clusters->leaf[slot][node.index % 8] : clusters->all[slot];
    return true;
}
