/* depth_proof.c - see depth_proof.h. */
#include "depth_proof.h"

#include "embedded.h"

#include "geom/tri_intersect.h"

/* Directions to try before a peak counts as possible. */
enum { MAX_TURNS = 8 };

/* Half the extent of the box along d. */
static double half_along(const sc_box *box, sc_vec3 d)
{
    return 0.5 *
           (fabs(d.x) * (box->high[0] - box->low[0]) + fabs(d.y) * (box->high[1] - box->low[1]) +
            fabs(d.z) * (box->high[2] - box->low[2]));
}

double sc_depth_facet_bound(const sc_shell *shell, uint32_t facet, const sc_vec3 *points, int count)
{
    sc_vec3 v[3], on;
    double most = 0.0;
    sc_solid_facet(shell->solid, facet, v);
    for (int i = 0; i < count; i++) {
        most = sc_max(most, sc_facet_distance(points[i], v, &on));
    }
    return most + shell->margin;
}

/* ---- surrounded ------------------------------------------------------------ */

/* The distance from a facet is convex; so is what it exceeds a linear function by, which is largest
 * at one of the points, and raised by that the linear function bounds the distance in their hull.
 * Of several such bounds the least is no more than any mean of them, weighted or not; a mean is
 * linear, too, and largest at one of the points. Where facets surround the hull there are weights
 * for which their slopes cancel, and it hardly matters how large it is. */
enum { MOST_POINTS = 8, MOST_FACETS = 6 };

typedef struct surround {
    const sc_vec3 *points;
    int count;
    double size; /* of the hull */
    uint32_t facet[MOST_FACETS];
    int facets;
    double bound[MOST_FACETS][MOST_POINTS], mean[MOST_FACETS];
    double slopes[MOST_FACETS][MOST_FACETS]; /* scalar products of what bounds deviate by */
    double weight[MOST_FACETS];
} surround;

/* How far the first point is from any other. */
static double extent_of(const sc_vec3 *points, int count)
{
    double most = 0.0;
    for (int i = 1; i < count; i++) {
        sc_vec3 side = sc_sub(points[i], points[0]);
        most = sc_max(most, sc_dot(side, side));
    }
    return sqrt(most);
}

/* A facet that is `nearest` to p; false if there is nothing new about it, or it is smaller than the
 * hull: then smaller hulls are what helps, and many facets may be about as near. */
static bool add_bound(surround *s, const sc_shell *shell, sc_vec3 p, const sc_nearest *nearest)
{
    const int n = s->facets;
    sc_vec3 v[3], on, way = sc_sub(p, nearest->point);
    double length = sc_length(way), excess = -INFINITY, distance, sum = 0.0;

    for (int i = 0; i < n; i++) {
        if (s->facet[i] == nearest->facet) {
            return false;
        }
    }
    way = sc_scale(way, length > 0.0 ? 1.0 / length : 0.0);
    sc_solid_facet(shell->solid, nearest->facet, v);
    if (extent_of(v, 3) < s->size) {
        return false;
    }
    for (int k = 0; k < s->count; k++) {
        distance = sc_facet_distance(s->points[k], v, &on);
        s->bound[n][k] = sc_dot(way, sc_sub(s->points[k], nearest->point));
        excess = sc_max(excess, distance - s->bound[n][k]);
    }
    for (int k = 0; k < s->count; k++) {
        s->bound[n][k] += excess + 8.0 * shell->margin;
        sum += s->bound[n][k];
    }
    s->mean[n] = sum / s->count;
    for (int i = 0; i <= n; i++) {
        double product = 0.0;
        for (int k = 0; k < s->count; k++) {
            product += (s->bound[i][k] - s->mean[i]) * (s->bound[n][k] - s->mean[n]);
        }
        s->slopes[i][n] = s->slopes[n][i] = product;
    }
    s->facet[n] = nearest->facet;
    s->weight[n] = n == 0 ? 1.0 : 0.0;
    s->facets++;
    return true;
}

