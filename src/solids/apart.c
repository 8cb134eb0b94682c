/* apart.c - see apart.h. From a cell without a facet of the other part a way leads out of
 * its box through other such cells: then whatever lies in the cell is outside, and so is
 * all that hangs together with it. Most of a part is seen to be outside block by block.
 * The rest is too near the other's surface; nearly always it hangs together with what
 * stands before or after it in the file, else it is joined at its vertices, and each set
 * needs one that is outside. */
#include "apart.h"

#include "base/alloc.h"
#include "flood.h"
#include "windings.h"

typedef struct search {
    const sc_part *own, *other;
    const sc_frame *frame;
    sc_cells walls;   /* the cells with a facet of the other part */
    sc_cells outside; /* those from which a way leads out of its box */
} search;

/* In what the boxes of both have in common: a way out ends where the other's box does. */
static void find_outside(search *s)
{
    sc_fbox common = sc_frame_fbox(s->frame, &s->own->used_bounds);
    const sc_fbox box = sc_frame_fbox(s->frame, &s->other->used_bounds);
    bool open[3][2];

    for (int k = 0; k < 3; k++) {
        open[k][0] = box.low[k] >= common.low[k];
        open[k][1] = box.high[k] <= common.high[k];
        common.low[k] = open[k][0] ? box.low[k] : common.low[k];
        common.high[k] = open[k][1] ? box.high[k] : common.high[k];
    }
    sc_cells_make(&common, sc_cells_count(s->other->mesh->file.facets.count), &s->walls);
    sc_cells_mark(&s->walls, s->frame, s->other);
    sc_cells_flood(&s->walls, open, &s->outside);
}

static bool is_outside(const search *s, sc_vec3 p)
{
    if (!sc_box_holds(&s->other->used_bounds, p)) {
        return true;
    }
    sc_box point = sc_box_empty();
    sc_box_add_point(&point, p);
    sc_fbox box = sc_frame_fbox(s->frame, &point);
    return sc_cells_hold(&s->outside, &box);
}

/* The blocks that may be inside, as far as boxes tell; false if they are too many. */
static bool doubtful_blocks(const search *s, size_t *ids, size_t most, size_t *count)
{
    const sc_blocks *blocks = &s->own->mesh->blocks;
    const sc_fbox bounds = sc_frame_fbox(s->frame, &s->other->used_bounds);

    *count = 0;
    for (size_t g = 0; g < blocks->group_count; g++) {
        sc_fbox box = sc_frame_block(s->frame, &s->own->used, &blocks->groups[g]);
        size_t end = sc_fbox_meet(&box, &bounds) ? sc_group_end(blocks, g) : 0;
        for (size_t b = g * SC_GROUP; b < end; b++) {
            box = sc_frame_block(s->frame, &s->own->used, &blocks->boxes[b]);
            if (!sc_fbox_meet(&box, &bounds) || sc_cells_hold(&s->outside, &box)) {
                continue;
            }
            if (*count == most) {
                return false;
            }
            ids[(*count)++] = b;
        }
    }
    return true;
}

/* ---- runs of blocks ------------------------------------------------------ */

/* Whether facets i and i + 1 have a corner in common. */
static bool is_linked(const sc_facets *facets, uint32_t i)
{
    float a[9], b[9];
    sc_facet_load(facets, i, a);
    sc_facet_load(facets, i + 1, b);
    for (int k = 0; k < 9; k += 3) {
        for (int m = 0; m < 9; m += 3) {
            if (a[k] == b[m] && a[k + 1] == b[m + 1] && a[k + 2] == b[m + 2]) {
                return true;
            }
        }
    }
    return false;
}

static bool has_outside_corner(const search *s, uint32_t facet)
{
    sc_vec3 v[3];
    sc_triangle_vertices(&s->own->mesh->file.facets, &s->own->used, facet, v);
    return is_outside(s, v[0]) || is_outside(s, v[1]) || is_outside(s, v[2]);
}

/* Facets first .. end - 1 stand between blocks that are outside, or the ends of the file.
 * Whether all of them hang together with those, or with a corner that is outside, each by
 * those that follow it in the file. */
static bool run_leads_out(const search *s, uint32_t first, uint32_t end)
{
    const sc_facets *facets = &s->own->mesh->file.facets;
    for (uint32_t i = first; i < end;) { /* chain by chain */
        bool led = i == first && i > 0 && is_linked(facets, i - 1);
        led = led || has_outside_corner(s, i);
        for (; i + 1 < end && is_linked(facets, i); i++) {
            led = led || has_outside_corner(s, i + 1);
        }
        i++;
        led = led || (i == end && i < facets->count && is_linked(facets, i - 1));
        if (!led) {
            return false;
        }
    }
    return true;
}

static bool runs_lead_out(const search *s, const size_t *ids, size_t count)
{
    const sc_facets *facets = &s->own->mesh->file.facets;
    for (size_t i = 0, next; i < count; i = next) {
        uint32_t first, last;
        next = i + 1;
        while (next < count && ids[next] == ids[next - 1] + 1) {
            next++;
        }
        sc_block_facets(facets, ids[i], &first);
        uint32_t in_last = sc_block_facets(facets, ids[next - 1], &last);
        if (!run_leads_out(s, first, last + in_last)) {
            return false;
        }
    }
    return true;
}

/* ---- sets of vertices ---------------------------------------------------- */

/* Whether each connected set of the vertices has one with a way out. */
static bool all_lead_out(const search *s, sc_windings *w, bool *led)
{
    for (uint32_t i = 0; i < w->vertices; i++) {
        uint32_t root = sc_windings_root(w, i);
        led[root] = led[root] || is_outside(s, w->points[i]);
    }
    for (uint32_t i = 0; i < w->vertices; i++) {
        if (!led[sc_windings_root(w, i)]) {
            return false;
        }
    }
    return true;
}

static bool look_at_blocks(const search *s, const size_t *ids, size_t count, bool *apart)
{
    sc_solid own = {.part = s->own}, other = {.part = s->other};
    sc_windings pieces;
    bool good = sc_windings_init(&pieces, &own, &other);

    for (size_t i = 0; good && i < count; i++) {
        good = sc_windings_join_block(&pieces, ids[i]);
    }
    bool *led = good ? sc_calloc(pieces.vertices, sizeof *led) : NULL;
    if (led) {
        *apart = all_lead_out(s, &pieces, led);
    }
    good = led != NULL;
    sc_free(led);
    sc_windings_free(&pieces);
    return good;
}

bool sc_apart_find(const sc_part *own, const sc_part *other, const sc_frame *frame, bool *apart)
{
    enum { FEW_BLOCKS = 64 };
    size_t blocks = own->mesh->blocks.count, count;
    size_t most = blocks > 2 * FEW_BLOCKS ? blocks / 2 : FEW_BLOCKS;
    size_t *ids = sc_alloc(most, sizeof *ids);
    search *s = sc_alloc(1, sizeof *s); /* too large for a small stack */
    bool good = ids && s;

    *apart = false;
    if (good) {
        s->own = own;
        s->other = other;
        s->frame = frame;
        find_outside(s);
        if (doubtful_blocks(s, ids, most, &count)) {
            *apart = runs_lead_out(s, ids, count);
            good = *apart || look_at_blocks(s, ids, count, apart);
        }
    }
    sc_free(s);
    sc_free(ids);
    return good;
}
