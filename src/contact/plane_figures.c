/* plane_figures.c - see plane_figures.h. */
#include "plane_figures.h"

#include <string.h>

/* Where rounding may have put a corner, of the largest coordinate. */
static const double rounding = 0x1p-44;

static double twice_area(const double (*corner)[2], int count)
{
    double twice = 0.0;
    for (int i = 2; i < count; i++) {
        const double *a = corner[0], *b = corner[i - 1], *c = corner[i];
        twice += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }
    return twice;
}

void sc_plane_orient(double (*corner)[2], int count)
{
    if (!(twice_area((const double(*)[2])corner, count) < 0.0)) {
        return;
    }
    for (int i = 0, k = count - 1; i < k; i++, k--) {
        double kept[2];
        memcpy(kept, corner[i], sizeof kept);
        memcpy(corner[i], corner[k], sizeof kept);
        memcpy(corner[k], kept, sizeof kept);
    }
}

void sc_plane_span(const double (*corner)[2], int count, double low[2], double high[2])
{
    for (int k = 0; k < 2; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
        for (int i = 0; i < count; i++) {
            low[k] = sc_min(low[k], corner[i][k]);
            high[k] = sc_max(high[k], corner[i][k]);
        }
    }
}

double sc_plane_reach(const double low[2], const double high[2])
{
    return sc_max(sc_max(fabs(low[0]), fabs(high[0])), sc_max(fabs(low[1]), fabs(high[1])));
}

double sc_polygon_area(const sc_polygon *p)
{
    return 0.5 * fabs(twice_area(p->corner, p->count));
}

static void add_corner(sc_polygon *p, const double at[2])
{
    if (p->count < SC_POLYGON_CORNERS) {
        memcpy(p->corner[p->count++], at, sizeof p->corner[0]);
    }
}

void sc_polygon_cut(const sc_polygon *p, const sc_plane_line *line, sc_polygon side[2])
{
    side[0].count = side[1].count = 0;
    for (int i = 0; i < p->count; i++) {
        const double *a = p->corner[i], *b = p->corner[i + 1 < p->count ? i + 1 : 0];
        const double sa = sc_plane_beside(line, a), sb = sc_plane_beside(line, b);
        if (sa >= 0.0) {
            add_corner(&side[0], a);
        }
        if (sa <= 0.0) {
            add_corner(&side[1], a);
        }
        if ((sa > 0.0 && sb < 0.0) || (sa < 0.0 && sb > 0.0)) {
            const double t = sa / (sa - sb);
            const double on[2] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])};
            add_corner(&side[0], on);
            add_corner(&side[1], on);
        }
    }
}

void sc_seen_facet_finish(sc_seen_facet *facet)
{
    sc_plane_orient(facet->corner, 3);
    sc_plane_span((const double(*)[2])facet->corner, 3, facet->low, facet->high);
}

sc_plane_line sc_seen_facet_edge(const sc_seen_facet *facet, int k, double reach)
{
    const double *from = facet->corner[k], *to = facet->corner[k < 2 ? k + 1 : 0];
    sc_plane_line edge = {{from[0], from[1]}, {to[0] - from[0], to[1] - from[1]}, 0.0};
    reach = sc_max(reach, sc_plane_reach(facet->low, facet->high));
    edge.on = rounding * reach * (fabs(edge.way[0]) + fabs(edge.way[1]));
    return edge;
}

bool sc_plane_has_beyond(const sc_plane_line *line, const sc_seen_facet *facet)
{
    return sc_plane_beside(line, facet->corner[0]) <= line->on &&
           sc_plane_beside(line, facet->corner[1]) <= line->on &&
           sc_plane_beside(line, facet->corner[2]) <= line->on;
}

/* Whether an edge of a has b beyond it. */
static bool beyond_edge(const sc_seen_facet *a, const sc_seen_facet *b)
{
    const double reach = sc_plane_reach(b->low, b->high);
    for (int k = 0; k < 3; k++) {
        const sc_plane_line e = sc_seen_facet_edge(a, k, reach);
        if (sc_plane_has_beyond(&e, b)) {
            return true;
        }
    }
    return false;
}

bool sc_seen_boxes_meet(const sc_seen_facet *a, const sc_seen_facet *b)
{
    return a->low[0] < b->high[0] && b->low[0] < a->high[0] && a->low[1] < b->high[1] &&
           b->low[1] < a->high[1];
}

bool sc_seen_facets_overlie(const sc_seen_facet *a, const sc_seen_facet *b)
{
    return sc_seen_boxes_meet(a, b) && !beyond_edge(a, b) && !beyond_edge(b, a);
}
