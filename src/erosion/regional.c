/* regional.c - see regional.h. */
#include "regional.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "broad.h"
#include "region_near.h"
#include "stretches.h"

#include <math.h>

/* ---- how far vertices may go -------------------------------------------------------- */

typedef struct sharing {
    const sc_erosion_proof *proof;
    int i;
    const bool *near; /* [facets] of others all stays on the same side; NULL: all are */
    double *least;    /* [facets] the limit that each keeps to */
} sharing;

static void take_limit(void *context, sc_erosion_region *region)
{
    double *least = context;
    *least = sc_fmin(*least, region->limit);
}

static void find_limits(void *context, sc_stretch *stretch)
{
    const sharing *s = context;
    sc_surface own = sc_erosion_surface(s->proof, s->i);
    sc_region_near near = {.regions = s->proof->regions, .limits = true, .take = take_limit};
    near.surface[s->i] = &own;
    near.surface[1 - s->i] = &stretch->other;

    for (uint32_t f = stretch->first; f < stretch->end; f++) {
        const uint64_t before = own.visited;
        sc_vec3 v[3];
        s->least[f] = s->proof->limit;
        if (s->near && !s->near[f]) {
            continue;
        }
        if (!sc_stretch_goes_on(stretch)) {
            break;
        }
        sc_solid_facet(s->proof->solid[s->i], f, v);
        const sc_box own_box = sc_box_of_points(v, 3);
        const sc_box box = sc_box_grown(&own_box, s->proof->limit);
        near.context = &s->least[f];
        sc_region_near_box(&near, &box);
        stretch->other.visited += own.visited - before;
    }
    stretch->other.failed = stretch->other.failed || own.failed;
}

bool sc_regional_share(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *all)
{
    const uint32_t facets = eroded->part->mesh->file.facets.count;
    sharing s = {proof, i, eroded->near, sc_alloc(facets, sizeof *s.least)};
    eroded->share = sc_alloc(eroded->fans, sizeof *eroded->share);
    bool good =
        s.least && eroded->share && sc_stretches_look(proof, 1 - i, facets, find_limits, &s, all);

    for (uint32_t k = 0; k < eroded->fans && good; k++) {
        eroded->share[k] = 1.0;
    }
    for (uint32_t p = 0; p < eroded->pieces && good && *all; p++) {
        const double share = s.least[sc_erosion_facet(eroded, p)] / proof->limit;
        for (size_t k = 0; k < 3; k++) {
            double *own = &eroded->share[eroded->fan[3 * (size_t)p + k]];
            *own = sc_fmin(*own, share);
        }
    }
    sc_free(s.least);
    return good;
}

/* ---- what is left ------------------------------------------------------------------- */

/* Of a region: boxes, each around triangles of one set. */
enum { MOST_BOXES = 256 };
typedef struct gathered {
    sc_box *box;
    uint32_t *set;
    size_t count, box_capacity, set_capacity;
} gathered;

typedef struct gathering {
    const sc_erosion_regions *regions;
    gathered *of; /* [regions] */
    const sc_box *about;
    uint32_t set; /* of the triangle at hand, whose box that is */
    bool failed;
} gathering;

static void take_triangle(void *context, sc_erosion_region *region)
{
    gathering *g = context;
    gathered *of = &g->of[region - g->regions->region];
    size_t k = of->count;
    while (k > 0 && of->set[k - 1] != g->set) {
        k--;
    }
    if (k == 0 && of->count < MOST_BOXES) {
        const size_t more = of->count + 1;
        if (!sc_make_room(&of->box, &of->box_capacity, more, sizeof *of->box) ||
            !sc_make_room(&of->set, &of->set_capacity, more, sizeof *of->set)) {
            g->failed = true;
            return;
        }
        of->set[of->count] = g->set;
        of->box[of->count] = sc_box_empty();
        k = of->count = more;
    }
    sc_box_add_box(&of->box[k > 0 ? k - 1 : of->count - 1], g->about);
}

/* *all: time was left. False if memory ran out. */
static bool gather(const sc_erosion_proof *proof, const sc_regional_left *left, gathering *g,
                   bool *all)
{
    enum { TRIANGLES_A_POLL = 256 };
    sc_surface surface[2] = {sc_erosion_surface(proof, 0), sc_erosion_surface(proof, 1)};
    const sc_region_near near = {.regions = proof->regions,
                                 .surface = {&surface[0], &surface[1]},
                                 .take = take_triangle,
                                 .context = g};
    *all = true;
    for (uint32_t t = 0; t < left->count && !g->failed && *all; t++) {
        const sc_box within = sc_box_grown(&left->about[t], proof->limit);
        g->about = &left->about[t];
        g->set = sc_union_root(left->parent, t);
        sc_region_near_box(&near, &within);
        *all = t % TRIANGLES_A_POLL != 0 || sc_poll_goes_on(&proof->poll);
    }
    return !g->failed && !surface[0].failed && !surface[1].failed;
}

