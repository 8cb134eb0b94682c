/* test_edges.c - open sheets that pass through solids exactly along edges of facets: cells, and a
 * sheet in one of the planes between them, against what the cells about each edge say. */
#include "ask.h"
#include "oracle_solid.h"
#include "test.h"

#include <math.h>

/* A sheet across z, of squares; as one rectangle, or square by square. */
typedef struct sheet {
    int z, low[2], high[2];
    bool whole;
    bool square[ORACLE_VOXELS][ORACLE_VOXELS]; /* from low on */
} sheet;

static bool has_square(const sheet *s, int x, int y)
{
    return x >= s->low[0] && x < s->high[0] && y >= s->low[1] && y < s->high[1] &&
           (s->whole || s->square[x - s->low[0]][y - s->low[1]]);
}

static sheet random_sheet(int n)
{
    sheet s = {.z = (int)test_below(n + 1), .whole = test_below(2)};
    for (int k = 0; k < 2; k++) {
        s.low[k] = (int)test_below(n + 1) - 1;
        s.high[k] = s.low[k] + 1 + (int)test_below(n + 1 - s.low[k]);
    }
    for (int x = 0; x < ORACLE_VOXELS; x++) {
        for (int y = 0; y < ORACLE_VOXELS; y++) {
            s.square[x][y] = test_below(5) > 0;
        }
    }
    return s;
}

static void add_rectangle(stl_image *image, const oracle_frame *f, int x, int y, int to_x, int to_y,
                          int z)
{
    const int corner[4][2] = {{x, y}, {to_x, y}, {to_x, to_y}, {x, to_y}};
    const int half[2][3] = {{0, 1, 2}, {0, 2, 3}}, turn = (int)test_below(2);
    float facet[18];
    for (int i = 0; i < 18; i++) {
        const int *at = corner[(half[i / 9][i / 3 % 3] + turn) % 4];
        double place[3];
        oracle_frame_place(f, (double[]){at[0], at[1], z}, place);
        facet[i] = (float)place[i % 3];
    }
    stl_image both = make_facets(facet, 2);
    image_join(image, &both);
    image_free(&both);
}

static stl_image sheet_mesh(const sheet *s, const oracle_frame *f)
{
    stl_image image = make_facets(NULL, 0);
    if (s->whole) {
        add_rectangle(&image, f, s->low[0], s->low[1], s->high[0], s->high[1], s->z);
    }
    for (int x = s->low[0]; x < s->high[0] && !s->whole; x++) {
        for (int y = s->low[1]; y < s->high[1]; y++) {
            if (has_square(s, x, y)) {
                add_rectangle(&image, f, x, y, x + 1, y + 1, s->z);
            }
        }
    }
    return image;
}

/* A wall stands across an edge within the sheet, above it and below, and none along it. */
static bool passes_through(const oracle_voxels *v, const sheet *s)
{
    bool passes = false;
    for (int x = s->low[0]; x < s->high[0]; x++) {
        for (int y = s->low[1]; y < s->high[1]; y++) {
            for (int k = 0; k < 2; k++) {
                int to_x = x + (k == 0), to_y = y + (k == 1);
                bool above = oracle_voxels_at(v, x, y, s->z);
                bool beside = oracle_voxels_at(v, to_x, to_y, s->z);
                passes |= has_square(s, x, y) && has_square(s, to_x, to_y) && above != beside &&
                          above == oracle_voxels_at(v, x, y, s->z - 1) &&
                          beside == oracle_voxels_at(v, to_x, to_y, s->z - 1);
            }
        }
    }
    return passes;
}

/* Some facets are there more than once; or the other way round too, but not the first one: a
 * sheet of nothing but facets back to back would be closed. */
static void repeat_some(stl_image *image)
{
    stl_image more = make_facets(NULL, 0);
    const bool turned = test_below(2), all = test_below(2);
    for (size_t i = turned ? 1 : 0; i < image_facets(image); i++) {
        const shape_facet facet = image_get(image, i);
        const int times = all ? 1 : test_below(3);
        for (int k = 0; k < times; k++) {
            stl_image one = make_facets(facet.corner[0], 1);
            image_join(&more, &one);
            image_free(&one);
        }
    }
    if (turned) {
        image_invert(&more);
    }
    image_join(image, &more);
    image_free(&more);
}

