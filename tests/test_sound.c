/* test_sound.c - what tells that facets may be read as stored without a look at whole
 * shells, against the health of the parts, which looks at them all. */
#include "ask.h"
#include "both.h"
#include "health/health_join.h"
#include "health/health_once.h"
#include "mesh.h"
#include "overlap/overlap_pieces.h"
#include "overlap/sound.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- two parts, and what is said of them ------------------------------------ */

static int orientation_of(const sc_health *health, uint32_t facet)
{
    return health->orientation ? health->orientation[facet] : 1;
}

/* Whether what takes part is read as stored, by the health of the parts: facets that meet
 * the other part, and those inside it. */
static bool is_as_stored(const sc_crossings *x, int part, const sc_health *health)
{
    const sc_windings *w = &x->windings[part];
    bool as_stored = true;
    for (size_t i = 0; i < w->count; i++) {
        bool member = i < w->crossed || w->winding[w->facets[i].vertex[0]] != 0;
        as_stored = as_stored && (!member || orientation_of(health, w->facets[i].facet) == 1);
    }
    for (size_t i = 0; i < w->patch_facet_count; i++) {
        as_stored = as_stored && orientation_of(health, w->patch_facets[i]) == 1;
    }
    return as_stored;
}

/* ---- pieces, found either way ------------------------------------------------- */

enum { MOST_ITEMS = 60000 };

/* The piece of each facet that lies wholly inside the other part, and of each crossing; else
 * SIZE_MAX. Returns how many. */
static size_t list_pieces(const sc_crossings *x, const sc_pieces *pieces, size_t piece[MOST_ITEMS])
{
    size_t count = 0;
    for (int part = 0; part < 2; part++) {
        const sc_windings *w = &x->windings[part];
        size_t facets = w->own->part->mesh->file.facets.count, *of = piece + count;
        for (size_t i = 0; i < facets; i++) {
            piece[count++] = SIZE_MAX;
        }
        for (size_t i = w->crossed; i < w->count; i++) {
            uint32_t vertex = w->facets[i].vertex[0];
            if (w->winding[vertex] != 0) {
                of[w->facets[i].facet] = pieces->of[sc_pieces_vertex(x, part, vertex)];
            }
        }
        for (size_t i = 0; i < w->patch_count; i++) {
            for (size_t k = 0; k < w->patches[i].facets; k++) {
                of[w->patch_facets[w->patches[i].facet + k]] =
                    pieces->of[sc_pieces_patch(x, part, i)];
            }
        }
    }
    for (size_t i = 0; i < x->crossing_count; i++) {
        piece[count++] = pieces->of[sc_pieces_crossing(x, i)];
    }
    return count;
}

