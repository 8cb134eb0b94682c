/* test_motion_shifts.c - parts that go from placement to placement without turning: boxes of whole
 * numbers against intervals of time in fractions, and straight motions cut into legs. */
#include "ask.h"
#include "stlclash.h"

#include "shapes.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { MOST_LEGS = 5 };

typedef double place[3];

static void set_place(double placement[16], const place at)
{
    memcpy(placement, ask_identity, 16 * sizeof placement[0]);
    for (int k = 0; k < 3; k++) {
        placement[4 * k + 3] = at[k];
    }
}

/* B goes from at[0] to at[1], .. at[legs]; exactly, with a clearance. */
static stlclash_sweep_result *shift_with(double clearance, const stlclash_mesh *const mesh[2],
                                         const place *at, int legs)
{
    stlclash_options options = stlclash_options_default();
    options.clearance = clearance;
    double placement[MOST_LEGS + 1][16];
    for (int i = 0; i <= legs; i++) {
        set_place(placement[i], at[i]);
    }
    options.placement[1] = placement[0];
    options.exact = true;
    stlclash_motion motion = {.kind = STLCLASH_SCREW,
                              .moves = STLCLASH_B,
                              .placements = (const double(*)[16])placement + 1,
                              .placement_count = (size_t)legs};
    stlclash_sweep_result *result = NULL;
    stlclash_error error = {.text = ""};
    stlclash_code code = stlclash_sweep(mesh[0], mesh[1], &options, &motion, &result, &error);
    CHECK(code == STLCLASH_OK, "%s", error.text);
    return result;
}

static stlclash_sweep_result *shift(const stlclash_mesh *const mesh[2], const place *at, int legs)
{
    return shift_with(0, mesh, at, legs);
}

/* ---- boxes -------------------------------------------------------------------- */

/* Of whole numbers: below 2^31, so that products do not overflow. */
typedef struct fraction {
    int64_t over, under; /* > 0 */
} fraction;

static bool less(fraction a, fraction b)
{
    return a.over * b.under < b.over * a.under;
}

static fraction later(fraction a, fraction b)
{
    return less(a, b) ? b : a;
}

static fraction earlier(fraction a, fraction b)
{
    return less(b, a) ? b : a;
}

/* A unit of time in which both boxes have points in common from first to last, if not `never`; and
 * inner points in between, if `inside`. */
typedef struct meeting {
    fraction first, last;
    bool never, inside;
} meeting;

static void meet_along(meeting *m, int64_t low, int64_t high, int64_t low_b, int64_t high_b,
                       int64_t way)
{
    if (way == 0) {
        m->never = m->never || high < low_b || high_b < low;
        m->inside = m->inside && low_b < high && low < high_b;
        return;
    }
    /* low - high_b <= way t <= high - low_b */
    fraction from = {way > 0 ? low - high_b : low_b - high, way > 0 ? way : -way};
    fraction to = {way > 0 ? high - low_b : high_b - low, way > 0 ? way : -way};
    m->first = later(m->first, from);
    m->last = earlier(m->last, to);
}

static meeting meet(int64_t box[2][2][3], const place from, const place to)
{
    meeting m = {.first = {0, 1}, .last = {1, 1}, .inside = true};
    for (int k = 0; k < 3; k++) {
        int64_t at = (int64_t)from[k];
        meet_along(&m, box[0][0][k], box[0][1][k], box[1][0][k] + at, box[1][1][k] + at,
                   (int64_t)to[k] - at);
    }
    m.never = m.never || less(m.last, m.first);
    m.inside = m.inside && less(m.first, m.last);
    return m;
}

static double time_of(int leg, int legs, fraction t)
{
    return (leg + (double)t.over / (double)t.under) / legs;
}

