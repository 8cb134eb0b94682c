/* test_contact.c - the area in which parts touch face to face: when it is told, and of what. */
#include "ask.h"
#include "contact/contact.h"
#include "contact/contact_shift.h"
#include "contact/facing.h"
#include "couple.h"
#include "solid_truth.h"
#include "test.h"

#include <math.h>

static stl_image block(double x, double y, double z, double to_x, double to_y, double to_z)
{
    return make_box((double[]){x, y, z}, (double[]){to_x, to_y, to_z}, 2);
}

/* ---- when it is told -------------------------------------------------------------------- */

/* Each pair both ways: the same area, or none, for the same reason. */
static void expect_area(const stl_image *a, const stl_image *b, const stlclash_options *o,
                        stlclash_status status, double area, const char *note, const char *what)
{
    for (int way = 0; way < 2; way++) {
        stlclash_result *r = way ? ask_images(b, a, o) : ask_images(a, b, o);
        CHECK(r->status == status, "%s: %s", what, stlclash_status_text(r->status));
        CHECK(r->has_contact_area == !isnan(area), "%s: %s contact area", what,
              r->has_contact_area ? "a" : "no");
        CHECK(isnan(area) || fabs(r->contact_area - area) <= 1e-6, "%s: contact area %.9g of %.9g",
              what, r->contact_area, area);
        CHECK(note ? r->note_count == 1 && ask_has_note(r, note) : r->note_count == 0,
              "%s: %d notes, the first is %s", what, (int)r->note_count,
              r->note_count > 0 ? r->notes[0] : "none");
        stlclash_result_free(r);
    }
}

TEST(contact_area_is_told_or_a_note_says_why_not)
{
    const double step = 0x1p-21; /* the resolution of coordinates up to 8 */
    stl_image plate = block(0, 0, 0, 7, 7, 1), inner = block(1, 1, 0.25, 2, 2, 0.75);
    stl_image close = block(1, 1, 0.25, 2, 2, 1 - step), on_top = block(1, 1, 1 + step, 2, 2, 2);
    stl_image edge = block(7 + step, 1, 1, 8 - step, 2, 2), apart = block(1, 1, 1.5, 2, 2, 2);
    stl_image open = make_facets(NULL, 0);
    for (size_t i = 1; i < image_facets(&on_top); i++) {
        const shape_facet f = image_get(&on_top, i);
        open = image_joined(open, make_facets(&f.corner[0][0], 1));
    }
    stlclash_options o = ask_usual();

    expect_area(&plate, &inner, &o, STLCLASH_CLASH, 0, NULL, "inside");
    expect_area(&plate, &close, &o, STLCLASH_CLASH, 0, NULL, "just inside");
    expect_area(&plate, &on_top, &o, STLCLASH_CONTACT, 1, NULL, "on top");
    expect_area(&plate, &edge, &o, STLCLASH_CONTACT, 0, NULL, "edge to edge");
    expect_area(&plate, &apart, &o, STLCLASH_CLEAR, NAN, NULL, "apart");
    expect_area(&plate, &open, &o, STLCLASH_CONTACT, NAN, "open_part", "open");
    o.touch_gap = 0;
    expect_area(&plate, &on_top, &o, STLCLASH_CLEAR, NAN, NULL, "on top, but for a gap");
    o.touch_gap = STLCLASH_AUTO;
    o.no_overlap = true;
    expect_area(&plate, &on_top, &o, STLCLASH_CONTACT, NAN, "overlap_skipped", "not measured");
    image_free(&plate);
    image_free(&inner);
    image_free(&close);
    image_free(&on_top);
    image_free(&edge);
    image_free(&apart);
    image_free(&open);
}

/* ---- within tolerances ------------------------------------------------------------------ */

static void expect_touching(const stl_image *a, const stl_image *b, double gap, double overlap,
                            double area, const char *what)
{
    stlclash_options o = ask_usual();
    o.touch_gap = gap;
    o.touch_overlap = overlap;
    for (int exact = 0; exact < 2; exact++) {
        o.exact = exact;
        expect_area(a, b, &o, STLCLASH_CONTACT, area, NULL, what);
    }
}

