/* test_motion_poses.c - random solids that move against poses on their way, which the exact
 * static test judges. */
#include "ask.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a pose tells ---------------------------------------------------------- */

/* The parts as they stand at some time, judged. */
static stlclash_result *pose_result(const stlclash_mesh *a, const stlclash_mesh *b,
                                    const double *pa, const double *pb, bool measure)
{
    stlclash_options options = stlclash_options_default();
    stlclash_result *result = NULL;
    stlclash_error error;
    options.placement[0] = pa;
    options.placement[1] = pb;
    options.no_overlap = !measure;
    CHECK(stlclash_check(a, b, &options, &result, &error) == STLCLASH_OK, "%s", error.text);
    return result;
}

/* What one pose says about a sweep. `slack`: of times and distances, for rounding. */
static void check_pose(const stlclash_sweep_result *r, double t, const stlclash_mesh *a,
                       const stlclash_mesh *b, const double *pa, const double *pb, double slack,
                       const char *what, int number)
{
    stlclash_result *pose = pose_result(a, b, pa, pb, false);
    if (!pose) {
        return;
    }
    double distance = pose->separation.distance;
    if (pose->status == STLCLASH_CLASH || distance == 0.0) {
        CHECK(r->has_contact, "%s %d: a meeting at %.9g is missed", what, number, t);
        CHECK(!r->has_contact || r->contact.time <= t + slack, "%s %d: contact at %.9g, not %.9g",
              what, number, r->contact.time, t);
    }
    if (pose->status == STLCLASH_CLASH && r->status != STLCLASH_CLASH) {
        stlclash_result *full = pose_result(a, b, pa, pb, true);
        bool shallow = full && full->has_overlap && full->overlap.has_depth &&
                       full->overlap.depth <= r->tolerance + full->touch_overlap;
        CHECK(r->status == STLCLASH_CONTACT && shallow, "%s %d: a clash at %.9g is missed", what,
              number, t);
        stlclash_result_free(full);
    }
    if (r->has_approach) {
        double least = r->approach.separation.distance - r->approach_error;
        CHECK(distance >= least - slack, "%s %d: %.17g apart at %.9g, less than %.17g", what,
              number, distance, t, least);
    }
    stlclash_result_free(pose);
}

/* The moments that a sweep reports are so. */
static void check_moment(const stlclash_moment *m, const stlclash_mesh *a, const stlclash_mesh *b,
                         const double *pa, const double *pb, double slack, const char *what,
                         int number)
{
    stlclash_result *pose = pose_result(a, b, pa, pb, false);
    if (pose) {
        CHECK(fabs(pose->separation.distance - m->separation.distance) <= slack,
              "%s %d: %.9g apart, not %.9g", what, number, pose->separation.distance,
              m->separation.distance);
        const double *p = m->separation.point_a, *q = m->separation.point_b;
        double gap = sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                          (p[2] - q[2]) * (p[2] - q[2]));
        CHECK(fabs(gap - m->separation.distance) <= slack, "%s %d: points %.9g apart, not %.9g",
              what, number, gap, m->separation.distance);
        stlclash_result_free(pose);
    }
}

/* ---- two solids ----------------------------------------------------------------- */

static stl_image random_solid(void)
{
    double size = test_uniform(0.5, 2);
    switch (test_below(5)) {
    case 0: return make_box((double[]){0, 0, 0}, (double[]){size, 1, test_uniform(0.1, 1)}, 1);
    case 1: return make_l_prism(size);
    case 2: return make_sphere(0.5 * size, 2);
    case 3: return make_torus(size, 0.3, 8, 5);
    default: return make_cylinder(0.3 * size, 2 * size, 7);
    }
}

typedef struct scene {
    stl_image image[2];
    stlclash_mesh *mesh[2];
    double placement[2][16];
} scene;

static scene random_scene(void)
{
    scene s;
    for (int i = 0; i < 2; i++) {
        s.image[i] = random_solid();
        s.mesh[i] = ask_mesh(&s.image[i]);
        ask_placement(s.placement[i], i == 0 ? 0.2 : 2.5);
    }
    return s;
}

static void scene_free(scene *s)
{
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(s->mesh[i]);
        image_free(&s->image[i]);
    }
}

/* ---- straight ------------------------------------------------------------------- */

