/* overlap.h - the common interior of two closed parts: its volume and what goes with it.
 *
 * The boundary of the overlap is the surface of A inside B and that of B inside A.
 * Its volume is a sum over facets and over the segments in which facets cross, which
 * needs neither the order of the segments nor any topology: the segment form of the
 * divergence theorem. What touches is told from what crosses by moving A symbolically
 * (geom/sos.h), which changes no volume. */
#ifndef SC_OVERLAP_H
#define SC_OVERLAP_H

#include "base/parallel.h"
#include "solids/solid.h"
#include "solids/windings.h"

typedef struct sc_overlap_region {
    double volume;
    sc_box bounds;
    size_t piece; /* the largest of the pieces of boundary around it */
} sc_overlap_region;

typedef struct sc_overlap_curve {
    size_t first, count; /* of the points */
    bool closed;
} sc_overlap_curve;

/* The overlap as a mesh. */
typedef struct sc_overlap_mesh {
    sc_vec3 *vertices; /* [vertex_count] each once */
    size_t vertex_count;
    uint32_t (*facets)[3]; /* [of_region[regions]] turning to the left as seen from outside */
    size_t *of_region;     /* [regions + 1] the first of each region */
} sc_overlap_mesh;

typedef struct sc_overlap {
    bool none;           /* no facet of either part lies inside the other, nothing crosses */
    bool volume_is_zero; /* exactly, up to chance 2^-100; else it is positive */
    double volume, volume_error;
    sc_vec3 centroid;    /* if the volume is not zero */
    sc_box bounds;       /* of the regions */
    sc_box common;       /* of all common points, also where the parts only touch */
    bool has_direction;  /* A's surface inside B faces one way more than others */
    sc_vec3 area_vector; /* of that surface, outwards of A */
    double area_terms;   /* the areas that it is the sum of */
    bool inside[2];      /* all of the part lies in the other, surfaces apart */
    bool multiplicity;   /* some part covers a place more than once */

    sc_overlap_region *regions; /* [region_count], largest first */
    size_t region_count;
    uint32_t *region_of;      /* [pieces] of a piece of the boundary; SC_NO_REGION for such without
                            volume */
    sc_overlap_curve *curves; /* [curve_count], once found */
    size_t curve_count;
    sc_vec3 *curve_points;
    size_t curve_point_count;
    sc_overlap_mesh mesh; /* once made */
} sc_overlap;

#define SC_NO_REGION UINT32_MAX

struct sc_crossings;
struct sc_pieces;

/* Of two closed parts, with their winding numbers (sc_crossings_wind), whose patches it may take
 * apart. *pieces: none to begin with; the pieces of the boundary, unless there is none. The same
 * for any number of threads. False if memory ran out; both are to be freed in any case. */
bool sc_overlap_measure(struct sc_crossings *crossings, sc_crew *crew, struct sc_pieces *pieces,
                        sc_overlap *overlap);

/* Adds the curves, which open parts have too; hits as for sc_crossings_find. */
bool sc_overlap_find_curves(sc_solid *solid[2], const uint64_t *hits, size_t hit_count,
                            sc_crew *crew, sc_overlap *overlap);

/* Adds to the area vector what is the sum of so much area. */
void sc_overlap_add_area(sc_overlap *overlap, sc_vec3 area_vector, double area);

void sc_overlap_free(sc_overlap *overlap);

/* Two steps of these, each in a file of its own; false if memory ran out. */
bool sc_overlap_is_zero(const struct sc_crossings *crossings, sc_crew *crew, bool *zero);
bool sc_overlap_chain_curves(const struct sc_crossings *crossings, sc_overlap *overlap);

#endif