/* Moves weight between any two facets to where their mean is least, and level: what it deviates by
 * counts in units of `level`. */
static void balance(surround *s, double level)
{
    enum { SWEEPS = 24 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int i = 1; i < s->facets; i++) {
            for (int j = 0; j < i; j++) {
                double rise = (s->mean[i] - s->mean[j]) * level, curve;
                for (int k = 0; k < s->facets; k++) {
                    rise += (s->slopes[i][k] - s->slopes[j][k]) * s->weight[k];
                }
                curve = s->slopes[i][i] + s->slopes[j][j] - 2.0 * s->slopes[i][j];
                double step = curve > 0.0 ? -rise / curve : 0.0;
                step = sc_max(-s->weight[i], sc_min(step, s->weight[j]));
                s->weight[i] += step;
                s->weight[j] -= step;
            }
        }
    }
}

/* The weighted mean where it is largest. */
static double largest_mean(const surround *s)
{
    double most = -INFINITY, total = 0.0;
    for (int i = 0; i < s->facets; i++) {
        total += s->weight[i];
    }
    for (int k = 0; k < s->count; k++) {
        double sum = 0.0;
        for (int i = 0; i < s->facets; i++) {
            sum += s->weight[i] * s->bound[i][k];
        }
        most = sc_max(most, sum / total);
    }
    return most;
}

/* Where no facet yet shows that it is near: one of the points, or `mean`. */
static sc_vec3 open_place(const surround *s, sc_vec3 mean)
{
    sc_vec3 place = mean;
    double most = INFINITY;
    for (int i = 0; i < s->facets; i++) {
        most = sc_min(most, s->mean[i]);
    }
    for (int k = 0; k < s->count; k++) {
        double least = INFINITY;
        for (int i = 0; i < s->facets; i++) {
            least = sc_min(least, s->bound[i][k]);
        }
        place = least > most ? s->points[k] : place;
        most = sc_max(most, least);
    }
    return place;
}

bool sc_depth_is_surrounded(sc_shell *shell, const sc_vec3 *points, int count, sc_vec3 mean,
                            const sc_nearest *nearest, double limit)
{
    static const double level = 0.001;
    static const double near_enough = 0.001; /* in the middle of a ball, exactly is dear */
    surround s = {.points = points, .count = count, .size = extent_of(points, count)};
    sc_nearest n = *nearest;
    sc_vec3 place = mean;

    while (n.facet != UINT32_MAX && n.distance <= limit && add_bound(&s, shell, place, &n)) {
        balance(&s, level * limit);
        if (largest_mean(&s) <= limit) {
            return true;
        }
        if (s.facets == MOST_FACETS) {
            break;
        }
        place = open_place(&s, mean);
        n = sc_shell_nearest(shell, place, (sc_seek){0.0, INFINITY, near_enough, 0.0, n.facet});
    }
    return false;
}

/* ---- moved outside ------------------------------------------------------- */

/* A triangle, and directions in which it is thin: across its plane, and in the plane
 * across its edges. A long piece of surface is thin in these, however wide its box. */
typedef struct obstacle {
    sc_vec3 v[3];
    double margin;
    sc_vec3 axis[4];
    double low[4], high[4];
} obstacle;

static void find_axes(obstacle *o)
{
    double error;
    o->axis[0] = sc_facet_normal(o->v, &error);
    for (int i = 0; i < 3; i++) {
        o->axis[i + 1] = sc_cross(o->axis[0], sc_sub(o->v[(i + 1) % 3], o->v[i]));
    }
    for (int i = 0; i < 4; i++) {
        double length = sc_length(o->axis[i]), x[3];
        o->axis[i] = sc_scale(o->axis[i], length > 0.0 ? 1.0 / length : 0.0);
        for (int k = 0; k < 3; k++) {
            x[k] = sc_dot(o->axis[i], o->v[k]);
        }
        o->low[i] = sc_min(x[0], sc_min(x[1], x[2])) - o->margin;
        o->high[i] = sc_max(x[0], sc_max(x[1], x[2])) + o->margin;
    }
}

