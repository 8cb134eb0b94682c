/* octree.c - see octree.h. */
#include "octree.h"

#include "base/alloc.h"
#include "divide.h"

/* What a family has besides where clusters of it are slivers. */
typedef struct slivers {
    sc_tube tube[8]; /* of slabs of the family */
    sc_slab whole;   /* of all clusters, */
    sc_tube whole_tube;
    bool is_long; /* if all are slivers */
} slivers;

/* A family once opened: its facets, divided into clusters. */
typedef struct sc_family {
    sc_octet boxes;                   /* of the clusters */
    sc_slab slab[8];                  /* of these */
    _Atomic(sc_opened *) clusters[8]; /* NULL until opened */
    const sc_block_span *blocks;
    slivers *slivers; /* behind the facets; NULL: few have them */
    uint32_t count;
    uint16_t facet[]; /* a cluster after the other: where in the blocks */
} sc_family;

/* ---- a cluster ------------------------------------------------------------- */

/* Up to 8 facets side by side; absent ones: the last once more. */
static void side_by_side(const sc_ffacet *in_frame, const uint32_t *order, uint32_t count,
                         sc_side_by_side *out)
{
    const float(*facet[8])[4];
    for (uint32_t i = 0; i < 8; i++) {
        facet[i] = in_frame[order[i < count ? i : count - 1]].v;
    }
    sc_put_side_by_side(facet, out);
}

/* Up to 8 facets, at these places in the frame. Whether the leaf has a tube. */
static bool fill_leaf(const sc_ffacet *in_frame, const uint32_t *at, uint32_t count, sc_leaf *leaf,
                      sc_fbox *box, sc_tube *tube)
{
    sc_side_by_side v;

    *box = sc_fbox_empty();
    for (uint32_t i = 0; i < count; i++) {
        sc_fbox_add(box, &in_frame[at[i]].box);
    }
    side_by_side(in_frame, at, count, &v);
    const bool has_tube = sc_slab_make(&v, 1, box, &leaf->slab, tube);
    leaf->slab.count = count & 15;
    return has_tube;
}

/* The order of a cluster's facets, a leaf after the other; in the frame they are at these
 * places. */
static void order_of_leaves(const sc_ffacet *in_frame, const uint32_t *at, uint32_t count,
                            uint32_t order[SC_CLUSTER])
{
    float centre[SC_CLUSTER][4];
    for (uint32_t i = 0; i < count; i++) {
        sc_fbox_twice_the_centre(&in_frame[at[i]].box, centre[i]);
    }
    sc_divide((const float(*)[4])centre, order, count, 8);
}

/* A cluster with the leaves, and with those of their tubes that count, bit i for leaf i; and with
 * room for places, if so many are needed. NULL if memory ran out. */
static sc_opened *new_cluster(sc_octree *tree, const sc_leaf leaves[8], const sc_tube tube[8],
                              unsigned tubes, size_t places)
{
    sc_opened *cluster = sc_arena_alloc(&tree->opened, sizeof *cluster + places +
                                                           (tubes != 0 ? 8 * sizeof tube[0] : 0));
    if (!cluster) {
        return NULL;
    }
    memcpy(cluster->leaves, leaves, sizeof cluster->leaves);
    sc_tube *kept = (sc_tube *)(void *)(cluster->place + places);
    for (; tubes != 0; tubes &= tubes - 1) {
        const int i = __builtin_ctz(tubes);
        kept[i] = tube[i];
        sc_slab_set_tube(&cluster->leaves[i].slab, &kept[i]);
    }
    atomic_init(&cluster->details, NULL);
    return cluster;
}

/* Of so many facets of a family's list, from `first` on; in the frame they are at these places, a
 * leaf after the other. `place`: where they are in the list; NULL: in the same order. */
