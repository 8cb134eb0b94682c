/* test_turned.c - parts that touch face to face, turned and rounded: so they lie flush but for a
 * few resolutions. Only the public interface is asked. */
#include "ask.h"
#include "oracle_solid.h"
#include "shapes.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { FLUSH_BOXES = 2000 };

static void place_point(const double m[16], const double p[3], double q[3])
{
    for (int k = 0; k < 3; k++) {
        q[k] = m[4 * k] * p[0] + m[4 * k + 1] * p[1] + m[4 * k + 2] * p[2] + m[4 * k + 3];
    }
}

/* The facets placed and rounded to float. */
static stl_image baked(const stl_image *image, const double m[16])
{
    stl_image to = make_facets(NULL, 0);

    image_join(&to, image);
    for (size_t i = 0; i < image_facets(&to); i++) {
        shape_facet facet = image_get(&to, i);
        for (int c = 0; c < 3; c++) {
            double p[3], q[3];
            for (int k = 0; k < 3; k++) {
                p[k] = (double)facet.corner[c][k];
            }
            place_point(m, p, q);
            for (int k = 0; k < 3; k++) {
                facet.corner[c][k] = (float)q[k];
            }
        }
        image_set(&to, i, &facet);
    }
    return to;
}

/* Two boxes of which the second begins where the first ends along x, each in a frame of
 * its own: A placed by `place`, B by `place` after a shift. */
typedef struct flush_pair {
    stl_image a, b;
    double size_a[3], size_b[3], place[16], shift[3];
} flush_pair;

static flush_pair random_flush_pair(void)
{
    flush_pair pair;
    double *size_a = pair.size_a, *size_b = pair.size_b, low[3] = {0, 0, 0};

    for (int k = 0; k < 3; k++) {
        size_a[k] = as_float(exp(test_uniform(-1, 4.5)));
        size_b[k] = as_float(exp(test_uniform(-1, 4.5)));
        pair.shift[k] = as_float(test_uniform(0.05 - size_b[k], size_a[k] - 0.05));
        if (test_below(3) == 0) { /* flush along this side too */
            pair.shift[k] = test_below(2) ? 0 : as_float(size_a[k] - size_b[k]);
        }
    }
    pair.shift[0] = size_a[0];
    if (test_below(4) == 0) { /* the whole face */
        for (int k = 1; k < 3; k++) {
            size_b[k] = size_a[k];
            pair.shift[k] = 0;
        }
    }
    pair.a = make_box(low, size_a, (uint32_t)(1 + test_below(2)));
    pair.b = make_box(low, size_b, (uint32_t)(1 + test_below(2)));
    ask_placement(pair.place, 100);
    return pair;
}

/* How A and B are handed over: placed or baked. */
enum { PLACED_BOTH, BAKED_BOTH, PLACED_AND_BAKED, HANDED_WAYS };

typedef struct flush_answer {
    stlclash_status status;
    double resolution, area;
    bool has_area;
} flush_answer;

/* B `gap` away from where it touches A. */
static flush_answer try_flush(const flush_pair *pair, double gap, int way, bool measured)
{
    stlclash_options o = ask_usual();
    double shift[3] = {pair->shift[0] + gap, pair->shift[1], pair->shift[2]}, place_b[16], end[3];
    stl_image a = {0}, b = {0};
    const stl_image *ask_a = &pair->a, *ask_b = &pair->b;

    memcpy(place_b, pair->place, sizeof place_b);
    place_point(pair->place, shift, end);
    for (int k = 0; k < 3; k++) {
        place_b[4 * k + 3] = end[k];
    }
    o.no_overlap = !measured;
    if (way == BAKED_BOTH) {
        a = baked(&pair->a, pair->place);
        ask_a = &a;
    } else {
        o.placement[0] = pair->place;
    }
    if (way != PLACED_BOTH) {
        b = baked(&pair->b, place_b);
        ask_b = &b;
    } else {
        o.placement[1] = place_b;
    }
    stlclash_result *r = ask_images(ask_a, ask_b, &o);
    flush_answer answer = {r->status, r->resolution, r->contact_area, r->has_contact_area};
    CHECK(r->touch_gap == 2 * r->resolution && r->touch_overlap == 2 * r->resolution,
          "automatic tolerances are not twice the resolution");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
    return answer;
}

