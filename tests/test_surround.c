/* test_surround.c - parts that are not closed, and what they may hold: against solid angles
 * summed up at many points, without a border, balls or steps. */
#include "ask.h"
#include "couple.h"
#include "mesh.h"
#include "open/cracks.h"
#include "open/rim.h"
#include "open/span.h"
#include "open/welds.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* ---- shapes ------------------------------------------------------------------- */

/* Without the facets that `dropped` names. */
static stl_image without(const stl_image *image, bool (*dropped)(const shape_facet *))
{
    stl_image rest = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&rest);
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet f = image_get(image, i);
        if (!dropped(&f)) {
            sink.take(sink.context, &f);
        }
    }
    return rest;
}

static bool is_flat_in_x(const shape_facet *f)
{
    return f->corner[0][0] == f->corner[1][0] && f->corner[1][0] == f->corner[2][0];
}

static bool is_cap_at_high_x(const shape_facet *f)
{
    return is_flat_in_x(f) && f->corner[0][0] > 0;
}

static bool one_in_three(const shape_facet *f)
{
    (void)f;
    return test_below(3) == 0;
}

static bool one_in_ten(const shape_facet *f)
{
    (void)f;
    return test_below(10) == 0;
}

static bool none_of_them(const shape_facet *f)
{
    (void)f;
    return false;
}

/* Cylinders along x, of length 4 and radius 2: without both caps, or one. */
static stl_image make_tube(bool both)
{
    stl_image whole = make_cylinder(2, 4, 24);
    stl_image open = without(&whole, both ? is_flat_in_x : is_cap_at_high_x);
    image_free(&whole);
    return open;
}

static stl_image make_rod(double radius, double from, double to)
{
    stl_image rod = make_cylinder(radius, to - from, 12);
    image_move(&rod, 0.5 * (from + to), 0, 0);
    return rod;
}

/* Every facet halved at a vertex near the middle of an edge, which the neighbour knows nothing of:
 * a crack at each edge halved, no wider than `off` of it. */
static stl_image with_cracks(const stl_image *image, double off)
{
    stl_image halved = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&halved);
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet whole = image_get(image, i), low = whole, high = whole;
        double aside = test_uniform(-off, off);
        for (int k = 0; k < 3; k++) {
            double a = (double)whole.corner[0][k], b = (double)whole.corner[1][k];
            double c = (double)whole.corner[2][k];
            double middle = 0.5 * (a + b) + aside * (c - 0.5 * (a + b));
            low.corner[1][k] = high.corner[0][k] = (float)middle;
        }
        sink.take(sink.context, &low);
        sink.take(sink.context, &high);
    }
    return halved;
}

/* Closed or with some facets missing; of a size from 0.1 to 4, somewhere in a cube. */
static stl_image random_part(bool open)
{
    double size = 0.1 * pow(40.0, test_uniform(0, 1)), longer = test_uniform(0.5, 3);
    stl_image whole;
    switch (test_below(3)) {
    case 0: whole = make_cylinder(0.5 * size, size * longer, 6); break;
    case 1:
        whole = make_box((double[]){-0.5 * size, -0.5 * size, -0.5 * size},
                         (double[]){0.5 * size, 0.5 * size, size * longer}, 1);
        break;
    default: whole = make_sphere(0.5 * size, 2);
    }
    stl_image part = open ? without(&whole, one_in_three) : whole;
    if (open) {
        image_free(&whole);
    }
    image_turn(&part, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
    image_move(&part, test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1));
    return part;
}

/* ---- the oracle ---------------------------------------------------------------- */

static long double determinant(const long double v[3][3])
{
    return v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
           v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
}

static long double dot(const long double a[3], const long double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The solid angle that all facets take up as seen from p, of 1 for a whole sphere. */
static long double winding_about(const stl_image *image, const double p[3])
{
    long double sum = 0;
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet f = image_get(image, i);
        long double v[3][3], length[3];
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                v[k][c] = (long double)f.corner[k][c] - p[c];
            }
            length[k] = sqrtl(dot(v[k], v[k]));
        }
        sum += atan2l(determinant((const long double(*)[3])v),
                      length[0] * length[1] * length[2] + dot(v[0], v[1]) * length[2] +
                          dot(v[1], v[2]) * length[0] + dot(v[2], v[0]) * length[1]);
    }
    return sum / 6.283185307179586476925L;
}

/* Its greatest magnitude at many points on the facets of the other part. */
static double greatest_winding(const stl_image *in, const stl_image *of)
{
    enum { STEPS = 12 };
    long double greatest = 0;
    for (size_t i = 0; i < image_facets(of); i++) {
        shape_facet f = image_get(of, i);
        for (int k = 0; k <= STEPS; k++) {
            for (int m = 0; k + m <= STEPS; m++) {
                double p[3], t = (double)k / STEPS, u = (double)m / STEPS;
                for (int c = 0; c < 3; c++) {
                    p[c] = (1 - t - u) * (double)f.corner[0][c] + t * (double)f.corner[1][c] +
                           u * (double)f.corner[2][c];
                }
                greatest = fmaxl(greatest, fabsl(winding_about(in, p)));
            }
        }
    }
    return (double)greatest;
}

/* ---- the border ----------------------------------------------------------------- */

static double up_to_an_integer(double x)
{
    return x - nearbyint(x);
}

