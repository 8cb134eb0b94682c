/* facing.c - see facing.h. What lies along a facet is within a prism to both sides of it, as high
 * as the tolerances: where facets are small beside those, few of the many about it are. */
#include "facing.h"

#include "base/alloc.h"
#include "pair.h"
#include "solids/surface.h"

#include <stdatomic.h>
#include <stdlib.h>

/* More than what lies over a facet may lie beside its prism: they are tilted against each other by
 * half of what flush facets may be, to either side of their mean. */
static const double most_beside = 0.06;

/* So many facets that threads pay off. */
enum { STRETCH = 1024 };

/* Facets that may be looked at in all: some seconds. How many would be does not depend on who looks
 * at them when. */
static const uint64_t budget = 50000000;

/* What a stretch of the facets of solid[0] faces. */
typedef struct share {
    uint64_t *pairs;
    size_t count, capacity;
    bool failed;
} share;

typedef struct search {
    sc_solid *const *solid;
    const sc_flush *flush;
    double margin; /* of computed places */
    share *shares;
    atomic_ullong visited; /* facets looked at so far */
} search;

/* One facet of solid[0]. */
typedef struct look {
    const search *s;
    share *to;
    uint32_t facet;
    sc_vec3 v[3];
} look;

static bool note_facing(void *context, uint32_t facet, const sc_vec3 v[3])
{
    look *l = context;
    share *to = l->to;
    bool opposed;
    if (sc_tri_flush_area(l->v, v, l->s->flush, &opposed) > 0.0) {
        if (!sc_make_room(&to->pairs, &to->capacity, to->count + 1, sizeof *to->pairs)) {
            to->failed = true;
            return false;
        }
        to->pairs[to->count++] = sc_pair(l->facet, facet);
    }
    return true;
}

/* Down to what lies in the prism, and not beyond its top. */
static void look_from(look *l, sc_surface *surface)
{
    const sc_box *bounds = &surface->solid->part->used_bounds;
    const double reach = sc_flush_reach(l->s->flush);
    const sc_vec3 normal = sc_area_twice(l->v);
    const double length = sc_length(normal), beside = most_beside * reach + l->s->margin;
    const sc_vec3 up = sc_scale(normal, 1.0 / length);
    sc_walk walk = {.within = sc_box_empty(),
                    .way = sc_scale(up, 1.0 - 0x1p-40),
                    .most = -INFINITY,
                    .facet = note_facing,
                    .context = l};

    if (!(length > 0.0)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        const sc_vec3 top = sc_mul_add(l->v[k], reach, up);
        sc_box_add_point(&walk.within, top);
        sc_box_add_point(&walk.within, sc_mul_add(l->v[k], -reach, up));
        walk.most = sc_max(walk.most, sc_dot(walk.way, top) + beside);
    }
    walk.within = sc_box_grown(&walk.within, beside);
    if (sc_boxes_meet(&walk.within, bounds)) {
        walk.within = sc_boxes_common(&walk.within, bounds);
        l->to->failed = !sc_surface_walk(surface, &walk) || l->to->failed;
    }
}

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void look_at_stretch(void *context, int number)
{
    search *s = context;
    const uint32_t all = s->solid[0]->part->mesh->file.facets.count;
    const uint32_t first = (uint32_t)number * STRETCH;
    sc_surface surface = {.solid = s->solid[1], .margin = s->margin};
    look l = {.s = s, .to = &s->shares[number]};

    for (l.facet = first; l.facet < all && l.facet - first < STRETCH; l.facet++) {
        const uint64_t before = surface.visited;
        if (sc_watch_is_over(s->solid[0]->watch)) {
            return;
        }
        sc_solid_facet(s->solid[0], l.facet, l.v);
        look_from(&l, &surface);
        const uint64_t here = surface.visited - before;
        if (here > 0 && atomic_fetch_add(&s->visited, here) + here > budget) {
            return;
        }
    }
    if (l.to->count > 1) { /* the walk comes to them in any order */
        qsort(l.to->pairs, l.to->count, sizeof *l.to->pairs, by_number);
    }
}

static bool put_together(const share *shares, size_t count, sc_facing *facing)
{
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        all += shares[i].count;
        if (shares[i].failed) {
            return false;
        }
    }
    facing->pairs = sc_alloc(all, sizeof *facing->pairs);
    for (size_t i = 0; i < count && facing->pairs; i++) {
        for (size_t k = 0; k < shares[i].count; k++) {
            facing->pairs[facing->count++] = shares[i].pairs[k];
        }
    }
    return facing->pairs != NULL;
}

bool sc_facing_find(sc_solid *const solid[2], const sc_flush *flush, sc_crew *crew,
                    sc_facing *facing)
{
    const uint32_t facets = solid[0]->part->mesh->file.facets.count;
    const size_t stretches = facets / STRETCH + 1;
    search s = {.solid = solid,
                .flush = flush,
                .margin = sc_surface_margin(solid[0]->part, solid[1]->part),
                .shares = sc_calloc(stretches, sizeof *s.shares)};

    *facing = (sc_facing){.pairs = NULL};
    if (!s.shares) {
        return false;
    }
    sc_crew_items(crew, (int)stretches, look_at_stretch, &s);
    bool good = put_together(s.shares, stretches, facing) && !sc_watch_is_over(solid[0]->watch);
    facing->complete = atomic_load(&s.visited) <= budget;
    for (size_t i = 0; i < stretches; i++) {
        sc_free(s.shares[i].pairs);
    }
    sc_free(s.shares);
    return good;
}

void sc_facing_free(sc_facing *facing)
{
    sc_free(facing->pairs);
    *facing = (sc_facing){.pairs = NULL};
}
