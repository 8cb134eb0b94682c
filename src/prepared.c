/* prepared.c - see prepared.h. */
#include "prepared.h"

#include "base/alloc.h"

sc_leaves sc_leaves_of(const sc_frame *frame, const sc_part *a, const sc_part *b)
{
    return (sc_leaves){.frame = frame,
                       .facets = {&a->mesh->file.facets, &b->mesh->file.facets},
                       .placement = {&a->used, &b->used},
                       .octets = sc_octets(),
                       .vertex_error = sc_frame_vertex_error(frame, &a->used) +
                                       sc_frame_vertex_error(frame, &b->used)};
}

void sc_leaves_free(sc_leaves *leaves)
{
    for (int part = 0; part < 2; part++) {
        sc_free(leaves->cache[part]);
        leaves->cache[part] = NULL;
    }
}

void sc_leaves_forget(sc_leaves *leaves)
{
    for (int part = 0; part < 2; part++) {
        for (int i = 0; i < SC_CACHED_LEAVES && leaves->cache[part]; i++) {
            leaves->cache[part]->leaf[i] = NULL;
        }
    }
}

bool sc_leaves_make_room(sc_leaves *leaves)
{
    if (leaves->cache[1]) {
        return true;
    }
    for (int part = 0; part < 2; part++) {
        if (!leaves->cache[part]) {
            leaves->cache[part] = sc_alloc(1, sizeof *leaves->cache[part]);
        }
    }
    sc_leaves_forget(leaves);
    return leaves->cache[0] && leaves->cache[1];
}

void sc_leaves_load(const sc_leaves *leaves, int part, const sc_leaf *leaf, size_t slot)
{
    sc_leaf_cache *cache = leaves->cache[part];
    const sc_way_in way =
        sc_frame_way_in(leaves->frame, leaves->facets[part], leaves->placement[part]);
    const uint32_t count = sc_leaf_list(leaf, cache->facet[slot]);

    sc_sift_load(&way, cache->facet[slot], count, &cache->loaded[slot].facets.corners);
    cache->leaf[slot] = leaf;
    cache->has_planes[slot] = cache->has_boxes[slot] = false;
    cache->placed[slot] = cache->made[slot] = 0;
}