static sc_opened *make_cluster(sc_octree *tree, const sc_family *family, uint32_t first,
                               const sc_ffacet *in_frame, const uint32_t *at, uint32_t count,
                               const uint32_t *place)
{
    sc_fbox box[8];
    sc_leaf leaves[8];
    sc_tube tube[8];
    unsigned tubes = 0;

    for (uint32_t i = 0; i < count; i += 8) {
        const uint32_t n = i / 8;
        tubes |= (unsigned)fill_leaf(in_frame, at + i, count - i < 8 ? count - i : 8, &leaves[n],
                                     &box[n], &tube[n])
                 << n;
        leaves[n].slab.number = n & 7;
        leaves[n].slab.cluster = first / SC_CLUSTER & 7;
        leaves[n].slab.ordered = !place;
    }
    sc_opened *cluster = new_cluster(tree, leaves, tube, tubes, place ? SC_CLUSTER : 0);
    if (!cluster) {
        return NULL;
    }
    cluster->facet = family->facet + first;
    cluster->blocks = family->blocks;
    cluster->pool = tree->pool;
    for (uint32_t i = 0; place && i < count; i++) {
        cluster->place[i] = (uint8_t)place[i];
    }
    sc_octet_clear(&cluster->boxes);
    for (uint32_t i = 0; i < count; i += 8) {
        sc_octet_set(&cluster->boxes, (int)(i / 8), &box[i / 8]);
    }
    return cluster;
}

/* ---- a family -------------------------------------------------------------- */

/* The facets of a family that meet the region. */
typedef struct gathered {
    uint32_t count;
    uint16_t facet[SC_FAMILY]; /* where in its blocks */
    uint32_t order[SC_FAMILY];
    float centre[SC_FAMILY][4]; /* twice that of its box */
    sc_ffacet in_frame[SC_FAMILY];
    sc_side_by_side eights[SC_FAMILY / 8]; /* in the order of clusters */
    sc_octet boxes;                        /* of these, */
    sc_slab slab[8];                       /* and of the same, without tubes: */
    sc_tube tube[8];                       /* here, */
    unsigned tubes;                        /* bit i for cluster i */
} gathered;

/* How many facets the cluster has that begins with this one of so many. */
static uint32_t cluster_size(uint32_t family_size, uint32_t first)
{
    const uint32_t left = family_size - first;
    return left < SC_CLUSTER ? left : SC_CLUSTER;
}

/* Some of a family's list. */
static void list_facets(const sc_octree *tree, const sc_family *family, uint32_t first,
                        uint32_t count, uint32_t *facet)
{
    const uint32_t *pool = tree->pool;
    for (uint32_t i = 0; i < count; i++) {
        facet[i] = sc_facet_of_blocks(family->blocks, pool, family->facet[first + i]);
    }
}

static void gather(const sc_octree *tree, size_t family, gathered *g)
{
    const sc_way_in way = sc_octree_way_in(tree);
    size_t end, first = sc_family_spans(tree, family, &end);

    g->count = 0;
    for (size_t b = first; b < end; b++) {
        const sc_block_span *block = &tree->spans[b], *next = b + 1 < end ? block + 1 : NULL;
        const uint16_t place = (uint16_t)((b - first) * SC_BLOCK);
        for (uint32_t i = 0; i < block->count; i++) {
            const uint32_t n = g->count;
            if (next && i < next->count) { /* blocks lie far apart in the file */
                sc_facet_prefetch(tree->facets, sc_facet_of_block(next, tree->pool, i));
            }
            g->facet[n] = (uint16_t)(place + i);
            sc_frame_facet(&way, sc_facet_of_block(block, tree->pool, i), &g->in_frame[n]);
            if (sc_fbox_meet(&g->in_frame[n].box, &tree->region)) {
                sc_fbox_twice_the_centre(&g->in_frame[n].box, g->centre[n]);
                g->count++;
            }
        }
    }
    sc_divide((const float(*)[4])g->centre, g->order, g->count, SC_CLUSTER);
}

static void look_at_cluster(gathered *g, uint32_t first)
{
    sc_side_by_side *eights = &g->eights[first / 8];
    const uint32_t count = cluster_size(g->count, first), number = first / SC_CLUSTER;
    sc_fbox box = sc_fbox_empty();

    for (uint32_t i = 0; i < count; i++) {
        sc_fbox_add(&box, &g->in_frame[g->order[first + i]].box);
    }
    for (uint32_t i = 0; i < count; i += 8) {
        side_by_side(g->in_frame, g->order + first + i, count - i, &eights[i / 8]);
    }
    sc_octet_set(&g->boxes, (int)number, &box);
    g->tubes |=
        (unsigned)sc_slab_make(eights, (count + 7) / 8, &box, &g->slab[number], &g->tube[number])
        << number;
}