static bool meets_box(void *context, const sc_box *box)
{
    const obstacle *o = context;
    sc_vec3 c = sc_box_centre(box);
    bool meets = true;
    for (int i = 0; i < 4 && meets; i++) {
        double at = sc_dot(o->axis[i], c), half = half_along(box, o->axis[i]);
        meets = at - half <= o->high[i] && at + half >= o->low[i];
    }
    return meets;
}

static bool misses_triangle(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const obstacle *o = context;
    (void)facet;
    for (int i = 0; i < 4; i++) {
        double x = sc_dot(o->axis[i], v[0]), y = sc_dot(o->axis[i], v[1]),
               z = sc_dot(o->axis[i], v[2]);
        if (sc_min(x, sc_min(y, z)) > o->high[i] || sc_max(x, sc_max(y, z)) < o->low[i]) {
            return true;
        }
    }
    return sc_tri_meet(o->v, v) == SC_APART;
}

bool sc_depth_triangle_leaves(sc_shell *shell, const sc_vec3 v[3], sc_vec3 way)
{
    obstacle o = {.margin = shell->margin};
    sc_walk walk = {
        .within = sc_box_empty(), .enter = meets_box, .facet = misses_triangle, .context = &o};
    for (int k = 0; k < 3; k++) {
        o.v[k] = sc_shell_tidy(shell, sc_add(v[k], way));
        sc_box_add_point(&walk.within, o.v[k]);
    }
    find_axes(&o);
    walk.within = sc_box_grown(&walk.within, o.margin);
    return sc_shell_walk(shell, &walk) && !sc_shell_contains(shell, o.v[0]);
}

bool sc_depth_box_leaves(sc_shell *shell, const sc_box *box, sc_vec3 way)
{
    sc_box moved = sc_box_moved(box, way);
    moved = sc_box_grown(&moved, shell->margin);
    return sc_solid_clear(shell->solid, &moved, &shell->failed) &&
           !sc_shell_contains(shell, sc_shell_tidy(shell, sc_box_centre(&moved)));
}

/* ---- columns ------------------------------------------------------------- */

/* Coordinates along two sides and the axis, from the centre of the box. */
typedef struct column {
    const sc_shell *shell;
    sc_vec3 centre, axis[3];
    double half[3];
    double low, high; /* heights between which the surface in the column lies, but for `slack` */
    double box_half, reach, slack;
    int facets, looked_at;
} column;

/* How deep a point of the box can lie if both ends of its column are outside. */
static double between(const column *c, double low, double high)
{
    double worst = sc_max(-c->box_half, sc_min(c->box_half, 0.5 * (low + high)));
    return sc_min(high - worst, worst - low);
}

static sc_box box_of_column(const column *c)
{
    double half[3] = {c->shell->margin, c->shell->margin, c->shell->margin};
    for (int k = 0; k < 3; k++) {
        half[0] += fabs(c->axis[k].x) * c->half[k];
        half[1] += fabs(c->axis[k].y) * c->half[k];
        half[2] += fabs(c->axis[k].z) * c->half[k];
    }
    return (sc_box){{c->centre.x - half[0], c->centre.y - half[1], c->centre.z - half[2]},
                    {c->centre.x + half[0], c->centre.y + half[1], c->centre.z + half[2]}};
}

static bool enters_column(void *context, const sc_box *box)
{
    const column *c = context;
    sc_vec3 to = sc_sub(sc_box_centre(box), c->centre);
    double at = 0.0, half = 0.0;
    for (int k = 0; k < 3; k++) {
        at = sc_dot(to, c->axis[k]);
        half = half_along(box, c->axis[k]) + c->shell->margin;
        if (fabs(at) > c->half[k] + half) {
            return false;
        }
    }
    return at + half > c->high + c->slack || at - half < c->low - c->slack;
}

enum { MAX_CLIPPED = 24 };

