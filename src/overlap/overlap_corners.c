/* overlap_corners.c - see overlap_corners.h. */
#include "overlap_corners.h"

#include "overlap_pieces.h"

/* ---- residues -------------------------------------------------------------- */

static sc_residue3 plane_normal(const sc_field *f, const sc_vec3 v[3])
{
    sc_residue3 p = sc_field_from3(f, v[0]);
    return sc_field_cross(f, sc_field_subtract3(f, sc_field_from3(f, v[1]), p),
                          sc_field_subtract3(f, sc_field_from3(f, v[2]), p));
}

void sc_boundary_line_know(const sc_crossings *x, const sc_field field[SC_LINE_FIELDS],
                           sc_boundary_line *l)
{
    for (int i = 0; i < SC_LINE_FIELDS && !l->known; i++) {
        const sc_field *f = &field[i];
        sc_line_residues *r = &l->in[i];
        r->normal = plane_normal(f, l->plane);
        if (l->edge) {
            r->base = sc_field_from3(f, l->edge[0]);
            r->along = sc_field_subtract3(f, sc_field_from3(f, l->edge[1]), r->base);
        } else {
            r->base = sc_crossing_point(x, f, l->start);
            r->along = sc_field_cross(f, r->normal, plane_normal(f, l->other));
        }
    }
    l->known = true;
}

sc_residue3 sc_boundary_corner_residue(const sc_crossings *x, const sc_field *f,
                                       const sc_boundary_corner *c)
{
    return c->crossing ? sc_crossing_point(x, f, c->crossing) : sc_field_from3(f, c->at);
}

/* ---- the boundary ---------------------------------------------------------- */

typedef struct walk {
    const sc_crossings *x;
    const sc_corner_visitor *visitor;
    const sc_sums *sums; /* with the boxes of runs; none where all of them are looked at */
} walk;

static inline bool box_matters(const walk *w, const sc_box *box)
{
    const sc_box *inner = w->visitor->inner;
    bool reaches = false;
    for (int k = 0; k < 3; k++) {
        reaches |= (box->low[k] <= inner->low[k]) | (box->high[k] >= inner->high[k]);
    }
    return reaches;
}

static inline bool matters(const walk *w, const sc_vec3 *corners, int count)
{
    if (!w->visitor->inner) {
        return true;
    }
    const sc_box own = sc_box_of_points(corners, count);
    return box_matters(w, &own);
}

/* Whether the visitor is told of lines on a facet, as it stands. */
static inline bool is_asked_for(const walk *w, const sc_vec3 v[3])
{
    return !w->visitor->flat_facet || sc_facet_is_flat(v, 0) || sc_facet_is_flat(v, 1) ||
           sc_facet_is_flat(v, 2);
}

/* Of most facets this is all that is asked. */
static inline bool facet_matters(const walk *w, const sc_vec3 v[3])
{
    return is_asked_for(w, v) && matters(w, v, 3);
}

static void tell(const walk *w, sc_boundary_line *line, const sc_boundary_corner *corner)
{
    w->visitor->corner(w->visitor->context, line, corner);
}

static sc_boundary_corner crossing_corner(const walk *w, size_t number, int times)
{
    const sc_crossing *crossing = &w->x->crossings[number];
    return (sc_boundary_corner){.at = sc_add(crossing->point, w->x->origin),
                                .crossing = crossing,
                                .node = sc_pieces_crossing(w->x, number),
                                .times = times};
}

/* The stretches of an edge inside the other part: all that counts is where they end and begin. */
static void tell_edge(const walk *w, int part, const sc_vec3 plane[3], uint32_t from, uint32_t to)
{
    const sc_windings *in = &w->x->windings[part];
    const sc_crossed_edge e = sc_crossings_of_edge(w->x, part, from, to);
    const sc_vec3 ends[2] = {in->points[e.low], in->points[e.high]};
    int winding = e.winding;
    sc_boundary_line l = {.plane = {plane[0], plane[1], plane[2]}, .edge = ends};

    sc_boundary_corner c = {
        .at = ends[0], .node = sc_pieces_vertex(w->x, part, e.low), .times = -e.sign * winding};
    tell(w, &l, &c);
    for (size_t i = e.first; i < e.last; i++) {
        const int enters = w->x->crossings[i].enters;
        c = crossing_corner(w, i, -e.sign * enters);
        tell(w, &l, &c);
        winding += enters;
    }
    c = (sc_boundary_corner){
        .at = ends[1], .node = sc_pieces_vertex(w->x, part, e.high), .times = e.sign * winding};
    tell(w, &l, &c);
}