/* The same pair with a gap, negative for a penetration, of at least so many resolutions. */
static void try_gap(const flush_pair *pair, double resolutions, int way, bool measured,
                    double resolution, int round)
{
    flush_answer answer = {.resolution = resolution};

    do { /* the gap itself may take a coordinate over a power of two */
        resolution = answer.resolution;
        answer = try_flush(pair, resolutions * resolution, way, measured);
    } while (answer.resolution > resolution);
    CHECK(answer.status == (resolutions < 0 ? STLCLASH_CLASH : STLCLASH_CLEAR),
          "round %d, way %d: %s %g resolutions apart", round, way,
          stlclash_status_text(answer.status), resolutions);
}

/* The area is that of the boxes before they were turned, but for what the rounding of their corners
 * takes or gives along the rim. */
static void check_area(const flush_pair *pair, const flush_answer *answer, int round, int way)
{
    double sides[2];
    for (int k = 0; k < 2; k++) {
        double low = fmax(0, pair->shift[1 + k]);
        double high = fmin(pair->size_a[1 + k], pair->shift[1 + k] + pair->size_b[1 + k]);
        sides[k] = high - low;
    }
    CHECK(answer->has_area && fabs(answer->area - sides[0] * sides[1]) <=
                                  4 * answer->resolution * (sides[0] + sides[1]),
          "round %d, way %d: contact area %.9g of %.9g", round, way, answer->area,
          sides[0] * sides[1]);
}

/* Rounding moves a corner by up to half a resolution along each axis. */
TEST(turned_flush_boxes_touch)
{
    for (int i = 0; i < test_rounds(FLUSH_BOXES); i++) {
        flush_pair pair = random_flush_pair();
        int way = i % HANDED_WAYS;
        bool measured = i / HANDED_WAYS % 4 == 0;
        flush_answer answer = try_flush(&pair, 0, way, measured);
        CHECK(answer.status == STLCLASH_CONTACT, "round %d, way %d: flush boxes are %s", i, way,
              stlclash_status_text(answer.status));
        if (measured) {
            check_area(&pair, &answer, i, way);
        }
        try_gap(&pair, -4, way, measured, answer.resolution, i);
        try_gap(&pair, 6, way, measured, answer.resolution, i);
        image_free(&pair.a);
        image_free(&pair.b);
    }
}

/* Two parts that touch, turned and rounded: a plane shows that they lie nowhere deep, and how deep
 * at most, without a search. Takes the images over. */
static void try_turned(stl_image a, stl_image b, double reach, const char *what)
{
    stl_image straight[2] = {a, b}, turned[2];
    double m[16];

    ask_placement(m, reach);
    for (int k = 0; k < 2; k++) {
        turned[k] = baked(&straight[k], m);
        image_free(&straight[k]);
    }
    for (int way = 0; way < 6; way++) {
        stlclash_options o = ask_usual();
        o.quick = way % 3 == 1;
        o.no_overlap = way % 3 == 2;
        stlclash_result *r = ask_images(&turned[way / 3], &turned[1 - way / 3], &o);
        CHECK(r->status == STLCLASH_CONTACT && !ask_has_note(r, "depth_undecided"),
              "%s, way %d: %s", what, way, stlclash_status_text(r->status));
        CHECK(!r->has_overlap || !r->overlap.has_depth ||
                  r->overlap.depth + r->overlap.depth_error <= 2 * r->resolution,
              "%s: depth %g, error at most %g", what, r->overlap.depth, r->overlap.depth_error);
        stlclash_result_free(r);
    }
    image_free(&turned[0]);
    image_free(&turned[1]);
}

TEST(turned_prisms_that_touch_along_a_line_lie_nowhere_deep)
{
    for (int i = 0; i < test_rounds(100); i++) {
        const double length = i % 2 ? 10 : 60, slant = 6 * (i / 2 % 4);
        const double lower[4][2] = {{slant, -20}, {20 + slant, -20}, {20, 0}, {0, 0}};
        const double upper[4][2] = {{20 - slant, 20}, {20, 0}, {40, 0}, {40 - slant, 20}};
        const double on_top[4][2] = {{5, 0}, {15, 0}, {15, 20}, {5, 20}};
        try_turned(make_prism(lower, 4, 0, length),
                   make_prism(i % 5 ? upper : on_top, 4, 0.2 * length, 0.9 * length), i % 3 * 500,
                   "prisms");
    }
}

