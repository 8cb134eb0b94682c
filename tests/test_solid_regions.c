/* test_solid_regions.c - the regions that solids have in common: how many, of what volume and
 * depth. Only the public interface is asked. */
#include "ask.h"
#include "test.h"
#include "ways.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- press fits ----------------------------------------------------------------- */

enum { PRESSED_SIDES = 12, PRESSED_RINGS = 5 };
static const double pressed_radius = 10, pressed_height = 4;

/* A regular polygon, turned by a share of a side. */
static void find_corner(double radius, double number, double at[2])
{
    const double angle = 2 * M_PI / PRESSED_SIDES * number;
    at[0] = as_float(radius * cos(angle));
    at[1] = as_float(radius * sin(angle));
}

/* A corner of the profile of a pipe: up the outside in rings, and down the inside. */
static void find_profile(double inner, double outer, int k, double *radius, double *z)
{
    const int around = 2 * (PRESSED_RINGS + 1), at = k % around;
    const bool up = at <= PRESSED_RINGS;
    *radius = up ? outer : inner;
    *z = pressed_height * (up ? at : around - 1 - at) / PRESSED_RINGS;
}

/* Of that many sides, in rings, with a hole; turned by a share of a side. */
static stl_image make_pipe(double inner, double outer, double turn)
{
    stl_image image = make_facets(NULL, 0);
    for (int k = 0; k < 2 * (PRESSED_RINGS + 1); k++) {
        for (int i = 0; i < PRESSED_SIDES; i++) {
            float corner[2][2][3];
            for (int up = 0; up < 2; up++) {
                double radius, z, at[2];
                find_profile(inner, outer, k + up, &radius, &z);
                for (int on = 0; on < 2; on++) {
                    find_corner(radius, (i + on) % PRESSED_SIDES + turn, at);
                    const float p[3] = {(float)at[0], (float)at[1], (float)z};
                    memcpy(corner[up][on], p, sizeof p);
                }
            }
            float facets[2][3][3];
            for (int half = 0; half < 2; half++) {
                memcpy(facets[half][0], corner[0][0], sizeof facets[half][0]);
                memcpy(facets[half][1 + half], corner[1][1], sizeof facets[half][0]);
                memcpy(facets[half][2 - half], half ? corner[1][0] : corner[0][1],
                       sizeof facets[half][0]);
            }
            image = image_joined(image, make_facets(facets[0][0], 2));
        }
    }
    return image;
}

/* Where the lines p and q, from one point each to another, meet. */
static void find_meeting(double p[2][2], double q[2][2], double at[2])
{
    const double u[2] = {p[1][0] - p[0][0], p[1][1] - p[0][1]};
    const double v[2] = {q[1][0] - q[0][0], q[1][1] - q[0][1]};
    const double t =
        ((q[0][0] - p[0][0]) * v[1] - (q[0][1] - p[0][1]) * v[0]) / (u[0] * v[1] - u[1] * v[0]);
    at[0] = p[0][0] + t * u[0];
    at[1] = p[0][1] + t * u[1];
}

/* The triangle by which corner i of the shaft sticks out of the bore, whose sides it passes. */
static void find_bite(int i, double turn, double bounds[2][3])
{
    double bore[2][2], shaft[3][2], corner[3][2];
    for (int k = 0; k < 2; k++) {
        find_corner(pressed_radius, (i + PRESSED_SIDES - 1 + k) % PRESSED_SIDES + turn, bore[k]);
    }
    for (int k = 0; k < 3; k++) {
        find_corner(pressed_radius, (i + PRESSED_SIDES - 1 + k) % PRESSED_SIDES, shaft[k]);
    }
    memcpy(corner[0], shaft[1], sizeof corner[0]);
    find_meeting(shaft, bore, corner[1]);
    find_meeting(shaft + 1, bore, corner[2]);
    for (int k = 0; k < 2; k++) {
        bounds[0][k] = fmin(corner[0][k], fmin(corner[1][k], corner[2][k]));
        bounds[1][k] = fmax(corner[0][k], fmax(corner[1][k], corner[2][k]));
    }
    bounds[0][2] = 0;
    bounds[1][2] = pressed_height;
}

static bool is_within(const double got[2][3], double wanted[2][3], double tolerance)
{
    bool same = true;
    for (int k = 0; k < 6; k++) {
        same = same && fabs(got[k / 3][k % 3] - wanted[k / 3][k % 3]) <= tolerance;
    }
    return same;
}

/* A shaft in a bore of its own radius, both of flat sides, turned against each other: each corner
 * of the shaft sticks into the wall, all along; the ends are flush. */