/* What makes parts be in contact lets their faces touch. */
TEST(faces_touch_within_the_tolerances)
{
    const double gap = as_float(1.005) - 1, lap = 1 - as_float(0.995);
    stl_image plate = block(0, 0, 0, 4, 4, 1), above = block(1, 1, 1 + gap, 2, 2, 2);
    stl_image within = block(1, 1, 1 - lap, 2, 2, 2), on_top = block(2.5, 1, 1, 3, 2, 2);
    stl_image inside_out = block(1, 1, 1 + gap, 2, 2, 2), both = block(2.5, 1, 1, 3, 2, 2);
    image_invert(&inside_out);
    image_join(&both, &above);

    expect_touching(&plate, &above, 0.01, 0, 1, "a gap");
    expect_touching(&plate, &above, gap, 0, 1, "a gap as wide as may be");
    expect_touching(&plate, &inside_out, 0.01, 0, 1, "a gap, inside out");
    expect_touching(&plate, &within, 0, 0.01, 1, "an overlap");
    expect_touching(&plate, &both, 0.01, 0, 1.5, "a gap beside what meets");
    expect_touching(&plate, &both, 0.001, 0, 0.5, "a gap too wide");
    image_free(&plate);
    image_free(&above);
    image_free(&within);
    image_free(&on_top);
    image_free(&inside_out);
    image_free(&both);
}

/* A wedge that lies on a plate with its edge: as far as the gap is narrow enough. */
TEST(faces_aslant_touch_as_far_as_the_gap_is_narrow)
{
    const double corner[3][2] = {{0, 1}, {2, 1 + 0x1p-10}, {0, 2}};
    stl_image plate = make_box((double[]){-1, 0, -1}, (double[]){3, 1, 2}, 3);
    stl_image wedge = make_prism(corner, 3, 0, 1);

    expect_touching(&plate, &wedge, 0x1p-12, 0, 0.5, "a quarter of it");
    expect_touching(&plate, &wedge, 3 * 0x1p-12, 0, 1.5, "most of it");
    image_free(&plate);
    image_free(&wedge);
}

/* Turned, of many facets, by any number of threads: the same bits, and what it is unturned. */
TEST(large_contacts_across_a_gap_do_not_depend_on_threads)
{
    stl_image plate = make_box((double[]){0, 0, 0}, (double[]){1, 1.3, 0.7}, 30);
    stl_image above = make_box((double[]){-0.2, 0.1, 0.75}, (double[]){0.7, 1.7, 1.1}, 29);
    double m[16];
    stlclash_options o = ask_usual();
    ask_placement(m, 3);
    o.placement[0] = o.placement[1] = m;
    o.touch_gap = 0.1;
    stlclash_result *one = ask_images(&plate, &above, &o);
    CHECK(one->status == STLCLASH_CONTACT && fabs(one->contact_area - 0.7 * 1.2) < 1e-6,
          "%s, contact area %.17g", stlclash_status_text(one->status), one->contact_area);
    for (o.threads = 2; o.threads <= 4; o.threads++) {
        stlclash_result *more = ask_images(&plate, &above, &o);
        CHECK(more->contact_area == one->contact_area, "%d threads: %.17g instead of %.17g",
              o.threads, more->contact_area, one->contact_area);
        stlclash_result_free(more);
    }
    stlclash_result_free(one);
    image_free(&plate);
    image_free(&above);
}

/* Each facet within the tolerance of each: nobody waits for that. */
TEST(contact_area_within_too_wide_a_gap_is_not_known)
{
    stl_image plate = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 48);
    stl_image above = make_box((double[]){0, 0, 1.5}, (double[]){1, 1, 2.5}, 49);
    stlclash_options o = ask_usual();
    o.touch_gap = 100;
    stlclash_result *r = ask_images(&plate, &above, &o);
    CHECK(r->status == STLCLASH_CONTACT && !r->has_contact_area &&
              ask_has_note(r, "contact_area_unknown"),
          "%s, contact area %g", stlclash_status_text(r->status), r->contact_area);
    stlclash_result_free(r);
    image_free(&plate);
    image_free(&above);
}

/* ---- what bounds nothing ---------------------------------------------------------------- */

/* A square across z, from (x, y) on, one way and back; whose back has the other diagonal, or
 * not. */
