/* erosion_apart.c - see erosion_apart.h. */
#include "erosion_apart.h"

#include "base/alloc.h"
#include "eroded_outside.h"
#include "geom/tri_intersect.h"
#include "stretches.h"

/* All facets that are held against the other part. */
typedef struct holding {
    const sc_erosion *eroded;
    sc_box near;                       /* about the other part */
    const sc_eroded_pairs *known;      /* of facets that were not displaced since; or NULL */
    sc_eroded_pairs met[SC_STRETCHES]; /* of each stretch */
    size_t capacity[SC_STRETCHES];
    bool lists; /* pairs that meet; else the first one tells */
    atomic_bool meets, failed;
} holding;

/* A piece of one of them. */
typedef struct held {
    sc_vec3 v[3];
    uint32_t facet;
    holding *all;
    sc_stretch *stretch;
    size_t known; /* pairs that are, up to the facet */
    bool told;    /* enough of its stretch */
} held;

/* False if there are to be no more of a stretch, or memory ran out. */
static bool add_pair(holding *all, int stretch, uint32_t facet, uint32_t other)
{
    sc_eroded_pairs *met = &all->met[stretch];
    if (!sc_make_room(&met->facet, &all->capacity[stretch], met->count + 1, sizeof *met->facet)) {
        atomic_store(&all->failed, true);
        return false;
    }
    sc_eroded_pairs_add(met, facet, other);
    return met->count < met->most;
}

static void meet(held *h, uint32_t other)
{
    atomic_store_explicit(&h->all->meets, true, memory_order_relaxed);
    h->told = !h->all->lists || !add_pair(h->all, h->stretch->number, h->facet, other);
}

static bool is_missed(void *context, uint32_t facet, const sc_vec3 v[3])
{
    held *h = context;
    if (sc_tri_meet(h->v, v) != SC_APART) {
        meet(h, facet);
    }
    return !h->told;
}

static void hold_piece(held *h, uint32_t piece)
{
    sc_erosion_vertices(h->all->eroded, piece, h->v);
    const sc_box box = sc_box_of_points(h->v, 3);
    const sc_walk walk = {.within = box, .facet = is_missed, .context = h};
    if (sc_boxes_meet(&box, &h->all->near)) {
        sc_surface_walk(&h->stretch->other, &walk);
    }
}

static bool is_displaced(const holding *all, uint32_t first, uint32_t pieces)
{
    const uint32_t *fan = &all->eroded->fan[3 * (size_t)first];
    bool displaced = false;
    for (size_t k = 0; k < 3 * (size_t)pieces; k++) {
        displaced = displaced || all->known->displaced[fan[k]];
    }
    return displaced;
}

/* Of a facet that was not displaced. */
static void take_known(held *h)
{
    const sc_eroded_pairs *known = h->all->known;
    while (h->known < known->count && known->facet[h->known][0] < h->facet) {
        h->known++;
    }
    for (; h->known < known->count && known->facet[h->known][0] == h->facet && !h->told;
         h->known++) {
        meet(h, known->facet[h->known][1]);
    }
}

static void hold(void *context, sc_stretch *stretch)
{
    holding *all = context;
    const bool *near = all->eroded->near;
    held h = {.all = all, .stretch = stretch};
    for (h.facet = stretch->first; h.facet < stretch->end && !h.told && sc_stretch_goes_on(stretch);
         h.facet++) {
        if (near && !near[h.facet]) {
            continue; /* nor does it come near */
        }
        uint32_t first, pieces = sc_erosion_pieces(all->eroded, h.facet, &first);
        if (all->known && !is_displaced(all, first, pieces)) {
            take_known(&h);
            continue;
        }
        for (uint32_t p = first; p < first + pieces && !h.told; p++) {
            hold_piece(&h, p);
        }
    }
    if (h.told && !all->lists) {
        sc_stretch_end_all(stretch);
    }
}

/* In the order of facets. */
static void put_together(const holding *all, sc_eroded_pairs *met)
{
    met->count = 0;
    for (int i = 0; i < SC_STRETCHES; i++) {
        const sc_eroded_pairs *part = &all->met[i];
        for (size_t k = 0; k < part->count; k++) {
            sc_eroded_pairs_add(met, part->facet[k][0], part->facet[k][1]);
        }
    }
}

/* Whether the surface of part i, eroded, has no point in common with that of the other; false too
 * where time ran out. */
static bool keeps_clear(const sc_erosion_proof *proof, const sc_erosion *eroded, int i,
                        sc_eroded_pairs *met, bool *clear)
{
    const uint32_t facets = eroded->part->mesh->file.facets.count;
    holding all = {.eroded = eroded,
                   .near = sc_erosion_box(proof, 1 - i),
                   .known = met && met->displaced ? met : NULL,
                   .lists = met != NULL};
    for (int k = 0; k < SC_STRETCHES && met; k++) {
        all.met[k].most = met->most;
    }
    bool looked_at_all;
    const bool looked = sc_stretches_look(proof, 1 - i, facets, hold, &all, &looked_at_all);
    *clear = looked_at_all && !atomic_load(&all.meets);
    if (met) {
        put_together(&all, met);
        met->complete = looked_at_all && met->count < met->most;
    }
    for (int k = 0; k < SC_STRETCHES; k++) {
        sc_free(all.met[k].facet);
    }
    return looked && !atomic_load(&all.failed);
}

static bool is_clear(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                     sc_eroded_pairs *met, bool *clear)
{
    if (proof->clear) {
        if (met) {
            met->count = 0;
        }
        return proof->clear(proof->context, i, eroded, met, clear);
    }
    return keeps_clear(proof, eroded, i, met, clear);
}

bool sc_erosion_is_apart(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         sc_eroded_pairs *met, bool *apart)
{
    bool clear;
    *apart = false;
    return is_clear(proof, i, eroded, met, &clear) &&
           (!clear || sc_eroded_outside(proof->solid, i, eroded, &proof->poll, apart));
}
