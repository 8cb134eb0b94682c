/* erosion_apart.c - see erosion_apart.h. */
#include "erosion_apart.h"

#include "eroded_outside.h"
#include "geom/tri_intersect.h"

/* A piece of an eroded facet, held against the other part. */
typedef struct held {
    sc_vec3 v[3];
    uint32_t facet;
    sc_eroded_pairs *met; /* or NULL: the first one that it meets tells */
    bool meets;
} held;

/* Whether more pairs are wanted. */
static bool wants_more(const held *h)
{
    return h->met ? h->met->count < h->met->most : !h->meets;
}

static bool is_missed(void *context, uint32_t facet, const sc_vec3 v[3])
{
    held *h = context;
    if (sc_tri_meet(h->v, v) == SC_APART) {
        return true;
    }
    h->meets = true;
    if (h->met) {
        sc_eroded_pairs_add(h->met, h->facet, facet);
    }
    return wants_more(h);
}

/* Whether the surface of a part, eroded, has no point in common with that of the other. */
static bool keeps_clear(const sc_erosion_proof *proof, const sc_erosion *eroded, int i,
                        sc_eroded_pairs *met, sc_surface *other)
{
    const sc_box near = sc_erosion_box(proof, 1 - i);
    held h = {.met = met, .meets = false};
    for (uint32_t p = 0; p < eroded->pieces && wants_more(&h); p++) {
        if (p % SC_ERODED_A_POLL == 0 && !sc_poll_goes_on(&proof->poll)) {
            return false;
        }
        sc_erosion_vertices(eroded, p, h.v);
        h.facet = sc_erosion_facet(eroded, p);
        const sc_box box = sc_box_of_points(h.v, 3);
        const sc_walk walk = {.within = box, .facet = is_missed, .context = &h};
        if (sc_boxes_meet(&box, &near)) {
            sc_surface_walk(other, &walk);
        }
    }
    return !h.meets;
}

static bool is_clear(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                     sc_eroded_pairs *met, bool *clear)
{
    if (proof->clear) {
        return proof->clear(proof->context, i, eroded, met, clear);
    }
    sc_surface other = sc_erosion_surface(proof, 1 - i);
    *clear = keeps_clear(proof, eroded, i, met, &other);
    return !other.failed;
}

bool sc_erosion_is_apart(const sc_erosion_proof *proof, int i, const sc_erosion *eroded,
                         sc_eroded_pairs *met, bool *apart)
{
    bool clear;
    *apart = false;
    return is_clear(proof, i, eroded, met, &clear) &&
           (!clear || sc_eroded_outside(proof->solid, i, eroded, &proof->poll, apart));
}
