/* shared_tree.c - see shared_tree.h. */
#include "shared_tree.h"

#include "base/alloc.h"

#include <pthread.h>

struct sc_shared_tree {
    pthread_mutex_t lock;
    sc_part part;
    bool made;
    sc_octree tree;
};

/* ---- frames -------------------------------------------------------------- */

/* The room around a part in which others get its frame. */
static sc_box room_of(const sc_part *part)
{
    return sc_box_grown(&part->used_bounds, 0.5 * sc_box_extent(&part->used_bounds));
}

sc_frame sc_frame_of_parts(const sc_part *a, const sc_part *b, int *anchor)
{
    double extent_a = sc_box_extent(&a->used_bounds), extent_b = sc_box_extent(&b->used_bounds);
    const sc_part *larger = extent_b > extent_a ? b : a, *smaller = larger == a ? b : a;
    sc_box room = room_of(larger);

    if (extent_a != extent_b && sc_box_inside(&smaller->used_bounds, &room)) {
        *anchor = larger == b;
        return sc_frame_make(&room, &room);
    }
    *anchor = -1;
    return sc_frame_make(&a->used_bounds, &b->used_bounds);
}

/* ---- the tree ------------------------------------------------------------ */

sc_shared_tree *sc_shared_tree_make(const sc_part *part)
{
    sc_shared_tree *shared = sc_calloc(1, sizeof *shared);
    if (shared) {
        pthread_mutex_init(&shared->lock, NULL);
        shared->part = *part;
    }
    return shared;
}

void sc_shared_tree_free(sc_shared_tree *shared)
{
    if (shared) {
        if (shared->made) {
            sc_octree_free(&shared->tree);
        }
        pthread_mutex_destroy(&shared->lock);
        sc_free(shared);
    }
}

stlclash_code sc_shared_tree_get(sc_shared_tree *shared, const sc_frame *frame, sc_octree **tree,
                                 stlclash_error *error)
{
    const sc_part *part = &shared->part;
    stlclash_code code = STLCLASH_OK;

    pthread_mutex_lock(&shared->lock);
    if (!shared->made) {
        code = sc_octree_of_part(part, frame, &part->used_bounds, NULL, &shared->tree, error);
        shared->made = code == STLCLASH_OK;
    }
    pthread_mutex_unlock(&shared->lock);
    if (code == STLCLASH_OK) {
        *tree = &shared->tree; /* it changes only where it is atomic */
    }
    return code;
}
