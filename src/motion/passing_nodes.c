/* passing_nodes.c - see passing_nodes.h. */
#include "passing_nodes.h"

#include "geom/angle.h"

/* ---- when boxes are near ------------------------------------------------------- */

static void narrow_down(sc_window *w, double from, double to)
{
    *w = sc_windows_common(*w, (sc_window){from, to});
}

/* When low <= at + speed t <= high. */
static void narrow_to_passing(sc_window *w, double at, double speed, double low, double high)
{
    if (speed == 0.0) {
        narrow_down(w, low <= at && at <= high ? 0.0 : INFINITY, INFINITY);
    } else {
        const double t[2] = {(low - at) / speed, (high - at) / speed};
        narrow_down(w, sc_min(t[0], t[1]), sc_max(t[0], t[1]));
    }
}

/* No points at such radii, or larger ones, that are nearer than `within` have angles farther apart
 * than this: asin(within / radius), from above. */
static double widest_angle(double within, double radius)
{
    const double sine = within / radius; /* also infinite */
    return sine < 0.9 ? sine / sqrt(1.0 - sine * sine) + 0x1p-40 : SC_PI;
}

static const sc_cylinder_box *box_of(const sc_passing_nodes *n, int part)
{
    const sc_cylinder *tree = &n->passage->tree[part];
    const sc_passing_node node = n->node[part];
    return node.level < 0 ? &tree->facets[node.index].box
                          : &tree->nodes[node.level][node.index].box;
}

/* As boxes tell. */
sc_window sc_passing_near(const sc_passing_nodes *n, sc_window w)
{
    const sc_glide *g = &n->passage->glide;
    const sc_cylinder_box *a = box_of(n, 0), *b = box_of(n, 1);
    const double within = n->keep + g->margin;
    sc_window any = {INFINITY, -INFINITY};
    if (g->both) {
        return w;
    }
    if (a->low[SC_RADIUS] - b->high[SC_RADIUS] > within ||
        b->low[SC_RADIUS] - a->high[SC_RADIUS] > within) {
        return any;
    }
    /* with the low end of b at the height that its box has */
    narrow_to_passing(&w, b->low[SC_HEIGHT], g->part[1].shift,
                      a->low[SC_HEIGHT] - within - (b->high[SC_HEIGHT] - b->low[SC_HEIGHT]),
                      a->high[SC_HEIGHT] + within);
    const double angle = widest_angle(within, sc_max(a->low[SC_RADIUS], b->low[SC_RADIUS]));
    const double low = a->low[SC_ANGLE] - angle - (b->high[SC_ANGLE] - b->low[SC_ANGLE]);
    const double high = a->high[SC_ANGLE] + angle;
    if (high - low >= 2.0 * SC_PI - 0x1p-30) {
        return w;
    }
    for (int turns = -2; turns <= 2 && w.from <= w.to; turns++) {
        sc_window once = w;
        narrow_to_passing(&once, b->low[SC_ANGLE] + 2.0 * SC_PI * turns, g->part[1].turn, low,
                          high);
        if (once.from <= once.to) {
            any.from = sc_min(any.from, once.from);
            any.to = sc_max(any.to, once.to);
        }
    }
    return any;
}

/* ---- for how long nodes are apart ------------------------------------------------- */

/* The first of the facets of a node, and how many they are. */
static size_t facets_of(const sc_cylinder *tree, sc_passing_node n, size_t *first)
{
    size_t width = 1;
    for (int level = n.level; level >= 0; level--) {
        width *= SC_CYLINDER_CHILDREN;
    }
    *first = n.index * width;
    return *first + width < tree->facet_count ? width : tree->facet_count - *first;
}

static const sc_cylinder_node *node_of(const sc_passing_nodes *n, int part)
{
    return &n->passage->tree[part].nodes[n->node[part].level][n->node[part].index];
}

/* All vertices of a node of one part along a way that is no longer than 1. */
typedef struct extent {
    double low, high;
    double slowest, fastest; /* along it */
    sc_glide_rate rate;      /* of none of them less, but for that */
} extent;

/* `own`: the way in its coordinates, as it was at time 0; `mover`: whose screw tells how they move,
 * if not that of the part. */
