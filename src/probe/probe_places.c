/* probe_places.c - see prober.h: the places where a line meets a part, and inside.
 *
 * Floats settle most triangles (probe_walk.h). What is left is put in exact order, and
 * triangles that meet the line in the same point, or in stretches with a common point, are
 * one place: so a probe through an edge or a corner has one hit there. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/sos.h"
#include "prober.h"

#include <stdlib.h>
#include <string.h>

/* ---- candidates ---------------------------------------------------------------------- */

enum { FEW = 32 };

/* The numbers of triangles that the segment may meet. */
typedef struct candidates {
    const stlclash_prober *prober;
    const sc_segment *segment;
    uint32_t few[FEW];
    uint32_t *triangles; /* `few`, or more that are to be freed */
    size_t count, capacity;
    bool out_of_memory;
} candidates;

static void add_candidate(candidates *c, uint32_t triangle)
{
    if (c->count == c->capacity) {
        bool first = c->capacity == 0;
        size_t larger = first ? FEW : 2 * c->capacity;
        uint32_t *grown =
            first ? c->few
                  : sc_realloc(c->triangles == c->few ? NULL : c->triangles, larger, sizeof *grown);
        if (!grown) {
            c->out_of_memory = true;
            return;
        }
        if (!first && c->triangles == c->few) {
            memcpy(grown, c->few, sizeof c->few);
        }
        c->triangles = grown;
        c->capacity = larger;
    }
    c->triangles[c->count++] = triangle;
}

static void free_candidates(candidates *c)
{
    if (c->triangles != c->few) {
        sc_free(c->triangles);
    }
}

static float collect(void *context, const sc_probe_bundle *bundle, const sc_probe_lanes *lanes)
{
    candidates *c = context;
    for (unsigned mask = lanes->sure | lanes->maybe; mask != 0; mask &= mask - 1) {
        add_candidate(c, bundle->triangle[__builtin_ctz(mask)]);
    }
    return c->out_of_memory ? -1.0f : 1.0f;
}

/* ---- places -------------------------------------------------------------------------- */

/* A triangle that meets the segment. */
typedef struct met {
    const sc_segment *segment;
    uint32_t triangle;
    sc_stretch stretch;
    int crossing;
} met;

