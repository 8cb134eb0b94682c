/* ask.h - the public interface for tests in which nothing may go wrong: an error ends the
 * program with its text; and placements to ask with. */
#ifndef TEST_ASK_H
#define TEST_ASK_H

#include "geom/box.h"
#include "shapes.h"
#include "stlclash.h"

/* Freed by stlclash_mesh_free; the image must outlive it. */
stlclash_mesh *ask_mesh(const stl_image *image);

/* Freed by stlclash_result_free. options may be NULL. */
stlclash_result *ask_pair(const stlclash_mesh *a, const stlclash_mesh *b,
                          const stlclash_options *options);

/* The same of two images. */
stlclash_result *ask_images(const stl_image *a, const stl_image *b,
                            const stlclash_options *options);
stlclash_status ask_status(const stl_image *a, const stl_image *b, const stlclash_options *options);

/* The defaults, with one thread, and no pairs listed. */
stlclash_options ask_usual(void);
/* The same, and touching is exact. */
stlclash_options exact(void);

bool ask_has_note(const stlclash_result *result, const char *note);

/* Placements: none, and any turn with a shift of up to `spread` along each axis, from
 * test_random. */
extern const double ask_identity[16];
void ask_placement(double placement[16], double spread);
/* out = x y, another than either: what y does first. */
void ask_product(const double x[16], const double y[16], double out[16]);
/* Not a multiple of a right angle, and a shift that is not exact. */
extern const double ask_aslant[16];

/* Any point in a box, from test_random. */
sc_vec3 ask_point(const sc_box *box);

#endif