static extent extent_along(const sc_passing_nodes *n, int part, sc_vec3 own,
                           const sc_glide_part *mover)
{
    const sc_cylinder *tree = &n->passage->tree[part];
    extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY,
                sc_glide_rate_within(mover, box_of(n, part)->high[SC_RADIUS], 0.0)};
    size_t first, count = facets_of(tree, n->node[part], &first);
    for (size_t i = first; i < first + count; i++) {
        for (int k = 0; k < 3; k++) {
            const sc_vec3 v = tree->facets[i].v[k];
            const double height = sc_dot(own, v), along = sc_glide_along(mover, v, own);
            e.low = sc_min(e.low, height);
            e.high = sc_max(e.high, height);
            e.slowest = sc_min(e.slowest, along);
            e.fastest = sc_max(e.fastest, along);
        }
    }
    return e;
}

/* The most of their velocities against each other, both moving. */
static sc_glide_rate rate_of_both(const extent *a, const extent *b)
{
    sc_glide_rate rate = sc_glide_rate_between(a->rate, b->rate);
    rate.along = sc_max(fabs(b->fastest - a->slowest), fabs(b->slowest - a->fastest));
    return rate;
}

/* Either may be taken for what moves: what is nearer to the axis. */
static sc_glide_rate rate_of_one(const extent *a, const extent *b)
{
    const extent *nearer = b->rate.bend < a->rate.bend ? b : a;
    sc_glide_rate rate = nearer->rate;
    rate.along = sc_max(fabs(nearer->slowest), fabs(nearer->fastest));
    return rate;
}

/* How fast two points of parts move against each other, where they have those coordinates of their
 * own at some time. */
static sc_glide_rate rate_between(const sc_glide *g, const sc_glide_poses *at, const sc_vec3 v[2],
                                  sc_vec3 way)
{
    sc_glide_rate rate[2] = {{.along = 0.0}};
    for (int i = g->both ? 0 : 1; i < 2; i++) {
        /* what turns keeps its place along a direction that turns with it */
        rate[i] = sc_glide_rate_of(&g->part[i], v[i], sc_glide_turned_back(g, at, i, way));
    }
    return sc_glide_rate_between(rate[0], rate[1]);
}

/* Two points of nodes at some time, and the way from the first to the second. */
typedef struct between {
    sc_glide_poses at;
    sc_vec3 unit;
    double distance; /* or a little less */
    sc_glide_rate rate;
} between;

static between look_between(const sc_glide *g, sc_vec3 of_a, sc_vec3 of_b, double t)
{
    const sc_vec3 own[2] = {of_a, of_b};
    between b = {.at = sc_glide_at(g, t)};
    const sc_vec3 way =
        sc_sub(sc_glide_placed(g, &b.at, 1, of_b), sc_glide_placed(g, &b.at, 0, of_a));
    b.unit = sc_unit_shortened(way);
    b.distance = sc_length(way) * (1.0 - 0x1p-40);
    b.rate = rate_between(g, &b.at, own, b.unit);
    return b;
}

/* For how long before and after they are kept apart by the spheres around them, which move as
 * their centres do. */
static double time_by_spheres(const sc_passing_nodes *n, double t)
{
    const sc_glide *g = &n->passage->glide;
    const sc_cylinder_node *a = node_of(n, 0), *b = node_of(n, 1);
    const between centres = look_between(g, a->centre, b->centre, t);
    const double gap = centres.distance - a->radius - b->radius;
    return sc_glide_time(&centres.rate, gap - n->keep - g->margin);
}

/* How far a box reaches from its middle along a direction, which is given in its coordinates. */
static double half_along(const sc_cylinder_node *node, sc_vec3 own)
{
    const sc_vec3 half = node->half;
    return fabs(own.x) * half.x + fabs(own.y) * half.y + fabs(own.z) * half.z;
}

/* Of the points of a box instead of its middle: what is off it turns about it. */
static sc_glide_rate rate_of_box(const sc_glide_part *part, const sc_cylinder_node *n,
                                 sc_glide_rate rate)
{
    const double around = part->turn * sqrt(n->half.x * n->half.x + n->half.y * n->half.y);
    rate.bend += 0.5 * part->turn * around;
    rate.speed += around;
    rate.rough += 2.0 * around;
    rate.along += rate.along < 0.0 ? -around : around;
    return rate;
}

