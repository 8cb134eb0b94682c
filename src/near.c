/* near.c - see near.h. First a box for either part, in a few rounds: each narrows the region
 * in which the other's blocks matter. Then cells, which leave out what is in that region
 * but not close to anything. */
#include "near.h"

enum { ROUNDS = 3, FEW_BLOCKS = 64, SAMPLES = 256 };

/* What the two parts have in the region of each other; false if that is nothing. */
static bool find_regions(const sc_part part[2], double distance, sc_near *near, sc_box within[2])
{
    near->region[0] = sc_box_grown(&part[1].used_bounds, distance);
    for (int round = 0; round < ROUNDS; round++) {
        const sc_box before = near->region[0];
        for (int i = 0; i < 2; i++) {
            within[i] = sc_part_within(&part[i], &near->region[i]);
            if (sc_box_is_empty(&within[i])) {
                return false;
            }
            near->region[1 - i] = sc_box_grown(&within[i], distance);
        }
        if (sc_box_inside(&before, &near->region[0])) {
            break; /* another round would find the same */
        }
    }
    return true;
}

/* The cells for either part: those that the other one comes near; of one grid, so that where a
 * facet lies is worked out once. */
typedef struct marking {
    const sc_part *part; /* [2] */
    const sc_frame *frame;
    double distance;
    sc_fbox box; /* of the grid */
    int count;
    sc_near *near;
} marking;

static void mark_cells(void *context, int i)
{
    const marking *m = context;
    sc_cells *cells = &m->near->of[1 - i].cells;
    sc_cells_make(&m->box, m->count, cells);
    sc_cells_mark_within(cells, m->frame, &m->part[i], m->distance * m->frame->scale,
                         &m->near->of[i].loose);
}

void sc_near_init(sc_near *near, const sc_part part[2])
{
    near->none = true;
    near->has_cells = false;
    for (int i = 0; i < 2; i++) {
        sc_loose_init(&near->of[i].loose, part[i].mesh->blocks.count);
    }
}

void sc_near_free(sc_near *near)
{
    sc_loose_free(&near->of[0].loose);
    sc_loose_free(&near->of[1].loose);
}

bool sc_near_find(const sc_part part[2], const sc_frame *frame, double distance, sc_crew *crew,
                  sc_near *near)
{
    const uint32_t facets[2] = {part[0].mesh->file.facets.count, part[1].mesh->file.facets.count};
    sc_box within[2];

    near->none = !find_regions(part, distance, near, within);
    if (near->none) {
        return true;
    }
    /* They tell something only in a box that is larger than what they are marked by. */
    bool large = sc_fmax(sc_box_extent(&within[0]), sc_box_extent(&within[1])) > distance;
    near->has_cells = large && (part[0].mesh->blocks.count > FEW_BLOCKS ||
                                part[1].mesh->blocks.count > FEW_BLOCKS);
    if (near->has_cells) {
        sc_box_add_box(&within[0], &within[1]);
        marking m = {part, frame, distance, sc_frame_fbox(frame, &within[0]), 0, near};
        m.count = sc_cells_count(facets[0] > facets[1] ? facets[0] : facets[1]);
        sc_crew_items(crew, 2, mark_cells, &m);
    }
    return !near->of[0].loose.failed && !near->of[1].loose.failed;
}

bool sc_near_is_much(const sc_near *near, const sc_frame *frame, const sc_part *part, int i)
{
    const sc_fbox region = sc_frame_fbox(frame, &near->region[i]);
    const sc_facets *facets = &part->mesh->file.facets;
    const sc_way_in way = sc_frame_way_in(frame, facets, &part->used);
    uint32_t step = 1 + facets->count / SAMPLES, kept = 0, seen = 0;
    for (uint64_t at = 0; at < facets->count; at += step, seen++) {
        sc_ffacet f;
        sc_frame_facet(&way, (uint32_t)at, &f);
        kept += sc_fbox_meet(&f.box, &region) &&
                (!near->has_cells || sc_cells_meet(&near->of[i].cells, &f.box));
    }
    return 2 * kept > seen;
}
