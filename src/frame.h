/* frame.h - the frame of floats in which octrees are built and walked: boxes rounded
 * outwards, and facets. */
#ifndef SC_FRAME_H
#define SC_FRAME_H

#include "blocks.h"
#include "geom/box.h"
#include "triangles.h"

/* The frame of all float boxes of one check: (x - origin) * scale lies within
 * -1 .. 1 for both parts. scale is a power of two; with origin 0 no box is wider
 * for it. */
typedef struct sc_frame {
    double origin[3], scale;
    double pad; /* relative error of x - origin: 0 or 2^-52 */
} sc_frame;

/* The frame for two boxes that are not empty. */
sc_frame sc_frame_make(const sc_box *a, const sc_box *b);

/* A box in the frame, outwards. */
void sc_frame_box(const sc_frame *frame, const sc_box *box, float low[3], float high[3]);

/* Whether coordinates as stored need no more than a factor, a power of two, to be in the
 * frame: exactly, but for what underflows. */
bool sc_frame_is_scaling(const sc_frame *frame, const sc_placement *placement);

/* Three coordinates and one that does not matter: four floats are one register. */
typedef struct sc_fbox {
    float low[4], high[4];
} sc_fbox;

static inline sc_fbox sc_fbox_empty(void)
{
    return (sc_fbox){{INFINITY, INFINITY, INFINITY, INFINITY},
                     {-INFINITY, -INFINITY, -INFINITY, -INFINITY}};
}

static inline void sc_fbox_add(sc_fbox *to, const sc_fbox *box)
{
    for (int k = 0; k < 4; k++) {
        to->low[k] = box->low[k] < to->low[k] ? box->low[k] : to->low[k];
        to->high[k] = box->high[k] > to->high[k] ? box->high[k] : to->high[k];
    }
}

static inline bool sc_fbox_meet(const sc_fbox *a, const sc_fbox *b)
{
    for (int k = 0; k < 3; k++) {
        if (!(a->low[k] <= b->high[k] && a->high[k] >= b->low[k])) {
            return false;
        }
    }
    return true;
}

/* A box in the frame, outwards. */
static inline sc_fbox sc_frame_fbox(const sc_frame *frame, const sc_box *box)
{
    sc_fbox out = sc_fbox_empty();
    sc_frame_box(frame, box, out.low, out.high);
    return out;
}

/* A facet: its vertices, each coordinate within 2^-24 of where it is, and its box. */
typedef struct sc_ffacet {
    float v[3][4];
    sc_fbox box;
} sc_ffacet;

/* Its vertices alone. */
void sc_frame_vertices(const sc_frame *frame, const sc_facets *facets,
                       const sc_placement *placement, uint32_t facet, float v[3][4]);

void sc_frame_facet(const sc_frame *frame, const sc_facets *facets, const sc_placement *placement,
                    uint32_t facet, sc_ffacet *out);

/* The box of a block of the file. */
sc_fbox sc_frame_block(const sc_frame *frame, const sc_placement *placement,
                       const sc_block_box *box);

/* What holds a few triangles more tightly than a box where they lie aslant: two
 * parallel planes across their mean normal, a sphere, and about its centre a tube along
 * their longest edges, thin where they are slivers. In the frame, with margins for the
 * rounding of floats in it and in tests against it. */
typedef struct sc_slab {
    float normal[3]; /* at most of unit length; zero: no useful planes */
    float low, high; /* along the normal */
    float centre[3], radius;
    float along[3], tube; /* a unit vector, or zero; radius of the tube */
} sc_slab;

/* The slab of some facets and their box. */
void sc_slab_make(const sc_ffacet *const *facets, size_t count, const sc_fbox *box, sc_slab *slab);

#endif
