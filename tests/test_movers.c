/* test_movers.c - assemblies whose parts move, against a sweep of every pair by itself; and
 * the boxes around all that a part sweeps out. */
#include "ask.h"
#include "base/alloc.h"
#include "mesh.h"
#include "motion/mover.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- some parts, some of which move --------------------------------------- */

enum { MOST_PARTS = 8, SHAPES = 3, LEGS = 2 };

/* Parts that move along with the `group` keep to each other. */
typedef enum moves { RESTS, STRAIGHT, SCREW, GROUP, PATHS, MOVES } moves;

typedef struct movers {
    stl_image image[SHAPES], end_image[SHAPES];
    stlclash_mesh *mesh[SHAPES], *end[SHAPES];
    double placement[MOST_PARTS][16], legs[MOST_PARTS][LEGS][16], group[LEGS][16];
    moves moves[MOST_PARTS];
    stlclash_motion motion[MOST_PARTS];
    stlclash_part parts[MOST_PARTS];
    size_t count;
} movers;

static void make_motion(movers *m, size_t i)
{
    stlclash_motion *motion = &m->motion[i];
    *motion = (stlclash_motion){.tolerance = test_below(2) ? 1e-3 : 0.0};
    switch (m->moves[i]) {
    case RESTS:
    case MOVES: return;
    case STRAIGHT:
        motion->kind = STLCLASH_STRAIGHT;
        for (int k = 0; k < 3; k++) {
            motion->way[0][k] = test_below(2) ? test_uniform(-3, 3) : test_below(3) - 1;
        }
        break;
    case SCREW:
    case GROUP:
        motion->kind = STLCLASH_SCREW;
        for (int k = 0; k < LEGS; k++) {
            if (m->moves[i] == GROUP) {
                ask_product(m->group[k], m->placement[i], m->legs[i][k]);
            } else {
                ask_placement(m->legs[i][k], 4.0);
            }
        }
        motion->placements = (const double(*)[16])m->legs[i];
        motion->placement_count = LEGS;
        break;
    case PATHS:
        motion->kind = STLCLASH_VERTEX_PATHS;
        motion->end = m->end[i % SHAPES];
        break;
    }
    m->parts[i].motion = motion;
}

static void movers_make(movers *m)
{
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    *m = (movers){.count = (size_t)(2 + test_below(MOST_PARTS - 1))};
    for (int i = 0; i < SHAPES; i++) {
        m->image[i] = i == 0   ? make_box(low, high, 1)
                      : i == 1 ? make_l_prism(1)
                               : make_sphere(0.5, 2);
        m->end_image[i] = i == 0   ? make_box(low, high, 1)
                          : i == 1 ? make_l_prism(1)
                                   : make_sphere(0.5, 2);
        image_scale(&m->end_image[i], test_uniform(0.5, 2));
        image_move(&m->end_image[i], test_uniform(-2, 2), test_uniform(-2, 2), 0);
        m->mesh[i] = ask_mesh(&m->image[i]);
        m->end[i] = ask_mesh(&m->end_image[i]);
    }
    for (int k = 0; k < LEGS; k++) {
        ask_placement(m->group[k], 3.0);
    }
    for (size_t i = 0; i < m->count; i++) {
        ask_placement(m->placement[i], 6.0);
        m->parts[i] = (stlclash_part){.mesh = m->mesh[i % SHAPES], .placement = m->placement[i]};
        m->moves[i] = test_below(2) ? RESTS : (moves)test_below(MOVES);
        make_motion(m, i);
    }
}

static void movers_free(movers *m)
{
    for (int i = 0; i < SHAPES; i++) {
        stlclash_mesh_free(m->mesh[i]);
        stlclash_mesh_free(m->end[i]);
        image_free(&m->image[i]);
        image_free(&m->end_image[i]);
    }
}

/* ---- a pair by itself ------------------------------------------------------ */

