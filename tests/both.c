/* both.c - see both.h. */
#include "both.h"

#include "ask.h"
#include "test.h"

#include <stdlib.h>

void both_make(both *b, const stl_image *first, const stl_image *second)
{
    both_place(b, first, second, ask_identity);
}

void both_place(both *b, const stl_image *first, const stl_image *second,
                const double placement[16])
{
    stlclash_options all = stlclash_options_default();
    all.placement[0] = all.placement[1] = placement;
    stlclash_error error = {0};
    b->mesh[0] = ask_mesh(first);
    b->mesh[1] = ask_mesh(second);
    all.no_overlap = true;
    all.max_hits = UINT64_MAX;
    stlclash_result *r = ask_pair(b->mesh[0], b->mesh[1], &all);
    b->hit_count = r->hit_count;
    b->hits = malloc((r->hit_count + 1) * sizeof *b->hits);
    CHECK(b->hits != NULL, "out of memory");
    for (size_t i = 0; b->hits && i < b->hit_count; i++) {
        b->hits[i] = (uint64_t)r->hits[i].triangle_a << 32 | r->hits[i].triangle_b;
    }
    stlclash_result_free(r);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sc_part_place(b->mesh[i], placement, "part", &b->part[i], &error),
                  STLCLASH_OK);
    }
    sc_frame frame = sc_frame_make(&b->part[0].used_bounds, &b->part[1].used_bounds);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(sc_solid_make(&b->part[i], i ? SC_ROLE_B : SC_ROLE_A, &frame, NULL, &b->solid[i],
                                &error),
                  STLCLASH_OK);
    }
}

void both_free(both *b)
{
    for (int i = 0; i < 2; i++) {
        sc_solid_free(&b->solid[i]);
        stlclash_mesh_free(b->mesh[i]);
    }
    free(b->hits);
}
