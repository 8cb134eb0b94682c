/* overlap_zero.c - whether the volume of an overlap is exactly zero.
 *
 * The same sum as in overlap.c, as 6 V = sum over facets of lambda det(c, u, v) + sum over
 * segments of det(cf - cg, S, E), modulo two primes: (u, v) is the edge opposite to the
 * facet's first vertex c and lambda, in 0 .. 1, the integral of the winding number along
 * it. V is a rational function of the coordinates, so it is 0 if its residues are, but
 * for a chance of about 2^-100 where one prime is random (Schwartz 1980). */
#include "overlap.h"

#include "crossing_residue.h"

/* lambda det(c, u, v), the edge being taken in the facet's direction. */
static uint64_t facet_term(const sc_crossings *w, const sc_field *f, int part,
                           const sc_active *facet)
{
    const sc_windings *in = &w->windings[part];
    const sc_crossed_edge e = sc_crossings_of_edge(w, part, facet->vertex[1], facet->vertex[2]);
    sc_residue3 u = sc_field_from3(f, in->points[e.low]);
    sc_residue3 v = sc_field_from3(f, in->points[e.high]);
    int end = e.winding; /* the winding number at v, after all crossings */
    uint64_t lambda = 0;

    for (size_t i = e.first; i < e.last; i++) {
        const sc_crossing *x = &w->crossings[i];
        lambda = sc_field_subtract(f, lambda,
                                   sc_field_multiply(f, sc_field_integer(f, x->enters),
                                                     sc_crossing_parameter(w, f, x, u, v)));
        end += x->enters;
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

static bool zero_in_field(const sc_crossings *w, const sc_field *f)
{
    sc_watch *watch = w->solid[0]->watch;
    uint64_t sum6 = 0;
    for (int part = 0; part < 2; part++) {
        for (size_t i = 0; i < w->windings[part].count && !sc_watch_ends(watch, i); i++) {
            sum6 = sc_field_add(f, sum6, facet_term(w, f, part, &w->windings[part].facets[i]));
        }
        for (size_t i = 0; i < w->windings[part].patch_count; i++) {
            const sc_windings *in = &w->windings[part];
            sum6 = sc_field_add(f, sum6, patch_term(in, f, &in->patches[i]));
        }
    }
    for (size_t i = 0; i < w->segment_count && !sc_watch_ends(watch, i); i++) {
        const sc_segment *x = &w->segments[i];
        sc_vec3 a[3], b[3];
        sc_solid_facet(w->solid[0], x->facet[0], a);
        sc_solid_facet(w->solid[1], x->facet[1], b);
        sc_residue3 between =
            sc_field_subtract3(f, sc_field_from3(f, a[0]), sc_field_from3(f, b[0]));
        sum6 =
            sc_field_add(f, sum6,
                         sc_field_det(f, between, sc_crossing_point(w, f, &w->crossings[x->start]),
                                      sc_crossing_point(w, f, &w->crossings[x->end])));
    }
    return sum6 == 0;
}

typedef struct two_fields {
    const sc_crossings *w;
    sc_field field[2];
    bool zero[2];
} two_fields;

static void sum_in_field(void *context, int number)
{
    two_fields *f = context;
    f->zero[number] = zero_in_field(f->w, &f->field[number]);
}

bool sc_overlap_is_zero(const sc_crossings *w, sc_crew *crew)
{
    two_fields f = {.w = w, .field = {sc_field_fixed(), sc_field_random()}};
    if (!crew) {
        return zero_in_field(w, &f.field[0]) && zero_in_field(w, &f.field[1]);
    }
    sc_crew_items(crew, 2, sum_in_field, &f);
    return f.zero[0] && f.zero[1];
}