typedef struct verdict {
    bool supported;
    stlclash_status status;
    bool pass, moves;
    double time, distance; /* of contact or closest approach; 0 where there is none */
} verdict;

static verdict verdict_of(stlclash_result *result, stlclash_sweep_result *sweep)
{
    verdict v = {.supported = true, .moves = sweep != NULL};
    if (sweep) {
        const stlclash_moment *moment = sweep->has_contact ? &sweep->contact : &sweep->approach;
        v.status = sweep->status;
        v.pass = sweep->pass;
        v.time = moment->time;
        v.distance = moment->separation.distance;
        stlclash_sweep_result_free(sweep);
    } else if (result) {
        v.status = result->status;
        v.pass = result->pass;
        v.distance = result->separation.distance;
        stlclash_result_free(result);
    } else {
        v.supported = false;
    }
    return v;
}

static verdict expected(const movers *m, size_t a, size_t b, stlclash_options options)
{
    moves x = m->moves[a], y = m->moves[b];
    stlclash_motion motion = x != RESTS ? m->motion[a] : m->motion[b];
    stlclash_result *result = NULL;
    stlclash_sweep_result *sweep = NULL;
    stlclash_error error;
    bool straight = (x == RESTS || x == STRAIGHT) && (y == RESTS || y == STRAIGHT);
    bool rest = (x == RESTS && y == RESTS) || (x == GROUP && y == GROUP);

    const bool each = !straight && !rest && x != RESTS && y != RESTS;
    options.placement[0] = m->placement[a];
    options.placement[1] = m->placement[b];
    motion.moves = x != RESTS ? STLCLASH_A : STLCLASH_B;
    for (int k = 0; k < 3; k++) {
        motion.way[0][k] = x == STRAIGHT ? m->motion[a].way[0][k] : 0.0;
        motion.way[1][k] = y == STRAIGHT ? m->motion[b].way[0][k] : 0.0;
    }
    if (each) {
        const double p = m->motion[a].tolerance, q = m->motion[b].tolerance;
        motion = (stlclash_motion){.kind = STLCLASH_INDEPENDENT,
                                   .each = {&m->motion[a], &m->motion[b]},
                                   .tolerance = fmax(p, q)}; /* the same, or none */
    }
    const stlclash_mesh *p = m->mesh[a % SHAPES], *q = m->mesh[b % SHAPES];
    stlclash_code code = rest ? stlclash_check(p, q, &options, &result, &error)
                              : stlclash_sweep(p, q, &options, &motion, &sweep, &error);
    CHECK(code == STLCLASH_OK, "%s", error.text);
    return verdict_of(result, sweep);
}

/* ---- the assembly ----------------------------------------------------------- */

typedef struct came {
    stlclash_options options;
    verdict verdict[MOST_PARTS][MOST_PARTS];
    double box_distance[MOST_PARTS][MOST_PARTS];
    bool by_boxes[MOST_PARTS][MOST_PARTS], delivered[MOST_PARTS][MOST_PARTS];
    int count;
} came;

static const stlclash_options *ask(void *context, size_t a, size_t b)
{
    (void)a;
    (void)b;
    return &((came *)context)->options;
}

static bool take(void *context, const stlclash_pair *pair)
{
    came *c = context;
    CHECK(!pair->sweep || pair->result == pair->sweep->start, "a sweep with another start");
    CHECK(!pair->error.code == (pair->result != NULL), "neither a result nor an error");
    c->verdict[pair->a][pair->b] = verdict_of(pair->result, pair->sweep);
    c->box_distance[pair->a][pair->b] = pair->box_distance;
    c->by_boxes[pair->a][pair->b] = pair->clear_by_boxes;
    c->delivered[pair->a][pair->b] = true;
    c->count++;
    return true;
}