TEST(the_border_tells_the_winding_number)
{
    for (int i = 0; i < test_rounds(200); i++) {
        stl_image image = random_part(true);
        /* Of every other one eight of each facet: so often count the edges of its border. */
        for (int more = 0; more < 3 * (i % 2); more++) {
            stl_image same = {0};
            image_join(&same, &image);
            image = image_joined(image, same);
        }
        stlclash_mesh *mesh = ask_mesh(&image);
        sc_rim rim;
        CHECK(sc_rim_make(mesh, &rim), "no memory");
        for (int k = 0; k < 50; k++) {
            double within, ignored,
                p[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
            sc_vec3 at = {p[0], p[1], p[2]};
            double winding = sc_rim_winding(&rim, at, &within);
            double wrong = up_to_an_integer(winding - (double)winding_about(&image, p));
            CHECK(fabs(wrong) < 1e-9, "wrong by %g", wrong);
            CHECK(fabs(winding) <= 0.5, "%g", winding);
            CHECK(rim.count > 0 || isinf(within), "a closed part's changes");
            if (!isfinite(within)) {
                continue;
            }
            sc_vec3 way = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
            sc_vec3 step = sc_scale(way, within / sc_length(way)), next = sc_add(at, step);
            double change = up_to_an_integer(sc_rim_winding(&rim, next, &ignored) - winding);
            CHECK(fabs(change) <= 0.5 - fabs(winding), "from %.17g by %g within %g", winding,
                  change, within);
            sc_rim_look look;
            sc_rim_look_at(&rim, at, &look);
            double straight = sc_dot(look.gradient, step), swept = 0.0, error, errors = 1e-9;
            CHECK(fabs(change - straight) <= 27.0 / 16.0 * look.bend * within * within + 1e-9,
                  "%g, not %g", change, straight);
            for (size_t e = 0; e < rim.count; e++) {
                swept += sc_rim_change(&rim.edges[e], at, next, &error);
                errors += error;
            }
            CHECK(fabs(up_to_an_integer(swept - change)) <= errors, "swept %g, not %g", swept,
                  change);
        }
        sc_rim_free(&rim);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
}

/* Where the border is said to stay below one half all over a triangle, what it tells there is
 * continuous: it lacks the same integer of the winding number. */
static bool tile_of_one(void *context, size_t i, sc_vec3 v[3])
{
    const sc_vec3 *triangle = context;
    (void)i;
    for (int k = 0; k < 3; k++) {
        v[k] = triangle[k];
    }
    return true;
}

TEST(below_one_half_all_over_a_triangle)
{
    enum { STEPS = 24 };
    int below = 0, rounds = test_rounds(150), count = 0;
    for (int i = 0; i < rounds; i++) {
        stl_image image = random_part(true);
        stlclash_mesh *mesh = ask_mesh(&image);
        sc_rim rim;
        CHECK(sc_rim_make(mesh, &rim), "no memory");
        for (int k = 0; k < 8; k++) {
            sc_vec3 v[3];
            const double size = pow(10.0, test_uniform(-1, 1));
            for (int c = 0; c < 3; c++) {
                v[c] = (sc_vec3){size * test_uniform(-1, 1), size * test_uniform(-1, 1),
                                 size * test_uniform(-1, 1)};
            }
            const sc_tiles tiles = {.count = 1, .tile = tile_of_one, .context = v};
            uint64_t edges = 4000000;
            bool stays;
            CHECK(sc_span_stays_below(&rim, &tiles, &edges, &stays), "no memory");
            for (int a = 0; a <= STEPS && stays; a++) {
                for (int b = 0; a + b < STEPS; b++) { /* from one to the next */
                    double told[2], ignored;
                    for (int next = 0; next < 2; next++) {
                        const double t = (double)a / STEPS, u = (double)(b + next) / STEPS;
                        const sc_vec3 p = sc_add(sc_scale(v[0], 1 - t - u),
                                                 sc_add(sc_scale(v[1], t), sc_scale(v[2], u)));
                        const double at[3] = {p.x, p.y, p.z};
                        told[next] = sc_rim_winding(&rim, p, &ignored);
                        double wrong =
                            up_to_an_integer(told[next] - (double)winding_about(&image, at));
                        CHECK(fabs(wrong) < 1e-9, "wrong by %g", wrong);
                    }
                    CHECK(fabs(told[1] - told[0]) < 0.5, "from %g to %g", told[0], told[1]);
                }
            }
            below += stays;
            count++;
        }
        sc_rim_free(&rim);
        stlclash_mesh_free(mesh);
        image_free(&image);
    }
    CHECK(rounds < 100 || (below > count / 9 && below < count), "%d of %d", below, count);
}

/* Along the sides of a square, in many edges each; the last ones in one. */
static size_t run_along_sides(sc_rim_edge *edges, const sc_vec3 *corner, int sides, int whole)
{
    enum { EACH = 200 };
    size_t count = 0;
    for (int side = 0; side < sides; side++) {
        int pieces = side + whole < sides ? EACH : 1;
        sc_vec3 way = sc_sub(corner[side + 1], corner[side]);
        for (int i = 0; i < pieces; i++) {
            edges[count++] = (sc_rim_edge){sc_mul_add(corner[side], (double)i / pieces, way),
                                           sc_mul_add(corner[side], (i + 1.0) / pieces, way), 1};
        }
    }
    return count;
}

/* A side run through both ways is a crack, however many edges it has; the square is not. */
TEST(cracks_may_have_many_edges)
{
    const sc_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    const sc_vec3 there_and_back[] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
    sc_rim_edge edges[1000];
    for (int i = 0; i < 3; i++) {
        sc_rim rest, rim = {.edges = edges};
        sc_cracks cracks;
        rim.count = i < 2 ? run_along_sides(edges, corner, 4, i)
                          : run_along_sides(edges, there_and_back, 2, 1);
        CHECK(sc_cracks_find(&rim, &cracks) && sc_cracks_rest(&cracks, NULL, &rest), "no memory");
        CHECK(rest.count == (i < 2 ? rim.count : 0), "border %d: %zu left", i, rest.count);
        sc_cracks_free(&cracks);
        sc_rim_free(&rest);
    }
}

/* Where fillings are small on a way, so is what the winding number of a part that is closed but for
 * cracks lacks to an integer. */
TEST(fillings_tell_what_cracks_amount_to)
{
    enum { STEPS = 20 };
    int small = 0, rounds = test_rounds(100);
    for (int i = 0; i < rounds; i++) {
        double off = pow(10.0, test_uniform(-5, -3)), most = pow(10.0, test_uniform(-4, 0));
        stl_image whole = make_sphere(2, 3), image = with_cracks(&whole, off);
        stlclash_mesh *mesh = ask_mesh(&image);
        sc_rim rim, rest;
        sc_cracks cracks;
        CHECK(sc_rim_make(mesh, &rim) && sc_cracks_find(&rim, &cracks), "no memory");
        CHECK(sc_cracks_rest(&cracks, NULL, &rest) && rest.count == 0, "%zu edges", rest.count);
        for (int k = 0; k < 20; k++) {
            double p[2][3];
            size_t n = (size_t)test_below((int)cracks.fillings.count);
            const sc_crack_side *near = &cracks.fillings.sides[n];
            const double start[3] = {near->from.x, near->from.y, near->from.z};
            for (int c = 0; c < 3; c++) {
                p[0][c] = start[c] + off * pow(10.0, test_uniform(0, 3)) * test_uniform(-1, 1);
                p[1][c] = p[0][c] + off * pow(10.0, test_uniform(-1, 3)) * test_uniform(-1, 1);
            }
            sc_filling_search s = {.fillings = &cracks.fillings, .most = most, .looks = 100000};
            const sc_vec3 way[3] = {sc_vec3_of(p[0]), sc_vec3_of(p[1]), sc_vec3_of(p[1])};
            bool is_small = sc_fillings_stay_small(&s, way);
            for (int step = 0; step <= STEPS && is_small; step++) {
                double at[3], t = (double)step / STEPS;
                for (int c = 0; c < 3; c++) {
                    at[c] = p[0][c] + t * (p[1][c] - p[0][c]);
                }
                double lacks = fabs(up_to_an_integer((double)winding_about(&image, at)));
                CHECK(lacks <= most, "%g lacks, %g at most", lacks, most);
            }
            small += is_small;
        }
        sc_cracks_free(&cracks);
        sc_rim_free(&rest);
        sc_rim_free(&rim);
        stlclash_mesh_free(mesh);
        image_free(&image);
        image_free(&whole);
    }
    CHECK(rounds < 100 || (small > 100 && small < 19 * rounds), "%d small", small);
}

/* Each facet with corners of its own, by up to `off` beside where they were. */
static stl_image ragged(const stl_image *image, double off)
{
    stl_image torn = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&torn);
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet f = image_get(image, i);
        for (int k = 0; k < 9; k++) {
            f.corner[k / 3][k % 3] += (float)(off * test_uniform(-1, 1));
        }
        sink.take(sink.context, &f);
    }
    return torn;
}

