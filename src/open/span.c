/* span.c - see span.h.
 *
 * A smooth function differs from what its value and gradient at the middle of a piece tell by no
 * more than half its greatest second derivative times the square of the piece's radius. That is
 * asked of all tiles at once, then of parts of them, at last of each, halved as often as it takes:
 * pieces grow small near the border alone, and where the winding number comes close to one half.
 * In small pieces only the edges nearby are looked at one by one (view.h). Up to an integer the
 * winding number is smooth on the surface as well, so pieces may lie across that. */
#include "span.h"

#include "base/alloc.h"
#include "geom/box.h"
#include "view.h"

#include <string.h>

/* As near to one half as it may come. */
static const double least_left = 0x1p-30;

typedef struct triangle {
    sc_vec3 v[3];
} triangle;

typedef struct search {
    const sc_tiles *tiles;
    double least;                 /* triangles of a smaller radius are not halved: near a point that
                                     has a coordinate of 0 there would be no end to it */
    uint64_t edges, polled_edges; /* that may be looked at; left when it was polled last */
    bool failed;                  /* memory ran out */
} search;

/* ---- one piece -------------------------------------------------------------- */

/* Some triangles, as seen from the middle of their box; that of one lies on it. */
typedef struct piece {
    const triangle *triangles; /* [count] */
    size_t count;
    sc_vec3 centre;
    double radius;
    double margin; /* more than rounding takes from the place of a corner */
    sc_rim_look look;
} piece;

typedef enum answer { BELOW, PERHAPS, REACHED } answer;

static sc_vec3 middle_of(const triangle *t)
{
    return sc_triangle_middle(t->v);
}

static sc_box box_of(const triangle *triangles, size_t count)
{
    sc_box box = sc_box_empty();

    for (size_t i = 0; i < 3 * count; i++) {
        sc_box_add_point(&box, triangles[i / 3].v[i % 3]);
    }
    return box;
}

static piece piece_of(const triangle *triangles, size_t count, const sc_box *box)
{
    piece p = {.triangles = triangles, .count = count, .margin = 0x1p-48 * sc_box_reach(box)};

    p.centre = count == 1 ? middle_of(triangles) : sc_box_centre(box);
    for (size_t i = 0; i < 3 * count; i++) {
        p.radius = sc_fmax(p.radius, sc_length(sc_sub(triangles[i / 3].v[i % 3], p.centre)));
    }
    p.radius = (1.0 + 0x1p-40) * p.radius + p.margin;
    return p;
}

/* False where no more edges are to be looked at. */
static bool look_at(search *s, const sc_view *view, piece *p)
{
    enum { EDGES_A_POLL = 100000 };

    if (s->polled_edges - s->edges > EDGES_A_POLL) {
        s->polled_edges = s->edges;
        if (!sc_poll_goes_on(&s->tiles->poll)) {
            s->edges = 0;
        }
    }
    if (s->edges < view->count + 1) {
        s->edges = 0;
        return false;
    }
    s->edges -= view->count + 1;
    sc_view_look_at(view, p->centre, &p->look);
    return true;
}

/* So far from 0 what is linear about the middle of a piece gets on it: at a corner. */
static double linear(const piece *p)
{
    const sc_vec3 gradient = p->look.gradient;
    double most = 0.0;

    for (size_t i = 0; i < 3 * p->count; i++) {
        const sc_vec3 corner = sc_sub(p->triangles[i / 3].v[i % 3], p->centre);
        most = sc_fmax(most, fabs(p->look.winding + sc_dot(gradient, corner)));
    }
    return most + p->margin * sc_length(gradient);
}

/* How far at most the winding number is from 0. */
static double most_of(const piece *p)
{
    const sc_rim_look *look = &p->look;
    const double part = p->radius / look->nearest;
    const double closer =
        1.0 - part; /* so near may the border be, in parts of the least distance */
    const double bend = 0.5 * look->bend * p->radius * p->radius / (closer * closer * closer);
    return part < 0.75 ? linear(p) + look->error + look->gradient_error * p->radius + bend
                       : INFINITY;
}

/* Whether a view leaves out more than it may where so little is left. */
static bool is_too_narrow(const sc_view *view, const piece *p)
{
    const double slack = view->rim->slack, left = 0.5 - slack - fabs(p->look.winding);
    return view->wider && !(view->error - slack <= 0.25 * left);
}