static void run(const movers *m, stlclash_far far, int threads, came *c)
{
    stlclash_assembly *assembly;
    stlclash_error error;
    stlclash_assembly_options o = {.options = ask,
                                   .reach = c->options.clearance,
                                   .pair = take,
                                   .context = c,
                                   .far = far,
                                   .threads = threads};
    if (stlclash_assembly_open(m->parts, m->count, 0, threads, &assembly, &error) ||
        stlclash_assembly_check(assembly, &o, &error)) {
        test_failed(__FILE__, __LINE__, "%s", error.text);
        return;
    }
    for (size_t i = 0; i < m->count; i++) {
        const stlclash_part_info *info = stlclash_assembly_get_part(assembly, i);
        CHECK(info->error.code == STLCLASH_OK, "%s", info->error.text);
    }
    stlclash_assembly_free(assembly);
}

static bool same_verdict(const verdict *x, const verdict *y)
{
    return x->supported == y->supported && x->moves == y->moves && x->status == y->status &&
           x->pass == y->pass && x->time == y->time && x->distance == y->distance;
}

static void check_pair(const movers *m, size_t a, size_t b, const came *all, const came *near,
                       int *counts)
{
    verdict right = expected(m, a, b, all->options);
    const verdict *got = &all->verdict[a][b], *culled = &near->verdict[a][b];

    CHECK(all->delivered[a][b] && same_verdict(got, &right),
          "parts %zu and %zu, which move in ways %d and %d: %s (%g, %g), and by themselves %s "
          "(%g, %g)",
          a, b, m->moves[a], m->moves[b], stlclash_status_text(got->status), got->time,
          got->distance, stlclash_status_text(right.status), right.time, right.distance);
    counts[right.status]++;
    if (near->by_boxes[a][b]) {
        CHECK(culled->status == STLCLASH_CLEAR, "boxes do not show %zu and %zu to be clear", a, b);
        counts[STLCLASH_CLEAR + 1]++;
        CHECK(right.status == STLCLASH_CLEAR, "boxes show %zu and %zu to be clear, which are %s", a,
              b, stlclash_status_text(right.status));
        CHECK(near->box_distance[a][b] <= right.distance,
              "boxes of %zu and %zu are %g apart, the parts %g", a, b, near->box_distance[a][b],
              right.distance);
    } else {
        CHECK(same_verdict(got, culled), "%zu and %zu differ with boxes looked at", a, b);
    }
}

TEST(pairs_of_moving_parts_are_those_of_sweeps)
{
    int counts[STLCLASH_CLEAR + 2] = {0}, rounds = test_rounds(40);
    for (int i = 0; i < rounds; i++) {
        movers m;
        movers_make(&m);
        came all = {.options = stlclash_options_default()};
        all.options.clearance = test_below(2) ? 0.25 : 0.0;
        all.options.no_overlap = true;
        came near = all, counted = all;
        run(&m, STLCLASH_FAR_CHECK, 1, &all);
        run(&m, STLCLASH_FAR_LIST, 3, &near);
        run(&m, STLCLASH_FAR_COUNT, 2, &counted);
        for (size_t a = 0; a < m.count; a++) {
            for (size_t b = a + 1; b < m.count; b++) {
                check_pair(&m, a, b, &all, &near, counts);
                CHECK(counted.delivered[a][b] == !near.by_boxes[a][b],
                      "%zu and %zu are %sdelivered", a, b, counted.delivered[a][b] ? "" : "not ");
            }
        }
        movers_free(&m);
    }
    for (int i = STLCLASH_CLASH; i <= STLCLASH_CLEAR + 1; i++) {
        CHECK(rounds < 40 || i == STLCLASH_CONTACT || counts[i] > 0, "nothing of kind %d", i);
    }
}

/* ---- swept boxes ------------------------------------------------------------- */

