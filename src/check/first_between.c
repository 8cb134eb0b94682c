/* first_between.c - see first_between.h. */
#include "first_between.h"

#include "base/error.h"
#include "depth/deepest.h"
#include "health/health_once.h"
#include "judge/judging.h"

/* False if memory ran out. */
static bool look(sc_solid solid[2], double reach, bool *deep)
{
    enum { FEW_LOOKS = 1000 };
    const sc_part *a = solid[0].part, *b = solid[1].part;
    const sc_depth_request request = {.solid = {&solid[0], &solid[1]},
                                      .within = sc_boxes_common(&a->used_bounds, &b->used_bounds),
                                      .relative_error = 1.0,
                                      .threshold = reach,
                                      .budget = FEW_LOOKS};
    sc_deepest d = sc_deepest_make(&request);

    sc_deepest_try_between(&d, SC_FEW_CHORDS);
    *deep = sc_deepest_beaten(&d);
    return !d.surface[0].failed && !d.surface[1].failed;
}

stlclash_code sc_first_between(const sc_part part[2], const sc_frame *frame, sc_octree tree[2],
                               double reach, sc_crew *crew, bool *deep, stlclash_error *error)
{
    static const sc_role role[2] = {SC_ROLE_A, SC_ROLE_B};
    stlclash_code code = STLCLASH_OK;
    sc_solid solid[2];
    int made = 0;

    *deep = false;
    for (; made < 2 && code == STLCLASH_OK; made += code == STLCLASH_OK) {
        code = sc_solid_make(&part[made], role[made], frame, &tree[made], &solid[made], error);
    }
    if (code == STLCLASH_OK && !look(solid, reach, deep)) {
        code = sc_error_memory(error);
    }
    while (made > 0) {
        sc_solid_free(&solid[--made]);
    }
    if (code == STLCLASH_OK && *deep) {
        const stlclash_mesh *const mesh[2] = {part[0].mesh, part[1].mesh};
        const uint64_t facets = sc_parts_facets(&part[0], &part[1]);
        *deep = sc_health_both_balanced(mesh, sc_crew_for(crew, SC_NS_LOOK * facets));
    }
    return code;
}