static void check_random_straight(int number, int *counts)
{
    scene s = random_scene();
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    double pa[16], pb[16];
    for (int i = 0; i < 2; i++) {
        options.placement[i] = s.placement[i];
        for (int k = 0; k < 3 && (i == 1 || test_below(3) == 0); k++) {
            motion.way[i][k] = test_uniform(-3, 3);
        }
    }
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    for (int step = -3; r && step <= 20; step++) {
        double t = step / 20.0;
        const stlclash_moment *m = NULL;
        if (step < 0) { /* moments of the result */
            m = step == -1 ? &r->contact : step == -2 ? &r->clash : &r->approach;
            bool has = step == -1 ? r->has_contact : step == -2 ? r->has_clash : r->has_approach;
            if (!has) {
                continue;
            }
            t = m->time;
        }
        memcpy(pa, s.placement[0], sizeof pa);
        memcpy(pb, s.placement[1], sizeof pb);
        for (int k = 0; k < 3; k++) {
            pa[4 * k + 3] += t * motion.way[0][k];
            pb[4 * k + 3] += t * motion.way[1][k];
        }
        if (m && (t > 0 || r->start->status != STLCLASH_CLASH)) {
            check_moment(m, s.mesh[0], s.mesh[1], pa, pb, 1e-12, "straight", number);
        } else if (!m) {
            check_pose(r, t, s.mesh[0], s.mesh[1], pa, pb, 1e-12, "straight", number);
        }
    }
    stlclash_sweep_result_free(r);
    scene_free(&s);
}

TEST(straight_motions_against_poses)
{
    int counts[5] = {0};
    int rounds = test_rounds(300);
    for (int i = 0; i < rounds; i++) {
        check_random_straight(i, counts);
    }
    CHECK(rounds < 50 || (counts[STLCLASH_CLASH] > 0 && counts[STLCLASH_CLEAR] > 0),
          "%d clashes, %d clear", counts[STLCLASH_CLASH], counts[STLCLASH_CLEAR]);
}

/* ---- screws --------------------------------------------------------------------- */

/* The placement at time t, from the screw as it is reported: Rodrigues' formula about the
 * point of the axis. */
static void screw_placement(const stlclash_screw *s, const double start[16], double t,
                            double out[16])
{
    double c = cos(t * s->angle), q = sin(t * s->angle);
    const double *k = s->direction;
    memcpy(out, ask_identity, sizeof ask_identity);
    for (int j = 0; j < 4; j++) {
        double p[3], dot = 0;
        for (int i = 0; i < 3; i++) {
            p[i] = start[4 * i + j] - (j == 3 ? s->point[i] : 0.0);
            dot += k[i] * p[i];
        }
        for (int i = 0; i < 3; i++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            double cross = k[i1] * p[i2] - k[i2] * p[i1];
            out[4 * i + j] = p[i] * c + cross * q + k[i] * dot * (1 - c) +
                             (j == 3 ? s->point[i] + t * s->shift * k[i] : 0.0);
        }
    }
}

static void check_random_screw(int number, int *counts)
{
    scene s = random_scene();
    stlclash_options options = stlclash_options_default();
    double end[1][16], pose[16];
    ask_placement(end[0], 2.5);
    int moves = test_below(2);
    stlclash_motion motion = {.kind = STLCLASH_SCREW,
                              .moves = moves ? STLCLASH_B : STLCLASH_A,
                              .placements = (const double(*)[16])end,
                              .placement_count = 1,
                              .tolerance = test_below(2) ? 1e-3 : 0.0};
    options.placement[0] = s.placement[0];
    options.placement[1] = s.placement[1];
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    if (r && r->screw_count == 1) {
        screw_placement(&r->screws[0], s.placement[moves], 1.0, pose);
        for (int i = 0; i < 16; i++) {
            CHECK(fabs(pose[i] - end[0][i]) <= 1e-9, "screw %d: entry %d ends at %.12g, not %.12g",
                  number, i, pose[i], end[0][i]);
        }
    }
    for (int step = 0; r && r->screw_count == 1 && step <= 40; step++) {
        double t = step / 40.0;
        screw_placement(&r->screws[0], s.placement[moves], t, pose);
        check_pose(r, t, s.mesh[0], s.mesh[1], moves ? s.placement[0] : pose,
                   moves ? pose : s.placement[1], 1e-9, "screw", number);
    }
    if (r && r->has_contact && r->screw_count == 1) {
        screw_placement(&r->screws[0], s.placement[moves], r->contact.time, pose);
        check_moment(&r->contact, s.mesh[0], s.mesh[1], moves ? s.placement[0] : pose,
                     moves ? pose : s.placement[1], 1e-9, "screw", number);
        const bool inside = r->has_clash && r->clash.time == r->contact.time; /* from the start */
        CHECK(inside || r->contact.separation.distance <= r->tolerance,
              "screw %d: contact at a distance", number);
    }
    stlclash_sweep_result_free(r);
    scene_free(&s);
}

