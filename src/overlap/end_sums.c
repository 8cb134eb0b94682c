/* end_sums.c - see end_sums.h.
 *
 * If all corners about an end are at one place up to rounding, and their factors of some power do
 * not add up to nothing, then there is one place of these at which they do not: up to there is
 * volume. So what is flush there, and crosses how, need not be known; where the boundary is a sheet
 * the sums are 0, which doubles cannot tell. */
#include "end_sums.h"

#include "geom/orient.h"

#include <stdlib.h>

/* More than errors amount to of what a sum is made of. */
static const double told[SC_END_DEGREES] = {0x1p-36, 0x1p-18, 0x1p-18};

sc_weighed sc_end_area(sc_vec3 base, sc_vec3 p, int axis)
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    const double left = sc_component(base, i) * sc_component(p, k);
    const double right = sc_component(base, k) * sc_component(p, i);
    return (sc_weighed){left - right, fabs(left) + fabs(right)};
}

/* A normal of a facet, at most 1 long, much less where it is a needle: components are off by at
 * most 2^-48, but exactly 0 or not. */
typedef struct plane {
    double normal[3];
} plane;

static plane plane_of(const sc_vec3 v[3])
{
    const sc_vec3 a = sc_sub(v[1], v[0]), b = sc_sub(v[2], v[0]);
    const double size = sqrt(sc_dot(a, a) * sc_dot(b, b));
    plane p;
    sc_vec3_store(sc_cross(a, b), p.normal);
    for (int k = 0; k < 3; k++) {
        p.normal[k] /= size;
        if (fabs(p.normal[k]) <= 0x1p-49) {
            p.normal[k] = sc_orient2d(v[0], v[1], v[2], k) == 0 ? 0.0 : 0x1p-50;
        }
    }
    return p;
}

/* The direction of a line, whose components are off by at most `error`, or plainly 0. */
typedef struct direction {
    double along[3], error;
    bool is_zero[3];
} direction;

static direction direction_of_edge(const sc_vec3 edge[2])
{
    direction d = {.error = 0.0};
    sc_vec3_store(sc_sub(edge[1], edge[0]), d.along);
    for (int k = 0; k < 3; k++) {
        d.is_zero[k] = d.along[k] == 0.0;
    }
    return d;
}

static direction direction_of_segment(const plane *a, const plane *b)
{
    direction d = {.error = 0x1p-45};
    for (int axis = 0; axis < 3; axis++) {
        const int i = (axis + 1) % 3, k = (axis + 2) % 3;
        const double left = a->normal[i] * b->normal[k], right = a->normal[k] * b->normal[i];
        d.along[axis] = left - right;
        d.is_zero[axis] = left == 0.0 && right == 0.0;
    }
    return d;
}

/* n / (n1^2 + n2^2) (n1 w2 - n2 w1) of a facet's normal and a way in its plane, along an axis; that
 * is as long as the component of the way across the line in which the facet is seen from there. */
static sc_weighed term_of(const plane *p, sc_vec3 way, double reach, int axis)
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    const double *n = p->normal;
    const double under = n[i] * n[i] + n[k] * n[k];
    const double across = n[i] * sc_component(way, k) - n[k] * sc_component(way, i);
    return (sc_weighed){n[axis] * across / under, reach / under};
}

/* Whether the facet is seen so nearly face on that rounding hides along which lines it rises. */
static bool is_too_flat(const plane *p, int axis)
{
    const double n1 = p->normal[(axis + 1) % 3], n2 = p->normal[(axis + 2) % 3];
    return !(n1 * n1 + n2 * n2 >= 0x1p-36);
}

/* Whether all of the line has one coordinate along the axis, exactly. */
static bool is_perpendicular(const sc_crossings *x, const sc_field field[SC_LINE_FIELDS],
                             sc_boundary_line *line, const direction *d, int axis)
{
    if (d->is_zero[axis] || fabs(d->along[axis]) > d->error) {
        return d->is_zero[axis];
    }
    sc_boundary_line_know(x, field, line);
    return sc_residue_component(line->in[0].along, axis) == 0;
}

void sc_end_terms(const sc_crossings *x, const sc_field field[SC_LINE_FIELDS],
                  sc_boundary_line *line, const sc_boundary_corner *corner, double slack,
                  sc_end_term of[3])
{
    const plane facet = plane_of(line->plane);
    sc_vec3 to;
    direction d;
    if (line->edge) {
        to = sc_sub(corner->at, line->edge[0]);
        d = direction_of_edge(line->edge);
    } else {
        const plane other = plane_of(line->other);
        to = sc_sub(corner->at, line->start_at);
        d = direction_of_segment(&facet, &other);
    }

    for (int axis = 0; axis < 3; axis++) {
        sc_end_term *term = &of[axis];
        *term = (sc_end_term){.degree = -1};
        if (facet.normal[axis] == 0.0 || sc_facet_is_flat(line->plane, axis)) {
            continue;
        }
        const double rise = d.along[axis];
        term->doubted = is_too_flat(&facet, axis);
        if (is_perpendicular(x, field, line, &d, axis)) {
            term->degree = 1;
            term->factor = term_of(&facet, to, sc_length(to) + 0x1p20 * slack, axis);
        } else {
            const sc_vec3 along = sc_vec3_of(d.along);
            term->degree = 2;
            term->doubted = term->doubted || !(fabs(rise) >= 0x1p21 * d.error);
            term->factor = term_of(&facet, along, sc_length(along), axis);
            term->factor.value /= rise;
            term->factor.terms /= fabs(rise);
        }
    }
}

void sc_end_sums_add(sc_end_sums *sums, const sc_end_term *term, int times, double outwards)
{
    if (term->degree < 0) {
        return;
    }
    sums->factor[term->degree].value += times * term->factor.value;
    sums->factor[term->degree].terms += abs(times) * term->factor.terms;
    sums->innermost = sc_min(sums->innermost, outwards);
    sums->doubted = sums->doubted || term->doubted;
}

bool sc_end_sums_tell(const sc_end_sums *sums, double end, double slack)
{
    bool tell = false;
    for (int i = 0; i < SC_END_DEGREES; i++) {
        tell = tell || fabs(sums->factor[i].value) > told[i] * sums->factor[i].terms;
    }
    return tell && !sums->doubted && end - sums->innermost <= 0x1p-10 * slack;
}
