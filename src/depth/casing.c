/* casing.c - see casing.h.
 *
 * The way from the nearest point of a surface is square to the facet, if that point is within one.
 * If it is within an edge, the way is square to that, and else starts at a corner; and it makes no
 * less than a right angle with any way along the surface from there: that would lead nearer. The
 * ways that are left are a wedge or a cone, convex, which is cut out of the faces of a square tube
 * or a cube, and divided until the planes across their middles are about as far everywhere. */
#include "casing.h"

#include "base/alloc.h"

/* Sines by which a way may lead along a facet all the same, for rounding: of unit vectors that are
 * known to much less than that. */
static const double room = 0x1p-12, known = 0x1p-36;

/* How wide a face may be as seen from the edge or corner, at distance 1: 1 / cos 0.0625 < 1.002. */
static const double widest = 0.125;

/* Of a face that is cut: more of them would not make it much smaller. */
enum { ENOUGH_CORNERS = 16 };

/* ---- ways along the surface -------------------------------------------------- */

/* A search for facets that share an edge, or a corner. */
typedef struct shared {
    sc_casing *casing;
    uint32_t facet;
    sc_vec3 from, to; /* the edge; or both the corner */
    bool taken;       /* by a facet of a lower number */
} shared;

/* Of a vector as long as `of` before most of it went. */
static bool add_way(sc_casing *c, sc_vec3 way, double of)
{
    if (!(sc_length(way) > known * of)) {
        return true;
    }
    if (!sc_make_room(&c->ways, &c->capacity, c->count + 1, sizeof *c->ways)) {
        c->failed = true;
        return false;
    }
    c->ways[c->count++] = sc_unit(way);
    return true;
}

/* Along both sides of a facet from the corner a. */
static bool add_ways_from_corner(sc_casing *casing, sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    return add_way(casing, sc_sub(b, a), 0.0) && add_way(casing, sc_sub(c, a), 0.0);
}

/* Across a facet from the edge a, b. */
static bool add_way_from_edge(sc_casing *casing, sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    const sc_vec3 to = sc_sub(c, a), unit = sc_unit(sc_sub(b, a));
    return add_way(casing, sc_mul_add(to, -sc_dot(to, unit), unit), sc_length(to));
}

static bool add_ways(void *context, uint32_t facet, const sc_vec3 v[3])
{
    shared *s = context;
    const bool is_corner = sc_same(s->from, s->to);
    for (int k = 0; k < 3; k++) {
        const sc_vec3 a = v[k], b = v[k < 2 ? k + 1 : 0], c = v[k > 0 ? k - 1 : 2];
        const bool forth = sc_same(a, s->from) && (is_corner || sc_same(b, s->to));
        const bool back = sc_same(a, s->to) && (is_corner || sc_same(b, s->from));
        if (!(forth || back) || !sc_facet_has_area(v)) {
            continue;
        }
        if (facet < s->facet) {
            s->taken = true;
            return false;
        }
        if (!(is_corner ? add_ways_from_corner : add_way_from_edge)(s->casing, a, b, c)) {
            return false;
        }
    }
    return true;
}

/* Whether the facet is the first one there; if so, finds all ways along the surface. */
static bool find_ways(sc_casing *c, uint32_t facet, sc_vec3 from, sc_vec3 to)
{
    shared s = {c, facet, from, to, false};
    const sc_walk walk = {.within = sc_box_of_points(&from, 1), .facet = add_ways, .context = &s};
    c->count = 0;
    sc_surface_walk(c->surface, &walk);
    return !s.taken && !c->failed;
}

/* ---- about an edge ----------------------------------------------------------- */

/* Of one side of a square tube about an edge: from there to there along `across`, in the middle of
 * which the tube is `up` from the edge, both unit. */
static bool take_side(sc_casing *c, sc_vec3 from, sc_vec3 to, sc_vec3 up, sc_vec3 across)
{
    double low = -1.0, high = 1.0;
    for (size_t i = 0; i < c->count; i++) {
        const double at = room - sc_dot(c->ways[i], up), slope = sc_dot(c->ways[i], across);
        if (slope > 0.0) {
            high = sc_min(high, at / slope);
        } else if (slope < 0.0) {
            low = sc_max(low, at / slope);
        } else if (at < 0.0) {
            return true;
        }
    }
    const int parts = low <= high ? 1 + (int)((high - low) / widest) : 0;
    for (int i = 0; i < parts; i++) {
        const double step = (high - low) / parts;
        const sc_vec3 begin = sc_unit(sc_mul_add(up, low + i * step, across));
        const sc_vec3 end = sc_unit(sc_mul_add(up, low + (i + 1) * step, across));
        const sc_vec3 middle = sc_unit(sc_add(begin, end));
        const double distance = c->distance / sc_dot(begin, middle);
        const sc_piece face = {
            .corner = {sc_mul_add(from, distance, begin), sc_mul_add(to, distance, begin),
                       sc_mul_add(to, distance, end), sc_mul_add(from, distance, end)},
            .count = 4,
            .normal = middle};
        if (!c->take(c->context, &face)) {
            return false;
        }
    }
    return true;
}

