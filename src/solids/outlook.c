/* outlook.c - see outlook.h. */
#include "outlook.h"

#include "base/alloc.h"

#include <stdlib.h>

/* Facets in a list: a few, and as many as the last search without one looked at, up to so many. */
enum { FEW_ITEMS = 64, MOST_ITEMS = 512 };

sc_outlook sc_outlook_of(sc_surface *surface)
{
    return (sc_outlook){.surface = surface, .widest = INFINITY};
}

void sc_outlook_free(sc_outlook *o)
{
    sc_free(o->items);
    o->items = NULL;
    o->reach = 0.0;
}

/* How far p is from the centre, and a little more than rounding may hide. */
static double aside(const sc_outlook *o, sc_vec3 p)
{
    return sc_length(sc_sub(p, o->centre)) * (1.0 + 0x1p-50) + 4.0 * o->surface->margin;
}

static int by_distance(const void *a, const void *b)
{
    const sc_outlook_item *x = a, *y = b;
    if (x->distance != y->distance) {
        return x->distance < y->distance ? -1 : 1;
    }
    return (x->facet > y->facet) - (x->facet < y->facet);
}

/* If it is near enough. Stops where there are too many. */
static bool take(void *context, uint32_t facet, const sc_vec3 v[3])
{
    sc_outlook *o = context;
    sc_vec3 on;
    const double distance = sc_facet_distance(o->centre, v, &on);
    if (!(distance <= o->reach) || !sc_facet_has_area(v)) {
        return true;
    }
    if (o->count >= o->most) {
        return false;
    }
    o->items[o->count++] = (sc_outlook_item){distance, facet};
    return true;
}

static void put_in_order(sc_outlook *o)
{
    qsort(o->items, o->count, sizeof *o->items, by_distance);
}

/* Lists what is so near; nothing where that is too much. */
static void list(sc_outlook *o, sc_vec3 centre, double reach)
{
    const sc_walk walk = {.centre = centre, .reach = reach, .facet = take, .context = o};
    o->centre = centre;
    o->reach = reach;
    o->count = 0;
    if (sc_surface_walk(o->surface, &walk)) {
        put_in_order(o);
    } else {
        o->reach = 0.0;
    }
}

/* The same of what is listed, which reaches as far from there. */
static void narrow(sc_outlook *o, sc_vec3 centre, double reach)
{
    const size_t count = o->count;
    o->centre = centre;
    o->reach = reach;
    o->count = 0;
    for (size_t i = 0; i < count; i++) {
        sc_vec3 v[3];
        const uint32_t facet = o->items[i].facet;
        sc_solid_facet(o->surface->solid, facet, v);
        (void)take(o, facet, v);
    }
    put_in_order(o);
}

void sc_outlook_settle(sc_outlook *o, sc_vec3 p, double distance, double step)
{
    /* One that serves longer steps than needed, lest the next one is out of it, but not much. */
    enum { NEEDED = 2, AHEAD = 4, WIDE = 16, LESS = 4 };
    const double reach = distance + AHEAD * step;
    const double reached = o->reach > 0.0 ? o->reach - aside(o, p) : 0.0;

    if (reached >= distance + WIDE * step) {
        narrow(o, p, reach);
    } else if (reached < distance + NEEDED * step && step < o->widest) {
        o->most = FEW_ITEMS + (o->searched < MOST_ITEMS ? (size_t)o->searched : MOST_ITEMS);
        o->reach = 0.0;
        if (sc_make_room(&o->items, &o->capacity, o->most, sizeof *o->items)) {
            list(o, p, reach);
        } else {
            o->surface->failed = true;
        }
        o->widest = o->reach > 0.0 ? o->widest : step / LESS;
    }
}

/* Of those in the list; the first that is near enough, if any is. */
static sc_nearest nearest_listed(const sc_outlook *o, sc_vec3 p, double enough)
{
    const double off = aside(o, p);
    sc_nearest best = {INFINITY, UINT32_MAX, p};
    for (size_t i = 0; i < o->count && o->items[i].distance - off <= best.distance; i++) {
        const uint32_t facet = o->items[i].facet;
        sc_vec3 v[3], on;
        sc_solid_facet(o->surface->solid, facet, v);
        const double distance = sc_facet_distance(p, v, &on);
        o->surface->visited++;
        if (distance < best.distance || (distance == best.distance && facet < best.facet)) {
            best = (sc_nearest){distance, facet, on};
        }
        if (best.distance <= enough) {
            break;
        }
    }
    return best;
}

sc_nearest sc_outlook_nearest(sc_outlook *o, sc_vec3 p, sc_seek seek)
{
    if (o->reach > 0.0) {
        const sc_nearest n = nearest_listed(o, p, seek.enough);
        if (n.distance <= sc_max(seek.enough, o->reach - aside(o, p))) {
            return n;
        }
    }
    const uint64_t visited = o->surface->visited;
    const sc_nearest n = sc_surface_nearest(o->surface, p, seek);
    o->searched = o->surface->visited - visited;
    return n;
}