/* The same by boxes along the sides of their axes, where both parts move: slivers, as of gears, are
 * long beside how far they are apart. */
static double time_by_boxes(const sc_passing_nodes *n, double t)
{
    const sc_glide *g = &n->passage->glide;
    const sc_cylinder_node *a = node_of(n, 0), *b = node_of(n, 1);
    const between middles = look_between(g, a->middle, b->middle, t);
    const double gap = middles.distance -
                       half_along(a, sc_glide_turned_back(g, &middles.at, 0, middles.unit)) -
                       half_along(b, sc_glide_turned_back(g, &middles.at, 1, middles.unit));
    sc_glide_rate rate = rate_of_box(&g->part[0], a, middles.rate);
    rate = rate_of_box(&g->part[1], b, rate);
    return sc_glide_time(&rate, gap - n->keep - g->margin);
}

/* The same by a plane across the facets of the first. */
static double time_by_plane(const sc_passing_nodes *n, double t)
{
    const sc_glide *g = &n->passage->glide;
    const sc_glide_poses at = sc_glide_at(g, t);
    const sc_vec3 own = sc_unit_shortened(node_of(n, 0)->area);
    const sc_vec3 way = sc_glide_turned(g, &at, 0, own);
    const sc_vec3 back = sc_glide_turned_back(g, &at, 1, way);
    const sc_glide_part *mover = g->both ? &g->part[0] : &g->part[1];
    const extent of_a = extent_along(n, 0, own, mover);
    const extent of_b = extent_along(n, 1, back, &g->part[1]);
    const double lift = sc_glide_lift(g, &at, 1, way) - sc_glide_lift(g, &at, 0, way);
    const double gap = sc_max(of_b.low + lift - of_a.high, of_a.low - of_b.high - lift);
    const sc_glide_rate rate = g->both ? rate_of_both(&of_a, &of_b) : rate_of_one(&of_a, &of_b);
    return sc_glide_time(&rate, gap - n->keep - g->margin);
}

/* By so many looks. */
static bool kept_apart(const sc_passing_nodes *n,
                       double (*time_apart)(const sc_passing_nodes *, double), sc_window w,
                       int looks)
{
    const double t = 0.5 * (w.from + w.to), half = 0.5 * (w.to - w.from);
    const double safe = time_apart(n, t);
    return safe >= half || (looks > 1 && looks * safe >= half &&
                            kept_apart(n, time_apart, (sc_window){w.from, t - safe}, looks / 2) &&
                            kept_apart(n, time_apart, (sc_window){t + safe, w.to}, looks / 2));
}

bool sc_passing_kept_apart(const sc_passing_nodes *n, sc_window w)
{
    enum { LOOKS = 8 };
    const int level = n->node[0].level;
    const bool both = n->passage->glide.both;
    return level == n->node[1].level && level >= 0 &&
           (kept_apart(n, both ? time_by_boxes : time_by_spheres, w, LOOKS) ||
            (level <= 1 && kept_apart(n, time_by_plane, w, LOOKS)));
}

/* ---- how long a time is ------------------------------------------------------------ */

bool sc_passing_is_long(const sc_passing_nodes *n, sc_window w)
{
    const sc_glide *g = &n->passage->glide;
    if (!g->both || n->node[0].level < 0 || n->node[1].level < 0) {
        return false;
    }
    const sc_cylinder_node *a = node_of(n, 0), *b = node_of(n, 1);
    const sc_glide_poses at = sc_glide_at(g, 0.5 * (w.from + w.to));
    const sc_vec3 own[2] = {a->middle, b->middle};
    double velocity[3];
    for (int k = 0; k < 3; k++) {
        const sc_vec3 way = {k == 0, k == 1, k == 2};
        velocity[k] = rate_between(g, &at, own, way).along;
    }
    const sc_vec3 way = sc_vec3_of(velocity), unit = sc_unit_shortened(way);
    const double reach = half_along(a, sc_glide_turned_back(g, &at, 0, unit)) +
                         half_along(b, sc_glide_turned_back(g, &at, 1, unit));
    return 0.5 * (w.to - w.from) * sc_length(way) > reach + n->keep;
}
