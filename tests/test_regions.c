/* test_regions.c - of which region of an overlap points, facets and cells are: against regions
 * that are boxes. */
#include "ask.h"
#include "depth/depth_region.h"
#include "measured.h"
#include "oracle_solid.h"
#include "overlap/overlap_holes.h"
#include "overlap/region_times.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

/* Columns that stand in a block and out of its top; but the second is all in it, wall to wall with
 * the first. In half of the settings these slip into each other by little, the last two as well:
 * regions of their own all the same. In half of them all lean along x. */
enum { COLUMNS = 4 };

typedef struct setting {
    stl_image image[2];
    measured m;
    sc_surface surface[2];
    sc_box box[COLUMNS];              /* of the region of each, if it stood upright */
    uint32_t region[COLUMNS], facets; /* a column */
    double slip, lean;                /* of a column along x, for each unit below the top */
} setting;

static const double top = 10;

static sc_vec3 leant(const setting *s, sc_vec3 p)
{
    return (sc_vec3){p.x + s->lean * (top - p.z), p.y, p.z};
}

static bool holds_point(const setting *s, int column, sc_vec3 p)
{
    const sc_vec3 upright = {p.x - s->lean * (top - p.z), p.y, p.z};
    return sc_box_holds(&s->box[column], upright);
}

static sc_box bounds_of(const setting *s, int column)
{
    sc_box bounds = sc_box_empty();
    for (int i = 0; i < 8; i++) {
        sc_box_add_point(&bounds, leant(s, sc_box_corner(&s->box[column], i)));
    }
    return bounds;
}

static sc_vec3 point_in(const setting *s, int column)
{
    return leant(s, ask_point(&s->box[column]));
}

/* Between multiples of 1/8, which floats are. */
static double eighths(double low, double high)
{
    return floor(8 * test_uniform(low, high)) / 8;
}

static stl_image columns(setting *s, uint32_t cells)
{
    const double wall = eighths(2.5, 3.5), at = eighths(1, 2);
    const double y = at + 1.0 / 32; /* no corner is in common */
    sc_box bases[COLUMNS] = {
        {{eighths(0.5, 1.5), at, eighths(2, 9)}, {wall, at + eighths(2, 3), 0}},
        {{wall - s->slip, y + eighths(0.25, 1), eighths(2, 9)},
         {wall + eighths(0.5, 2), y + 1.75, 0}},
        {{eighths(6, 7), eighths(0.5, 2), eighths(2, 9)}, {eighths(7.5, 9), eighths(2.5, 9), 0}},
        {{eighths(1, 4), eighths(6, 7), eighths(2, 9)}, {eighths(4.5, 5.5), eighths(7.5, 9), 0}}};
    if (s->slip > 0.0) {
        bases[3].high[0] = bases[2].low[0] + s->slip;
    }
    stl_image all = make_facets(NULL, 0);
    for (int i = 0; i < COLUMNS; i++) {
        sc_box box = bases[i];
        box.high[2] = i == 1 ? eighths(9.25, 9.75) : top + 1;
        all = image_joined(all, make_box(box.low, box.high, cells));
        box.high[2] = fmin(box.high[2], top);
        s->box[i] = box;
    }
    s->facets = 12 * cells * cells;
    for (size_t i = 0; i < image_facets(&all); i++) {
        shape_facet f = image_get(&all, i);
        for (int k = 0; k < 3; k++) {
            f.corner[k][0] += (float)(s->lean * (top - f.corner[k][2])); /* exact */
        }
        image_set(&all, i, &f);
    }
    return all;
}

static void free_setting(setting *s)
{
    measured_free(&s->m);
    image_free(&s->image[0]);
    image_free(&s->image[1]);
}

static void try_setting(setting *s)
{
    *s = (setting){.slip = test_below(2) ? 1.0 / 64 : 0.0,
                   .lean = test_below(2) ? (test_below(3) - 1) / 32.0 : 0.0};
    s->image[0] =
        make_box((double[]){0, 0, 0}, (double[]){10, 10, top}, 1 + (uint32_t)test_below(3));
    s->image[1] = columns(s, 1 + (uint32_t)test_below(2));
    measured_make(&s->m, &s->image[0], &s->image[1]);
}