/* Tip to tip: no facet lies in the plane between them, and few planes are. */
TEST(turned_wheels_that_touch_lie_nowhere_deep)
{
    for (int i = 0; i < test_rounds(100); i++) {
        enum { MOST = 41 };
        const int tips = 5 + 2 * (i % 19);
        const double one = 6.2831853071795865 / tips;
        const double aslant[2] = {test_uniform(-0.4, 0.4) * one, test_uniform(-0.4, 0.4) * one};
        double left[MOST][2], right[MOST][2];
        for (int k = 0; k < tips; k++) {
            double angle = one * k + aslant[0], other = one * k + aslant[1];
            left[k][0] = 10 * (cos(angle) - cos(aslant[0]));
            left[k][1] = 10 * (sin(angle) - sin(aslant[0]));
            right[k][0] = 10 * (cos(aslant[1]) - cos(other));
            right[k][1] = 10 * (sin(aslant[1]) - sin(other));
        }
        double low = test_below(3) - 1, high = 2 + test_below(3);
        try_turned(make_prism((const double(*)[2])left, tips, 0, 1.5),
                   make_prism((const double(*)[2])right, tips, low, high), i % 4 * 30, "wheels");
    }
}

/* Of bodies that overlap each other: what they have in common with one that is flush with them lies
 * along their walls, which is all that there is to know of it. */
TEST(turned_bodies_that_overlap_each_other_touch_what_is_flush)
{
    for (int i = 0; i < test_rounds(60); i++) {
        const double high = 1 + i % 2, wide = 1 + i / 2 % 2;
        stl_image bodies =
            image_joined(make_box((double[]){0, 2, -1}, (double[]){1, 3, 0}, 1),
                         make_box((double[]){0, 0, 1}, (double[]){1 + wide, 2, 2}, 1));
        bodies = image_joined(bodies, make_box((double[]){1, 0, 0}, (double[]){2, 2, high + 1}, 1));
        try_turned(bodies, make_box((double[]){1, 2, 1}, (double[]){2, 3, 2}, 1), i % 4 * 2,
                   "bodies");
    }
}

/* A pin of as many sides as its hole, and flush with one end of it: all of its faces but one. */
TEST(a_turned_pin_touches_its_hole_all_around)
{
    for (int i = 0; i < test_rounds(60); i++) {
        enum { MOST = 40 };
        const int sides = 3 + i % (MOST - 2);
        const double radius = 5, length = 4 + i % 3, one = 6.2831853071795865 / sides;
        double outline[MOST][2];
        for (int k = 0; k < sides; k++) {
            outline[k][0] = as_float(radius * cos(one * k));
            outline[k][1] = as_float(radius * sin(one * k));
        }
        stl_image hole = make_prism((const double(*)[2])outline, sides, 0, length), body;
        image_invert(&hole);
        body =
            image_joined(make_box((double[]){-9, -8, -3}, (double[]){8, 9, length + 1}, 2), hole);
        stl_image pin = make_prism((const double(*)[2])outline, sides, 0, length - 1);
        double m[16];
        ask_placement(m, i % 4 * 40);
        stl_image turned[2] = {baked(&body, m), baked(&pin, m)};
        stlclash_options o = ask_usual();
        stlclash_result *r = ask_images(&turned[i % 2], &turned[1 - i % 2], &o);
        double side = 2 * radius * sin(0.5 * one), floor = 0.5 * sides * radius * radius * sin(one);
        double area = sides * side * (length - 1) + floor;
        CHECK(r->status == STLCLASH_CONTACT && r->has_contact_area &&
                  fabs(r->contact_area - area) <= 1e-4 * area,
              "%d sides: %s, contact area %.9g of %.9g", sides, stlclash_status_text(r->status),
              r->contact_area, area);
        stlclash_result_free(r);
        image_free(&turned[0]);
        image_free(&turned[1]);
        image_free(&body);
        image_free(&pin);
    }
}

TEST(what_crosses_touches_nowhere)
{
    for (int i = 0; i < test_rounds(100); i++) {
        stl_image beam = make_box((double[]){-20, -1, -1}, (double[]){20, 1, 1}, 2);
        stl_image bump = make_bumpy(3 + i % 3, 8);
        double m[16];
        ask_placement(m, 1);
        stl_image turned = baked(&beam, m);
        stlclash_result *r = ask_images(&turned, &bump, NULL);
        CHECK(r->status == STLCLASH_CLASH && r->has_contact_area, "%s, or no area",
              stlclash_status_text(r->status));
        CHECK(r->contact_area <= 1e-4, "contact area %g", r->contact_area);
        stlclash_result_free(r);
        image_free(&turned);
        image_free(&beam);
        image_free(&bump);
    }
}

/* ---- parts that hold each other --------------------------------------------------------- */

/* What is wrong with a pair of which one part is the complement of the other. */
enum fault { NONE, ONE_CELL_TWICE, TWIN, PIECE_INSIDE };

static void complement(const oracle_voxels *v, oracle_voxels *rest)
{
    rest->n = v->n;
    for (int i = 0; i < v->n * v->n * v->n; i++) {
        int x = i / v->n / v->n, y = i / v->n % v->n, z = i % v->n;
        rest->set[x][y][z] = !v->set[x][y][z];
    }
}

