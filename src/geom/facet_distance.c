/* facet_distance.c - see facet_distance.h. */
#include "facet_distance.h"

#include <stdbool.h>

/* The foot of p in the plane of a facet, seen from one of its corners: first along the edge that
 * begins there, then what is left of the way across that edge. No normal is asked: that of a thin
 * facet is wrong by what rounding does to the long edges, as part of its height.
 *
 * Error, with u = 2^-53, in lengths of the longest of edge, side and w (at most 2 sqrt 3 r):
 * these differences are off by u. `along` and `lean` are off by 7u, which is along the edge: so it
 * does not matter to products of what is left of w and side across it, each off by 2u besides.
 * `across` is then off by 6u along and 8u across, as far as the foot lies within and p near it,
 * what is made of these by 7u more: together less than 32u. Where p is farther off than that, the
 * foot counts by its square only; where the height is, an edge is as near. With 4u of the distance
 * itself, that is less than 2^-46 r. */
typedef struct foot {
    sc_vec3 edge, side, w; /* from the corner to the next, to the one before, to p */
    double edge_sq, side_sq, height_sq;
    double inner[3]; /* how far on the inner side of an edge, that one first, as part of the height
                        there; or NaN */
} foot;

static inline foot foot_from(sc_vec3 p, const sc_vec3 v[3], int i)
{
    foot f = {.edge = sc_sub(v[(i + 1) % 3], v[i]),
              .side = sc_sub(v[(i + 2) % 3], v[i]),
              .w = sc_sub(p, v[i])};
    f.edge_sq = sc_dot(f.edge, f.edge);
    f.side_sq = sc_dot(f.side, f.side);
    const double lean = sc_dot(f.side, f.edge) / f.edge_sq, along = sc_dot(f.w, f.edge) / f.edge_sq;
    const sc_vec3 up = sc_mul_add(f.side, -lean, f.edge);
    f.height_sq = sc_dot(up, up);
    const double across = sc_dot(sc_mul_add(f.w, -along, f.edge), up) / f.height_sq;
    f.inner[0] = across;
    f.inner[2] = along - across * lean;
    f.inner[1] = 1.0 - across - f.inner[2];
    return f;
}

/* Whether rounding leaves the inner sides of the edges well told. */
static bool is_stout(const foot *f)
{
    return f->height_sq > 0x1p-6 * f->side_sq &&
           sc_min(f->edge_sq, f->side_sq) > 0x1p-60 * sc_dot(f->w, f->w);
}

static int longest_edge(const sc_vec3 v[3])
{
    double most = -1.0;
    int longest = 0;
    for (int i = 0; i < 3; i++) {
        const sc_vec3 edge = sc_sub(v[(i + 1) % 3], v[i]);
        const double square = sc_dot(edge, edge);
        if (square > most) {
            most = square;
            longest = i;
        }
    }
    return longest;
}

/* The nearest point so far. */
typedef struct nearest {
    double square;
    sc_vec3 on;
} nearest;

/* Takes the point `way` from a corner, from which p is at w, if that is nearer. */
static void take(nearest *n, sc_vec3 corner, sc_vec3 w, sc_vec3 way)
{
    const sc_vec3 gap = sc_sub(w, way);
    const double square = sc_dot(gap, gap);
    if (square < n->square) {
        n->square = square;
        n->on = sc_add(corner, way);
    }
}

static void take_edge(nearest *n, sc_vec3 p, const sc_vec3 v[3], int i)
{
    const sc_vec3 edge = sc_sub(v[(i + 1) % 3], v[i]), w = sc_sub(p, v[i]);
    const double length_sq = sc_dot(edge, edge);
    const double along = length_sq > 0.0 ? sc_clamp01(sc_dot(w, edge) / length_sq) : 0.0;
    take(n, v[i], w, sc_scale(edge, along));
}

/* The nearest of the edges' points, and the foot where it lies inside: each is the distance of a
 * point of the facet, however thin that is. Where the facet is not thin, an edge need not be looked
 * at if the foot lies clearly on its inner side: the nearest point is the foot, or on an edge that
 * has the foot outside. */
double sc_facet_distance(sc_vec3 p, const sc_vec3 v[3], sc_vec3 *on)
{
    nearest n = {INFINITY, v[0]};
    int from = 0;
    foot f = foot_from(p, v, from);
    const double clearly = is_stout(&f) ? 0x1p-6 : INFINITY;
    if (clearly > 1.0) {
        from = longest_edge(v);
        f = foot_from(p, v, from);
    }
    for (int i = 0; i < 3; i++) {
        if (!(f.inner[i] > clearly)) {
            take_edge(&n, p, v, i);
        }
    }
    if (f.inner[0] > 0.0 && f.inner[1] > 0.0 && f.inner[2] > 0.0) {
        take(&n, v[from], f.w, sc_add(sc_scale(f.edge, f.inner[2]), sc_scale(f.side, f.inner[0])));
    }
    *on = n.on;
    return sqrt(n.square);
}
