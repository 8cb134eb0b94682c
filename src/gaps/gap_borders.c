/* gap_borders.c - see gap_borders.h. */
#include "gap_borders.h"

#include "base/alloc.h"
#include "base/groups.h"

/* A border of two facets. False if memory ran out. */
static bool add(const sc_gap_facets *f, uint32_t one, uint32_t other, const uint32_t end[2],
                sc_gap_borders *b)
{
    const uint32_t first = f->leaf[one] >= f->leaf[other] ? one : other;
    const uint32_t second = first == one ? other : one;
    const sc_gap_border border = {
        {f->leaf[first], f->leaf[second]}, {end[0], end[1]}, {f->index[first], f->index[second]}};
    const bool inside = border.leaf[0] == border.leaf[1];
    sc_gap_border **list = inside ? &b->inside : &b->between;
    size_t *count = inside ? &b->inside_count : &b->between_count;
    size_t *capacity = inside ? &b->inside_capacity : &b->between_capacity;

    if (*count == UINT32_MAX || !sc_make_room(list, capacity, *count + 1, sizeof **list)) {
        return false;
    }
    (*list)[(*count)++] = border;
    return true;
}

/* ---- facets of one leaf -------------------------------------------------------- */

/* The vertices that two facets have in common. */
static int shared_of(const sc_gap_facets *f, uint32_t first, uint32_t second, uint32_t shared[3])
{
    const uint32_t *one = f->vertex[first], *other = f->vertex[second];
    int count = 0;
    for (int i = 0; i < 3; i++) {
        if (one[i] == other[0] || one[i] == other[1] || one[i] == other[2]) {
            shared[count++] = one[i];
        }
    }
    return count;
}

/* Of one vertex that, of two their edge, of three all edges. */
static bool add_shared(const sc_gap_facets *f, uint32_t first, uint32_t second, sc_gap_borders *b)
{
    uint32_t shared[3];
    const int count = shared_of(f, first, second, shared);
    bool good = true;
    for (int i = 0; i < (count == 2 ? 1 : count) && good; i++) {
        good = add(f, first, second, (uint32_t[]){shared[i], shared[(i + 1) % count]}, b);
    }
    return good;
}

static bool add_inside(const sc_gap_facets *f, const sc_gap_leaf *leaf, sc_gap_borders *b)
{
    bool good = true;
    for (uint32_t i = 1; i < leaf->count && good; i++) {
        for (uint32_t k = 0; k < i && good; k++) {
            good = add_shared(f, leaf->facet[k], leaf->facet[i], b);
        }
    }
    return good;
}

/* ---- facets of two ---------------------------------------------------------------- */

/* Corner 3 i + k: vertex k of facet i, or its edge from there to the next one. */
static uint32_t vertex_of(const void *facets, uint32_t corner)
{
    return ((const sc_gap_facets *)facets)->vertex[corner / 3][corner % 3];
}

static uint32_t edge_of(const void *facets, uint32_t corner)
{
    return ((const sc_gap_facets *)facets)->edge[corner / 3][corner % 3];
}

/* Those of corners of the same vertex or edge that come one after the other. */
static bool add_chains(const sc_gap_facets *f, bool edges, sc_watch *watch, sc_gap_borders *b)
{
    const uint32_t features = edges ? f->edges : f->vertices;
    sc_groups corners;
    bool good = sc_groups_make(3 * f->count, features, edges ? edge_of : vertex_of, f, &corners);

    for (uint32_t i = 0; i < features && good; i++) {
        for (uint32_t at = corners.from[i] + 1; at < corners.from[i + 1] && good; at++) {
            const uint32_t corner = corners.items[at], facet = corner / 3, k = corner % 3;
            const uint32_t before = corners.items[at - 1] / 3;
            const uint32_t *vertex = f->vertex[facet];
            const uint32_t end[2] = {vertex[k], vertex[edges ? (k + 1) % 3 : k]};
            good = f->leaf[before] == f->leaf[facet] || add(f, before, facet, end, b);
        }
        good = good && !sc_watch_ends(watch, i);
    }
    sc_groups_free(&corners);
    return good;
}

static bool add_seams(const sc_gap_facets *f, sc_gap_borders *b)
{
    bool good = b->seams.count <= UINT32_MAX;
    for (uint32_t i = 0; i < b->seams.count && good; i++) {
        const uint32_t *facet = b->seams.seam[i].facet;
        good = add(f, facet[0], facet[1], (uint32_t[]){SC_GAP_SEAM, i}, b);
    }
    return good;
}

/* ---- in order ----------------------------------------------------------------------- */

static uint32_t first_leaf(const void *borders, uint32_t i)
{
    return ((const sc_gap_border *)borders)[i].leaf[0];
}

