/* erosion_apart.c - see erosion_apart.h. */
#include "erosion_apart.h"

#include "base/alloc.h"
#include "eroded_outside.h"
#include "geom/tri_intersect.h"
#include "stretches.h"

/* All pieces that are held against the other part. */
typedef struct holding {
    const sc_erosion *eroded;
    sc_box near;                       /* about the other part */
    sc_eroded_pairs met[SC_STRETCHES]; /* of each stretch */
    size_t capacity[SC_STRETCHES];
    bool lists; /* pairs that meet; else the first one tells */
    atomic_bool meets, failed;
} holding;

/* One of them. */
typedef struct held {
    sc_vec3 v[3];
    uint32_t facet;
    holding *all;
    int stretch;
    bool told; /* enough of its stretch */
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

static bool is_missed(void *context, uint32_t facet, const sc_vec3 v[3])
{
    held *h = context;
    if (sc_tri_meet(h->v, v) == SC_APART) {
        return true;
    }
    atomic_store_explicit(&h->all->meets, true, memory_order_relaxed);
    h->told = !h->all->lists || !add_pair(h->all, h->stretch, h->facet, facet);
    return !h->told;
}

static void hold(void *context, sc_stretch *stretch)
{
    holding *all = context;
    held h = {.all = all, .stretch = stretch->number, .told = false};
    for (uint32_t p = stretch->first; p < stretch->end && !h.told && sc_stretch_goes_on(stretch);
         p++) {
        sc_erosion_vertices(all->eroded, p, h.v);
        h.facet = sc_erosion_facet(all->eroded, p);
        const sc_box box = sc_box_of_points(h.v, 3);
        const sc_walk walk = {.within = box, .facet = is_missed, .context = &h};
        if (sc_boxes_meet(&box, &all->near)) {
            sc_surface_walk(&stretch->other, &walk);
        }
    }
    if (h.told && !all->lists) {
        sc_stretch_end_all(stretch);
    }
}

/* In the order of pieces. */
static void put_together(const holding *all, sc_eroded_pairs *met)
{
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
    holding all = {.eroded = eroded, .near = sc_erosion_box(proof, 1 - i), .lists = met != NULL};
    for (int k = 0; k < SC_STRETCHES && met; k++) {
        all.met[k].most = met->most - met->count;
    }
    const bool looked = sc_stretches_look(proof, 1 - i, eroded->pieces, hold, &all);
    *clear = !atomic_load(&all.meets) && sc_poll_goes_on(&proof->poll);
    if (met) {
        put_together(&all, met);
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