/* What of a polygon lies on the side coordinate * sign <= limit; or all of it, where rounding has
 * made so many corners of a sliver that there might be too many. */
static int clip(double (*p)[3], int count, int axis, double sign, double limit)
{
    double out[MAX_CLIPPED][3];
    int n = 0;
    if (2 * count > MAX_CLIPPED) {
        return count;
    }
    for (int i = 0; i < count; i++) {
        const double *a = p[i], *b = p[(i + 1) % count];
        double da = limit - sign * a[axis], db = limit - sign * b[axis];
        if (da >= 0.0) {
            memcpy(out[n++], a, sizeof out[0]);
        }
        if ((da < 0.0) != (db < 0.0)) {
            double t = da / (da - db);
            for (int k = 0; k < 3; k++) {
                out[n][k] = a[k] + t * (b[k] - a[k]);
            }
            n++;
        }
    }
    memcpy(p, out, (size_t)n * sizeof out[0]);
    return n;
}

static bool rises_in_column(void *context, uint32_t facet, const sc_vec3 v[3])
{
    column *c = context;
    double p[MAX_CLIPPED][3];
    int count = 3;

    (void)facet;
    for (int i = 0; i < 3; i++) {
        sc_vec3 to = sc_sub(v[i], c->centre);
        for (int k = 0; k < 3; k++) {
            p[i][k] = sc_dot(to, c->axis[k]);
        }
    }
    for (int k = 0; k < 3 && count > 0; k++) {
        count = clip(p, count, k, 1.0, c->half[k]);
        count = count > 0 ? clip(p, count, k, -1.0, c->half[k]) : 0;
    }
    for (int i = 0; i < count; i++) {
        c->low = sc_min(c->low, p[i][2]);
        c->high = sc_max(c->high, p[i][2]);
    }
    /* More facets only make it deeper: once too deep, it stays so. */
    return ++c->looked_at != c->facets && !(between(c, c->low, c->high) > c->reach);
}

/* Whether the column is outside between these two heights, where it meets nothing. */
static bool outside_between(sc_shell *shell, const column *c, double from, double to)
{
    sc_vec3 p = sc_mul_add(c->centre, 0.5 * (from + to), c->axis[2]);
    return !sc_shell_contains(shell, sc_shell_tidy(shell, p));
}

double sc_depth_column_bound(sc_shell *shell, const sc_box *box, sc_vec3 axis, double reach,
                             int facets)
{
    double gap = 8.0 * shell->margin;
    column c = {.shell = shell,
                .centre = sc_box_centre(box),
                .low = INFINITY,
                .high = -INFINITY,
                .reach = reach,
                .slack = 4.0 * shell->margin, /* or all facets of a flat side are looked at */
                .facets = facets};
    sc_vec3 side = fabs(axis.x) < 0.6   ? (sc_vec3){1.0, 0.0, 0.0}
                   : fabs(axis.y) < 0.6 ? (sc_vec3){0.0, 1.0, 0.0}
                                        : (sc_vec3){0.0, 0.0, 1.0};

    side = sc_cross(axis, side);
    c.axis[0] = sc_scale(side, 1.0 / sc_length(side));
    c.axis[1] = sc_cross(axis, c.axis[0]);
    c.axis[2] = axis;
    for (int k = 0; k < 3; k++) {
        c.half[k] = half_along(box, c.axis[k]) + shell->margin;
    }
    c.box_half = c.half[2];
    c.half[2] += reach + 4.0 * gap;
    sc_walk walk = {.within = box_of_column(&c),
                    .enter = enters_column,
                    .facet = rises_in_column,
                    .context = &c};
    if (!sc_shell_walk(shell, &walk) || c.low > c.high) {
        return INFINITY;
    }
    double low = c.low - shell->margin - c.slack, high = c.high + shell->margin + c.slack;
    const double end = c.half[2];
    bool above = high + gap < end && outside_between(shell, &c, high, end);
    bool below = low - gap > -end && outside_between(shell, &c, -end, low);
    double deepest = INFINITY;
    if (above && below) {
        deepest = between(&c, low, high);
    } else if (above) {
        deepest = high + c.box_half;
    } else if (below) {
        deepest = c.box_half - low;
    }
    return sc_max(0.0, deepest) + 2.0 * shell->margin;
}

