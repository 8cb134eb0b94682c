/* gap_patches.c - see gap_patches.h. */
#include "gap_patches.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "geom/box.h"
#include "pair.h"

#include <string.h>

/* ---- facets of a leaf --------------------------------------------------------- */

typedef struct naming {
    const sc_gap_facets *facets;
    const sc_gap_leaf *name;
} naming;

/* The place of the facet that stands for its leaf. */
static uint32_t leaf_of(const void *context, uint32_t facet)
{
    const naming *l = context;
    const uint32_t name = l->name[l->facets->facet[facet]];
    return name == 0 ? facet : sc_gap_place(l->facets, name - 1);
}

static bool share_vertex(const sc_gap_facets *f, uint32_t one, uint32_t other)
{
    bool shared = false;
    for (int i = 0; i < 9 && !shared; i++) {
        shared = f->vertex[one][i / 3] == f->vertex[other][i % 3];
    }
    return shared;
}

/* parent: sets of facets that grow together. */
static void join_leaf(const sc_gap_facets *f, const uint32_t *facet, uint32_t count,
                      uint32_t *parent)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (sc_union_root(parent, facet[i]) != sc_union_root(parent, facet[j]) &&
                share_vertex(f, facet[i], facet[j])) {
                sc_union_join(parent, facet[i], facet[j]);
            }
        }
    }
}

/* Numbers patches, leaf by leaf. False if memory or time ran out. */
static bool number_patches(const sc_gap_facets *f, const sc_gap_leaf *name, sc_watch *watch,
                           sc_gap_patches *p)
{
    const naming l = {f, name};
    uint32_t *parent = sc_union_make(f->count);
    sc_groups in_leaf;
    bool good = sc_groups_make(f->count, f->count, leaf_of, &l, &in_leaf) && parent;

    for (uint32_t i = 0; i < f->count && good; i++) {
        const uint32_t *facet = &in_leaf.items[in_leaf.from[i]];
        const uint32_t count = in_leaf.from[i + 1] - in_leaf.from[i];
        p->from_leaf[i] = p->count;
        join_leaf(f, facet, count, parent);
        for (uint32_t k = 0; k < count; k++) { /* the root comes first */
            const uint32_t root = sc_union_root(parent, facet[k]);
            p->of[facet[k]] = root == facet[k] ? p->count++ : p->of[root];
        }
        good = !sc_watch_ends(watch, i);
    }
    p->from_leaf[f->count] = p->count;
    sc_free(parent);
    sc_groups_free(&in_leaf);
    return good;
}

/* ---- patches -------------------------------------------------------------------- */

static uint32_t patch_of(const void *patches, uint32_t facet)
{
    return ((const sc_gap_patches *)patches)->of[facet];
}

static sc_gap_sphere sphere_around(const sc_gap_facets *f, const uint32_t *facet, uint32_t count)
{
    sc_box box = sc_box_empty();
    double radius = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sc_box_add_point(&box, f->sphere[facet[i]].centre);
    }
    const sc_vec3 centre = sc_box_centre(&box);
    for (uint32_t i = 0; i < count; i++) {
        const sc_gap_sphere *s = &f->sphere[facet[i]];
        radius = sc_max(radius, sc_length(sc_sub(s->centre, centre)) + s->radius);
    }
    return (sc_gap_sphere){centre, radius};
}

/* Vertices that several patches have. NULL if memory ran out. */
static bool *find_shared(const sc_gap_facets *f, const sc_gap_patches *p)
{
    uint32_t *owner = sc_calloc(f->vertices, sizeof *owner); /* the first patch, + 1 */
    bool *shared = sc_calloc(f->vertices, sizeof *shared);
    for (uint32_t i = 0; i < f->count && owner && shared; i++) {
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = f->vertex[i][k];
            shared[vertex] =
                shared[vertex] || (owner[vertex] != 0 && owner[vertex] != p->of[i] + 1);
            owner[vertex] = p->of[i] + 1;
        }
    }
    sc_free(owner);
    if (!owner) {
        sc_free(shared);
        return NULL;
    }
    return shared;
}

static bool is_among(const uint32_t *list, uint32_t count, uint32_t number)
{
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++) {
        found = list[i] == number;
    }
    return found;
}