/* Whether two numberings mean the same sets. */
static bool are_the_same(const size_t *a, const size_t *b, size_t count)
{
    static size_t to_b[MOST_ITEMS], to_a[MOST_ITEMS];
    bool same = true;
    for (size_t i = 0; i < MOST_ITEMS; i++) {
        to_b[i] = to_a[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < count && same; i++) {
        same = (a[i] == SIZE_MAX) == (b[i] == SIZE_MAX);
        if (same && a[i] != SIZE_MAX) {
            to_b[a[i]] = to_b[a[i]] == SIZE_MAX ? b[i] : to_b[a[i]];
            to_a[b[i]] = to_a[b[i]] == SIZE_MAX ? a[i] : to_a[b[i]];
            same = to_b[a[i]] == b[i] && to_a[b[i]] == a[i];
        }
    }
    return same;
}

/* By what is anchored, and by taking patches apart. Returns the number of patches that need
 * not be. */
static size_t check_pieces(sc_crossings *x, const char *what)
{
    static size_t piece[2][MOST_ITEMS];
    size_t count[2], patches = x->windings[0].patch_count + x->windings[1].patch_count, spared = 0;
    for (int way = 0; way < 2; way++) {
        sc_pieces pieces;
        x->anchored = way == 0;
        CHECK(sc_pieces_find(x, NULL, &pieces), "%s: out of memory", what);
        bool apart = x->windings[0].patch_vertex_count + x->windings[1].patch_vertex_count > 0;
        spared = way == 0 && !apart ? patches : spared;
        count[way] = list_pieces(x, &pieces, piece[way]);
        sc_pieces_free(&pieces);
    }
    CHECK(count[0] == count[1] && are_the_same(piece[0], piece[1], count[0]), "%s: other pieces",
          what);
    return spared;
}

static size_t patches_spared; /* by all that was sound */

/* Whether they are found sound; what is found must be so. Takes the images over. */
static bool is_sound(stl_image a, stl_image b, const char *what)
{
    both parts;
    stlclash_error error = {0};
    sc_crossings x;
    bool sound = false;

    both_make(&parts, &a, &b);
    sc_solid *solids[2] = {&parts.solid[0], &parts.solid[1]};
    CHECK(sc_crossings_find(solids, parts.hits, parts.hit_count, NULL, &x) &&
              sc_crossings_wind(&x, NULL) && sc_sound_as_stored(&x, NULL, &sound),
          "%s: out of memory", what);
    for (int i = 0; i < 2; i++) {
        const sc_health *health;
        CHECK_INT(sc_health_get(parts.mesh[i], false, &health, &error), STLCLASH_OK);
        CHECK(!sound || is_as_stored(&x, i, health), "%s: facets of part %d are turned", what, i);
    }
    patches_spared += sound ? check_pieces(&x, what) : 0;
    sc_crossings_free(&x);
    both_free(&parts);
    image_free(&a);
    image_free(&b);
    return sound;
}

/* ---- shapes with known answers ---------------------------------------------- */

static stl_image box_at(double x, double y, double z, double size, bool inverted)
{
    stl_image box = make_box((double[]){x, y, z}, (double[]){x + size, y + size, z + size}, 6);
    if (inverted) {
        image_invert(&box);
    }
    return box;
}

/* A box of side 4 with a void of side 2 in its middle. */
static stl_image hollow(bool inverted)
{
    return image_joined(box_at(0, 0, 0, 4, inverted), box_at(1, 1, 1, 2, !inverted));
}

TEST(shells_the_right_way_round_are_sound)
{
    CHECK(is_sound(box_at(0, 0, 0, 4, false), box_at(3.3, 3.1, 3.2, 4, false), "corners"), "no");
    CHECK(is_sound(box_at(0, 0, 0, 4, false), box_at(4, 0.3, 0.2, 2, false), "flush"), "no");
    /* one inside out, but far from all that matters */
    CHECK(is_sound(image_joined(box_at(0, 0, 0, 4, false), box_at(-9, 0, 0, 4, true)),
                   box_at(3.3, 3.1, 3.2, 4, false), "inside out elsewhere"),
          "no");
}

TEST(shells_that_need_a_closer_look_are_not_sound)
{
    /* a corner through the middle of a facet: no vertex lies inside it */
    stl_image coarse = make_box((double[]){-30, -30, -30}, (double[]){0, 30, 30}, 1);
    stl_image corner = box_at(-0.1, 7, 3, 4, true);
    image_turn(&corner, 0, 0.3, 0.3);
    CHECK(!is_sound(image_joined(coarse, box_at(-90, 0, 0, 4, false)), corner, "corner"), "yes");
    /* partly in another shell, so that the winding number is 0 inside it here and -1 there */
    stl_image others = image_joined(box_at(2.9, 2.8, 2.7, 1.6, true), box_at(0, 0, 0, 3.1, false));
    stl_image plate = make_box((double[]){2, 2, 2.9}, (double[]){6, 6, 3.0}, 6);
    CHECK(!is_sound(plate, image_joined(others, box_at(-9, 0, 0, 4, false)), "partly"), "yes");
    /* so thin that a point above one of its sides is below the other */
    stl_image thin = make_box((double[]){0, 0, 0}, (double[]){4, 4, 0.001}, 6);
    image_invert(&thin);
    CHECK(!is_sound(image_joined(thin, box_at(-9, 0, 0, 4, false)),
                    box_at(1.3, 1.2, -1.1, 2, false), "thin"),
          "yes");
    CHECK(!is_sound(box_at(0, 0, 0, 4, true), box_at(3.3, 3.1, 3.2, 4, false), "inside out"),
          "yes");
    CHECK(!is_sound(box_at(0, 0, 0, 4, false), box_at(3.3, 3.1, 3.2, 4, true), "the other"), "yes");
    CHECK(!is_sound(box_at(0, 0, 0, 4, true), box_at(3.3, 3.1, 3.2, 4, true), "both"), "yes");
    /* beside its wall a void looks like a body that is inside out where another one covers it */
    CHECK(!is_sound(hollow(false), box_at(2.7, 2.6, 2.8, 3, false), "through a void"), "yes");
    CHECK(!is_sound(hollow(false), box_at(2.6, 1.7, 1.6, 0.6, false), "only into a void"), "yes");
    CHECK(!is_sound(image_joined(box_at(0, 0, 0, 4, false), box_at(1, 1, 1, 4, true)),
                    box_at(0.7, 1.7, 1.6, 0.6, false), "covered"),
          "yes");
    CHECK(!is_sound(hollow(true), box_at(2.7, 2.6, 2.8, 3, false), "all inside out"), "yes");
    CHECK(!is_sound(hollow(true), box_at(2.6, 1.7, 1.6, 0.6, false), "a void inside out"), "yes");
    for (int inverted = 0; inverted < 2; inverted++) {
        CHECK(!is_sound(image_joined(box_at(3.3, 3.1, 3.2, 4, false),
                                     box_at(0.4, 0.6, 0.7, 0.5, inverted != 0)),
                        box_at(0, 0, 0, 4, false), "a whole shell inside"),
              "yes");
    }
}

TEST(pieces_are_the_same_however_found)
{
    stl_image moved = make_bumpy(1, 30), ring = make_torus(2, 0.5, 120, 60);
    stl_image other = make_torus(2, 0.5, 110, 64), ball = make_sphere(1.2, 30);

    image_move(&moved, 1.2, 0.1, -0.1);
    image_turn(&other, 1.5, 0.1, 0.2);
    image_move(&ball, 1.4, 0.1, 0.1);
    patches_spared = 0;
    CHECK(is_sound(make_bumpy(1, 31), moved, "balls"), "no");
    CHECK(patches_spared > 10, "only %zu patches are spared", patches_spared);
    CHECK(is_sound(ring, other, "rings"), "no"); /* two regions */
    CHECK(is_sound(make_torus(2, 0.5, 120, 60), ball, "ring and ball"), "no");
    CHECK(is_sound(make_torus(2, 0.5, 120, 60),
                   make_box((double[]){-3, -3, -3}, (double[]){3, -0.3, 3}, 30),
                   "less than half a ring"),
          "no");
}

/* ---- random ones ------------------------------------------------------------- */

/* Cubes on a grid, each inside out or not, some with another in their middle. */
static stl_image random_cubes(const double offset[3])
{
    stl_image all = {0};
    for (int i = 0; i < 8; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            at[k] = 5 * (i >> k & 1) + offset[k];
        }
        if (all.size > 0 && test_below(2) == 0) {
            continue;
        }
        stl_image cube = box_at(at[0], at[1], at[2], 4, test_below(5) == 0);
        all = all.size > 0 ? image_joined(all, cube) : cube;
        if (test_below(3) == 0) {
            all = image_joined(all, box_at(at[0] + 1, at[1] + 1, at[2] + 1, 2, test_below(2) == 0));
        }
    }
    return all;
}

