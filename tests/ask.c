/* ask.c - see ask.h. */
#include "ask.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

const double ask_identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

void ask_placement(double placement[16], double spread)
{
    double turn[3][3];
    shape_rotation(turn, test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3));
    memcpy(placement, ask_identity, sizeof ask_identity);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            placement[4 * i + j] = turn[i][j];
        }
        placement[4 * i + 3] = test_uniform(-spread, spread);
    }
}
