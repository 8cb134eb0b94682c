/* judge_held.c - see judge_held.h. */
#include "judge_held.h"

#include "base/error.h"
#include "open/surround.h"
#include "solids/apart.h"

#include <stdatomic.h>

typedef sc_judging state;

/* Something looked for from either part, by as many threads as there are. */
typedef struct look {
    state *s;
    atomic_bool found, failed;
} look;

static stlclash_code look_from_both(state *s, uint64_t nanoseconds,
                                    void (*work)(void *look, int part), bool *found)
{
    look l = {.s = s};
    sc_crew_items(sc_judging_crew(s, nanoseconds), 2, work, &l);
    *found = l.found;
    return l.failed ? sc_error_memory(s->error) : STLCLASH_OK;
}

/* Whether a part may hold something of the other, as far as little work tells. */
static void look_for_ways_out(void *context, int part)
{
    look *l = context;
    const sc_case *q = l->s->q;
    bool apart = false;
    if (atomic_load(&l->found)) {
        return;
    }
    if (!sc_apart_find(q->part[1 - part], q->part[part], &q->frame, &apart)) {
        atomic_store(&l->failed, true);
    }
    if (!apart) {
        atomic_store(&l->found, true);
    }
}

stlclash_code sc_held_plainly_not(state *s, bool *nothing)
{
    bool in_doubt;
    stlclash_code code = look_from_both(s, SC_NS_LOOK, look_for_ways_out, &in_doubt);
    *nothing = code == STLCLASH_OK && !in_doubt && sc_judging_balanced(s);
    return code;
}

stlclash_code sc_held_plainly(state *s, bool *held)
{
    *held = false;
    for (int i = 0; i < 2 && !*held; i++) {
        if (!sc_windings_some_inside(&s->solid[i], &s->solid[1 - i], held)) {
            return sc_error_memory(s->error);
        }
    }
    return STLCLASH_OK;
}

static void look_inside(void *context, int part)
{
    look *l = context;
    bool contained = atomic_load(&l->found); /* then that settles it */
    if (!contained &&
        !sc_windings_contained(&l->s->solid[part], &l->s->solid[1 - part], &contained)) {
        atomic_store(&l->failed, true);
    }
    if (contained) {
        atomic_store(&l->found, true);
    }
}

stlclash_code sc_held(state *s, bool *held)
{
    stlclash_code code = sc_held_plainly(s, held);
    return code != STLCLASH_OK || *held ? code : look_from_both(s, SC_NS_JOIN, look_inside, held);
}

stlclash_code sc_held_perhaps(state *s, bool *perhaps)
{
    stlclash_code code = STLCLASH_OK;

    *perhaps = false;
    if (sc_parts_are_divided(s->q->part[0], s->q->part[1])) {
        return code; /* what lies on either side of a plane holds nothing of the other */
    }
    for (int i = 0; i < 2 && code == STLCLASH_OK && !*perhaps; i++) {
        sc_surround_request request = {.in = &s->solid[i],
                                       .of = &s->solid[1 - i],
                                       .hits = s->q->hits,
                                       .hit_count = s->q->hit_count,
                                       .in_is_closed = s->j->health[i]->closed,
                                       .poll = s->q->poll};
        code = sc_surround_find(&request, perhaps) ? STLCLASH_OK : sc_error_memory(s->error);
    }
    return code;
}
