/* depth_column.c - see depth_proof.h: how deep a column of space is, from the heights of the surface in
 * it. */
#include "depth_proof.h"

#include <string.h>

/* Coordinates along two sides and the axis, from the centre of the box. */
typedef struct column {
    const sc_shell *shell;
    sc_vec3 centre, axis[3];
    double half[3], box_half; /* along the axis: of the column, which is longer, and of the box */
    double low, high;         /* heights between which the surface in it lies, but for `slack` */
    bool below, above;        /* whether it is outside beyond them */
    double reach, slack;
    int facets, looked_at;
} column;

/* How far a point between these heights can lie from the surface below or above it, beyond which is
 * outside. */
static double deepest_between(const column *c, double low, double high)
{
    double middle = 0.5 * (c->low + c->high);
    if (c->below && c->above) {
        double worst = sc_max(low, sc_min(high, middle));
        return sc_min(c->high - worst, worst - c->low);
    }
    return c->above ? c->high - low : c->below ? high - c->low : INFINITY;
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
        half = sc_box_half_along(box, c->axis[k]) + c->shell->margin;
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
    return ++c->looked_at != c->facets &&
           !(deepest_between(c, -c->box_half, c->box_half) > c->reach);
}

/* Whether the column is outside between these two heights, where it meets nothing. */
static bool outside_between(sc_shell *shell, const column *c, double from, double to)
{
    sc_vec3 p = sc_mul_add(c->centre, 0.5 * (from + to), c->axis[2]);
    return !sc_shell_contains(shell, sc_shell_tidy(shell, p));
}

/* Of the box along the axis, up to `length` beyond both ends. */
static column column_of(const sc_shell *shell, const sc_box *box, sc_vec3 axis, double length)
{
    column c = {.shell = shell,
                .centre = sc_box_centre(box),
                .low = INFINITY,
                .high = -INFINITY,
                .below = true, /* as far as is known */
                .above = true,
                .slack = 4.0 * shell->margin}; /* or all facets of a flat side are looked at */
    sc_vec3 side = fabs(axis.x) < 0.6   ? (sc_vec3){1.0, 0.0, 0.0}
                   : fabs(axis.y) < 0.6 ? (sc_vec3){0.0, 1.0, 0.0}
                                        : (sc_vec3){0.0, 0.0, 1.0};

    side = sc_cross(axis, side);
    c.axis[0] = sc_scale(side, 1.0 / sc_length(side));
    c.axis[1] = sc_cross(axis, c.axis[0]);
    c.axis[2] = axis;
    for (int k = 0; k < 3; k++) {
        c.half[k] = sc_box_half_along(box, c.axis[k]) + shell->margin;
    }
    c.box_half = c.half[2];
    c.half[2] += length;
    return c;
}

/* Finds out between which heights the surface lies, and what is beyond; false if there is none in
 * the column, or it stopped. */
static bool measure(sc_shell *shell, column *c)
{
    const double gap = 8.0 * shell->margin, end = c->half[2];
    sc_walk walk = {
        .within = box_of_column(c), .enter = enters_column, .facet = rises_in_column, .context = c};
    if (!sc_shell_walk(shell, &walk) || c->low > c->high) {
        return false;
    }
    c->low -= shell->margin + c->slack;
    c->high += shell->margin + c->slack;
    c->above = c->high + gap < end && outside_between(shell, c, c->high, end);
    c->below = c->low - gap > -end && outside_between(shell, c, -end, c->low);
    return true;
}

/* Room for what lies beyond the surface. */
static double beyond(const sc_shell *shell)
{
    return 32.0 * shell->margin;
}

double sc_depth_column_bound(sc_shell *shell, const sc_box *box, sc_vec3 axis, double reach,
                             int facets)
{
    column c = column_of(shell, box, axis, reach + beyond(shell));
    c.reach = reach;
    c.facets = facets;
    return measure(shell, &c)
               ? sc_max(0.0, deepest_between(&c, -c.box_half, c.box_half)) + 2.0 * shell->margin
               : INFINITY;
}

bool sc_depth_common_column(sc_shell shell[2], const sc_box *box, sc_vec3 axis, double limit)
{
    column c[2];
    double low = -INFINITY, high = INFINITY;

    for (int x = 0; x < 2; x++) {
        c[x] = column_of(&shell[x], box, axis, limit + beyond(&shell[x]));
        c[x].reach = INFINITY;
        c[x].facets = SC_DEPTH_FACETS;
        if (!measure(&shell[x], &c[x])) {
            return false;
        }
        low = sc_max(low, c[x].below ? sc_max(c[x].low, -c[x].box_half) : -c[x].box_half);
        high = sc_min(high, c[x].above ? sc_min(c[x].high, c[x].box_half) : c[x].box_half);
    }
    for (int x = 0; x < 2 && low <= high; x++) {
        if (!(deepest_between(&c[x], low, high) + 2.0 * shell[x].margin <= limit)) {
            return false;
        }
    }
    return true;
}
