#include "sweeps.h"
#include "../bench/parts.h"
#include "ask.h"
#include "test.h"

#include <string.h>

stlclash_sweep_result *sweep(const stlclash_mesh *a, const stlclash_mesh *b,
                             const stlclash_options *options, const stlclash_motion *motion)
{
    stlclash_sweep_result *result = NULL;
    stlclash_error error = {.text = ""};
    stlclash_code code = stlclash_sweep(a, b, options, motion, &result, &error);
    CHECK(code == STLCLASH_OK, "%s", error.text);
    return result;
}

stlclash_status sweep_images(const stl_image *a, const stl_image *b,
                             const stlclash_options *options, const double way_of_b[3])
{
    stlclash_mesh *mesh[2] = {ask_mesh(a), ask_mesh(b)};
    stlclash_motion motion = {.kind = STLCLASH_STRAIGHT};
    memcpy(motion.way[1], way_of_b, sizeof motion.way[1]);
    stlclash_sweep_result *r = sweep(mesh[0], mesh[1], options, &motion);
    stlclash_status status = r->status;
    stlclash_sweep_result_free(r);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    return status;
}

stl_image box_without_lid(void)
{
    stl_image whole = make_box((double[]){-4, -4, 0}, (double[]){5, 5, 9}, 1), open = {0};
    for (size_t i = 0; i < image_facets(&whole); i++) {
        const shape_facet facet = image_get(&whole, i);
        if (facet.corner[0][2] + facet.corner[1][2] + facet.corner[2][2] < 27) {
            stl_image one = make_facets(facet.corner[0], 1);
            image_join(&open, &one);
            image_free(&one);
        }
    }
    image_free(&whole);
    return open;
}

loaded load_part(const char *file)
{
    loaded l = {{0}, NULL};
    for (size_t i = 0; i < part_count; i++) {
        if (strcmp(parts[i].file, file) == 0) {
            CHECK(part_image(&parts[i], &l.image), "out of memory");
            l.mesh = ask_mesh(&l.image);
        }
    }
    CHECK(l.mesh != NULL, "no part %s", file);
    return l;
}

void unload(loaded *l)
{
    stlclash_mesh_free(l->mesh);
    image_free(&l->image);
}