static stl_image fin_at(float x, float y, float z, bool other_diagonal)
{
    const float corner[4][3] = {{x, y, z}, {x + 1, y, z}, {x + 1, y + 1, z}, {x, y + 1, z}};
    static const int split[3][6] = {{0, 1, 2, 0, 2, 3}, {0, 2, 1, 0, 3, 2}, {1, 0, 3, 1, 3, 2}};
    const int *way[2] = {split[0], split[other_diagonal ? 2 : 1]};
    float facets[4][9];
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 3; k++) {
            facets[i / 3][i % 3 * 3 + k] = corner[way[i / 6][i % 6]][k];
        }
    }
    return make_facets(facets[0], 4);
}

static void expect_turned(const stl_image *a, const stl_image *b, stlclash_status status,
                          double area, const char *what)
{
    stlclash_options o = ask_usual();
    double m[16];
    ask_placement(m, 2);
    o.touch_gap = 0.01;
    expect_area(a, b, &o, status, area, NULL, what);
    o.placement[0] = o.placement[1] = m;
    expect_area(a, b, &o, status, area, NULL, what);
    o.touch_gap = STLCLASH_AUTO;
    expect_area(a, b, &o, status, area, NULL, what);
}

/* A fin without thickness, of either part or of both, on the other part, on its own or on both. */
TEST(fins_touch_without_area)
{
    stl_image plate = block(0, 0, 0, 4, 4, 1), on_top = block(2, 2, 1, 3, 3, 2);
    stl_image apart = block(2, 2, 1.5, 3, 3, 2), deep = block(2, 2, 0.5, 3, 3, 2);
    for (int i = 0; i < 8; i++) {
        const bool other = i % 2;
        stl_image fin = fin_at(0.5f, 0.5f, 1, other), over = fin_at(2, 2, 1, other);
        stl_image finned = fin_at(0, 0, 5, other);
        image_join(&finned, &on_top);
        image_join(&finned, i & 2 ? &over : &fin);
        stl_image bare = fin_at(0, 0, 5, other), sunk = fin_at(0, 0, 5, other);
        image_join(&bare, &apart);
        image_join(&bare, &fin);
        image_join(&sunk, &deep);
        image_join(&sunk, &fin);
        stl_image base = fin_at(0.25f, 0.25f, 1, other);
        image_join(&base, &plate);
        if (i & 4) {
            image_shuffle(&finned);
            image_shuffle(&bare);
        }
        expect_turned(&plate, &finned, STLCLASH_CONTACT, 1, "beside or on what touches");
        expect_turned(&plate, &bare, STLCLASH_CONTACT, 0, "alone");
        expect_turned(&base, &bare, STLCLASH_CONTACT, 0, "of both parts");
        expect_turned(&base, &on_top, STLCLASH_CONTACT, 1, "of the plate");
        expect_turned(&plate, &sunk, STLCLASH_CLASH, 0, "beside an overlap");
        stlclash_result *r = ask_images(&plate, &bare, NULL);
        CHECK(r->has_normal && r->normal[2] == -1, "no normal of what a fin touches");
        stlclash_result_free(r);
        image_free(&fin);
        image_free(&over);
        image_free(&finned);
        image_free(&bare);
        image_free(&sunk);
        image_free(&base);
    }
    image_free(&plate);
    image_free(&on_top);
    image_free(&apart);
    image_free(&deep);
}

/* ---- facets over each other ---------------------------------------------------------------- */

/* How often each cell of a grid is covered; walls lie between cells. */
enum { GRID = 7 };
typedef struct cover {
    int times[GRID + 2][GRID + 2][GRID + 2]; /* from 1 on */
} cover;

static void cover_box(cover *c, const double low[3], const double high[3])
{
    for (int x = (int)low[0]; x < (int)high[0]; x++) {
        for (int y = (int)low[1]; y < (int)high[1]; y++) {
            for (int z = (int)low[2]; z < (int)high[2]; z++) {
                c->times[x + 1][y + 1][z + 1]++;
            }
        }
    }
}

/* On one side of a wall more than on the other: 1 below, -1 above. */
static int side_of(int below, int above)
{
    return (below > above) - (below < above);
}

