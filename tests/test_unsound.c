/* test_unsound.c - parts that are not closed, inside out, or that overlap themselves: what is
 * told of them, and that it is said. Only the public interface is asked. */
#include "ask.h"
#include "solid_truth.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* ---- not closed ----------------------------------------------------------------- */

/* Without one facet of the side at +z. */
static stl_image open_cube(double low, double high)
{
    stl_image whole = cube(low, high), open = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&open);
    bool dropped = false;

    for (size_t i = 0; i < image_facets(&whole); i++) {
        shape_facet f = image_get(&whole, i);
        bool top = f.corner[0][2] == (float)high && f.corner[1][2] == (float)high &&
                   f.corner[2][2] == (float)high;
        if (top && !dropped) {
            dropped = true;
        } else {
            sink.take(sink.context, &f);
        }
    }
    CHECK(image_facets(&open) == 11, "not one facet is gone");
    image_free(&whole);
    return open;
}

TEST(open_parts_are_judged_by_their_surfaces)
{
    struct {
        stl_image other;
        stlclash_status status;
        const char *name;
    } row[] = {
        {simple_box(3.5, 5, 1, 2, 1, 2), STLCLASH_CLASH, "crossing"},
        {simple_box(4, 5, 1, 2, 1, 2), STLCLASH_CONTACT, "touching"},
        {simple_box(6, 7, 1, 2, 1, 2), STLCLASH_CLEAR, "far"},
        {cube(1, 2), STLCLASH_UNDECIDED, "inside"},
        {cube(-4, 8), STLCLASH_CLASH, "swallowed by a closed part"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stl_image open = open_cube(0, 4);
            stlclash_options o = way & 2 ? exact() : ask_usual();
            bool swap = way & 1;
            stlclash_result *r =
                ask_images(swap ? &row[i].other : &open, swap ? &open : &row[i].other, &o);
            o.no_overlap = true;
            CHECK(ask_status(&open, &row[i].other, &o) == r->status, "%s: another verdict alone",
                  row[i].name);
            o.quick = true;
            CHECK(ask_status(&open, &row[i].other, &o) == r->status, "%s: another when quick",
                  row[i].name);
            if (i < 4) { /* the last one: see below */
                CHECK(r->status == row[i].status, "%s: %s", row[i].name,
                      stlclash_status_text(r->status));
                CHECK(!r->has_overlap, "%s: an overlap", row[i].name);
                CHECK(i == 2 || r->note_count > 0, "%s: no note", row[i].name);
            } else { /* where its surface is inside a closed part is no doubt, but it has no
                        interior */
                CHECK(r->status == STLCLASH_CLASH || r->status == STLCLASH_UNDECIDED, "%s: %s",
                      row[i].name, stlclash_status_text(r->status));
            }
            CHECK((i == 3) == ask_has_note(r, "containment_unknown") || i == 4, "%s: note",
                  row[i].name);
            if (i < 2 || i == 3) {
                const stlclash_part_result *part = &r->part[swap];
                CHECK(part->has_health && !part->closed, "%s: not known to be open", row[i].name);
            }
            stlclash_result_free(r);
            image_free(&open);
        }
        image_free(&row[i].other);
    }
}

TEST(faces_of_open_parts_that_face_the_same_way_are_told_of)
{
    struct {
        stl_image other;
        bool alike;
        const char *name;
    } row[] = {
        {open_cube(0, 4), true, "the same twice"},
        {cube(0, 4), true, "the same, closed"},
        {simple_box(1, 3, 1, 3, 0, 2), true, "flush inside"},
        {simple_box(1, 3, 1, 3, -2, 0), false, "outside"},
        {simple_box(1, 3, 4, 6, 0, 2), false, "outside, beside it in a plane"},
        {simple_box(3.5, 5, 1, 2, 0, 1), false, "crossing: a clash tells more"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stl_image open = open_cube(0, 4);
            stlclash_options o = way & 2 ? exact() : ask_usual();
            const bool swap = way & 1;
            stlclash_result *r =
                ask_images(swap ? &row[i].other : &open, swap ? &open : &row[i].other, &o);
            CHECK(r->status == (i < 5 ? STLCLASH_CONTACT : STLCLASH_CLASH), "%s: %s", row[i].name,
                  stlclash_status_text(r->status));
            CHECK(ask_has_note(r, "open_faces_alike") == row[i].alike, "%s: note", row[i].name);
            stlclash_result_free(r);
            image_free(&open);
        }
        image_free(&row[i].other);
    }
}

