/* overlap_closed.c - see overlap_closed.h.
 *
 * Over a closed boundary each line ends in a corner as often as it begins there: a sum over the
 * corners of hashes of corner and line is 0 modulo 2^64, and hardly ever otherwise. Edges of which
 * one lies along several, at T-junctions, are the same line but not the same edge: the lines,
 * which take longer to know, are asked where the edges do not balance. */
#include "overlap_closed.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "overlap.h"

#include <string.h>

typedef struct search {
    const sc_crossings *x;
    const sc_pieces *pieces;
    const uint32_t *region_of;
    const sc_field *field; /* [SC_LINE_FIELDS] */
    bool *open;
    uint64_t *sum; /* [regions] */
    uint64_t (*hash)(const struct search *s, sc_boundary_line *l, const sc_boundary_corner *c);
} search;

/* Of an edge, with a corner on it: the same from all of its facets. */
static uint64_t edge_hash(const search *s, sc_boundary_line *l, const sc_boundary_corner *c)
{
    (void)s;
    uint64_t hash = sc_hash_add(0, c->crossing ? c->node : sc_windings_hash(c->at));
    for (int i = 0; i < 2 && l->edge; i++) {
        hash = sc_hash_add(hash, sc_windings_hash(l->edge[i]));
    }
    return hash;
}

/* Of the whole line, with a corner on it: the same from edges that T-junctions part. */
static uint64_t line_hash(const search *s, sc_boundary_line *l, const sc_boundary_corner *c)
{
    const sc_field *f = &s->field[1];
    sc_boundary_line_know(s->x, s->field, l);
    const sc_line_residues *r = &l->in[1];
    const uint64_t inverse = sc_field_inverse(f, sc_residue_leading(r->along));
    const uint64_t key = sc_field_line_key(f, r->base, r->along, inverse);
    const sc_residue3 p = sc_boundary_corner_residue(s->x, f, c);
    return sc_hash_add(sc_hash_add(sc_hash_add(key, p.x), p.y), p.z);
}

static void add_corner(void *context, sc_boundary_line *l, const sc_boundary_corner *c)
{
    search *s = context;
    const uint32_t region = s->region_of[s->pieces->of[c->node]];
    if (c->times != 0 && region != SC_NO_REGION && s->open[region]) {
        s->sum[region] += (uint64_t)c->times * s->hash(s, l, c);
    }
}

/* Clears the open regions whose corners balance; whether some remain. */
static bool leave_open(search *s, size_t regions)
{
    const sc_corner_visitor visitor = {.corner = add_corner, .context = s};
    bool some = false;

    memset(s->sum, 0, regions * sizeof *s->sum);
    sc_overlap_corners(s->x, &visitor);
    for (size_t i = 0; i < regions; i++) {
        s->open[i] = s->open[i] && s->sum[i] != 0;
        some = some || s->open[i];
    }
    return some;
}

bool sc_overlap_open_regions(const sc_crossings *x, const sc_pieces *pieces,
                             const uint32_t *region_of, const sc_field field[SC_LINE_FIELDS],
                             bool *open, size_t regions)
{
    search s = {.x = x, .pieces = pieces, .region_of = region_of, .field = field, .open = open};
    bool some = false;

    for (size_t i = 0; i < regions; i++) {
        some = some || open[i];
    }
    if (!some) {
        return true;
    }
    s.sum = sc_alloc(regions, sizeof *s.sum);
    s.hash = edge_hash;
    const bool good = s.sum != NULL;
    if (good && leave_open(&s, regions)) {
        s.hash = line_hash;
        leave_open(&s, regions);
    }
    sc_free(s.sum);
    return good;
}
