/* paths.c - see paths.h. Blocks of the part that moves, each with all it sweeps out, against
 * the octree of the part that rests; then triangles. */
#include "paths.h"

#include "base/alloc.h"
#include "base/error.h"
#include "octree.h"

typedef struct walk {
    sc_paths *paths;
    sc_octree tree; /* of the part that rests */
    sc_path_room *room;
    unsigned pairs; /* looked at so far */
} walk;

/* One may take some hundredths of a second. */
enum { PAIRS_A_POLL = 16 };

static void poll_at_times(walk *w)
{
    sc_paths *p = w->paths;
    if (++w->pairs % PAIRS_A_POLL == 0) {
        p->stopped = !sc_poll_goes_on(&p->poll);
    }
}

/* ---- triangles ------------------------------------------------------------ */

/* A block of the part that moves: its facets at both times, and what they sweep out. */
typedef struct moving_block {
    uint32_t first, count;
    sc_vec3 v[SC_BLOCK][2][3];
    sc_box box[SC_BLOCK]; /* grown by the tolerance */
} moving_block;

static void load_block(const sc_paths *p, size_t index, moving_block *block)
{
    const sc_facets *start = &p->moves->mesh->file.facets;
    block->count = sc_block_facets(start, index, &block->first);
    for (uint32_t i = 0; i < block->count; i++) {
        sc_triangle_vertices(start, &p->moves->placement, block->first + i, block->v[i][0]);
        sc_triangle_vertices(&p->end->file.facets, &p->moves->placement, block->first + i,
                             block->v[i][1]);
        sc_box tight = sc_box_of_points(block->v[i][0], 3),
               end = sc_box_of_points(block->v[i][1], 3);
        sc_box_add_box(&tight, &end);
        block->box[i] = sc_box_grown(&tight, p->tolerance);
    }
}

static void look(walk *w, uint32_t resting, const sc_vec3 v[3], const moving_block *block)
{
    sc_paths *p = w->paths;
    const sc_vec3 rests[2][3] = {{v[0], v[1], v[2]}, {v[0], v[1], v[2]}};
    sc_box box = sc_box_of_points(v, 3);
    for (uint32_t i = 0; i < block->count && !p->stopped; i++) {
        if (!sc_boxes_meet(&box, &block->box[i])) {
            continue;
        }
        poll_at_times(w);
        double latest = p->first.found ? p->first.time : 1.0;
        sc_path_meeting m = sc_tri_paths_meet(rests, block->v[i], p->tolerance, latest, w->room);
        uint32_t moving = block->first + i;
        bool lower =
            resting < p->triangle[0] || (resting == p->triangle[0] && moving < p->triangle[1]);
        if (m.found &&
            (!p->first.found || m.time < p->first.time || (m.time == p->first.time && lower))) {
            p->first = m;
            p->triangle[0] = resting;
            p->triangle[1] = moving;
        }
    }
}

static void look_in_leaf(walk *w, uint32_t index, const moving_block *block)
{
    sc_paths *p = w->paths;
    const sc_leaf *leaf = sc_octree_leaf(&w->tree, index);
    for (int i = 0; i < (int)leaf->slab.count && !p->stopped; i++) {
        const uint32_t facet = sc_leaf_facet(leaf, i);
        sc_vec3 v[3];
        sc_triangle_vertices(&p->rests->mesh->file.facets, &p->rests->placement, facet, v);
        look(w, facet, v, block);
    }
}

/* ---- boxes ---------------------------------------------------------------- */

/* All that the block may meet. False if memory ran out. */
static bool walk_down(walk *w, size_t index, const sc_box *swept)
{
    const sc_octets_isa *octets = sc_octets();
    float low[3], high[3];
    moving_block block = {.count = 0};
    sc_node stack[SC_WAITING];
    int count = 0;

    sc_frame_box(&w->tree.frame, swept, low, high);
    stack[count++] = (sc_node){0, w->tree.levels - 1};
    while (count > 0 && !w->paths->stopped) {
        sc_node n = stack[--count];
        if (n.level < 0) {
            if (block.count == 0) {
                load_block(w->paths, index, &block);
            }
            look_in_leaf(w, n.index, &block);
            continue;
        }
        const sc_octet *children = sc_octree_children(&w->tree, n.level, n.index);
        if (!children) {
            return false;
        }
        for (unsigned mask = octets->meeting(children, low, high); mask != 0; mask &= mask - 1) {
            stack[count++] = (sc_node){8 * n.index + (uint32_t)__builtin_ctz(mask), n.level - 1};
        }
    }
    return true;
}

static sc_box swept_block(const sc_paths *p, size_t b)
{
    sc_box box = sc_blocks_placed_box(&p->moves->mesh->blocks, &p->moves->placement, b);
    sc_box end = sc_blocks_placed_box(&p->end->blocks, &p->moves->placement, b);
    sc_box_add_box(&box, &end);
    return sc_box_grown(&box, p->tolerance);
}

stlclash_code sc_paths_meet(sc_paths *p, stlclash_error *error)
{
    walk w = {.paths = p};
    sc_box swept = sc_box_empty();
    p->first.found = p->stopped = false;
    for (size_t b = 0; b < p->moves->mesh->blocks.count; b++) {
        sc_box box = swept_block(p, b);
        sc_box_add_box(&swept, &box);
    }
    sc_frame frame = sc_frame_make(&p->rests->bounds, &swept);
    const sc_octree_request request = {.mesh = p->rests->mesh,
                                       .placement = &p->rests->placement,
                                       .frame = &frame,
                                       .region = &swept};
    stlclash_code code = sc_octree_build(&request, &w.tree, error);
    w.room = sc_alloc(1, sizeof *w.room);
    code = w.room || code != STLCLASH_OK ? code : sc_error_memory(error);
    for (size_t b = 0; b < p->moves->mesh->blocks.count && w.tree.levels > 0; b++) {
        sc_box box = swept_block(p, b);
        if (code != STLCLASH_OK || p->stopped) {
            break;
        }
        if (!sc_boxes_meet(&box, &p->rests->bounds)) {
            continue;
        }
        code = walk_down(&w, b, &box) ? code : sc_error_memory(error);
        p->stopped = p->stopped || !sc_poll_goes_on(&p->poll);
    }
    sc_free(w.room);
    sc_octree_free(&w.tree);
    return code;
}
