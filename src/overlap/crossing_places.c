/* crossing_places.c - which crossings stand at one place (sc_crossings_find_places).
 *
 * At a T-junction an edge lies along shorter ones, and each crosses the other part's facets for
 * itself: more segments start in the one crossing than end there, and fewer in the other. Only
 * such crossings are looked at. Those of one line with one facet are the same point. Lines are
 * compared in coordinates as stored: placed ones are rounded. So edges that run along the crack
 * which that leaves may slip through it: then some of these crossings are not there, or far from
 * each other. */
#include "base/alloc.h"
#include "base/sort.h"
#include "crossings.h"
#include "geom/modular.h"
#include "geom/orient.h"

typedef struct loose {
    size_t crossing;
    uint32_t facet; /* of the other part */
    int part;
    int32_t more;     /* starts than ends */
    sc_vec3 from, to; /* the edge, as stored */
    uint64_t line;    /* its key */
} loose;

static uint64_t line_key(const sc_field *f, sc_vec3 from, sc_vec3 to)
{
    const sc_residue3 start = sc_field_from3(f, from);
    const sc_residue3 along = sc_field_subtract3(f, sc_field_from3(f, to), start);
    return sc_field_line_key(f, start, along, sc_field_inverse(f, sc_residue_leading(along)));
}

/* A crossing that a segment on this facet of its own part starts or ends in. */
static loose loose_of(const sc_crossings *x, const sc_field *field, size_t crossing, uint32_t own)
{
    const sc_crossing *c = &x->crossings[crossing];
    const sc_windings *in = &x->windings[c->part];
    const sc_part *part = in->own->part;
    loose l = {.crossing = crossing, .facet = c->facet, .part = c->part};
    sc_vec3 placed[3];
    float stored[9];

    sc_triangle_vertices(&part->mesh->file.facets, &part->used, own, placed);
    sc_facet_load(&part->mesh->file.facets, own, stored);
    for (int k = 0; k < 3; k++) {
        sc_vec3 v = {stored[3 * k], stored[3 * k + 1], stored[3 * k + 2]};
        if (sc_same(placed[k], in->points[c->low])) {
            l.from = v;
        } else if (sc_same(placed[k], in->points[c->high])) {
            l.to = v;
        }
    }
    l.line = line_key(field, l.from, l.to);
    return l;
}

static bool same_line(const loose *a, const loose *b)
{
    return sc_projection_axis(a->from, a->to, b->from) < 0 &&
           sc_projection_axis(a->from, a->to, b->to) < 0;
}

static int by_place(const void *p, const void *q)
{
    const loose *a = p, *b = q;
    if (a->part != b->part) {
        return a->part < b->part ? -1 : 1;
    }
    if (a->facet != b->facet) {
        return a->facet < b->facet ? -1 : 1;
    }
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    return (a->crossing > b->crossing) - (a->crossing < b->crossing);
}

/* Lists those with more, or fewer, starts than ends, each once: `more` is 0 afterwards. */
static size_t list_loose(const sc_crossings *x, int32_t *more, loose *list)
{
    const sc_field field = sc_field_fixed();
    size_t count = 0;

    for (size_t i = 0; i < x->segment_count && !sc_watch_ends(x->solid[0]->watch, i); i++) {
        const sc_segment *s = &x->segments[i];
        const size_t end[2] = {s->start, s->end};
        for (int k = 0; k < 2; k++) {
            if (more[end[k]] != 0) {
                list[count] = loose_of(x, &field, end[k], s->facet[x->crossings[end[k]].part]);
                list[count++].more = more[end[k]];
                more[end[k]] = 0;
            }
        }
    }
    return count;
}

static double gap_between(const sc_crossings *x, const loose *a, const loose *b)
{
    return sc_length(sc_sub(x->crossings[a->crossing].point, x->crossings[b->crossing].point));
}

static bool join_places(sc_crossings *x, loose *list, size_t count)
{
    const loose *first = list;
    int32_t more = 0;

    if (!sc_sort_items(list, count, sizeof *list, by_place, x->solid[0]->watch)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (list[i].part == first->part && list[i].facet == first->facet &&
            same_line(first, &list[i])) {
            x->place[list[i].crossing] = first->crossing;
            x->gaps += gap_between(x, first, &list[i]);
        } else {
            x->torn |= more != 0;
            first = &list[i];
            more = 0;
        }
        more += list[i].more;
    }
    x->torn |= more != 0;
    return true;
}

static bool find_places(sc_crossings *x, int32_t *more)
{
    size_t count = 0;

    for (size_t i = 0; i < x->segment_count; i++) {
        more[x->segments[i].start]++;
        more[x->segments[i].end]--;
    }
    for (size_t i = 0; i < x->crossing_count; i++) {
        count += more[i] != 0;
    }
    if (count == 0) {
        return true;
    }
    loose *list = sc_alloc(count, sizeof *list);
    x->place = sc_alloc(x->crossing_count, sizeof *x->place);
    bool good = list && x->place;
    if (good) {
        for (size_t i = 0; i < x->crossing_count; i++) {
            x->place[i] = i;
        }
        good = join_places(x, list, list_loose(x, more, list));
    }
    sc_free(list);
    return good && !sc_watch_is_over(x->solid[0]->watch);
}

bool sc_crossings_find_places(sc_crossings *x)
{
    int32_t *more = sc_calloc(x->crossing_count, sizeof *more);
    bool good = more && find_places(x, more);
    sc_free(more);
    return good;
}
