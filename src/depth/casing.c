/* casing.c - see casing.h.
 *
 * Seen from in front, each side of the facet is moved outwards by the distance, and each corner cut
 * off at the distance across its bisector. So where two lines meet they turn by 90 degrees at most,
 * no farther from the corner than sqrt(2) times the distance, and as much as the distance in front
 * of it or behind: sqrt(3) in all. */
#include "casing.h"

/* Where lines with these outward normals meet, both at distance 1 from a corner. */
static sc_vec3 between(sc_vec3 a, sc_vec3 b)
{
    const sc_vec3 sum = sc_add(a, b);
    return sc_scale(sum, 2.0 / sc_dot(sum, sum));
}

/* Outwards from a corner, along its bisector: of sharp ones the sides tell it, of blunt ones the
 * normals of these. */
static sc_vec3 beyond_corner(const sc_wall *w, int k)
{
    const int last = k > 0 ? k - 1 : 2, next = k < 2 ? k + 1 : 0;
    const sc_vec3 sides =
        sc_add(sc_unit(sc_sub(w->v[k], w->v[last])), sc_unit(sc_sub(w->v[k], w->v[next])));
    const sc_vec3 sum = sc_add(sides, sc_add(w->out[last], w->out[k]));
    return sc_unit(sum);
}

/* The ways from a corner to where its cut begins and ends, at distance 1. */
static void ways_around(const sc_wall *w, int k, sc_vec3 way[2])
{
    const sc_vec3 beyond = beyond_corner(w, k);
    way[0] = between(w->out[k > 0 ? k - 1 : 2], beyond);
    way[1] = between(beyond, w->out[k]);
}

void sc_casing_make(const sc_wall *wall, double distance, sc_piece faces[SC_CASING_FACES])
{
    const sc_vec3 up = sc_scale(wall->normal, distance);
    sc_vec3 line[6];

    for (int k = 0; k < 3; k++) {
        sc_vec3 way[2];
        ways_around(wall, k, way);
        line[2 * k] = sc_mul_add(wall->v[k], distance, way[0]);
        line[2 * k + 1] = sc_mul_add(wall->v[k], distance, way[1]);
    }
    faces[0] = (sc_piece){.count = 6, .normal = wall->normal};
    faces[1] = (sc_piece){.count = 6, .normal = sc_scale(wall->normal, -1.0)};
    for (int i = 0; i < 6; i++) {
        faces[0].corner[i] = sc_add(line[i], up);
        faces[1].corner[5 - i] = sc_sub(line[i], up);
    }
    for (int i = 0; i < 6; i++) { /* odd: beside a side */
        const sc_vec3 *a = &line[i], *b = &line[i < 5 ? i + 1 : 0];
        sc_piece *face = &faces[i % 2 ? 2 + i / 2 : 5 + i / 2];
        *face =
            (sc_piece){.count = 4,
                       .corner = {sc_sub(*a, up), sc_sub(*b, up), sc_add(*b, up), sc_add(*a, up)},
                       .normal = i % 2 ? wall->out[i / 2] : beyond_corner(wall, i / 2)};
    }
}

/* Square to it; unit. */
static sc_vec3 some_normal(sc_vec3 a)
{
    const bool x_is_least = fabs(a.x) <= fabs(a.y) && fabs(a.x) <= fabs(a.z);
    const sc_vec3 axis = x_is_least               ? (sc_vec3){1.0, 0.0, 0.0}
                         : fabs(a.y) <= fabs(a.z) ? (sc_vec3){0.0, 1.0, 0.0}
                                                  : (sc_vec3){0.0, 0.0, 1.0};
    const sc_vec3 normal = sc_cross(a, axis);
    return sc_unit(normal);
}

void sc_casing_make_of_line(const sc_vec3 v[3], double distance, sc_piece faces[SC_CASING_FACES])
{
    sc_wall line;
    int longest = 0;
    double most = -1.0;

    for (int k = 0; k < 3; k++) {
        const double length = sc_length(sc_sub(v[k < 2 ? k + 1 : 0], v[k]));
        longest = length > most ? k : longest;
        most = fmax(most, length);
    }
    const sc_vec3 from = v[longest], to = v[longest < 2 ? longest + 1 : 0],
                  along = sc_sub(to, from);
    line.v[0] = from;
    line.v[1] = to;
    line.v[2] = sc_mul_add(from, 0.5, along); /* its third side: the way back */
    line.normal = some_normal(along);
    line.out[0] = sc_cross(sc_unit(along), line.normal);
    line.out[1] = line.out[2] = sc_scale(line.out[0], -1.0);
    sc_casing_make(&line, distance, faces);
}