TEST(corners_of_a_shaft_are_regions_each)
{
    stlclash_options o = exact();
    for (int round = 0; round < test_rounds(12); round++) {
        const double turn = test_uniform(0.1, 0.9);
        stl_image a = make_pipe(2, pressed_radius, 0), b = make_pipe(pressed_radius, 15, turn);
        image_shuffle(&a);
        image_rotate_corners(&b);
        stlclash_result *r = round % 2 ? ask_images(&a, &b, &o) : ask_images(&b, &a, &o);
        CHECK_INT(r->overlap.region_count, PRESSED_SIDES);
        for (int i = 0; i < PRESSED_SIDES; i++) {
            double bite[2][3];
            int found = 0;
            find_bite(i, turn, bite);
            for (size_t k = 0; k < r->overlap.region_count; k++) {
                found += is_within(r->overlap.regions[k].bounds, bite, 1e-10);
            }
            CHECK(found == 1, "round %d: %d regions at corner %d", round, found, i);
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- what joins no regions ------------------------------------------------------ */

/* A flange that lies flat on a plate, with pins that go into it: each pin is a region of its own,
 * whichever way the flange faces. */
TEST(flush_faces_join_no_regions)
{
    stlclash_options o = exact();
    o.depth_error = 1;
    for (int i = 0; i < test_rounds(300); i++) {
        int axis = i % 3, lengths[9], pins = 0, none[3] = {0, 0, 0};
        oracle_frame f = i % 4 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels comb = {.n = 8}, plate = {.n = 8};
        for (int c = 0; c < 9; c++) {
            lengths[c] = test_below(4);
            pins += lengths[c] > 0;
        }
        for (int c = 0; c < 512; c++) {
            int at[3] = {c / 64, c / 8 % 8, c % 8};
            int high = at[axis], u = at[(axis + 1) % 3], w = at[(axis + 2) % 3];
            int length = u % 2 || w % 2 || u > 4 || w > 4 ? 0 : lengths[3 * (u / 2) + w / 2];
            at[axis] = i / 3 % 2 ? 7 - high : high;
            comb.set[at[0]][at[1]][at[2]] =
                (high == 4 && u < 5 && w < 5) || (high < 4 && high >= 4 - length);
            plate.set[at[0]][at[1]][at[2]] = high > 0 && high < 4;
        }
        stl_image a = oracle_voxels_mesh(&comb, none, &f), b = oracle_voxels_mesh(&plate, none, &f);
        image_shuffle(&a);
        stlclash_result *r = i % 2 ? ask_images(&a, &b, &o) : ask_images(&b, &a, &o);
        CHECK((int)r->overlap.region_count == pins, "comb %d: %d regions, but %d pins", i,
              (int)r->overlap.region_count, pins);
        for (size_t k = 0; k < r->overlap.region_count; k++) {
            double cells = r->overlap.regions[k].volume / oracle_frame_volume(&f);
            CHECK(cells > 0.5 && fabs(cells - round(cells)) < 1e-9, "comb %d: a region of %g cells",
                  i, cells);
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* A bar with ribs that fits between the walls of a slot, or of a pocket: its flush sides face each
 * other, and no move leads out of all of them. Each rib that goes into a wall or into the floor is
 * a region of its own, with its own bounds. */
TEST(flush_faces_on_opposite_sides_join_no_regions)
{
    stlclash_options o = exact();
    o.depth_error = 1;
    for (int i = 0; i < test_rounds(300); i++) {
        const bool pocket = i / 3 % 2;
        int axis = i % 3, ribs = 0, none[3] = {0, 0, 0}, down[3], aside[2];
        oracle_frame f = i % 4 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels bar = {.n = 8}, block = {.n = 8};
        for (int k = 0; k < 3; k++) {
            ribs += (down[k] = test_below(3)) > 0;
        }
        for (int k = 0; k < 2; k++) {
            ribs += (aside[k] = test_below(3)) > 0;
        }
        for (int c = 0; c < 512; c++) {
            int at[3] = {c / 64, c / 8 % 8, c % 8};
            int high = at[axis], along = at[(axis + 1) % 3], across = at[(axis + 2) % 3];
            bool end = pocket && (along == 0 || along == 7), odd = along % 2;
            bool within = high >= 2 && across >= 2 && across <= 4 && !end;
            bool below = odd && along < 7 && high < 2 && high >= 2 - down[along / 2] && across == 3;
            bool beside = !odd && along > 0 && along < 6 && high == 3 && across > 4 &&
                          across <= 4 + aside[along / 2 - 1];
            bar.set[at[0]][at[1]][at[2]] = within || below || beside;
            block.set[at[0]][at[1]][at[2]] = high < 5 && !within;
        }
        truth t = {.status = STLCLASH_CLASH};
        for (int k = 0; k < 3; k++) {
            t.bounds[0][k] = INFINITY;
            t.bounds[1][k] = -INFINITY;
        }
        voxels_bounds(&bar, &block, none, &f, &t);
        stl_image a = oracle_voxels_mesh(&bar, none, &f), b = oracle_voxels_mesh(&block, none, &f);
        image_shuffle(&a);
        stlclash_result *r = i % 2 ? ask_images(&a, &b, &o) : ask_images(&b, &a, &o);
        const stlclash_overlap *overlap = &r->overlap;
        CHECK((int)overlap->region_count == ribs, "bar %d: %d regions, but %d ribs", i,
              (int)overlap->region_count, ribs);
        for (size_t k = 0; k < overlap->region_count; k++) {
            double cells = overlap->regions[k].volume / oracle_frame_volume(&f);
            CHECK(fabs(cells - 1) < 1e-9 || fabs(cells - 2) < 1e-9, "bar %d: a region of %g cells",
                  i, cells);
        }
        for (int k = 0; k < 6 && ribs > 0; k++) {
            double got = overlap->bounds[k / 3][k % 3], expected = t.bounds[k / 3][k % 3];
            CHECK(fabs(got - expected) < 1e-12 * extent_of(&a, &b),
                  "bar %d: bound %d is %.17g, but it is %.17g", i, k, got, expected);
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

TEST(separate_regions_are_told_apart)
{
    stl_image a = simple_box(0, 20, 0, 1, 0, 1);
    stl_image b =
        image_joined(image_joined(simple_box(1, 2, -3, 3, .5, 3), simple_box(5, 8, -3, 3, .75, 3)),
                     simple_box(12, 14, -3, .5, -2, 3));
    static const double volume[3] = {1, 0.75, 0.5}, depth[3] = {0.5, 0.25, 0.5};
    static const double bounds[3][2][3] = {
        {{12, 0, 0}, {14, .5, 1}}, {{5, 0, .75}, {8, 1, 1}}, {{1, 0, .5}, {2, 1, 1}}};
    stlclash_options o = exact();

    for (int round = 0; round < 8; round++) {
        stlclash_result *r = round % 2 ? ask_images(&b, &a, &o) : ask_images(&a, &b, &o);
        CHECK(r->overlap.region_count == 3, "%d regions", (int)r->overlap.region_count);
        for (size_t i = 0; i < 3 && r->overlap.region_count == 3; i++) {
            const stlclash_region *region = &r->overlap.regions[i];
            CHECK(fabs(region->volume - volume[i]) < 1e-14, "region %d: volume %.17g", (int)i,
                  region->volume);
            for (int k = 0; k < 6; k++) {
                CHECK(fabs(region->bounds[k / 3][k % 3] - bounds[i][k / 3][k % 3]) < 1e-14,
                      "region %d: bound %d is %.17g", (int)i, k, region->bounds[k / 3][k % 3]);
            }
            CHECK(region->depth <= depth[i] * (1 + 1e-12) && region->depth >= 0.99 * depth[i],
                  "region %d: depth %.17g, not %g", (int)i, region->depth, depth[i]);
        }
        check_depth(r, 0.5, 20, "regions");
        stlclash_result_free(r);
        image_shuffle(&a);
        image_shuffle(&b);
        image_rotate_corners(&b);
    }
    image_free(&a);
    image_free(&b);
}

/* A region that holds less than the volume of the whole is off by, on the facets that a large one
 * is on too; and a body that only touches. */
TEST(small_regions_are_told_beside_large_ones)
{
    stlclash_options o = exact();
    o.no_depth = 1;
    for (int e = 2; e < 13; e++) {
        const double side = ldexp(1, -e), volume = side * side * side;
        stl_image a = cube(0, 1000);
        stl_image b = image_joined(image_joined(simple_box(-1, 900, 100, 300, 100, 900),
                                                simple_box(-1, 0, 600, 800, 100, 300)),
                                   simple_box(-1, side, 400, 400 + side, 400, 400 + side));
        image_shuffle(&b);
        stlclash_result *r = e % 2 ? ask_images(&a, &b, &o) : ask_images(&b, &a, &o);
        CHECK(r->overlap.region_count == 2 &&
                  fabs(r->overlap.regions[1].volume - volume) < 1e-9 * volume &&
                  r->overlap.regions[1].bounds[1][0] == side,
              "side %g: %d regions, the last of volume %.17g", side, (int)r->overlap.region_count,
              r->overlap.region_count ? r->overlap.regions[r->overlap.region_count - 1].volume : 0);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* Of so many the depth is not searched for. */
TEST(depths_are_told_of_a_hundred_regions)
{
    enum { TEETH = 104, MOST = 100 };
    stl_image a = simple_box(-1, 2 * TEETH, -1, 2, -9, 1), b = make_facets(NULL, 0);
    stlclash_result *r;
    for (int i = 0; i < TEETH; i++) { /* the first is the largest, and so on */
        b = image_joined(b, simple_box(2 * i, 2 * i + 1, 0, 1, 0.5 + i / 512.0, 3));
        if (i + 1 == MOST) {
            r = ask_images(&a, &b, NULL);
            CHECK(!ask_has_note(r, "region_depth_unknown"), "all are known of %d", MOST);
            stlclash_result_free(r);
        }
    }
    r = ask_images(&a, &b, NULL);
    CHECK_INT(r->overlap.region_count, TEETH);
    CHECK(ask_has_note(r, "region_depth_unknown"), "no note of those beyond %d", MOST);
    for (size_t i = 0; i < r->overlap.region_count; i++) {
        double depth = r->overlap.regions[i].depth, right = 0.5 - (double)i / 512;
        CHECK(i < MOST ? fabs(depth - right) <= 0.0101 * right : isnan(depth),
              "region %zu: %g, not %g", i, depth, right);
    }
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* ---- by counting ---------------------------------------------------------------- */

enum { MOST_PIECES = 128 };

/* Common cells that hang together by faces. */
typedef struct piece {
    int cells;
    double bounds[2][3]; /* in space */
    double depth;        /* of the corners of its cells, and of what is half way between */
} piece;

/* All that two voxel solids have in common, and which pieces may count as one: those that meet in
 * an edge or a corner. */
typedef struct common {
    int of[ORACLE_VOXELS][ORACLE_VOXELS]
          [ORACLE_VOXELS]; /* the number of its piece; -1: not common */
    piece pieces[MOST_PIECES];
    int count;
    bool meet[MOST_PIECES][MOST_PIECES];
} common;

static bool in_cube(int x, int y, int z)
{
    return x >= 0 && x < ORACLE_VOXELS && y >= 0 && y < ORACLE_VOXELS && z >= 0 &&
           z < ORACLE_VOXELS;
}

static void fill_piece(common *c, const oracle_frame *f, int x, int y, int z)
{
    static const int way[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    piece *p = &c->pieces[c->count];
    c->of[x][y][z] = c->count;
    p->cells++;
    for (int corner = 0; corner < 8; corner++) {
        const double lattice[3] = {x + (corner & 1), y + (corner >> 1 & 1), z + (corner >> 2)};
        double place[3];
        oracle_frame_place(f, lattice, place);
        for (int k = 0; k < 3; k++) {
            p->bounds[0][k] = fmin(p->bounds[0][k], place[k]);
            p->bounds[1][k] = fmax(p->bounds[1][k], place[k]);
        }
    }
    for (int i = 0; i < 6; i++) {
        const int u = x + way[i][0], v = y + way[i][1], w = z + way[i][2];
        if (in_cube(u, v, w) && c->of[u][v][w] == MOST_PIECES) {
            fill_piece(c, f, u, v, w);
        }
    }
}

/* B is moved by `shift` cells. */
static void find_common(const oracle_voxels *a, const oracle_voxels *b, const int shift[3],
                        const oracle_frame *f, common *c)
{
    memset(c, 0, sizeof *c);
    for (int i = 0; i < 512; i++) {
        const int x = i / 64, y = i / 8 % 8, z = i % 8;
        const bool both = oracle_voxels_at(a, x, y, z) &&
                          oracle_voxels_at(b, x - shift[0], y - shift[1], z - shift[2]);
        c->of[x][y][z] = both ? MOST_PIECES : -1; /* which is not yet known */
    }
    for (int i = 0; i < 512; i++) {
        const int x = i / 64, y = i / 8 % 8, z = i % 8;
        if (c->of[x][y][z] == MOST_PIECES) {
            c->pieces[c->count] = (piece){
                .bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
            fill_piece(c, f, x, y, z);
            c->count++;
        }
    }
    for (int i = 0; i < 512 * 27; i++) {
        const int x = i / 27 / 64, y = i / 27 / 8 % 8, z = i / 27 % 8;
        const int u = x + i % 27 / 9 - 1, v = y + i % 9 / 3 - 1, w = z + i % 3 - 1;
        if (c->of[x][y][z] >= 0 && in_cube(u, v, w) && c->of[u][v][w] >= 0) {
            c->meet[c->of[x][y][z]][c->of[u][v][w]] = true;
        }
    }
}

/* How far a place, in halves of cells, is from the nearest face of the solid, in cells. */
static double distance_to_faces(const oracle_voxels *v, const int shift[3], const int at[3])
{
    int least = INT_MAX;
    for (int i = 0; i < 3 * 9 * 9 * 9; i++) { /* the face below a cell along an axis */
        const int axis = i / 729, cell[3] = {i / 81 % 9, i / 9 % 9, i % 9};
        const int below[3] = {cell[0] - (axis == 0), cell[1] - (axis == 1), cell[2] - (axis == 2)};
        int square = 0;
        if (oracle_voxels_at(v, cell[0], cell[1], cell[2]) ==
            oracle_voxels_at(v, below[0], below[1], below[2])) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const int low = 2 * (cell[k] + shift[k]), high = k == axis ? low : low + 2;
            const int off = at[k] < low ? low - at[k] : at[k] > high ? at[k] - high : 0;
            square += off * off;
        }
        least = square < least ? square : least;
    }
    return 0.5 * sqrt(least);
}

static void find_depths(const oracle_voxels *a, const oracle_voxels *b, const int shift[3],
                        common *c)
{
    static const int none[3] = {0, 0, 0};
    for (int x = 0; x <= 16; x++) {
        for (int y = 0; y <= 16; y++) {
            for (int z = 0; z <= 16; z++) {
                const int at[3] = {x, y, z};
                double depth = -1;
                for (int i = 0; i < 8; i++) { /* the cells about it, or in which it lies */
                    const int u = (x - (i & 1)) >> 1, v = (y - (i >> 1 & 1)) >> 1,
                              w = (z - (i >> 2)) >> 1;
                    if (!in_cube(u, v, w) || c->of[u][v][w] < 0) {
                        continue;
                    }
                    if (depth < 0) {
                        depth =
                            fmax(distance_to_faces(a, none, at), distance_to_faces(b, shift, at));
                    }
                    piece *p = &c->pieces[c->of[u][v][w]];
                    p->depth = fmax(p->depth, depth);
                }
            }
        }
    }
}

/* Of which region each piece is. */
typedef struct matching {
    const common *c;
    const stlclash_overlap *o;
    double cell, noise; /* the volume of one; what rounding does to bounds */
    bool flush;         /* faces may join pieces that do not meet */
    int region[MOST_PIECES];
} matching;

/* Whether its pieces make up a region: its volume and bounds. */
static bool makes_up(const matching *m, int region)
{
    const stlclash_region *r = &m->o->regions[region];
    int cells = 0;
    piece sum = {.bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    for (int i = 0; i < m->c->count; i++) {
        const piece *p = &m->c->pieces[i];
        if (m->region[i] != region) {
            continue;
        }
        cells += p->cells;
        for (int k = 0; k < 3; k++) {
            sum.bounds[0][k] = fmin(sum.bounds[0][k], p->bounds[0][k]);
            sum.bounds[1][k] = fmax(sum.bounds[1][k], p->bounds[1][k]);
        }
    }
    bool equal = cells > 0 && fabs(r->volume / m->cell - cells) < 1e-9;
    for (int k = 0; k < 6 && equal; k++) {
        equal = fabs(r->bounds[k / 3][k % 3] - sum.bounds[k / 3][k % 3]) <= m->noise;
    }
    return equal;
}

static bool may_hold(const matching *m, int region, const piece *p)
{
    const stlclash_region *r = &m->o->regions[region];
    bool holds = p->cells <= r->volume / m->cell + 1e-9;
    for (int k = 0; k < 3 && holds; k++) {
        holds = p->bounds[0][k] >= r->bounds[0][k] - m->noise &&
                p->bounds[1][k] <= r->bounds[1][k] + m->noise;
    }
    return holds;
}

/* Whether all pieces of each region hang together by those that meet. */
static bool hang_together(const matching *m)
{
    int least[MOST_PIECES];
    for (int i = 0; i < m->c->count; i++) {
        least[i] = i;
    }
    for (int round = 0; round < m->c->count; round++) {
        for (int i = 0; i < m->c->count * m->c->count; i++) {
            const int a = i / m->c->count, b = i % m->c->count;
            if (m->c->meet[a][b] && m->region[a] == m->region[b] && least[b] < least[a]) {
                least[a] = least[b];
            }
        }
    }
    bool together = true;
    for (int i = 0; i < m->c->count * m->c->count && together; i++) {
        const int a = i / m->c->count, b = i % m->c->count;
        together = m->region[a] != m->region[b] || least[a] == least[b];
    }
    return together;
}

/* Some way to put all pieces from number `from` on into regions so that each is made up of its own
 * and those meet, if there is one. */
static bool match(matching *m, int from)
{
    const int regions = (int)m->o->region_count;
    if (from == m->c->count) {
        bool all = m->flush || hang_together(m);
        for (int i = 0; i < regions && all; i++) {
            all = makes_up(m, i);
        }
        return all;
    }
    for (int i = 0; i < regions; i++) {
        m->region[from] = i;
        if (may_hold(m, i, &m->c->pieces[from]) && match(m, from + 1)) {
            return true;
        }
    }
    m->region[from] = -1;
    return false;
}

/* No place of a cell is farther from one that was looked at, in cells. */
static const double between_places = 0.25 * 1.7320508075688772;

static void check_region_depths(const matching *m, double error, const char *what)
{
    double deepest = 0;
    for (size_t i = 0; i < m->o->region_count; i++) {
        const double told = m->o->regions[i].depth;
        double depth = 0;
        for (int k = 0; k < m->c->count; k++) {
            depth = m->region[k] == (int)i ? fmax(depth, m->c->pieces[k].depth) : depth;
        }
        CHECK(told >= depth * (1 - error) && told <= depth + between_places,
              "%s: region %d is %g deep, but %g at least", what, (int)i, told, depth);
        deepest = fmax(deepest, depth);
    }
    CHECK(m->o->depth + m->o->depth_error >= deepest && m->o->depth <= deepest + between_places,
          "%s: depth %g, but %g at least", what, m->o->depth, deepest);
}

/* Regions are the pieces that are found by counting, each with its volume, bounds and depth, but
 * for those that may count as one. Solids of cells twice as large, moved by an odd number of cells
 * along each axis, have no faces in common planes: what joins pieces there is edges and corners
 * only. Moved otherwise, faces that lie flush may join them, too. */
TEST(regions_of_voxel_solids)
{
    static common c;
    int several = 0, joined = 0, measured = 0;
    for (int i = 0; i < test_rounds(40); i++) {
        const bool flush = i % 3 == 2, skew = i % 2;
        const int n = 3 + i / 2 % 2, none[3] = {0, 0, 0};
        const oracle_frame f = skew ? oracle_frame_random() : oracle_frame_plain();
        const double chance = test_uniform(0.2, 0.7);
        const oracle_voxels rough[2] = {oracle_voxels_random(n, chance),
                                        oracle_voxels_random(n, chance)};
        const oracle_voxels a = oracle_voxels_refined(&rough[0]),
                            b = oracle_voxels_refined(&rough[1]);
        int shift[3];
        char what[40];
        for (int k = 0; k < 3; k++) {
            shift[k] = flush ? test_below(3) - 1 : 2 * test_below(3) - 3;
        }
        snprintf(what, sizeof what, "pair %d", i);
        find_common(&a, &b, shift, &f, &c);
        stl_image ia = oracle_voxels_mesh(&a, none, &f), ib = oracle_voxels_mesh(&b, shift, &f);
        stlclash_options o = exact();
        o.no_depth = skew || i % 4;
        stlclash_result *r = ask_images(&ia, &ib, &o);
        matching m = {.c = &c,
                      .o = &r->overlap,
                      .cell = oracle_frame_volume(&f),
                      .noise = 1e-12 * extent_of(&ia, &ib),
                      .flush = flush};
        const bool found = (int)m.o->region_count <= c.count && match(&m, 0);
        CHECK(found, "%s: %d regions are not made up of %d pieces", what, (int)m.o->region_count,
              c.count);
        if (found && !o.no_depth && c.count > 0) {
            find_depths(&a, &b, shift, &c);
            check_region_depths(&m, 0.01, what);
            measured++;
        }
        several += m.o->region_count > 1;
        joined += c.count > (int)m.o->region_count;
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    const int least = test_rounds(40) / 8;
    CHECK(several >= least && joined >= least && measured >= least,
          "of %d pairs only, of %d joined, of %d with depth", several, joined, measured);
}

/* ---- whatever the order --------------------------------------------------------- */

/* A part of bodies that stand wall to wall or apart along an axis, and a bar through them all. */
typedef struct row_of_bodies {
    stl_image part, bar;
    int runs; /* of bodies wall to wall */
    double volume;
} row_of_bodies;

/* Faces are cut at multiples of the unit; 0: anywhere. */
static row_of_bodies make_row_of_bodies(const oracle_frame *f, double unit)
{
    const int axis = test_below(3), bodies = 2 + test_below(4);
    const double uncut = 64;
    row_of_bodies row = {.part = make_facets(NULL, 0), .runs = 1};
    double from[3] = {2, 2, 2}, to[3] = {3, 3, 3}, at = 0;

    for (int i = 0; i < bodies; i++) {
        double low[3], high[3];
        const bool gap = i > 0 && test_below(4) == 0;
        row.runs += gap;
        at += gap ? 1 : 0;
        for (int k = 0; k < 3; k++) {
            low[k] = test_below(2);
            high[k] = 4 + test_below(2);
        }
        low[axis] = at;
        high[axis] = at += 1 + test_below(3);
        row.volume += high[axis] - low[axis];
        row.part =
            image_joined(row.part, oracle_split_box(low, high, test_below(2) ? unit : uncut, f));
    }
    from[axis] = 0.5;
    to[axis] = at - 0.5;
    row.bar = oracle_split_box(from, to, test_below(2) ? unit : uncut, f);
    row.volume = (row.volume - 1) * oracle_frame_volume(f);
    return row;
}

/* Facets and their corners in any order, the parts too, the pair mirrored, turned, scaled and
 * shifted; NULL where a coordinate would not stay exact. */
static stlclash_result *ask_in_some_way(const row_of_bodies *row, const motion *m,
                                        const stlclash_options *o)
{
    stl_image a, b;
    bool fits = motion_image(m, &row->part, &a);
    fits &= motion_image(m, &row->bar, &b);
    image_shuffle(&a);
    image_shuffle(&b);
    image_rotate_corners(&a);
    image_rotate_corners(&b);
    stlclash_result *r = !fits           ? NULL
                         : test_below(2) ? ask_images(&a, &b, o)
                                         : ask_images(&b, &a, o);
    image_free(&a);
    image_free(&b);
    return r;
}

/* What goes through walls that stand on each other is one region on both sides of them: as often
 * as it is asked. */
TEST(bodies_wall_to_wall_make_one_region)
{
    enum { WAYS = 12 };
    stlclash_options o = exact();
    o.depth_error = 1;
    for (int i = 0; i < test_rounds(200); i++) {
        const oracle_frame f = i % 4 ? oracle_frame_random() : oracle_frame_plain();
        row_of_bodies row = make_row_of_bodies(&f, i % 4 ? 0.5 : 0);
        double least = 0, most = INFINITY;
        for (int way = 0; way < WAYS; way++) {
            const motion m = motion_make(way % 2 ? test_below(MOTIONS) : 0);
            const double cube = m.scale * m.scale * m.scale;
            stlclash_result *r = ask_in_some_way(&row, &m, &o);
            if (!r) {
                continue;
            }
            const stlclash_overlap *p = &r->overlap;
            CHECK(r->status == STLCLASH_CLASH && p->contained == STLCLASH_NEITHER,
                  "row %d: %s, contained %d", i, stlclash_status_text(r->status), p->contained);
            CHECK((int)p->region_count == row.runs, "row %d: %d regions, but %d runs of bodies", i,
                  (int)p->region_count, row.runs);
            CHECK(fabs(p->volume - cube * row.volume) <= p->volume_error + 1e-13 * p->volume,
                  "row %d: volume %.17g, not %.17g", i, p->volume, cube * row.volume);
            least = fmax(least, p->depth / m.scale);
            most = fmin(most, (p->depth + p->depth_error) / m.scale);
            stlclash_result_free(r);
        }
        CHECK(least <= most * (1 + 1e-12), "row %d: depth %.17g or more, and %.17g or less", i,
              least, most);
        image_free(&row.part);
        image_free(&row.bar);
    }
}

/* An edge of a wedge across the bottom of a groove, in one point: what lies on either side of the
 * groove is one region or two, as the bottom is moved, but not as the facets are ordered. */
TEST(regions_at_the_bottom_of_a_groove_do_not_depend_on_the_order_of_facets)
{
    static const double block[5][2] = {{-4, -4}, {4, -4}, {4, 4}, {0, 0}, {-4, 4}};
    static const double wedge[3][2] = {{0, 0}, {2, -1}, {2, 1}};
    const motion across = {{2, 0, 1}, {1, 1, 1}, 1, {0, 0, 0}};
    const stlclash_options o = exact();
    stl_image standing = make_prism(wedge, 3, -3, 3);
    row_of_bodies pair = {.part = make_prism(block, 5, -2, 2)};
    int separate = 0;

    CHECK(motion_image(&across, &standing, &pair.bar), "not exact");
    for (int way = 0; way < MOTIONS; way++) {
        const motion m = motion_make(way);
        size_t regions = 0;
        for (int i = 0; i < 8; i++) {
            stlclash_result *r = ask_in_some_way(&pair, &m, &o);
            const size_t count = r ? r->overlap.region_count : 0;
            CHECK(r && (count == 1 || count == 2), "way %d: %zu regions", way, count);
            CHECK(i == 0 || count == regions, "way %d: %zu regions, and %zu", way, count, regions);
            regions = count;
            stlclash_result_free(r);
        }
        separate += regions == 2;
    }
    CHECK(separate > 0 && separate < MOTIONS, "two regions %d times", separate);
    image_free(&standing);
    image_free(&pair.part);
    image_free(&pair.bar);
}

/* ---- what is of one region ------------------------------------------------------ */

/* Boxes are convex, and what they have in common is of one piece: also where their facets meet
 * along edges that are not the same, as stored and as placed. */
TEST(t_junctions_split_no_regions)
{
    const oracle_frame plain = oracle_frame_plain();
    for (int i = 0; i < test_rounds(400); i++) {
        truth_box a, b;
        double placement[2][16];
        stlclash_options o = ask_usual();
        o.depth_error = 1;
        random_boxes(true, &a, &b);
        for (int k = 0; k < 2 && i % 4 > 1; k++) {
            ask_placement(placement[k], i % 4 == 3 ? 0.5 : 0);
            o.placement[k] = placement[k];
        }
        stl_image ia = oracle_split_box(a.low, a.high, 0.125, &plain);
        stl_image ib = oracle_split_box(b.low, b.high, 0.125, &plain);
        stlclash_result *r = ask_images(&ia, &ib, &o);
        if (r->status == STLCLASH_CLASH) {
            const stlclash_overlap *overlap = &r->overlap;
            CHECK(overlap->region_count == 1, "boxes %d: %d regions", i,
                  (int)overlap->region_count);
            CHECK(fabs(overlap->regions[0].volume - overlap->volume) <= 1e-12 * overlap->volume,
                  "boxes %d: the region has %g of %g", i, overlap->regions[0].volume,
                  overlap->volume);
        }
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
}

/* Shells of one part, all inside the other, are regions of their own; a void in one of them is
 * none. */
TEST(shells_inside_are_regions_each)
{
    const uint32_t cells[] = {1, 2, 12, 40};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stl_image outer = simple_box(-1, 21, -1, 5, -1, 5), inner = {0};
            stlclash_options o = ask_usual();
            o.health = way >= 2;
            for (int k = 0; k < 3; k++) {
                const double low[3] = {6 * k, 0, 0}, high[3] = {6 * k + 4 - k, 4 - k, 4 - k};
                stl_image shell = make_box(low, high, cells[i]);
                inner = k == 0 ? shell : image_joined(inner, shell);
            }
            stl_image hole = make_box((double[]){1, 1, 1}, (double[]){2, 2, 2}, cells[i]);
            image_invert(&hole);
            inner = image_joined(inner, hole);
            stlclash_result *r =
                ask_images(way % 2 ? &outer : &inner, way % 2 ? &inner : &outer, &o);
            CHECK(r->overlap.region_count == 3, "%u cells: %d regions", cells[i],
                  (int)r->overlap.region_count);
            for (size_t k = 0; k < 3 && r->overlap.region_count == 3; k++) {
                double side = 4.0 - (double)k, volume = side * side * side - (k == 0 ? 1 : 0);
                CHECK(r->overlap.regions[k].volume == volume, "region %zu: %.17g, not %g", k,
                      r->overlap.regions[k].volume, volume);
            }
            stlclash_result_free(r);
            image_free(&outer);
            image_free(&inner);
        }
    }
}

/* Two plates askew in a block, the larger within the box of the other where it has holes: one amid
 * it, one in its wall, one through both walls. */
TEST(holes_are_of_the_region_around_them)
{
    static const double plates[2][4][2] = {{{0, 0}, {4, 0}, {24, 20}, {20, 20}},
                                           {{6, 0}, {9, 0}, {29, 20}, {26, 20}}};
    stl_image holes =
        image_joined(image_joined(simple_box(12, 13, 10, 11, 4, 6), simple_box(7, 10, 8, 9, 2, 3)),
                     simple_box(14, 20.5, 15, 16, 4, 6));
    image_invert(&holes);
    stl_image b = image_joined(simple_box(-5, 35, -5, 25, -5, 15), holes);
    stl_image a = image_joined(make_prism(plates[0], 4, 0, 10), make_prism(plates[1], 4, 0, 10));
    static const double volume[2] = {800 - 2 - 1.5 - 8, 600};

    for (int round = 0; round < test_rounds(20); round++) {
        stlclash_result *r = ask_images(&a, &b, NULL);
        CHECK(r->overlap.region_count == 2, "%d regions", (int)r->overlap.region_count);
        for (size_t i = 0; i < 2 && r->overlap.region_count == 2; i++) {
            const double error = r->overlap.regions[i].volume - volume[i];
            CHECK(fabs(error) < (round == 0 ? 1e-11 : 0.01), "round %d, region %d: off by %g",
                  round, (int)i, error);
        }
        stlclash_result_free(r);
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        image_turn(&a, turn[0], turn[1], turn[2]);
        image_turn(&b, turn[0], turn[1], turn[2]);
    }
    image_free(&a);
    image_free(&b);
}

/* The L's box holds the cavity as well, and without it what was the second largest is the third. */
TEST(cavities_are_taken_off_the_region_around_them)
{
    static const double volumes[] = {384, 16, 11.625};
    stl_image a = make_box((double[]){-2, -3, -4}, (double[]){15, 15, 15}, 1), b = make_l_prism(8);
    b = image_joined(b, make_hollow_box((double[]){5, 5, 1}, (double[]){7, 7, 7}, 0.25));
    b = image_joined(b, make_box((double[]){10, 0, 0}, (double[]){12, 2, 4}, 1));
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK_INT(r->overlap.region_count, 3);
    for (size_t i = 0; i < 3 && i < r->overlap.region_count; i++) {
        CHECK(fabs(r->overlap.regions[i].volume - volumes[i]) < 1e-9, "region %zu: volume %.17g", i,
              r->overlap.regions[i].volume);
    }
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* A bore that ends in a wall of the region, amid a facet of it, may be rounded to stick out
 * there. */
TEST(bores_that_end_in_a_wall_are_of_its_region)
{
    for (int round = 0; round < test_rounds(200); round++) {
        const double wall = as_float(test_uniform(-3, 1)), deep = as_float(test_uniform(2, 4));
        const double from = as_float(test_uniform(-8, -4)), end = as_float(test_uniform(5, 9));
        const double y[2] = {as_float(test_uniform(0.2, 0.6)), as_float(test_uniform(1, 2))};
        const double z[2] = {as_float(test_uniform(4, 5)), as_float(test_uniform(6, 7))};
        stl_image bore = simple_box(from, deep, y[0], y[1], z[0], z[1]);
        image_invert(&bore);
        stl_image b = image_joined(simple_box(-9, 14, -1, 11, -1, 11), bore);
        stl_image a = simple_box(wall, end, 0, 10, 0, 10);
        stlclash_result *r = ask_images(&a, &b, NULL);
        const double volume = 100 * (end - wall) - (deep - wall) * (y[1] - y[0]) * (z[1] - z[0]);
        CHECK_INT(r->overlap.region_count, 1);
        CHECK(r->overlap.region_count != 1 || fabs(r->overlap.regions[0].volume - volume) < 1e-10,
              "round %d: %.17g, but %.17g", round, r->overlap.regions[0].volume, volume);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}