/* 5000 in a long run. */
TEST(screw_motions_against_poses)
{
    int counts[5] = {0}, rounds = test_long() ? 5000 : test_rounds(60);
    for (int i = 0; i < rounds; i++) {
        check_random_screw(i, counts);
    }
    CHECK(counts[STLCLASH_UNDECIDED] == 0, "%d of %d undecided", counts[STLCLASH_UNDECIDED],
          rounds);
}

/* A long arm turns on a thin post, or the post under the arm: what lies nearer to the axis tells
 * how many poses are looked at. */
TEST(few_poses_are_looked_at_near_the_axis)
{
    static const double end[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    stl_image post = simple_box(-1, 1, -1, 1, 0, 10), arm = simple_box(-3, 400, -3, 3, 10, 12);
    stlclash_mesh *mesh[2] = {ask_mesh(&post), ask_mesh(&arm)};
    for (int i = 0; i < 2; i++) {
        const stlclash_motion motion = {.kind = STLCLASH_SCREW,
                                        .moves = i ? STLCLASH_A : STLCLASH_B,
                                        .placements = end,
                                        .placement_count = 1,
                                        .tolerance = 0.1};
        stlclash_options options = stlclash_options_default();
        stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
        CHECK(r->status == STLCLASH_CONTACT, "%s", stlclash_status_text(r->status));
        CHECK(r->steps < 20, "%d poses", (int)r->steps);
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&post);
    image_free(&arm);
}

/* ---- each vertex its own way ---------------------------------------------------- */

/* Both images at time t, as floats. */
static stl_image image_between(const stl_image *from, const stl_image *to, double t)
{
    size_t count = image_facets(from);
    float *corners = malloc(9 * count * sizeof *corners);
    for (size_t i = 0; i < count; i++) {
        shape_facet f = image_get(from, i), g = image_get(to, i);
        for (int k = 0; k < 9; k++) {
            double x = (double)f.corner[k / 3][k % 3], y = (double)g.corner[k / 3][k % 3];
            corners[9 * i + (size_t)k] = (float)(x + t * (y - x));
        }
    }
    stl_image image = make_facets(corners, count);
    free(corners);
    return image;
}

static void check_random_paths(int number, int *counts)
{
    scene s = random_scene();
    stlclash_options options = stlclash_options_default();
    stl_image end = image_between(&s.image[1], &s.image[1], 0.0);
    image_scale(&end, test_uniform(0.7, 1.4));
    image_turn(&end, test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5));
    image_move(&end, test_uniform(-2, 2), test_uniform(-2, 2), test_uniform(-2, 2));
    stlclash_mesh *mesh = ask_mesh(&end);
    stlclash_motion motion = {.kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = mesh};
    options.placement[0] = s.placement[0];
    options.placement[1] = s.placement[1];
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    for (int step = 0; r && step <= 20; step++) {
        stl_image between = image_between(&s.image[1], &end, step / 20.0);
        stlclash_mesh *pose = ask_mesh(&between);
        check_pose(r, step / 20.0, s.mesh[0], pose, s.placement[0], s.placement[1], 1e-6, "paths",
                   number);
        stlclash_mesh_free(pose);
        image_free(&between);
    }
    stlclash_sweep_result_free(r);
    stlclash_mesh_free(mesh);
    image_free(&end);
    scene_free(&s);
}

TEST(vertex_paths_against_poses)
{
    int counts[5] = {0};
    for (int i = 0; i < test_rounds(40); i++) {
        check_random_paths(i, counts);
    }
}

/* ---- both parts ----------------------------------------------------------------- */

enum { MOST_LEGS = 3 };

/* A part that moves by itself, and how, as this file works it out. */
typedef struct mover {
    stlclash_motion motion;
    double legs[MOST_LEGS][16];
    stlclash_screw screws[MOST_LEGS];
    size_t leg_count;
    stl_image end;
    stlclash_mesh *end_mesh;
} mover;

