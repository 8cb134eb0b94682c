/* first_inside.c - see first_inside.h. */
#include "first_inside.h"

#include "base/error.h"
#include "health/health_once.h"
#include "judge/judging.h"
#include "solids/surface.h"

/* Whether p lies inside part `x`, and farther than `reach` from its surface. */
static stlclash_code look(const sc_part part[2], int x, const sc_frame *frame, sc_vec3 p,
                          double reach, bool *inside, stlclash_error *error)
{
    const double clear = reach + 2.0 * sc_surface_margin(&part[0], &part[1]);
    sc_box at = sc_box_empty(), region = sc_solid_way_out(&part[x], p);
    sc_octree tree;
    sc_solid solid;
    int winding = 0;

    sc_box_add_point(&at, p);
    at = sc_box_grown(&at, clear);
    sc_box_add_box(&region, &at);
    stlclash_code code = sc_octree_of_part(&part[x], frame, &region, NULL, &tree, error);
    if (code != STLCLASH_OK) {
        return code;
    }
    code = sc_solid_make(&part[x], x == 0 ? SC_ROLE_A : SC_ROLE_B, frame, &tree, &solid, error);
    if (code == STLCLASH_OK) {
        sc_surface surface = sc_surface_of(&solid, &part[1 - x]);
        bool good = sc_solid_winding(&solid, p, &winding);
        *inside =
            good && sc_is_inside(winding) &&
            sc_surface_any(&surface, p, clear, (sc_seek){.hint = UINT32_MAX}).distance > clear;
        code = good && !surface.failed ? STLCLASH_OK : sc_error_memory(error);
        sc_solid_free(&solid);
    }
    sc_octree_free(&tree);
    return code;
}

/* A few vertices of part 1 - x. */
static stlclash_code look_at_some(const sc_part part[2], int x, const sc_frame *frame, double reach,
                                  bool *inside, stlclash_error *error)
{
    enum { TRIES = 2 };
    const sc_part *own = &part[1 - x];
    stlclash_code code = STLCLASH_OK;

    for (uint32_t i = 0; i < TRIES && code == STLCLASH_OK && !*inside; i++) {
        sc_vec3 v[3];
        const sc_facets *facets = &own->mesh->file.facets;
        sc_triangle_vertices(facets, &own->used, i * (facets->count / TRIES), v);
        if (sc_facet_has_area(v)) { /* others bound nothing */
            code = look(part, x, frame, v[0], reach, inside, error);
        }
    }
    return code;
}

stlclash_code sc_first_inside(const sc_part part[2], const sc_frame *frame, double reach,
                              sc_crew *crew, bool *inside, stlclash_error *error)
{
    stlclash_code code = STLCLASH_OK;

    *inside = false;
    for (int x = 0; x < 2 && code == STLCLASH_OK && !*inside; x++) {
        if (sc_box_inside(&part[1 - x].used_bounds, &part[x].used_bounds)) {
            code = look_at_some(part, x, frame, reach, inside, error);
        }
    }
    if (code == STLCLASH_OK && *inside) {
        const stlclash_mesh *const mesh[2] = {part[0].mesh, part[1].mesh};
        uint64_t facets = sc_parts_facets(&part[0], &part[1]);
        *inside = sc_health_both_balanced(mesh, sc_crew_for(crew, SC_NS_LOOK * facets));
    }
    return code;
}
