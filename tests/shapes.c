#include "shapes.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(bool ok)
{
    if (!ok) {
        fprintf(stderr, "shapes: out of memory\n");
        exit(2);
    }
}

/* ---- making --------------------------------------------------------------- */

stl_image image_of(const shape *s)
{
    stl_image image = {0};
    must(shape_emit(s, stl_image_sink(&image)));
    return image;
}

stl_image make_box(const double low[3], const double high[3], uint32_t cells)
{
    shape s = shape_box(12, low, high);
    s.cells[0] = s.cells[1] = s.cells[2] = cells;
    return image_of(&s);
}

stl_image simple_box(double x0, double x1, double y0, double y1, double z0, double z1)
{
    const double low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    return make_box(low, high, 1);
}

stl_image cube(double low, double high)
{
    return simple_box(low, high, low, high, low, high);
}

static stl_image make_ball(double radius, uint32_t cells, shape_relief relief)
{
    shape s = shape_sphere(12, radius, relief);
    s.cells[0] = cells;
    return image_of(&s);
}

stl_image make_sphere(double radius, uint32_t cells)
{
    return make_ball(radius, cells, SHAPE_PLAIN);
}

stl_image make_bumpy(double radius, uint32_t cells)
{
    return make_ball(radius, cells, SHAPE_BUMPS);
}

stl_image make_torus(double ring, double tube, uint32_t around, uint32_t across)
{
    shape s = shape_torus(12, ring, tube);
    s.cells[0] = around;
    s.cells[1] = across;
    return image_of(&s);
}

stl_image make_cylinder(double radius, double length, uint32_t sides)
{
    shape s = shape_cylinder(4.0 * sides, radius, length);
    return image_of(&s);
}

float *add_quadrilateral(float *at, double (*const corner[4])[3], bool out)
{
    static const int turned[2][6] = {{0, 1, 2, 2, 1, 3}, {0, 2, 1, 1, 2, 3}};
    for (int k = 0; k < 6; k++) {
        for (int n = 0; n < 3; n++) {
            *at++ = (float)(*corner[turned[out][k]])[n];
        }
    }
    return at;
}

stl_image make_bush(double hole, double outside, double length, uint32_t sides, int rows)
{
    const int faces = 2 * rows + 2; /* in and out, and either end */
    float *corners = malloc((size_t)faces * sides * 2 * 9 * sizeof *corners), *at = corners;
    for (int face = 0; face < faces; face++) {
        const int row = face / 2, out = face % 2;
        const double low = length * ((double)row / rows - 0.5);
        const double high = length * ((row + 1.0) / rows - 0.5);
        const double radius = out ? outside : hole, end = length * (out - 0.5);
        const double x[2] = {row < rows ? low : end, row < rows ? high : end};
        const double r[2] = {row < rows ? radius : hole, row < rows ? radius : outside};
        for (uint32_t i = 0; i < sides; i++) {
            double place[4][3];
            for (uint32_t k = 0; k < 4; k++) {
                const double angle = 2.0 * acos(-1.0) * ((i + k / 2) % sides) / sides;
                place[k][0] = x[k % 2];
                place[k][1] = r[k % 2] * cos(angle);
                place[k][2] = r[k % 2] * sin(angle);
            }
            double(*const q[4])[3] = {&place[0], &place[1], &place[2], &place[3]};
            at = add_quadrilateral(at, q, row < rows ? out : 1 - out);
        }
    }
    stl_image bush = make_facets(corners, (size_t)(at - corners) / 9);
    free(corners);
    return bush;
}

stl_image make_l_prism(double size)
{
    /* outline, counter-clockwise from the inner corner: its ends are a fan from there */
    static const float outline[6][2] = {{1, 1}, {1, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 1}};
    stl_image image = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&image);
    float scale = (float)(size / 2);

    for (int k = 0; k < 6; k++) {
        const float *from = outline[k], *to = outline[(k + 1) % 6];
        float x0 = scale * from[0], y0 = scale * from[1];
        float x1 = scale * to[0], y1 = scale * to[1], top = 2 * scale;
        const shape_facet side[2] = {{{{x0, y0, 0}, {x1, y1, 0}, {x1, y1, top}}},
                                     {{{x0, y0, 0}, {x1, y1, top}, {x0, y0, top}}}};
        const shape_facet cap[2] = {{{{scale, scale, 0}, {x1, y1, 0}, {x0, y0, 0}}},
                                    {{{scale, scale, top}, {x0, y0, top}, {x1, y1, top}}}};
        for (int half = 0; half < 2; half++) {
            must(sink.take(sink.context, &side[half]));
            if (k > 0 && k < 5) {
                must(sink.take(sink.context, &cap[half]));
            }
        }
    }
    return image;
}

stl_image make_prism(const double outline[][2], int corners, double low, double high)
{
    stl_image image = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&image);
    float z[2] = {(float)low, (float)high};

    for (int i = 0; i < corners; i++) {
        float x0 = (float)outline[i][0], y0 = (float)outline[i][1];
        float x1 = (float)outline[(i + 1) % corners][0], y1 = (float)outline[(i + 1) % corners][1];
        float x = (float)outline[0][0], y = (float)outline[0][1];
        shape_facet facets[4] = {{{{x0, y0, z[0]}, {x1, y1, z[0]}, {x1, y1, z[1]}}},
                                 {{{x0, y0, z[0]}, {x1, y1, z[1]}, {x0, y0, z[1]}}},
                                 {{{x, y, z[0]}, {x1, y1, z[0]}, {x0, y0, z[0]}}},
                                 {{{x, y, z[1]}, {x0, y0, z[1]}, {x1, y1, z[1]}}}};
        for (int f = 0; f < (i > 0 && i < corners - 1 ? 4 : 2); f++) {
            sink.take(sink.context, &facets[f]);
        }
    }
    return image;
}