static double counted_area(const cover *a, const cover *b, const oracle_frame *f)
{
    double area = 0;
    for (int i = 0; i < 3 * (GRID + 1) * (GRID + 1) * (GRID + 1); i++) {
        const int k = i % 3, at[3] = {i / 3 % (GRID + 1), i / (3 * (GRID + 1)) % (GRID + 1),
                                      i / (3 * (GRID + 1) * (GRID + 1))};
        const int x = at[0], y = at[1], z = at[2];
        const int u = x + (k == 0), v = y + (k == 1), w = z + (k == 2);
        const int of_a = side_of(a->times[x][y][z], a->times[u][v][w]);
        const int of_b = side_of(b->times[x][y][z], b->times[u][v][w]);
        area += of_a * of_b < 0 ? oracle_frame_area(f, k) : 0;
    }
    return area;
}

/* Boxes that stand wall to wall, lie in each other or twice in one place, and sheets of two facets
 * back to back. `divide`: each facet of boxes is, where it likes; else the frame is the plain
 * one. */
static stl_image some_boxes(const oracle_frame *f, bool divide, cover *c)
{
    stl_image all = make_facets(NULL, 0);
    *c = (cover){{{{0}}}};
    for (int n = 1 + test_below(4); n > 0; n--) {
        double low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = test_below(GRID - 1);
            high[k] = low[k] + 1 + test_below(k == 2 ? 2 : GRID - (int)low[k]);
        }
        for (int times = test_below(6) == 0 ? 2 : 1; times > 0; times--) {
            all =
                image_joined(all, divide ? oracle_split_box(low, high, test_below(2) ? 1 : 0.25, f)
                                         : make_box(low, high, 1));
            cover_box(c, low, high);
        }
    }
    for (int n = test_below(3); n > 0; n--) {
        const int k = test_below(3);
        double corner[3][3], level = test_below(GRID);
        float facet[2][9];
        for (int i = 0; i < 3; i++) {
            double at[3] = {test_below(4 * GRID) / 4.0, test_below(4 * GRID) / 4.0,
                            test_below(4 * GRID) / 4.0};
            at[k] = level;
            oracle_frame_place(f, at, corner[i]);
        }
        for (int i = 0; i < 9; i++) {
            facet[0][i] = (float)corner[i / 3][i % 3];
            facet[1][i] = (float)corner[2 - i / 3][i % 3];
        }
        all = image_joined(all, make_facets(facet[0], 2));
    }
    image_shuffle(&all);
    return all;
}