/* With the narrowest of the views, and of those that it was made of, that tells. */
static answer ask(search *s, const sc_view **view, piece *p)
{
    while (look_at(s, *view, p)) {
        if (most_of(p) < 0.5 - least_left) {
            return BELOW;
        }
        if (is_too_narrow(*view, p)) {
            *view = (*view)->wider;
            continue;
        }
        const bool below = fabs(p->look.winding) + p->look.error < 0.5 - least_left;
        return p->count == 1 && !(below && p->look.nearest > 0.0) ? REACHED : PERHAPS;
    }
    return REACHED;
}

/* The border as seen from within the piece; *made of it, or as before where that is no worse. */
static const sc_view *narrow(search *s, const sc_view *view, const piece *p, sc_view *made)
{
    const double left = 0.5 - fabs(p->look.winding) - p->look.error;
    bool narrowed;

    s->edges -= s->edges < view->count ? s->edges : view->count;
    if (!sc_view_narrow(view, &p->look, p->centre, p->radius, left / 16.0, made, &narrowed)) {
        s->failed = true;
    }
    return narrowed ? made : view;
}

/* ---- all of them -------------------------------------------------------------- */

static bool triangle_stays_below(search *s, const sc_view *view, const triangle *t)
{
    const sc_box box = box_of(t, 1);
    piece p = piece_of(t, 1, &box);
    sc_view made = {.near = NULL};
    triangle half[2];
    sc_vec3 halves[2][3];

    const answer a = ask(s, &view, &p);
    if (a != PERHAPS || p.radius <= s->least || !sc_tile_halve(t->v, halves)) {
        return a == BELOW;
    }
    memcpy(half, halves, sizeof half);
    view = narrow(s, view, &p, &made);
    bool below = !s->failed && triangle_stays_below(s, view, &half[0]) &&
                 triangle_stays_below(s, view, &half[1]);
    sc_view_free(&made);
    return below;
}

/* Those whose middle lies below that of the box along its longest side come first: how many. */
static size_t divide(const sc_box *box, triangle *triangles, size_t count)
{
    size_t below = 0;
    int axis = 0;

    for (int k = 1; k < 3; k++) {
        axis = box->high[k] - box->low[k] > box->high[axis] - box->low[axis] ? k : axis;
    }
    const double bound = sc_component(sc_box_centre(box), axis);
    for (size_t i = 0; i < count; i++) {
        if (sc_component(middle_of(&triangles[i]), axis) < bound) {
            const triangle t = triangles[i];
            triangles[i] = triangles[below];
            triangles[below++] = t;
        }
    }
    const bool lopsided = below < count / 8 + 1 || count - below < count / 8 + 1;
    return lopsided ? count / 2 : below; /* else it may go too deep */
}

static bool stay_below(search *s, const sc_view *view, triangle *triangles, size_t count)
{
    if (count <= 1) {
        return count == 0 || triangle_stays_below(s, view, triangles);
    }
    const sc_box box = box_of(triangles, count);
    piece p = piece_of(triangles, count, &box);
    sc_view made = {.near = NULL};

    const answer a = ask(s, &view, &p);
    if (a != PERHAPS) {
        return a == BELOW;
    }
    const size_t below = divide(&box, triangles, count);
    view = narrow(s, view, &p, &made);
    bool all = !s->failed && stay_below(s, view, triangles, below) &&
               stay_below(s, view, triangles + below, count - below);
    sc_view_free(&made);
    return all;
}

/* Those that are asked about; NULL if memory ran out. */
static triangle *list(const sc_tiles *tiles, size_t *count)
{
    triangle one, *triangles;

    *count = 0;
    for (size_t i = 0; i < tiles->count; i++) {
        *count += tiles->tile(tiles->context, i, one.v);
    }
    triangles = sc_alloc(*count + 1, sizeof *triangles);
    *count = 0;
    for (size_t i = 0; i < tiles->count && triangles; i++) {
        if (tiles->tile(tiles->context, i, one.v)) {
            triangles[(*count)++] = one;
        }
    }
    return triangles;
}

bool sc_span_stays_below(const sc_rim *rim, const sc_tiles *tiles, uint64_t *edges, bool *below)
{
    const sc_view whole = sc_view_of(rim);
    search s = {.tiles = tiles, .edges = *edges, .polled_edges = *edges};
    size_t count;

    *below = true;
    if (rim->count == 0) {
        return true; /* an integer, but for less than one half */
    }
    triangle *triangles = list(tiles, &count);
    if (triangles && count > 0) {
        const sc_box box = box_of(triangles, count);
        s.least = 0x1p-46 * sc_box_reach(&box);
    }
    *below = triangles && stay_below(&s, &whole, triangles, count);
    *edges = s.edges;
    sc_free(triangles);
    return triangles && !s.failed;
}