/* Where a vertex is at time t of a leg, from the screw as users see it. */
static void on_screw(const stlclash_screw *s, const double from[16], const float v[3], double t,
                     double out[3])
{
    double p[3], dot = 0.0, c = cos(t * s->angle), q = sin(t * s->angle);
    const double *k = s->direction;
    for (int i = 0; i < 3; i++) {
        p[i] = from[4 * i] * (double)v[0] + from[4 * i + 1] * (double)v[1] +
               from[4 * i + 2] * (double)v[2] + from[4 * i + 3] - s->point[i];
        dot += k[i] * p[i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, l = (i + 2) % 3;
        out[i] = p[i] * c + (k[j] * p[l] - k[l] * p[j]) * q + k[i] * dot * (1.0 - c) + s->point[i] +
                 t * s->shift * k[i];
    }
}

static void check_in_box(const sc_box *box, const double p[3], double slack)
{
    for (int k = 0; k < 3; k++) {
        CHECK(p[k] >= box->low[k] - slack && p[k] <= box->high[k] + slack,
              "a vertex comes to %.17g, out of %.17g .. %.17g", p[k], box->low[k], box->high[k]);
    }
}

static void check_leg(const stl_image *image, const stlclash_mesh *mesh, const stlclash_part *part,
                      const sc_box *swept)
{
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = *part->motion;
    stlclash_sweep_result *r;
    stlclash_error error;
    double far_away[16];

    memcpy(far_away, ask_identity, sizeof ask_identity); /* another part, for the screws */
    far_away[3] = 1e5;
    motion.moves = STLCLASH_A;
    options.quick = true;
    options.placement[0] = part->placement;
    options.placement[1] = far_away;
    if (stlclash_sweep(mesh, mesh, &options, &motion, &r, &error) != STLCLASH_OK) {
        test_failed(__FILE__, __LINE__, "%s", error.text);
        return;
    }
    const double *from = part->placement;
    for (size_t leg = 0; leg < r->screw_count; leg++) {
        for (int i = 0; i < 400; i++) {
            shape_facet f = image_get(image, (size_t)test_below((int)image_facets(image)));
            double p[3];
            on_screw(&r->screws[leg], from, f.corner[test_below(3)], test_uniform(0, 1), p);
            check_in_box(swept, p, 1e-12);
        }
        from = motion.placements[leg];
    }
    stlclash_sweep_result_free(r);
}

TEST(swept_boxes_hold_all_places_on_the_way)
{
    for (int i = 0; i < test_rounds(100); i++) {
        movers m;
        movers_make(&m);
        for (size_t k = 0; k < m.count; k++) {
            sc_mover mover = {m.parts[k].motion, m.parts[k].placement, 1.0};
            stlclash_error error;
            sc_part part;
            sc_box swept;
            if (sc_part_place(m.parts[k].mesh, mover.placement, "it", &part, &error) ||
                sc_mover_sweep(&mover, &part, "it", &swept, &error)) {
                test_failed(__FILE__, __LINE__, "%s", error.text);
                break;
            }
            CHECK(sc_box_inside(&part.bounds, &swept), "the start is left out");
            if (m.moves[k] == SCREW || m.moves[k] == GROUP) {
                check_leg(&m.image[k % SHAPES], m.mesh[k % SHAPES], &m.parts[k], &swept);
                for (int j = 0; j < 3; j++) { /* and are not all of space */
                    CHECK(swept.high[j] - swept.low[j] < 60.0, "a box of %g",
                          swept.high[j] - swept.low[j]);
                }
            }
        }
        movers_free(&m);
    }
}

TEST(wrong_motions_of_parts_are_told)
{
    static const double no_turn[1][16] = {{2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    stl_image images[2] = {make_box(low, high, 1), make_box(low, high, 2)};
    stlclash_mesh *mesh[2] = {ask_mesh(&images[0]), ask_mesh(&images[1])};
    stlclash_motion wrong[] = {
        {.kind = STLCLASH_STRAIGHT, .way = {{0, NAN, 0}}},
        {.kind = STLCLASH_STRAIGHT, .way = {{0, 0x1p190, 0}}},
        {.kind = STLCLASH_SCREW},
        {.kind = STLCLASH_SCREW, .placements = no_turn, .placement_count = 1},
        {.kind = STLCLASH_VERTEX_PATHS},
        {.kind = STLCLASH_VERTEX_PATHS, .end = mesh[1]},
        {.kind = STLCLASH_STRAIGHT, .tolerance = -1.0},
        {.kind = (stlclash_motion_kind)7},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        stlclash_part parts[2] = {{.mesh = mesh[0]}, {.mesh = mesh[0], .motion = &wrong[i]}};
        stlclash_assembly *assembly;
        stlclash_error error;
        came c = {.options = stlclash_options_default()};
        stlclash_assembly_options o = {.options = ask, .pair = take, .context = &c};
        CHECK(stlclash_assembly_open(parts, 2, 0, 1, &assembly, &error) == STLCLASH_OK, "%s",
              error.text);
        const stlclash_part_info *info = stlclash_assembly_get_part(assembly, 1);
        CHECK(info->error.code != STLCLASH_OK && info->motion_wrong, "motion %zu is taken", i);
        CHECK(stlclash_assembly_check(assembly, &o, &error) == STLCLASH_OK, "%s", error.text);
        CHECK(c.count == 1 && !c.verdict[0][1].supported, "a pair with motion %zu is judged", i);
        stlclash_assembly_free(assembly);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&images[i]);
    }
}

TEST(moving_assemblies_survive_failed_allocations)
{
    movers m;
    int failures = 0;
    do {
        movers_make(&m);
    } while (m.count < 4 && (movers_free(&m), true));
    for (size_t i = 0; i < m.count; i++) {
        m.moves[i] = (moves)(i % MOVES);
        m.parts[i].motion = NULL;
        make_motion(&m, i);
    }
    for (unsigned long n = 1, done = 0; !done && n < 1000000; n += n < 60 ? 1 : n / 10) {
        stlclash_assembly *assembly = NULL;
        stlclash_error error;
        came c = {.options = stlclash_options_default()};
        stlclash_assembly_options o = {
            .options = ask, .pair = take, .context = &c, .far = STLCLASH_FAR_CHECK, .threads = 1};
        c.options.quick = true;
        sc_alloc_fail_at(n);
        stlclash_code code = stlclash_assembly_open(m.parts, m.count, 0, 1, &assembly, &error);
        if (code == STLCLASH_OK) {
            code = stlclash_assembly_check(assembly, &o, &error);
        }
        stlclash_assembly_free(assembly);
        CHECK(code == STLCLASH_OK || code == STLCLASH_E_MEMORY, "code %d", code);
        failures += code != STLCLASH_OK;
        done = sc_alloc_fail_at(0) < n;
    }
    CHECK(failures > 10, "only %d failures", failures);
    movers_free(&m);
}

/* An end of the same attitude is a straight way; another attitude, or one leg more, is not. */
TEST(movers_that_shift_to_an_end_go_straight)
{
    const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

    for (int n = test_rounds(100); n > 0; n--) {
        double start[2][16], end[2][16], shifted[16], way[2][3];
        stlclash_motion motion[2], relative;
        sc_mover mover[2];
        for (int i = 0; i < 2; i++) {
            ask_placement(start[i], 3);
            if (test_below(3) == 0) {
                memcpy(start[i], identity, sizeof identity);
            }
            for (int k = 0; k < 16; k++) {
                end[i][k] = start[i][k] == 0.0 && k < 12 ? -0.0 : start[i][k];
            }
            for (int k = 0; k < 3; k++) {
                way[i][k] = test_below(9) - 4;
                end[i][4 * k + 3] += way[i][k];
                way[i][k] = end[i][4 * k + 3] - start[i][4 * k + 3];
            }
            motion[i] = (stlclash_motion){.kind = STLCLASH_SCREW,
                                          .placements = (const double(*)[16])end[i],
                                          .placement_count = 1};
            bool none = memcmp(start[i], identity, sizeof identity) == 0;
            mover[i] = (sc_mover){&motion[i], none ? NULL : start[i], 1.0};
        }
        if (n % 2) { /* against one that goes by a way; never the same as that of the other */
            way[1][0] = way[0][0] + 1;
            motion[1] = (stlclash_motion){.kind = STLCLASH_STRAIGHT};
            memcpy(motion[1].way[0], way[1], sizeof way[1]);
        } else {
            end[1][3] += 16;
            way[1][0] = end[1][3] - start[1][3];
        }
        CHECK(sc_movers_relate(&mover[0], &mover[1], &relative), "at rest");
        CHECK(relative.kind == STLCLASH_STRAIGHT && memcmp(relative.way, way, sizeof way) == 0,
              "another way");
        memcpy(shifted, end[0], sizeof shifted);
        end[0][1] = nextafter(end[0][1], 2);
        CHECK(sc_movers_relate(&mover[0], &mover[1], &relative) &&
                  relative.kind == STLCLASH_INDEPENDENT,
              "not by themselves");
        const double legs[2][16] = {{shifted[0], shifted[1], shifted[2], shifted[3], shifted[4],
                                     shifted[5], shifted[6], shifted[7], shifted[8], shifted[9],
                                     shifted[10], shifted[11], 0, 0, 0, 1},
                                    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
        motion[0].placements = legs;
        motion[0].placement_count = 2;
        CHECK(sc_movers_relate(&mover[0], &mover[1], &relative) &&
                  relative.kind == STLCLASH_INDEPENDENT,
              "not by themselves");
    }
}

/* Leg by leg, and but for rounding. */
TEST(movers_keep_together_only_on_the_same_screws)
{
    double legs[2][2][16], start[2][16], between[16];
    stlclash_motion motion[2], relative;
    sc_mover mover[2];

    ask_placement(start[0], 3);
    ask_placement(between, 3);
    ask_placement(legs[0][0], 3);
    ask_placement(legs[0][1], 3);
    ask_product(start[0], between, start[1]);
    ask_product(legs[0][0], between, legs[1][0]);
    for (int change = 0; change < 5; change++) {
        ask_product(legs[0][1], between, legs[1][1]);
        for (int i = 0; i < 2; i++) {
            motion[i] = (stlclash_motion){.kind = STLCLASH_SCREW,
                                          .placements = (const double(*)[16])legs[i],
                                          .placement_count = change == 1 + i ? 1 : 2};
            mover[i] = (sc_mover){&motion[i], start[i], 1.0};
        }
        if (change > 2) { /* of a turn, or of the place */
            legs[1][1][change == 3 ? 1 : 3] += 1e-6;
        }
        CHECK(sc_movers_relate(&mover[0], &mover[1], &relative) == (change != 0), "change %d",
              change);
        CHECK(sc_movers_relate(&mover[1], &mover[0], &relative) == (change != 0), "change %d",
              change);
    }
}

/* Tiny parts that come to each other do not count as if they kept together. */
TEST(movers_keep_together_in_any_units)
{
    for (int exponent = -120; exponent <= 120; exponent += 20) {
        const double unit = ldexp(1, exponent);
        for (int apart = 0; apart < 2; apart++) {
            double ends[2][1][16];
            stlclash_motion motion[2], relative;
            sc_mover mover[2];
            for (int i = 0; i < 2; i++) {
                memcpy(ends[i][0], ask_identity, sizeof ends[i][0]);
                ends[i][0][3] = i == 0 ? 4 * unit : 4 * unit + apart * 0x1p-20 * unit;
                motion[i] = (stlclash_motion){.kind = STLCLASH_SCREW,
                                              .placements = (const double(*)[16])ends[i],
                                              .placement_count = 1};
                mover[i] = (sc_mover){&motion[i], NULL, unit};
            }
            CHECK(sc_movers_relate(&mover[0], &mover[1], &relative) == (apart != 0),
                  "unit 2^%d, apart: %d", exponent, apart);
        }
    }
}