/* Some cell that is set, if there is one. */
static bool find_cell(const oracle_voxels *v, int cell[3])
{
    int cells = v->n * v->n * v->n, start = test_below(cells);
    for (int i = 0; i < cells; i++) {
        int at = (start + i) % cells;
        cell[0] = at / v->n / v->n;
        cell[1] = at / v->n % v->n;
        cell[2] = at % v->n;
        if (v->set[cell[0]][cell[1]][cell[2]]) {
            return true;
        }
    }
    return false;
}

static stl_image cell_box(const int cell[3], double from, double to)
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = cell[k] + from;
        high[k] = cell[k] + to;
    }
    return make_box(low, high, 1);
}

static double touching_area(const oracle_voxels *a, const oracle_voxels *b, const oracle_frame *f)
{
    const int none[3] = {0, 0, 0};
    oracle_voxels_pair pair = oracle_voxels_compare(a, b, none);
    double area = 0;
    for (int k = 0; k < 3; k++) {
        area += pair.touching[k] * oracle_frame_area(f, k);
    }
    return area;
}

/* Pushed along some axis, one way or the other, walls come deeper than touching goes: they lie
 * along two of the axes at most. */
static void try_pushed(const stl_image *still, const stl_image *other, double m[16], int round)
{
    stlclash_options o = ask_usual();
    bool clashes = false;

    o.quick = true;
    for (int i = 0; i < 6 && !clashes; i++) {
        double pushed[16];
        memcpy(pushed, m, sizeof pushed);
        pushed[4 * (i / 2) + 3] += i % 2 ? -1e-4 : 1e-4;
        stl_image moved = baked(other, pushed);
        stlclash_result *r = ask_images(still, &moved, &o);
        CHECK(r->resolution < 1e-5, "round %d: too far out", round);
        clashes = r->status == STLCLASH_CLASH;
        stlclash_result_free(r);
        image_free(&moved);
    }
    CHECK(clashes, "round %d: pushed, and no clash", round);
}

/* Two meshes that fill a cube of cells together, cell by cell, with a fault; in a frame that may
 * be skew, turned and rounded. */
static void try_holding(int round, enum fault fault)
{
    const int none[3] = {0, 0, 0}, aside[3] = {7, 9, 8};
    oracle_frame f = round % 3 || fault >= TWIN ? oracle_frame_plain() : oracle_frame_random();
    oracle_voxels v = oracle_voxels_random(2 + round % 3, 0.5), rest = {0};
    int cell[3];
    double m[16];

    complement(&v, &rest);
    if (!find_cell(&rest, cell) || !find_cell(&v, cell)) {
        return;
    }
    double area = touching_area(&v, &rest, &f);
    rest.set[cell[0]][cell[1]][cell[2]] = fault == ONE_CELL_TWICE;
    stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&rest, none, &f);
    if (fault == TWIN) {
        a = image_joined(a, cell_box(aside, 0, 1));
        b = image_joined(b, cell_box(aside, 0, 1));
    } else if (fault == PIECE_INSIDE) {
        b = image_joined(b, cell_box(cell, 0.4, 0.4 + test_uniform(0.001, 0.2)));
    }
    ask_placement(m, round % 4 * 20);
    stl_image turned[2] = {baked(&a, m), baked(&b, m)};
    const bool full = fault == NONE || round % 8 == 0; /* to tell how deep takes long */
    for (int way = full ? 0 : 1; way < 3; way++) {
        stlclash_options o = ask_usual();
        o.quick = way == 1;
        o.no_overlap = way == 2;
        stlclash_result *r = ask_images(&turned[round % 2], &turned[1 - round % 2], &o);
        CHECK(r->status == (fault == NONE ? STLCLASH_CONTACT : STLCLASH_CLASH),
              "round %d, fault %d, way %d: %s", round, fault, way, stlclash_status_text(r->status));
        CHECK(fault != NONE || way > 0 ||
                  (r->has_contact_area && fabs(r->contact_area - area) <= 1e-4 * area),
              "round %d: contact area %.9g of %.9g", round, r->contact_area, area);
        stlclash_result_free(r);
    }
    if (fault == NONE) {
        try_pushed(&turned[0], &b, m, round);
    }
    for (int i = 0; i < 2; i++) {
        image_free(&turned[i]);
    }
    image_free(&a);
    image_free(&b);
}

TEST(turned_parts_that_hold_each_other_touch)
{
    for (int i = 0; i < test_rounds(60); i++) {
        try_holding(i, NONE);
    }
}

