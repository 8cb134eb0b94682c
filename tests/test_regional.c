/* test_regional.c - how deep regions of an overlap are, as erosion by as much as each of them asks
 * for shows: it is so, and of pins in many holes it is shown. */
#include "ask.h"
#include "base/alloc.h"
#include "base/union_find.h"
#include "couple.h"
#include "erosion/away.h"
#include "erosion/erosion_proof.h"
#include "erosion/regional.h"
#include "measured.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_REGIONS = 64, MOST_PINS = 12 };

/* Two parts and the regions of what they have in common. */
typedef struct overlapping {
    stl_image image[2];
    couple c;
    stlclash_result *told;
    measured m;
    sc_erosion_region region[MOST_REGIONS];
    sc_erosion_regions regions;
} overlapping;

/* Facets tell which regions they are about, or only bounds do. */
static void begin(overlapping *o, bool by_facets)
{
    const stlclash_options options = ask_usual();
    couple_make(&o->c, &o->image[0], &o->image[1]);
    o->told = ask_images(&o->image[0], &o->image[1], &options);
    measured_make(&o->m, &o->image[0], &o->image[1]);
    const size_t count = o->told->has_overlap ? o->told->overlap.region_count : 0;
    CHECK_INT(o->m.overlap.region_count, count);
    o->regions = (sc_erosion_regions){.region = o->region,
                                      .count = count < MOST_REGIONS ? count : MOST_REGIONS,
                                      .of = by_facets && count > 0 ? &o->m.regions : NULL};
}

/* What was told of regions. */
static void forget(overlapping *o)
{
    for (size_t k = 0; k < o->regions.count; k++) {
        sc_free(o->region[k].left);
        o->region[k].left = NULL;
    }
}

static void end(overlapping *o)
{
    forget(o);
    measured_free(&o->m);
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
    o->region[k] = (sc_erosion_region){.number = (uint32_t)k,
                                       .bounds = bounds,
                                       .limit = limit,
                                       .open = true,
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
    begin(&p->o, round % 3);
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
            forget(&p.o);
        }
        end(&p.o);
    }
}

/* ---- strands --------------------------------------------------------------------- */

/* Strands of A and B wound about an axis by turns, each from wall to wall of the next ones, and a
 * little more: as many regions as walls, the bounds of which hold each other. */
enum { STRANDS = 2 };

/* A box of angles and radii, wound. */
static stl_image strand(double from, double to, bool inner)
{
    const double more = inner ? 0.0 : 0.125;
    const double low[3] = {1.0 - more, from, -more}, high[3] = {2.0 + more, to, 3.0 + more};
    stl_image image = make_box(low, high, 16);
    for (size_t i = 0; i < image_facets(&image); i++) {
        shape_facet f = image_get(&image, i);
        for (int k = 0; k < 3; k++) {
            float *p = f.corner[k];
            const double turn = p[1] + p[2];
            const double radius = p[0];
            p[0] = (float)(radius * cos(turn));
            p[1] = (float)(radius * sin(turn));
        }
        image_set(&image, i, &f);
    }
    return image;
}

/* thick[k]: by what angle wall k lies in the next strand. */
static void wind_strands(overlapping *o, int round, double thick[2 * STRANDS])
{
    const double each = acos(-1.0) / STRANDS; /* strand k is about the angle k * each */
    for (int k = 0; k < 2 * STRANDS; k++) {
        thick[k] = 0.01 * pow(1.3, test_below(4));
    }
    for (int i = 0; i < 2; i++) {
        o->image[i] = make_facets(NULL, 0);
    }
    for (int k = 0; k < 2 * STRANDS; k++) {
        const double before = k % 2 ? thick[(k + 2 * STRANDS - 1) % (2 * STRANDS)] : 0.0;
        const double behind = k % 2 ? thick[k] : 0.0;
        const double from = k * each - before, to = (k + 1) * each + behind;
        o->image[k % 2] = image_joined(o->image[k % 2], strand(from, to, k % 2));
    }
    begin(o, round % 3 > 0);
}

/* Limits of their own, though each is in the bounds of all others: all are shown, or little is left
 * of them, but of one with less. */
