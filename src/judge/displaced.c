/* displaced.c - see displaced.h. */
#include "displaced.h"

#include "base/alloc.h"
#include "base/error.h"
#include "narrow.h"
#include "traverse.h"

bool sc_may_be_cracked(const sc_case *q)
{
    return !q->part[0]->used.is_identity || !q->part[1]->used.is_identity;
}

double sc_displaced_step(const sc_case *q, int attempt)
{
    return ldexp(sc_parts_reach(q->part[0], q->part[1]), -36 + 6 * attempt);
}

/* The direction of a symbolic shift, along no axis and in no plane of two. */
static sc_vec3 way_along(const sc_shift *shift, double step)
{
    static const double share[3] = {0.9375, 0.28125, 0.109375};
    double way[3];
    for (int k = 0; k < 3; k++) {
        way[shift->axis[k]] = shift->sign[k] * share[k] * step;
    }
    return (sc_vec3){way[0], way[1], way[2]};
}

static bool find_hits(const sc_case *q, sc_octree *b, sc_displaced *d)
{
    sc_narrow n = {.leaves = sc_leaves_of(&q->frame, &d->part, q->part[1])};
    void *worker = &n;
    sc_traversal t = {.a = d->solid.tree,
                      .b = b,
                      .leaves = sc_narrow_leaves,
                      .workers = &worker,
                      .watch = q->watch};

    sc_narrow_init(&n);
    if (t.a->levels > 0 && t.b->levels > 0) {
        sc_traverse(&t);
    }
    const bool good = sc_pairs_sort(&n.hits, NULL) && !t.out_of_memory && !n.out_of_memory;
    if (good) {
        d->hits = n.hits.pairs;
        d->hit_count = n.hits.count;
        d->all_crossing = n.crossing_count == n.hits.count;
        n.hits = (sc_pair_list){.pairs = NULL};
    }
    sc_narrow_free(&n);
    return good;
}

stlclash_code sc_displaced_make(const sc_case *q, sc_solid solid[2], int attempt,
                                sc_displaced *displaced, stlclash_error *error)
{
    const sc_vec3 way = way_along(&solid[0].shift, sc_displaced_step(q, attempt));
    sc_displaced *d = displaced;

    *d = (sc_displaced){.part = *q->part[0], .way = sc_length(way)};
    sc_part_shift(&d->part, way);
    stlclash_code code = sc_solid_make(&d->part, solid[0].role, &q->frame, NULL, &d->solid, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    d->solid.shift = solid[0].shift;
    d->solid.orientation = solid[0].orientation;
    d->solid.one_shell = solid[0].one_shell;
    d->solid.watch = solid[0].watch;
    return find_hits(q, solid[1].tree, d) ? STLCLASH_OK : sc_error_memory(error);
}

void sc_displaced_free(sc_displaced *displaced)
{
    sc_solid_free(&displaced->solid);
    sc_free(displaced->hits);
    displaced->hits = NULL;
}

/* How often what lies in B counts. */
static double times_of(const sc_crossings *x)
{
    const sc_winding_range range = sc_windings_range(&x->windings[0]);
    return sc_fmax(1.0, sc_fmax(range.greatest, -range.least));
}

/* Of all that the parts have in common. */
static sc_box common_box(const sc_crossings *x)
{
    return sc_boxes_common(&x->solid[0]->part->used_bounds, &x->solid[1]->part->used_bounds);
}

static sc_vec3 size_of(const sc_box *box)
{
    return (sc_vec3){box->high[0] - box->low[0], box->high[1] - box->low[1],
                     box->high[2] - box->low[2]};
}

/* Of the facets of a block that lie in the box, and no more of each than of a plane. */
static double block_area(const sc_part *part, size_t block, const sc_box *box)
{
    const sc_facets *facets = &part->mesh->file.facets;
    const sc_vec3 size = size_of(box);
    const double section = size.x * size.y + size.y * size.z + size.z * size.x;
    uint32_t first, count = sc_block_facets(facets, block, &first);
    double area = 0.0;

    for (uint32_t i = first; i < first + count; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(facets, &part->used, i, v);
        const sc_box own = sc_box_of_points(v, 3);
        if (sc_boxes_meet(&own, box)) {
            area += sc_fmin(section, 0.5 * sc_length(sc_area_twice(v)));
        }
    }
    return area;
}

/* All of A that comes by what the parts have in common on that way, whether or not it lies inside B
 * where it stands: it may have done so before. */
double sc_displaced_volume(const sc_crossings *crossings, double way)
{
    const sc_part *part = crossings->solid[0]->part;
    const sc_box common = common_box(crossings), passed = sc_box_grown(&common, way);
    double area = 0.0;
    sc_box box;

    for (size_t b = 0; sc_part_next_block(part, &passed, &b, &box); b++) {
        area += block_area(part, b, &passed);
    }
    return times_of(crossings) * area * way;
}

double sc_common_room(const sc_crossings *crossings)
{
    const sc_box common = common_box(crossings);
    const sc_vec3 size = size_of(&common);
    return times_of(crossings) * sc_fmax(size.x, 0.0) * sc_fmax(size.y, 0.0) * sc_fmax(size.z, 0.0);
}

/* A stretch that is missing in the borders of two facets: of either a determinant less. */
double sc_cracked_volume(const sc_crossings *crossings)
{
    const sc_box common = common_box(crossings);
    const sc_vec3 size = size_of(&common);
    const double room = crossings->torn ? sc_common_room(crossings) : 0.0;
    return room + times_of(crossings) * crossings->gaps * sc_dot(size, size) / 3.0;
}
