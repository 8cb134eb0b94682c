/* test_winding.c - winding numbers by rays against the sum of solid angles: of long thin facets,
 * whose boxes all meet a ray, too. */
#include "ask.h"
#include "mesh.h"
#include "oracle_solid.h"
#include "shapes.h"
#include "solids/solid.h"
#include "test.h"

#include <stdlib.h>

/* Close to some facet, on either side. */
static sc_vec3 point_nearby(const sc_solid *solid, double by)
{
    sc_vec3 v[3];
    sc_solid_facet(solid, (uint32_t)test_below((int)solid->part->mesh->file.facets.count), v);
    double s = test_uniform(0, 0.5), t = test_uniform(0, 0.5);
    sc_vec3 p = sc_mul_add(sc_mul_add(v[0], s, sc_sub(v[1], v[0])), t, sc_sub(v[2], v[0]));
    return (sc_vec3){p.x + test_uniform(-by, by), p.y + test_uniform(-by, by),
                     p.z + test_uniform(-by, by)};
}

static void try_shape(stl_image *image, const char *what)
{
    stlclash_error error = {0};
    stlclash_mesh *mesh = ask_mesh(image);
    sc_part part = {.mesh = mesh,
                    .placement = {.is_identity = 1},
                    .used = {.is_identity = 1},
                    .bounds = mesh->blocks.bounds,
                    .used_bounds = mesh->blocks.bounds};
    sc_box far = sc_box_grown(&part.bounds, 0.3 * sc_box_extent(&part.bounds));
    sc_frame frame = sc_frame_make(&part.bounds, &far);
    for (int role = 0; role < 2; role++) {
        sc_solid solid;
        sc_known_windings known = {.count = 0};
        sc_vec3 last = ask_point(&far);
        int last_winding = 0;
        CHECK_INT(sc_solid_make(&part, role ? SC_ROLE_B : SC_ROLE_A, &frame, NULL, &solid, &error),
                  STLCLASH_OK);
        CHECK(sc_solid_winding(&solid, last, &last_winding), "out of memory");
        for (int i = 0; i < test_rounds(150); i++) {
            double by = i % 3 == 0 ? 0.1 : 1e-3;
            sc_vec3 p = i % 3 == 2 ? ask_point(&far) : point_nearby(&solid, by);
            double expected = oracle_winding(image, (double[]){p.x, p.y, p.z});
            int winding = 0, from_known = 0, entered = 0, crossed = 0;
            CHECK(sc_solid_winding(&solid, p, &winding) &&
                      sc_solid_winding_near(&solid, &known, p, &from_known) &&
                      sc_solid_crossings(&solid, last, p, &entered, &crossed),
                  "out of memory");
            CHECK(fabs(winding - expected) < 1e-3, "%s: %d, not %g", what, winding, expected);
            CHECK(from_known == winding && entered == winding - last_winding &&
                      crossed >= abs(entered) && (crossed - entered) % 2 == 0,
                  "%s: %d, from known points %d, entered %d times since %d", what, winding,
                  from_known, entered, last_winding);
            last = p;
            last_winding = winding;
        }
        sc_solid_free(&solid);
    }
    stlclash_mesh_free(mesh);
    image_free(image);
}

TEST(rays_and_solid_angles_agree)
{
    for (int round = 0; round < test_rounds(6); round++) {
        stl_image images[] = {make_cylinder(0.2, 10.0, 150), make_cylinder(3.0, 0.05, 100),
                              make_bumpy(1.0, 6), make_torus(1, 0.4, 40, 12), make_l_prism(1.5)};
        for (size_t i = 0; i < sizeof images / sizeof images[0]; i++) {
            image_turn(&images[i], test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
            image_move(&images[i], test_uniform(-9, 9), test_uniform(-9, 9), 0);
            try_shape(&images[i], (const char *[]){"rod", "disc", "bumpy", "torus", "l"}[i]);
        }
    }
}