TEST(facets_over_each_other_touch_once_or_not_at_all)
{
    int some = 0, contacts = 0;
    for (int i = 0; i < test_rounds(600); i++) {
        const bool turn = i % 8 == 7; /* what is coplanar is so but for rounding */
        const oracle_frame f = i % 2 && !turn ? oracle_frame_random() : oracle_frame_plain();
        cover covered[2];
        stl_image a = some_boxes(&f, !turn, &covered[0]), b = some_boxes(&f, !turn, &covered[1]);
        const double area = counted_area(&covered[0], &covered[1], &f);
        stlclash_options o = i % 4 < 2 ? exact() : ask_usual();
        double m[16];
        if (i % 8 == 3) {
            ask_placement(m, 1);
            o.placement[0] = o.placement[1] = m;
        } else if (turn) {
            const double angle[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
            image_turn(&a, angle[0], angle[1], angle[2]);
            image_turn(&b, angle[0], angle[1], angle[2]);
        }
        o.no_depth = true;
        o.touch_overlap = 0; /* no depth is needed */
        stlclash_result *r = ask_images(&a, &b, &o), *back = ask_images(&b, &a, &o);
        const double off = 1e-9 * oracle_frame_area(&f, 0) + (i % 4 < 2 ? 1e-9 : 1e-4) * (1 + area);
        CHECK(!r->has_contact_area || fabs(r->contact_area - area) <= off,
              "round %d, %s: contact area %.9g of %.9g", i, stlclash_status_text(r->status),
              r->contact_area, area);
        CHECK(r->has_contact_area == back->has_contact_area &&
                  (!r->has_contact_area || r->contact_area == back->contact_area),
              "round %d: contact area %.17g, and %.17g the other way", i, r->contact_area,
              back->contact_area);
        some += r->has_contact_area && area > 0;
        contacts += r->status == STLCLASH_CONTACT;
        stlclash_result_free(r);
        stlclash_result_free(back);
        image_free(&a);
        image_free(&b);
    }
    CHECK(some > test_rounds(600) / 4 && contacts > test_rounds(600) / 100,
          "only %d touch, %d contacts", some, contacts);
}

/* Two bodies side by side in one part, whose walls are some floats apart, and a plate in one of
 * them up to there: nothing is touched, and the walls lean the normal no way. */
TEST(walls_a_few_floats_apart_bound_nothing)
{
    for (int steps = -2; steps <= 2; steps++) {
        double wall = 2;
        for (int i = 0; i < abs(steps); i++) {
            wall = (double)nextafterf((float)wall, steps < 0 ? 0.0f : 4.0f);
        }
        stl_image a = make_box((double[]){2, 2, 0}, (double[]){4, 4, 1}, 1);
        stl_image b = image_joined(make_box((double[]){2, 2, 0}, (double[]){3, 4, 2}, 1),
                                   make_box((double[]){0, 2, 0}, (double[]){wall, 4, 1}, 1));
        stlclash_result *r = ask_images(&a, &b, NULL);
        CHECK(r->status == STLCLASH_CLASH && r->has_contact_area && r->contact_area == 0,
              "%d floats: %s, contact area %g", steps, stlclash_status_text(r->status),
              r->contact_area);
        CHECK(fabs(r->normal[0] - 2 / sqrt(5)) < 1e-6 && fabs(r->normal[2] + 1 / sqrt(5)) < 1e-6,
              "%d floats: normal %g %g %g", steps, r->normal[0], r->normal[1], r->normal[2]);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- of any size ---------------------------------------------------------------------------- */

/* A block between two plates and beside a third, and a column of the same part through it: with the
 * largest coordinates that are floats, and with the least. */
TEST(faces_touch_at_any_size)
{
    static const double sizes[] = {0x1.fp127, 0x1p126, 0x1p-140, 0x1p-147};
    const stl_image plain[5] = {block(-1, -1, -0.5, 0.5, 1, 0.5), block(-1, -1, 0.5, 0.5, 0.5, 1),
                                block(-1, -1, -1, 0.5, 0.5, -0.5), block(0.5, -1, -0.5, 1, 1, 0.5),
                                block(-1, 0.5, -1, -0.5, 1, 1)};
    for (int i = 0; i < 4; i++) {
        const double size = sizes[i];
        stl_image a = make_facets(NULL, 0), b = make_facets(NULL, 0);
        for (int k = 0; k < 5; k++) {
            image_join(k == 0 ? &a : &b, &plain[k]);
        }
        image_scale(&a, size);
        image_scale(&b, size);
        stlclash_options o = exact();
        o.no_depth = true;
        stlclash_result *r = ask_images(&a, &b, &o);
        const stlclash_overlap *overlap = &r->overlap;
        CHECK(r->status == STLCLASH_CLASH && r->has_contact_area &&
                  fabs(r->contact_area / size / size - 6.5) < 1e-9,
              "size %g: %s, contact area %g", size, stlclash_status_text(r->status),
              r->contact_area / size / size);
        CHECK(fabs(overlap->volume / size / size / size - 0.25) < 1e-9 &&
                  isfinite(overlap->bounds[0][0]) && isfinite(overlap->regions[0].bounds[0][0]),
              "size %g: volume %g", size, overlap->volume / size / size / size);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
    for (int k = 0; k < 5; k++) {
        stl_image part = plain[k];
        image_free(&part);
    }
}

/* Between two planes, and beyond a third: its room is as wide as the parts, but there are no floats
 * so far off. */
TEST(a_shift_that_leaves_all_planes_has_a_centre_among_floats)
{
    const sc_contact_plane planes[3] = {{{1, 0, 0}, 2.5e38, 2.5e38, 1e76},
                                        {{0, 0, 1}, 1e38, 1e38, 1e76},
                                        {{0, 0, -1}, -2e38, -2e38, 1e76}};
    for (int i = 0; i < 2; i++) {
        sc_contact_plane behind[3];
        for (int k = 0; k < 3; k++) {
            behind[k] = planes[k];
            if (i == 1) { /* the same planes from their other sides */
                behind[k].normal = sc_scale(planes[k].normal, -1);
                behind[k].low = behind[k].high = -planes[k].low;
            }
        }
        const sc_vec3 none = {0, 0, 0};
        sc_shift s = sc_contact_shift(behind, 3, none, none, 5e38);
        CHECK(s.towards != 0 && isfinite(s.centre.x) && isfinite(s.centre.z), "centre %g %g %g",
              s.centre.x, s.centre.y, s.centre.z);
    }
}

/* More pairs that meet than one thread takes at a time: the same sum for any number of them. */
TEST(large_contacts_do_not_depend_on_threads)
{
    stl_image a = make_box((double[]){0, 0, 0}, (double[]){1, 1.3, 0.7}, 60);
    stl_image b = make_box((double[]){-0.2, 0.1, 0.7}, (double[]){0.7, 1.7, 1.1}, 59);
    stlclash_options o = ask_usual();
    stlclash_result *one = ask_images(&a, &b, &o);

    CHECK(one->status == STLCLASH_CONTACT && one->hit_count > 20000, "%s, %llu pairs meet",
          stlclash_status_text(one->status), (unsigned long long)one->hit_count);
    CHECK(fabs(one->contact_area - 0.7 * 1.2) < 1e-7, "contact area %.17g", one->contact_area);
    for (o.threads = 2; o.threads <= 5; o.threads++) {
        stlclash_result *more = ask_images(&a, &b, &o);
        CHECK(more->contact_area == one->contact_area && same_bits(more->normal, one->normal, 3),
              "%d threads: %.17g instead of %.17g", o.threads, more->contact_area,
              one->contact_area);
        stlclash_result_free(more);
    }
    stlclash_result_free(one);
    image_free(&a);
    image_free(&b);
}

/* ---- in time ---------------------------------------------------------------------------- */

TEST(facets_that_face_each_other_are_looked_for_while_there_is_time)
{
    stl_image a = block(0, 0, 0, 1, 1, 1), b = block(0, 0, 1.25, 1, 1, 2);
    const sc_flush flush = {0.0, 0.5, 0.0};
    couple c;
    couple_make(&c, &a, &b);
    for (int over = 0; over < 2; over++) {
        sc_watch watch = {.over = over != 0};
        sc_solid *const solid[2] = {&c.solid[0], &c.solid[1]};
        sc_facing facing;
        c.solid[0].watch = c.solid[1].watch = &watch;
        CHECK(sc_facing_find(solid, &flush, NULL, &facing) == !over, "time over: %d", over);
        CHECK(over ? facing.count == 0 : facing.complete && facing.count > 0, "%zu pairs",
              facing.count);
        sc_facing_free(&facing);
    }
    couple_free(&c);
    image_free(&a);
    image_free(&b);
}

/* ---- how much is looked at ---------------------------------------------------------------- */

/* Caps of cylinders, a little aslant: about their hubs each facet of one meets many of the other in
 * hardly more than a point, and whether it bounds anything is found out once, among its neighbours
 * about the hub. */
TEST(facets_of_fans_are_looked_at_once)
{
    enum { SIDES = 600 };
    stl_image a = make_cylinder(10, 1, SIDES), b = make_cylinder(10, 1, SIDES);
    stl_image beside = block(0, 20, 0, 1, 21, 1);
    couple c;
    image_move(&b, 0.5, 0, 0); /* the hub of the lower cap to the origin */
    image_turn(&b, 0, 0.02, 0.005);
    image_move(&b, 0.499, 0, 0);
    image_join(&a, &beside); /* whose walls lie in each other: so others may, too */
    image_join(&b, &beside);
    couple_make(&c, &a, &b);
    sc_contact_request request = {.solid = {&c.solid[0], &c.solid[1]}, .within = {1e-6, 0.3, 0.3}};
    sc_facing facing;
    sc_contact contact;
    CHECK(sc_facing_find(request.solid, &request.within, NULL, &facing) && facing.complete &&
              facing.count > SIDES * SIDES / 8,
          "%zu pairs", facing.count);
    request.beside = facing.pairs;
    request.beside_count = facing.count;
    CHECK(sc_contact_find(&request, &contact), "no memory");
    CHECK(contact.area > 0 && contact.visited > 0, "contact area %g, %llu", contact.area,
          (unsigned long long)contact.visited);
    CHECK(contact.visited <= 4 * SIDES * SIDES, "%llu facets looked at for %zu pairs",
          (unsigned long long)contact.visited, facing.count);
    sc_facing_free(&facing);
    couple_free(&c);
    image_free(&a);
    image_free(&b);
    image_free(&beside);
}
