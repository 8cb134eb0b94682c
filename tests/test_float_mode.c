/* test_float_mode.c - the same answers in a program that rounds otherwise, makes subnormal numbers
 * zeros, or traps; and its mode as it was. */
#include "base/float_mode.h"

#include "reading.h"
#include "shapes.h"
#include "test.h"

#include "stlclash.h"

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- what is asked --------------------------------------------------------- */

/* Nothing here is rounded: it would be another number in another mode, or trap. */

/* All that was answered, as numbers. */
enum { MOST_ANSWERS = 400 };
typedef struct answers {
    double number[MOST_ANSWERS];
    int count;
} answers;

static void note(answers *a, double x)
{
    CHECK(a->count < MOST_ANSWERS, "too many answers");
    a->number[a->count++ % MOST_ANSWERS] = x;
}

static void note_all(answers *a, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        note(a, x[i]);
    }
}

static void note_result(answers *a, const stlclash_result *r)
{
    note(a, r->status);
    note(a, r->resolution);
    note(a, r->separation.distance);
    note_all(a, r->separation.vector, 3);
    note(a, (double)r->hit_count);
    note(a, r->contact_area);
    note(a, r->overlap.volume);
    note_all(a, r->overlap.centroid, 3);
    note_all(a, r->overlap.bounds[0], 6);
    note(a, r->overlap.depth);
    note_all(a, r->overlap.deepest_point, 3);
    note(a, r->part[0].volume);
    note_all(a, r->part[1].bounds[0], 6);
}

typedef struct asking {
    const stl_image *image[2];
    stlclash_options options;
    double size;
    const char *path; /* of a file that has `digits`; NULL: there is none */
    answers *answers;
} asking;

static void ask_check(const asking *q, stlclash_mesh *const mesh[2])
{
    stlclash_result *r = NULL;
    stlclash_error e;
    if (stlclash_check(mesh[0], mesh[1], &q->options, &r, &e) == STLCLASH_OK) {
        note_result(q->answers, r);
    }
    stlclash_result_free(r);
}

static void ask_sweep(const asking *q, stlclash_mesh *const mesh[2])
{
    const double s = q->size;
    const double end[1][16] = {{0, -1, 0, 3 * s, 1, 0, 0, s, 0, 0, 1, 0.5 * s, 0, 0, 0, 1}};
    const stlclash_motion motions[] = {
        {.kind = STLCLASH_STRAIGHT, .way = {{0}, {4 * s, 3 * s, -2 * s}}},
        {.kind = STLCLASH_SCREW, .moves = STLCLASH_B, .placements = end, .placement_count = 1}};
    for (int i = 0; i < 2; i++) {
        stlclash_sweep_result *r = NULL;
        stlclash_error e;
        if (stlclash_sweep(mesh[0], mesh[1], &q->options, &motions[i], &r, &e) == STLCLASH_OK) {
            note(q->answers, r->status);
            note(q->answers, r->contact.time);
            note(q->answers, r->clash.time);
            note(q->answers, r->approach.separation.distance);
        }
        stlclash_sweep_result_free(r);
    }
}

static void note_hit(answers *a, const stlclash_probe_hit *hit)
{
    note(a, hit->t);
    note_all(a, hit->point, 3);
    note(a, hit->triangle);
}

static bool ask_prober(const asking *q, const stlclash_prober *prober, const stlclash_probe *probes,
                       int count)
{
    stlclash_error e;
    stlclash_probe_hit *hits = NULL;
    stlclash_probe_gap gap;
    stlclash_probe_result *result = NULL;
    size_t hit_count = 0;
    bool found = false;

    const bool good =
        stlclash_prober_all(prober, &probes[0], &hits, &hit_count, &e) == STLCLASH_OK &&
        stlclash_prober_check(prober, &probes[0], NULL, &result, &e) == STLCLASH_OK &&
        stlclash_prober_nearest(prober, &probes[count - 1], INFINITY, &found, &gap, &e) ==
            STLCLASH_OK;
    for (size_t i = 0; i < hit_count; i++) {
        note_hit(q->answers, &hits[i]);
    }
    note(q->answers, found ? gap.distance : -1.0);
    note(q->answers, result ? result->contact_t : -1.0);
    note(q->answers, stlclash_prober_part(prober).volume);
    stlclash_probe_hits_free(hits);
    stlclash_probe_result_free(result);
    return good;
}