/* ---- peaks --------------------------------------------------------------- */

typedef struct around {
    sc_shell *shell;
    sc_vec3 centre, ahead;
    const sc_box *box;
    double radius; /* of the box */
    double reach;  /* what is farther from the centre is not nearest to any of the box */
    double half;   /* of the box, along `ahead` */
    int looked_at;
    double least_facing; /* the least sine of a facet that faces ahead, but may be seen from
                            outside; infinite: there is none */
    sc_vec3 against;     /* the normal of a facet that is neither ahead nor faces ahead */
} around;

/* Whether those points of the box that a facet, so far from the centre, is nearest to see it from
 * inside: it faces ahead more than any of them can lie in front of it, both as sines. */
static bool is_seen_from_inside(const around *a, const sc_vec3 v[3], sc_vec3 n, double error,
                                double distance)
{
    const double margin = 4.0 * a->shell->margin;
    sc_vec3 to = sc_sub(a->centre, v[0]);
    double facing = sc_dot(n, a->ahead) - 2.0 * error;
    double front = sc_dot(n, to) + half_along(a->box, n) + margin * sc_length(n) +
                   4.0 * error * (sc_length(to) + a->radius);
    double least = sc_max(distance - a->radius - margin, 0.0);
    return front < facing * least * (1.0 - 0x1p-40);
}

/* Below that the surroundings that matter become too large. */
static const double least_sine = 0.25;

/* Whether the part is known to be embedded: to find out takes as long as some doubts a facet. */
static bool is_embedded(sc_shell *shell)
{
    return 8 * (uint64_t)shell->doubts >= shell->solid->part->mesh->file.facets.count &&
           sc_solid_is_embedded(shell->solid, &shell->failed);
}

/* Counts a facet, or keeps its normal as what stands against the direction. */
static bool count_facet(around *a, bool counts, sc_vec3 n)
{
    double length = sc_length(n);
    if (counts) {
        return ++a->looked_at <= SC_DEPTH_FACETS;
    }
    if (length > 0.0) {
        a->against = sc_scale(n, 1.0 / length);
    }
    return false;
}

static bool lies_ahead(void *context, uint32_t facet, const sc_vec3 v[3])
{
    around *a = context;
    sc_vec3 on;
    double least = INFINITY, error, distance;

    (void)facet;
    a->against = (sc_vec3){0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        least = sc_min(least, sc_dot(sc_sub(v[i], a->centre), a->ahead));
    }
    if (least > a->half || (distance = sc_facet_distance(a->centre, v, &on)) > a->reach ||
        !sc_facet_has_area(v)) {
        return true;
    }
    sc_vec3 n = sc_facet_normal(v, &error);
    double facing = sc_dot(n, a->ahead) - 2.0 * error, length = sc_length(n) + error;
    bool inside =
        facing > 0.0 && (is_seen_from_inside(a, v, n, error, distance) || is_embedded(a->shell));
    bool faces = inside || facing > least_sine * length;
    if (faces && !inside) {
        a->least_facing = sc_min(a->least_facing, facing / length);
    }
    return count_facet(a, faces, n);
}

/* Whether a facet near the centre faces ahead, by the least sine or more. */
static bool faces_ahead(void *context, uint32_t facet, const sc_vec3 v[3])
{
    around *a = context;
    sc_vec3 on;
    double error;

    (void)facet;
    a->against = (sc_vec3){0.0, 0.0, 0.0};
    if (sc_facet_distance(a->centre, v, &on) > a->reach || !sc_facet_has_area(v)) {
        return true;
    }
    sc_vec3 n = sc_facet_normal(v, &error);
    double facing = sc_dot(n, a->ahead) - 2.0 * error;
    return count_facet(a, facing >= a->least_facing * (sc_length(n) + error), n);
}