TEST(turned_parts_that_hold_each_other_and_more_clash)
{
    static const enum fault faults[] = {ONE_CELL_TWICE, TWIN, PIECE_INSIDE};
    for (int i = 0; i < test_rounds(40); i++) {
        try_holding(i, faults[i % 3]);
    }
}

/* As thick as the touch overlap allows overlaps to be deep, and deep in the other part all the
 * same. */
TEST(thin_parts_that_lie_deep_clash_in_every_mode)
{
    for (int i = 0; i < test_rounds(60); i++) {
        const double thick = ldexp(1, -1 - i % 20), at = i % 2 ? 5 : 3;
        double low[3] = {2, at, 0}, high[3] = {8, at + thick, 5};
        stl_image block = make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1);
        stl_image shim = make_box(low, high, 1);
        for (int mode = 0; mode < 4; mode++) {
            stlclash_options o = ask_usual();
            o.touch_overlap = i % 3 ? thick : 1.5 * thick;
            o.quick = mode & 1;
            o.no_overlap = mode & 2;
            stlclash_status status = ask_status(&shim, &block, &o);
            CHECK(status == STLCLASH_CLASH, "%g thick, mode %d: %s", thick, mode,
                  stlclash_status_text(status));
        }
        image_free(&block);
        image_free(&shim);
    }
}

/* The touch overlap itself passes, on a straight way as at rest. */
TEST(overlaps_as_deep_as_allowed_slide_in_contact)
{
    stl_image plate = make_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 1);
    for (int i = 0; i < 12; i++) {
        const double deep = ldexp(1, -2 - i % 4), beyond = i % 3 == 2 ? 0.01 * deep : 0.0;
        const double low = 4 - deep - beyond;
        stl_image cube = make_box((double[]){1, 1, low}, (double[]){2, 2, low + 1}, 1);
        stlclash_mesh *a = ask_mesh(&plate), *b = ask_mesh(&cube);
        stlclash_options o = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT, .way = {{0, 0, 0}, {1, 0.25, 0}}};
        stlclash_sweep_result *r;
        stlclash_error error;
        o.touch_overlap = deep;
        if (stlclash_sweep(a, b, &o, &motion, &r, &error) == STLCLASH_OK) {
            CHECK(r->status == (beyond > 0.0 ? STLCLASH_CLASH : STLCLASH_CONTACT), "%g deep: %s",
                  deep + beyond, stlclash_status_text(r->status));
            stlclash_sweep_result_free(r);
        }
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&cube);
    }
    image_free(&plate);
}

/* However much is asked for, what is there is found. */
TEST(tolerances_beyond_all_size_are_kept)
{
    stl_image a = make_box((double[]){100, 0, 0}, (double[]){101, 1, 1}, 1);
    stl_image b = make_box((double[]){102, 0, 0}, (double[]){103, 1, 1}, 1);
    for (int i = 0; i < 12; i++) {
        const double huge[] = {1e39, 1e200, 1e306, 1.7976931348623157e308};
        stlclash_options o = ask_usual();
        o.quick = i % 3 == 0;
        o.no_overlap = i % 3 == 1;
        o.clearance = huge[i / 3];
        stlclash_status status = ask_status(&a, &b, &o);
        CHECK(status == STLCLASH_NEAR, "clearance %g: %s", o.clearance,
              stlclash_status_text(status));
        o.clearance = 0;
        o.touch_gap = huge[i / 3];
        status = ask_status(&a, &b, &o);
        CHECK(status == STLCLASH_CONTACT, "gap %g: %s", o.touch_gap, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&b);
}

/* Up an incline, vertex by vertex: poses are rounded to floats, and an overlap of no more than that
 * is no clash. */
TEST(rounded_poses_make_no_clash)
{
    static const double slope[3][2] = {{0, 0}, {8, 0}, {8, 6}};
    for (int i = 0; i < 4; i++) {
        const double deep = i < 2 ? 0 : 0.125;
        const double block[4][2] = {{0, 0 - deep}, {2, 1.5 - deep}, {2, 4}, {0, 3}};
        stl_image ia = make_prism(slope, 3, 0, 4), ib = make_prism(block, 4, 1, 2);
        stl_image iend = make_prism(block, 4, 1, 2);
        image_move(&iend, 5.25, 3.9375, 0);
        if (deep > 0) { /* it begins beside */
            image_move(&ib, -3, 4, 0);
        }
        stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib), *end = ask_mesh(&iend);
        stlclash_motion motion = {
            .kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = end, .tolerance = 0.01};
        stlclash_options o = ask_usual();
        stlclash_sweep_result *r;
        stlclash_error error;
        o.exact = i % 2;
        stlclash_code code = stlclash_sweep(a, b, &o, &motion, &r, &error);
        CHECK(code == STLCLASH_OK, "%s", error.text);
        if (code == STLCLASH_OK) {
            CHECK((r->status == STLCLASH_CLASH) == (deep > 0), "%g deep, exact %d: %s", deep, i % 2,
                  stlclash_status_text(r->status));
            stlclash_sweep_result_free(r);
        }
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        stlclash_mesh_free(end);
        image_free(&ia);
        image_free(&ib);
        image_free(&iend);
    }
}

