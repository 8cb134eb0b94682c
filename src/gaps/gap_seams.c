/* gap_seams.c - see gap_seams.h. */
#include "gap_seams.h"

#include "base/alloc.h"
#include "broad.h"

/* An edge that only one facet has. */
typedef struct border {
    uint32_t facet;
    sc_vec3 end[2];
} border;

typedef struct finding {
    border *borders; /* [count] */
    size_t count;
    sc_box *boxes; /* around each, and what is as near to it */
    double within;
    sc_gap_seams *seams;
} finding;

/* ---- edges that only one facet has ------------------------------------------ */

static bool list_borders(const sc_gap_facets *f, finding *found)
{
    uint8_t *uses = sc_calloc(f->edges, sizeof *uses); /* 2: or more */
    for (size_t i = 0; i < 3 * (size_t)f->count && uses; i++) {
        uint8_t *of_edge = &uses[f->edge[i / 3][i % 3]];
        *of_edge = *of_edge == 0 ? 1 : 2;
    }
    for (uint32_t i = 0; i < f->edges && uses; i++) {
        found->count += uses[i] == 1;
    }
    found->borders = sc_alloc(found->count, sizeof *found->borders);
    found->boxes = sc_alloc(found->count, sizeof *found->boxes);
    const bool good = uses && found->borders && found->boxes;
    found->count = 0;
    for (size_t i = 0; i < 3 * (size_t)f->count && good; i++) {
        const uint32_t facet = (uint32_t)(i / 3), *vertex = f->vertex[facet];
        const int k = (int)(i % 3);
        if (uses[f->edge[facet][k]] == 1) {
            const border b = {facet, {f->points[vertex[k]], f->points[vertex[(k + 1) % 3]]}};
            const sc_box box = sc_box_of_points(b.end, 2);
            found->boxes[found->count] = sc_box_grown(&box, found->within);
            found->borders[found->count++] = b;
        }
    }
    sc_free(uses);
    return good;
}

/* ---- those that lie along each other ----------------------------------------- */

/* How far along an edge the point lies, in 0..1, and how far from it. */
static double share_along(const border *edge, sc_vec3 p, double *distance)
{
    const sc_vec3 way = sc_sub(edge->end[1], edge->end[0]), to = sc_sub(p, edge->end[0]);
    const double square = sc_dot(way, way);
    const double share = square > 0.0 ? sc_clamp01(sc_dot(to, way) / square) : 0.0;
    *distance = sc_length(sc_sub(to, sc_scale(way, share)));
    return share;
}

/* What of `edge` the other one covers: between vertices of either. */
static bool common_of(const finding *found, const border *edge, const border *other,
                      sc_vec3 common[2])
{
    double apart, share[2];
    for (int i = 0; i < 2; i++) {
        share[i] = share_along(edge, other->end[i], &apart);
        common[i] = other->end[i];
        if (share[i] == 0.0 || share[i] == 1.0) {
            common[i] = edge->end[share[i] == 1.0];
            share_along(other, common[i], &apart);
        }
        if (apart > found->within) {
            return false;
        }
    }
    return share[0] != share[1];
}

static bool add_seam(void *context, uint32_t a, uint32_t b)
{
    finding *found = context;
    const border *edge = &found->borders[a], *other = &found->borders[b];
    sc_gap_seams *seams = found->seams;
    sc_vec3 common[2];

    if (edge->facet == other->facet || !common_of(found, edge, other, common)) {
        return true;
    }
    if (!sc_make_room(&seams->seam, &seams->capacity, seams->count + 1, sizeof *seams->seam)) {
        return false;
    }
    seams->seam[seams->count++] = (sc_gap_seam){{edge->facet, other->facet}, common[0], common[1]};
    return true;
}

/* ---- all of them ------------------------------------------------------------- */

bool sc_gap_seams_find(const sc_gap_facets *facets, double within, sc_watch *watch,
                       sc_gap_seams *seams)
{
    finding found = {.within = within, .seams = seams};
    *seams = (sc_gap_seams){.count = 0};
    const bool good = list_borders(facets, &found) &&
                      sc_broad_sweep(found.boxes, found.count, watch, add_seam, &found);
    sc_free(found.borders);
    sc_free(found.boxes);
    return good;
}

void sc_gap_seams_free(sc_gap_seams *seams)
{
    sc_free(seams->seam);
    *seams = (sc_gap_seams){.count = 0};
}