TEST(what_is_found_sound_is_read_as_stored)
{
    int sound = 0, rounds = test_rounds(400);
    for (int round = 0; round < rounds; round++) {
        double offset[2][3] = {{0, 0, 0}, {0, 0, 0}};
        char what[32];
        for (int k = 0; k < 3; k++) {
            offset[1][k] = test_below(3) == 0 ? test_uniform(-10, 10) : test_uniform(2, 9);
        }
        snprintf(what, sizeof what, "round %d", round);
        sound += is_sound(random_cubes(offset[0]), random_cubes(offset[1]), what);
    }
    CHECK(sound > rounds / 20 && sound < rounds - rounds / 20, "sound: %d of %d", sound, rounds);
}

/* ---- joining ------------------------------------------------------------------- */

TEST(chosen_facets_join_at_their_edges)
{
    enum { CELLS = 8, HALF = 6 * CELLS * CELLS };
    stl_image boxes = image_joined(make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, CELLS),
                                   make_box((double[]){3, 0, 0}, (double[]){4, 1, 1}, CELLS));
    stlclash_mesh *mesh = ask_mesh(&boxes);
    static uint32_t chosen[4 * HALF], root[4 * HALF];

    for (int step = 1; step <= 2;
         step++) { /* all facets, and one of two: of grids, no neighbours */
        uint32_t count = (uint32_t)(4 * HALF / step);
        for (uint32_t i = 0; i < count; i++) {
            chosen[i] = (uint32_t)step * i;
        }
        CHECK_INT(sc_health_join(mesh, chosen, count, 3 * (uint64_t)count, root), SC_JOINED);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t first = i < count / 2 ? 0 : count / 2;
            CHECK(step == 1 ? root[i] == first : root[i] <= i && root[i] >= first,
                  "step %d: %u joined to %u", step, i, root[i]);
        }
    }
    uint32_t twice[] = {0, 1, 0};
    CHECK_INT(sc_health_join(mesh, twice, 3, 9, root), SC_JOIN_TWISTED);
    stlclash_mesh_free(mesh);
    image_free(&boxes);
}

