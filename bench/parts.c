/* parts.c - a block with a bore, pegs that clash with it, touch it and clear it, and
 * unit cubes around each other. data/README.md states the answers. */
#include "parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDES = 48 }; /* of the bore and the pegs */

typedef struct point {
    float x, y, z;
} point;

static bool triangle(shape_sink sink, point a, point b, point c)
{
    const shape_facet facet = {{{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}}};
    return sink.take(sink.context, &facet);
}

static bool quad(shape_sink sink, point a, point b, point c, point d)
{
    return triangle(sink, a, b, c) && triangle(sink, a, c, d);
}

/* Corner k of a regular polygon about the z axis at x = shift, `radius` from its
 * centre to its sides; the sides that face along x and y lie there exactly. */
static point corner(double radius, int k, double z, double shift)
{
    const double step = 2 * 3.14159265358979323846 / SIDES;
    double angle = (k % SIDES + 0.5) * step, scale = radius / cos(0.5 * step);
    /* + 0: on the axis no negative zeros, which are other bits */
    return (point){(float)(scale * cos(angle) + 0.0 + shift), (float)(scale * sin(angle) + 0.0),
                   (float)z};
}

/* ---- the block and its pegs ----------------------------------------------- */

/* 40 x 30 x 10, bore 12 across flats along z through the middle. */
static bool block(shape_sink sink)
{
    static const point low[4] = {{20, 15, 0}, {-20, 15, 0}, {-20, -15, 0}, {20, -15, 0}};
    static const point high[4] = {{20, 15, 10}, {-20, 15, 10}, {-20, -15, 10}, {20, -15, 10}};
    bool ok = true;

    for (int k = 0; k < SIDES && ok; k++) {
        /* bore side k, from corner k to the next, and what joins it to the outline:
         * the block's corner of this quadrant, or on the axes a whole side */
        point b0 = corner(6, k, 0, 0), b1 = corner(6, k + 1, 0, 0);
        point t0 = corner(6, k, 10, 0), t1 = corner(6, k + 1, 10, 0);
        int q = k / (SIDES / 4), next = (q + 1) % 4;
        ok = quad(sink, b1, b0, t0, t1) && triangle(sink, high[q], t1, t0) &&
             triangle(sink, low[q], b0, b1);
        if (ok && k % (SIDES / 4) == SIDES / 4 - 1) {
            ok = triangle(sink, high[q], high[next], t1) && triangle(sink, low[q], b1, low[next]) &&
                 quad(sink, low[q], low[next], high[next], high[q]);
        }
    }
    return ok;
}

/* A turned part: the outline from the axis at the bottom to the axis at the top, each
 * point {radius, z}. */
static bool turned(shape_sink sink, const double (*outline)[2], int points, double shift)
{
    bool ok = true;

    for (int i = 0; i + 1 < points && ok; i++) {
        const double *from = outline[i], *to = outline[i + 1];
        for (int k = 0; k < SIDES && ok; k++) {
            point f0 = corner(from[0], k, from[1], shift);
            point f1 = corner(from[0], k + 1, from[1], shift);
            point t0 = corner(to[0], k, to[1], shift), t1 = corner(to[0], k + 1, to[1], shift);
            ok = (from[0] <= 0 || triangle(sink, f0, f1, t1)) &&
                 (to[0] <= 0 || triangle(sink, f0, t1, t0));
        }
    }
    return ok;
}

static bool peg(shape_sink sink, double radius, double shift)
{
    const double outline[4][2] = {{0, -5}, {radius, -5}, {radius, 15}, {0, 15}};
    return turned(sink, outline, 4, shift);
}

static bool peg_clash(shape_sink sink)
{
    return peg(sink, 6.025, 0);
}

static bool peg_clear(shape_sink sink)
{
    return peg(sink, 5.75, 0.046875);
}

/* A shaft with play and a head whose underside lies on the block's top face. */
static bool peg_contact(shape_sink sink)
{
    static const double outline[6][2] = {{0, -2}, {5.75, -2}, {5.75, 10},
                                         {9, 10}, {9, 14},    {0, 14}};
    return turned(sink, outline, 6, 0);
}

/* ---- cubes ---------------------------------------------------------------- */

