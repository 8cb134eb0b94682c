/* stretches.c - see stretches.h. */
#include "stretches.h"

typedef struct looking {
    const sc_erosion_proof *proof;
    int other;
    uint32_t count;
    void (*look)(void *context, sc_stretch *stretch);
    void *context;
    atomic_bool over, spent, failed;
} looking;

void sc_stretch_end_all(sc_stretch *stretch)
{
    atomic_store_explicit(stretch->over, true, memory_order_relaxed);
}

/* The first stretch is the caller's: whoever is polled is to be asked by that thread. */
static bool has_time(const sc_stretch *s)
{
    return s->number == 0 ? sc_poll_goes_on(&s->proof->poll) : !sc_watch_is_over(s->proof->watch);
}

bool sc_stretch_goes_on(sc_stretch *stretch)
{
    enum { LOOKS_A_POLL = 64, FACETS_A_LOOK = 64, LOOKS_AT_LEAST = 64 };
    const uint64_t looks = LOOKS_AT_LEAST + (uint64_t)stretch->looks;
    stretch->spent = stretch->spent || stretch->other.visited > FACETS_A_LOOK * looks;
    if (stretch->looks++ % LOOKS_A_POLL == 0 && !has_time(stretch)) {
        sc_stretch_end_all(stretch);
    }
    return !stretch->spent && !atomic_load_explicit(stretch->over, memory_order_relaxed);
}

static void look_along(void *context, int number)
{
    looking *l = context;
    const uint64_t count = l->count, at = (uint64_t)number;
    sc_stretch stretch = {.proof = l->proof,
                          .other = sc_erosion_surface(l->proof, l->other),
                          .number = number,
                          .first = (uint32_t)(count * at / SC_STRETCHES),
                          .end = (uint32_t)(count * (at + 1) / SC_STRETCHES),
                          .over = &l->over};
    l->look(l->context, &stretch);
    if (stretch.spent) {
        atomic_store(&l->spent, true);
    }
    if (stretch.other.failed) {
        atomic_store(&l->failed, true);
    }
}

bool sc_stretches_look(const sc_erosion_proof *proof, int i, uint32_t count,
                       void (*look)(void *context, sc_stretch *stretch), void *context, bool *all)
{
    enum { NS_LOOK = 500 };
    looking l = {.proof = proof, .other = i, .count = count, .look = look, .context = context};
    sc_crew_items(sc_crew_for(proof->crew, (uint64_t)NS_LOOK * count), SC_STRETCHES, look_along,
                  &l);
    *all = !atomic_load(&l.over) && !atomic_load(&l.spent);
    return !atomic_load(&l.failed);
}