static bool the_only_one(void *context, size_t i, sc_vec3 v[3])
{
    (void)i;
    memcpy(v, context, 3 * sizeof *v);
    return true;
}

/* Of a sphere torn apart, with holes or without, anywhere near: what is left of its border tells
 * the winding number but for its slack. */
TEST(welds_tell_what_they_amount_to)
{
    enum { STEPS = 10 };
    int welded[2] = {0, 0}, rounds = test_rounds(200);
    for (int i = 0; i < rounds; i++) {
        const bool holes = i % 2;
        const double off = pow(10.0, test_uniform(-7, -3.5));
        stl_image whole = make_sphere(2, 6);
        stl_image open = without(&whole, holes ? one_in_ten : none_of_them);
        stl_image image = ragged(&open, off);
        stlclash_mesh *mesh = ask_mesh(&image);
        sc_rim rim;
        CHECK(sc_rim_make(mesh, &rim) && rim.count > 600, "%zu edges", rim.count);
        for (int k = 0; k < 4; k++) {
            const sc_rim_edge *near = &rim.edges[test_below((int)rim.count)];
            sc_vec3 way[3] = {some_step(near->from, off * pow(10.0, test_uniform(0, 4)))};
            way[1] = way[2] = some_step(way[0], off * pow(10.0, test_uniform(-1, 3)));
            const sc_tiles tiles = {.count = 1, .tile = the_only_one, .context = way};
            const sc_placement as_it_is = {.is_identity = 1};
            sc_rim rest;
            CHECK(sc_rim_place(&rim, &as_it_is, &rest) &&
                      sc_welds_close(&tiles, rim.count / 2, &rest),
                  "no memory");
            for (int step = 0; step <= STEPS && rest.slack > 0.0; step++) {
                const sc_vec3 p = sc_mul_add(way[0], (double)step / STEPS, sc_sub(way[1], way[0]));
                double at[3], within;
                sc_vec3_store(p, at);
                const double told = sc_rim_winding(&rest, p, &within);
                const double lacks = up_to_an_integer((double)winding_about(&image, at) - told);
                CHECK(fabs(lacks) <= rest.slack, "%g lacks, %g at most", lacks, rest.slack);
            }
            welded[holes] += rest.slack > 0.0;
            CHECK(!(rest.slack > 0.0 && off < 1e-5) || holes == (rest.count > 0), "%zu edges left",
                  rest.count);
            sc_rim_free(&rest);
        }
        sc_rim_free(&rim);
        stlclash_mesh_free(mesh);
        image_free(&image);
        image_free(&open);
        image_free(&whole);
    }
    for (int k = 0; k < 2 && rounds >= 200; k++) {
        CHECK(welded[k] > rounds / 4 && welded[k] < 2 * rounds - 10, "%d welded", welded[k]);
    }
}

/* ---- verdicts -------------------------------------------------------------------- */

static stlclash_status status_of(const stl_image *a, const stl_image *b, bool *in_doubt)
{
    stlclash_options o = stlclash_options_default();
    stlclash_mesh *mesh[2] = {ask_mesh(a), ask_mesh(b)};
    o.threads = 1;
    o.exact = true;
    stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
    stlclash_status status = r->status;
    *in_doubt = false;
    for (size_t i = 0; i < r->note_count; i++) {
        *in_doubt = *in_doubt || strcmp(r->notes[i], "containment_unknown") == 0;
    }
    stlclash_result_free(r);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    return status;
}

/* Whichever facet comes first: a piece that reaches into an open part may clash with what is
 * missing of it. */
TEST(what_reaches_into_an_open_part_is_undecided)
{
    const struct {
        bool both;
        double from, to;
        stlclash_status status;
    } row[] = {
        {true, -1, 1, STLCLASH_UNDECIDED},    {true, -8, 8, STLCLASH_UNDECIDED},
        {true, -8, 1, STLCLASH_UNDECIDED},    {true, 1.5, 40, STLCLASH_UNDECIDED},
        {false, -1, 1, STLCLASH_UNDECIDED},   {false, -1, 40, STLCLASH_UNDECIDED},
        {false, 1.5, 40, STLCLASH_UNDECIDED}, {true, 2.5, 40, STLCLASH_CLEAR},
        {false, 2.5, 4, STLCLASH_CLEAR},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 8; way++) {
            stl_image open = make_tube(row[i].both), rod = make_rod(1, row[i].from, row[i].to);
            bool in_doubt;
            if (way & 4) { /* then it winds around what it holds the other way */
                image_invert(&open);
            }
            image_shuffle(&open);
            image_shuffle(&rod);
            image_rotate_corners(&rod);
            stlclash_status status =
                way % 2 ? status_of(&open, &rod, &in_doubt) : status_of(&rod, &open, &in_doubt);
            CHECK(status == row[i].status, "row %zu: %s", i, stlclash_status_text(status));
            CHECK(in_doubt == (status == STLCLASH_UNDECIDED), "row %zu: no reason", i);
            image_free(&open);
            image_free(&rod);
        }
    }
}

