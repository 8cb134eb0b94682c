/* fillings.c - see fillings.h.
 *
 * An edge of length l that runs beside the longest one of its crack, and the feet of its points on
 * the line of that, bound a strip; the strips of all such edges fill the crack, for the feet run
 * to and fro on one line. A strip no wider than w, whose edge is D > w from a point, takes up a
 * solid angle of at most the integral of w ds / (r - w)^2 along the edge, and as r >= D that is at
 * most w min(l, pi D) / (D - w)^2. Seen from farther off, many count by the sum of their areas. */
#include "fillings.h"

#include "base/alloc.h"
#include "geom/angle.h"
#include "geom/box.h"
#include "geom/facet_distance.h"
#include "geom/tri_distance.h"
#include "tiles.h"

#include <math.h>

struct sc_filling_node {
    sc_vec3 centre;
    double radius;      /* around all edges */
    double off;         /* the largest, and */
    double area;        /* the sum of theirs */
    size_t first, next; /* its first side; the node behind all that lie in this one */
};

static const double whole = 4.0 * SC_PI;

/* ---- making --------------------------------------------------------------- */

static sc_vec3 middle_of(const sc_crack_side *side)
{
    return sc_scale(sc_add(side->from, side->to), 0.5);
}

/* Those whose middle lies below the middle of all along an axis come first: how many. */
static size_t divide(sc_crack_side *sides, size_t count)
{
    sc_box middles = sc_box_empty();
    int axis = 0;
    size_t below = 0;

    for (size_t i = 0; i < count; i++) {
        sc_box_add_point(&middles, middle_of(&sides[i]));
    }
    for (int k = 1; k < 3; k++) {
        bool longer = middles.high[k] - middles.low[k] > middles.high[axis] - middles.low[axis];
        axis = longer ? k : axis;
    }
    const double bound = 0.5 * (middles.low[axis] + middles.high[axis]);
    for (size_t i = 0; i < count; i++) {
        if (sc_component(middle_of(&sides[i]), axis) < bound) {
            sc_crack_side t = sides[i];
            sides[i] = sides[below];
            sides[below++] = t;
        }
    }
    bool lopsided = below < count / 8 + 1 || count - below < count / 8 + 1;
    return lopsided ? count / 2 : below; /* else it may go too deep */
}

static void add_nodes(sc_fillings *f, size_t first, size_t count)
{
    sc_filling_node *node = &f->nodes[f->node_count++];
    sc_box box = sc_box_empty();

    *node = (sc_filling_node){.first = first};
    if (count > 1) {
        size_t below = divide(f->sides + first, count);
        add_nodes(f, first, below);
        add_nodes(f, first + below, count - below);
    }
    for (size_t i = first; i < first + count; i++) {
        const sc_crack_side *side = &f->sides[i];
        sc_box_add_point(&box, side->from);
        sc_box_add_point(&box, side->to);
        node->off = sc_fmax(node->off, side->off);
        node->area += side->off * side->length;
    }
    node->centre = sc_box_centre(&box);
    for (size_t i = first; i < first + count; i++) {
        const sc_crack_side *side = &f->sides[i];
        node->radius = sc_fmax(node->radius, sc_length(sc_sub(side->from, node->centre)));
        node->radius = sc_fmax(node->radius, sc_length(sc_sub(side->to, node->centre)));
    }
    f->reach = sc_fmax(f->reach, sc_box_reach(&box));
    node->next = f->node_count;
}

bool sc_fillings_make(sc_crack_side *sides, size_t count, sc_fillings *fillings)
{
    *fillings = (sc_fillings){.sides = sides, .count = count};
    if (count == 0) {
        return true;
    }
    fillings->nodes = sc_alloc(2 * count - 1, sizeof *fillings->nodes);
    if (fillings->nodes) {
        add_nodes(fillings, 0, count);
    }
    return fillings->nodes != NULL;
}

void sc_fillings_free(sc_fillings *fillings)
{
    sc_free(fillings->sides);
    sc_free(fillings->nodes);
    *fillings = (sc_fillings){.sides = NULL};
}

/* ---- looking -------------------------------------------------------------- */