static void check_boxes(const stlclash_sweep_result *r, int64_t box[2][2][3], const place *at,
                        int legs, int number, int *counts)
{
    stlclash_status expected = STLCLASH_CLEAR;
    double contact = INFINITY, clash = INFINITY;
    for (int i = legs; i-- > 0;) {
        const meeting m = meet(box, at[i], at[i + 1]);
        contact = m.never ? contact : time_of(i, legs, m.first);
        clash = m.never || !m.inside ? clash : time_of(i, legs, m.first);
    }
    expected = isfinite(contact) ? STLCLASH_CONTACT : expected;
    expected = isfinite(clash) ? STLCLASH_CLASH : expected;
    counts[expected]++;
    CHECK(r->status == expected, "boxes %d: %s, expected %s", number,
          stlclash_status_text(r->status), stlclash_status_text(expected));
    CHECK(r->tolerance == 0.0, "boxes %d: not exact", number);
    CHECK(r->has_contact == isfinite(contact) &&
              (!r->has_contact || fabs(r->contact.time - contact) < 1e-12),
          "boxes %d: contact at %.17g, expected %.17g", number, r->contact.time, contact);
    CHECK(r->has_clash == isfinite(clash) && (!r->has_clash || fabs(r->clash.time - clash) < 1e-12),
          "boxes %d: clash at %.17g, expected %.17g", number, r->clash.time, clash);
}

TEST(shifts_of_boxes_one_after_the_other)
{
    int counts[5] = {0};
    int rounds = test_rounds(2000);
    for (int number = 0; number < rounds; number++) {
        stl_image image[2];
        stlclash_mesh *mesh[2];
        int64_t box[2][2][3];
        place at[MOST_LEGS + 1];
        int legs = 1 + test_below(MOST_LEGS);
        for (int i = 0; i < 2; i++) {
            double corner[2][3];
            for (int k = 0; k < 3; k++) {
                box[i][0][k] = test_below(4);
                box[i][1][k] = box[i][0][k] + 1 + test_below(3);
                corner[0][k] = (double)box[i][0][k];
                corner[1][k] = (double)box[i][1][k];
            }
            image[i] = make_box(corner[0], corner[1], 1);
            mesh[i] = ask_mesh(&image[i]);
        }
        for (int i = 0; i <= legs; i++) {
            for (int k = 0; k < 3; k++) {
                bool stays = i > 0 && test_below(2) == 0;
                at[i][k] = stays ? at[i - 1][k] : test_below(13) - 6;
            }
        }
        stlclash_sweep_result *r =
            shift((const stlclash_mesh *[]){mesh[0], mesh[1]}, (const place *)at, legs);
        check_boxes(r, box, (const place *)at, legs, number, counts);
        stlclash_sweep_result_free(r);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
            image_free(&image[i]);
        }
    }
    CHECK(rounds < 500 || (counts[STLCLASH_CLASH] > 9 && counts[STLCLASH_CONTACT] > 9 &&
                           counts[STLCLASH_CLEAR]),
          "%d clashes, %d contacts, %d clear", counts[STLCLASH_CLASH], counts[STLCLASH_CONTACT],
          counts[STLCLASH_CLEAR]);
}

/* ---- cut into legs ------------------------------------------------------------- */

/* The nearest they come, and the way up to there, whole or in four legs of unlike length. */
TEST(shifts_cut_into_legs_find_the_same)
{
    int rounds = test_rounds(100), clear = 0;
    for (int number = 0; number < rounds; number++) {
        stl_image image[2] = {make_bumpy(1.0, 5), make_torus(1.5, 0.5, 16, 8)};
        const place at[5] = {{-4, (double)(test_below(9) - 4), 2},
                             {-3, at[0][1], 2},
                             {0, at[0][1], 2},
                             {0.5, at[0][1], 2},
                             {4, at[0][1], 2}};
        stlclash_mesh *mesh[2];
        for (int i = 0; i < 2; i++) {
            image_turn(&image[i], test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
            mesh[i] = ask_mesh(&image[i]);
        }
        const stlclash_mesh *const both[2] = {mesh[0], mesh[1]};
        stlclash_sweep_result *cut = shift(both, at, 4);
        const place ends[2] = {{at[0][0], at[0][1], at[0][2]}, {at[4][0], at[4][1], at[4][2]}};
        stlclash_sweep_result *whole = shift(both, ends, 1);
        CHECK(cut->status == whole->status && cut->pass == whole->pass, "%d: %s, whole %s", number,
              stlclash_status_text(cut->status), stlclash_status_text(whole->status));
        CHECK(!whole->has_contact || fabs(cut->contact.travelled - whole->contact.travelled) < 1e-9,
              "%d: contact after %.17g, whole %.17g", number, cut->contact.travelled,
              whole->contact.travelled);
        CHECK(cut->has_approach == whole->has_approach, "%d: approach", number);
        if (whole->has_approach) {
            clear++;
            CHECK(fabs(cut->approach.separation.distance - whole->approach.separation.distance) <
                          1e-12 &&
                      fabs(cut->approach.travelled - whole->approach.travelled) < 1e-6,
                  "%d: %.17g apart after %.17g, whole %.17g after %.17g", number,
                  cut->approach.separation.distance, cut->approach.travelled,
                  whole->approach.separation.distance, whole->approach.travelled);
        }
        stlclash_sweep_result_free(cut);
        stlclash_sweep_result_free(whole);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
            image_free(&image[i]);
        }
    }
    CHECK(rounds < 50 || (clear > 5 && clear < rounds - 5), "%d of %d clear", clear, rounds);
}

