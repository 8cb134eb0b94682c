/* overlap_twice.c - see overlap_twice.h. Where the surface of the other part passes such a place
 * it is known anyway, by the winding numbers along its edges; two shells that overlap deep inside
 * the other part are not met by anything. */
#include "overlap_twice.h"

/* Vertices to look for some of which are in a box. */
enum { MOST_ASKED = 4096 };

typedef struct search {
    const sc_crossings *x;
    sc_known_windings known[2];
    bool twice, failed;
} search;

static int winding_at(search *s, int part, sc_vec3 p)
{
    int winding = 0;
    if (!sc_solid_winding_near(s->x->solid[part], &s->known[part], p, &winding)) {
        s->failed = true;
    }
    return winding;
}

/* At any point. */
static void look_at(search *s, sc_vec3 p)
{
    const int a = winding_at(s, 0, p), b = a != 0 ? winding_at(s, 1, p) : 0;
    s->twice |= a != 0 && b != 0 && (a != 1 || b != 1);
}

/* ---- on the surfaces --------------------------------------------------------- */

/* At a vertex of a part: as if moved off its own surface, either way. On one of them it is inside;
 * more than once where the surface is there twice, or in another shell. */
static void look_at_own(search *s, int part, sc_vec3 p)
{
    int winding[2];
    if (!sc_solid_winding_either_way(s->x->solid[part], p, winding)) {
        s->failed = true;
        return;
    }
    for (int way = 0; way < 2; way++) {
        s->twice |= winding[way] < 0 || winding[way] > 1;
    }
}

/* A vertex on the surface of a part inside the other one: of facets that cross it, then of
 * others. */
static bool is_inside(const sc_windings *in, size_t i, sc_vec3 *p)
{
    sc_vec3 v[3];
    if (i < in->vertices) {
        *p = in->points[i];
        return in->winding[i] != 0;
    }
    sc_solid_facet(in->own, in->patch_facets[i - in->vertices], v);
    *p = v[0];
    return true;
}

/* Of those in the box some, from all over the list: steps of the golden section leave no large part
 * of it out, wherever they end. */
static void look_at_surface(search *s, int part, const sc_box *box, size_t points)
{
    static const uint32_t golden = 2654435769; /* of 2^32 */
    const sc_windings *in = &s->x->windings[part];
    const size_t end = in->vertices + in->patch_facet_count;
    const size_t tries = end < MOST_ASKED ? end : MOST_ASKED;
    uint32_t place = 0;
    sc_vec3 p;

    for (size_t i = 0; i < tries && points > 0 && !s->twice; i++, place += golden) {
        const size_t at = (size_t)(0x1p-32 * place * (double)end);
        if (is_inside(in, at, &p) && sc_box_holds(box, p)) {
            look_at_own(s, part, p);
            points--;
        }
    }
}

/* ---- where regions may overlap ------------------------------------------------- */

static double volume_of(const sc_box *box)
{
    double volume = 1.0;
    for (int k = 0; k < 3; k++) {
        volume *= fmax(box->high[k] - box->low[k], 0.0);
    }
    return volume;
}

/* In the middle, and half way from there to the corners. */
static void look_into(search *s, const sc_box *box)
{
    for (int i = -1; i < 8 && !s->twice; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            double share = i < 0 ? 0.5 : i >> k & 1 ? 0.75 : 0.25;
            at[k] = box->low[k] + share * (box->high[k] - box->low[k]);
        }
        look_at(s, (sc_vec3){at[0], at[1], at[2]});
    }
}

/* Each of the larger regions by itself, and with the one whose box it shares the most of. */
static void look_at_regions(search *s, const sc_overlap *overlap)
{
    enum { REGIONS = 16, VERTICES = 4 };
    const size_t count = overlap->region_count < REGIONS ? overlap->region_count : REGIONS;

    for (size_t i = 0; i < count && !s->twice; i++) {
        const sc_box *own = &overlap->regions[i].bounds;
        sc_box best = sc_box_empty();
        double most = 0.0;
        look_into(s, own);
        for (size_t k = i + 1; k < overlap->region_count; k++) {
            sc_box common = sc_boxes_common(own, &overlap->regions[k].bounds);
            double volume = volume_of(&common);
            if (volume > most) {
                most = volume;
                best = common;
            }
        }
        if (most > 0.0) {
            look_into(s, &best);
            look_at_surface(s, 0, &best, VERTICES);
            look_at_surface(s, 1, &best, VERTICES);
        }
    }
}

bool sc_overlap_look_twice(const sc_crossings *crossings, const sc_overlap *overlap, bool *twice)
{
    enum { VERTICES = 48 };
    search s = {.x = crossings};
    for (int part = 0; part < 2; part++) {
        look_at_surface(&s, part, &overlap->common, VERTICES);
    }
    look_at_regions(&s, overlap);
    *twice = s.twice;
    return !s.failed;
}