/* ---- T-junctions ---------------------------------------------------------------- */

/* One facet in two, at the middle of its first edge: the other one along that edge stays whole. */
static void split_facet(stl_image *image, size_t index)
{
    shape_facet first = image_get(image, index), second = first;
    for (int k = 0; k < 3; k++) {
        first.corner[1][k] = second.corner[0][k] = 0.5f * (first.corner[0][k] + first.corner[1][k]);
    }
    image_set(image, index, &first);
    shape_sink sink = stl_image_sink(image);
    sink.take(sink.context, &second);
}

/* Closed as they are stored, with cracks of 1e-16 where they are placed: what slips through one of
 * those must not make a clash of parts that rest on each other, or slide. */
TEST(placed_t_junctions_let_nothing_through)
{
    stl_image ia = make_box((double[]){0, 0, 0}, (double[]){4, 4, 1}, 1);
    for (int i = 0; i < test_rounds(400); i++) {
        stl_image ib = make_box((double[]){0.5, 0.5, 1}, (double[]){1.5, 1.5, 2}, 1);
        split_facet(&ib, (size_t)test_below((int)image_facets(&ib)));
        stlclash_mesh *a = ask_mesh(&ia), *b = ask_mesh(&ib);
        double from[16], to[16], x = test_uniform(0, 2), y = test_uniform(0, 2);
        double across = test_uniform(-1, 1);
        ask_placement(from, 5);
        memcpy(to, from, sizeof to);
        stlclash_options o = ask_usual();
        o.placement[0] = from;
        o.placement[1] = to;
        o.quick = i % 2;
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        for (int k = 0; k < 3; k++) {
            to[4 * k + 3] += from[4 * k] * x + from[4 * k + 1] * y;
            motion.way[1][k] = -from[4 * k] * x + from[4 * k + 1] * across;
        }
        stlclash_result *rest = ask_pair(a, b, &o);
        CHECK(rest->status == STLCLASH_CONTACT, "round %d: %s at rest", i,
              stlclash_status_text(rest->status));
        stlclash_result_free(rest);
        if (i % 4 == 0) {
            stlclash_sweep_result *r;
            stlclash_error error;
            stlclash_code code = stlclash_sweep(a, b, &o, &motion, &r, &error);
            CHECK(code == STLCLASH_OK, "%s", error.text);
            if (code == STLCLASH_OK) {
                CHECK(r->status != STLCLASH_CLASH, "round %d: clash on the way", i);
                stlclash_sweep_result_free(r);
            }
        }
        stlclash_mesh_free(a);
        stlclash_mesh_free(b);
        image_free(&ib);
    }
    image_free(&ia);
}

/* Of two boxes with T-junctions, each placed by itself. */
static stlclash_result *ask_split_boxes(double low[2][3], double high[2][3], double to[2][16],
                                        double touch_overlap)
{
    const oracle_frame plain = oracle_frame_plain();
    stl_image image[2];
    stlclash_mesh *mesh[2];
    stlclash_options o = ask_usual();

    o.touch_overlap = touch_overlap;
    o.no_depth = true;
    for (int p = 0; p < 2; p++) {
        image[p] = oracle_split_box(low[p], high[p], 0.25, &plain);
        mesh[p] = ask_mesh(&image[p]);
        o.placement[p] = to[p];
    }
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
    for (int p = 0; p < 2; p++) {
        stlclash_mesh_free(mesh[p]);
        image_free(&image[p]);
    }
    return r;
}

/* Boxes with walls and edges in common, turned alike and then each rounded by itself: edges of one
 * run along cracks of the other. */
