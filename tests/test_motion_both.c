/* test_motion_both.c - two parts that move each by itself, where it is known what happens: wheels
 * with teeth, a square that turns before a wall, turns about one axis; and how fast parts near each
 * other. */
#include "ask.h"
#include "motion/nearing.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* About the axis through (x, y) along z. */
static void turned_about_z(double angle, double x, double y, double out[16])
{
    const double c = cos(angle), s = sin(angle);
    const double turn[16] = {c, -s, 0, x, s, c, 0, y, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(out, turn, sizeof turn);
}

/* Two parts about the axes of their own, along z, from one angle to another in so many legs. */
enum { MOST_LEGS = 16 };
typedef struct turning {
    stlclash_motion motion;
    double start[16], legs[MOST_LEGS][16];
} turning;

static void turn_about_z(turning *t, double from, double to, double x, double y, int legs)
{
    turned_about_z(from, x, y, t->start);
    for (int i = 0; i < legs; i++) {
        turned_about_z(i + 1 < legs ? from + (to - from) * (i + 1) / legs : to, x, y, t->legs[i]);
    }
    t->motion = (stlclash_motion){.kind = STLCLASH_SCREW,
                                  .placements = (const double(*)[16])t->legs,
                                  .placement_count = (size_t)legs};
}

static stlclash_sweep_result *sweep_both(const stlclash_mesh *a, const stlclash_mesh *b,
                                         const turning t[2])
{
    const stlclash_motion motion = {.kind = STLCLASH_INDEPENDENT,
                                    .each = {&t[0].motion, &t[1].motion}};
    stlclash_options options = stlclash_options_default();
    options.placement[0] = t[0].start;
    options.placement[1] = t[1].start;
    return sweep(a, b, &options, &motion);
}

/* ---- wheels --------------------------------------------------------------------- */

/* A hub of radius 4, and teeth of length 2 to both sides of as many axes through it. */
static stl_image make_wheel(int axes)
{
    stl_image wheel = make_cylinder(4, 1, 32);
    image_move(&wheel, 0, 0, -0.5);
    for (int i = 0; i < axes; i++) {
        stl_image teeth = simple_box(-6, 6, -0.2, 0.2, -0.5, 0.5);
        image_turn(&teeth, 0, 0, pi * i / axes);
        image_join(&wheel, &teeth);
        image_free(&teeth);
    }
    return wheel;
}

/* Of 12 teeth each, side by side: in step those of the one pass between those of the other one; out
 * of it, and turning the same way, they do not. They hardly move against each other where they
 * meet, which spares most of the poses. */
TEST(wheels_turn_in_step)
{
    stl_image image = make_wheel(6);
    stlclash_mesh *wheel = ask_mesh(&image);
    const double tooth = pi / 6.0;
    const struct turns {
        double start, end; /* of the other wheel */
        stlclash_status status;
    } all[] = {
        {tooth / 2, tooth / 2 - 2 * pi, STLCLASH_CLEAR},
        {tooth / 2, tooth / 2 - pi, STLCLASH_CLASH},
        {tooth / 2, tooth / 2 + 2 * pi, STLCLASH_CLASH},
        {tooth / 2, tooth / 2 - 2 * pi + 0.9 * tooth, STLCLASH_CLASH},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        turning t[2];
        turn_about_z(&t[0], 0, 2 * pi, 0, 0, 8);
        turn_about_z(&t[1], all[i].start, all[i].end, 10.8, 0, 8);
        stlclash_sweep_result *r = sweep_both(wheel, wheel, t);
        CHECK(r->status == all[i].status, "turn %zu: %s", i, stlclash_status_text(r->status));
        CHECK(r->steps < 3000, "turn %zu: %u poses", i, (unsigned)r->steps);
        CHECK(!r->has_approach || (r->approach.separation.distance > 0.5 &&
                                   r->approach_error < 0.1 * r->approach.separation.distance),
              "turn %zu: %g apart", i, r->approach.separation.distance);
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(wheel);
    image_free(&image);
}

/* Divided into other legs it is the same turn. */
TEST(legs_of_independent_motions_need_not_match)
{
    stl_image image = make_wheel(3);
    stlclash_mesh *wheel = ask_mesh(&image);
    double time = 0.0;
    for (int legs = 1; legs <= 3; legs++) {
        turning t[2];
        turn_about_z(&t[0], 0, 0.9 * pi, 0, 0, legs);
        turn_about_z(&t[1], pi / 6.0, 0.5 * pi, 10.8, 0, 5 - legs);
        stlclash_sweep_result *r = sweep_both(wheel, wheel, t);
        CHECK(r->status == STLCLASH_CLASH, "%s", stlclash_status_text(r->status));
        CHECK(legs == 1 || fabs(r->contact.time - time) < 1e-3, "contact at %g, not %g",
              r->contact.time, time);
        time = r->contact.time;
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(wheel);
    image_free(&image);
}

/* ---- a square before a wall --------------------------------------------------------- */

/* How far a square of side 2 about the origin reaches along x, turned by the angle. */
static double square_reaches(double angle)
{
    return fabs(cos(angle)) + fabs(sin(angle));
}

/* The square turns, and the wall comes nearer. */
TEST(contact_comes_when_it_is_due)
{
    stl_image square = simple_box(-1, 1, -1, 1, -1, 1), slab = simple_box(0, 1, -3, 3, -3, 3);
    stlclash_mesh *mesh[2] = {ask_mesh(&square), ask_mesh(&slab)};
    for (int n = 0; n < test_rounds(40); n++) {
        const double angle = test_uniform(0.1, 3.0), from = test_uniform(1.5, 3.0);
        const double way = test_uniform(0.0, 2.0);
        turning t[2];
        double due = 0.0;
        turn_about_z(&t[0], 0, angle, 0, 0, 1);
        turned_about_z(0, from, 0, t[1].start);
        t[1].motion = (stlclash_motion){.kind = STLCLASH_STRAIGHT, .way = {{-way, 0, 0}}};
        const double step = 1e-5;
        while (due <= 1.0 && square_reaches(due * angle) < from - due * way) {
            due += step;
        }
        stlclash_sweep_result *r = sweep_both(mesh[0], mesh[1], t);
        const double fastest = angle * sqrt(2.0) + way;
        CHECK(r->has_contact == (due <= 1.0) || fabs(due - 1.0) < 1e-3, "contact: %d, due at %g",
              r->has_contact, due);
        if (r->has_contact && due <= 1.0) {
            const double late = r->contact.time - due;
            const double gap =
                from - r->contact.time * way - square_reaches(r->contact.time * angle);
            CHECK(late <= 1e-9 && gap <= r->tolerance + fastest * step,
                  "contact at %.9g, %g apart, due at %.9g", r->contact.time, gap, due);
        }
        stlclash_sweep_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
    }
    image_free(&square);
    image_free(&slab);
}

/* A bar turns about its middle, past a cube that turns by itself: neither middle moves, but an end
 * of the bar comes by. */
TEST(bars_sweep_past_what_turns_by_itself)
{
    stl_image bar = simple_box(-5, 5, -0.1, 0.1, -0.5, 0.5);
    stl_image cube = simple_box(-0.2, 0.2, -0.2, 0.2, -0.2, 0.2);
    stlclash_mesh *mesh[2] = {ask_mesh(&bar), ask_mesh(&cube)};
    for (int n = 0; n < test_rounds(40); n++) {
        const double start = test_uniform(-0.5, -0.2), end = test_uniform(2.0, 2.6);
        const double at = test_uniform(0.5, 7.0);
        const bool meets = at < 5.0;
        turning t[2];
        turn_about_z(&t[0], start, end, 0, 0, 1);
        turn_about_z(&t[1], 0, test_uniform(-3.0, 3.0), at, 0, 1);
        if (fabs(at - 5.0) < 0.4) {
            continue;
        }
        stlclash_sweep_result *r = sweep_both(mesh[0], mesh[1], t);
        CHECK(r->status == (meets ? STLCLASH_CLASH : STLCLASH_CLEAR), "%s at %g",
              stlclash_status_text(r->status), at);
        stlclash_sweep_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
    }
    image_free(&bar);
    image_free(&cube);
}

/* ---- one axis ------------------------------------------------------------------------- */

/* As seen from the one the other turns about the axis, too: a screw, looked at facet by facet. */
TEST(turns_about_one_axis_are_a_turn)
{
    for (int n = 0; n < test_rounds(30); n++) {
        stl_image bar = simple_box(1, 3, -0.2, 0.2, -0.5, 0.5);
        stl_image block = simple_box(1.5, test_uniform(2, 4), -0.3, 0.3, test_uniform(-1, 0.4), 1);
        stlclash_mesh *mesh[2] = {ask_mesh(&bar), ask_mesh(&block)};
        const double start = test_uniform(0.5, 1.5), a = test_uniform(-1, 1),
                     b = test_uniform(-1, 1);
        turning each[2], one[2];
        turn_about_z(&each[0], 0, a, 0, 0, 1);
        turn_about_z(&each[1], start, start + b, 0, 0, 1);
        turn_about_z(&one[1], start, start + b - a, 0, 0, 1);
        one[1].motion.moves = STLCLASH_B;
        stlclash_options options = stlclash_options_default();
        options.placement[1] = one[1].start;
        stlclash_sweep_result *p = sweep_both(mesh[0], mesh[1], each);
        stlclash_sweep_result *q = sweep(mesh[0], mesh[1], &options, &one[1].motion);
        CHECK(p->status == q->status, "%s, as a screw %s", stlclash_status_text(p->status),
              stlclash_status_text(q->status));
        CHECK(p->has_contact == q->has_contact &&
                  (!p->has_contact || fabs(p->contact.time - q->contact.time) * fabs(b - a) < 1e-3),
              "contact at %g, as a screw at %g", p->contact.time, q->contact.time);
        if (p->has_approach && q->has_approach) {
            const double least[2] = {
                p->approach.separation.distance - p->approach_error,
                q->approach.separation.distance - q->approach_error,
            };
            CHECK(least[0] <= q->approach.separation.distance + 1e-9 &&
                      least[1] <= p->approach.separation.distance + 1e-9,
                  "%g apart, as a screw %g", p->approach.separation.distance,
                  q->approach.separation.distance);
        }
        stlclash_sweep_result_free(p);
        stlclash_sweep_result_free(q);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
        }
        image_free(&bar);
        image_free(&block);
    }
}

/* ---- how fast they near each other ------------------------------------------------------ */

typedef struct placed {
    stl_image image;
    stlclash_mesh *mesh;
    sc_part part;
    double start[16], end[1][16];
    stlclash_motion motion;
    sc_course course;
} placed;

static void place(placed *p, sc_swept *swept)
{
    stlclash_error error;
    p->image = make_torus(2, 0.5, 9, 7);
    p->mesh = ask_mesh(&p->image);
    ask_placement(p->start, 2);
    ask_placement(p->end[0], 2);
    p->motion = (stlclash_motion){
        .kind = STLCLASH_SCREW, .placements = (const double(*)[16])p->end, .placement_count = 1};
    stlclash_code code = sc_part_place(p->mesh, p->start, "it", &p->part, &error);
    code = code ? code : sc_course_make(&p->part, p->start, &p->motion, "it", &p->course, &error);
    code = code ? code : sc_swept_make(&p->course, 0, 0.0, 1.0, swept, &error);
    CHECK_INT(code, STLCLASH_OK);
}

static sc_vec3 vertex_at(placed *p, double t)
{
    stlclash_error error;
    sc_part part;
    sc_vec3 v[3];
    CHECK_INT(sc_course_part(&p->course, 0, t, &part, &error), STLCLASH_OK);
    const sc_facets *facets = &part.mesh->file.facets;
    sc_triangle_vertices(facets, &part.placement, (uint32_t)test_below((int)facets->count), v);
    return v[test_below(3)];
}

/* Of a point there of the screw. */
static sc_vec3 velocity(const placed *p, sc_vec3 at)
{
    const stlclash_screw *s = &p->course.screws[0].screw;
    const double r[3] = {at.x - s->point[0], at.y - s->point[1], at.z - s->point[2]};
    double v[3];
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        v[i] = s->angle * (s->direction[j] * r[k] - s->direction[k] * r[j]) +
               s->shift * s->direction[i];
    }
    return (sc_vec3){v[0], v[1], v[2]};
}

/* Wherever points of both parts come that near each other; and not much more than is needed. */
TEST(speeds_hold_where_both_parts_come)
{
    int near = 0, spared = 0;
    for (int n = 0; n < test_rounds(60); n++) {
        placed p[2];
        sc_nearing nearing = {.known = 0};
        double fastest[2] = {0.0, 0.0};
        for (int i = 0; i < 2; i++) {
            place(&p[i], &nearing.swept[i]);
        }
        const double within = n % 3 == 0 ? 0.0 : test_uniform(0, 1);
        const double speed = sc_nearing_speed(&nearing, within);
        const double anywhere = sc_nearing_speed(&nearing, 100.0);
        CHECK(speed == sc_nearing_speed(&nearing, within) && speed <= 1.05 * anywhere, "%g, %g",
              speed, anywhere);
        for (int k = 0; k < 500; k++) {
            sc_vec3 at[2];
            double against[2];
            for (int i = 0; i < 2; i++) {
                at[i] = vertex_at(&p[i], test_uniform(0, 1));
                against[i] = sc_length(sc_sub(velocity(&p[0], at[i]), velocity(&p[1], at[i])));
                fastest[i] = fmax(fastest[i], against[i]);
            }
            if (sc_length(sc_sub(at[0], at[1])) <= within) {
                near++;
                CHECK(fmin(against[0], against[1]) <= speed, "%.17g, faster than %.17g",
                      fmin(against[0], against[1]), speed);
            }
        }
        CHECK(fmin(fastest[0], fastest[1]) <= anywhere, "%.17g, faster than %.17g",
              fmin(fastest[0], fastest[1]), anywhere);
        spared += speed < 0.8 * anywhere;
        for (int i = 0; i < 2; i++) {
            sc_course_free(&p[i].course);
            stlclash_mesh_free(p[i].mesh);
            image_free(&p[i].image);
        }
    }
    CHECK(TEST_DIVISOR > 1 || (near > 20 && spared > 5), "%d near, %d spared", near, spared);
}