TEST(probes_of_open_parts_have_no_direction)
{
    const struct {
        double x[2];
        stlclash_status status;
    } row[] = {
        {{-9, 9}, STLCLASH_UNDECIDED}, {{0, 9}, STLCLASH_UNDECIDED}, {{0, 1}, STLCLASH_UNDECIDED},
        {{-9, 0}, STLCLASH_UNDECIDED}, {{3, 9}, STLCLASH_CLEAR},     {{-9, -3}, STLCLASH_CLEAR},
        {{2, 2}, STLCLASH_CLEAR}, /* in the mouth: a little less than half */
    };
    stl_image tube = make_tube(true);
    stlclash_mesh *mesh = ask_mesh(&tube);
    stlclash_prober *prober;
    stlclash_error error;

    CHECK_INT(stlclash_prober_make(mesh, NULL, true, &prober, &error), STLCLASH_OK);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 2; way++) {
            stlclash_probe probe = {.from = {row[i].x[way], 0, 0}, .to = {row[i].x[!way], 0, 0}};
            stlclash_probe_result *r;
            CHECK_INT(stlclash_prober_check(prober, &probe, NULL, &r, &error), STLCLASH_OK);
            CHECK(r->status == row[i].status, "row %zu: %s", i, stlclash_status_text(r->status));
            stlclash_probe_result_free(r);
        }
    }
    stlclash_prober_free(prober);
    stlclash_mesh_free(mesh);
    image_free(&tube);
}

/* Along all edges of a box, or past its corners; of a part that reaches farther. */
TEST(probes_beside_cracks_are_clear)
{
    const double off = 1e-3, size = 8, far = size + off;
    stl_image whole = image_joined(
        make_box((double[]){0, 0, 0}, (double[]){size, size, size}, 1),
        image_joined(make_box((double[]){20, 20, 20}, (double[]){21, 21, 21}, 1),
                     make_box((double[]){-21, -21, -21}, (double[]){-20, -20, -20}, 1)));
    for (int i = 0; i < 12; i++) {
        stl_image box = with_cracks(&whole, 1e-5);
        stlclash_mesh *mesh = ask_mesh(&box);
        stlclash_prober *prober;
        stlclash_error error;
        stlclash_probe_result *r;
        stlclash_probe probe = {.ray = false};
        int along = i % 3, u = (along + 1) % 3, v = (along + 2) % 3;
        probe.from[along] = -off;
        probe.to[along] = i / 3 == 3 ? 2 * far : far;
        probe.from[u] = probe.to[u] = i / 3 % 2 ? far : -off;
        probe.from[v] = probe.to[v] = i / 6 ? far : -off;
        CHECK_INT(stlclash_prober_make(mesh, NULL, true, &prober, &error), STLCLASH_OK);
        CHECK_INT(stlclash_prober_check(prober, &probe, NULL, &r, &error), STLCLASH_OK);
        CHECK(r->status == STLCLASH_CLEAR, "probe %d: %s", i, stlclash_status_text(r->status));
        stlclash_probe_result_free(r);
        stlclash_prober_free(prober);
        stlclash_mesh_free(mesh);
        image_free(&box);
    }
    image_free(&whole);
}

/* A tube of doubled facets winds around what lies before its open end by more than half, as none
 * does whose facets are there once. What lies outside its box is not held all the same, as parts
 * whose boxes are apart are clear; what reaches into it may be. A second piece of the rod lies
 * outside, but in the box. */
TEST(nothing_outside_the_box_of_an_open_part_is_held)
{
    for (int i = 0; i < 4; i++) {
        stl_image once = make_tube(false), rod = make_rod(0.25, i % 2 ? 1.75 : 2.125, 3);
        stl_image beside = make_box((double[]){0, 1.8, 1.8}, (double[]){0.2, 1.9, 1.9}, 1);
        stl_image twice = image_joined(make_tube(false), make_tube(false));
        const stl_image *tube = i < 2 ? &once : &twice;
        image_join(&rod, &beside);
        const double by = greatest_winding(tube, &rod);
        const bool held = i % 2 && by > 0.5;
        bool in_doubt;
        CHECK((by > 0.5) == (i > 0), "%d: winding number %g", i, by);
        CHECK(status_of(tube, &rod, &in_doubt) == (held ? STLCLASH_UNDECIDED : STLCLASH_CLEAR),
              "%d", i);
        CHECK(in_doubt == held, "%d: no reason", i);
        image_free(&once);
        image_free(&twice);
        image_free(&beside);
        image_free(&rod);
    }
}

/* Whether one holds the other, as the solid angles of all facets tell; and counts of it. */
static void check_held(int round, const stl_image *a, const stl_image *b, int *held, int *free)
{
    bool in_doubt;
    const stlclash_status status = status_of(a, b, &in_doubt);
    if (status == STLCLASH_CLEAR || status == STLCLASH_UNDECIDED) {
        const double by = fmax(greatest_winding(a, b), greatest_winding(b, a));
        if (by > 0.5 || by < 0.48) { /* else it may just be reached between two samples */
            CHECK(in_doubt == (by > 0.5), "pair %d: %s at %g", round, stlclash_status_text(status),
                  by);
            *held += in_doubt;
            *free += !in_doubt;
        }
    }
}

TEST(open_parts_hold_what_they_surround_by_half)
{
    int held = 0, free = 0, rounds = test_rounds(300);
    for (int i = 0; i < rounds; i++) {
        stl_image a = random_part(true), b = random_part(test_below(2) == 0);
        image_scale(&b, i % 2 ? 0.3 : 1.0);
        if (i % 3 == 0) {
            stl_image whole = a;
            a = with_cracks(&whole, i % 2 ? 1e-2 : 1e-3);
            image_free(&whole);
        }
        check_held(i, &a, &b, &held, &free);
        image_free(&a);
        image_free(&b);
    }
    CHECK(rounds < 100 || (held > 9 && free > 99), "%d held, %d free", held, free);
}

/* Where rays from the origin leave a part that is asked along (surround.c): sideways along the next
 * two axes, in 1/10000 of the way up. */
static const int slants[][2] = {{1230, -770}, {-913, 611}, {517, 1391}, {-1117, -419}};

/* A facet through the middle of one of whose edges such a ray passes, exactly. */
static stl_image make_blocker(const int slant[2], int axis, int up)
{
    float corner[9];
    const int off[3][2] = {{0, -100}, {0, 100}, {50, 0}};
    for (int i = 0; i < 3; i++) {
        corner[3 * i + axis] = (float)(up * 10000) / 4096;
        corner[3 * i + (axis + 1) % 3] = (float)(slant[0] + off[i][0]) / 4096;
        corner[3 * i + (axis + 2) % 3] = (float)(slant[1] + off[i][1]) / 4096;
    }
    return make_facets(corner, 1);
}

