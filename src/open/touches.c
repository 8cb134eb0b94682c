/* touches.c - see touches.h. */
#include "touches.h"

#include "base/alloc.h"
#include "geom/tri_sweep.h"

#include <stdlib.h>

static double time_of(const sc_sweep_event *event)
{
    return event->at_start ? 0.0 : event->time;
}

/* The last time is the first one of the way back, whose start is rounded. */
static sc_touch touch_of(const sc_vec3 rests[3], const sc_vec3 v[3], sc_vec3 way, double first)
{
    sc_vec3 end[3];
    for (int k = 0; k < 3; k++) {
        end[k] = sc_add(v[k], way);
    }
    const sc_swept back = sc_tri_sweep(rests, end, sc_scale(way, -1.0));
    return (sc_touch){first, back.touches ? sc_max(first, 1.0 - time_of(&back.first)) : first};
}

bool sc_touches_add(sc_touches *touches, const sc_part *part, const sc_vec3 v[3], sc_vec3 way)
{
    const sc_facets *facets = &part->mesh->file.facets;
    const sc_box start = sc_box_of_points(v, 3);
    sc_box swept = sc_box_moved(&start, way);

    sc_box_add_box(&swept, &start);
    swept = sc_box_grown(&swept, 0x1p-40 * sc_box_reach(&swept)); /* the end is rounded */
    for (uint32_t i = 0; i < facets->count; i++) {
        sc_vec3 rests[3];
        sc_triangle_vertices(facets, &part->used, i, rests);
        const sc_box box = sc_box_of_points(rests, 3);
        if (!sc_boxes_meet(&box, &swept)) {
            continue;
        }
        const sc_swept meeting = sc_tri_sweep(rests, v, way);
        if (!meeting.touches) {
            continue;
        }
        if (!sc_make_room(&touches->time, &touches->capacity, touches->count + 1,
                          sizeof *touches->time)) {
            return false;
        }
        touches->time[touches->count++] = touch_of(rests, v, way, time_of(&meeting.first));
    }
    return true;
}

static int by_first(const void *x, const void *y)
{
    const sc_touch *a = x, *b = y;
    return (a->first > b->first) - (a->first < b->first);
}

void sc_touches_sort(sc_touches *touches)
{
    if (touches->count > 0) {
        qsort(touches->time, touches->count, sizeof *touches->time, by_first);
    }
}

void sc_touches_free(sc_touches *touches)
{
    sc_free(touches->time);
    *touches = (sc_touches){.count = 0};
}
