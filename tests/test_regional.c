/* test_regional.c - how deep regions of an overlap are, as erosion by as much as each of them asks
 * for shows: it is so, and of pins in many holes it is shown. */
#include "ask.h"
#include "couple.h"
#include "erosion/away.h"
#include "erosion/erosion_proof.h"
#include "erosion/regional.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_REGIONS = 64, MOST_PINS = 12 };

/* Two parts and the regions of what they have in common. */
typedef struct overlapping {
    stl_image image[2];
    couple c;
    stlclash_result *told;
    sc_erosion_region region[MOST_REGIONS];
    sc_erosion_regions regions;
} overlapping;

static void begin(overlapping *o)
{
    const stlclash_options options = ask_usual();
    couple_make(&o->c, &o->image[0], &o->image[1]);
    o->told = ask_images(&o->image[0], &o->image[1], &options);
    const size_t count = o->told->has_overlap ? o->told->overlap.region_count : 0;
    o->regions = (sc_erosion_regions){o->region, count < MOST_REGIONS ? count : MOST_REGIONS};
}

static void end(overlapping *o)
{
    stlclash_result_free(o->told);
    couple_free(&o->c);
    image_free(&o->image[0]);
    image_free(&o->image[1]);
}

static sc_box bounds_of(const stlclash_region *region)
{
    sc_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = region->bounds[0][k];
        box.high[k] = region->bounds[1][k];
    }
    return box;
}

/* To be shown to lie no deeper than that; `known` so deep. */
static void ask_for(overlapping *o, size_t k, double limit, double known)
{
    const sc_box bounds = bounds_of(&o->told->overlap.regions[k]);
    o->region[k] = (sc_erosion_region){.bounds = bounds,
                                       .limit = limit,
                                       .open = true,
                                       .left = bounds,
                                       .place = {NAN, NAN, NAN},
                                       .depth = known};
}

static void settle(overlapping *o)
{
    sc_erosion_proof proof = {.solid = {&o->c.solid[0], &o->c.solid[1]}, .regions = &o->regions};
    for (size_t k = 0; k < o->regions.count; k++) {
        proof.limit = fmax(proof.limit, o->region[k].limit);
    }
    CHECK(sc_erosion_settles(&proof), "memory");
}

/* ---- pins ------------------------------------------------------------------------ */

/* Pins in bushes, in a row, of as many sides: each lies as deep in its own as its radius is more
 * than that of the hole, along its edges. They stand out, or not. */
typedef struct pressed {
    overlapping o;
    int pins;
    double more[MOST_PINS];
    size_t region[MOST_PINS]; /* of each */
} pressed;

static void press_all(pressed *p, int round)
{
    const uint32_t sides = 16 + (uint32_t)test_below(24);
    const double turn[3] = {test_uniform(0, 3), test_uniform(0, 3), test_uniform(0, 3)};
    stl_image *image = p->o.image;
    for (int k = 0; k < 2; k++) {
        image[k] = make_facets(NULL, 0);
    }
    p->pins = 3 + test_below(MOST_PINS - 2);
    for (int i = 0; i < p->pins; i++) {
        p->more[i] = ldexp(1.0 + 0.1 * i, -4 - round % 4);
        stl_image bush = make_bush(1, 2, 1.5, sides, 2);
        stl_image pin = make_cylinder(1 + p->more[i], (i + round) % 3 ? 3 : 1, sides);
        image_move(&bush, 0, 5 * i, 0);
        image_move(&pin, 0, 5 * i, 0);
        image[0] = image_joined(image[0], bush);
        image[1] = image_joined(image[1], pin);
    }
    for (int k = 0; k < 2; k++) {
        image_turn(&image[k], turn[0], turn[1], turn[2]);
    }
    begin(&p->o);
}

/* The larger the radius, the larger the region. */
static void find_regions(pressed *p, int round)
{
    CHECK_INT(p->o.regions.count, p->pins);
    for (int i = 0; i < p->pins; i++) {
        const stlclash_region *regions = p->o.told->overlap.regions;
        size_t found = p->o.regions.count;
        for (size_t k = 0; k < p->o.regions.count; k++) {
            const double off = regions[k].depth - p->more[i];
            found = off <= 1e-5 && off >= -0.0101 * p->more[i] ? k : found;
        }
        CHECK(found < p->o.regions.count, "round %d: no region of %d is %g deep", round, p->pins,
              p->more[i]);
        p->region[i] = found;
    }
}

/* Each is told; and shown to lie no deeper, but one of less limit, what is deep of which is in what
 * is left, or told. */
