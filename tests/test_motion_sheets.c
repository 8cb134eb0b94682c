/* test_motion_sheets.c - parts without inside that move: sheets, open parts, and solids that
 * become flat. */
#include "ask.h"
#include "sweeps.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* Single triangles: parallel ones are never seen to cross at any one time. */
TEST(surfaces_without_inside_clash_where_they_pass_through)
{
    static const float low[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const struct {
        double place[3], way[3];
        stlclash_status status;
    } cases[] = {
        {{0, 0, 1}, {0, 0, -2}, STLCLASH_CLASH},      {{0, 0, 1}, {0, 0, -1}, STLCLASH_CONTACT},
        {{0, 0, 1}, {0, 0, 2}, STLCLASH_CLEAR},       {{0, 0, 0}, {0, 0, 2}, STLCLASH_CONTACT},
        {{-2, 0, 0}, {1, 0, 0}, STLCLASH_CONTACT},    {{1, 0, 1}, {0, 0, -2}, STLCLASH_CONTACT},
        {{0.5, 0.25, 1}, {0, 0, -2}, STLCLASH_CLASH},
    };
    stl_image image = make_facets(low, 1);
    stlclash_mesh *mesh = ask_mesh(&image);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        double placement[16];
        memcpy(placement, ask_identity, sizeof placement);
        for (int k = 0; k < 3; k++) {
            placement[4 * k + 3] = cases[i].place[k];
            motion.way[1][k] = cases[i].way[k];
        }
        options.placement[1] = placement;
        stlclash_sweep_result *r = sweep(mesh, mesh, &options, &motion);
        CHECK(r && r->status == cases[i].status, "case %zu: %s, expected %s", i,
              r ? stlclash_status_text(r->status) : "none", stlclash_status_text(cases[i].status));
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(mesh);
    image_free(&image);
}

static stlclash_status sweep_triangle(double from, double to, bool vertex_paths)
{
    const double heights[3] = {0.0, from, to};
    stl_image image[3];
    stlclash_mesh *mesh[3];
    double legs[2][16];
    for (int i = 0; i < 3; i++) { /* what rests, what moves, its end */
        image[i] = make_facets((float[]){0, 0, 0, 1, 0, 0, 0, 1, 0}, 1);
        image_move(&image[i], 0, 0, heights[i]);
        mesh[i] = ask_mesh(&image[i]);
    }
    for (int i = 0; i < 2; i++) { /* but for the turn they would be straight */
        memcpy(legs[i], ask_identity, sizeof legs[i]);
        legs[i][1] = -1e-9;
        legs[i][4] = 1e-9;
        legs[i][11] = (i == 0 ? 0.3 : 1.0) * (to - from);
    }
    stlclash_motion motion = {.kind = vertex_paths ? STLCLASH_VERTEX_PATHS : STLCLASH_SCREW,
                              .moves = STLCLASH_B,
                              .placements = (const double(*)[16])legs,
                              .placement_count = 2,
                              .end = mesh[2]};
    stlclash_options options = stlclash_options_default();
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
    stlclash_status status = r->status;
    CHECK((status == STLCLASH_UNDECIDED) ==
              (r->note_count > 0 && strcmp(r->notes[r->note_count - 1], "passage_unknown") == 0),
          "from %g to %g: note", from, to);
    stlclash_sweep_result_free(r);
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
    return status;
}

/* Where poses are looked at, what passes between two of them is not known; that something comes to
 * rest, or lifts off, is. */
TEST(surfaces_without_inside_may_pass_through_between_poses)
{
    static const struct {
        double from, to;
        stlclash_status status;
    } cases[] = {{1, -1, STLCLASH_UNDECIDED}, {-1, 0.5, STLCLASH_UNDECIDED},
                 {1, 0, STLCLASH_CONTACT},    {0, 2, STLCLASH_CONTACT},
                 {0, 0, STLCLASH_CONTACT},    {1, 3, STLCLASH_CLEAR}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        double from = cases[i / 2].from, to = cases[i / 2].to;
        stlclash_status status = sweep_triangle(from, to, i & 1);
        CHECK(status == cases[i / 2].status, "from %g to %g: %s, expected %s", from, to,
              stlclash_status_text(status), stlclash_status_text(cases[i / 2].status));
    }
}

/* Into a box without its lid, with a quarter turn or vertex by vertex. */
TEST(ways_to_poses_that_cannot_be_judged_are_undecided)
{
    stl_image image[3] = {box_without_lid(), cube(0, 1), cube(0, 1)};
    image_move(&image[1], 0, 0, 12);
    image_move(&image[2], 0, 0, 2);
    stlclash_mesh *mesh[3] = {ask_mesh(&image[0]), ask_mesh(&image[1]), ask_mesh(&image[2])};
    const double in[1][16] = {{0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1, -10, 0, 0, 0, 1}};
    for (int way = 0; way < 2; way++) {
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = way ? STLCLASH_VERTEX_PATHS : STLCLASH_SCREW,
                                  .moves = STLCLASH_B,
                                  .placements = in,
                                  .placement_count = 1,
                                  .end = mesh[2]};
        stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
        CHECK(r->status == STLCLASH_UNDECIDED && !r->pass && r->note_count == 1 &&
                  strcmp(r->notes[0], "pose_undecided") == 0,
              "way %d: %s, %zu notes", way, stlclash_status_text(r->status), r->note_count);
        stlclash_sweep_result_free(r);
    }
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* A triangle that turns about an edge which it has in common with another one stays near that. How
 * far it may go, in tolerances, before it may have passed through. */
TEST(what_stays_near_a_surface_may_pass_through_it)
{
    stl_image image[2] = {make_facets((float[]){0, 0, 0, 0, 1, 0, -1, 0, 0}, 1),
                          make_facets((float[]){0, 0, 0, 0, 1, 0, 1, 0, 0}, 1)};
    stlclash_mesh *mesh[2] = {ask_mesh(&image[0]), ask_mesh(&image[1])};
    for (int i = 0; i < 2; i++) {
        const double angle = (i ? 4.0 : 0.5) * 0.01;
        const double end[1][16] = {
            {cos(angle), 0, sin(angle), 0, 0, 1, 0, 0, -sin(angle), 0, cos(angle), 0, 0, 0, 0, 1}};
        stlclash_options options = stlclash_options_default();
        stlclash_motion motion = {.kind = STLCLASH_SCREW,
                                  .moves = STLCLASH_B,
                                  .placements = end,
                                  .placement_count = 1,
                                  .tolerance = 0.01};
        stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
        CHECK(r->status == (i ? STLCLASH_UNDECIDED : STLCLASH_CONTACT), "by %g: %s", angle,
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* A box that ends as a segment, which alone has no inside, and passes along an edge on the way. */
TEST(solids_that_end_without_inside_are_solid_on_the_way)
{
    stl_image image[3] = {make_box((double[]){0, 0, 0}, (double[]){2, 2, 4}, 1),
                          make_box((double[]){-1, 4, 3}, (double[]){0, 5, 7}, 1),
                          make_box((double[]){-1, 4, 3}, (double[]){0, 5, 7}, 1)};
    for (size_t i = 0; i < image_facets(&image[2]); i++) {
        shape_facet facet = image_get(&image[2], i);
        for (int k = 0; k < 3; k++) {
            facet.corner[k][0] = 5.0f;
            facet.corner[k][1] = 4.0f - facet.corner[k][1];
            facet.corner[k][2] = -5.0f;
        }
        image_set(&image[2], i, &facet);
    }
    stlclash_mesh *mesh[3] = {ask_mesh(&image[0]), ask_mesh(&image[1]), ask_mesh(&image[2])};
    stlclash_options options = stlclash_options_default();
    stlclash_motion motion = {
        .kind = STLCLASH_VERTEX_PATHS, .moves = STLCLASH_B, .end = mesh[2], .tolerance = 0.01};
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], &options, &motion);
    CHECK_STRING(stlclash_status_text(r->status), "contact");
    stlclash_sweep_result_free(r);
    for (int i = 0; i < 3; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* However little, and though it may then lie inside; whichever part it is: which one comes first
 * their numbers of facets tell. */
TEST(what_passes_through_a_surface_without_inside_clashes)
{
    static const float z = 1.0625f;
    stlclash_options options = stlclash_options_default();
    options.touch_overlap = 0.25;
    for (int cells = 1; cells <= 6; cells++) {
        stl_image sheet = make_facets(NULL, 0);
        stl_image box = make_box((double[]){-1, -1, 0}, (double[]){1, 1, 1}, 1);
        for (int i = 0; i < cells * cells; i++) {
            const float x = (float)(i % cells) / 8, y = (float)(i / cells) / 8;
            const float u = x + 0.125f, v = y + 0.125f;
            const float facets[18] = {x, y, z, u, y, z, u, v, z, x, y, z, u, v, z, x, v, z};
            sheet = image_joined(sheet, make_facets(facets, 2));
        }
        for (int way = 0; way < 2; way++) {
            stlclash_status status =
                way ? sweep_images(&sheet, &box, &options, (double[]){0, 0, 0.125})
                    : sweep_images(&box, &sheet, &options, (double[]){0, 0, -0.125});
            CHECK(status == STLCLASH_CLASH, "%d cells, way %d: %s", cells, way,
                  stlclash_status_text(status));
        }
        image_free(&sheet);
        image_free(&box);
    }
}

/* An open triangle that goes through a wall where the wall is divided. */
TEST(open_parts_that_pass_along_edges_on_the_way_clash)
{
    static const float facet[9] = {2, 0.5, 1, 3, 0.25, 1, 3, 0.75, 1};
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){1, 1, 2}, 2);
    stl_image leaf = make_facets(facet, 1);
    stlclash_mesh *a = ask_mesh(&box), *b = ask_mesh(&leaf);
    for (int swap = 0; swap < 2; swap++) {
        stlclash_options options = ask_usual();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        motion.way[1 - swap][0] = -5;
        stlclash_sweep_result *r = sweep(swap ? b : a, swap ? a : b, &options, &motion);
        CHECK(r->status == STLCLASH_CLASH, "%s", stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
    }
    stlclash_mesh_free(a);
    stlclash_mesh_free(b);
    image_free(&box);
    image_free(&leaf);
}

/* One that goes through a facet clashes, deep or not, as nothing is deep in it: which is said. */
TEST(it_is_said_that_an_open_part_clashes_on_the_way)
{
    static const float facet[9] = {2, 0.5, 1, 3, 0.25, 1, 3, 0.75, 1};
    stl_image box = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1.75}, 1);
    stl_image leaf[2] = {make_facets(facet, 1),
                         make_box((double[]){2, 0.25, 0.5}, (double[]){3, 0.75, 1}, 1)};
    stlclash_mesh *a = ask_mesh(&box);
    for (int solid = 0; solid < 2; solid++) {
        stlclash_mesh *b = ask_mesh(&leaf[solid]);
        stlclash_options options = ask_usual();
        const stlclash_motion motion = {.kind = STLCLASH_STRAIGHT, .way[1] = {-1.5, 0, 0}};
        stlclash_sweep_result *r = sweep(a, b, &options, &motion);
        const bool named = r->note_count == 1 && strcmp(r->notes[0], "open_part") == 0;
        CHECK(r->status == STLCLASH_CLASH, "%s", stlclash_status_text(r->status));
        CHECK(solid ? r->note_count == 0 : named, "%zu notes", r->note_count);
        stlclash_sweep_result_free(r);
        stlclash_mesh_free(b);
        image_free(&leaf[solid]);
    }
    stlclash_mesh_free(a);
    image_free(&box);
}

/* The way of a corner of three sheets runs onto the border of two others, in places of which a
 * coordinate is 0: between any two numbers near that there are others. */
TEST(ways_onto_a_border_end)
{
    static const float corner[] = {
        0, 4, 0, 0, 4, 3, 2, 4, 3, 0, 4, 0, 2, 4, 3, 2, 4, 0, 0, 2, 0, 0, 2, 3, 0, 4, 3,
        0, 2, 0, 0, 4, 3, 0, 4, 0, 0, 2, 0, 2, 2, 0, 2, 2, 3, 0, 2, 0, 2, 2, 3, 0, 2, 3,
    };
    static const float plates[] = {
        -6, 0,  -3, -6, 0,  1,  -4, 0,  1, -6, 0,  -3, -4, 0,  1, -4, 0,  -3,
        -6, -3, -3, -4, -3, -3, -4, -3, 1, -6, -3, -3, -4, -3, 1, -6, -3, 1,
    };
    stl_image image[2] = {make_facets(corner, 6), make_facets(plates, 4)};
    stlclash_mesh *mesh[2] = {ask_mesh(&image[0]), ask_mesh(&image[1])};
    for (int way = 0; way < 4; way++) {
        stlclash_options options = exact();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
        const int plate = way & 1, moves = way >> 1; /* which part they are; and which one moves */
        for (int k = 0; k < 3; k++) {
            motion.way[moves][k] = (moves == plate ? 1 : -1) * (double[]){16, 4, 8}[k];
        }
        stlclash_sweep_result *r = sweep(mesh[plate == 0], mesh[plate == 1], &options, &motion);
        CHECK(r->status == STLCLASH_CONTACT && r->has_contact && r->contact.time == 0.5,
              "way %d: %s at %g", way, stlclash_status_text(r->status), r->contact.time);
        stlclash_sweep_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* Three sheets come down over a corner of a box, touch it at an edge, and are off again: before the
 * touch there are times when the box may lie inside of them, though not at any 16th of the way. */
TEST(touching_later_does_not_excuse_what_may_be_held_before)
{
    static const float sheets[] = {
        -2, 0, 4, -2, 1, 4, -2, 1, 6, -2, 0, 4, -2, 1, 6, -2, 0, 6, 2,  0, 4, 2, 1, 4, 2,  1, 6,
        2,  0, 4, 2,  1, 6, 2,  0, 6, -2, 0, 4, 2,  0, 4, 2,  0, 6, -2, 0, 4, 2, 0, 6, -2, 0, 6,
    };
    stl_image image[2] = {make_box((double[]){0, 1, 2}, (double[]){1, 3, 5}, 1),
                          make_facets(sheets, 6)};
    stlclash_mesh *mesh[2] = {ask_mesh(&image[0]), ask_mesh(&image[1])};
    for (int swap = 0; swap < 2; swap++) {
        stlclash_options options = exact();
        stlclash_motion motion = {.kind = STLCLASH_STRAIGHT, .way = {{0, 0, 0}, {0, 0, 0}}};
        memcpy(motion.way[1 - swap], (const double[]){-16, 16, 16}, sizeof motion.way[0]);
        stlclash_sweep_result *r = sweep(mesh[swap], mesh[1 - swap], &options, &motion);
        CHECK(r->status == STLCLASH_UNDECIDED && r->has_contact, "%s",
              stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);

        memcpy(motion.way[1 - swap], (const double[]){0, 0, 1}, sizeof motion.way[0]);
        r = sweep(mesh[swap], mesh[1 - swap], &options, &motion);
        CHECK(r->status == STLCLASH_CLEAR, "%s", stlclash_status_text(r->status));
        stlclash_sweep_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}