/* Some sides of a box about the origin, and facets that block all ways out of it. */
static stl_image make_blocked(int sides, int axis, int up)
{
    double low[3] = {-4, -4, -4}, high[3] = {4, 4, 4};
    float ends[2][9];
    stl_image blocked = make_facets(NULL, 0);
    *(up > 0 ? &high[axis] : &low[axis]) = 3 * up; /* the way out is to the nearest side */
    stl_image box = make_box(low, high, 1);
    shape_sink sink = stl_image_sink(&blocked);
    for (size_t i = 0; i < image_facets(&box) && i < 2 * (size_t)sides; i++) {
        shape_facet f = image_get(&box, i);
        sink.take(sink.context, &f);
    }
    image_free(&box);
    for (int i = 0; i < 9; i++) { /* so that the box of the part is the whole one */
        ends[0][i] = (float)low[i % 3] + (i % 4 == 0 ? 0.01f : 0.0f);
        ends[1][i] = (float)high[i % 3] - (i % 4 == 0 ? 0.01f : 0.0f);
    }
    blocked = image_joined(blocked, make_facets(ends[0], 1));
    blocked = image_joined(blocked, make_facets(ends[1], 1));
    for (int i = 0; i < 4; i++) {
        blocked = image_joined(blocked, make_blocker(slants[i], axis, up));
    }
    return blocked;
}