TEST(overlaps_are_measured_in_spite_of_cracks)
{
    for (int i = 0; i < test_rounds(60); i++) {
        double low[2][3], high[2][3], volume = 1.0, to[2][16], shift[3];
        for (int k = 0; k < 3; k++) {
            shift[k] = 1 + test_below(3);
            for (int p = 0; p < 2; p++) {
                low[p][k] = test_below(2);
                high[p][k] = 2 + test_below(2);
            }
            volume *= fmin(high[0][k], high[1][k]) - fmax(low[0][k], low[1][k]);
            low[1][k] -= shift[k];
            high[1][k] -= shift[k];
        }
        ask_placement(to[0], 5);
        memcpy(to[1], to[0], sizeof to[1]);
        for (int k = 0; k < 3; k++) {
            for (int m = 0; m < 3; m++) {
                to[1][4 * k + 3] += to[0][4 * k + m] * shift[m];
            }
        }
        stlclash_result *r = ask_split_boxes(low, high, to, ask_usual().touch_overlap);
        CHECK(r->status == STLCLASH_CLASH && r->has_overlap, "round %d: %s", i,
              stlclash_status_text(r->status));
        CHECK(fabs(r->overlap.volume - volume) <= r->overlap.volume_error + 1e-12 &&
                  r->overlap.volume_error < 1e-6,
              "round %d: volume %g +- %g, not %g", i, r->overlap.volume, r->overlap.volume_error,
              volume);
        CHECK(!ask_has_note(r, "counted_with_multiplicity"), "round %d: covers itself", i);
        stlclash_result_free(r);
    }
}

/* The same flush on a side, and one sunk into the other by less than parts are displaced. */
TEST(thin_overlaps_are_measured_in_spite_of_cracks)
{
    double low[2][3] = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    double high[2][3] = {{4.0, 3.0, 2.0}, {3.0, 2.0, 2.0}};
    const double sunk = 0x1p-36;
    /* Edges slip through so many cracks that the sum is more than there is room for, or less than
     * nothing; or the gaps at them are wide. */
    static const double hard[3][12] = {
        {0x1.909b23c21379bp-2, -0x1.8dc99324748cfp-1, -0x1.f92012b82fc61p-2, 0x1.b9a9d323f0eccp+0,
         0x1.d03d6e89f9654p-1, 0x1.ab2616834ef26p-2, 0x1.fccc4700aa4a4p-5, 0x1.2eb569c7f7828p+2,
         0x1.4296a5d5bad1p-3, -0x1.e2e34884b6d95p-2, 0x1.bc3c339b6cf0fp-1, 0x1.1a3789ef8674p-3},
        {-0x1.1318f1270b1a2p-4, -0x1.6f778c2ceb16fp-1, 0x1.62dd92d700058p-1, 0x1.bce587cab42fp+1,
         -0x1.f12664f80f972p-1, 0x1.a77d31428acecp-3, 0x1.eba7f529da6d6p-4, -0x1.1eea89d417742p+2,
         -0x1.d5f3ac3d52968p-3, -0x1.547206d050332p-1, -0x1.6beb6ce2b62fp-1, -0x1.d2958b2dc3d17p+1},
        {0x1.144ee15cc4bc7p-5, 0x1.ffb56c01b6e3ep-1, -0x1.07ee753228p-15, 0x1.4a27bd042d76p+1,
         -0x1.3ad498068b60dp-5, 0x1.5c3ed36e5bep-10, 0x1.ff9f0da949732p-1, -0x1.38c8e9dfb280ap+2,
         0x1.ff54893115865p-1, -0x1.1418069f1b24fp-5, 0x1.3b04b40e9690ep-5, -0x1.00afd460827b6p+1}};
    for (int i = 0; i < 3 + test_rounds(60); i++) {
        double to[2][16];
        ask_placement(to[0], 5);
        if (i < 3) {
            memcpy(to[0], hard[i], sizeof hard[i]);
        }
        memcpy(to[1], to[0], sizeof to[1]);
        for (int k = 0; k < 3; k++) {
            to[1][4 * k + 3] += to[0][4 * k + 2] * (2.0 - sunk);
        }
        stlclash_result *r = ask_split_boxes(low, high, to, 1e-13);
        CHECK(r->status == STLCLASH_CLASH && r->has_overlap, "round %d: %s, %s", i,
              stlclash_status_text(r->status), r->has_overlap ? "an overlap" : "no overlap");
        CHECK(!r->has_overlap ||
                  (fabs(r->overlap.volume - 4.0 * sunk) <= r->overlap.volume_error + 1e-13 &&
                   r->overlap.volume_error < 1e-7),
              "round %d: volume %g +- %g, not %g", i, r->overlap.volume, r->overlap.volume_error,
              4.0 * sunk);
        stlclash_result_free(r);
    }
}

/* A box in a larger one, flush with one side of that, its corners where facets of that side meet in
 * T-junctions: turned alike and each rounded by itself, they stand in cracks. */