TEST(open_sheets_cross_solids_along_edges)
{
    const int none[3] = {0, 0, 0};
    int count[2] = {0};
    for (int i = 0; i < test_rounds(3000); i++) {
        const oracle_frame f = i % 3 ? oracle_frame_random() : oracle_frame_plain();
        const oracle_voxels v = oracle_voxels_random(2 + i % 3, 0.2 + 0.15 * (i % 4));
        const sheet s = random_sheet(v.n);
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = sheet_mesh(&s, &f);
        stlclash_options o = ask_usual();
        o.quick = test_below(2);
        o.exact = test_below(2);
        bool swap = test_below(2), passes = passes_through(&v, &s);
        if (i % 4 == 3) {
            repeat_some(i % 8 == 3 ? &a : &b);
        }
        image_shuffle(&a);
        image_shuffle(&b);
        if (image_facets(&b) > 0) {
            stlclash_status status = ask_status(swap ? &b : &a, swap ? &a : &b, &o);
            CHECK((status == STLCLASH_CLASH) == passes, "round %d: %s", i,
                  stlclash_status_text(status));
            count[passes]++;
        }
        image_free(&a);
        image_free(&b);
    }
    CHECK(count[0] > test_rounds(3000) / 8 && count[1] > test_rounds(3000) / 30,
          "%d cross, %d do not", count[1], count[0]);
}