/* Whether no winding number about the box is above 1 or negative: so all facets that face ahead are
 * seen from inside. Where all of them within a ball do, winding numbers do not grow along `ahead`,
 * nor along any direction that is off it by less than they face it; the ball is so large that
 * its ends lie in such directions from all points that matter. */
static bool bounds_simply(around *near)
{
    around far = *near;
    sc_walk walk = {.centre = far.centre, .facet = faces_ahead, .context = &far};
    far.least_facing = 0.9 * near->least_facing;
    double cosine = sqrt(sc_max(1.0 - far.least_facing * far.least_facing, 0.0));
    double end = near->reach * (1.01 + 1.01 * cosine / far.least_facing);
    far.looked_at = 0;
    near->shell->doubts++;
    far.reach = walk.reach = end + 4.0 * far.shell->margin;
    if (!sc_shell_walk(far.shell, &walk)) {
        near->against = far.against;
        return false;
    }
    int behind, before;
    return sc_shell_winding(far.shell, sc_mul_add(far.centre, -end, far.ahead), &behind) &&
           sc_shell_winding(far.shell, sc_mul_add(far.centre, end, far.ahead), &before) &&
           behind <= 1 && before >= 0;
}

static bool normalise(sc_vec3 *d)
{
    double length = sc_length(*d);
    if (!(length > 0.0)) {
        return false;
    }
    *d = sc_scale(*d, 1.0 / length);
    return true;
}

/* Turns a unit vector until it faces all these normals, no more than it must; false if that
 * is not soon done. */
static bool turn_towards(sc_vec3 *way, const sc_vec3 *normals, int count)
{
    enum { STEPS = 64 };
    double enough = 0.6;
    for (int step = 0; step < STEPS; step++, enough *= 0.95) {
        int worst = 0;
        for (int i = 1; i < count; i++) {
            worst = sc_dot(*way, normals[i]) < sc_dot(*way, normals[worst]) ? i : worst;
        }
        double facing = sc_dot(*way, normals[worst]);
        if (facing >= enough) {
            return true;
        }
        *way = sc_mul_add(*way, 1.5 * enough - facing, normals[worst]);
        if (!normalise(way)) {
            return false;
        }
    }
    return false;
}

bool sc_depth_no_peak(sc_shell *shell, const sc_box *box, const sc_nearest *nearest)
{
    double error, radius = 0.0;
    sc_vec3 v[3], against[MAX_TURNS];

    for (int k = 0; k < 3; k++) {
        double half = 0.5 * (box->high[k] - box->low[k]);
        radius += half * half;
    }
    radius = sqrt(radius);
    around a = {.shell = shell, .box = box, .radius = radius, .centre = sc_box_centre(box)};
    a.reach = nearest->distance + 2.0 * radius + 4.0 * shell->margin;
    a.ahead = sc_sub(nearest->point, a.centre);
    if (nearest->distance < radius) { /* too near for a direction: that of the facet */
        sc_solid_facet(shell->solid, nearest->facet, v);
        a.ahead = sc_facet_normal(v, &error);
    }
    bool possible = normalise(&a.ahead);
    for (int turn = 0; turn < MAX_TURNS && possible; turn++) {
        a.half = half_along(box, a.ahead) + 2.0 * shell->margin;
        a.looked_at = 0;
        a.least_facing = INFINITY;
        sc_walk walk = {.centre = a.centre,
                        .reach = a.reach,
                        .way = a.ahead,
                        .most = sc_dot(a.centre, a.ahead) + a.half,
                        .facet = lies_ahead,
                        .context = &a};
        if (sc_shell_walk(shell, &walk) && (!isfinite(a.least_facing) || bounds_simply(&a))) {
            return true;
        }
        if (shell->failed || sc_dot(a.against, a.against) == 0.0) {
            return false;
        }
        against[turn] = a.against;
        possible = turn_towards(&a.ahead, against, turn + 1);
    }
    return false;
}