/* Where an edge of the block's top passes from one column into another, these are one region. */
static void make_setting(setting *s)
{
    for (try_setting(s); s->m.overlap.region_count < COLUMNS && s->slip > 0.0; try_setting(s)) {
        free_setting(s);
    }
    CHECK_INT(s->m.overlap.region_count, COLUMNS);
    CHECK((s->m.regions.times != NULL) == (s->slip > 0.0), "slip %g", s->slip);
    for (int i = 0; i < COLUMNS; i++) {
        const sc_box expected = bounds_of(s, i);
        int found = 0;
        for (uint32_t k = 0; k < s->m.overlap.region_count; k++) {
            const sc_box *bounds = &s->m.overlap.regions[k].bounds;
            const sc_box grown = sc_box_grown(&expected, 1e-9);
            const sc_box shrunk = sc_box_grown(&expected, -1e-9);
            if (sc_box_inside(bounds, &grown) && sc_box_inside(&shrunk, bounds)) {
                s->region[i] = k;
                found++;
            }
        }
        CHECK_INT(found, 1);
        s->surface[i % 2] =
            (sc_surface){.solid = &s->m.b.solid[i % 2], .margin = 12 * SC_SURFACE_MARGIN};
    }
}

static sc_depth_request ask_about(setting *s, int column)
{
    return (sc_depth_request){.solid = {&s->m.b.solid[0], &s->m.b.solid[1]},
                              .within = bounds_of(s, column),
                              .regions = &s->m.regions,
                              .region = s->region[column],
                              .relative_error = 0.01};
}