/* However little they do, and however they are asked. */
TEST(sheets_that_cross_along_edges_clash_in_every_mode)
{
    static const float folded[18] = {-1, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, -1, 0};
    static const float leaf[9] = {-0.5F, 0, -0x1p-23F, 0.5F, 0, -0x1p-23F, 0, 0, 1};
    stl_image a = make_facets(folded, 2), b = make_facets(leaf, 1);
    for (int way = 0; way < 12; way++) {
        stlclash_options o = ask_usual();
        o.quick = way % 3 == 1;
        o.no_overlap = way % 3 == 2;
        o.exact = way / 3 == 1;
        o.touch_overlap = way / 6 == 1 ? 0.5 : o.touch_overlap;
        stlclash_status status = ask_status(way / 3 % 2 ? &b : &a, way / 3 % 2 ? &a : &b, &o);
        CHECK(status == STLCLASH_CLASH, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&b);
}

/* Two bands of two squares that share the edge they are folded along: around it the leaves of one
 * lie between those of the other, or do not. */
TEST(sheets_cross_each_other_along_edges_of_both)
{
    int count[2] = {0};
    for (int i = 0; i < test_rounds(2000); i++) {
        static const int around[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                         {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
        const oracle_frame f = i % 3 ? oracle_frame_random() : oracle_frame_plain();
        int way[4]; /* of the leaves, in eighths of a turn: two of A, two of B */
        bool differ = true;
        for (int k = 0; k < 4; k++) {
            way[k] = (int)test_below(8);
            for (int j = 0; j < k; j++) {
                differ = differ && way[j] != way[k];
            }
        }
        if (!differ) {
            continue;
        }
        stl_image image[2];
        for (int part = 0; part < 2; part++) {
            float facets[18];
            for (int c = 0; c < 18; c++) {
                const int *w = around[way[2 * part + c / 9]];
                const double tips[2] = {0.25, 0.75};
                double at[3] = {0, 0, c / 3 % 3 == 1 ? 1 : 0}, place[3];
                if (c / 3 % 3 == 2) {
                    at[0] = w[0];
                    at[1] = w[1];
                    at[2] = tips[part];
                }
                oracle_frame_place(&f, at, place);
                facets[c] = (float)place[c % 3];
            }
            image[part] = make_facets(facets, 2);
            if (i % 4 == 3) {
                repeat_some(&image[part]);
            }
        }
        int low = way[0] < way[1] ? way[0] : way[1], high = way[0] + way[1] - low;
        bool first = way[2] > low && way[2]<high, second = way[3]> low && way[3] < high;
        stlclash_options o = ask_usual();
        o.exact = true;
        stlclash_status status = ask_status(&image[i % 2], &image[1 - i % 2], &o);
        CHECK(status == (first != second ? STLCLASH_CLASH : STLCLASH_CONTACT), "round %d: %s", i,
              stlclash_status_text(status));
        count[first != second]++;
        image_free(&image[0]);
        image_free(&image[1]);
    }
    CHECK(count[0] > test_rounds(2000) / 10 && count[1] > test_rounds(2000) / 20,
          "%d cross, %d do not", count[1], count[0]);
}

/* Very many leaves about one edge are not told apart, and that is said. */
TEST(many_sheets_at_an_edge_are_undecided)
{
    for (int leaves = 2; leaves <= 64; leaves *= 32) {
        stl_image brush = make_facets(NULL, 0);
        for (int i = 0; i < leaves; i++) {
            const double turn = 3.0 * (i + 0.5) / leaves; /* less than half a turn */
            const float leaf[9] = {0, 0, 0, 0, 0, 1, (float)cos(turn), (float)sin(turn), 0.25F};
            stl_image one = make_facets(leaf, 1);
            image_join(&brush, &one);
            image_free(&one);
        }
        const float folded[18] = {0, 0, 0, 0, 0, 1, 1, 0, 0.75F, 0, 0, 1, 0, 0, 0, -1, -1, 0.75F};
        stl_image fold = make_facets(folded, 2);
        stlclash_options o = ask_usual();
        stlclash_result *r = ask_images(&brush, &fold, &o);
        CHECK(r->status == (leaves == 2 ? STLCLASH_CONTACT : STLCLASH_UNDECIDED) &&
                  ask_has_note(r, "depth_undecided") == (leaves > 2),
              "%d leaves: %s", leaves, stlclash_status_text(r->status));
        stlclash_result_free(r);
        image_free(&brush);
        image_free(&fold);
    }
}

/* A panel of facets back to back is closed and has no volume: through a box along the edges of its
 * facets it passes no less than anywhere else. On the box it stands. */
TEST(panels_without_volume_clash_along_edges_too)
{
    const struct {
        float x, low;
        stlclash_status status;
    } row[] = {{2, 3, STLCLASH_CLASH},
               {2, 4, STLCLASH_CONTACT},
               {2.25F, 3, STLCLASH_CLASH},
               {2.25F, 4, STLCLASH_CONTACT}};
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){4, 4, 4}, 4);
    for (size_t i = 0; i < 4 * sizeof row / sizeof row[0]; i++) {
        const float x = row[i / 4].x, low = row[i / 4].low;
        const float corners[18] = {x, 1, low, x, 3, low, x, 3, 5, x, 1, low, x, 3, 5, x, 1, 5};
        stl_image panel = make_facets(corners, 2), back = make_facets(corners, 2);
        stlclash_options o = ask_usual();
        image_invert(&back);
        image_join(&panel, &back);
        o.quick = i % 2;
        o.exact = i / 2 % 2;
        stlclash_status status = ask_status(&panel, &box, &o);
        CHECK(status == row[i / 4].status, "%zu: %s", i, stlclash_status_text(status));
        status = ask_status(&box, &panel, &o);
        CHECK(status == row[i / 4].status, "%zu, swapped: %s", i, stlclash_status_text(status));
        image_free(&panel);
        image_free(&back);
    }
    image_free(&box);
}

/* Of facets back to back: nothing is inside, however much they surround. */
static stl_image double_sided(double x)
{
    stl_image out = make_sphere(1, 8), back = make_sphere(1, 8);
    image_invert(&back);
    stl_image both = image_joined(out, back);
    image_move(&both, x, 0.3, 0.2);
    return both;
}

/* They pass through each other, deeper than any tolerance, though no point lies deep. */
TEST(edges_of_double_sided_hulls)
{
    stl_image a = double_sided(0), b = double_sided(1.5), solid = make_sphere(1, 8);
    const stl_image *with[] = {&b, &solid};
    for (int i = 0; i < 2; i++) {
        for (int way = 0; way < 3; way++) {
            stlclash_options o = ask_usual();
            o.quick = way == 1;
            o.no_overlap = way == 2;
            stlclash_result *r = ask_images(&a, with[i], &o);
            CHECK(r->status == STLCLASH_CLASH, "with %s, way %d: %s", i ? "a solid" : "another",
                  way, stlclash_status_text(r->status));
            stlclash_result_free(r);
        }
    }
    image_free(&a);
    image_free(&b);
    image_free(&solid);
}