/* The screws of its legs, as a sweep past something far off has them. */
static void find_screws(mover *m, const stlclash_mesh *mesh, const double *placement)
{
    const double far_away[16] = {1, 0, 0, 1e4, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    stlclash_options options = stlclash_options_default();
    options.placement[0] = far_away;
    options.placement[1] = placement;
    options.quick = true;
    m->motion.moves = STLCLASH_B;
    stlclash_sweep_result *r = sweep(mesh, mesh, &options, &m->motion);
    for (size_t i = 0; r && i < r->screw_count; i++) {
        m->screws[i] = r->screws[i];
    }
    m->leg_count = r ? r->screw_count : 0;
    stlclash_sweep_result_free(r);
}

static void make_mover(mover *m, const stl_image *image, const stlclash_mesh *mesh,
                       const double *placement)
{
    *m = (mover){.motion = {.kind = (stlclash_motion_kind)test_below(3)}};
    switch (m->motion.kind) {
    case STLCLASH_SCREW:
        for (int i = 0; i < MOST_LEGS; i++) {
            ask_placement(m->legs[i], 2.0);
        }
        m->motion.placements = (const double(*)[16])m->legs;
        m->motion.placement_count = (size_t)(1 + test_below(MOST_LEGS));
        find_screws(m, mesh, placement);
        break;
    case STLCLASH_VERTEX_PATHS:
        m->end = image_between(image, image, 0.0);
        image_scale(&m->end, test_uniform(0.7, 1.4));
        image_turn(&m->end, test_uniform(-0.5, 0.5), 0.0, test_uniform(-0.5, 0.5));
        image_move(&m->end, test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1));
        m->motion.end = m->end_mesh = ask_mesh(&m->end);
        break;
    default:
        for (int k = 0; k < 3; k++) {
            m->motion.way[0][k] = test_uniform(-2, 2);
        }
    }
}

static void mover_free(mover *m)
{
    if (m->end_mesh) {
        stlclash_mesh_free(m->end_mesh);
        image_free(&m->end);
    }
}

/* A part at some time: `between` is its own. */
typedef struct stance {
    stl_image between;
    stlclash_mesh *mesh;
    double placement[16];
} stance;

static stance mover_at(const mover *m, const scene *s, int i, double t)
{
    const double *start = s->placement[i];
    stance at = {.mesh = s->mesh[i]};
    double *placement = at.placement;
    memcpy(placement, start, sizeof at.placement);
    if (m->motion.kind == STLCLASH_STRAIGHT) {
        for (int k = 0; k < 3; k++) {
            placement[4 * k + 3] += t * m->motion.way[0][k];
        }
    } else if (m->motion.kind == STLCLASH_SCREW) {
        size_t leg = (size_t)(t * (double)m->leg_count);
        leg = leg < m->leg_count ? leg : m->leg_count - 1;
        screw_placement(&m->screws[leg], leg > 0 ? m->legs[leg - 1] : start,
                        t * (double)m->leg_count - (double)leg, placement);
    } else {
        at.between = image_between(&s->image[i], &m->end, t);
        at.mesh = ask_mesh(&at.between);
    }
    return at;
}

static void stance_free(stance *at, const mover *m)
{
    if (m->end_mesh) {
        stlclash_mesh_free(at->mesh);
        image_free(&at->between);
    }
}

static void check_random_both(int number, int *counts)
{
    scene s = random_scene();
    mover m[2];
    stlclash_options options = stlclash_options_default();
    for (int i = 0; i < 2; i++) {
        make_mover(&m[i], &s.image[i], s.mesh[i], s.placement[i]);
        options.placement[i] = s.placement[i];
    }
    const stlclash_motion motion = {.kind = STLCLASH_INDEPENDENT,
                                    .each = {&m[0].motion, &m[1].motion},
                                    .tolerance = test_below(2) ? 1e-2 : 0.0};
    stlclash_sweep_result *r = sweep(s.mesh[0], s.mesh[1], &options, &motion);
    counts[r ? r->status : 0]++;
    const int more = 3; /* moments of the result */
    for (int step = -more; r && step <= 40; step++) {
        const stlclash_moment *moments[] = {&r->contact, &r->clash, &r->approach};
        const bool has[] = {r->has_contact, r->has_clash, r->has_approach};
        const stlclash_moment *moment = step < 0 ? moments[step + more] : NULL;
        const double t = moment ? moment->time : step / 40.0;
        if (moment && !has[step + more]) {
            continue;
        }
        stance a = mover_at(&m[0], &s, 0, t), b = mover_at(&m[1], &s, 1, t);
        if (moment) {
            check_moment(moment, a.mesh, b.mesh, a.placement, b.placement, 2e-6, "both", number);
        } else {
            check_pose(r, t, a.mesh, b.mesh, a.placement, b.placement, 2e-6, "both", number);
        }
        stance_free(&a, &m[0]);
        stance_free(&b, &m[1]);
    }
    stlclash_sweep_result_free(r);
    mover_free(&m[0]);
    mover_free(&m[1]);
    scene_free(&s);
}

