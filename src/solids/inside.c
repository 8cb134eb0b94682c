/* inside.c - sc_windings_add_rest: the facets that may lie inside the other part, found
 * from the top of the octree down; and sc_windings_add_whole, where one ray tells of all.
 *
 * A node whose box meets no facet of the other part lies wholly on one side of it, and
 * one ray tells on which, or a node beside it of which that is known. What lies inside is
 * taken as it stands in the file, by families of blocks that need not be opened. */
#include "windings.h"

#include "base/alloc.h"

/* A box without any facet of the other part: all of it has one winding number. */
typedef struct clear_box {
    sc_fbox box;
    int winding;
} clear_box;

enum { MAX_CLEAR = 16 };

typedef struct search {
    sc_windings *w;
    sc_fbox bounds;             /* of the other part */
    sc_known_windings known;    /* of nodes before: mostly not far off */
    clear_box clear[MAX_CLEAR]; /* of these: the latest replaces the oldest */
    unsigned clear_count;       /* so far */
    sc_met met;                 /* of the other part */
    uint32_t *beside;           /* [beside_count] facets that do not cross the other part, but have
                                   leaves that come near it */
    size_t beside_count, beside_capacity;
} search;

/* Everything below a node. */
static bool add_inside(sc_windings *w, uint32_t index, int level, int winding)
{
    const sc_octree *tree = w->own->tree;
    if (level <= 1) {
        bool good = sc_windings_room_for_patch(w, SC_FAMILY);
        if (good) {
            uint32_t *facets = w->patch_facets + w->patch_facet_count;
            sc_windings_add_patch(w, sc_octree_facets(tree, level, index, facets), winding);
        }
        return good;
    }
    for (uint32_t i = 8 * index; i < 8 * index + 8 && i < tree->count[level - 1]; i++) {
        if (!add_inside(w, i, level - 1, winding)) {
            return false;
        }
    }
    return true;
}

/* Where two clear boxes meet, nothing comes between them. */
static bool is_beside_clear(const search *s, const sc_fbox *box, int *winding)
{
    for (unsigned i = 0; i < s->clear_count && i < MAX_CLEAR; i++) {
        if (sc_fbox_meet(box, &s->clear[i].box)) {
            *winding = s->clear[i].winding;
            return true;
        }
    }
    return false;
}

typedef enum side { OUTSIDE, INSIDE, MIXED, FAILED } side;

static side side_of(search *s, const sc_fbox *box, int level, uint32_t index, int *winding)
{
    sc_windings *w = s->w;
    bool failed = false;
    sc_vec3 v[3];

    if (!sc_fbox_meet(box, &s->bounds)) {
        return OUTSIDE;
    }
    if (!sc_solid_clear_frame(w->other, &s->met, box->low, box->high, &failed)) {
        return failed ? FAILED : MIXED;
    }
    if (!is_beside_clear(s, box, winding)) {
        sc_solid_facet(w->own, sc_octree_some_facet(w->own->tree, level, index), v);
        if (!sc_solid_winding_near(w->other, &s->known, v[0], winding)) {
            return FAILED;
        }
    }
    s->clear[s->clear_count++ % MAX_CLEAR] = (clear_box){*box, *winding};
    return sc_is_inside(*winding) ? INSIDE : OUTSIDE;
}

/* The facets of a leaf that do not cross the other part, and whether another one does: then the
 * other part is there. */
typedef struct leaf_facets {
    uint32_t beside[8], count;
    bool cross;
} leaf_facets;

static leaf_facets look_at_leaf(const sc_windings *w, const sc_leaf *leaf)
{
    leaf_facets f = {.count = 0};
    uint32_t facet[8], all = sc_leaf_list(leaf, facet);
    for (uint32_t i = 0; i < all; i++) {
        if (!sc_windings_crossed(w, facet[i])) {
            f.beside[f.count++] = facet[i];
        }
    }
    f.cross = f.count < all;
    return f;
}

static bool list_beside(search *s, const leaf_facets *f)
{
    if (!sc_make_room(&s->beside, &s->beside_capacity, s->beside_count + f->count,
                      sizeof *s->beside)) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        s->beside[s->beside_count++] = f->beside[i];
    }
    return true;
}

static bool descend(search *s, uint32_t index, int level, const sc_fbox *box)
{
    sc_windings *w = s->w;
    leaf_facets facets = {.count = 0};
    int winding;
    if (level < 0) {
        facets = look_at_leaf(w, sc_octree_leaf(w->own->tree, index));
    }
    const side where = facets.cross ? MIXED : side_of(s, box, level, index, &winding);
    if (where == FAILED || (level == 0 && sc_watch_is_over(w->own->watch))) {
        return false;
    }
    if (where == OUTSIDE) {
        w->some_outside = true;
        return true;
    }
    if (where == INSIDE) {
        return add_inside(w, index, level, winding);
    }
    if (level < 0) {
        return list_beside(s, &facets);
    }
    const sc_octet *octet = sc_octree_children(w->own->tree, level, index);
    if (!octet) {
        return false;
    }
    for (uint32_t i = 0; i < 8; i++) {
        sc_fbox child = sc_octet_box(octet, i);
        if (child.low[0] <= child.high[0] && !descend(s, 8 * index + i, level - 1, &child)) {
            return false;
        }
    }
    return true;
}

bool sc_windings_add_rest(sc_windings *w)
{
    const sc_octree *own = w->own->tree, *other = w->other->tree;
    if (own->levels == 0 || other->levels == 0) {
        return true;
    }
    sc_fbox root = sc_octet_box(own->octets[own->levels - 1], 0);
    search s = {.w = w, .bounds = sc_octet_box(other->octets[other->levels - 1], 0)};
    bool good = descend(&s, 0, own->levels - 1, &root) &&
                sc_windings_add_facets(w, s.beside, s.beside_count);
    sc_free(s.beside);
    return good;
}

/* ---- parts of one shell --------------------------------------------------- */

bool sc_windings_add_whole(sc_windings *w)
{
    const sc_part *part = w->own->part;
    const uint32_t facets = part->mesh->file.facets.count;
    int winding;

    if (!sc_windings_of_shell(w->own, w->other, &winding)) {
        return false;
    }
    if (winding == 0) {
        w->some_outside = true;
        return true;
    }
    if (!sc_windings_room_for_patch(w, facets)) {
        return false;
    }
    for (uint32_t i = 0; i < facets; i++) {
        w->patch_facets[i] = i;
    }
    sc_windings_add_patch(w, facets, winding);
    w->is_whole = true;
    return true;
}