/* ---- barred by others ------------------------------------------------------- */

/* Ways out that start at the corner or the side and lead through a face: between two, and up to as
 * much along the normal as away. One that another facet of the surface leads along, less than
 * square to it, is not the shortest from anywhere. */
typedef struct ways {
    sc_vec3 from, to; /* the side; or both the corner */
    sc_vec3 way[2], normal;
    bool barred;
} ways;

/* Whether a way along the surface is less than square to all of them. It comes from vectors as long
 * as `of`: one that is next to nothing beside that leads anywhere, as far as rounding tells. */
static bool bars(const ways *w, sc_vec3 along, double of)
{
    static const double room = 0.01, known = 0x1p-40; /* for rounding */
    const double off = fabs(sc_dot(along, w->normal)) + room * sc_length(along);
    return sc_length(along) > known * of && sc_dot(along, w->way[0]) > off &&
           sc_dot(along, w->way[1]) > off;
}

static bool bars_not_corner(void *context, uint32_t facet, const sc_vec3 v[3])
{
    ways *w = context;
    (void)facet;
    for (int k = 0; k < 3 && !w->barred; k++) {
        if (sc_same(v[k], w->from)) {
            const sc_vec3 a = sc_unit(sc_sub(v[k < 2 ? k + 1 : 0], v[k]));
            const sc_vec3 b = sc_unit(sc_sub(v[k > 0 ? k - 1 : 2], v[k]));
            w->barred = (bars(w, a, 1.0) || bars(w, b, 1.0) || bars(w, sc_add(a, b), 1.0)) &&
                        sc_facet_has_area(v);
        }
    }
    return !w->barred;
}

static bool bars_not_side(void *context, uint32_t facet, const sc_vec3 v[3])
{
    ways *w = context;
    (void)facet;
    for (int k = 0; k < 3 && !w->barred; k++) {
        const sc_vec3 a = v[k], b = v[k < 2 ? k + 1 : 0], c = v[k > 0 ? k - 1 : 2];
        if ((sc_same(a, w->from) && sc_same(b, w->to)) ||
            (sc_same(a, w->to) && sc_same(b, w->from))) {
            const sc_vec3 side = sc_unit(sc_sub(b, a)), to = sc_sub(c, a);
            const sc_vec3 along = sc_mul_add(to, -sc_dot(to, side), side);
            w->barred = bars(w, along, sc_length(to)) && sc_facet_has_area(v);
        }
    }
    return !w->barred;
}

static bool are_barred(sc_surface *surface, ways w,
                       bool (*facet)(void *context, uint32_t facet, const sc_vec3 v[3]))
{
    const sc_walk walk = {.within = sc_box_of_points(&w.from, 1), .facet = facet, .context = &w};
    sc_surface_walk(surface, &walk);
    return w.barred;
}

/* From a corner, between two ways. */
static bool corner_is_barred(sc_surface *surface, const sc_wall *wall, int corner, sc_vec3 a,
                             sc_vec3 b)
{
    const ways w = {wall->v[corner], wall->v[corner], {a, b}, wall->normal, false};
    return are_barred(surface, w, bars_not_corner);
}

bool sc_casing_is_barred(sc_surface *surface, const sc_wall *wall, int face)
{
    sc_vec3 begin[2], end[2];
    if (face < 2) {
        return false;
    }
    if (face >= 5) {
        ways_around(wall, face - 5, begin);
        return corner_is_barred(surface, wall, face - 5, begin[0], begin[1]);
    }
    /* From within a side square to it, or from its ends past their cuts. */
    const int k = face - 2, next = k < 2 ? k + 1 : 0;
    const sc_vec3 out = wall->out[k];
    const ways w = {wall->v[k], wall->v[next], {out, out}, wall->normal, false};
    ways_around(wall, k, begin);
    ways_around(wall, next, end);
    return are_barred(surface, w, bars_not_side) &&
           corner_is_barred(surface, wall, k, begin[1], out) &&
           corner_is_barred(surface, wall, next, out, end[0]);
}