/* False if memory ran out. */
static bool find_rims(const sc_gap_facets *f, sc_gap_patches *p)
{
    bool *shared = find_shared(f, p);
    uint32_t count = 0;

    p->from_rim = sc_alloc((size_t)p->count + 1, sizeof *p->from_rim);
    p->rim = sc_alloc(3 * (size_t)f->count, sizeof *p->rim);
    const bool good = shared && p->from_rim && p->rim;
    for (uint32_t i = 0; i < p->count && good; i++) {
        p->from_rim[i] = count;
        for (uint32_t at = p->facets.from[i]; at < p->facets.from[i + 1]; at++) {
            for (int k = 0; k < 3; k++) {
                const uint32_t vertex = f->vertex[p->facets.items[at]][k], from = p->from_rim[i];
                if (shared[vertex] && !is_among(&p->rim[from], count - from, vertex)) {
                    p->rim[count++] = vertex;
                }
            }
        }
    }
    if (good) {
        p->from_rim[p->count] = count;
    }
    sc_free(shared);
    return good;
}

/* False if memory ran out. */
static bool make_spheres(const sc_gap_facets *f, sc_gap_patches *p)
{
    p->sphere = sc_alloc(p->count, sizeof *p->sphere);
    for (uint32_t i = 0; i < p->count && p->sphere; i++) {
        const uint32_t from = p->facets.from[i];
        p->sphere[i] = sphere_around(f, &p->facets.items[from], p->facets.from[i + 1] - from);
    }
    return p->sphere != NULL;
}

bool sc_gap_patches_make(const sc_gap_facets *f, const sc_gap_leaf *leaf, sc_watch *watch,
                         sc_gap_patches *p)
{
    *p = (sc_gap_patches){.of = sc_alloc(f->count, sizeof *p->of),
                          .from_leaf = sc_alloc((size_t)f->count + 1, sizeof *p->from_leaf)};
    return p->of && p->from_leaf && number_patches(f, leaf, watch, p) &&
           sc_groups_make(f->count, p->count, patch_of, p, &p->facets) && make_spheres(f, p) &&
           find_rims(f, p);
}

void sc_gap_patches_free(sc_gap_patches *p)
{
    sc_free(p->of);
    sc_groups_free(&p->facets);
    sc_free(p->sphere);
    sc_free(p->from_rim);
    sc_free(p->rim);
    sc_free(p->from_leaf);
    *p = (sc_gap_patches){.count = 0};
}

/* ---- pairs of them ----------------------------------------------------------------- */

/* The patches of the leaf of either part in a pair: from, to. */
static void range_of(const sc_gap_patches patches[2], uint64_t leaves, uint32_t a[2], uint32_t b[2])
{
    memcpy(a, &patches[0].from_leaf[sc_pair_facet(leaves, 0)], 2 * sizeof *a);
    memcpy(b, &patches[1].from_leaf[sc_pair_facet(leaves, 1)], 2 * sizeof *b);
}

static size_t count_blocks(const sc_gap_patches patches[2], const sc_pair_list *leaves)
{
    size_t count = 0;
    for (size_t i = 0; i < leaves->count; i++) {
        uint32_t a[2], b[2];
        range_of(patches, leaves->pairs[i], a, b);
        count += (size_t)(a[1] - a[0]) * (b[1] - b[0]);
    }
    return count;
}

bool sc_gap_blocks_make(const sc_gap_patches patches[2], const sc_pair_list *leaves, size_t most,
                        sc_watch *watch, sc_pair_list *blocks, bool *complete)
{
    const size_t count = count_blocks(patches, leaves);

    *complete = count <= most;
    *blocks = (sc_pair_list){.pairs = *complete ? sc_alloc(count, sizeof *blocks->pairs) : NULL,
                             .capacity = count};
    for (size_t i = 0; i < leaves->count && blocks->pairs; i++) {
        uint32_t a[2], b[2];
        range_of(patches, leaves->pairs[i], a, b);
        for (uint32_t p = a[0]; p < a[1]; p++) {
            for (uint32_t q = b[0]; q < b[1]; q++) {
                blocks->pairs[blocks->count++] = sc_pair(p, q);
            }
        }
    }
    return !*complete || (blocks->pairs && sc_pairs_sort(blocks, watch));
}