static int by_place(const void *a, const void *b)
{
    const met *x = a, *y = b;
    int order = sc_stop_compare(x->segment, &x->stretch.from, &y->stretch.from);
    return order != 0 ? order : (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static sc_place_met start_place(const met *m)
{
    return (sc_place_met){.from = m->stretch.from,
                          .to = m->stretch.to,
                          .triangle = m->triangle,
                          .triangles = 1,
                          .feature = m->stretch.feature,
                          .crossings = m->crossing};
}

static void join_place(sc_place_met *place, const met *m)
{
    place->triangles++;
    place->crossings += m->crossing;
    if (sc_stop_compare(m->segment, &m->stretch.to, &place->to) > 0) {
        place->to = m->stretch.to;
    }
    if (m->triangle < place->triangle) {
        place->triangle = m->triangle;
        place->feature = m->stretch.feature;
    }
}

/* The places at which the candidates meet the segment, in order. */
static bool make_places(const candidates *c, sc_places *places)
{
    met *list = sc_alloc(c->count + 1, sizeof *list);
    size_t count = 0;

    *places = (sc_places){.items = sc_alloc(c->count + 1, sizeof *places->items)};
    if (!list || !places->items) {
        sc_free(list);
        sc_free(places->items);
        *places = (sc_places){.count = 0};
        return false;
    }
    for (size_t i = 0; i < c->count; i++) {
        sc_vec3 v[3];
        sc_prober_facet(c->prober, c->triangles[i], v);
        sc_stretch stretch = sc_segment_meet(c->segment, v);
        if (stretch.meets) {
            int crossing = sc_sos_edge_of_a(c->segment->p, c->segment->q, v, &sc_shift_usual);
            list[count++] = (met){c->segment, c->triangles[i], stretch, crossing};
        }
    }
    qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < count; i++) {
        sc_place_met *last = places->count > 0 ? &places->items[places->count - 1] : NULL;
        if (last && sc_stop_compare(c->segment, &list[i].stretch.from, &last->to) <= 0) {
            join_place(last, &list[i]);
        } else {
            places->items[places->count++] = start_place(&list[i]);
        }
    }
    sc_free(list);
    return true;
}

bool sc_places_find(const stlclash_prober *prober, const sc_segment *segment, sc_places *places)
{
    candidates c = {.prober = prober, .segment = segment};
    sc_probe_walk walk;

    *places = (sc_places){.count = 0};
    if (prober->part->tree.node_count == 0 ||
        !sc_probe_ray_make(&prober->part->tree, &prober->pose, segment, &walk.ray)) {
        return true;
    }
    sc_probe_walk_all(&prober->part->tree, &walk, collect, &c);
    bool ok = !c.out_of_memory && (c.count == 0 || make_places(&c, places));
    free_candidates(&c);
    return ok;
}

bool sc_places_of(const stlclash_prober *prober, const sc_segment *segment,
                  const uint32_t *triangles, size_t count, sc_places *places)
{
    candidates c = {.prober = prober, .segment = segment};
    for (size_t i = 0; i < count; i++) {
        add_candidate(&c, triangles[i]);
    }
    bool ok = !c.out_of_memory && make_places(&c, places);
    free_candidates(&c);
    return ok;
}

stlclash_passing sc_place_passing(const sc_place_met *place)
{
    if (place->crossings == 0 || place->from.kind == SC_STOP_START ||
        place->to.kind == SC_STOP_END) {
        return STLCLASH_TOUCHES;
    }
    return place->crossings > 0 ? STLCLASH_ENTERS : STLCLASH_LEAVES;
}

stlclash_probe_hit sc_place_hit(const sc_segment *segment, double unit, const sc_place_met *place)
{
    stlclash_probe_hit hit = {.t = place->from.t * unit,
                              .t_end = place->to.t * unit,
                              .triangle = place->triangle,
                              .triangles = place->triangles,
                              .feature = (stlclash_feature)place->feature,
                              .passing = sc_place_passing(place)};
    sc_vec3_store(sc_segment_point(segment, place->from.t), hit.point);
    sc_vec3_store(sc_segment_point(segment, place->to.t), hit.point_end);
    return hit;
}

stlclash_code stlclash_prober_all(const stlclash_prober *prober, const stlclash_probe *probe,
                                  stlclash_probe_hit **hits, size_t *count, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    sc_segment segment;
    sc_places places;
    double unit;

    *hits = NULL;
    *count = 0;
    stlclash_code code = sc_prober_segment(prober, probe, &segment, &unit, NULL, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    if (!sc_places_find(prober, &segment, &places)) {
        return sc_error_memory(error);
    }
    if (places.count > 0) {
        *hits = sc_alloc(places.count, sizeof **hits);
        *count = *hits ? places.count : 0;
        code = *hits ? STLCLASH_OK : sc_error_memory(error);
    }
    for (size_t i = 0; i < *count; i++) {
        (*hits)[i] = sc_place_hit(&segment, unit, &places.items[i]);
    }
    sc_free(places.items);
    return code;
}

void stlclash_probe_hits_free(stlclash_probe_hit *hits)
{
    sc_free(hits);
}

/* ---- inside -------------------------------------------------------------------------- */

typedef struct winding_search {
    const stlclash_prober *prober;
    const sc_segment *segment;
    int entered;
} winding_search;

static float count_crossings(void *context, const sc_probe_bundle *bundle,
                             const sc_probe_lanes *lanes)
{
    winding_search *search = context;
    for (unsigned mask = lanes->sure; mask != 0; mask &= mask - 1) {
        int i = __builtin_ctz(mask);
        bool enters =
            (lanes->down[i] > 0.0f) != sc_prober_turned(search->prober, bundle->triangle[i]);
        search->entered += enters ? 1 : -1;
    }
    for (unsigned mask = lanes->maybe; mask != 0; mask &= mask - 1) {
        sc_vec3 v[3];
        sc_prober_facet(search->prober, bundle->triangle[__builtin_ctz(mask)], v);
        search->entered +=
            sc_sos_edge_of_a(search->segment->p, search->segment->q, v, &sc_shift_usual);
    }
    return 1.0f;
}

int sc_prober_winding(const stlclash_prober *prober, sc_vec3 p)
{
    sc_probe_walk walk;

    if (prober->part->tree.node_count == 0 || !sc_box_holds(&prober->bounds, p)) {
        return 0;
    }
    sc_segment segment = {p, sc_box_way_out(&prober->bounds, p, sc_ray_slant)};
    winding_search search = {.prober = prober, .segment = &segment};
    if (sc_probe_ray_make(&prober->part->tree, &prober->pose, &segment, &walk.ray)) {
        sc_probe_walk_all(&prober->part->tree, &walk, count_crossings, &search);
    }
    return -search.entered; /* outside, at the far end, it is 0 */
}
