/* shapes.h - closed meshes for benchmarks, tests and sample parts.
 *
 * A shape is a few numbers; its facets are computed one at a time and handed to a
 * sink, so that a mesh of any size needs memory for two rows of its grid only.
 * Every mesh is closed, oriented outwards (counter-clockwise) and free of degenerate
 * facets. A vertex is a function of its place in the grid alone and is rounded to
 * float once: facets that share it have the same bits. */
#ifndef BENCH_SHAPES_H
#define BENCH_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- facets and where they go -------------------------------------------- */

typedef struct shape_facet {
    float corner[3][3];
} shape_facet;

/* Takes facets in file order; returns false to stop (a full disk). */
typedef struct shape_sink {
    bool (*take)(void *context, const shape_facet *facet);
    void *context;
} shape_sink;

enum { STL_HEADER_SIZE = 84, STL_RECORD_SIZE = 50 };

/* The bytes of a binary STL file: its head, and one facet with its unit normal. */
void stl_encode_header(unsigned char bytes[STL_HEADER_SIZE], uint32_t facets);
void stl_encode_facet(unsigned char bytes[STL_RECORD_SIZE], const shape_facet *facet);

/* A file in memory; the owner frees `bytes`. Start from {0}. */
typedef struct stl_image {
    unsigned char *bytes;
    size_t size, capacity;
} stl_image;

bool stl_image_append(stl_image *image, const void *bytes, size_t size);
/* A sink that makes `image`, which must be {0}, a binary STL; the header's count
 * follows the facets. */
shape_sink stl_image_sink(stl_image *image);

/* ---- shapes -------------------------------------------------------------- */

typedef enum shape_kind {
    SHAPE_BOX,      /* grid on each face */
    SHAPE_SPHERE,   /* grid on the faces of a cube, blown up; with or without bumps */
    SHAPE_TORUS,    /* axis z */
    SHAPE_GEAR,     /* straight trapezoid teeth, pitch radius 1, axis z, bored */
    SHAPE_CYLINDER, /* axis x, side facets as long as the part, caps are fans */
    SHAPE_SCREW,    /* a thread on the outer wall, axis z, bored; from z = 0 up */
    SHAPE_NUT,      /* the same thread in the bore */
    SHAPE_SLEEVE    /* with neither */
} shape_kind;

typedef enum shape_relief {
    SHAPE_PLAIN,
    SHAPE_BUMPS,     /* up to 8 % of the radius */
    SHAPE_RIPPLES_A, /* 1 %, two unlike patterns that cross everywhere */
    SHAPE_RIPPLES_B
} shape_relief;

/* Start from one of the functions below. */
typedef struct shape {
    shape_kind kind;
    uint32_t cells[3];      /* box: along x, y, z; sphere: [0] along a cube edge; torus, gear,
                          screw, nut and sleeve: [0] around the axis, [1] round the section, but
                          for a torus [2] of these on a face; cylinder: [0] sides */
    double low[3], high[3]; /* box */
    double radius[2];       /* sphere: [0]; torus: of the ring, of the tube; cylinder: [0]; screw,
                          nut and sleeve: of the bore, of the outer wall, where the thread is at its
                          root */
    double length;          /* cylinder, screw, nut, sleeve */
    double start;           /* screw, nut: how far up the thread the lower face is */
    uint32_t copies[2];     /* along x and y, of all, each a body; 0: one */
    double pitch, wider;    /* between these; the outer wall of the last of them is wider by that */
    shape_relief relief;    /* sphere */
    double grid_turn[3][3]; /* sphere: turns the grid, not the relief */
    double turn[3][3], shift[3]; /* placement: turn, then shift */
    uint64_t shuffle;            /* not 0: facets in random order, this is the seed */
} shape;

/* `facets` is how many the mesh should have, about: the grid decides. */
shape shape_box(double facets, const double low[3], const double high[3]);
shape shape_sphere(double facets, double radius, shape_relief relief);
shape shape_torus(double facets, double ring, double tube);
shape shape_gear(double facets);
shape shape_cylinder(double facets, double radius, double length);
shape shape_screw(double facets, double core, double root, double length);
shape shape_nut(double facets, double bore, double outer, double length);
shape shape_sleeve(double facets, double bore, double outer, double length);

/* Rotation about x, then y, then z, in radians. */
void shape_rotation(double turn[3][3], double x, double y, double z);

uint64_t shape_facets(const shape *shape);
/* The facet at a place in the file, from 0. */
shape_facet shape_at(const shape *shape, uint64_t index);
/* All facets in file order; false if the sink stopped or memory ran out. */
bool shape_emit(const shape *shape, shape_sink sink);

/* ---- benchmark pairs ------------------------------------------------------ */

/* The names, in order, closed by NULL:
 *
 *   overlap   two bumpy spheres of radius R that overlap, centres 1.2 R apart
 *   gap       the same two, their boxes 0.01 R apart
 *   far       the same two, 10 R apart
 *   links     two tori linked like a chain, 0.02 R apart along two whole circles
 *   shell     a bumpy sphere in one of the same shape 0.2 % larger, other tessellation
 *   sphshell  the same with plain spheres: all of one is equally near to the other
 *   gear      two gears in mesh with play
 *   gearx     the same pushed together, so that a few teeth interfere
 *   touch     a box standing on a plate: coplanar faces, grids of unlike pitch
 *   contain   a small box inside a large bumpy sphere
 *   shuffled  overlap with the facets of both files in random order
 *   cross     concentric spheres with unlike ripples: they cross everywhere
 *   slivers   two cylinders crossing at 75 degrees, facets as long as the part
 *   trap      a small bumpy sphere at the centre of a plain one 40 times its size
 *   screw     a screw in a nut too tight by 0.002 all round, unlike tessellations
 *   sleeve    a sleeve in another one, too thick by 0.002, that ends where it does
 *   pins      25 sleeves in as many holes, too thick by 0.002 to 0.004, that stand out */
extern const char *const shape_pair_names[];

/* Both parts of a pair with about `facets` facets each; false for an unknown name
 * or, for slivers, a number at which float coordinates no longer tell sides apart. */
bool shape_pair(const char *name, double facets, shape pair[2]);

#endif
