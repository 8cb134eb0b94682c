/* straight_eroded.c - see straight.h. */
#include "base/error.h"
#include "erosion/erosion_proof.h"
#include "straight.h"

typedef struct way {
    const sc_straight *s;
    stlclash_code code;
} way;

/* Whether the surfaces have no point in common all the way, if part i is eroded so. */
static bool keeps_clear(void *context, int i, const sc_erosion *eroded, sc_eroded_pairs *met,
                        bool *clear)
{
    way *w = context;
    sc_sweep sweep = w->s->sweep;
    sweep.eroded[i] = eroded;
    sweep.contact.found = sweep.crossing.found = false;
    sweep.keep_crossings = met != NULL;
    w->code = sc_sweep_meetings(&sweep, w->s->run->error);
    *clear = w->code == STLCLASH_OK && !sweep.stopped && !sweep.contact.found;
    for (size_t k = 0; met && k < sweep.crossing_count; k++) {
        const uint32_t *triangle = sweep.crossings[k].triangle;
        sc_eroded_pairs_add(met, triangle[i], triangle[1 - i]);
    }
    if (met) {
        met->complete = met->count < met->most;
    }
    sc_sweep_free(&sweep);
    return w->code == STLCLASH_OK;
}

stlclash_code sc_straight_find_erosion(const sc_straight *s, bool *shallow)
{
    const sc_part *part[2] = {&s->part[0], &s->part[1]};
    way w = {.s = s};
    sc_solid solid[2];
    *shallow = false;
    w.code = sc_motion_make_solids(s->run, part, solid);
    if (w.code != STLCLASH_OK) {
        return w.code;
    }
    const sc_erosion_proof proof = {.solid = {&solid[0], &solid[1]},
                                    .way = s->sweep.d,
                                    .limit = sc_straight_most_yield(s),
                                    .watch = &s->run->watch,
                                    .poll = sc_motion_poll(s->run),
                                    .clear = keeps_clear,
                                    .context = &w};
    if (!sc_erosion_proves(&proof, shallow) && w.code == STLCLASH_OK) {
        w.code = sc_error_memory(s->run->error);
    }
    sc_motion_free_solids(solid);
    return w.code;
}