TEST(strands_wound_about_each_other_have_depths_of_their_own)
{
    int shown = 0, by_bounds = 0;
    for (int round = 0; round < test_rounds(6); round++) {
        overlapping o;
        double thick[2 * STRANDS];
        wind_strands(&o, round, thick);
        CHECK_INT(o.regions.count, 2 * STRANDS);
        const size_t short_one = (size_t)test_below(2 * STRANDS);
        for (size_t k = 0; k < o.regions.count; k++) {
            const double depth = o.told->overlap.regions[k].depth;
            ask_for(&o, k, (k == short_one ? 0.7 : 1.03) * depth, INFINITY);
        }
        settle(&o);
        for (size_t k = 0; k < o.regions.count; k++) {
            const sc_erosion_region *r = &o.region[k];
            const bool little = !r->open || sc_regional_is_little(r);
            CHECK(k != short_one || r->open, "round %d: %g deep, shown to be less", round,
                  r->limit);
            CHECK(k == short_one || little || !o.regions.of, "round %d: wall %zu is left", round,
                  k);
            *(o.regions.of ? &shown : &by_bounds) += k != short_one && little;
        }
        end(&o);
    }
    CHECK(TEST_DIVISOR > 1 || shown > 3 * by_bounds, "%d shown by facets, %d by bounds", shown,
          by_bounds);
}

/* ---- anything -------------------------------------------------------------------- */

/* Pegs in a plate, closer together than they are deep; rings in one another there; boxes anyhow;
 * strands; or pins. */
static void overlap_anyhow(pressed *p, int round)
{
    enum { PEGS, RINGS, BOXES, PINS, WOUND };
    const int kind = round % 10 == 9 ? WOUND : round % 4;
    stl_image *image = p->o.image;
    if (kind == PINS) {
        press_all(p, round);
        return;
    }
    if (kind == WOUND) {
        double thick[2 * STRANDS];
        wind_strands(&p->o, round, thick);
        return;
    }
    image[0] = make_box((double[]){-9, -9, -3}, (double[]){9, 9, 0}, 1 + (uint32_t)test_below(8));
    image[1] = make_facets(NULL, 0);
    for (int i = 0; i < 6 && kind == PEGS; i++) {
        const double deep = 0.02 * pow(1.5, test_below(8)), from = 0.5 * i, gap = deep / 4;
        const double low[3] = {from, 0, -deep}, high[3] = {from + 0.5 - gap, 1, 1};
        image[1] = image_joined(image[1], make_box(low, high, 1 + (uint32_t)test_below(3)));
    }
    for (int i = 1; i < 4 && kind == RINGS; i++) {
        stl_image ring = make_torus(1.6 * i, 0.5, 48, 24);
        image_move(&ring, 0, 0, 0.5 - 0.05 * pow(1.3, test_below(6)));
        image[1] = image_joined(image[1], ring);
    }
    if (kind == BOXES) {
        image_free(&image[0]);
        image_free(&image[1]);
        image[0] = union_of_boxes(4);
        image[1] = union_of_boxes(4);
    }
    for (int k = 0; k < 2; k++) {
        image_turn(&image[k], 0.1 * round, 0.2, 0.3 * round);
    }
    begin(&p->o, round % 2);
}

/* Whether a common point is in what is left of a region that may hold it, or that may lie so
 * deep. */