static bool cube_at(shape_sink sink, double low, double size, double x)
{
    const double from[3] = {low + x, low, low}, to[3] = {low + x + size, low + size, low + size};
    shape box = shape_box(12, from, to);
    return shape_emit(&box, sink);
}

static bool cube(shape_sink sink)
{
    return cube_at(sink, 0, 1, 0);
}

static bool cube_shifted(shape_sink sink)
{
    return cube_at(sink, 0.5, 1, 0);
}

static bool cube_touch(shape_sink sink)
{
    return cube_at(sink, 0, 1, 1);
}

static bool cube_apart(shape_sink sink)
{
    return cube_at(sink, 0, 1, 1.125);
}

static bool cube_inner(shape_sink sink)
{
    return cube_at(sink, 0.25, 0.5, 0);
}

/* Its tip points at the middle of the cube's face x = 1. */
static bool tetra(shape_sink sink)
{
    const point tip = {1.5f, 0.5f, 0.5f}, a = {2.5f, 0, 0}, b = {2.5f, 1, 0}, c = {2.5f, 0.5f, 1};
    return triangle(sink, a, b, c) && triangle(sink, tip, b, a) && triangle(sink, tip, c, b) &&
           triangle(sink, tip, a, c);
}

/* ---- parts that move into each other --------------------------------------- */

static bool box_at(shape_sink sink, const double low[3], const double high[3])
{
    shape box = shape_box(12, low, high);
    return shape_emit(&box, sink);
}

/* A convex polygon in the plane, counter-clockwise, drawn out from one height to another;
 * height is y where `along_y`, else z. */
static bool prism(shape_sink sink, const float (*outline)[2], int points, float from, float to,
                  bool along_y)
{
    bool ok = true;
    point low[8], high[8];
    for (int i = 0; i < points; i++) {
        float x = outline[i][0], other = outline[i][1];
        low[i] = along_y ? (point){x, to, other} : (point){x, other, from};
        high[i] = along_y ? (point){x, from, other} : (point){x, other, to};
    }
    for (int i = 0; i < points && ok; i++) {
        int j = (i + 1) % points;
        ok = quad(sink, low[i], low[j], high[j], high[i]);
    }
    for (int i = 1; i + 1 < points && ok; i++) {
        ok = triangle(sink, high[0], high[i], high[i + 1]) &&
             triangle(sink, low[0], low[i + 1], low[i]);
    }
    return ok;
}

/* 40 x 30 x 20, walls and floor 2 thick, open above: floor, and walls that stand on it. */
static bool tray(shape_sink sink)
{
    return box_at(sink, (double[]){0, 0, 0}, (double[]){40, 30, 2}) &&
           box_at(sink, (double[]){0, 0, 2}, (double[]){40, 2, 20}) &&
           box_at(sink, (double[]){0, 28, 2}, (double[]){40, 30, 20}) &&
           box_at(sink, (double[]){0, 2, 2}, (double[]){2, 28, 20}) &&
           box_at(sink, (double[]){38, 2, 2}, (double[]){40, 28, 20});
}

/* A plate as large as the tray, its underside 30 above the tray's, and below it a plug 3
 * deep with a play of 0.25 all round. */
static bool lid(shape_sink sink)
{
    return box_at(sink, (double[]){0, 0, 30}, (double[]){40, 30, 32}) &&
           box_at(sink, (double[]){2.25, 2.25, 27}, (double[]){37.75, 27.75, 30});
}

/* A rail along y, 0..40, with a groove that is wider below: base, left and right jaw. */
static bool dovetail_rail(shape_sink sink)
{
    static const float left[4][2] = {{-20, 5}, {-10, 5}, {-6, 13}, {-20, 13}};
    static const float right[4][2] = {{10, 5}, {20, 5}, {20, 13}, {6, 13}};
    return box_at(sink, (double[]){-20, 0, 0}, (double[]){20, 40, 5}) &&
           prism(sink, left, 4, 0, 40, true) && prism(sink, right, 4, 0, 40, true);
}

/* What fits the groove without play, in front of it: y -45..-5. */
static bool dovetail_slide(shape_sink sink)
{
    static const float section[4][2] = {{-10, 5}, {10, 5}, {6, 13}, {-6, 13}};
    return prism(sink, section, 4, -45, -5, true);
}

