/* part.h - one of the two parts of a check: a mesh and where it stands. */
#ifndef SC_PART_H
#define SC_PART_H

#include "mesh.h"

typedef struct sc_part {
    const stlclash_mesh *mesh;
    sc_placement placement;        /* as given */
    sc_placement used;             /* in which the parts are compared; see check.c */
    sc_box bounds;                 /* as given */
    sc_box used_bounds;            /* as compared */
    struct sc_shared_tree *shared; /* of the part as placed, for other pairs too; or NULL */
} sc_part;

/* The mesh, placed by 16 numbers or NULL; `whose` names it in messages. Fails as
 * sc_placement_make does. */
stlclash_code sc_part_place(const stlclash_mesh *mesh, const double *placement, const char *whose,
                            sc_part *part, stlclash_error *error);

/* The facets of both. */
static inline uint64_t sc_parts_facets(const sc_part *a, const sc_part *b)
{
    return (uint64_t)a->mesh->file.facets.count + b->mesh->file.facets.count;
}

/* The largest coordinate of both as they are compared. */
static inline double sc_parts_reach(const sc_part *a, const sc_part *b)
{
    return sc_fmax(sc_box_reach(&a->used_bounds), sc_box_reach(&b->used_bounds));
}

/* How two parts are compared, as seen from how they were given. */
typedef struct sc_order {
    bool swapped;      /* the first is B */
    bool identical;    /* the same triangles in the same place */
    bool placed_later; /* compared as stored: points get the placement of both */
} sc_order;

/* Brings A and B into an order by what they are, not by how they were named: by number of
 * triangles, bounds, coordinates, then placement. Those with the same placement are compared as
 * stored, which keeps their relation exact. */
sc_order sc_parts_order(sc_part part[2]);

/* The least shift along an axis by which the boxes of two parts, as compared, come apart: no common
 * point lies deeper in either part. Negative if they are apart. */
double sc_parts_way_apart(const sc_part *a, const sc_part *b);

/* Shifts it, in the coordinates in which it is compared, by what is small beside these. */
void sc_part_shift(sc_part *part, sc_vec3 shift);

/* Whether a plane across some axis has one part on either side, so that they can meet nowhere
 * but in it. */
bool sc_parts_are_divided(const sc_part *a, const sc_part *b);

/* The first block from *b on whose box, as compared, meets the region: to *b, and the box to *box.
 * False: there is none. */
static inline bool sc_part_next_block(const sc_part *part, const sc_box *region, size_t *b,
                                      sc_box *box)
{
    const sc_blocks *blocks = &part->mesh->blocks;
    for (size_t at = *b; at < blocks->count;) {
        if (at % SC_GROUP == 0) {
            const sc_box group = sc_blocks_placed_group(blocks, &part->used, at / SC_GROUP);
            if (!sc_boxes_meet(&group, region)) {
                at += SC_GROUP;
                continue;
            }
        }
        *box = sc_blocks_placed_box(blocks, &part->used, at);
        if (sc_boxes_meet(box, region)) {
            *b = at;
            return true;
        }
        at++;
    }
    return false;
}

/* Where the blocks of `part` that meet `region` lie: the union of what they have in
 * common with it. Empty if none does. */
sc_box sc_part_within(const sc_part *part, const sc_box *region);

/* Whether no facet of `part` comes into `region`, as far as their boxes tell. */
bool sc_part_misses(const sc_part *part, const sc_box *region);

#endif