static void tell_facet(const walk *w, int part, const sc_active *f)
{
    const sc_windings *in = &w->x->windings[part];
    sc_vec3 plane[3];

    for (int k = 0; k < 3; k++) {
        plane[k] = in->points[f->vertex[k]];
    }
    if (!facet_matters(w, plane)) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        tell_edge(w, part, plane, f->vertex[k], f->vertex[(k + 1) % 3]);
    }
}

/* The edge of a patch's facet from its vertex k on. */
static void tell_patch_edge(const walk *w, size_t node, const sc_vec3 v[3], int k, int winding)
{
    const sc_vec3 from = v[k], to = v[(k + 1) % 3];
    const bool turned = sc_vec3_before(to, from);
    const sc_vec3 ends[2] = {turned ? to : from, turned ? from : to};
    sc_boundary_line l = {.plane = {v[0], v[1], v[2]}, .edge = ends};
    sc_boundary_corner start = {.at = from, .node = node, .times = -winding};
    sc_boundary_corner end = {.at = to, .node = node, .times = winding};
    tell(w, &l, &start);
    tell(w, &l, &end);
}

/* Whether none of a run matters, of which that is the box; NULL: nobody knows. */
static bool is_idle(const walk *w, const sc_box *boxes, size_t run)
{
    return boxes && !box_matters(w, &boxes[run]);
}

static void tell_patch(const walk *w, int part, size_t number)
{
    const sc_windings *in = &w->x->windings[part];
    const sc_patch *patch = &in->patches[number];
    const size_t node = sc_pieces_patch(w->x, part, number);

    for (size_t i = patch->facet; i < patch->facet + patch->facets; i++) {
        sc_vec3 v[3];
        if ((i == patch->facet || i % SC_SUMS_RUN == 0) &&
            is_idle(w, w->sums->runs[part], i / SC_SUMS_RUN)) {
            i |= SC_SUMS_RUN - 1; /* the last of the run */
            continue;
        }
        sc_solid_facet(in->own, in->patch_facets[i], v);
        if (!facet_matters(w, v)) {
            continue;
        }
        if (w->visitor->flat_facet) {
            w->visitor->flat_facet(w->visitor->context, v, node, patch->winding);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            tell_patch_edge(w, node, v, k, patch->winding);
        }
    }
}

/* A segment is an edge of what lies inside of either facet: forwards for A, backwards for B. */
static void tell_segment(const walk *w, const sc_segment *segment)
{
    const sc_crossing *crossings = w->x->crossings;
    const sc_vec3 at[2] = {sc_add(crossings[segment->start].point, w->x->origin),
                           sc_add(crossings[segment->end].point, w->x->origin)};
    if (!matters(w, at, 2)) {
        return;
    }
    const sc_boundary_corner ends[2] = {crossing_corner(w, segment->start, -1),
                                        crossing_corner(w, segment->end, 1)};
    for (int part = 0; part < 2; part++) {
        sc_boundary_line l = {.start = ends[0].crossing, .start_at = at[0]};
        sc_solid_facet(w->x->solid[part], segment->facet[part], l.plane);
        sc_solid_facet(w->x->solid[1 - part], segment->facet[1 - part], l.other);
        for (int i = 0; i < 2 && is_asked_for(w, l.plane); i++) {
            sc_boundary_corner c = ends[i];
            c.times = part == 0 ? c.times : -c.times;
            tell(w, &l, &c);
        }
    }
}

void sc_overlap_corners(const sc_crossings *x, const sc_corner_visitor *visitor)
{
    static const sc_sums none = {.of = NULL};
    const walk w = {x, visitor, visitor->sums ? visitor->sums : &none};
    sc_watch *watch = x->solid[0]->watch;
    for (int part = 0; part < 2; part++) {
        const sc_windings *in = &x->windings[part];
        for (size_t i = 0; i < in->count && !sc_watch_ends(watch, i); i++) {
            if (i % SC_CORNERS_RUN == 0 && is_idle(&w, w.sums->facets[part], i / SC_CORNERS_RUN)) {
                i += SC_CORNERS_RUN - 1;
                continue;
            }
            tell_facet(&w, part, &in->facets[i]);
        }
        for (size_t i = 0; i < in->patch_count; i++) {
            tell_patch(&w, part, i);
        }
    }
    for (size_t i = 0; i < x->segment_count && !sc_watch_ends(watch, i); i++) {
        if (i % SC_CORNERS_RUN == 0 && is_idle(&w, w.sums->segments, i / SC_CORNERS_RUN)) {
            i += SC_CORNERS_RUN - 1;
            continue;
        }
        tell_segment(&w, &x->segments[i]);
    }
}