TEST(where_no_ray_is_clear_of_the_border_all_facets_tell)
{
    double corner[4][3] = {{0, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, {0, 0, 0.01}};
    for (int i = 0; i < 12; i++) {
        const int sides = i % 2 ? 5 : 2;
        stl_image open = make_blocked(sides, i / 4, i / 2 % 2 ? 1 : -1), piece = make_tetra(corner);
        bool in_doubt;
        const stlclash_status status = status_of(&open, &piece, &in_doubt);
        CHECK(in_doubt == (sides == 5), "%d: %s", i, stlclash_status_text(status));
        image_free(&open);
        image_free(&piece);
    }
}

/* Where a crack of an open tube is: in the middle of its edge in the whole one; and how far from
 * there it is open, into the facet (with_cracks). */
static void pick_crack(const stl_image *whole, const stl_image *tube, double middle[3],
                       double wide[3])
{
    bool inside = false; /* of the box of the tube, to all sides */
    while (!inside) {
        const size_t i = (size_t)test_below((int)image_facets(whole));
        const shape_facet f = image_get(whole, i), half = image_get(tube, 2 * i);
        inside = true;
        for (int k = 0; k < 3; k++) {
            middle[k] = 0.5 * ((double)f.corner[0][k] + (double)f.corner[1][k]);
            wide[k] = (double)half.corner[1][k] - middle[k];
            inside = inside && fabs(middle[k]) < 1.8;
        }
    }
}

/* A thin box that stands across the wall of a tube along x; from there to there outwards. */
static stl_image make_needle(const double at[3], double from, double to, double thickness)
{
    const double half = 0.5 * thickness;
    stl_image needle = simple_box(-half, half, from, to, -half, half);
    image_turn(&needle, atan2(at[2], at[1]), 0, 0);
    image_move(&needle, at[0], at[1], at[2]);
    return needle;
}

/* Outside beside a crack, about as far off as that is wide; or through it, where it does not fold
 * over. */
TEST(cracks_near_a_piece_are_left_open)
{
    int held = 0, free = 0, rounds = test_rounds(60);
    for (int i = 0; i < rounds; i++) {
        stl_image whole = make_tube(true), tube = with_cracks(&whole, 0.02);
        double at[3], wide[3], width = 0.0;
        pick_crack(&whole, &tube, at, wide);
        for (int k = 0; k < 3; k++) {
            width += wide[k] * wide[k];
            at[k] += 0.4 * wide[k];
        }
        width = sqrt(width);
        const double from = i % 2 ? -0.3 : test_uniform(0.5, 2.0) * width;
        stl_image piece = make_needle(at, from, from + 0.6, 0.15 * width);
        check_held(i, &tube, &piece, &held, &free);
        image_free(&whole);
        image_free(&tube);
        image_free(&piece);
    }
    CHECK(rounds < 60 || (held > rounds / 10 && free > rounds / 4), "%d held, %d free", held, free);
}

/* A rod before the open end of a tube, which surrounds it by 0.475: cracks that T-junctions leave,
 * as narrow as rounding, do not amount to the rest. */
TEST(cracks_as_narrow_as_rounding_amount_to_nothing)
{
    for (int round = 0; round < test_rounds(20); round++) {
        stl_image whole = make_tube(false), rod = make_rod(0.01, 2.1, 2.2);
        stl_image tube = with_cracks(&whole, 0.0);
        bool in_doubt;
        if (round % 4 > 1) {
            const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
            image_turn(&tube, turn[0], turn[1], turn[2]);
            image_turn(&rod, turn[0], turn[1], turn[2]);
        }
        stlclash_status status =
            round % 2 ? status_of(&tube, &rod, &in_doubt) : status_of(&rod, &tube, &in_doubt);
        CHECK(status == STLCLASH_CLEAR, "round %d: %s", round, stlclash_status_text(status));
        image_free(&whole);
        image_free(&tube);
        image_free(&rod);
    }
}

static stl_image make_ring(double off)
{
    stl_image whole = make_torus(4, 1, 64, 24), ring = with_cracks(&whole, off);
    image_free(&whole);
    return ring;
}

/* A rod through a ring, and one in it: edges of the border that run beside each other do not add
 * up to what they were if they ran one way, and so cracks that are narrow tell nothing. */
TEST(cracks_neither_hold_nor_hide)
{
    const struct {
        double off, radius, y, z;
        stlclash_status status;
    } row[] = {
        {0, 2.9, 0, 0, STLCLASH_CLEAR},
        {1e-5, 2.9, 0, 0, STLCLASH_CLEAR},
        {1e-5, 1, 0, 1.9, STLCLASH_CLEAR},
        {1e-5, 0.8, 4, 0, STLCLASH_UNDECIDED},
        {1e-3, 0.5, 2.9, 2.9, STLCLASH_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stl_image ring = make_ring(row[i].off);
            stl_image whole = make_cylinder(row[i].radius, 0.4, 64);
            stl_image rod = with_cracks(&whole, row[i].off);
            bool in_doubt;
            image_turn(&ring, 0, 1.5707963267948966, 0);
            image_move(&rod, 0, row[i].y, row[i].z);
            if (way & 2) { /* as rounded, that is, with more cracks */
                image_turn(&ring, 1, 2, 3);
                image_turn(&rod, 1, 2, 3);
            }
            stlclash_status status =
                way % 2 ? status_of(&ring, &rod, &in_doubt) : status_of(&rod, &ring, &in_doubt);
            CHECK(status == row[i].status, "row %zu: %s", i, stlclash_status_text(status));
            image_free(&whole);
            image_free(&rod);
            image_free(&ring);
        }
    }
}

/* A plate and a post full of cracks: one piece of the other part rests on them, one is apart. */
TEST(cracks_beside_pieces_that_touch_do_not_matter)
{
    stl_image whole = image_joined(make_box((double[]){-5, -5, -2}, (double[]){5, 5, 0}, 24),
                                   make_box((double[]){-5, -5, 1}, (double[]){-4, -4, 2}, 1));
    stl_image b = image_joined(make_box((double[]){-3, -3, 0}, (double[]){3, 3, 0.5}, 1),
                               make_box((double[]){-2, -2, 0.75}, (double[]){2, 2, 1.5}, 16));
    stl_image a = with_cracks(&whole, 1e-5);
    for (int way = 0; way < 2; way++) {
        stlclash_options o = ask_usual();
        stlclash_status status = ask_status(way ? &b : &a, way ? &a : &b, &o);
        CHECK(status == STLCLASH_CONTACT, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&whole);
    image_free(&a);
    image_free(&b);
}

/* A sphere of many facets of which no two have a corner in common, and a cube close to it, in its
 * box: nobody waits until each edge of the border was looked at from all of that. */
TEST(what_is_torn_all_over_does_not_matter)
{
    stl_image whole = make_sphere(2, 60), torn = ragged(&whole, 1e-6);
    stl_image near = cube(-0.2, 0.2), far = cube(-0.2, 0.2);
    const double at = 1.5, beside = 1.15;
    image_move(&far, at, at, at);
    image_move(&near, at, at, beside);
    for (int way = 0; way < 4; way++) {
        bool in_doubt;
        const stl_image *other = way & 2 ? &near : &far;
        stlclash_status status =
            way & 1 ? status_of(other, &torn, &in_doubt) : status_of(&torn, other, &in_doubt);
        CHECK(status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&whole);
    image_free(&torn);
    image_free(&near);
    image_free(&far);
}

/* Two such spheres, each facet a piece by itself: nor until a ray was sent from each of these. */
TEST(what_is_torn_all_over_is_asked_for_once)
{
    stl_image whole = make_sphere(2, 48), a = ragged(&whole, 1e-6), b = ragged(&whole, 1e-6);
    image_move(&b, 2.4, 2.4, 2.4);
    for (int way = 0; way < 2; way++) {
        bool in_doubt;
        stlclash_status status = status_of(way ? &b : &a, way ? &a : &b, &in_doubt);
        CHECK(status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&whole);
    image_free(&a);
    image_free(&b);
}

/* Balls torn all over, of which some may lie within a part that is. */
TEST(what_is_torn_all_over_may_be_held)
{
    enum { BALLS = 6 };
    int clear = 0, held = 0, rounds = test_rounds(30);
    for (int i = 0; i < rounds; i++) {
        stl_image part = random_part(i % 2), a = ragged(&part, 1e-6);
        stl_image balls = make_facets(NULL, 0);
        const double reach = i % 3 ? 1.5 : 3;
        for (int k = 0; k < BALLS; k++) {
            stl_image ball = make_sphere(0.05, 1);
            image_move(&ball, test_uniform(-reach, reach), test_uniform(-reach, reach),
                       test_uniform(-reach, reach));
            balls = image_joined(balls, ball);
        }
        stl_image b = ragged(&balls, 1e-6);
        bool in_doubt;
        const stlclash_status status = status_of(&a, &b, &in_doubt);
        if (status == STLCLASH_CLEAR || status == STLCLASH_UNDECIDED) {
            const double most = fmax(greatest_winding(&a, &b), greatest_winding(&b, &a));
            CHECK(status == STLCLASH_UNDECIDED ? most > 0.05 : most < 0.5, "%s, %g at most",
                  stlclash_status_text(status), most);
            clear += status == STLCLASH_CLEAR;
            held += status == STLCLASH_UNDECIDED;
        }
        image_free(&part);
        image_free(&a);
        image_free(&balls);
        image_free(&b);
    }
    CHECK(rounds < 30 || (clear >= 5 && held >= 3), "%d clear, %d held", clear, held);
}

/* A chessboard of posts full of cracks, or those in its other fields, a tenth apart from these. */
static stl_image make_posts(bool other)
{
    stl_image posts = make_facets(NULL, 0);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 12; k++) {
            double x = 2 * i - 12, y = 2 * k - 12;
            if ((i + k) % 2 == other) {
                double low[3] = {x, y, 0}, high[3] = {x + 1.9, y + 1.9, 8};
                posts = image_joined(posts, make_box(low, high, 1));
            }
        }
    }
    stl_image cracked = with_cracks(&posts, 3e-4);
    image_free(&posts);
    image_turn(&cracked, 1, 2, 3);
    return cracked;
}

/* All of them together would, but few are near to any point. */
TEST(cracks_beside_every_piece_do_not_matter)
{
    stl_image a = make_posts(false), b = make_posts(true);
    for (int way = 0; way < 2; way++) {
        bool in_doubt;
        stlclash_status status = status_of(way ? &b : &a, way ? &a : &b, &in_doubt);
        CHECK(status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&b);
}

/* A long blade in a trough: its vertices lie far out, half surrounded are only the middles of two
 * of its edges. Those are found whichever way leads there. */
TEST(edges_are_followed_in_any_order)
{
    const float trough[6][9] = {{-5, -1, 0, 5, -1, 0, 5, 1, 0},   {-5, -1, 0, 5, 1, 0, -5, 1, 0},
                                {-5, 1, 0, 5, 1, 0, 5, 1, 3},     {-5, 1, 0, 5, 1, 3, -5, 1, 3},
                                {-5, -1, 0, -5, -1, 3, 5, -1, 3}, {-5, -1, 0, 5, -1, 3, 5, -1, 0}};
    stl_image a = make_facets(trough[0], 6);
    stl_image b = make_box((double[]){-20, -0.25, 1}, (double[]){20, 0.25, 16}, 1);
    for (int i = 0; i < test_rounds(100); i++) {
        bool in_doubt;
        image_shuffle(&b);
        image_rotate_corners(&b);
        stlclash_status status = status_of(&a, &b, &in_doubt);
        CHECK(in_doubt, "order %d: %s", i, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&b);
}

/* Two sheets that face each other, off the middle of a plate between them, whose edges keep far
 * off, the diagonals of its faces too. */
static stl_image make_sheets(double gap, uint32_t cells)
{
    const double h = 0.5 * gap;
    stl_image sheets = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&sheets);
    for (int above = 0; above < 2; above++) {
        stl_image block = make_box((double[]){10, -20, above ? h : -h - 1},
                                   (double[]){20, -10, above ? h + 1 : -h}, cells);
        for (size_t i = 0; i < image_facets(&block); i++) {
            shape_facet f = image_get(&block, i);
            const float z = (float)(above ? h : -h);
            if (f.corner[0][2] == z && f.corner[1][2] == z && f.corner[2][2] == z) {
                sink.take(sink.context, &f);
            }
        }
        image_free(&block);
    }
    return sheets;
}

static stl_image make_plate(double thickness)
{
    const double h = 0.5 * thickness;
    return make_box((double[]){-30, -30, -h}, (double[]){30, 30, h}, 1);
}

/* Half surrounded is only the middle of a facet, far from its edges. */
TEST(facets_are_asked_about_all_over)
{
    const struct {
        double gap;
        bool held;
    } row[] = {{1, true}, {3, true}, {6, true}, {7, false}, {20, false}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 8; way++) {
            stl_image a = make_sheets(row[i].gap, way & 4 ? 6 : 1), b = make_plate(0.25);
            const double centre[3] = {15, -15, 0.125};
            bool in_doubt;
            CHECK((fabsl(winding_about(&a, centre)) > 0.5L) == row[i].held, "row %zu", i);
            if (way & 2) {
                image_turn(&a, 1, 2, 3);
                image_turn(&b, 1, 2, 3);
            }
            stlclash_status status =
                way % 2 ? status_of(&a, &b, &in_doubt) : status_of(&b, &a, &in_doubt);
            CHECK(status == (row[i].held ? STLCLASH_UNDECIDED : STLCLASH_CLEAR), "row %zu: %s", i,
                  stlclash_status_text(status));
            CHECK(in_doubt == row[i].held, "row %zu: no reason", i);
            image_free(&a);
            image_free(&b);
        }
    }
}

/* A piece that floats in the open part, and one that touches it. */
TEST(pieces_that_touch_do_not_speak_for_others)
{
    stl_image whole = make_box((double[]){-5, -5, -5}, (double[]){5, 5, 5}, 1), a = {0};
    for (size_t i = 0; i + 1 < image_facets(&whole); i++) {
        const shape_facet facet = image_get(&whole, i);
        stl_image one = make_facets(&facet.corner[0][0], 1);
        image_join(&a, &one);
        image_free(&one);
    }
    for (int i = 0; i < 8; i++) {
        stl_image b = i % 2
                          ? image_joined(make_box((double[]){5, -1, -1}, (double[]){7, 1, 1}, 1),
                                         make_box((double[]){-1, -1, -4}, (double[]){1, 1, -2}, 1))
                          : make_box((double[]){5, -1, -1}, (double[]){7, 1, 1}, 1);
        stlclash_options o = ask_usual();
        o.no_overlap = i / 4;
        o.quick = i / 4;
        stlclash_status status = ask_status(i / 2 % 2 ? &b : &a, i / 2 % 2 ? &a : &b, &o);
        CHECK(status == (i % 2 ? STLCLASH_UNDECIDED : STLCLASH_CONTACT), "case %d: %s", i,
              stlclash_status_text(status));
        image_free(&b);
    }
    image_free(&whole);
    image_free(&a);
}

/* ---- motions ---------------------------------------------------------------------- */

static stlclash_sweep_result *move_b(const stl_image *a, const stl_image *b, const double way[3])
{
    stlclash_mesh *mesh[2] = {ask_mesh(a), ask_mesh(b)};
    stlclash_options o = stlclash_options_default();
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    stlclash_sweep_result *r;
    stlclash_error error;

    o.threads = 1;
    memcpy(motion.way[1], way, sizeof motion.way[1]);
    CHECK_INT(stlclash_sweep(mesh[0], mesh[1], &o, &motion, &r, &error), STLCLASH_OK);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    return r;
}

/* It may clash with what is missing. */
TEST(motions_into_open_parts_are_undecided)
{
    const struct {
        bool both;
        double x;
        stlclash_status status;
    } row[] = {
        {false, -6, STLCLASH_UNDECIDED}, {true, -6, STLCLASH_UNDECIDED},
        {true, -20, STLCLASH_UNDECIDED}, /* through it */
        {true, 20, STLCLASH_CLEAR},      {false, -2, STLCLASH_CLEAR},
        {false, -20, STLCLASH_CLASH},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 2; way++) {
            stl_image open = make_tube(row[i].both), rod = make_rod(1, 5, 7);
            double x = way ? -row[i].x : row[i].x;
            stlclash_sweep_result *r =
                move_b(way ? &rod : &open, way ? &open : &rod, (const double[]){x, 0, 0});
            CHECK(r->status == row[i].status, "row %zu: %s", i, stlclash_status_text(r->status));
            stlclash_sweep_result_free(r);
            image_free(&open);
            image_free(&rod);
        }
    }
}

/* Where on its way only the middle of an edge is half surrounded, and no vertex of it is. */
TEST(motions_are_asked_about_all_over)
{
    for (int i = 0; i < 8; i++) {
        const bool far = i & 2, held = !far;
        stl_image sheets = make_sheets(far ? 9 : 3, 1), plate = make_plate(0.25);
        image_move(&plate, 60, 0, 0);
        double way[3] = {-120, 0, 0};
        if (i & 4) {
            image_move(&plate, -60, 60, 0); /* from the other side, and back out */
            way[0] = 0;
            way[1] = -120;
        }
        for (int k = 0; k < 3; k++) {
            way[k] *= i & 1 ? -1 : 1;
        }
        stlclash_sweep_result *r = move_b(i & 1 ? &plate : &sheets, i & 1 ? &sheets : &plate, way);
        CHECK(r->status == (held ? STLCLASH_UNDECIDED : STLCLASH_CLEAR), "motion %d: %s", i,
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        image_free(&sheets);
        image_free(&plate);
    }
}

TEST(motions_past_cracks_are_clear)
{
    stl_image a = make_posts(false), b = make_posts(true);
    const float line[9] = {0, 0, 0, 0, 0, 9, 0, 0, 9};
    stl_image axis = make_facets(line, 1);
    image_turn(&axis, 1, 2, 3);
    shape_facet f = image_get(&axis, 0);
    for (int i = 0; i < 4; i++) { /* along the posts, in and out; and across, against them */
        double by = i % 2 ? -1.0 : 1.0, way[3];
        for (int k = 0; k < 3; k++) {
            way[k] = by * ((double)f.corner[1][k] - (double)f.corner[0][k]);
        }
        way[0] += i < 2 ? 0.0 : 0.5;
        stlclash_sweep_result *r = move_b(&a, &b, way);
        CHECK(r->status == (i < 2 ? STLCLASH_CLEAR : STLCLASH_CLASH), "motion %d: %s", i,
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
    }
    image_free(&axis);
    image_free(&a);
    image_free(&b);
}

/* Also where another piece touches in the end, which alone would be contact. */
TEST(motions_into_open_parts_that_touch_are_undecided)
{
    for (int way = 0; way < 2; way++) {
        stl_image open = image_joined(make_tube(true),
                                      make_box((double[]){-6, 20, 20}, (double[]){-5, 21, 21}, 1));
        stl_image rod = image_joined(make_rod(1, 5.5, 6.5),
                                     make_box((double[]){1, 20, 20}, (double[]){2, 21, 21}, 1));
        stlclash_sweep_result *r =
            move_b(way ? &rod : &open, way ? &open : &rod, (const double[]){way ? 6 : -6, 0, 0});
        CHECK(r->status == STLCLASH_UNDECIDED, "way %d: %s", way, stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        image_free(&open);
        image_free(&rod);
    }
}

/* Between the sixteenths of its way a short rod goes all through a tube, while its foot slides on a
 * rail, or over the tube. */
TEST(motions_through_open_parts_that_touch_are_undecided)
{
    for (int i = 0; i < 8; i++) {
        const bool turned = i & 1, through = i & 2, over = i & 4;
        stl_image open = make_tube(true), rod = make_rod(0.1, 42.4, 42.6);
        if (over) {
            rod = image_joined(rod, make_box((double[]){42, -1, 2}, (double[]){43, 1, 3}, 1));
        } else {
            open = image_joined(open, make_box((double[]){-50, 19, -1}, (double[]){50, 20, 1}, 1));
            rod = image_joined(rod, make_box((double[]){42, 20, -1}, (double[]){43, 21, 1}, 1));
        }
        const double x = (through ? -80 : -35) * (turned ? -1 : 1);
        stlclash_sweep_result *r =
            move_b(turned ? &rod : &open, turned ? &open : &rod, (const double[]){x, 0, 0});
        const stlclash_status status = through ? STLCLASH_UNDECIDED
                                       : over  ? STLCLASH_CLEAR
                                               : STLCLASH_CONTACT;
        CHECK(r->status == status, "motion %d: %s", i, stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        image_free(&open);
        image_free(&rod);
    }
}

/* What touches the open part as it goes is not asked for: it slides in contact. */
TEST(what_slides_on_an_open_part_is_in_contact)
{
    for (int i = 0; i < 2; i++) {
        stl_image sheets = make_sheets(2, 3),
                  block = make_box((double[]){12, -40, -1}, (double[]){14, -38, 0.5}, 1);
        stlclash_sweep_result *r = move_b(i ? &block : &sheets, i ? &sheets : &block,
                                          (const double[]){0, i ? -50 : 50, 0});
        CHECK(r->status == STLCLASH_CONTACT, "%d: %s", i, stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
        image_free(&sheets);
        image_free(&block);
    }
}

TEST(motions_are_no_better_than_their_poses)
{
    enum { POSES = 12 };
    int clear = 0, undecided = 0, rounds = test_rounds(300);
    for (int i = 0; i < rounds; i++) {
        stl_image a = i % 2 ? random_part(true) : make_tube(i % 4 == 0);
        stl_image b = random_part(test_below(3) == 0);
        double way[3] = {-test_uniform(2, 9), test_uniform(-1, 1), test_uniform(-1, 1)};
        image_scale(&b, 0.4);
        image_move(&b, 4, 0, 0);
        stlclash_sweep_result *r = move_b(&a, &b, way);
        bool start_undecided = r->start->status == STLCLASH_UNDECIDED, in_doubt;
        for (int k = 1; k <= POSES && r->status == STLCLASH_CLEAR; k++) {
            stl_image moved = make_facets(NULL, 0);
            image_join(&moved, &b);
            image_move(&moved, way[0] * k / POSES, way[1] * k / POSES, way[2] * k / POSES);
            stlclash_status status = status_of(&a, &moved, &in_doubt);
            CHECK(status == STLCLASH_CLEAR, "motion %d: clear, but %s at pose %d", i,
                  stlclash_status_text(status), k);
            image_free(&moved);
        }
        clear += r->status == STLCLASH_CLEAR;
        undecided += r->status == STLCLASH_UNDECIDED && !start_undecided;
        stlclash_sweep_result_free(r);
        image_free(&a);
        image_free(&b);
    }
    CHECK(rounds < 100 || (clear > 9 && undecided > 9), "%d clear, %d undecided", clear, undecided);
}

/* A cup, its mouth downwards, and a bar that comes into it; an edge of its border is so short that
 * it vanishes when the cup is placed elsewhere. */
TEST(edges_that_vanish_in_placing_hide_nothing)
{
    const float e = 1e-30f, t = 10;
    const float corners[] = {
        0, 0, t, t, 0, t, t, t, t, 0, 0, t, t, t, t, 0, t, t, /* bottom, on top */
        0, 0, 0, e, 0, 0, t, 0, t, e, 0, 0, t, 0, 0, t, 0, t, /* walls */
        0, 0, 0, t, 0, t, 0, 0, t, t, 0, 0, t, t, 0, t, t, t, /**/
        t, 0, 0, t, t, t, t, 0, t, t, t, 0, 0, t, 0, 0, t, t, /**/
        t, t, 0, 0, t, t, t, t, t, 0, t, 0, 0, 0, 0, 0, 0, t, /**/
        0, t, 0, 0, 0, t, 0, t, t};
    stl_image cup = make_facets(corners, sizeof corners / sizeof corners[0] / 9);
    stl_image bar = make_box((double[]){4, 4, -10}, (double[]){6, 6, 5}, 1);
    for (int i = 0; i < 8; i++) {
        double placement[16];
        stlclash_options o = ask_usual();
        memcpy(placement, ask_identity, sizeof placement);
        placement[3] = 0.5 * (i % 4);
        o.placement[0] = placement;
        o.quick = i >= 4;
        stlclash_status status = ask_status(&cup, &bar, &o);
        CHECK(status == STLCLASH_UNDECIDED, "placed by %g: %s", placement[3],
              stlclash_status_text(status));
    }
    image_free(&cup);
    image_free(&bar);
}
