/* turns.c - see turns.h. */
#include "turns.h"

#include "geom/facet_distance.h"
#include "geom/tri_distance.h"

/* The facet of a tree that is nearest to a point, as far as is known. */
typedef struct nearest {
    sc_octree *tree;
    sc_vec3 p, on;
    sc_fbox at;  /* p in the frame, and what floats may be off */
    float limit; /* squared: what is farther does not matter */
    double distance;
    uint32_t facet;
    int looks_left; /* at facets */
} nearest;

/* In the frame; a distance of 0 may be off by it too, for p is rounded. */
static const double distance_error = 0x1p-46;

static void see_facet(nearest *n, uint32_t facet)
{
    sc_vec3 v[3], on;
    sc_triangle_vertices(n->tree->facets, n->tree->placement, facet, v);
    const double distance = sc_facet_distance(n->p, v, &on);
    n->looks_left--;
    if (distance < n->distance || (distance == n->distance && facet < n->facet)) {
        n->limit = sc_frame_limit(&n->tree->frame, distance, distance_error);
        n->distance = distance;
        n->on = on;
        n->facet = facet;
    }
}

/* A node that waits, and how far its box is. */
typedef struct waiting {
    sc_node node;
    float distance_sq;
} waiting;

/* The nearest comes last, and is taken first. */
static void push_children(const nearest *n, const sc_octet *octet, sc_node node, waiting *stack,
                          int *count)
{
    float distance_sq[8];
    unsigned mask = sc_octets()->near_boxes(&n->at, octet, n->limit, distance_sq);
    const int first = *count;
    for (; mask != 0; mask &= mask - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(mask);
        int at = (*count)++;
        for (; at > first && stack[at - 1].distance_sq < distance_sq[i]; at--) {
            stack[at] = stack[at - 1];
        }
        stack[at] = (waiting){{8 * node.index + i, node.level - 1}, distance_sq[i]};
    }
}

static bool search(nearest *n)
{
    waiting stack[SC_WAITING];
    int count = 0;

    stack[count++] = (waiting){{0, n->tree->levels - 1}, 0.0f};
    while (count > 0 && n->looks_left > 0) {
        const waiting w = stack[--count];
        if (w.distance_sq > n->limit) {
            continue;
        }
        if (w.node.level < 0) {
            const sc_leaf *leaf = sc_octree_leaf(n->tree, w.node.index);
            for (int i = 0; i < (int)leaf->slab.count; i++) {
                see_facet(n, sc_leaf_facet(leaf, i));
            }
            continue;
        }
        const sc_octet *octet = sc_octree_children(n->tree, w.node.level, w.node.index);
        if (!octet) {
            return false;
        }
        push_children(n, octet, w.node, stack, &count);
    }
    return true;
}

static sc_fbox around(const sc_frame *frame, sc_vec3 p)
{
    const float margin = 0x1p-22f;
    float at[3];
    sc_frame_point(frame, p, at);
    return sc_fbox_of(at[0] - margin, at[1] - margin, at[2] - margin, at[0] + margin,
                      at[1] + margin, at[2] + margin);
}

static sc_closest closest_of(sc_octree *const tree[2], const uint32_t facet[2])
{
    sc_vec3 v[2][3];
    for (int k = 0; k < 2; k++) {
        sc_triangle_vertices(tree[k]->facets, tree[k]->placement, facet[k], v[k]);
    }
    const sc_triangle a = sc_triangle_make(v[0]), b = sc_triangle_make(v[1]);
    return sc_tri_closest(&a, &b);
}

bool sc_turns_take(sc_octree *const tree[2], sc_turns *turns)
{
    enum { MOST = 16, LOOKS = 16384 }; /* about the centre of a ball all are as near */
    sc_vec3 p = closest_of(tree, turns->facet).on_a;

    int looks = LOOKS;
    for (int turn = 1, same = 0; turn <= MOST && same < 2 && looks > 0; turn++) {
        const int to = turn % 2;
        nearest n = {.tree = tree[to],
                     .p = p,
                     .at = around(&tree[to]->frame, p),
                     .limit = INFINITY,
                     .distance = INFINITY,
                     .facet = UINT32_MAX,
                     .looks_left = looks};
        see_facet(&n, turns->facet[to]);
        if (!search(&n)) {
            return false;
        }
        looks = n.looks_left;
        same = n.facet == turns->facet[to] ? same + 1 : 0;
        turns->facet[to] = n.facet;
        p = n.on;
    }
    const double distance = sqrt(closest_of(tree, turns->facet).distance_sq);
    turns->distance = distance * (1.0 + 0x1p-40);
    return true;
}