TEST(what_stands_in_cracks_lies_inside)
{
    const oracle_frame plain = oracle_frame_plain();
    stl_image inner = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    for (int i = 0; i < test_rounds(150); i++) {
        stl_image outer = oracle_split_box((double[]){-1, 0, -1}, (double[]){2, 2, 2}, 1, &plain);
        double place[2][16];
        stlclash_options o = ask_usual();
        o.no_depth = true;
        ask_placement(place[0], 20);
        memcpy(place[1], place[0], sizeof place[1]);
        for (int k = 0; k < 3; k++) { /* as if it had been drawn elsewhere */
            place[1][4 * k + 3] += place[0][4 * k] * 3;
        }
        image_move(&outer, -3, 0, 0);
        o.placement[0] = place[0];
        o.placement[1] = place[1];
        stlclash_result *r = ask_images(&inner, &outer, &o);
        CHECK(r->status == STLCLASH_CLASH && r->has_overlap, "round %d: %s", i,
              stlclash_status_text(r->status));
        CHECK(!r->has_overlap || fabs(r->overlap.volume - 1) <= r->overlap.volume_error + 1e-12,
              "round %d: volume %g +- %g", i, r->overlap.volume, r->overlap.volume_error);
        stlclash_result_free(r);
        image_free(&outer);
    }
    image_free(&inner);
}

/* Facets along sides of others, as tools put them where T-junctions were: as wide as rounding once
 * they are placed, if they are not the points of a side alone. */
TEST(facets_without_area_keep_nothing_from_touching)
{
    stl_image ia = simple_box(1, 2, 0, 1, 0, 1);
    for (int i = 0; i < test_rounds(120); i++) {
        stl_image ib = image_joined(simple_box(0, 1, 0, 1, 0, 1), simple_box(1, 2, 1, 2, 0, 1));
        shape_facet facet = image_get(&ib, (size_t)test_below((int)image_facets(&ib)));
        double place[2][16];
        stlclash_options o = ask_usual();
        for (int k = 0; k < 3; k++) {
            float from = facet.corner[0][k], to = facet.corner[1][k];
            facet.corner[1][k] = i % 2 ? 0.5f * (from + to) : to;
            facet.corner[2][k] = to;
        }
        shape_sink sink = stl_image_sink(&ib);
        sink.take(sink.context, &facet);
        image_move(&ib, -3, 2, -5);
        ask_placement(place[0], 5);
        memcpy(place[1], place[0], sizeof place[1]);
        for (int k = 0; k < 3; k++) {
            place[1][4 * k + 3] +=
                3 * place[0][4 * k] - 2 * place[0][4 * k + 1] + 5 * place[0][4 * k + 2];
        }
        o.placement[0] = place[0];
        o.placement[1] = place[1];
        stlclash_result *r = ask_images(&ia, &ib, &o);
        CHECK(r->status == STLCLASH_CONTACT, "round %d: %s", i, stlclash_status_text(r->status));
        stlclash_result_free(r);
        image_free(&ib);
    }
    image_free(&ia);
}

/* Probes that go into a placed cube through the cracks beside a T-junction, to a point well
 * inside. */
TEST(probes_through_t_junctions_do_not_pass)
{
    stl_image cube = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    shape_facet split = image_get(&cube, 3);
    split_facet(&cube, 3);
    stlclash_mesh *mesh = ask_mesh(&cube);
    for (int i = 0; i < test_rounds(20); i++) {
        double place[16];
        stlclash_prober *prober;
        stlclash_error error;
        ask_placement(place, 2);
        if (stlclash_prober_make(mesh, place, true, &prober, &error) != STLCLASH_OK) {
            CHECK(false, "%s", error.text);
            break;
        }
        for (int k = 0; k < 200; k++) {
            double on[3], in[3], p[3], q[3], part = test_uniform(0, 1);
            for (int c = 0; c < 3; c++) {
                double from = (double)split.corner[0][c], to = (double)split.corner[1][c];
                on[c] = from + part * (to - from);
                in[c] = test_uniform(0.2, 0.8);
            }
            place_point(place, on, p);
            place_point(place, in, q);
            stlclash_probe probe = {.radius = 0.0};
            for (int c = 0; c < 3; c++) {
                probe.from[c] = p[c] + 3 * (p[c] - q[c]);
                probe.to[c] = q[c];
            }
            stlclash_probe_result *r;
            if (stlclash_prober_check(prober, &probe, NULL, &r, &error) == STLCLASH_OK) {
                CHECK(!r->pass, "placement %d, probe %d: %s", i, k,
                      stlclash_status_text(r->status));
                stlclash_probe_result_free(r);
            }
        }
        stlclash_prober_free(prober);
    }
    stlclash_mesh_free(mesh);
    image_free(&cube);
}