TEST(pins_in_many_holes_have_depths_of_their_own)
{
    for (int round = 0; round < test_rounds(12); round++) {
        pressed p;
        press_all(&p, round);
        find_regions(&p, round);
        const int short_one = test_below(p.pins);
        for (int tells = 0; tells < 2; tells++) {
            for (int i = 0; i < p.pins; i++) {
                const double limit = (i == short_one ? 0.97 : 1.005) * p.more[i];
                ask_for(&p.o, p.region[i], limit, tells ? limit : INFINITY);
            }
            settle(&p.o);
            const sc_erosion_region *r = &p.o.region[p.region[short_one]];
            CHECK(r->open, "round %d: %g deep, shown to be less", round, p.more[short_one]);
            for (int i = 0; i < p.pins && !tells; i++) {
                CHECK(i == short_one || !p.o.region[p.region[i]].open,
                      "round %d: pin %d of %d is not shown", round, i, p.pins);
            }
            if (tells) {
                double winding;
                const double there = probe(p.o.c.mesh[0], r->place, &winding);
                CHECK(fabs(there - r->depth) <= 1e-6 && r->depth > r->limit,
                      "round %d: %g deep there, not %g", round, there, r->depth);
            }
        }
        end(&p.o);
    }
}

/* ---- anything -------------------------------------------------------------------- */

/* Pegs in a plate, closer together than they are deep; rings in one another there; boxes anyhow; or
 * pins. */
static void overlap_anyhow(pressed *p, int round)
{
    stl_image *image = p->o.image;
    if (round % 4 == 3) {
        press_all(p, round);
        return;
    }
    image[0] = make_box((double[]){-9, -9, -3}, (double[]){9, 9, 0}, 1 + (uint32_t)test_below(8));
    image[1] = make_facets(NULL, 0);
    for (int i = 0; i < 6 && round % 4 == 0; i++) {
        const double deep = 0.02 * pow(1.5, test_below(8)), from = 0.5 * i, gap = deep / 4;
        const double low[3] = {from, 0, -deep}, high[3] = {from + 0.5 - gap, 1, 1};
        image[1] = image_joined(image[1], make_box(low, high, 1 + (uint32_t)test_below(3)));
    }
    for (int i = 1; i < 4 && round % 4 == 1; i++) {
        stl_image ring = make_torus(1.6 * i, 0.5, 48, 24);
        image_move(&ring, 0, 0, 0.5 - 0.05 * pow(1.3, test_below(6)));
        image[1] = image_joined(image[1], ring);
    }
    if (round % 4 == 2) {
        image_free(&image[0]);
        image_free(&image[1]);
        image[0] = union_of_boxes(4);
        image[1] = union_of_boxes(4);
    }
    for (int k = 0; k < 2; k++) {
        image_turn(&image[k], 0.1 * round, 0.2, 0.3 * round);
    }
    begin(&p->o);
}

/* Whether a common point is in what is left of a region that may hold it, or that may lie so
 * deep. */
static bool is_left(const overlapping *o, sc_vec3 p, double depth)
{
    for (size_t k = 0; k < o->regions.count; k++) {
        const sc_erosion_region *r = &o->region[k];
        if (sc_box_holds(&r->bounds, p) &&
            (depth <= r->limit * (1 + 1e-9) || (r->open && sc_box_holds(&r->left, p)))) {
            return true;
        }
    }
    return false;
}

/* By all facets. */
static void check_left(const overlapping *o, int round)
{
    enum { LOOKS = 1000000 };
    const int places = LOOKS / (int)sc_parts_facets(&o->c.part[0], &o->c.part[1]);
    for (int i = 0; i < places && o->regions.count < MOST_REGIONS; i++) {
        const sc_vec3 p = some_place(&o->c, i % 2 ? 0.1 : 0.01);
        const double depth = depth_at(&o->c, p);
        CHECK(depth == 0.0 || is_left(o, p, depth), "round %d: %g deep, not left", round, depth);
    }
}

/* Whatever the limits are, nothing that is deeper is shown to be less. */
TEST(no_region_is_shown_to_lie_less_deep_than_it_does)
{
    int shown = 0, asked = 0;
    for (int round = 0; round < test_rounds(60); round++) {
        pressed p;
        overlapping *o = &p.o;
        overlap_anyhow(&p, round);
        const size_t count = o->regions.count;
        for (size_t k = 0; k < count; k++) {
            const double depth = o->told->overlap.regions[k].depth;
            const double limit = (isnan(depth) ? 0.01 : depth) * test_uniform(0.25, 1.5);
            ask_for(o, k, limit, INFINITY);
        }
        settle(o);
        for (size_t k = 0; k < count; k++) {
            const double depth = o->told->overlap.regions[k].depth, limit = o->region[k].limit;
            CHECK(o->region[k].open || !(depth > limit * (1 + 1e-9)),
                  "round %d: region %zu of %zu, %g deep, is shown to be %g", round, k, count, depth,
                  limit);
            shown += !o->region[k].open;
            asked += limit > 1.02 * depth;
        }
        check_left(o, round);
        end(o);
    }
    CHECK(TEST_DIVISOR > 1 || 4 * shown >= asked, "%d shown of %d", shown, asked);
}