TEST(mixed_orientation_is_not_closed)
{
    stl_image a = cube(0, 1), b = cube(5, 6);
    shape_facet f = image_get(&a, 4), g = f;
    stlclash_options o = exact();

    memcpy(g.corner[0], f.corner[1], sizeof f.corner[0]);
    memcpy(g.corner[1], f.corner[0], sizeof f.corner[0]);
    image_set(&a, 4, &g);
    o.health = true;
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->status == STLCLASH_CLEAR, "status %s", stlclash_status_text(r->status));
    CHECK(r->part[0].has_health && !r->part[0].closed && r->part[0].warning_count > 0,
          "a part of mixed orientation counts as closed");
    CHECK(r->part[1].has_health && r->part[1].closed && r->part[1].warning_count == 0 &&
              fabs(r->part[1].volume - 1) < 1e-15,
          "a cube is not healthy");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* ---- no volume ------------------------------------------------------------------ */

static stlclash_status status_by(const stl_image *a, const stl_image *b, int way)
{
    stlclash_options o = ask_usual();
    o.exact = way % 2;
    o.quick = way / 2 == 1;
    o.no_overlap = way / 2 == 2;
    return ask_status(a, b, &o);
}

/* Nor does it speak for the facets after it. */
TEST(a_first_facet_without_area_tells_nothing)
{
    static const float stray[9] = {20, 20, 20, 21, 21, 21, 22, 22, 22};
    stl_image a = image_joined(make_facets(stray, 1), cube(-1, 1)), b = cube(-3, 3);
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK(r->has_overlap && r->overlap.volume == 8, "volume %g", r->overlap.volume);
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* Not even where it lies in the other part. */
TEST(facets_without_area_are_in_nothing)
{
    static const float stray[2][9] = {{0}, {0, 0, 0, 1, 0, 0, 0.5F, 0, 0}};
    stl_image b = cube(-2, 2);
    for (int way = 0; way < 24; way++) {
        stl_image nothing = make_facets(stray[way / 6 % 2], 1);
        stl_image a =
            way < 12 ? image_joined(cube(10, 11), nothing) : image_joined(nothing, cube(10, 11));
        stlclash_status status = status_by(&a, &b, way % 6);
        CHECK(status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(status));
        image_free(&a);
    }
    image_free(&b);
}

/* Closed, but without thickness: it is a clash, and the report says why nothing is measured. */
TEST(sheets_that_pass_through_say_so)
{
    const float p[4][3] = {{0.5f, -1, -1}, {0.5f, 2, -1}, {0.5f, 2, 2}, {0.5f, -1, 2}};
    static const int corners[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};
    float sheet[4][9];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 9; k++) {
            sheet[i][k] = p[corners[i][k / 3]][k % 3];
        }
    }
    stl_image a = make_facets(sheet[0], 4);
    stl_image b = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK(r->status == STLCLASH_CLASH && !r->has_overlap, "%s", stlclash_status_text(r->status));
    CHECK(ask_has_note(r, "overlap_without_volume"), "no note");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* ---- inside out ----------------------------------------------------------------- */

TEST(inside_out_parts_are_read_the_right_way_round)
{
    double low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
    struct {
        stl_image a, b;
        truth t;
        const char *name;
    } row[] = {
        {cube(0, 4), cube(3, 5), clash(1, STLCLASH_NEITHER), "corner in corner"},
        {cube(0, 4), cube(1, 2), clash(1, STLCLASH_B), "swallowed"},
        {cube(1, 2), cube(0, 4), clash(1, STLCLASH_A), "swallows"},
        {cube(0, 4), cube(0, 4), clash(64, STLCLASH_NEITHER), "identical"},
        {cube(0, 4), simple_box(4, 5, 0, 4, 0, 4), contact(16), "touching"},
        {cube(0, 4), cube(5, 6), clear(), "apart"},
        {make_hollow_box(low, high, 1), cube(1, 3), contact(24), "a cavity filled"},
        {make_hollow_box(low, high, 1), cube(1.5, 2.5), clear(), "loose in a cavity"},
        {make_hollow_box(low, high, 1), cube(.5, 3.5), clash(19, STLCLASH_NEITHER), "in walls"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 1; way < 4; way++) {
            stl_image a = make_facets(NULL, 0), b = make_facets(NULL, 0);
            stlclash_options o = exact();
            image_join(&a, &row[i].a);
            image_join(&b, &row[i].b);
            if (way & 1) {
                image_invert(&a);
            }
            if (way & 2) {
                image_invert(&b);
            }
            o.health = true;
            stlclash_result *r = ask_images(&a, &b, &o);
            check_truth(r, &row[i].t, 6, row[i].name);
            for (int k = 0; k < 2; k++) {
                const stlclash_part_result *part = &r->part[k];
                double volume = oracle_volume(k ? &row[i].b : &row[i].a);
                CHECK(part->closed && fabs(part->volume - volume) < 1e-12, "%s: part volume %g",
                      row[i].name, part->volume);
                CHECK((part->warning_count > 0) == (way >> k & 1), "%s: %d warnings", row[i].name,
                      (int)part->warning_count);
            }
            stlclash_result_free(r);
            image_free(&a);
            image_free(&b);
        }
        image_free(&row[i].a);
        image_free(&row[i].b);
    }
}

