/* shapes.h - meshes for tests: binary STL files in memory, to mesh with
 * stlclash_mesh_parse(image.bytes, image.size, ...).
 *
 *     stl_image cube = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
 *     stl_image ring = make_torus(2, 0.5, 32, 16);
 *     image_move(&ring, 1, 0, 0);
 *     image_shuffle(&ring);
 *     ...
 *     image_free(&cube), image_free(&ring);
 *
 * All but the soup are closed, outward-oriented and free of degenerate facets, and
 * facets that share a vertex have its exact bits. Random choices draw from test_random,
 * so a test is repeatable. Running out of memory ends the program. The shapes and
 * pairs of the benchmark are at hand too: image_of(&shape), and shape_pair() in
 * bench/shapes.h. */
#ifndef TEST_SHAPES_H
#define TEST_SHAPES_H

#include "../bench/shapes.h"

/* ---- making --------------------------------------------------------------- */

stl_image image_of(const shape *shape);

/* A box, each face a grid of cells x cells: 12 * cells^2 facets. */
stl_image make_box(const double low[3], const double high[3], uint32_t cells);
/* The same with plain faces, between numbers. */
stl_image simple_box(double x0, double x1, double y0, double y1, double z0, double z1);
stl_image cube(double low, double high);
/* Spheres about the origin, 12 * cells^2 facets; the bumps reach 8 % of the radius. */
stl_image make_sphere(double radius, uint32_t cells);
stl_image make_bumpy(double radius, uint32_t cells);
/* Axis z; 2 * around * across facets. */
stl_image make_torus(double ring, double tube, uint32_t around, uint32_t across);
/* Axis x, the middle at the origin; 4 * sides facets. */
stl_image make_cylinder(double radius, double length, uint32_t sides);
/* Axis x, the middle at the origin, a hole all along it, in `rows` rows of facets; 4 * sides *
 * (rows + 1). */
stl_image make_bush(double hole, double outside, double length, uint32_t sides, int rows);
/* A quadrilateral in two, as triangles that face outwards, or inwards: puts 18 floats at `at`, and
 * returns where the next one goes. */
float *add_quadrilateral(float *at, double (*const corner[4])[3], bool out);
/* An L in the xy plane, its inner corner at (size / 2, size / 2), of the same height
 * along z: not convex, volume 3/4 size^3; 20 facets. */
stl_image make_l_prism(double size);
/* An L of height 1, its arms 3 long and 1 wide. */
stl_image make_l(void);
/* Four facets, outward if the determinant of v[1] - v[0], v[2] - v[0], v[3] - v[0] is positive. */
stl_image make_tetra(double v[4][3]);
/* Over a polygon that is a fan from its first corner, counter-clockwise; 4 * corners - 4 facets. */
stl_image make_prism(const double outline[][2], int corners, double low, double high);
/* A box with a closed cavity inside: its walls are `wall` thick; 24 facets. */
stl_image make_hollow_box(const double low[3], const double high[3], double wall);
/* Random triangles with corners within `edge` of random points of the cube 0..1. */
stl_image make_soup(int count, double edge);
/* From 9 floats a facet, or bare: a header that counts 0 facets. */
stl_image make_facets(const float *corners, size_t facets);

/* As an STL file stores it. */
double as_float(double x);

void image_free(stl_image *image); /* leaves {0} */

/* ---- changing ------------------------------------------------------------- */

size_t image_facets(const stl_image *image);
shape_facet image_get(const stl_image *image, size_t index);
void image_set(stl_image *image, size_t index, const shape_facet *facet);

/* Adds the facets of `more`. */
void image_join(stl_image *image, const stl_image *more);
/* Both as one; takes them over. */
stl_image image_joined(stl_image a, stl_image b);
/* Facets in random order. */
void image_shuffle(stl_image *image);
/* Each facet begins at a random corner; its orientation stays. */
void image_rotate_corners(stl_image *image);
/* Every facet the other way round: a solid becomes its complement. */
void image_invert(stl_image *image);
/* In double, then rounded to float, the same for equal corners. */
void image_move(stl_image *image, double x, double y, double z);
void image_scale(stl_image *image, double factor);
/* About x, then y, then z, in radians. */
void image_turn(stl_image *image, double x, double y, double z);

#endif
