/* depth_common.c - see depth_proof.h: how deep what two parts have in common is in a column of
 * space, from the heights of both surfaces.
 *
 * Let it be outside of A above its surface, outside of B below its own. A common point lies below
 * some facet of A and above some facet of B on the same line along the axis, and so no farther from
 * either than the height of that of A over that of B: which is largest at a corner of what they
 * cover both. */
#include "depth_column.h"

#include <string.h>

/* ---- heights of both in all of the column ---------------------------------- */

/* Whether the heights alone show that no common point lies deeper. */
static bool is_shallow_between(const sc_column c[2], double limit)
{
    double low = -c[0].box_half, high = c[0].box_half;
    for (int x = 0; x < 2; x++) {
        low = c[x].below ? sc_max(low, c[x].low) : low;
        high = c[x].above ? sc_min(high, c[x].high) : high;
    }
    for (int x = 0; x < 2 && low <= high; x++) {
        if (!(sc_column_deepest(&c[x], low, high) + 2.0 * c[x].surface->margin <= limit)) {
            return false;
        }
    }
    return true;
}

/* ---- facet over facet -------------------------------------------------------- */

enum { MOST_TILES = 24 };

/* What of a facet is in the column, and the facet's own corners. */
typedef struct tile {
    sc_tile in;
    sc_corner corner[3];
} tile;

typedef struct tiling {
    const sc_column *column;
    tile tiles[MOST_TILES];
    int count;
} tiling;

static bool meets_column(void *context, const sc_box *box)
{
    return sc_column_meets(((const tiling *)context)->column, box);
}

static bool add_tile(void *context, uint32_t facet, const sc_vec3 v[3])
{
    tiling *all = context;
    const sc_column *c = all->column;
    (void)facet;
    if (all->count == MOST_TILES) {
        return false;
    }
    tile *t = &all->tiles[all->count];
    sc_column_corners(c, v, t->corner);
    sc_column_cut(c, v, &t->in);
    all->count += t->in.count > 0;
    return true;
}

/* The plane of a tile: its height is `at` + slope . (x, y), or at least `at` where it is steep. */
typedef struct height {
    double at, slope[2];
    bool turned; /* clockwise as seen from above */
} height;

static height height_of(const tile *t, double reach)
{
    static const double least_sine = 0.2;
    const double *o = t->corner[0];
    const sc_vec3 v[3] = {{o[0], o[1], o[2]},
                          {t->corner[1][0], t->corner[1][1], t->corner[1][2]},
                          {t->corner[2][0], t->corner[2][1], t->corner[2][2]}};
    double error, size = 0.0;
    const sc_vec3 n = sc_facet_normal(v, &error);
    for (int i = 0; i < 3; i++) {
        size = sc_max(size, fabs(v[i].x) + fabs(v[i].y) + fabs(v[i].z));
    }
    error += 0x1p-48 * size * size; /* of corners that are rounded themselves */
    height h = {.at = t->in.low, .turned = n.z < 0.0};
    if (fabs(n.z) > least_sine * sc_length(n) + 64.0 * error) {
        h.slope[0] = -n.x / n.z;
        h.slope[1] = -n.y / n.z;
        h.at = o[2] - h.slope[0] * o[0] - h.slope[1] * o[1] -
               8.0 * error / fabs(n.z) * (reach + fabs(o[0]) + fabs(o[1]));
    }
    return h;
}

/* Whether no point of one tile lies higher than `most` over the other. */
static bool lies_low_over(const tile *upper, const tile *lower, double reach, double margin,
                          double most)
{
    const height h = height_of(lower, reach);
    sc_corner p[SC_MOST_CORNERS];
    int count = upper->in.count;

    memcpy(p, upper->in.p, (size_t)count * sizeof p[0]);
    for (int i = 0; i < 3 && count > 0; i++) { /* beyond no side of it, as seen from above */
        const double *from = lower->corner[i], *to = lower->corner[i < 2 ? i + 1 : 0];
        double x = to[1] - from[1], y = from[0] - to[0], size = fabs(x) + fabs(y);
        double sign = h.turned ? -1.0 : 1.0;
        const double out[3] = {sign * x, sign * y, 0.0};
        count = sc_clip(p, count, out, out[0] * from[0] + out[1] * from[1] + margin * size);
    }
    for (int i = 0; i < count; i++) {
        if (!(p[i][2] - h.at - h.slope[0] * p[i][0] - h.slope[1] * p[i][1] <= most)) {
            return false;
        }
    }
    return true;
}

static bool collect_tiles(sc_surface *surface, const sc_column *c, tiling *all)
{
    const sc_walk walk = sc_column_walk(c, meets_column, add_tile, all);
    all->column = c;
    all->count = 0;
    return sc_surface_walk(surface, &walk);
}

/* Part `up` is outside above its surface, the other one below its own. */
static bool is_shallow_by_facets(sc_surface surface[2], const sc_column c[2], int up, double limit)
{
    tiling all[2];
    const double reach = c[0].half[0] + c[0].half[1];
    const double margin = 8.0 * surface[0].margin;
    for (int x = 0; x < 2; x++) {
        if (!collect_tiles(&surface[x], &c[x], &all[x])) {
            return false;
        }
    }
    for (int i = 0; i < all[up].count; i++) {
        for (int j = 0; j < all[1 - up].count; j++) {
            const tile *upper = &all[up].tiles[i], *lower = &all[1 - up].tiles[j];
            if (upper->in.high - lower->in.low > limit - 4.0 * margin &&
                !lies_low_over(upper, lower, reach, margin, limit - 4.0 * margin)) {
                return false;
            }
        }
    }
    return true;
}

bool sc_depth_common_column(sc_surface surface[2], const sc_brick *brick, sc_vec3 axis,
                            double limit, int facets)
{
    sc_column c[2];
    for (int x = 0; x < 2; x++) {
        c[x] = sc_column_of(&surface[x], brick, axis, limit);
        c[x].reach = INFINITY;
        c[x].facets = facets;
        if (!sc_column_measure(&surface[x], &c[x])) {
            return false;
        }
    }
    if (is_shallow_between(c, limit)) {
        return true;
    }
    const bool up[2] = {c[0].above && c[1].below, c[1].above && c[0].below};
    return (up[0] && is_shallow_by_facets(surface, c, 0, limit)) ||
           (up[1] && is_shallow_by_facets(surface, c, 1, limit));
}