static void look_at_clusters(gathered *g)
{
    sc_octet_clear(&g->boxes);
    g->tubes = 0;
    for (uint32_t first = 0; first < g->count; first += SC_CLUSTER) {
        look_at_cluster(g, first);
    }
}

/* A family of what was looked at, with nothing opened; NULL if memory ran out. */
static sc_family *new_family(sc_octree *tree, size_t index, const gathered *g)
{
    const size_t bytes = sizeof(sc_family) + g->count * sizeof(uint16_t), align = sizeof(void *);
    const size_t ahead = (bytes + align - 1) / align * align;
    sc_family *family =
        sc_arena_alloc(&tree->opened, ahead + (g->tubes != 0 ? sizeof(slivers) : 0));
    if (!family) {
        return NULL;
    }
    size_t end;
    family->boxes = g->boxes;
    memcpy(family->slab, g->slab, sizeof family->slab);
    for (int i = 0; i < 8; i++) {
        atomic_init(&family->clusters[i], NULL);
    }
    family->blocks = &tree->spans[sc_family_spans(tree, index, &end)];
    family->slivers = g->tubes != 0 ? (slivers *)(void *)((char *)family + ahead) : NULL;
    family->count = g->count;
    for (uint32_t i = 0; i < g->count; i++) {
        family->facet[i] = g->facet[g->order[i]];
    }
    return family;
}

/* Tubes of clusters; and of slivers alone a slab and a tube of the whole: boxes of other facets
 * tell as much as planes do of so many. */
static void make_slivers(const gathered *g, sc_family *family)
{
    slivers *s = family->slivers;
    for (unsigned rest = g->tubes; rest != 0; rest &= rest - 1) {
        const int i = __builtin_ctz(rest);
        s->tube[i] = g->tube[i];
        sc_slab_set_tube(&family->slab[i], &s->tube[i]);
    }
    s->is_long = g->tubes == (1u << (g->count + SC_CLUSTER - 1) / SC_CLUSTER) - 1;
    if (s->is_long) {
        const sc_fbox box = sc_octet_union(&family->boxes);
        if (sc_slab_make(g->eights, (g->count + 7) / 8, &box, &s->whole, &s->whole_tube)) {
            sc_slab_set_tube(&s->whole, &s->whole_tube);
        }
    }
}

/* Where most clusters of families before came to be opened, those of the next ones are at once,
 * while their facets are at hand; but not of every family, or it would not show any more whether
 * they come to be. Some of those before may still do. */
static bool opens_at_once(sc_octree *tree, size_t index, uint32_t clusters)
{
    enum { LEAST = 16, EVERY = 8 };
    const uint32_t left = atomic_load_explicit(&tree->left, memory_order_relaxed);
    const uint32_t opened = atomic_load_explicit(&tree->opened_later, memory_order_relaxed);
    if (index % EVERY != 0 && left >= LEAST && opened >= left - left / 4) {
        return true;
    }
    atomic_fetch_add_explicit(&tree->left, clusters, memory_order_relaxed);
    return false;
}

/* Nobody knows of the family yet, so its list can be put in the order of leaves. What memory is
 * short for is left for later. */
static void open_at_once(sc_octree *tree, const gathered *g, sc_family *family)
{
    for (uint32_t first = 0; first < g->count; first += SC_CLUSTER) {
        const uint32_t *at = g->order + first, count = cluster_size(g->count, first);
        uint32_t order[SC_CLUSTER], in_order[SC_CLUSTER];
        order_of_leaves(g->in_frame, at, count, order);
        for (uint32_t i = 0; i < count; i++) {
            in_order[i] = at[order[i]];
            family->facet[first + i] = g->facet[in_order[i]];
        }
        atomic_init(&family->clusters[first / SC_CLUSTER],
                    make_cluster(tree, family, first, g->in_frame, in_order, count, NULL));
    }
}