/* A plate 60 x 60, 4 thick, with a bore 24 x 24 that has a slot 8 wide to both sides in x, up
 * to x = 20: two halves that meet at y = 0 beyond the slots. */
static bool bayonet_plate(shape_sink sink)
{
    bool ok = true;
    for (int side = 0; side < 2 && ok; side++) { /* y > 0 is turned over to y < 0 */
        double y[2][3] = {{0, 4, 12}, {-12, -4, 0}};
        double outer[2][2] = {{12, 30}, {-30, -12}};
        double slot[2][2] = {{4, 12}, {-12, -4}};
        double *o = outer[side], *s = slot[side], near = y[side][0], far = y[side][2];
        ok = box_at(sink, (double[]){-30, o[0], 0}, (double[]){30, o[1], 4}) &&
             box_at(sink, (double[]){-20, s[0], 0}, (double[]){-12, s[1], 4}) &&
             box_at(sink, (double[]){12, s[0], 0}, (double[]){20, s[1], 4}) &&
             box_at(sink, (double[]){-30, near, 0}, (double[]){-20, far, 4}) &&
             box_at(sink, (double[]){20, near, 0}, (double[]){30, far, 4});
    }
    return ok;
}

/* A pin of 48 sides, 20 across flats, from z 10 to 40, and a bar 38 x 7 x 3 at its lower end:
 * it goes through the bore where the bar is in line with the slots. */
static bool bayonet_plug(shape_sink sink)
{
    const double outline[4][2] = {{0, 13}, {10, 13}, {10, 40}, {0, 40}};
    return turned(sink, outline, 4, 0) &&
           box_at(sink, (double[]){-19, -3.5, 10}, (double[]){19, 3.5, 13});
}

/* ---- files ---------------------------------------------------------------- */

const part parts[] = {
    {"block.stl", false, block},
    {"peg_clash.stl", false, peg_clash},
    {"peg_contact.stl", false, peg_contact},
    {"peg_clear.stl", false, peg_clear},
    {"cube.stl", false, cube},
    {"cube_ascii.stl", true, cube},
    {"cube_shifted.stl", false, cube_shifted},
    {"cube_touch.stl", false, cube_touch},
    {"cube_apart.stl", false, cube_apart},
    {"cube_inner.stl", false, cube_inner},
    {"tetra.stl", false, tetra},
    {"tray.stl", false, tray},
    {"lid.stl", false, lid},
    {"dovetail_rail.stl", false, dovetail_rail},
    {"dovetail_slide.stl", false, dovetail_slide},
    {"bayonet_plate.stl", false, bayonet_plate},
    {"bayonet_plug.stl", false, bayonet_plug},
};
const size_t part_count = sizeof parts / sizeof parts[0];

static bool append_text(stl_image *image, const char *text)
{
    return stl_image_append(image, text, strlen(text));
}

/* For parts whose coordinates and normals are integers: no locale has a say. */
static bool take_text(void *context, const shape_facet *facet)
{
    stl_image *image = context;
    unsigned char record[STL_RECORD_SIZE];
    float value[12];
    char text[400];

    stl_encode_facet(record, facet);
    for (int k = 0; k < 12; k++) {
        uint32_t word = 0;
        for (int byte = 3; byte >= 0; byte--) {
            word = word << 8 | record[4 * k + byte];
        }
        memcpy(&value[k], &word, 4);
    }
    snprintf(text, sizeof text, "  facet normal %.0f %.0f %.0f\n    outer loop\n", (double)value[0],
             (double)value[1], (double)value[2]);
    if (!append_text(image, text)) {
        return false;
    }
    for (int k = 3; k < 12; k += 3) {
        snprintf(text, sizeof text, "      vertex %.0f %.0f %.0f\n", (double)value[k],
                 (double)value[k + 1], (double)value[k + 2]);
        if (!append_text(image, text)) {
            return false;
        }
    }
    return append_text(image, "    endloop\n  endfacet\n");
}

bool part_image(const part *p, stl_image *image)
{
    if (!p->ascii) {
        return p->build(stl_image_sink(image));
    }
    return append_text(image, "solid cube\n") && p->build((shape_sink){take_text, image}) &&
           append_text(image, "endsolid cube\n");
}
