/* overlap_zero.c - whether the volume of an overlap is exactly zero.
 *
 * The same sum as in overlap.c, as 6 V = sum over facets of lambda det(c, u, v) + sum over
 * segments of det(cf - cg, S, E), modulo two primes: (u, v) is the edge opposite to the
 * facet's first vertex c and lambda, in 0 .. 1, the integral of the winding number along
 * it. V is a rational function of the coordinates, so it is 0 if its residues are, but
 * for a chance of about 2^-100 where one prime is random (Schwartz 1980). */
#include "overlap.h"

#include "base/alloc.h"
#include "crossing_residue.h"

/* lambda det(c, u, v), the edge being taken in the facet's direction. */
static uint64_t facet_term(const sc_crossings *w, const sc_crossing_residue *crossing,
                           const sc_field *f, int part, const sc_active *facet)
{
    const sc_windings *in = &w->windings[part];
    const sc_crossed_edge e = sc_crossings_of_edge(w, part, facet->vertex[1], facet->vertex[2]);
    sc_residue3 u = sc_field_from3(f, in->points[e.low]);
    sc_residue3 v = sc_field_from3(f, in->points[e.high]);
    int end = e.winding; /* the winding number at v, after all crossings */
    uint64_t lambda = 0;

    for (size_t i = e.first; i < e.last; i++) {
        const int enters = w->crossings[i].enters;
        lambda = enters > 0 ? sc_field_subtract(f, lambda, crossing[i].along)
                            : sc_field_add(f, lambda, crossing[i].along);
        end += enters;
    }
    lambda = sc_field_add(f, lambda, sc_field_integer(f, end));
    if (lambda == 0) {
        return 0;
    }
    sc_residue3 c = sc_field_from3(f, in->points[facet->vertex[0]]);
    uint64_t term = sc_field_multiply(f, lambda, sc_field_det(f, c, u, v));
    return e.sign < 0 ? sc_field_subtract(f, 0, term) : term;
}

static uint64_t patch_term(const sc_windings *in, const sc_field *f, const sc_patch *patch)
{
    uint64_t sum6 = 0;
    for (size_t i = 0; i < patch->facets; i++) {
        sc_vec3 v[3];
        sc_solid_facet(in->own, in->patch_facets[patch->facet + i], v);
        sum6 = sc_field_add(f, sum6,
                            sc_field_det(f, sc_field_from3(f, v[0]), sc_field_from3(f, v[1]),
                                         sc_field_from3(f, v[2])));
    }
    return sc_field_multiply(f, sc_field_integer(f, patch->winding), sum6);
}

static uint64_t segment_term(const sc_crossings *w, const sc_crossing_residue *crossing,
                             const sc_field *f, const sc_segment *segment)
{
    sc_vec3 a[3], b[3];
    sc_solid_facet(w->solid[0], segment->facet[0], a);
    sc_solid_facet(w->solid[1], segment->facet[1], b);
    const sc_residue3 between =
        sc_field_subtract3(f, sc_field_from3(f, a[0]), sc_field_from3(f, b[0]));
    return sc_field_det(f, between, crossing[segment->start].point, crossing[segment->end].point);
}

/* A field in which the sum is made. */
typedef struct in_field {
    const sc_crossings *w;
    sc_field field;
    bool zero, out_of_memory;
} in_field;

static void sum_up(in_field *s)
{
    const sc_crossings *w = s->w;
    const sc_field *f = &s->field;
    sc_watch *watch = w->solid[0]->watch;
    sc_crossing_residue *crossing = sc_crossing_residues(w, f);
    uint64_t sum6 = 0;

    s->out_of_memory = crossing == NULL;
    for (int part = 0; part < 2 && crossing; part++) {
        const sc_windings *in = &w->windings[part];
        for (size_t i = 0; i < in->count && !sc_watch_ends(watch, i); i++) {
            sum6 = sc_field_add(f, sum6, facet_term(w, crossing, f, part, &in->facets[i]));
        }
        for (size_t i = 0; i < in->patch_count; i++) {
            sum6 = sc_field_add(f, sum6, patch_term(in, f, &in->patches[i]));
        }
    }
    for (size_t i = 0; i < w->segment_count && crossing && !sc_watch_ends(watch, i); i++) {
        sum6 = sc_field_add(f, sum6, segment_term(w, crossing, f, &w->segments[i]));
    }
    s->zero = crossing && sum6 == 0;
    sc_free(crossing);
}

static void sum_number(void *context, int number)
{
    sum_up((in_field *)context + number);
}

bool sc_overlap_is_zero(const sc_crossings *w, sc_crew *crew, bool *zero)
{
    in_field in[2] = {{.w = w, .field = sc_field_fixed()}, {.w = w, .field = sc_field_random()}};
    if (crew) {
        sc_crew_items(crew, 2, sum_number, in);
    } else {
        sum_up(&in[0]);
        if (in[0].zero) {
            sum_up(&in[1]);
        }
    }
    *zero = in[0].zero && in[1].zero;
    return !in[0].out_of_memory && !in[1].out_of_memory;
}