/* A cavity that sticks out of its part: there the winding number is -1. */
TEST(what_lies_in_a_shell_that_sticks_out_is_inside)
{
    stl_image a = make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1);
    stl_image cavity = make_box((double[]){4, 4, -3}, (double[]){6, 6, 9}, 1);
    stl_image b = make_box((double[]){4.5, 4.5, -2.5}, (double[]){5.5, 5.5, -1}, 1);
    image_invert(&cavity);
    image_join(&a, &cavity);
    for (int way = 0; way < 6; way++) {
        stlclash_status status = status_by(&a, &b, way);
        CHECK(status == STLCLASH_CLASH, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&cavity);
    image_free(&b);
}

/* However far off: all of it must. */
TEST(a_part_of_which_some_lies_outside_is_not_contained)
{
    stl_image b = cube(-3, 3);
    for (int way = 0; way < 8; way++) {
        const double off = way & 2 ? 2.5 : 40; /* touching nothing, or sticking out */
        stl_image a = image_joined(make_box((double[]){-1, -1, -1}, (double[]){1, 1, 1}, 6),
                                   make_box((double[]){off, -1, -1}, (double[]){off + 1, 1, 1}, 6));
        if (way & 4) {
            image_shuffle(&a);
        }
        stlclash_result *r = way & 1 ? ask_images(&b, &a, NULL) : ask_images(&a, &b, NULL);
        CHECK(r->has_overlap && r->overlap.contained == STLCLASH_NEITHER, "way %d: contained %d",
              way, r->overlap.contained);
        stlclash_result_free(r);
        image_free(&a);
    }
    image_free(&b);
}

/* Of either part, and wherever the other one is. */
TEST(a_cavity_that_sticks_out_says_so)
{
    stl_image image[2] = {make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1),
                          make_box((double[]){8, 8, 8}, (double[]){12, 12, 12}, 1)};
    stl_image cavity = make_box((double[]){4, 4, -3}, (double[]){6, 6, 9}, 1);
    image_invert(&cavity);
    image_join(&image[0], &cavity);
    for (int first = 0; first < 2; first++) {
        stlclash_result *r = ask_images(&image[first], &image[1 - first], NULL);
        CHECK(r->overlap.volume == 8 && ask_has_note(r, "counted_with_multiplicity"),
              "%d: volume %g", first, r->overlap.volume);
        stlclash_result_free(r);
    }
    image_free(&image[0]);
    image_free(&image[1]);
    image_free(&cavity);
}

/* ---- covered twice -------------------------------------------------------------- */

TEST(a_part_over_itself_counts_twice_and_says_so)
{
    stl_image a = image_joined(cube(0, 1), cube(0, 1)), b = cube(0, 1);
    stlclash_options o = exact();
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(ask_has_note(r, "counted_with_multiplicity"), "no note");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* Where a part overlaps itself deep inside the other one, no surface of that tells of it. */
/* A tube along an eight that lies in a plane, where it passes through itself, or is lifted. */
static stl_image make_eight(int around, double tube, double lift)
{
    enum { ACROSS = 12 };
    stl_image image = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&image);
    for (int i = 0; i < around * ACROSS; i++) {
        float v[4][3];
        for (int c = 0; c < 4; c++) {
            const double t = 1 + 2 * M_PI * ((i / ACROSS + c / 2) % around) / around;
            const double u = 2 * M_PI * ((i + c % 2) % ACROSS) / ACROSS;
            const double x = 2 * cos(t) - 0.5 * sin(2 * t), y = 2 * cos(2 * t);
            const double size = hypot(x, y);
            v[c][0] = (float)(2 * sin(t) + 0.25 * cos(2 * t) - tube * cos(u) * y / size);
            v[c][1] = (float)(sin(2 * t) + tube * cos(u) * x / size);
            v[c][2] = (float)(lift * cos(t) + tube * sin(u));
        }
        for (int half = 0; half < 2; half++) {
            shape_facet facet;
            memcpy(facet.corner[0], v[half], sizeof v[0]);
            memcpy(facet.corner[1], v[2], sizeof v[0]);
            memcpy(facet.corner[2], v[half ? 3 : 1], sizeof v[0]);
            sink.take(sink.context, &facet);
        }
    }
    return image;
}

