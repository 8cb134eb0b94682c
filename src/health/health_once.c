/* health_once.c - see health_once.h. */
#include "health_once.h"

#include "base/alloc.h"
#include "health_boundary.h"

#include <pthread.h>
#include <stdatomic.h>

/* What a verdict needs, and the whole judgement: two answers, for their warnings differ. */
enum { ANSWERS = 2 };

struct sc_health_once {
    pthread_mutex_t lock;
    bool known[ANSWERS], boundary_known, balanced;
    sc_health health[ANSWERS];
};

sc_health_once *sc_health_once_make(void)
{
    sc_health_once *once = sc_calloc(1, sizeof *once);
    if (once) {
        pthread_mutex_init(&once->lock, NULL); /* a plain mutex needs nothing that can fail */
    }
    return once;
}

void sc_health_once_free(sc_health_once *once)
{
    if (once) {
        for (int i = 0; i < ANSWERS; i++) {
            sc_health_free(&once->health[i]);
        }
        pthread_mutex_destroy(&once->lock);
        sc_free(once);
    }
}

stlclash_code sc_health_get(const stlclash_mesh *mesh, bool full, const sc_health **health,
                            stlclash_error *error)
{
    sc_health_once *once = mesh->health;
    stlclash_code code = STLCLASH_OK;

    pthread_mutex_lock(&once->lock);
    if (!once->known[full]) {
        code = sc_health_judge(mesh, full, &once->health[full], error);
        once->known[full] = code == STLCLASH_OK;
    }
    pthread_mutex_unlock(&once->lock);
    *health = &once->health[full];
    return code;
}

bool sc_health_is_balanced(const stlclash_mesh *mesh)
{
    sc_health_once *once = mesh->health;

    pthread_mutex_lock(&once->lock);
    if (!once->boundary_known) {
        once->balanced = sc_boundary_vanishes(mesh);
        once->boundary_known = true;
    }
    bool balanced = once->balanced;
    pthread_mutex_unlock(&once->lock);
    return balanced;
}

typedef struct both {
    const stlclash_mesh *const *mesh;
    atomic_bool open;
} both;

static void look_at_one(void *context, int i)
{
    both *b = context;
    if (!atomic_load(&b->open) && !sc_health_is_balanced(b->mesh[i])) {
        atomic_store(&b->open, true);
    }
}

bool sc_health_both_balanced(const stlclash_mesh *const mesh[2], sc_crew *crew)
{
    both b = {.mesh = mesh};
    sc_crew_items(crew, 2, look_at_one, &b);
    return !b.open;
}
