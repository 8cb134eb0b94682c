/* model.h - meshes with small integer coordinates, where all arithmetic is exact: from
 * triangles, rectangles, boxes and voxels. Random choices draw from test_random. */
#ifndef TEST_MODEL_H
#define TEST_MODEL_H

#include "shapes.h"

#include <stdbool.h>

enum { MODEL_MOST = 4096 }; /* triangles; what is beyond is dropped */

/* Large: not for the stack. */
typedef struct model {
    int v[MODEL_MOST][3][3];
    int count;
} model;

void add_triangle(model *m, const int a[3], const int b[3], const int c[3]);
/* A rectangle across `axis`, its normal along it (side 1) or against it (side 0). */
void add_rectangle(model *m, int axis, int side, int at, const int low[2], const int high[2]);
/* Outward, or all the other way round; each face cut into up to 2^cuts rectangles, so that they
 * meet in T-junctions. */
void add_box(model *m, const int low[3], const int high[3], int cuts, bool inverted);

/* Cells of a grid, chosen at random: all kinds of crowded edges and corners. Those at its border
 * stay free. Returns how many. */
enum { MODEL_GRID = 5 };
int add_voxels(model *m, bool full[MODEL_GRID][MODEL_GRID][MODEL_GRID], double density);

/* Triangles in any order. */
void shuffle_model(model *m);
void flip_triangle(model *m, int i);

/* Corners in any order, some zeros negative. */
stl_image image_of_model(const model *m);

#endif