/* About an edge, out of which `out` points square to `up`. */
static bool take_edge(sc_casing *c, sc_vec3 from, sc_vec3 to, sc_vec3 out, sc_vec3 up)
{
    const sc_vec3 in = sc_scale(out, -1.0), down = sc_scale(up, -1.0);
    return take_side(c, from, to, out, up) && take_side(c, from, to, up, in) &&
           take_side(c, from, to, in, down) && take_side(c, from, to, down, out);
}

/* ---- about a corner ---------------------------------------------------------- */

/* A convex piece of a cone of ways from a corner, as the face across its middle; or its halves. */
static bool take_cone(sc_casing *c, sc_vec3 corner, const sc_piece *cone)
{
    sc_piece face = *cone, half[2];
    double least = 1.0;
    face.normal = (sc_vec3){0.0, 0.0, 0.0};
    for (int i = 0; i < cone->count; i++) {
        face.corner[i] = sc_unit(cone->corner[i]);
        face.normal = sc_add(face.normal, face.corner[i]);
    }
    face.normal = sc_unit(face.normal);
    for (int i = 0; i < cone->count; i++) {
        least = sc_min(least, sc_dot(face.corner[i], face.normal));
    }
    if (least * SC_CASING_FARTHEST < 1.0) {
        return sc_piece_halve(cone, half) &&
               (half[0].count == 0 || take_cone(c, corner, &half[0])) &&
               (half[1].count == 0 || take_cone(c, corner, &half[1]));
    }
    for (int i = 0; i < face.count; i++) {
        const double distance = c->distance / sc_dot(face.corner[i], face.normal);
        face.corner[i] = sc_mul_add(corner, distance, face.corner[i]);
    }
    return c->take(c->context, &face);
}

/* What of a face of a cube about a corner is none of the ways along the surface, nor near one. */
static bool take_face_of_cube(sc_casing *c, sc_vec3 corner, sc_vec3 up, sc_vec3 right)
{
    const sc_vec3 origin = {0.0, 0.0, 0.0}, left = sc_scale(right, -1.0),
                  back = sc_cross(up, right), front = sc_scale(back, -1.0);
    sc_piece cone = {.corner = {sc_add(up, sc_add(left, front)), sc_add(up, sc_add(right, front)),
                                sc_add(up, sc_add(right, back)), sc_add(up, sc_add(left, back))},
                     .count = 4,
                     .normal = up};
    for (size_t i = 0; i < c->count && cone.count > 0 && cone.count < ENOUGH_CORNERS; i++) {
        sc_piece above, below;
        if (!sc_piece_cut(&cone, c->ways[i], origin, room, &above, &below)) {
            return false;
        }
        cone = below;
    }
    return cone.count == 0 || take_cone(c, corner, &cone);
}

static bool take_corner(sc_casing *c, sc_vec3 corner)
{
    static const sc_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    bool good = true;
    for (int k = 0; k < 6 && good; k++) {
        good = take_face_of_cube(c, corner, sc_scale(axis[k / 2], k % 2 ? -1.0 : 1.0),
                                 axis[(k / 2 + 1) % 3]);
    }
    return good;
}

/* ---- about facets ------------------------------------------------------------ */

bool sc_casing_of_facet(sc_casing *c, uint32_t facet, const sc_wall *wall)
{
    for (int side = 0; side < 2; side++) {
        sc_piece over = {.count = 3, .normal = sc_scale(wall->normal, side ? -1.0 : 1.0)};
        for (int k = 0; k < 3; k++) {
            over.corner[k] = sc_mul_add(wall->v[side ? 2 - k : k], c->distance, over.normal);
        }
        if (!c->take(c->context, &over)) {
            return false;
        }
    }
    for (int k = 0; k < 3; k++) {
        const sc_vec3 from = wall->v[k], to = wall->v[k < 2 ? k + 1 : 0];
        if ((find_ways(c, facet, from, to) &&
             !take_edge(c, from, to, wall->out[k], wall->normal)) ||
            (find_ways(c, facet, from, from) && !take_corner(c, from))) {
            return false;
        }
    }
    return !c->failed;
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

bool sc_casing_of_hair(sc_casing *c, const sc_vec3 v[3])
{
    int longest = 0;
    double most = -1.0;
    for (int k = 0; k < 3; k++) {
        const double length = sc_length(sc_sub(v[k < 2 ? k + 1 : 0], v[k]));
        longest = length > most ? k : longest;
        most = sc_fmax(most, length);
    }
    const sc_vec3 end[2] = {v[longest], v[longest < 2 ? longest + 1 : 0]};
    const sc_vec3 along = sc_unit(sc_sub(end[1], end[0])), up = some_normal(along);
    c->count = 0;
    bool good = take_edge(c, end[0], end[1], sc_cross(along, up), up);
    for (int i = 0; i < 2 && good; i++) {
        c->count = 0;
        good = add_way(c, sc_sub(end[1 - i], end[i]), 0.0) && take_corner(c, end[i]);
    }
    return good;
}
