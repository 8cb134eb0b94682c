/* links.c - see links.h. */
#include "links.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "solids/surface.h"

#include <stdlib.h>

/* How close together they are, of the largest coordinate. */
static const double close_together = 0x1p-13;

/* Looks at others, for each vertex. */
enum { MOST_CLOSE = 64 };

/* A vertex, and how far along some direction it is. */
typedef struct place {
    double along;
    uint32_t vertex;
} place;

static int in_order(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->along != y->along) {
        return x->along < y->along ? -1 : 1;
    }
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

/* Along a direction to which few faces are square. */
static size_t list_places(sc_windings *pieces, bool (*matters)(const void *, uint32_t),
                          const void *context, place *places)
{
    static const sc_vec3 direction = {0.4871, 0.6029, 0.6319};
    size_t count = 0;
    for (uint32_t i = 0; i < pieces->vertices; i++) {
        if (matters(context, sc_windings_root(pieces, i))) {
            places[count++] = (place){sc_dot(pieces->points[i], direction), i};
        }
    }
    qsort(places, count, sizeof *places, in_order);
    return count;
}

/* Whether nothing is so near. */
static bool is_clear(sc_surface *surface, sc_vec3 p, double distance)
{
    const double clear = 2.0 * distance + 4.0 * surface->margin;
    return sc_surface_any(surface, p, clear, (sc_seek){.hint = UINT32_MAX}).distance > clear;
}

/* Between pieces that are not linked yet, where nothing of the part is as near as they are to each
 * other. */
static bool link_places(sc_windings *pieces, sc_solid *in, const place *places, size_t count,
                        sc_links *links)
{
    const double reach = sc_parts_reach(in->part, pieces->own->part);
    const double close = close_together * reach;
    sc_surface surface = sc_surface_of(in, pieces->own->part);

    for (size_t i = 0; i < count; i++) {
        const sc_vec3 from = pieces->points[places[i].vertex];
        const uint32_t root = sc_windings_root(pieces, places[i].vertex);
        for (size_t k = i + 1; k < count && k <= i + MOST_CLOSE && !surface.failed; k++) {
            const sc_vec3 to = pieces->points[places[k].vertex];
            const uint32_t other = sc_windings_root(pieces, places[k].vertex);
            if (places[k].along - places[i].along > close) {
                break;
            }
            const double apart = sc_length(sc_sub(to, from));
            if (sc_union_root(links->first, root) != sc_union_root(links->first, other) &&
                apart <= close && is_clear(&surface, from, apart)) {
                sc_union_join(links->first, root, other);
                links->ends[links->count][0] = places[i].vertex;
                links->ends[links->count++][1] = places[k].vertex;
            }
        }
    }
    for (uint32_t i = 0; i < pieces->vertices; i++) {
        links->first[i] = sc_union_root(links->first, i);
    }
    return !surface.failed;
}

bool sc_links_find(sc_windings *pieces, sc_solid *in,
                   bool (*matters)(const void *context, uint32_t root), const void *context,
                   sc_links *links)
{
    place *places = sc_alloc(pieces->vertices + 1, sizeof *places);
    *links = (sc_links){.ends = sc_alloc(pieces->vertices + 1, sizeof *links->ends),
                        .first = sc_union_make((uint32_t)pieces->vertices)};
    bool good = places && links->ends && links->first;
    if (good) {
        const size_t count = list_places(pieces, matters, context, places);
        good = link_places(pieces, in, places, count, links);
    }
    sc_free(places);
    return good;
}

void sc_links_free(sc_links *links)
{
    sc_free(links->ends);
    sc_free(links->first);
    *links = (sc_links){.ends = NULL};
}
