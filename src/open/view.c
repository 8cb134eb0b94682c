/* view.c - see view.h.
 *
 * An edge that is far beside the ball adds to the change of the winding number within that little
 * more than its part of the gradient times the way: half its greatest second derivative times the
 * square of the radius is the most that it can be off. */
#include "view.h"

#include "base/alloc.h"

enum {
    FEWEST = 6, /* edges to be told apart */
    RANGES = 32 /* of distances, each twice as far as the one before */
};

/* So many radii off edges may be far; they are no nearer to the rest of the ball than 1 - 1 / least
 * of that. */
static const double least = 4.0, closer = 64.0 / 27.0;

sc_view sc_view_of(const sc_rim *rim)
{
    return (sc_view){.rim = rim, .count = rim->count};
}

static const sc_rim_edge *edge(const sc_view *view, size_t i)
{
    return &view->rim->edges[view->near ? view->near[i] : i];
}

void sc_view_look_at(const sc_view *view, sc_vec3 p, sc_rim_look *look)
{
    const sc_vec3 way = sc_sub(p, view->centre);

    if (!view->near) {
        sc_rim_look_at(view->rim, p, look);
        return;
    }
    *look = (sc_rim_look){.winding = view->winding + sc_dot(view->gradient, way),
                          .error = view->error,
                          .gradient = view->gradient,
                          .nearest = INFINITY};
    for (size_t i = 0; i < view->count; i++) {
        double error;
        look->winding += sc_rim_change(edge(view, i), view->centre, p, &error);
        look->error += error;
        sc_rim_add_edge(edge(view, i), p, look);
    }
    look->winding -= sc_round(look->winding);
}

static int range_of(double distance, double radius)
{
    const double ratio = distance / (least * radius);
    const int range = ratio >= 1.0 ? sc_binary_exponent(ratio) : -1;
    return range < RANGES ? range : RANGES - 1;
}

/* From which range on edges do not amount to more than `most` together; *count: how many are
 * nearer. */
static int first_far(const sc_view *view, sc_vec3 p, double radius, double most, size_t *count)
{
    double bend[RANGES] = {0.0};
    size_t edges[RANGES] = {0};
    int range = RANGES;

    for (size_t i = 0; i < view->count; i++) {
        sc_rim_look one = {.nearest = INFINITY};
        const int k = range_of(sc_rim_add_edge(edge(view, i), p, &one), radius);
        if (k >= 0) {
            bend[k] += 0.5 * closer * one.bend * radius * radius + one.gradient_error * radius;
            edges[k]++;
        }
    }
    *count = view->count;
    while (range > 0 && bend[range - 1] <= most) {
        range--;
        most -= bend[range];
        *count -= edges[range];
    }
    return range;
}

bool sc_view_narrow(const sc_view *view, const sc_rim_look *at_p, sc_vec3 p, double radius,
                    double most, sc_view *made, bool *narrowed)
{
    size_t count;
    const int far = view->count >= FEWEST && radius > 0.0 && most > 0.0
                        ? first_far(view, p, radius, most, &count)
                        : RANGES;

    *narrowed = far < RANGES && count <= view->count / 2;
    if (!*narrowed) {
        return true;
    }
    *made = (sc_view){.rim = view->rim,
                      .wider = view,
                      .near = sc_alloc(count + 1, sizeof *made->near),
                      .centre = p,
                      .gradient = view->gradient,
                      .winding = at_p->winding,
                      .error = at_p->error};
    for (size_t i = 0; i < view->count && made->near; i++) {
        sc_rim_look one = {.nearest = INFINITY};
        const double distance = sc_rim_add_edge(edge(view, i), p, &one);
        if (range_of(distance, radius) < far) {
            made->near[made->count++] = (uint32_t)(edge(view, i) - view->rim->edges);
            continue;
        }
        made->gradient = sc_add(made->gradient, one.gradient);
        made->error += 0.5 * closer * one.bend * radius * radius + one.gradient_error * radius;
    }
    return made->near != NULL;
}

void sc_view_free(sc_view *view)
{
    sc_free(view->near);
    view->near = NULL;
}