static bool is_left(const overlapping *o, sc_vec3 p, double depth)
{
    for (size_t k = 0; k < o->regions.count; k++) {
        const sc_erosion_region *r = &o->region[k];
        bool left = r->open && !r->left;
        for (size_t i = 0; i < r->boxes && r->open && r->left; i++) {
            left = left || sc_box_holds(&r->left[i], p);
        }
        if (sc_box_holds(&r->bounds, p) && (left || depth <= r->limit * (1 + 1e-9))) {
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
    return (sc_erosion_region){.bounds = {{0, 0, 0}, {1, 1, 1}}, .limit = limit, .open = true};
}

/* By bounds alone; sets of those that meet, to begin with of one each. */
static void close_by(sc_erosion_regions *regions, double limit, const sc_box *about, uint32_t count)
{
    stl_image image[2] = {cube(0, 1), cube(0, 1)};
    couple c;
    couple_make(&c, &image[0], &image[1]);
    const sc_erosion_proof proof = {
        .solid = {&c.solid[0], &c.solid[1]}, .limit = limit, .regions = regions};
    uint32_t *parent = sc_union_make(count);
    const sc_regional_left left = {about, parent, count};
    CHECK(parent && sc_regional_close(&proof, &left), "memory");
    sc_free(parent);
    couple_free(&c);
    image_free(&image[0]);
    image_free(&image[1]);
}

/* Up to the greatest limit from what is left, wherever in the list that is, and within that limit
 * of it. */
TEST(regions_stay_open_near_what_is_left)
{
    for (int at = 0; at < 5; at++) {
        for (int where = FAR; where <= BESIDE; where++) {
            sc_erosion_region region[2] = {unit_region(0.125), {.open = false}};
            sc_erosion_regions regions = {region, 2, NULL};
            sc_box left[5];
            for (int k = 0; k < 5; k++) {
                left[k] = box_above(k == at ? where : FAR);
            }
            close_by(&regions, 0.25, left, 5);
            CHECK(region[0].open == (where != FAR) && !region[1].open, "box %d, %d: open is %d", at,
                  where, region[0].open);
            const double low = where == NEAR ? 0.99 : 0.75;
            const sc_box *box = region[0].left;
            CHECK(where == FAR || (region[0].boxes == 1 && fabs(box->low[2] - low) < 1e-12 &&
                                   box->high[2] == 1 && fabs(box->low[0] - 0.25) < 1e-12),
                  "box %d, %d: left in %zu", at, where, region[0].boxes);
            sc_free(region[0].left);
        }
    }
}

/* Whether a facet that is about the region surely comes to the box. */
static bool is_near(const overlapping *o, const sc_box *box, uint32_t region)
{
    enum { MANY = 4096 };
    bool near = false;
    for (int part = 0; part < 2; part++) {
        for (uint32_t f = 0; f < o->c.mesh[part]->file.facets.count; f++) {
            uint32_t list[MANY];
            sc_vec3 v[3], on;
            sc_solid_facet(&o->m.b.solid[part], f, v);
            sc_facet_distance(sc_box_centre(box), v, &on);
            if (sc_box_holds(box, on)) {
                const size_t count = sc_regions_about(&o->m.regions, part, f, list, MANY);
                CHECK(count <= MANY, "%zu regions", count);
                for (size_t k = 0; k < count; k++) {
                    near = near || list[k] == region;
                }
            }
        }
    }
    return near;
}

/* Slats in a plate of few facets, many at each of these; turned, so that their bounds meet. */
static void set_slats(overlapping *o)
{
    o->image[0] = make_box((double[]){0, 0, 0}, (double[]){30, 4, 1}, 1);
    o->image[1] = make_facets(NULL, 0);
    for (int i = 0; i < 30; i++) {
        const double low[3] = {i + 0.25, 0.5, 0.5};
        const double high[3] = {i + 0.75 + test_uniform(-0.2, 0.2), 3.5, 1.5};
        o->image[1] = image_joined(o->image[1], make_box(low, high, 1));
    }
    for (int k = 0; k < 2; k++) {
        image_turn(&o->image[k], 0.1, 0.2, 0.8);
    }
    begin(o, true);
}

/* Amid the crossings of some region: of a slat, on the plate. */
static sc_vec3 amid_crossings(const overlapping *o)
{
    const sc_region_segments *on = &o->m.regions.on[0];
    const uint32_t region = (uint32_t)test_below((int)o->regions.count);
    sc_vec3 sum = {0, 0, 0};
    double count = 0.0;
    for (size_t i = 0; i < on->count; i++) {
        if (on->segment[i].region == region) {
            sum = sc_add(sum, on->segment[i].start);
            count += 1.0;
        }
    }
    return sc_scale(sum, 1.0 / count);
}

/* By all facets, of boxes about places in the parts. */
TEST(regions_are_near_where_facets_about_them_are)
{
    int near = 0, told = 0;
    for (int round = 0; round < test_rounds(10); round++) {
        overlapping o;
        double thick[2 * STRANDS];
        if (round % 2) {
            wind_strands(&o, 1, thick);
        } else {
            set_slats(&o);
        }
        const sc_erosion_proof proof = {
            .solid = {&o.c.solid[0], &o.c.solid[1]}, .limit = 0.001, .regions = &o.regions};
        for (int i = 0; i < 100; i++) {
            const sc_vec3 p = i % 2 ? amid_crossings(&o) : some_place(&o.c, 0.1);
            const sc_box left = sc_box_around(p, test_uniform(0, 0.03));
            const sc_box within = sc_box_grown(&left, proof.limit);
            for (size_t k = 0; k < o.regions.count; k++) {
                ask_for(&o, k, proof.limit, INFINITY);
            }
            uint32_t parent = 0;
            const sc_regional_left one = {&left, &parent, 1};
            CHECK(sc_regional_close(&proof, &one), "memory");
            for (size_t k = 0; k < o.regions.count; k++) {
                const sc_erosion_region *r = &o.region[k];
                const bool expected = is_near(&o, &within, (uint32_t)k);
                const bool meets = sc_boxes_meet(&within, &r->bounds);
                CHECK(r->open ? meets : !(expected && meets), "round %d: region %zu, open is %d",
                      round, k, r->open);
                near += expected && meets;
                told += !expected && meets && !r->open;
            }
            forget(&o);
        }
        end(&o);
    }
    CHECK(TEST_DIVISOR > 1 || (near > 0 && told > 0), "%d near, %d not but for their bounds", near,
          told);
}

/* One for each set, but for one in the box around another; and what was left before stays, if that
 * was less. */
TEST(what_is_left_is_told_set_by_set)
{
    sc_erosion_region region = unit_region(0.125);
    sc_erosion_regions regions = {&region, 1, NULL};
    const double limit = 0.0625;
    const sc_box around = {{0.5, 0.5, 0.5}, {0.75, 0.75, 0.75}};
    const sc_box left[4] = {{{0, 0, 0}, {0.125, 0.125, 0.125}},
                            {{0.5, 0.5, 0.5}, {0.75, 0.75, 0.53125}},
                            {{0.5, 0.5, 0.53125}, {0.53125, 0.53125, 0.75}},
                            {{0.625, 0.625, 0.625}, {0.6875, 0.6875, 0.6875}}};
    close_by(&regions, limit, left, 4);
    CHECK(region.open && region.boxes == 2, "left in %zu", region.boxes);
    const sc_box expected = sc_box_grown(&around, limit);
    CHECK(sc_box_inside(&expected, &region.left[1]) && sc_regional_is_little(&region) &&
              sc_regional_boxes(&regions) == 2,
          "not around both");
    const sc_box all = {{0, 0, 0}, {1, 1, 1}};
    close_by(&regions, limit, &all, 1);
    CHECK(region.open && region.boxes == 2, "left in %zu", region.boxes);
    close_by(&regions, limit, left, 1);
    CHECK(region.open && region.boxes == 1, "left in %zu", region.boxes);
    close_by(&regions, limit, NULL, 0);
    CHECK(!region.open && sc_regional_boxes(&regions) == 0, "nothing is left");
    sc_free(region.left);
    region = unit_region(0x1p-6);
    close_by(&regions, limit, &all, 1);
    CHECK(!sc_regional_is_little(&region) && sc_regional_boxes(&regions) == SIZE_MAX, "all of it");
    sc_free(region.left);
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
            sc_erosion_regions regions = {region, 2, NULL};
            const sc_erosion_proof proof = {
                .solid = {&c.solid[0], &c.solid[1]}, .limit = 0.25, .regions = &regions};
            sc_erosion eroded;
            bool possible, all = false;
            region[0].open = open;
            CHECK(sc_erosion_make(&c.part[0], NULL, NULL, NULL, &eroded, &possible) && possible &&
                      sc_regional_share(&proof, 0, &eroded, &all) && all,
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

/* ---- what is not to be had --------------------------------------------------------- */

/* Nothing is shown then that was not, and nothing is lost. */
TEST(regions_where_each_allocation_fails_once)
{
    for (int round = 0; round < 2; round++) {
        bool settled = false;
        overlapping o;
        set_slats(&o);
        for (unsigned long n = 1; n < 10000 && !settled; n += TEST_DIVISOR > 1 ? 8 : 1) {
            sc_erosion_proof proof = {.solid = {&o.c.solid[0], &o.c.solid[1]},
                                      .regions = &o.regions};
            for (size_t k = 0; k < o.regions.count; k++) {
                ask_for(&o, k, round ? 0.6 : 0.2, INFINITY);
                proof.limit = o.region[k].limit;
            }
            sc_alloc_fail_at(n);
            settled = sc_erosion_settles(&proof);
            const unsigned long made = sc_alloc_fail_at(0);
            CHECK(settled == (made < n), "allocation %lu of %lu", n, made);
            for (size_t k = 0; k < o.regions.count && round == 0; k++) {
                CHECK(o.region[k].open, "region %zu is shown to be shallow", k);
            }
            forget(&o);
        }
        CHECK(settled, "too many");
        end(&o);
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
