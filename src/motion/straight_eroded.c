/* straight_eroded.c - see straight.h. */
#include "base/error.h"
#include "erosion/erosion_proof.h"
#include "health/health_once.h"
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
    sc_sweep_free(&sweep);
    return w->code == STLCLASH_OK;
}

static stlclash_code make_solid(const sc_straight *s, int i, const sc_frame *frame, sc_solid *solid)
{
    const sc_health *health;
    stlclash_code code = sc_health_get(s->part[i].mesh, false, &health, s->run->error);
    if (code == STLCLASH_OK) {
        code = sc_solid_make(&s->part[i], i == 0 ? SC_ROLE_A : SC_ROLE_B, frame, NULL, solid,
                             s->run->error);
        solid->orientation = health->orientation;
    }
    return code;
}

stlclash_code sc_straight_find_erosion(const sc_straight *s, bool *shallow)
{
    const sc_frame frame = sc_frame_make(&s->part[0].used_bounds, &s->part[1].used_bounds);
    way w = {.s = s, .code = STLCLASH_OK};
    sc_solid solid[2];
    int made = 0;
    while (made < 2 && w.code == STLCLASH_OK) {
        w.code = make_solid(s, made, &frame, &solid[made]);
        made += w.code == STLCLASH_OK;
    }
    const sc_erosion_proof proof = {.solid = {&solid[0], &solid[1]},
                                    .way = s->sweep.d,
                                    .limit = sc_straight_most_yield(s),
                                    .watch = &s->run->watch,
                                    .poll = sc_motion_poll(s->run),
                                    .clear = keeps_clear,
                                    .context = &w};
    *shallow = false;
    if (made == 2 && !sc_erosion_proves(&proof, shallow) && w.code == STLCLASH_OK) {
        w.code = sc_error_memory(s->run->error);
    }
    while (made > 0) {
        sc_solid_free(&solid[--made]);
    }
    return w.code;
}