/* Amid a large part nothing but some vertices of the tube, of which one in fifteen is there, tells:
 * mostly. */
TEST(small_places_that_are_covered_twice_say_so)
{
    const int rounds = test_rounds(40);
    int missed = 0;
    for (int round = 0; round < rounds; round++) {
        const bool apart = round % 2;
        stl_image large = cube(-9, 9);
        stl_image eight = make_eight(100 + (int)test_below(200), 0.18, apart ? 0.3 : 0);
        stlclash_result *r = ask_images(&eight, &large, NULL);
        bool said = ask_has_note(r, "counted_with_multiplicity");
        CHECK(r->status == STLCLASH_CLASH && r->overlap.volume > 0, "round %d: no overlap", round);
        CHECK(!(apart && said), "round %d: said", round);
        missed += !apart && !said;
        stlclash_result_free(r);
        image_free(&eight);
        image_free(&large);
    }
    CHECK(missed <= 1 + rounds / 4, "%d of %d not said", missed, (rounds + 1) / 2);
}

/* Of many shells two that overlap each other: at a corner, as bars that cross, one inside the
 * other, or flush. Deep inside the other part no surface of that tells of it. */
TEST(few_of_many_shells_that_overlap_say_so)
{
    enum { CELLS = 4, KINDS = 6 };
    static const double more[KINDS][6] = {{1.3, 2.3, 1.2, 2.4, 1.4, 2.2},
                                          {-0.3, 2.6, 0.6, 0.9, 0.2, 0.7},
                                          {0.4, 0.5, 0.6, 0.8, 0.7, 0.9},
                                          {0.5, 1, 0, 1.5, 0, 1.5},
                                          {1.5, 2, 0, 1.5, 0, 1.5}, /* side by side */
                                          {0, 0, 0, 0, 0, 0}};      /* no other one */
    stl_image large = cube(-9, 20), cut = simple_box(-9, 20, -9, 20, 4, 20);
    const int rounds = test_rounds(60);
    for (int round = 0; round < rounds; round++) {
        const double *extra = more[round % KINDS];
        const int chosen = CELLS * CELLS * (CELLS / 2) +
                           (int)test_below(CELLS * CELLS * (CELLS / 2)); /* beyond the cut */
        stl_image many = make_facets(NULL, 0);
        for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
            const double x = 3 * (i % CELLS), y = 3 * (i / CELLS % CELLS),
                         z = 3 * (i / CELLS / CELLS);
            stl_image one = simple_box(x, x + 1.5, y, y + 1.5, z, z + 1.5);
            image_join(&many, &one);
            image_free(&one);
            if (i == chosen && round % KINDS < KINDS - 1) {
                one = simple_box(x + extra[0], x + extra[1], y + extra[2], y + extra[3],
                                 z + extra[4], z + extra[5]);
                image_join(&many, &one);
                image_free(&one);
            }
        }
        image_shuffle(&many);
        for (int way = 0; way < 4; way++) {
            const stl_image *other = way < 2 ? &large : &cut;
            stlclash_options o = ask_usual();
            o.no_depth = true;
            stlclash_result *r =
                way % 2 ? ask_images(&many, other, &o) : ask_images(other, &many, &o);
            CHECK(ask_has_note(r, "counted_with_multiplicity") == (round % KINDS < 4),
                  "kind %d, way %d", round % KINDS, way);
            stlclash_result_free(r);
        }
        image_free(&many);
    }
    image_free(&large);
    image_free(&cut);
}