static bool ask_prober_many(const asking *q, const stlclash_prober *prober,
                            const stlclash_probe *probes, size_t count)
{
    enum { MOST = 8 };
    stlclash_error e;
    bool found[MOST];
    stlclash_probe_hit first[MOST];
    stlclash_probe_result *results[MOST] = {NULL};

    const bool good =
        count <= MOST &&
        stlclash_prober_any_many(prober, probes, count, found, &e) == STLCLASH_OK &&
        stlclash_prober_first_many(prober, probes, count, first, &e) == STLCLASH_OK &&
        stlclash_prober_check_many(prober, probes, count, NULL, results, &e) == STLCLASH_OK;
    for (size_t i = 0; i < count && good; i++) {
        note(q->answers, found[i]);
        if (first[i].triangles > 0) {
            note_hit(q->answers, &first[i]);
        }
        note(q->answers, results[i]->status);
        note(q->answers, results[i]->clearance);
        note(q->answers, results[i]->contact_t);
        stlclash_probe_result_free(results[i]);
    }
    return good;
}

static void ask_probes(const asking *q, const stlclash_mesh *mesh)
{
    enum { PROBES = 3 };
    const double s = q->size;
    const stlclash_probe probes[PROBES] = {
        {.from = {-3 * s, 0.125 * s, 0.25 * s},
         .to = {3 * s, 0.375 * s, -0.125 * s},
         .radius = 0.125 * s},
        {.from = {0.25 * s, 0.125 * s, 0}, .to = {0.3, 0.5, 1}, .ray = true},
        {.from = {-3 * s, 1.5 * s, 0}, .to = {3 * s, 1.75 * s, 0}}};
    const double turned[16] = {0.6, -0.8, 0, 0.125 * s, 0.8, 0.6, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    stlclash_prober *made = NULL, *prober = NULL;
    stlclash_error e;

    const bool good = stlclash_prober_make(mesh, NULL, true, &made, &e) == STLCLASH_OK &&
                      stlclash_prober_place(made, turned, &prober, &e) == STLCLASH_OK;
    CHECK(good && ask_prober(q, prober, probes, PROBES) &&
              ask_prober_many(q, prober, probes, PROBES),
          "size %g: probes", q->size);
    stlclash_prober_free(prober);
    stlclash_prober_free(made);
}

static bool take_pair(void *context, const stlclash_pair *pair)
{
    note(context, pair->box_distance);
    if (pair->result) {
        note_result(context, pair->result);
    }
    stlclash_result_free(pair->result);
    return true;
}

static void ask_assembly(const asking *q, stlclash_mesh *const mesh[2])
{
    const stlclash_part parts[2] = {{.mesh = mesh[0]},
                                    {.mesh = mesh[1], .placement = q->options.placement[1]}};
    const stlclash_assembly_options options = {
        .pair = take_pair, .context = q->answers, .threads = 2};
    const stlclash_part_result *judged = NULL;
    stlclash_assembly *assembly = NULL;
    stlclash_error e;
    CHECK(stlclash_assembly_open(parts, 2, 0, 2, &assembly, &e) == STLCLASH_OK &&
              stlclash_assembly_judge(assembly, 1, &judged, &e) == STLCLASH_OK &&
              stlclash_assembly_check(assembly, &options, &e) == STLCLASH_OK,
          "assembly: %s", e.text);
    if (judged) {
        note(q->answers, judged->volume);
        note_all(q->answers, stlclash_assembly_get_part(assembly, 1)->bounds[0], 6);
    }
    stlclash_assembly_free(assembly);
}

/* A facet whose numbers have more digits than a float. */
static const char digits[] =
    "solid\nfacet normal 0 0 0\nouter loop\nvertex 0.1234567890123 1.1e-41 7e9\n"
    "vertex 16777217.0000001 3 3.3333333333333\nvertex 1 2.00000011920929 3\n"
    "endloop\nendfacet\nendsolid\n";

static void note_bounds(answers *a, stlclash_mesh *mesh)
{
    if (mesh) {
        const stlclash_mesh_info info = stlclash_mesh_get_info(mesh);
        note_all(a, info.bounds[0], 6);
    }
    stlclash_mesh_free(mesh);
}

static void ask_reader(const asking *q)
{
    stlclash_mesh *mesh;
    stlclash_error e;
    CHECK(stlclash_mesh_parse(digits, sizeof digits - 1, &mesh, &e) == STLCLASH_OK, "%s", e.text);
    note_bounds(q->answers, mesh);
    if (q->path) {
        CHECK(stlclash_mesh_read(q->path, &mesh, &e) == STLCLASH_OK, "%s", e.text);
        note_bounds(q->answers, mesh);
    }
}

static void ask(const asking *q)
{
    stlclash_mesh *mesh[2] = {NULL, NULL};
    stlclash_error e;
    q->answers->count = 0;
    for (int i = 0; i < 2; i++) {
        CHECK(stlclash_mesh_parse(q->image[i]->bytes, q->image[i]->size, &mesh[i], &e) ==
                  STLCLASH_OK,
              "%s", e.text);
    }
    ask_reader(q);
    ask_check(q, mesh);
    ask_sweep(q, mesh);
    ask_probes(q, mesh[0]);
    ask_assembly(q, mesh);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
}

/* ---- modes ------------------------------------------------------------------- */

typedef struct mode {
    const char *name;
    int direction;
    uint64_t bits; /* to be flipped in the register */
} mode;

static const mode modes[] = {{"down", FE_DOWNWARD, 0},
                             {"up", FE_UPWARD, 0},
                             {"to zero", FE_TOWARDZERO, 0},
#if defined(__x86_64__)
                             {"no subnormals", FE_TONEAREST, 0x8040},
                             {"traps", FE_TONEAREST, 0x1f80},
#elif defined(__aarch64__)
                             {"no subnormals", FE_TONEAREST, 1 << 24},
#endif
                             {"usual", FE_TONEAREST, 0}};

static void ask_in_mode(asking *q, const mode *m, const answers *expected)
{
    answers got;
    q->answers = &got;
    const uint64_t usual = sc_float_mode_get();
    (void)fesetround(m->direction);
    sc_float_mode_set(sc_float_mode_get() ^ m->bits);
    const uint64_t set = sc_float_mode_get() & SC_FLOAT_MODE_BITS;
    ask(q);
    const uint64_t left = sc_float_mode_get() & SC_FLOAT_MODE_BITS;
    (void)fesetround(FE_TONEAREST);
    sc_float_mode_set(usual);

    CHECK(left == set, "%s: %llx, not %llx, afterwards", m->name, (unsigned long long)left,
          (unsigned long long)set);
    CHECK_INT(got.count, expected->count);
    for (int i = 0; i < got.count && i < expected->count; i++) {
        CHECK(memcmp(&got.number[i], &expected->number[i], sizeof got.number[i]) == 0,
              "size %g, %s: answer %d is %a, not %a", q->size, m->name, i, got.number[i],
              expected->number[i]);
    }
}

TEST(answers_do_not_depend_on_the_callers_floats)
{
    static const double turned[16] = {0.8, -0.6, 0, 0, 0.6, 0.8, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double sizes[] = {1.0, 0x1p-133};
    const char *path = enter_directory();
    FILE *file = path ? fopen(path, "w") : NULL;
    CHECK(file && fputs(digits, file) >= 0 && fclose(file) == 0, "no file to read");
    for (int i = 0; i < 2; i++) {
        stl_image a = make_bumpy(1, 4), b = cube(-0.45, 0.55);
        image_move(&b, 0.8, 0.1, -0.2);
        image_scale(&a, sizes[i]);
        image_scale(&b, sizes[i]);
        answers expected;
        asking q = {.image = {&a, &b},
                    .options = stlclash_options_default(),
                    .size = sizes[i],
                    .path = path};
        q.options.placement[1] = turned;
        q.options.threads = 2;
        q.answers = &expected;
        ask(&q);
        CHECK(expected.count > 100, "%d answers", expected.count);
        for (size_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
            ask_in_mode(&q, &modes[m], &expected);
        }
        image_free(&a);
        image_free(&b);
    }
    leave_directory(path);
}