/* In the room of `g`. */
static sc_family *gather_family(sc_octree *tree, size_t index, gathered *g)
{
    gather(tree, index, g);
    look_at_clusters(g);
    sc_family *family = new_family(tree, index, g);
    if (!family) {
        return NULL;
    }
    if (family->slivers) {
        make_slivers(g, family);
    }
    if (opens_at_once(tree, index, (g->count + SC_CLUSTER - 1) / SC_CLUSTER)) {
        open_at_once(tree, g, family);
    }
    return family;
}

/* Its room is too large for a small stack, and kept for the next one. Not to be part of family_of,
 * which is small and asked for each node. */
__attribute__((noinline)) static sc_family *open_family(sc_octree *tree, size_t index)
{
    gathered *g = atomic_exchange(&tree->room, NULL);

    g = g ? g : sc_alloc(1, sizeof *g);
    if (!g) {
        return NULL;
    }
    sc_family *family = gather_family(tree, index, g);
    sc_free(atomic_exchange(&tree->room, g));
    return family;
}

static sc_family *family_of(sc_octree *tree, size_t index)
{
    sc_family *family = atomic_load_explicit(&tree->families[index], memory_order_acquire);
    if (family) {
        return family;
    }
    family = open_family(tree, index);
    sc_family *other = NULL;
    if (family && !atomic_compare_exchange_strong(&tree->families[index], &other, family)) {
        return other; /* another thread was first, with the same result */
    }
    return family;
}

/* ---- opening a cluster later ------------------------------------------------ */

static sc_opened *open_cluster(sc_octree *tree, const sc_family *family, uint32_t index)
{
    enum { AHEAD = 8 };
    const sc_way_in way = sc_octree_way_in(tree);
    const uint32_t first = SC_CLUSTER * index, count = cluster_size(family->count, first);
    uint32_t facet[SC_CLUSTER], at[SC_CLUSTER], order[SC_CLUSTER];
    sc_ffacet in_frame[SC_CLUSTER];

    list_facets(tree, family, first, count, facet);
    for (uint32_t i = 0; i < count; i++) {
        sc_facet_prefetch(tree->facets, facet[i + AHEAD < count ? i + AHEAD : i]);
        sc_frame_facet(&way, facet[i], &in_frame[i]);
        at[i] = i;
    }
    order_of_leaves(in_frame, at, count, order);
    return make_cluster(tree, family, first, in_frame, order, count, order);
}

static sc_opened *cluster_of(sc_octree *tree, uint32_t index)
{
    sc_family *family = family_of(tree, index / 8);
    if (!family) {
        return NULL;
    }
    sc_opened *cluster = atomic_load_explicit(&family->clusters[index % 8], memory_order_acquire);
    if (cluster) {
        return cluster;
    }
    cluster = open_cluster(tree, family, index % 8);
    atomic_fetch_add_explicit(&tree->opened_later, 1, memory_order_relaxed);
    sc_opened *other = NULL;
    if (cluster && !atomic_compare_exchange_strong(&family->clusters[index % 8], &other, cluster)) {
        return other; /* another thread was first, with the same result */
    }
    return cluster;
}

const sc_opened *sc_octree_cluster(sc_octree *tree, uint32_t index)
{
    return cluster_of(tree, index);
}

/* ---- leaves in detail -------------------------------------------------------- */

sc_leaf_details *sc_leaf_details_of(sc_octree *tree, sc_leaf *leaf)
{
    sc_opened *cluster = sc_leaf_cluster(leaf);
    sc_leaf_details *details = atomic_load_explicit(&cluster->details, memory_order_acquire);
    if (details) {
        return details;
    }
    details = sc_arena_alloc(&tree->opened, sizeof *details);
    for (int i = 0; details && i < 8; i++) {
        atomic_init(&details->boxes[i], NULL);
        atomic_init(&details->facets[i], NULL);
        atomic_init(&details->asked[i], 0);
    }
    sc_leaf_details *other = NULL;
    if (details && !atomic_compare_exchange_strong(&cluster->details, &other, details)) {
        return other; /* another thread was first */
    }
    return details;
}