TEST(shells_that_overlap_each_other_say_so)
{
    stl_image plus = image_joined(simple_box(-3, 3, -1, 1, -1, 1), simple_box(-1, 1, -3, 3, -2, 2));
    stl_image twice = image_joined(simple_box(0, 2, 0, 1, 0, 1), simple_box(0, 2, 0, 1, 0, 1));
    stl_image nested = image_joined(cube(-2, 2), cube(-1, 1));
    stl_image hollow = make_hollow_box((double[]){-2, -2, -2}, (double[]){2, 2, 2}, 1);
    stl_image apart =
        image_joined(simple_box(-3, -1, -1, 1, -1, 1), simple_box(1, 3, -1, 1, -1, 1));
    stl_image corner = image_joined(simple_box(-3, 0, -3, 0, -1, 1), simple_box(0, 3, 0, 3, -1, 1));
    /* Neither the middle of its box is in it, nor is what lies half way to the corners. */
    stl_image ring = image_joined(make_torus(1, 0.1, 12, 8), make_torus(1, 0.1, 12, 8));
    /* Only of what their boxes have in common is the middle in both. */
    stl_image across =
        image_joined(simple_box(-5, 5, 0, 1, 0, 1.5), simple_box(3, 4, -5, 8, 0.25, 1.25));
    stl_image large = cube(-9, 9), cut = simple_box(-9, 9, -9, 9, 0.5, 9);
    image_move(&ring, 0, 0, 0.5);
    const struct {
        const char *name;
        const stl_image *image;
        bool counted;
    } row[] = {{"a plus", &plus, true},         {"a doubled box", &twice, true},
               {"nested", &nested, true},       {"hollow", &hollow, false},
               {"apart", &apart, false},        {"at a corner", &corner, false},
               {"a doubled ring", &ring, true}, {"across near an end", &across, true}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            const stl_image *other = way < 2 ? &large : &cut;
            stlclash_result *r = way % 2 ? ask_images(row[i].image, other, NULL)
                                         : ask_images(other, row[i].image, NULL);
            CHECK(ask_has_note(r, "counted_with_multiplicity") == row[i].counted, "%s, way %d",
                  row[i].name, way);
            stlclash_result_free(r);
        }
    }
    image_free(&plus);
    image_free(&twice);
    image_free(&nested);
    image_free(&hollow);
    image_free(&apart);
    image_free(&corner);
    image_free(&ring);
    image_free(&across);
    image_free(&large);
    image_free(&cut);
}

/* Behind a wall of the other part a part may be there twice: that they touch there, and overlap
 * elsewhere, counts nothing twice. In the last rows they do overlap there. */
TEST(touching_where_a_part_is_there_twice_is_not_counted)
{
    const struct {
        double first[6], second[6], other[6], volume;
        bool counted;
    } row[] = {
        {{0, 2, 0, 2, 1, 3}, {0, 3, 1, 2, 2, 3}, {0, 1, 0, 1, 1, 2}, 1, false},
        {{0, 3, 2, 3, 2, 3}, {0, 2, 0, 3, 1, 3}, {1, 2, 0, 2, 0, 2}, 2, false},
        {{2, 3, 2, 3, 0, 3}, {0, 3, 1, 3, 0, 1}, {1, 2, 1, 2, 0, 3}, 1, false},
        {{0, 2, 0, 2, 1, 3}, {0, 3, 1, 2, 2, 3}, {0, 1, 0, 2, 1, 3}, 5, true},
        {{2, 3, 2, 3, 0, 3}, {0, 3, 1, 3, 0, 1}, {1, 2.0625, 1, 2.0625, 0, 3}, 1.140625, true},
    };
    for (size_t i = 0; i < 2 * sizeof row / sizeof row[0]; i++) {
        const double *f = row[i / 2].first, *s = row[i / 2].second, *o = row[i / 2].other;
        stl_image twice = image_joined(simple_box(f[0], f[1], f[2], f[3], f[4], f[5]),
                                       simple_box(s[0], s[1], s[2], s[3], s[4], s[5]));
        stl_image other = simple_box(o[0], o[1], o[2], o[3], o[4], o[5]);
        stlclash_result *r =
            i % 2 ? ask_images(&twice, &other, NULL) : ask_images(&other, &twice, NULL);
        CHECK(r->overlap.volume == row[i / 2].volume, "%zu: volume %.17g", i, r->overlap.volume);
        CHECK(ask_has_note(r, "counted_with_multiplicity") == row[i / 2].counted, "%zu", i);
        stlclash_result_free(r);
        image_free(&twice);
        image_free(&other);
    }
}

/* A shell inside another that points outwards too is no cavity. */
TEST(nested_outward_shells_stay_solid)
{
    stl_image a = image_joined(cube(0, 4), cube(1, 3)), b = cube(1.5, 2.5);
    stlclash_options o = exact();
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->status == STLCLASH_CLASH && r->overlap.contained == STLCLASH_B, "status %s",
          stlclash_status_text(r->status));
    CHECK(fabs(r->overlap.volume - 2) < 1e-14 && ask_has_note(r, "counted_with_multiplicity"),
          "volume %g", r->overlap.volume);
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}
