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
    sc_crew_items(sc_judging_crew(s, nanoseconds, 0), 2, work, &l);
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

/* No facet of the part comes into the box of the other, and from there a way leads out through its
 * surface just once. So a single shell of it winds around all of the other, and once; one that was
 * inside out, or had that shell in it, would wind around the other as well. */
stlclash_code sc_held_all_around(state *s, int part, bool *around)
{
    const sc_part *own = s->q->part[part], *other = s->q->part[1 - part];
    sc_vec3 v[3];
    int exits;

    *around = false;
    if (!sc_box_inside(&other->used_bounds, &own->used_bounds) ||
        !sc_part_misses(own, &other->used_bounds)) {
        return STLCLASH_OK;
    }
    sc_solid_facet(&s->solid[1 - part], 0, v);
    if (!sc_solid_exits(&s->solid[part], v[0], &exits)) {
        return sc_error_memory(s->error);
    }
    *around = exits == 1 && sc_health_is_balanced(own->mesh);
    return STLCLASH_OK;
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
                                       .in_is_closed = sc_judging_part_closed(s, i),
                                       .poll = s->q->poll};
        code = sc_surround_find(&request, perhaps) ? STLCLASH_OK : sc_error_memory(s->error);
    }
    return code;
}