/* ---- what has no inside ---------------------------------------------------------- */

/* A triangle that comes to lie on another one by a leg may leave it on either side by the next. */
TEST(sheets_that_touch_between_legs_may_have_passed)
{
    static const struct {
        place at[3];
        stlclash_status status;
    } cases[] = {
        {{{0.5, 0.25, 1}, {0.5, 0.25, -1}, {0, 0, -2}}, STLCLASH_CLASH},
        {{{0, 0, 1}, {0, 0, 0}, {0, 0, -1}}, STLCLASH_UNDECIDED},
        {{{0, 0, 1}, {0, 0, 0}, {0, 0, 0}}, STLCLASH_CONTACT},
        {{{0, 0, 0}, {0, 0, 0}, {0, 0, 1}}, STLCLASH_CONTACT},
        {{{0, 0, 2}, {0, 0, 1}, {0, 0, 3}}, STLCLASH_CLEAR},
    };
    stl_image image = make_facets((float[]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 1);
    stlclash_mesh *mesh = ask_mesh(&image);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stlclash_sweep_result *r = shift((const stlclash_mesh *[]){mesh, mesh}, cases[i].at, 2);
        CHECK(r->status == cases[i].status, "case %zu: %s, expected %s", i,
              stlclash_status_text(r->status), stlclash_status_text(cases[i].status));
        CHECK((r->status == STLCLASH_UNDECIDED) ==
                  (r->note_count == 1 && strcmp(r->notes[0], "passage_unknown") == 0),
              "case %zu: %zu notes", i, r->note_count);
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}

/* A box without its lid, into which a cube comes: what starts where it cannot be judged says so. */
TEST(legs_that_start_undecided_say_so)
{
    stl_image box = box_without_lid(), held = cube(0, 1);
    stlclash_mesh *mesh[2] = {ask_mesh(&box), ask_mesh(&held)};
    const place at[3] = {{0, 0, 12}, {0, 0, 2}, {0, 0, 12}};
    for (int legs = 1; legs < 3; legs++) {
        stlclash_sweep_result *r = shift((const stlclash_mesh *[]){mesh[0], mesh[1]}, at, legs);
        CHECK(r->status == STLCLASH_UNDECIDED && !r->pass && (int)r->note_count == legs &&
                  strcmp(r->notes[0], "containment_unknown") == 0 &&
                  strcmp(r->notes[legs - 1], legs == 1 ? r->notes[0] : "pose_undecided") == 0,
              "%d legs: %s, %zu notes", legs, stlclash_status_text(r->status), r->note_count);
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&box);
    image_free(&held);
}

/* A cube that comes nearer than its clearance on one leg, of which the next one knows nothing. */
TEST(legs_that_pass_make_up_for_none_that_fails)
{
    stl_image image = cube(0, 1);
    stlclash_mesh *mesh = ask_mesh(&image);
    const place at[4] = {{5, 0, 0}, {1.25, 0, 0}, {9, 0, 0}, {9, 9, 0}};
    for (int first = 0; first < 3; first++) {
        stlclash_sweep_result *r =
            shift_with(0.5, (const stlclash_mesh *[]){mesh, mesh}, at + first, 3 - first);
        CHECK(r->status == (first < 2 ? STLCLASH_NEAR : STLCLASH_CLEAR) && r->pass == (first == 2),
              "from %d: %s, %s", first, stlclash_status_text(r->status),
              r->pass ? "passes" : "fails");
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}
