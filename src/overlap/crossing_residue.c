/* crossing_residue.c - see crossing_residue.h. */
#include "crossing_residue.h"

#include "base/alloc.h"

/* The edge of a crossing. */
typedef struct edge_residues {
    sc_residue3 start, way;
} edge_residues;

static edge_residues edge_of(const sc_crossings *w, const sc_field *f, const sc_crossing *x)
{
    const sc_windings *in = &w->windings[x->part];
    const sc_residue3 start = sc_field_from3(f, in->points[x->low]);
    return (edge_residues){start,
                           sc_field_subtract3(f, sc_field_from3(f, in->points[x->high]), start)};
}

/* A crossing lies on its edge by the share over / under. */
static void share_of(const sc_crossings *w, const sc_field *f, const sc_crossing *x,
                     const edge_residues *edge, uint64_t *over, uint64_t *under)
{
    sc_vec3 plane[3];
    sc_solid_facet(w->solid[1 - x->part], x->facet, plane);
    const sc_residue3 p = sc_field_from3(f, plane[0]);
    const sc_residue3 e1 = sc_field_subtract3(f, sc_field_from3(f, plane[1]), p);
    const sc_residue3 e2 = sc_field_subtract3(f, sc_field_from3(f, plane[2]), p);
    const sc_residue3 normal = sc_field_cross(f, e1, e2);
    *over = sc_field_dot(f, sc_field_subtract3(f, p, edge->start), normal);
    *under = sc_field_dot(f, edge->way, normal);
}

static sc_residue3 point_at(const sc_field *f, const edge_residues *edge, uint64_t t)
{
    const sc_residue3 u = edge->start, way = edge->way;
    return (sc_residue3){sc_field_add(f, u.x, sc_field_multiply(f, t, way.x)),
                         sc_field_add(f, u.y, sc_field_multiply(f, t, way.y)),
                         sc_field_add(f, u.z, sc_field_multiply(f, t, way.z))};
}

sc_residue3 sc_crossing_point(const sc_crossings *w, const sc_field *f, const sc_crossing *x)
{
    const edge_residues edge = edge_of(w, f, x);
    uint64_t over, under;
    share_of(w, f, x, &edge, &over, &under);
    return point_at(f, &edge, sc_field_multiply(f, over, sc_field_inverse(f, under)));
}

sc_crossing_residue *sc_crossing_residues(const sc_crossings *w, const sc_field *f)
{
    sc_watch *watch = w->solid[0]->watch;
    sc_crossing_residue *all = sc_calloc(w->crossing_count, sizeof *all);
    for (size_t i = 0; i < w->crossing_count && all && !sc_watch_ends(watch, i); i++) {
        const edge_residues edge = edge_of(w, f, &w->crossings[i]);
        share_of(w, f, &w->crossings[i], &edge, &all[i].along, &all[i].under.number);
    }
    if (all && w->crossing_count > 0) {
        sc_field_invert(f, &all[0].under, sizeof *all, w->crossing_count);
    }
    for (size_t i = 0; i < w->crossing_count && all && !sc_watch_ends(watch, i); i++) {
        const edge_residues edge = edge_of(w, f, &w->crossings[i]);
        all[i].along = sc_field_multiply(f, all[i].along, all[i].under.number);
        all[i].point = point_at(f, &edge, all[i].along);
    }
    return all;
}