/* ---- large parts, whose shells are not looked at unless that is needed ---------- */

TEST(large_parts_overlap_alike_inside_out)
{
    stl_image image[2] = {make_bumpy(1, 33), make_bumpy(1, 33)};
    double volume = 0;

    image_move(&image[1], 1.2, 0.1, -0.1);
    for (int inverted = 0; inverted < 4; inverted++) {
        stlclash_mesh *mesh[2];
        if (inverted > 0) {
            image_invert(&image[inverted == 2]); /* 1: first, 2: both, 3: the second */
        }
        for (int i = 0; i < 2; i++) {
            mesh[i] = ask_mesh(&image[i]);
        }
        stlclash_result *r = ask_pair(mesh[0], mesh[1], NULL);
        volume = inverted == 0 ? r->overlap.volume : volume;
        CHECK(r->status == STLCLASH_CLASH && r->has_overlap && r->overlap.volume > 0.5 &&
                  fabs(r->overlap.volume - volume) < 1e-12,
              "%d: status %d, volume %.17g", inverted, r->status, r->overlap.volume);
        for (int i = 0; i < 2; i++) {
            CHECK(r->part[i].closed && r->part[i].has_volume == (inverted > 0),
                  "%d: part %d: closed %d, volume known %d", inverted, i, r->part[i].closed,
                  r->part[i].has_volume);
        }
        stlclash_result_free(r);
        stlclash_mesh_free(mesh[0]);
        stlclash_mesh_free(mesh[1]);
    }
    image_free(&image[0]);
    image_free(&image[1]);
}

/* Walls on the same side coincide; as they are stored, they would touch. */
TEST(large_parts_touch_alike_inside_out)
{
    enum { CELLS = 19 };
    for (int inverted = 0; inverted < 4; inverted++) {
        stl_image image[2] = {make_box((double[]){0, 0, 0}, (double[]){2, 2, 2}, CELLS),
                              make_box((double[]){1, 0, 0}, (double[]){3, 2, 3}, CELLS)};
        for (int i = 0; i < 2; i++) {
            if (inverted >> i & 1) {
                image_invert(&image[i]);
            }
        }
        stlclash_result *r = ask_images(&image[0], &image[1], NULL);
        CHECK(r->has_contact_area && r->contact_area == 0 && fabs(r->overlap.volume - 4) < 1e-12,
              "%d: contact area %g, volume %.17g", inverted, r->contact_area, r->overlap.volume);
        stlclash_result_free(r);
        image_free(&image[0]);
        image_free(&image[1]);
    }
}

/* Beside what sticks out of a large part, a tetrahedron in it with a corner on its surface: which
 * meets that, but does not cross it. */
TEST(what_touches_from_inside_is_a_region_of_its_own)
{
    static const float facets[36] = {0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1,
                                     0, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 1, 1, 0, 1, 0, 1};
    stl_image a = make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 27);
    for (int way = 0; way < 4; way++) {
        stl_image b = make_facets(facets, 4);
        if (way % 2) {
            image_turn(&b, 0, 0, 3.14159265358979);
        }
        image_move(&b, way % 2 ? 10 : 0, 3, 3);
        b = image_joined(b, make_box((double[]){4, 4, 9}, (double[]){6, 6, 25}, 8));
        stlclash_result *r = way < 2 ? ask_images(&a, &b, NULL) : ask_images(&b, &a, NULL);
        CHECK(r->overlap.region_count == 2 && r->hit_count > 0, "way %d: %zu regions", way,
              r->overlap.region_count);
        stlclash_result_free(r);
        image_free(&b);
    }
    image_free(&a);
}