/* 2000 in a long run. */
TEST(independent_motions_against_poses)
{
    int counts[5] = {0}, rounds = test_long() ? 2000 : test_rounds(60);
    for (int i = 0; i < rounds; i++) {
        check_random_both(i, counts);
    }
    CHECK(rounds < 50 || (counts[STLCLASH_CLASH] > 0 && counts[STLCLASH_CLEAR] > 0),
          "%d clashes, %d clear", counts[STLCLASH_CLASH], counts[STLCLASH_CLEAR]);
    CHECK(counts[STLCLASH_UNDECIDED] == 0, "%d of %d undecided", counts[STLCLASH_UNDECIDED],
          rounds);
}

/* ---- threads and order ---------------------------------------------------------- */

static void check_same_moment(const stlclash_moment *x, const stlclash_moment *y, bool swapped)
{
    const stlclash_separation *s = &x->separation, *t = &y->separation;
    CHECK(x->time == y->time, "time %.17g, %.17g", x->time, y->time);
    CHECK(x->travelled == y->travelled || x->time != y->time, "way %.17g, %.17g", x->travelled,
          y->travelled);
    CHECK(s->distance == t->distance, "distance %.17g, %.17g", s->distance, t->distance);
    CHECK(s->triangle_a == (swapped ? t->triangle_b : t->triangle_a) &&
              s->triangle_b == (swapped ? t->triangle_a : t->triangle_b),
          "triangles %u %u, %u %u", s->triangle_a, s->triangle_b, t->triangle_a, t->triangle_b);
    CHECK(memcmp(s->point_a, swapped ? t->point_b : t->point_a, sizeof s->point_a) == 0, "points");
}

TEST(motions_do_not_depend_on_threads_or_order)
{
    for (int i = 0; i < test_rounds(90); i++) {
        scene s = random_scene();
        mover m[2];
        stlclash_options options = stlclash_options_default();
        double end[1][16];
        ask_placement(end[0], 2.5);
        for (int k = 0; k < 2; k++) {
            make_mover(&m[k], &s.image[k], s.mesh[k], s.placement[k]);
        }
        stlclash_motion motion = {.kind = i % 3 == 0   ? STLCLASH_STRAIGHT
                                          : i % 3 == 1 ? STLCLASH_SCREW
                                                       : STLCLASH_INDEPENDENT,
                                  .moves = STLCLASH_B,
                                  .placements = (const double(*)[16])end,
                                  .placement_count = 1,
                                  .each = {&m[0].motion, &m[1].motion}};
        for (int k = 0; k < 3; k++) {
            motion.way[1][k] = test_uniform(-3, 3);
        }
        options.threads = 1;
        options.placement[0] = s.placement[0];
        options.placement[1] = s.placement[1];
        stlclash_sweep_result *one = sweep(s.mesh[0], s.mesh[1], &options, &motion);
        options.threads = 3;
        stlclash_sweep_result *three = sweep(s.mesh[0], s.mesh[1], &options, &motion);
        options.placement[0] = s.placement[1];
        options.placement[1] = s.placement[0];
        motion.moves = STLCLASH_A;
        motion.each[0] = &m[1].motion;
        motion.each[1] = &m[0].motion;
        memcpy(motion.way[0], motion.way[1], sizeof motion.way[0]);
        memset(motion.way[1], 0, sizeof motion.way[1]);
        stlclash_sweep_result *swapped = sweep(s.mesh[1], s.mesh[0], &options, &motion);
        stlclash_sweep_result *others[2] = {three, swapped};
        for (int k = 0; k < 2 && one && others[k]; k++) {
            CHECK(one->status == others[k]->status && one->pass == others[k]->pass, "status");
            check_same_moment(&one->contact, &others[k]->contact, k == 1);
            check_same_moment(&one->clash, &others[k]->clash, k == 1);
            check_same_moment(&one->approach, &others[k]->approach, k == 1);
        }
        stlclash_sweep_result_free(one);
        stlclash_sweep_result_free(three);
        stlclash_sweep_result_free(swapped);
        for (int k = 0; k < 2; k++) {
            mover_free(&m[k]);
        }
        scene_free(&s);
    }
}