/* Of boxes, in all. */
static double volume_of(const sc_box *box, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) {
        sum += sc_box_volume(&box[k]);
    }
    return sum;
}

/* Unless less was left before. */
static void take_boxes(sc_erosion_region *region, gathered *of, double limit)
{
    for (size_t k = 0; k < of->count; k++) {
        const sc_box grown = sc_box_grown(&of->box[k], limit);
        of->box[k] = sc_boxes_common(&grown, &region->bounds);
    }
    region->open = of->count > 0;
    if (!region->left || !region->open ||
        volume_of(of->box, of->count) < volume_of(region->left, region->boxes)) {
        sc_box *const before = region->left;
        region->left = of->box;
        region->boxes = of->count;
        of->box = before;
    }
}

/* Sets whose roots those are, and whether some became one. */
typedef struct joining {
    uint32_t *parent, *root;
    bool joined;
} joining;

static bool join(void *context, uint32_t a, uint32_t b)
{
    joining *j = context;
    j->joined = sc_union_join(j->parent, j->root[a], j->root[b]) || j->joined;
    return true;
}

/* Those whose boxes meet become one: the border of a piece may be several surfaces, one in another.
 * *all: time was left. False if memory ran out. */
static bool join_sets(const sc_regional_left *left, sc_watch *watch, bool *all)
{
    joining j = {.parent = left->parent, .joined = left->count > 1};
    j.root = sc_alloc(left->count, sizeof *j.root);
    uint32_t *const number = sc_alloc(left->count, sizeof *number);
    sc_box *const box = sc_alloc(left->count, sizeof *box);
    const bool made = j.root && number && box;
    *all = made;
    while (*all && j.joined) {
        uint32_t sets = 0;
        for (uint32_t t = 0; t < left->count; t++) { /* a root comes before the others */
            const uint32_t root = sc_union_root(left->parent, t);
            if (root == t) {
                j.root[sets] = root;
                box[sets] = sc_box_empty();
                number[root] = sets++;
            }
            sc_box_add_box(&box[number[root]], &left->about[t]);
        }
        j.joined = false;
        *all = sc_broad_sweep(box, sets, watch, join, &j);
    }
    sc_free(j.root);
    sc_free(number);
    sc_free(box);
    return *all || (made && sc_watch_was_over(watch));
}

bool sc_regional_close(const sc_erosion_proof *proof, const sc_regional_left *left)
{
    const sc_erosion_regions *regions = proof->regions;
    gathering g = {.regions = regions, .of = sc_calloc(regions->count, sizeof *g.of)};
    bool all = false;
    const bool good =
        g.of && join_sets(left, proof->watch, &all) && (!all || gather(proof, left, &g, &all));
    for (size_t k = 0; k < regions->count && g.of; k++) {
        if (regions->region[k].open && good && all) {
            take_boxes(&regions->region[k], &g.of[k], proof->limit);
        }
        sc_free(g.of[k].box);
        sc_free(g.of[k].set);
    }
    sc_free(g.of);
    return good;
}

bool sc_regional_is_little(const sc_erosion_region *region)
{
    static const double far_less = 0.125, small = 0x1p14; /* cubes of the limit */
    const double limit = region->limit;
    return region->left &&
           volume_of(region->left, region->boxes) <=
               sc_fmax(far_less * sc_box_volume(&region->bounds), small * limit * limit * limit);
}

size_t sc_regional_boxes(const sc_erosion_regions *regions)
{
    size_t boxes = 0;
    for (size_t k = 0; k < regions->count && boxes < SIZE_MAX; k++) {
        const sc_erosion_region *r = &regions->region[k];
        boxes = !r->open ? boxes : sc_regional_is_little(r) ? boxes + r->boxes : SIZE_MAX;
    }
    return boxes;
}

bool sc_regional_is_refuted(const sc_erosion_regions *regions)
{
    bool refuted = false;
    for (size_t k = 0; k < regions->count; k++) {
        const sc_erosion_region *r = &regions->region[k];
        refuted = refuted || (r->open && !isnan(r->place.x) && r->depth > r->limit);
    }
    return refuted;
}