static sc_vec3 some_way(void)
{
    sc_vec3 way = {0.0, 0.0, 0.0};
    while (!(sc_length(way) > 0.1 && sc_length(way) < 1.0)) {
        way = (sc_vec3){test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
    }
    return sc_unit(way);
}

static double some_radius(void)
{
    return 0.02 * pow(200.0, test_uniform(0, 1));
}

TEST(points_are_of_the_region_that_they_lie_in)
{
    for (int round = test_rounds(20); round > 0; round--) {
        setting s;
        make_setting(&s);
        for (int i = 0; i < 40 * COLUMNS; i++) {
            const int own = i % COLUMNS;
            const sc_vec3 p = point_in(&s, own);
            for (int k = 0; k < COLUMNS; k++) {
                sc_depth_request request = ask_about(&s, k);
                bool holds = sc_depth_region_holds(&request, s.surface, p);
                bool surely = sc_depth_region_surely_holds(&request, s.surface, p);
                bool is_in = holds_point(&s, k, p);
                CHECK(holds == is_in && (surely == holds || (is_in && s.slip > 0.0)),
                      "in column %d (%g %g %g), asked for %d: %d, surely %d", own, p.x, p.y, p.z, k,
                      holds, surely);
            }
        }
        free_setting(&s);
    }
}

/* The depth of all, known to within its error, is that of the region that it lies in; but not where
 * it leaves a threshold open, which the region itself may tell. */
TEST(a_depth_that_leaves_a_threshold_open_does_not_answer_for_its_region)
{
    for (int round = test_rounds(10); round > 0; round--) {
        setting s;
        make_setting(&s);
        const int own = test_below(COLUMNS);
        sc_depth_request request = ask_about(&s, own);
        sc_depth exact, told;
        request.relative_error = 1e-4;
        request.threshold = -1.0;
        request.budget = 1000000;
        CHECK(sc_depth_find(&request, &exact) && exact.complete && exact.depth > 0.0, "column %d",
              own);
        sc_depth all = exact;
        all.bound = 1.01 * exact.depth;
        request.all = &all;
        request.threshold = 1.005 * exact.depth;
        CHECK(sc_depth_find(&request, &told) && told.bound <= request.threshold,
              "column %d: %.17g deep, bound %.17g", own, told.depth, told.bound);
        request.threshold = 1.02 * exact.depth;
        CHECK(sc_depth_find(&request, &told) && told.bound == all.bound, "column %d: looked again",
              own);
        free_setting(&s);
    }
}

/* Each segment once; the second column ends inside, and crosses nothing. */
TEST(segments_are_of_the_region_whose_column_they_go_around)
{
    for (int round = test_rounds(20); round > 0; round--) {
        setting s;
        make_setting(&s);
        size_t sum = 0;
        for (int k = 0; k < COLUMNS; k++) {
            const size_t count = sc_regions_segments(&s.m.regions, s.region[k]);
            sum += count;
            CHECK((count >= 4) == (k != 1), "%zu segments around column %d", count, k);
            for (size_t i = 0; i < count; i++) {
                uint32_t facet[2];
                sc_regions_segment(&s.m.regions, s.region[k], i, facet);
                CHECK_INT(facet[1] / s.facets, k);
            }
        }
        CHECK_INT(sum, s.m.regions.on[0].count);
        free_setting(&s);
    }
}

/* A cell that is said to lack a region holds none of it. */
TEST(cells_that_lack_a_region_hold_none_of_it)
{
    int lacking = 0;
    for (int round = test_rounds(20); round > 0; round--) {
        setting s;
        make_setting(&s);
        for (int i = 0; i < 400; i++) {
            const int column = test_below(COLUMNS);
            const sc_vec3 c = point_in(&s, test_below(COLUMNS));
            const double radius = some_radius();
            const uint32_t hint[2] = {UINT32_MAX, UINT32_MAX};
            sc_depth_request request = ask_about(&s, column);
            bool lacks = sc_depth_region_lacks_cell(&request, s.surface, hint, c, radius);
            lacking += lacks;
            for (int k = 0; k < 30 && lacks; k++) {
                const sc_vec3 p = sc_mul_add(c, test_uniform(0, radius), some_way());
                CHECK(!holds_point(&s, column, p), "%g %g %g of column %d, within %g", p.x, p.y,
                      p.z, column, radius);
            }
        }
        free_setting(&s);
    }
    CHECK(lacking > 100, "%d cells lack a region", lacking);
}

/* Whether a point of a facet is on the boundary of the region of a column, not on its border. */
static bool is_on_boundary(const setting *s, int part, uint32_t facet, sc_vec3 p, int column)
{
    const sc_box *box = &s->box[column];
    if (part == 1) {
        return facet / s->facets == (uint32_t)column && p.z < top - 1e-9;
    }
    return box->high[2] == top && p.z > top - 1e-9 && p.x > box->low[0] && p.x < box->high[0] &&
           p.y > box->low[1] && p.y < box->high[1];
}

static sc_vec3 point_on(const sc_vec3 v[3])
{
    double u = test_uniform(0, 1), w = test_uniform(0, 1 - u);
    return sc_mul_add(sc_mul_add(v[0], u, sc_sub(v[1], v[0])), w, sc_sub(v[2], v[0]));
}

/* Of a facet that is said to lack a region no point about is on its boundary. */
TEST(facets_that_lack_a_region_do_not_bound_it)
{
    int lacking = 0;
    for (int round = test_rounds(20); round > 0; round--) {
        setting s;
        make_setting(&s);
        for (int i = 0; i < 400; i++) {
            const int part = i % 2, column = test_below(COLUMNS);
            const uint32_t facet = (uint32_t)test_below((int)s.m.b.mesh[part]->file.facets.count);
            const double radius = some_radius();
            sc_depth_request request = ask_about(&s, column);
            sc_vec3 v[3];
            sc_solid_facet(&s.m.b.solid[part], facet, v);
            const sc_vec3 p = point_on(v);
            if (!sc_depth_region_lacks_facet(&request, part, facet, p, radius)) {
                continue;
            }
            lacking++;
            for (int k = 0; k < 30; k++) {
                const sc_vec3 q = point_on(v);
                CHECK(sc_length(sc_sub(q, p)) > radius ||
                          !is_on_boundary(&s, part, facet, q, column),
                      "facet %u of part %d: %g %g %g of column %d, within %g", facet, part, q.x,
                      q.y, q.z, column, radius);
            }
        }
        free_setting(&s);
    }
    CHECK(lacking > 100, "%d facets lack a region", lacking);
}

/* All that any point of a facet is on the boundary of, however few there is room for. */
TEST(facets_tell_which_regions_they_are_about)
{
    int found = 0;
    for (int round = 0; round < test_rounds(60); round++) {
        setting s;
        make_setting(&s);
        for (int i = 0; i < 40; i++) {
            enum { MOST = 64 };
            const int part = i % 2;
            const uint32_t facet = (uint32_t)test_below((int)s.m.b.mesh[part]->file.facets.count);
            uint32_t list[MOST], few[1];
            const size_t count = sc_regions_about(&s.m.regions, part, facet, list, MOST);
            const size_t of_few = sc_regions_about(&s.m.regions, part, facet, few, 1);
            CHECK(count <= MOST || s.m.regions.times, "%zu regions", count);
            CHECK(count > 1 ? of_few == 2 : of_few == count && (count == 0 || few[0] == list[0]),
                  "%zu, then %zu", count, of_few);
            for (int k = 0; k < 20 && count <= MOST; k++) {
                sc_vec3 v[3];
                sc_solid_facet(&s.m.b.solid[part], facet, v);
                const sc_vec3 p = point_on(v);
                for (int column = 0; column < COLUMNS; column++) {
                    bool listed = false;
                    for (size_t n = 0; n < count; n++) {
                        listed = listed || list[n] == s.region[column];
                    }
                    CHECK(listed || !is_on_boundary(&s, part, facet, p, column),
                          "facet %u of part %d, column %d", facet, part, column);
                    found += listed;
                }
            }
        }
        free_setting(&s);
    }
    CHECK(found > 0, "%d", found);
}

/* Also about where the last two columns slip into each other. */
static sc_vec3 point_about_top(const setting *s)
{
    sc_vec3 p = point_in(s, test_below(COLUMNS));
    p.z = top;
    if (test_below(2)) {
        p.x = s->box[2].low[0] + test_uniform(-0.01, 0.03);
    }
    return p;
}

/* The facet of the block that a point is on. */
static uint32_t facet_of_block(const setting *s, sc_vec3 p)
{
    uint32_t found = 0;
    double least = INFINITY;
    for (uint32_t i = 0; i < s->m.b.mesh[0]->file.facets.count; i++) {
        sc_vec3 v[3], on;
        sc_solid_facet(&s->m.b.solid[0], i, v);
        const double distance = sc_facet_distance(p, v, &on);
        found = distance < least ? i : found;
        least = fmin(least, distance);
    }
    return found;
}

/* Where columns slip into each other, facets bound the region of their own; and the block's top
 * those that a point is in, which may be two. */
TEST(facets_bound_regions_as_often_as_these_are_there)
{
    int clear = 0, unclear = 0, twice = 0;
    for (int round = test_rounds(40); round > 0; round--) {
        setting s;
        make_setting(&s);
        for (int i = 0; i < 400 && s.m.regions.times; i++) {
            const int part = i % 2;
            sc_vec3 p = point_about_top(&s), v[3];
            const uint32_t facet =
                part == 0 ? facet_of_block(&s, p) : (uint32_t)test_below(COLUMNS * (int)s.facets);
            sc_solid_facet(&s.m.b.solid[part], facet, v);
            p = part == 0 ? p : point_on(v);
            int sum = 0;
            for (int k = 0; k < COLUMNS; k++) {
                const int expected = is_on_boundary(&s, part, facet, p, k);
                int times;
                if (!sc_region_times_at(&s.m.regions.times[part], facet, p, 1e-9, s.region[k],
                                        &times)) {
                    unclear++;
                    continue;
                }
                clear++;
                sum += times;
                CHECK(times == expected, "%g %g %g of facet %u of part %d: %d times of column %d",
                      p.x, p.y, p.z, facet, part, times, k);
            }
            twice += sum == 2;
        }
        free_setting(&s);
    }
    CHECK((twice > 10 && unclear * 50 < clear) || TEST_DIVISOR > 1, "%d clear, %d not, %d twice",
          clear, unclear, twice);
}

/* ---- what bounds a region about a brick -------------------------------------- */

/* Along the axes or aslant, of any proportions. */
static sc_brick some_brick(sc_vec3 centre)
{
    const bool is_askew = test_below(2);
    const sc_vec3 z = is_askew ? some_way() : (sc_vec3){0, 0, 1};
    const sc_vec3 x = is_askew ? sc_unit(sc_cross(z, some_way())) : (sc_vec3){1, 0, 0};
    const sc_vec3 axis[3] = {x, sc_cross(z, x), z};
    sc_brick brick = {.centre = centre};
    for (int k = 0; k < 3; k++) {
        brick.arm[k] = sc_scale(axis[k], some_radius());
    }
    return brick;
}

/* No deeper in a part than is said, by the distances of points from all facets. */
TEST(regions_are_shallow_where_that_is_said)
{
    int shallow[2] = {0, 0};
    for (int round = test_rounds(40); round > 0; round--) {
        setting s;
        make_setting(&s);
        for (int i = 0; i < 300; i++) {
            const int column = test_below(COLUMNS), x = test_below(2);
            const sc_brick brick = some_brick(point_in(&s, column));
            const double limit = 2.0 * some_radius();
            sc_depth_request request = ask_about(&s, column);
            if (!sc_depth_region_is_shallow(&request, s.surface, x, &brick, limit)) {
                continue;
            }
            shallow[s.slip > 0.0]++;
            for (int n = 0; n < 60; n++) {
                sc_vec3 p = brick.centre;
                for (int k = 0; k < 3; k++) { /* corners and sides as well */
                    p = sc_mul_add(p, fmax(-1, fmin(1, test_uniform(-1.5, 1.5))), brick.arm[k]);
                }
                const double distance = oracle_distance(&s.image[x], (double[]){p.x, p.y, p.z});
                CHECK(!holds_point(&s, column, p) || distance <= limit * (1 + 1e-12),
                      "column %d, part %d: %g %g %g is %g deep, not %g", column, x, p.x, p.y, p.z,
                      distance, limit);
            }
        }
        free_setting(&s);
    }
    CHECK((shallow[0] > 100 && shallow[1] > 100) || TEST_DIVISOR > 1,
          "%d and %d bricks are shallow", shallow[0], shallow[1]);
}

/* ---- holes ------------------------------------------------------------------ */

/* Hollow cubes in a row, or side by side: each hole is in its own, however many there are; and one
 * that rounding took out of all of them in the nearest. */
TEST(holes_are_in_the_regions_around_them)
{
    static const int counts[] = {1, 5, 200};
    for (int n = 0; n < 6; n++) {
        const int solids = counts[n / 2];
        sc_watch watch = {.over = n % 2 != 0};
        sc_solid solid = {.watch = &watch};
        const sc_crossings crossings = {.solid = {&solid, &solid}};
        const sc_pieces pieces = {.of = NULL};
        sc_overlap_region *regions = calloc((size_t)solids * 2, sizeof *regions);
        size_t *holder = calloc((size_t)solids * 2, sizeof *holder);
        for (int i = 0; i < 2 * solids; i++) {
            const double at = 2.0 * (i % solids), in = i < solids ? 0.0 : 0.25;
            const double out = i == 2 * solids - 1 ? 0.25 + 1e-6 : 0.0;
            regions[i].volume = i < solids ? 1.0 : -0.125;
            regions[i].bounds = (sc_box){{0.0 + in - out, at + in, 0.0 + in},
                                         {1.0 - in - out, at + 1.0 - in, 1.0 - in}};
        }
        const bool good =
            sc_overlap_find_holders(&crossings, &pieces, regions, (size_t)solids * 2, holder);
        CHECK(good == !watch.over, "%d solids, time over: %d", solids, watch.over);
        for (int i = 0; i < 2 * solids && good; i++) {
            const size_t expected = i < solids ? SIZE_MAX : (size_t)(i - solids);
            CHECK(holder[i] == expected, "%d of %d: in %zu", i, solids, holder[i]);
        }
        free(regions);
        free(holder);
    }
}
