/* asked.c - see asked.h. */
#include "asked.h"

#include "base/alloc.h"

#include <stdlib.h>

bool sc_asked_add(sc_asked_list *list, const sc_asked *asked)
{
    if (!sc_make_room(&list->asked, &list->capacity, list->count + 1, sizeof *list->asked)) {
        return false;
    }
    list->asked[list->count++] = *asked;
    return true;
}

void sc_asked_free(sc_asked_list *list)
{
    sc_free(list->asked);
    *list = (sc_asked_list){.count = 0};
}

static int by_fan(const void *x, const void *y)
{
    const sc_asked *a = x, *b = y;
    const double one[4] = {a->way.x, a->way.y, a->way.z, a->least};
    const double other[4] = {b->way.x, b->way.y, b->way.z, b->least};
    int order = (a->fan > b->fan) - (a->fan < b->fan);
    for (int i = 0; i < 4 && order == 0; i++) {
        order = (one[i] > other[i]) - (one[i] < other[i]);
    }
    return order;
}

void sc_asked_sort(sc_asked_list *list)
{
    size_t kept = 0;
    if (list->count > 0) {
        qsort(list->asked, list->count, sizeof *list->asked, by_fan);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (i == 0 || by_fan(&list->asked[i], &list->asked[kept - 1]) != 0) {
            list->asked[kept++] = list->asked[i];
        }
    }
    list->count = kept;
}

bool sc_asked_is_kept(const sc_asked *asked, size_t count, sc_vec3 way)
{
    bool kept = true;
    for (size_t i = 0; i < count && kept; i++) {
        kept = sc_dot(asked[i].way, way) >= asked[i].least;
    }
    return kept;
}

static double missing(const sc_asked *asked, sc_vec3 way)
{
    return asked->least - sc_dot(asked->way, way);
}

/* From a point along a unit vector or back, no farther than all ask for; if there is such a point,
 * else to any. */
static sc_vec3 along_line(const sc_asked *asked, size_t count, sc_vec3 from, sc_vec3 line)
{
    double low = -INFINITY, high = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double along = sc_dot(asked[i].way, line), most = missing(&asked[i], from) / along;
        low = along > 0.0 ? sc_max(low, most) : low;
        high = along < 0.0 ? sc_min(high, most) : high;
    }
    return sc_mul_add(from, low > 0.0 ? low : high < 0.0 ? high : 0.0, line);
}

/* The shortest way that is just what the last one asks for, and all others. */
static sc_vec3 in_plane(const sc_asked *asked, size_t count, double little)
{
    const sc_asked *last = &asked[count - 1];
    sc_vec3 way = sc_scale(last->way, last->least);
    for (size_t i = 0; i + 1 < count; i++) {
        const sc_vec3 line = sc_cross(last->way, asked[i].way);
        const double sine = sc_length(line), cosine = sc_dot(last->way, asked[i].way);
        if (missing(&asked[i], way) > little && sine > 0x1p-20) {
            const double by_last = (last->least - cosine * asked[i].least) / (sine * sine);
            const double by_it = (asked[i].least - cosine * last->least) / (sine * sine);
            const sc_vec3 nearest = sc_mul_add(sc_scale(last->way, by_last), by_it, asked[i].way);
            way = along_line(asked, i, nearest, sc_scale(line, 1.0 / sine));
        }
    }
    return way;
}

/* One after the other: what one asks for that is not so yet is just so then (Seidel,
 * Small-dimensional linear programming and convex hulls made easy, 1991). */
sc_vec3 sc_asked_shortest(const sc_asked *asked, size_t count, double most)
{
    enum { ALL = 64 };
    const double little = 0x1p-40 * most;
    sc_vec3 way = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count && i < ALL; i++) {
        if (missing(&asked[i], way) > little) {
            way = in_plane(asked, i + 1, little);
        }
    }
    return way;
}

sc_vec3 sc_asked_stretched(const sc_asked *asked, size_t count, sc_vec3 way, double most)
{
    const double length = sc_length(way);
    double times = length > 0.0 ? most / length : 1.0;
    for (size_t i = 0; i < count; i++) {
        const double along = sc_dot(asked[i].way, way);
        if (along < 0.0 && asked[i].least < 0.0) {
            times = sc_min(times, asked[i].least / along);
        }
    }
    return sc_scale(way, sc_max(times, 1.0));
}
