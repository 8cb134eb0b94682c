/* sift.c - see sift.h. */
#include "sift.h"

void sc_sift_load(const sc_way_in *way, const uint32_t *facet, uint32_t count, sc_side_by_side *out)
{
    for (uint32_t i = 0; i < count; i++) {
        sc_facet_prefetch(way->facets, facet[i]);
    }
    float v[8][3][4];
    const float(*corners[8])[4];
    for (uint32_t i = 0; i < 8; i++) {
        corners[i] = (const float(*)[4])v[i < count ? i : 0];
        if (i < count) {
            sc_frame_vertices(way, facet[i], v[i]);
        }
    }
    sc_put_side_by_side(corners, out);
}

void sc_sift_load_leaf(const sc_octree *tree, const sc_leaf *leaf, sc_side_by_side *out)
{
    const sc_way_in way = sc_octree_way_in(tree);
    uint32_t facet[8], count = sc_leaf_list(leaf, facet);
    sc_sift_load(&way, facet, count, out);
}

static void make_facets(const sc_octree *tree, const sc_leaf *leaf, sc_octet_facets *facets)
{
    sc_sift_load_leaf(tree, leaf, &facets->corners);
    sc_octets()->planes(facets);
}

const sc_octet_facets *sc_sift_facets(sc_octree *tree, sc_leaf *leaf, sc_octet_facets *room)
{
    sc_leaf_details *details = sc_leaf_details_of(tree, leaf);
    if (!details) {
        return NULL;
    }
    _Atomic(const sc_octet_facets *) *kept = &details->facets[leaf->slab.number];
    const sc_octet_facets *facets = atomic_load_explicit(kept, memory_order_acquire);
    if (facets) {
        return facets;
    }
    if (!sc_kept_boxes(details, leaf)) {
        make_facets(tree, leaf, room);
        return room;
    }
    sc_octet_facets *made = sc_arena_alloc(&tree->opened, sizeof *made);
    if (!made) {
        return NULL;
    }
    make_facets(tree, leaf, made);
    return atomic_compare_exchange_strong(kept, &facets, made)
               ? made
               : facets; /* another thread was first, with the same result */
}

/* Where the facets of a leaf lie along a direction. */
typedef struct heights {
    double low[8], high[8];
} heights;

static void heights_along(const sc_octet_facets *facets, const double direction[3], heights *h)
{
    for (int v = 0; v < 3; v++) {
        for (int i = 0; i < 8; i++) {
            double at = direction[0] * (double)facets->corners.v[v][0][i] +
                        direction[1] * (double)facets->corners.v[v][1][i] +
                        direction[2] * (double)facets->corners.v[v][2][i];
            h->low[i] = v == 0 || at < h->low[i] ? at : h->low[i];
            h->high[i] = v == 0 || at > h->high[i] ? at : h->high[i];
        }
    }
}

/* Of a set of pairs those slivers that do not pass each other, along the direction at a right
 * angle to the long edges of both leaves. In doubles: they may be as thin as the margin of
 * floats. Of that remains what a vertex in the frame is off. */
static uint64_t sift_slivers(sc_sifted_leaf a, sc_sifted_leaf b, uint64_t set, float limit)
{
    const float *d = sc_slab_tube(&a.leaf->slab)->along, *e = sc_slab_tube(&b.leaf->slab)->along;
    double across[3], length_sq = 0.0;
    heights ha, hb;

    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        across[k] = (double)d[m] * (double)e[n] - (double)d[n] * (double)e[m];
        length_sq += across[k] * across[k];
    }
    if (!(length_sq > 0x1p-20)) { /* side by side */
        return set;
    }
    for (int k = 0; k < 3; k++) {
        across[k] /= sqrt(length_sq) * (1.0 + 0x1p-40);
    }
    heights_along(a.facets, across, &ha);
    heights_along(b.facets, across, &hb);
    for (uint64_t rest = set; rest != 0; rest &= rest - 1) {
        int pair = __builtin_ctzll(rest), i = pair / 8, j = pair % 8;
        double gap = sc_fmax(hb.low[j] - ha.high[i], ha.low[i] - hb.high[j]) - 0x1p-22;
        set &= ~((uint64_t)(gap > 0.0 && gap * gap > (double)limit) << pair);
    }
    return set;
}

/* No two vertices of the leaves are farther apart: from one to another of the same leaf it is no
 * farther than through its sphere. */
static float reach_of(sc_sifted_leaf a, sc_sifted_leaf b)
{
    float reach = 2.0f * (a.leaf->slab.radius + b.leaf->slab.radius);
    for (int k = 0; k < 3; k++) {
        reach += fabsf(a.facets->corners.v[0][k][0] - b.facets->corners.v[0][k][0]);
    }
    return reach;
}

uint64_t sc_sift(const sc_octets_isa *octets, sc_sifted_leaf a, sc_sifted_leaf b, uint64_t set,
                 float error, float limit)
{
    if (sc_slab_tube(&a.leaf->slab) && sc_slab_tube(&b.leaf->slab)) {
        set = sift_slivers(a, b, set, limit);
    }
    const float margin = sc_sift_margin(reach_of(a, b), error);
    return octets->near_planes(a.facets, b.facets, set, margin, limit);
}
