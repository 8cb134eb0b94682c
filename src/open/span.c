/* span.c - see span.h.
 *
 * A smooth function differs from what its value and gradient at the middle of a piece tell by no
 * more than half its greatest second derivative times the square of the piece's radius. So much of
 * the tiles at once as that will do for, by boxes, then each by itself, halved as often as it takes:
 * pieces grow small near the border alone, and where the winding number comes close to one half.
 * Up to an integer it is smooth on the surface as well, so pieces may lie across that. */
#include "span.h"

#include "base/alloc.h"
#include "geom/box.h"

/* As near to one half as it may come. */
static const double least_left = 0x1p-30;

typedef struct search {
    const sc_rim *rim;
    const sc_tiles *tiles;
    uint64_t *looks, since_poll;
} search;

/* ---- one piece -------------------------------------------------------------- */

typedef enum answer { BELOW, PERHAPS, REACHED } answer;

/* How far at most it is from 0 within `radius` of where it was looked at, if linear there it comes
 * as far as `linear`. */
static double most_within(const sc_rim_look *look, double linear, double radius)
{
    const double part = radius / look->nearest;
    const double closer =
        1.0 - part; /* so near may the border be, in parts of the least distance */
    const double bend = 0.5 * look->bend * radius * radius / (closer * closer * closer);
    return part < 0.75 ? linear + look->error + look->gradient_error * radius + bend : INFINITY;
}

/* More than rounding takes from the distance of points of a piece. */
static double margin_of(const sc_box *box)
{
    return 0x1p-48 * sc_box_reach(box);
}

static bool look_at(search *s, sc_vec3 p, sc_rim_look *look)
{
    if (*s->looks == 0) {
        return false;
    }
    --*s->looks;
    s->since_poll += s->rim->count + 1;
    if (s->since_poll > 100000) {
        s->since_poll = 0;
        if (!sc_poll_goes_on(&s->tiles->poll)) {
            *s->looks = 0;
        }
    }
    sc_rim_look_at(s->rim, p, look);
    return true;
}

/* At a box that no tile need reach the middle of. */
static answer ask_box(search *s, const sc_box *box)
{
    const sc_vec3 centre = sc_box_centre(box);
    const double margin = margin_of(box);
    double linear, radius = 0.0;
    sc_rim_look look;

    if (!look_at(s, centre, &look)) {
        return REACHED;
    }
    linear = fabs(look.winding);
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * (box->high[k] - box->low[k]) + margin;
        linear += half * fabs(sc_component(look.gradient, k));
        radius += half * half;
    }
    radius = (1.0 + 0x1p-40) * sqrt(radius);
    return most_within(&look, linear, radius) < 0.5 - least_left ? BELOW : PERHAPS;
}

static answer ask_triangle(search *s, const sc_vec3 v[3])
{
    const sc_box box = sc_box_of_points(v, 3);
    const sc_vec3 centre = sc_scale(sc_add(sc_add(v[0], v[1]), v[2]), 1.0 / 3.0);
    const double margin = margin_of(&box);
    double linear = 0.0, radius = 0.0;
    sc_rim_look look;

    if (!look_at(s, centre, &look) ||
        !(fabs(look.winding) + look.error < 0.5 - least_left && look.nearest > 0.0)) {
        return REACHED;
    }
    for (int i = 0; i < 3; i++) {
        const sc_vec3 off = sc_sub(v[i], centre);
        linear = fmax(linear, fabs(look.winding + sc_dot(look.gradient, off)));
        radius = fmax(radius, sc_length(off));
    }
    radius = (1.0 + 0x1p-40) * radius + margin;
    linear += margin * sc_length(look.gradient);
    return most_within(&look, linear, radius) < 0.5 - least_left ? BELOW : PERHAPS;
}

/* ---- all of them -------------------------------------------------------------- */

static bool triangle_stays_below(search *s, const sc_vec3 v[3])
{
    sc_vec3 half[2][3];
    const answer a = ask_triangle(s, v);
    return a == BELOW || (a == PERHAPS && sc_tile_halve(v, half) &&
                          triangle_stays_below(s, half[0]) && triangle_stays_below(s, half[1]));
}

static sc_box box_of_tile(const search *s, size_t tile)
{
    sc_vec3 v[3];
    s->tiles->tile(s->tiles->context, tile, v);
    return sc_box_of_points(v, 3);
}

/* Those whose middle lies below that of the box along its longest side come first: how many. */
static size_t divide(const search *s, const sc_box *box, size_t *tiles, size_t count)
{
    size_t below = 0;
    int axis = 0;

    for (int k = 1; k < 3; k++) {
        axis = box->high[k] - box->low[k] > box->high[axis] - box->low[axis] ? k : axis;
    }
    const double bound = sc_component(sc_box_centre(box), axis);
    for (size_t i = 0; i < count; i++) {
        const size_t tile = tiles[i];
        const sc_box own = box_of_tile(s, tile);
        if (sc_component(sc_box_centre(&own), axis) < bound) {
            tiles[i] = tiles[below];
            tiles[below++] = tile;
        }
    }
    const bool lopsided = below < count / 8 + 1 || count - below < count / 8 + 1;
    return lopsided ? count / 2 : below; /* else it may go too deep */
}

static bool stay_below(search *s, size_t *tiles, size_t count)
{
    sc_box box = sc_box_empty();
    sc_vec3 v[3];

    if (count <= 1) {
        return count == 0 ||
               (s->tiles->tile(s->tiles->context, tiles[0], v), triangle_stays_below(s, v));
    }
    for (size_t i = 0; i < count; i++) {
        const sc_box own = box_of_tile(s, tiles[i]);
        sc_box_add_box(&box, &own);
    }
    const answer a = ask_box(s, &box);
    if (a != PERHAPS) {
        return a == BELOW;
    }
    const size_t below = divide(s, &box, tiles, count);
    return stay_below(s, tiles, below) && stay_below(s, tiles + below, count - below);
}

bool sc_span_stays_below(const sc_rim *rim, const sc_tiles *tiles, uint64_t *looks, bool *below)
{
    search s = {.rim = rim, .tiles = tiles, .looks = looks};
    size_t *asked, count = 0;
    sc_vec3 v[3];

    *below = true;
    if (rim->count == 0) {
        return true; /* an integer, but for less than one half */
    }
    asked = sc_alloc(tiles->count + 1, sizeof *asked);
    for (size_t i = 0; i < tiles->count && asked; i++) {
        if (tiles->tile(tiles->context, i, v)) {
            asked[count++] = i;
        }
    }
    *below = asked && stay_below(&s, asked, count);
    sc_free(asked);
    return asked != NULL;
}
