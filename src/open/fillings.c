/* fillings.c - see fillings.h.
 *
 * An edge of length l that runs beside the longest one of its crack, and the feet of its points on
 * the line of that, bound a strip; the strips of all such edges fill the crack, for the feet run
 * to and fro on one line. A strip no wider than w, whose edge is D > w from a point, takes up a
 * solid angle of at most the integral of w ds / (r - w)^2 along the edge, and as r >= D that is at
 * most w min(l, pi D) / (D - w)^2. Seen from farther off, many count by the sum of their areas. */
#include "fillings.h"

#include "base/alloc.h"
#include "geom/box.h"
#include "geom/tri_distance.h"

#include <math.h>

struct sc_filling_node {
    sc_vec3 centre;
    double radius;      /* around all edges */
    double off;         /* the largest, and */
    double area;        /* the sum of theirs */
    size_t first, next; /* its first side; the node behind all that lie in this one */
};

static const double whole = 4.0 * 3.14159265358979323846;

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
        node->off = fmax(node->off, side->off);
        node->area += side->off * side->length;
    }
    node->centre = sc_box_centre(&box);
    for (size_t i = first; i < first + count; i++) {
        const sc_crack_side *side = &f->sides[i];
        node->radius = fmax(node->radius, sc_length(sc_sub(side->from, node->centre)));
        node->radius = fmax(node->radius, sc_length(sc_sub(side->to, node->centre)));
    }
    f->reach = fmax(f->reach, sc_box_reach(&box));
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

/* A way, and more than rounding takes from any distance to it. */
typedef struct course {
    sc_vec3 ends[2], along;
    double length_sq, margin;
} course;

static course course_of(const sc_fillings *f, sc_vec3 from, sc_vec3 to)
{
    course c = {.ends = {from, to}, .along = sc_sub(to, from)};
    const sc_box box = sc_box_of_points(c.ends, 2);

    c.length_sq = sc_dot(c.along, c.along);
    c.margin = 0x1p-44 * (f->reach + sc_box_reach(&box));
    return c;
}

static double distance_of_point(const course *c, sc_vec3 p)
{
    return sc_length(sc_off_segment(sc_sub(p, c->ends[0]), c->along, c->length_sq));
}

/* The solid angle of what lies beside one edge. */
static double angle_of_side(const course *c, const sc_crack_side *side)
{
    static const double pi = 0.25 * whole;
    const sc_vec3 ends[2] = {side->from, side->to};
    double distance = sc_segments_distance(c->ends, ends) - c->margin;
    double left = distance - side->off;
    return left > 0.0 ? side->off * fmin(side->length, pi * distance) / (left * left) : INFINITY;
}

/* How near the filling of any side may come. */
static double least_distance(const course *c, const sc_filling_node *node)
{
    return distance_of_point(c, node->centre) - node->radius - node->off - c->margin;
}

/* From so far off all of them together are a small part of what is asked for. */
static double far_from_all(const sc_filling_search *s)
{
    static const double part = 0.25;
    return s->fillings->count > 0 ? sqrt(s->fillings->nodes->area / (part * s->most * whole)) : 0.0;
}

/* All of them, or more than is asked for. */
static double amount(sc_filling_search *s, sc_vec3 from, sc_vec3 to)
{
    const sc_fillings *f = s->fillings;
    const course c = course_of(f, from, to);
    const double enough = far_from_all(s);
    double sum = 0.0;

    for (size_t i = 0; i < f->node_count && sum <= s->most * whole;) {
        const sc_filling_node *node = &f->nodes[i];
        const double distance = least_distance(&c, node);
        const bool is_side = node->next == i + 1, is_far = distance > fmin(node->radius, enough);
        s->looks -= s->looks > 0;
        if (is_far) {
            sum += node->area / (distance * distance);
        } else if (is_side && !(s->open && s->open[f->sides[node->first].crack])) {
            sum += angle_of_side(&c, &f->sides[node->first]);
        }
        i = is_far ? node->next : i + 1;
    }
    return (1.0 + 0x1p-20) * sum / whole;
}

bool sc_fillings_stay_small(sc_filling_search *s, sc_vec3 from, sc_vec3 to)
{
    const sc_vec3 middle = sc_scale(sc_add(from, to), 0.5);

    if (s->looks == 0) {
        return false;
    }
    if (amount(s, from, to) <= s->most) {
        return true;
    }
    s->at = middle;
    return !sc_same(from, middle) && !sc_same(to, middle) && amount(s, middle, middle) <= s->most &&
           sc_fillings_stay_small(s, from, middle) && sc_fillings_stay_small(s, middle, to);
}

bool sc_fillings_open_near(const sc_filling_search *s, bool *open)
{
    const sc_fillings *f = s->fillings;
    const course c = course_of(f, s->at, s->at);
    const double least = s->most * whole / 16.0;
    bool any = false;

    for (size_t i = 0; i < f->node_count;) {
        const sc_filling_node *node = &f->nodes[i];
        const sc_crack_side *side = &f->sides[node->first];
        const double distance = least_distance(&c, node);
        const bool is_far = distance > 0.0 && node->area / (distance * distance) < least;
        if (!is_far && node->next == i + 1 && !open[side->crack] &&
            angle_of_side(&c, side) >= least) {
            open[side->crack] = any = true;
        }
        i = is_far ? node->next : i + 1;
    }
    return any;
}