static void make_boxes(const sc_octree *tree, const sc_leaf *leaf, sc_octet *boxes)
{
    const sc_way_in way = sc_octree_way_in(tree);
    uint32_t facet[8], count = sc_leaf_list(leaf, facet);

    sc_octet_clear(boxes);
    for (uint32_t i = 0; i < count; i++) {
        sc_facet_prefetch(tree->facets, facet[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        sc_ffacet in_frame;
        sc_frame_facet(&way, facet[i], &in_frame);
        sc_octet_set(boxes, (int)i, &in_frame.box);
    }
}

const sc_octet *sc_leaf_boxes(sc_octree *tree, sc_leaf *leaf, sc_octet *room)
{
    enum { OFTEN = 3 };
    sc_leaf_details *details = sc_leaf_details_of(tree, leaf);
    const sc_octet *boxes = details ? sc_kept_boxes(details, leaf) : NULL;
    if (!details || boxes) {
        return boxes;
    }
    if (room && atomic_fetch_add(&details->asked[leaf->slab.number], 1) + 1 < OFTEN) {
        make_boxes(tree, leaf, room);
        return room;
    }
    sc_octet *made = sc_arena_alloc(&tree->opened, sizeof *made);
    if (!made) {
        return NULL;
    }
    make_boxes(tree, leaf, made);
    return atomic_compare_exchange_strong(&details->boxes[leaf->slab.number], &boxes, made)
               ? made
               : boxes; /* another thread was first, with the same result */
}

const sc_octet *sc_leaf_boxes_once(const sc_octree *tree, const sc_leaf *leaf, sc_octet *room)
{
    const sc_leaf_details *details =
        atomic_load_explicit(&sc_leaf_cluster(leaf)->details, memory_order_acquire);
    const sc_octet *boxes = details ? sc_kept_boxes(details, leaf) : NULL;
    if (boxes) {
        return boxes;
    }
    make_boxes(tree, leaf, room);
    return room;
}

/* ---- nodes --------------------------------------------------------------- */

const sc_octet *sc_octree_children(sc_octree *tree, int level, uint32_t index)
{
    if (level > 1) {
        return &tree->octets[level - 1][index];
    }
    if (level == 1) {
        sc_family *family = family_of(tree, index);
        return family ? &family->boxes : NULL;
    }
    const bool is_leaf = level < 0;
    sc_opened *cluster = cluster_of(tree, is_leaf ? index / 8 : index);
    if (!cluster) {
        return NULL;
    }
    return is_leaf ? sc_leaf_boxes(tree, &cluster->leaves[index % 8], NULL) : &cluster->boxes;
}

const sc_octet *sc_octree_siblings(sc_octree *tree, int level, uint32_t index)
{
    return level + 1 < tree->levels ? sc_octree_children(tree, level + 1, index / 8)
                                    : tree->octets[level];
}

sc_leaf *sc_octree_leaf(sc_octree *tree, uint32_t index)
{
    return &cluster_of(tree, index / 8)->leaves[index % 8];
}

bool sc_octree_family_slab(sc_octree *tree, uint32_t index, const sc_slab **slab, float centre[4])
{
    const sc_family *family = family_of(tree, index);
    const slivers *long_ones =
        family && family->slivers && family->slivers->is_long ? family->slivers : NULL;
    *slab = long_ones ? &long_ones->whole : NULL;
    if (long_ones) {
        memcpy(centre, long_ones->whole_tube.centre, sizeof long_ones->whole_tube.centre);
    }
    return family != NULL;
}

const sc_slab *sc_octree_slab(sc_octree *tree, int level, uint32_t index)
{
    return level < 0 ? &sc_octree_leaf(tree, index)->slab
                     : &family_of(tree, index / 8)->slab[index % 8];
}

/* Those that were opened, and are known to be. */
static const sc_family *opened_family(const sc_octree *tree, uint32_t index)
{
    return atomic_load_explicit(&tree->families[index], memory_order_acquire);
}

static const sc_leaf *opened_leaf(const sc_octree *tree, uint32_t index)
{
    const sc_family *family = opened_family(tree, index / 64);
    const sc_opened *cluster =
        atomic_load_explicit(&family->clusters[index / 8 % 8], memory_order_acquire);
    return &cluster->leaves[index % 8];
}

/* Those of a cluster whose family was opened, in the order of its blocks: that of the list depends
 * on when the cluster was. */
static uint32_t facets_of_cluster(const sc_octree *tree, uint32_t index, uint32_t *facet)
{
    enum { BITS = 64 };
    const sc_family *family = opened_family(tree, index / 8);
    const uint32_t first = index % 8 * SC_CLUSTER, size = cluster_size(family->count, first);
    uint64_t listed[SC_FAMILY / BITS] = {0};
    uint32_t count = 0;

    for (uint32_t i = first; i < first + size; i++) {
        listed[family->facet[i] / BITS] |= UINT64_C(1) << family->facet[i] % BITS;
    }
    for (uint32_t k = 0; k < SC_FAMILY / BITS; k++) {
        for (uint64_t rest = listed[k]; rest != 0; rest &= rest - 1) {
            const uint32_t place = BITS * k + (uint32_t)__builtin_ctzll(rest);
            facet[count++] = sc_facet_of_blocks(family->blocks, tree->pool, place);
        }
    }
    return count;
}

uint32_t sc_octree_some_facet(const sc_octree *tree, int level, uint32_t index)
{
    if (level < 0) {
        return sc_leaf_facet(opened_leaf(tree, index), 0);
    }
    if (level == 0) {
        const sc_family *family = opened_family(tree, index / 8);
        const uint32_t first = index % 8 * SC_CLUSTER;
        uint32_t place = family->facet[first]; /* the lowest, as facets_of_cluster begins */
        for (uint32_t i = 1; i < cluster_size(family->count, first); i++) {
            place = family->facet[first + i] < place ? family->facet[first + i] : place;
        }
        return sc_facet_of_blocks(family->blocks, tree->pool, place);
    }
    size_t family = (size_t)index << 3 * (level - 1);
    return sc_facet_of_block(&tree->spans[SC_FAMILY_BLOCKS * family], tree->pool, 0);
}

uint32_t sc_octree_facets(const sc_octree *tree, int level, uint32_t index,
                          uint32_t facet[SC_FAMILY])
{
    uint32_t count = 0;
    if (level < 0) {
        return sc_leaf_list(opened_leaf(tree, index), facet);
    }
    if (level == 0) {
        return facets_of_cluster(tree, index, facet);
    }
    size_t end, first = sc_family_spans(tree, index, &end);
    for (; first < end; first++) {
        const sc_block_span *block = &tree->spans[first];
        for (uint32_t i = 0; i < block->count; i++) {
            facet[count++] = sc_facet_of_block(block, tree->pool, i);
        }
    }
    return count;
}

static bool was_opened(const sc_octree *tree, size_t family)
{
    return atomic_load_explicit(&tree->families[family], memory_order_relaxed) != NULL ||
           (tree->opened_before && tree->opened_before[family]);
}

size_t sc_octree_opened(const sc_octree *tree)
{
    size_t opened = 0;
    for (size_t i = 0; tree->levels > 0 && i < tree->count[1]; i++) {
        if (was_opened(tree, i)) {
            size_t end, first = sc_family_spans(tree, i, &end);
            opened += end - first;
        }
    }
    return opened;
}

void sc_octree_forget(sc_octree *tree, size_t least)
{
    const size_t families = tree->levels > 0 ? tree->count[1] : 0;

    if (sc_arena_size(&tree->opened) < least) {
        return;
    }
    bool *opened = sc_calloc(families, sizeof *opened);
    if (!opened) {
        return; /* it can as well be kept */
    }
    for (size_t i = 0; i < families; i++) {
        opened[i] = was_opened(tree, i);
        atomic_init(&tree->families[i], NULL);
    }
    sc_free(tree->opened_before);
    tree->opened_before = opened;
    sc_arena_free(&tree->opened);
    sc_free(tree->room);
    tree->room = NULL;
    atomic_init(&tree->normals, NULL);
    atomic_init(&tree->left, 0);
    atomic_init(&tree->opened_later, 0);
}

void sc_octree_free(sc_octree *tree)
{
    sc_arena_free(&tree->opened);
    sc_free(tree->room);
    for (int level = 0; level < SC_LEVELS; level++) {
        sc_free(tree->octets[level]);
    }
    sc_free(tree->families);
    sc_free(tree->opened_before);
    sc_free(tree->spans);
    sc_free(tree->pool);
    *tree = (sc_octree){.levels = 0};
}
