/* normals.c - see normals.h. */
#include "normals.h"

#include "geom/facet_area.h"

/* What rounding may turn a normal by, at most, for it to count; and what is left out of account. */
static const double most_error = 0x1p-20, room = 0x1p-18;

typedef struct family_normals {
    sc_normals whole, cluster[8];
} family_normals;

static const sc_normals none = {.cosine = 2.0}, any = {.axis = {1.0, 0.0, 0.0}, .cosine = -1.0};

/* ---- cones ----------------------------------------------------------------- */

double sc_normals_least(const sc_normals *normals, sc_vec3 way)
{
    const double across = sc_dot(normals->axis, way), cosine = normals->cosine;
    if (cosine > 1.0) {
        return INFINITY;
    }
    if (across + cosine <= 0.0) { /* the opposite way is among them */
        return -1.0;
    }
    return across * cosine -
           sqrt(sc_max(1.0 - across * across, 0.0) * sc_max(1.0 - cosine * cosine, 0.0)) - room;
}

double sc_normals_spread(const sc_normals *normals)
{
    return sqrt(sc_max(2.0 - 2.0 * normals->cosine, 0.0)) + room;
}

/* One that holds all of them, about the sum of their axes. */
static sc_normals cone_about(sc_vec3 sum, const sc_normals *of, int count)
{
    static const double least_length = 0x1p-10;
    if (count == 0) {
        return none;
    }
    if (!(sc_length(sum) > least_length)) {
        return any;
    }
    sc_normals cone = {sc_unit(sum), 1.0};
    for (int i = 0; i < count; i++) {
        cone.cosine = sc_min(cone.cosine, sc_normals_least(&of[i], cone.axis));
    }
    return cone;
}

/* ---- finding out ----------------------------------------------------------- */

/* False where a facet has none. */
static bool normal_of(const sc_vec3 v[3], sc_normals *normal)
{
    double error;
    const sc_vec3 n = sc_facet_normal(v, &error);
    const double length = sc_length(n);
    if (!(length * most_error > error)) {
        *normal = any;
        return sc_facet_has_area(v);
    }
    *normal = (sc_normals){sc_scale(n, 1.0 / length), 1.0};
    return true;
}

static sc_normals of_cluster(const sc_octree *tree, uint32_t index)
{
    uint32_t facet[SC_FAMILY];
    const uint32_t facets = sc_octree_facets(tree, 0, index, facet);
    sc_normals each[SC_CLUSTER];
    sc_vec3 sum = {0.0, 0.0, 0.0};
    int count = 0;

    for (uint32_t i = 0; i < facets; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(tree->facets, tree->placement, facet[i], v);
        if (normal_of(v, &each[count])) {
            sum = sc_add(sum, each[count++].axis);
        }
    }
    return cone_about(sum, each, count);
}

static bool find(sc_octree *tree, uint32_t index, family_normals *family)
{
    const sc_octet *clusters = sc_octree_children(tree, 1, index);
    sc_normals each[8];
    sc_vec3 sum = {0.0, 0.0, 0.0};
    int count = 0;

    for (uint32_t i = 0; clusters && i < 8; i++) {
        const bool is_there = clusters->low[0][i] <= clusters->high[0][i];
        family->cluster[i] = is_there ? of_cluster(tree, 8 * index + i) : none;
        if (family->cluster[i].cosine <= 1.0) {
            each[count] = family->cluster[i];
            sum = sc_add(sum, each[count++].axis);
        }
    }
    family->whole = cone_about(sum, each, count);
    return clusters != NULL;
}

/* ---- keeping ---------------------------------------------------------------- */

typedef _Atomic(const family_normals *) slot;

/* Of all families of the tree. */
static slot *slots_of(sc_octree *tree)
{
    void *known = atomic_load_explicit(&tree->normals, memory_order_acquire);
    if (known) {
        return known;
    }
    slot *slots = sc_arena_alloc(&tree->opened, tree->count[1] * sizeof *slots);
    for (size_t i = 0; slots && i < tree->count[1]; i++) {
        atomic_init(&slots[i], NULL);
    }
    if (slots && !atomic_compare_exchange_strong(&tree->normals, &known, slots)) {
        return known; /* another thread was first */
    }
    return slots;
}

static const family_normals *normals_of(sc_octree *tree, uint32_t index)
{
    slot *slots = slots_of(tree);
    const family_normals *known = NULL;

    if (slots) {
        known = atomic_load_explicit(&slots[index], memory_order_acquire);
    }
    if (!slots || known) {
        return known;
    }
    family_normals *made = sc_arena_alloc(&tree->opened, sizeof *made);
    if (!made || !find(tree, index, made)) {
        return NULL;
    }
    return atomic_compare_exchange_strong(&slots[index], &known, made) ? made : known;
}

const sc_normals *sc_octree_normals(sc_octree *tree, int level, uint32_t index)
{
    const family_normals *family = normals_of(tree, level > 0 ? index : index / 8);
    if (!family) {
        return NULL;
    }
    return level > 0 ? &family->whole : &family->cluster[index % 8];
}