/* Where it is asked for, and more than rounding takes from any distance to it. */
typedef struct place {
    sc_triangle triangle;
    double margin;
    bool is_segment; /* or a point */
} place;

static place place_of(const sc_fillings *f, const sc_vec3 v[3])
{
    const sc_box box = sc_box_of_points(v, 3);
    return (place){.triangle = sc_triangle_make(v),
                   .margin = 0x1p-44 * (f->reach + sc_box_reach(&box)),
                   .is_segment = sc_same(v[1], v[2])};
}

static double distance_of_point(const place *at, sc_vec3 p)
{
    sc_vec3 on;
    return sc_facet_distance(p, at->triangle.v, &on);
}

static double distance_of_side(const place *at, const sc_crack_side *side)
{
    const sc_vec3 ends[3] = {side->from, side->to, side->to};
    if (at->is_segment) {
        return sc_segments_distance(at->triangle.v, ends);
    }
    const sc_triangle segment = sc_triangle_make(ends);
    return sqrt(sc_segment_closest(&segment, &at->triangle).distance_sq);
}

/* The solid angle of what lies beside one edge. */
static double angle_of_side(const place *at, const sc_crack_side *side)
{
    double distance = distance_of_side(at, side) - at->margin;
    double left = distance - side->off;
    return left > 0.0 ? side->off * sc_fmin(side->length, SC_PI * distance) / (left * left)
                      : INFINITY;
}

/* How near the filling of any side may come. */
static double least_distance(const place *at, const sc_filling_node *node)
{
    return distance_of_point(at, node->centre) - node->radius - node->off - at->margin;
}

/* From so far off all of them together are a small part of what is asked for. */
static double far_from_all(const sc_filling_search *s)
{
    static const double part = 0.25;
    return s->fillings->count > 0 ? sqrt(s->fillings->nodes->area / (part * s->most * whole)) : 0.0;
}

/* All of them, or more than is asked for. */
static double amount(sc_filling_search *s, const sc_vec3 v[3])
{
    const sc_fillings *f = s->fillings;
    const place at = place_of(f, v);
    const double enough = far_from_all(s);
    double sum = 0.0;

    for (size_t i = 0; i < f->node_count && sum <= s->most * whole;) {
        const sc_filling_node *node = &f->nodes[i];
        const double distance = least_distance(&at, node);
        const bool is_side = node->next == i + 1, is_far = distance > sc_fmin(node->radius, enough);
        s->looks -= s->looks > 0;
        if (is_far) {
            sum += node->area / (distance * distance);
        } else if (is_side && !(s->open && s->open[f->sides[node->first].crack])) {
            sum += angle_of_side(&at, &f->sides[node->first]);
        }
        i = is_far ? node->next : i + 1;
    }
    return (1.0 + 0x1p-20) * sum / whole;
}

bool sc_fillings_stay_small(sc_filling_search *s, const sc_vec3 v[3])
{
    sc_vec3 half[2][3];

    if (s->looks == 0) {
        return false;
    }
    if (amount(s, v) <= s->most) {
        return true;
    }
    s->at = sc_triangle_middle(v);
    const sc_vec3 point[3] = {s->at, s->at, s->at};
    return sc_tile_halve(v, half) && amount(s, point) <= s->most &&
           sc_fillings_stay_small(s, half[0]) && sc_fillings_stay_small(s, half[1]);
}

bool sc_fillings_open_near(const sc_filling_search *s, bool *open)
{
    const sc_fillings *f = s->fillings;
    const sc_vec3 point[3] = {s->at, s->at, s->at};
    const place at = place_of(f, point);
    const double least = s->most * whole / 16.0;
    bool any = false;

    for (size_t i = 0; i < f->node_count;) {
        const sc_filling_node *node = &f->nodes[i];
        const sc_crack_side *side = &f->sides[node->first];
        const double distance = least_distance(&at, node);
        const bool is_far = distance > 0.0 && node->area / (distance * distance) < least;
        if (!is_far && node->next == i + 1 && !open[side->crack] &&
            angle_of_side(&at, side) >= least) {
            open[side->crack] = any = true;
        }
        i = is_far ? node->next : i + 1;
    }
    return any;
}
