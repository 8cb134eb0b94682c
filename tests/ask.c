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

stlclash_result *ask_images(const stl_image *a, const stl_image *b, const stlclash_options *options)
{
    stlclash_mesh *mesh[2] = {ask_mesh(a), ask_mesh(b)};
    stlclash_result *result = ask_pair(mesh[0], mesh[1], options);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    return result;
}

stlclash_status ask_status(const stl_image *a, const stl_image *b, const stlclash_options *options)
{
    stlclash_result *r = ask_images(a, b, options);
    stlclash_status status = r->status;
    stlclash_result_free(r);
    return status;
}

stlclash_options ask_usual(void)
{
    stlclash_options o = stlclash_options_default();
    o.threads = 1;
    o.max_hits = 0;
    return o;
}

stlclash_options exact(void)
{
    stlclash_options o = ask_usual();
    o.exact = true;
    return o;
}

bool ask_has_note(const stlclash_result *result, const char *note)
{
    for (size_t i = 0; i < result->note_count; i++) {
        if (strcmp(result->notes[i], note) == 0) {
            return true;
        }
    }
    return false;
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

const double ask_aslant[16] = {0.36, 0.48, -0.8, 0.1,  -0.8, 0.6, 0, 1.7,
                               0.48, 0.64, 0.6,  -3.3, 0,    0,   0, 1};

sc_vec3 ask_point(const sc_box *box)
{
    double p[3];
    for (int k = 0; k < 3; k++) {
        p[k] = test_uniform(box->low[k], box->high[k]);
    }
    return (sc_vec3){p[0], p[1], p[2]};
}

void ask_product(const double x[16], const double y[16], double out[16])
{
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++) {
                sum += x[4 * i + k] * y[4 * k + j];
            }
            out[4 * i + j] = sum;
        }
    }
}
