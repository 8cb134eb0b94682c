/* ask.c - see ask.h. */
#include "ask.h"

#include <stdio.h>
#include <stdlib.h>

stlclash_mesh *ask_mesh(const stl_image *image)
{
    stlclash_mesh *mesh;
    stlclash_error error;
    if (stlclash_mesh_parse(image->bytes, image->size, &mesh, &error) != STLCLASH_OK) {
        printf("  %s\n", error.text);
        abort();
    }
    return mesh;
}

stlclash_result *ask_pair(const stlclash_mesh *a, const stlclash_mesh *b,
                          const stlclash_options *options)
{
    stlclash_result *result;
    stlclash_error error;
    if (stlclash_check(a, b, options, &result, &error) != STLCLASH_OK) {
        printf("  %s\n", error.text);
        abort();
    }
    return result;
}