/* ---- what is near ---------------------------------------------------------------- */

enum { FAR, NEAR, BESIDE };

/* A cube of side 1/8 above the unit cube, farther from that than 1/4, or less, or next to it. */
static sc_box box_above(int where)
{
    const double low = 1.0 + (where == FAR ? 0.26 : where == NEAR ? 0.24 : 0.0);
    return (sc_box){{0.5, 0.5, low}, {0.625, 0.625, low + 0.125}};
}

static sc_erosion_region unit_region(double limit)
{
    const sc_box unit = {{0, 0, 0}, {1, 1, 1}};
    return (sc_erosion_region){unit, limit, true, unit, {NAN, NAN, NAN}, limit};
}

/* Up to the greatest limit from what is left, wherever in the list that is, and within that limit of
 * it. */
TEST(regions_stay_open_near_what_is_left)
{
    for (int at = 0; at < 5; at++) {
        for (int where = FAR; where <= BESIDE; where++) {
            sc_erosion_region region[2] = {unit_region(0.125), {.open = false}};
            sc_erosion_regions regions = {region, 2};
            const sc_erosion_proof proof = {.limit = 0.25, .regions = &regions};
            sc_box left[5];
            for (int k = 0; k < 5; k++) {
                left[k] = box_above(k == at ? where : FAR);
            }
            sc_regional_close(&proof, left, 5);
            CHECK(region[0].open == (where != FAR) && !region[1].open, "box %d, %d: open is %d", at,
                  where, region[0].open);
            const double low = where == NEAR ? 0.99 : 0.75;
            const sc_box *box = &region[0].left;
            CHECK(where == FAR || (fabs(box->low[2] - low) < 1e-12 && box->high[2] == 1 &&
                                   fabs(box->low[0] - 0.25) < 1e-12),
                  "box %d, %d: left from %g on", at, where, box->low[2]);
        }
    }
}

/* As far as regions allow that it may come to, if they are open. */
TEST(vertices_go_no_farther_than_regions_near_them_allow)
{
    for (int where = FAR; where <= BESIDE; where++) {
        for (int open = 0; open < 2; open++) {
            const sc_box box = box_above(where);
            stl_image a = make_box(box.low, box.high, 1), b = cube(0, 1);
            couple c;
            couple_make(&c, &a, &b);
            sc_erosion_region region[2] = {unit_region(0.0625), unit_region(0.125)};
            sc_erosion_regions regions = {region, 2};
            const sc_erosion_proof proof = {
                .solid = {&c.solid[0], &c.solid[1]}, .limit = 0.25, .regions = &regions};
            sc_erosion eroded;
            bool possible;
            region[0].open = open;
            CHECK(sc_erosion_make(&c.part[0], NULL, NULL, NULL, &eroded, &possible) && possible &&
                      sc_regional_share(&proof, &eroded),
                  "made");
            for (uint32_t i = 0; i < eroded.fans; i++) { /* each is of a facet that is nearest */
                const double share = where == FAR ? 1.0 : open ? 0.25 : 0.5;
                CHECK(eroded.share[i] == share, "%d: %g of the limit", where, eroded.share[i]);
            }
            sc_erosion_go(&eroded, 1.0, 0.25);
            for (uint32_t i = 0; i < eroded.fans; i++) {
                const double gone = sc_length(sc_sub(eroded.gone[i], eroded.place[i]));
                CHECK(fabs(gone - sc_erosion_most(&eroded, i)) < 1e-9, "%d: gone by %g", where,
                      gone);
            }
            sc_erosion_free(&eroded);
            couple_free(&c);
            image_free(&a);
            image_free(&b);
        }
    }
}

/* ---- what takes too long ----------------------------------------------------------- */

/* Out of a sphere of small facets: not by very many of these. */
TEST(ways_out_past_very_many_facets_are_not_looked_for)
{
    stl_image a = make_sphere(1, 48), b = make_sphere(1, 40);
    image_move(&b, 1.2, 0, 0);
    couple c;
    couple_make(&c, &a, &b);
    for (int k = 0; k < 2; k++) {
        const double limit = k == 0 ? 0.02 : 0.5;
        const sc_erosion_proof proof = {.solid = {&c.solid[0], &c.solid[1]}, .limit = limit};
        sc_erosion eroded;
        bool possible, all;
        CHECK(sc_erosion_make(&c.part[0], NULL, NULL, NULL, &eroded, &possible) && possible,
              "made");
        sc_vec3 *way = calloc(eroded.fans, sizeof *way);
        CHECK(sc_away_find(&proof, 0, &eroded, SC_AS_FACING, way, &all), "memory");
        CHECK(all == (k == 0), "%g deep: all looked at is %d", limit, all);
        free(way);
        sc_erosion_free(&eroded);
    }
    couple_free(&c);
    image_free(&a);
    image_free(&b);
}
