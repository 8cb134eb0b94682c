/* oracle_solid.h - the truth about solids: shapes whose common volume can be counted,
 * clipped or written down, and plain sums over all facets.
 *
 * Written for plainness and without any idea that the library uses: no winding by
 * edges, no perturbation, no tree. Random choices draw from test_random. */
#ifndef ORACLE_SOLID_H
#define ORACLE_SOLID_H

#include "shapes.h"

#include <gmp.h>
#include <stdbool.h>

/* ---- tetrahedra ----------------------------------------------------------- */

/* The common volume of two tetrahedra that are not flat, exactly: one is cut by the
 * four planes of the other, piece by piece, in fractions. */
void oracle_tetra_common(mpq_t volume, double a[4][3], double b[4][3]);

/* The same in long double. Error: below 1e-17 times the volume of either. */
double oracle_tetra_estimate(double a[4][3], double b[4][3]);

/* As the nearest double; and the sign of what it stands for. */
double oracle_tetra_fraction(double a[4][3], double b[4][3], int *sign);

/* Corners on a grid 0 .. grid, neither flat nor inside out. */
void oracle_tetra_random(int grid, int v[4][3]);
void oracle_tetra_doubles(int v[4][3], double d[4][3]);

/* How two solids lie to each other. */
typedef enum oracle_relation {
    ORACLE_APART,
    ORACLE_TOUCH,    /* common points, no common volume */
    ORACLE_OVERLAP,  /* common volume, and the surfaces meet */
    ORACLE_A_INSIDE, /* the surfaces do not meet, all of A lies in B */
    ORACLE_B_INSIDE,
    ORACLE_PARTLY_INSIDE /* the surfaces do not meet, some pieces of a part lie in the
                            other and some do not */
} oracle_relation;

/* In integers, exact up to coordinates of 10^4: convex solids are apart if and only
 * if the normal of a face, or one common to an edge of each, tells them apart. */
oracle_relation oracle_tetra_relation(int a[4][3], int b[4][3]);

/* ---- lattices ------------------------------------------------------------- */

/* Lattice coordinates to space: origin + x axis[0] + y axis[1] + z axis[2]. Exact in
 * float as long as all numbers are small integers times a power of two. */
typedef struct oracle_frame {
    double origin[3], axis[3][3];
} oracle_frame;

oracle_frame oracle_frame_plain(void);
/* Axes of small integers: skew, often mirrored, never flat. */
oracle_frame oracle_frame_random(void);
double oracle_frame_volume(const oracle_frame *f);         /* of a cell, > 0 */
double oracle_frame_area(const oracle_frame *f, int axis); /* of the cell's face */
void oracle_frame_place(const oracle_frame *f, const double lattice[3], double place[3]);

/* ---- voxel solids --------------------------------------------------------- */

enum { ORACLE_VOXELS = 8 };

/* The cells of a cube of n^3 that are set. Where set ones meet at an edge or corner
 * only, the mesh is not manifold. */
typedef struct oracle_voxels {
    int n; /* 1 .. ORACLE_VOXELS */
    bool set[ORACLE_VOXELS][ORACLE_VOXELS][ORACLE_VOXELS];
} oracle_voxels;

/* Each cell set with the same chance; at least one is. */
oracle_voxels oracle_voxels_random(int n, double chance);
/* Every cell becomes eight; n is at most ORACLE_VOXELS / 2. */
oracle_voxels oracle_voxels_refined(const oracle_voxels *v);
/* False outside of the cube. */
bool oracle_voxels_at(const oracle_voxels *v, int x, int y, int z);
/* The boundary, moved by `shift` cells: two triangles a face, each diagonal random. */
stl_image oracle_voxels_mesh(const oracle_voxels *v, const int shift[3], const oracle_frame *f);

/* A where it is, B moved by `shift` cells. */
typedef struct oracle_voxels_pair {
    oracle_relation relation;
    int common;           /* cells */
    int touching[3];      /* faces normal to an axis: A on one side, B on the other */
    int components_least; /* pieces of the common cells, joined by corners */
    int components_most;  /* the same, joined by faces only */
    int bounds[2][3];     /* of the common cells */
    double centroid[3];   /* in lattice coordinates */
} oracle_voxels_pair;
oracle_voxels_pair oracle_voxels_compare(const oracle_voxels *a, const oracle_voxels *b,
                                         const int shift[3]);

/* ---- boxes with T-junctions ------------------------------------------------ */

/* A box in lattice coordinates, each face cut into rectangles and those into triangles
 * at random, so that faces share no vertices along most edges. Cuts lie on multiples
 * of `unit`; with unit 0 on any float, for a plain frame only. */
stl_image oracle_split_box(const double low[3], const double high[3], double unit,
                           const oracle_frame *f);

/* ---- sums over all facets -------------------------------------------------- */

/* The generalised winding number about p, by solid angles. */
double oracle_winding(const stl_image *image, const double p[3]);
/* From p to the surface. */
double oracle_distance(const stl_image *image, const double p[3]);
/* The signed volume. */
double oracle_volume(const stl_image *image);

/* ---- depth of convex solids ------------------------------------------------ */

enum { ORACLE_PLANES = 12 };

/* A convex solid as half-spaces normal . p <= offset, normals of length 1. */
typedef struct oracle_convex {
    int count;
    double normal[ORACLE_PLANES][3], offset[ORACLE_PLANES];
} oracle_convex;

/* Of a mesh of a convex solid; facets of one plane count once. */
oracle_convex oracle_convex_of(const stl_image *image);
/* How deep p lies inside: the least distance to a plane, negative outside. */
double oracle_convex_inside(const oracle_convex *c, const double p[3]);
/* max over common points p of max(depth of p in A, in B): a linear program, solved by
 * trying all corners. Negative or 0 if there is no common interior. */
double oracle_convex_depth(const oracle_convex *a, const oracle_convex *b);

#endif
