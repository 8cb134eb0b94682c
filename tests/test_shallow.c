/* test_shallow.c - how parts yield to what they pass through: by no more than they may. */
#include "ask.h"
#include "motion/shallow.h"
#include "shapes.h"
#include "test.h"

/* How far the displacements take the vertex that goes farthest. */
static double farthest(const sc_part *part, const sc_yield *yield)
{
    const sc_part moved = sc_yielding_part(part, yield);
    double most = 0;
    for (uint32_t i = 0; i < part->mesh->file.facets.count; i++) {
        sc_vec3 from[3], to[3];
        sc_triangle_vertices(&part->mesh->file.facets, &part->used, i, from);
        sc_triangle_vertices(&part->mesh->file.facets, &moved.used, i, to);
        for (int k = 0; k < 3; k++) {
            most = fmax(most, sc_length(sc_sub(to[k], from[k])));
        }
    }
    return most;
}

static bool refuse(void *context)
{
    ++*(int *)context;
    return false;
}

/* A box that goes down the notch of an L, or between two walls, and is too wide for that by as much
 * as it may yield, about. */
TEST(parts_yield_by_no_more_than_they_may)
{
    enum { FOUND = 2 };
    const double limit = 0.125;
    int found[FOUND] = {0};
    for (int round = 0; round < 40 + test_rounds(40); round++) {
        const double x = test_uniform(0, 1.5 * limit), y = test_uniform(0, 1.5 * limit);
        stl_image image[2] = {make_l_prism(4), {0}};
        if (round % 2) { /* walls at x = 2 and x = 3 */
            image[0] =
                image_joined(image[0], make_box((double[]){3, 2, 0}, (double[]){5, 4, 4}, 1));
        }
        image[1] =
            make_box((double[]){2 - x, 2 - y, 5}, (double[]){round % 2 ? 3 + x : 2.75, 3, 6}, 2);
        const sc_vec3 down = {0, 0, -3};
        stlclash_mesh *mesh[2];
        sc_part part[2];
        stlclash_error error;
        sc_yield yield;
        for (int i = 0; i < 2; i++) {
            mesh[i] = ask_mesh(&image[i]);
            CHECK_INT(sc_part_place(mesh[i], ask_identity, "part", &part[i], &error), STLCLASH_OK);
        }
        sc_sweep sweep = {.part = {&part[0], &part[1]}, .d = down, .keep_crossings = true};
        CHECK_INT(sc_sweep_meetings(&sweep, &error), STLCLASH_OK);
        if (sc_shallow_yield(&sweep, limit, &yield)) {
            const double most = farthest(&part[yield.part], &yield);
            CHECK(most <= limit * (1 + 1e-9), "round %d: by %g", round, most);
            found[round % FOUND]++;
            int asked = 0;
            sweep.poll = (sc_poll){refuse, &asked};
            CHECK(!sc_shallow_yield(&sweep, limit, &yield) && asked > 0, "round %d: not asked",
                  round);
        }
        sc_sweep_free(&sweep);
        for (int i = 0; i < 2; i++) {
            stlclash_mesh_free(mesh[i]);
            image_free(&image[i]);
        }
    }
    CHECK(found[0] > 0 && found[1] > 0, "%d shifts, %d strains", found[0], found[1]);
}