static uint32_t second_leaf(const void *borders, uint32_t i)
{
    return ((const sc_gap_border *)borders)[i].leaf[1];
}

/* Puts borders in the order of one of their leaves, else as they are; *from: where those of each
 * leaf begin, which the caller frees. False if memory ran out. */
static bool order(sc_gap_border **list, size_t count, uint32_t leaves, sc_group_of *leaf_of,
                  uint32_t **from)
{
    sc_groups groups;
    const bool good =
        sc_groups_order(list, (uint32_t)count, sizeof **list, leaves, leaf_of, &groups);
    sc_free(*from);
    *from = groups.from;
    sc_free(groups.items);
    return good;
}

/* Of what lies between leaves in order. False if memory ran out. */
static bool list_neighbours(uint32_t leaves, sc_gap_borders *b)
{
    uint32_t count = 0;
    b->neighbours = sc_alloc(b->between_count + 1, sizeof *b->neighbours);
    for (uint32_t leaf = 0; leaf < leaves && b->neighbours; leaf++) {
        const uint32_t first = b->from_neighbour[leaf], end = b->from_neighbour[leaf + 1];
        b->from_neighbour[leaf] = count;
        for (uint32_t i = first; i < end; i++) {
            const uint32_t other = b->between[i].leaf[1];
            if (i == first || b->between[i - 1].leaf[1] != other) {
                b->neighbours[count++] = (sc_gap_neighbour){other, i};
            }
        }
    }
    if (b->neighbours) {
        b->from_neighbour[leaves] = count;
        b->neighbours[count] = (sc_gap_neighbour){UINT32_MAX, (uint32_t)b->between_count};
    }
    return b->neighbours != NULL;
}

/* What hangs together with the facets in `held` of a leaf. */
static unsigned piece_of(unsigned held, const sc_gap_border *border, uint32_t count)
{
    unsigned before = 0;
    while (held != before) {
        before = held;
        for (uint32_t i = 0; i < count; i++) {
            const unsigned both = 1u << border[i].index[0] | 1u << border[i].index[1];
            held |= (held & both) != 0 ? both : 0;
        }
    }
    return held;
}

static bool find_pieces(const sc_gap_facets *f, sc_gap_borders *b)
{
    b->pieces = sc_alloc(f->leaf_count, sizeof *b->pieces);
    for (uint32_t i = 0; i < f->leaf_count && b->pieces; i++) {
        sc_gap_pieces *p = &b->pieces[i];
        p->count = 0;
        for (unsigned left = (1u << f->leaves[i].count) - 1; left != 0;) {
            const unsigned piece =
                piece_of(left & -left, &b->inside[b->from[i]], b->from[i + 1] - b->from[i]);
            p->piece[p->count++] = (uint8_t)piece;
            left &= ~piece;
        }
    }
    return b->pieces != NULL;
}

/* ---- all of them -------------------------------------------------------------------- */

bool sc_gap_borders_make(const sc_gap_facets *f, double within, sc_watch *watch, sc_gap_borders *b)
{
    *b = (sc_gap_borders){.inside = NULL};
    bool good = f->count <= UINT32_MAX / 3 && sc_gap_seams_find(f, within, watch, &b->seams);
    for (uint32_t i = 0; i < f->leaf_count && good; i++) {
        good = add_inside(f, &f->leaves[i], b);
    }
    return good && add_chains(f, false, watch, b) && add_chains(f, true, watch, b) &&
           add_seams(f, b) &&
           order(&b->inside, b->inside_count, f->leaf_count, first_leaf, &b->from) &&
           order(&b->between, b->between_count, f->leaf_count, second_leaf, &b->from_neighbour) &&
           order(&b->between, b->between_count, f->leaf_count, first_leaf, &b->from_neighbour) &&
           list_neighbours(f->leaf_count, b) && find_pieces(f, b);
}

void sc_gap_borders_free(sc_gap_borders *b)
{
    sc_free(b->inside);
    sc_free(b->from);
    sc_free(b->pieces);
    sc_free(b->between);
    sc_free(b->neighbours);
    sc_free(b->from_neighbour);
    sc_gap_seams_free(&b->seams);
    *b = (sc_gap_borders){.inside = NULL};
}

bool sc_gap_border_ends(const sc_gap_facets *f, const sc_gap_borders *b,
                        const sc_gap_border *border, sc_vec3 end[2])
{
    if (border->end[0] == SC_GAP_SEAM) {
        const sc_gap_seam *seam = &b->seams.seam[border->end[1]];
        end[0] = seam->from;
        end[1] = seam->to;
        return true;
    }
    end[0] = f->points[border->end[0]];
    end[1] = f->points[border->end[1]];
    return border->end[0] != border->end[1];
}