double as_float(double x)
{
    float rounded[1];
    rounded[0] = (float)x;
    return (double)rounded[0];
}

stl_image make_hollow_box(const double low[3], const double high[3], double wall)
{
    const double inner_low[3] = {low[0] + wall, low[1] + wall, low[2] + wall};
    const double inner_high[3] = {high[0] - wall, high[1] - wall, high[2] - wall};
    stl_image image = make_box(low, high, 1), cavity = make_box(inner_low, inner_high, 1);

    image_invert(&cavity);
    image_join(&image, &cavity);
    image_free(&cavity);
    return image;
}

stl_image make_soup(int count, double edge)
{
    stl_image image = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&image);

    for (int i = 0; i < count; i++) {
        shape_facet facet;
        for (int k = 0; k < 3; k++) {
            double middle = test_uniform(0, 1);
            for (int c = 0; c < 3; c++) {
                facet.corner[c][k] = (float)(middle + test_uniform(-edge, edge));
            }
        }
        must(sink.take(sink.context, &facet));
    }
    return image;
}

stl_image make_facets(const float *corners, size_t facets)
{
    stl_image image = {0};
    shape_sink sink = stl_image_sink(&image);
    unsigned char header[STL_HEADER_SIZE];

    stl_encode_header(header, 0);
    must(stl_image_append(&image, header, sizeof header));
    for (size_t i = 0; i < facets; i++) {
        shape_facet facet;
        memcpy(facet.corner, corners + 9 * i, sizeof facet.corner);
        must(sink.take(sink.context, &facet));
    }
    return image;
}

stl_image make_l(void)
{
    static const double outline[6][2] = {{1, 1}, {1, 3}, {0, 3}, {0, 0}, {3, 0}, {3, 1}};
    return make_prism(outline, 6, 0, 1);
}

stl_image make_tetra(double v[4][3])
{
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    float corners[36];

    for (int i = 0; i < 36; i++) {
        corners[i] = (float)v[face[i / 9][i / 3 % 3]][i % 3];
    }
    return make_facets(corners, 4);
}

void image_free(stl_image *image)
{
    free(image->bytes);
    *image = (stl_image){0};
}

/* ---- changing ------------------------------------------------------------- */

size_t image_facets(const stl_image *image)
{
    return (image->size - STL_HEADER_SIZE) / STL_RECORD_SIZE;
}

static unsigned char *record(const stl_image *image, size_t index)
{
    return image->bytes + STL_HEADER_SIZE + STL_RECORD_SIZE * index;
}

shape_facet image_get(const stl_image *image, size_t index)
{
    const unsigned char *bytes = record(image, index) + 12;
    shape_facet facet;

    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++, bytes += 4) {
            uint32_t word = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                            (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
            memcpy(&facet.corner[c][k], &word, 4);
        }
    }
    return facet;
}

void image_set(stl_image *image, size_t index, const shape_facet *facet)
{
    stl_encode_facet(record(image, index), facet);
}

void image_join(stl_image *image, const stl_image *more)
{
    shape_sink sink = stl_image_sink(image);
    for (size_t i = 0; i < image_facets(more); i++) {
        shape_facet facet = image_get(more, i);
        must(sink.take(sink.context, &facet));
    }
}

stl_image image_joined(stl_image a, stl_image b)
{
    image_join(&a, &b);
    image_free(&b);
    return a;
}

void image_shuffle(stl_image *image)
{
    for (size_t i = image_facets(image); i > 1; i--) {
        size_t j = (size_t)(test_random() % i);
        shape_facet x = image_get(image, i - 1), y = image_get(image, j);
        image_set(image, i - 1, &y);
        image_set(image, j, &x);
    }
}

void image_rotate_corners(stl_image *image)
{
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet from = image_get(image, i), to;
        int first = test_below(3);
        for (int c = 0; c < 3; c++) {
            memcpy(to.corner[c], from.corner[(first + c) % 3], sizeof to.corner[c]);
        }
        image_set(image, i, &to);
    }
}

void image_invert(stl_image *image)
{
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet from = image_get(image, i), to = from;
        memcpy(to.corner[1], from.corner[2], sizeof to.corner[1]);
        memcpy(to.corner[2], from.corner[1], sizeof to.corner[2]);
        image_set(image, i, &to);
    }
}

/* x -> matrix x + shift, for every corner. */
static void place(stl_image *image, double matrix[3][3], const double shift[3])
{
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet from = image_get(image, i), to;
        for (int c = 0; c < 3; c++) {
            const float *p = from.corner[c];
            for (int k = 0; k < 3; k++) {
                double sum = shift[k];
                for (int j = 0; j < 3; j++) {
                    sum += matrix[k][j] * (double)p[j];
                }
                to.corner[c][k] = (float)sum;
            }
        }
        image_set(image, i, &to);
    }
}

void image_move(stl_image *image, double x, double y, double z)
{
    double matrix[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    place(image, matrix, (const double[]){x, y, z});
}

void image_scale(stl_image *image, double factor)
{
    double matrix[3][3] = {{factor, 0, 0}, {0, factor, 0}, {0, 0, factor}};
    place(image, matrix, (const double[]){0, 0, 0});
}

void image_turn(stl_image *image, double x, double y, double z)
{
    double matrix[3][3];
    shape_rotation(matrix, x, y, z);
    place(image, matrix, (const double[]){0, 0, 0});
}
