/* test_normal.c - the contact normal of parts that touch at points and edges, where no two
 * faces lie on each other: known by construction, in small integers, so that they touch
 * exactly. */
#include "ask.h"
#include "test.h"

#include <math.h>
#include <string.h>

typedef struct whole {
    int x[3];
} whole;

static whole random_whole(int size)
{
    return (whole){{test_below(2 * size + 1) - size, test_below(2 * size + 1) - size,
                    test_below(2 * size + 1) - size}};
}

static whole along(whole p, int s, whole u)
{
    for (int k = 0; k < 3; k++) {
        p.x[k] += s * u.x[k];
    }
    return p;
}

static whole cross(whole u, whole v)
{
    whole c;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        c.x[k] = u.x[i] * v.x[j] - u.x[j] * v.x[i];
    }
    return c;
}

static int dot(whole u, whole v)
{
    return u.x[0] * v.x[0] + u.x[1] * v.x[1] + u.x[2] * v.x[2];
}

static whole between(whole p, whole q)
{
    return along(q, -1, p);
}

/* A point strictly on the side of the plane through p to which d points. */
static whole beyond(whole p, whole d)
{
    whole q;
    do {
        q = along(p, 1, random_whole(9));
    } while (dot(d, between(p, q)) <= 0);
    return q;
}

/* A closed tetrahedron, or a bare image of the four points in one plane. */
static bool tetrahedron(const whole v[4], stl_image *image)
{
    static const int facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    float corners[4][9];
    int volume = dot(cross(between(v[0], v[1]), between(v[0], v[2])), between(v[0], v[3]));

    for (int f = 0; f < 4; f++) {
        for (int c = 0; c < 3; c++) {
            const whole *p = &v[facets[f][volume > 0 ? c : 2 - c]];
            for (int k = 0; k < 3; k++) {
                corners[f][3 * c + k] = (float)p->x[k];
            }
        }
    }
    *image = make_facets(corners[0], 4);
    return volume != 0;
}

/* The normal of the pair, either way round, is d. Frees the images. */
static void expect(stl_image a, stl_image b, whole d, const char *what)
{
    stlclash_options o = stlclash_options_default();
    double length = sqrt(dot(d, d));

    o.exact = true;
    image_shuffle(&a);
    image_rotate_corners(&b);
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    for (int way = 0; way < 2; way++) {
        stlclash_result *r = ask_pair(mesh[way], mesh[1 - way], &o);
        double most = 0.0;
        for (int k = 0; k < 3; k++) {
            double wanted = (way ? -1 : 1) * d.x[k] / length;
            most = fmax(most, fabs(r->normal[k] - wanted));
        }
        CHECK(r->status == STLCLASH_CONTACT, "%s: %s", what, stlclash_status_text(r->status));
        CHECK(r->has_normal && most < 1e-12, "%s: normal %g %g %g of %d, wanted %d %d %d", what,
              r->normal[0], r->normal[1], r->normal[2], r->has_normal, d.x[0], d.x[1], d.x[2]);
        stlclash_result_free(r);
    }
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
    }
    image_free(&a);
    image_free(&b);
}

TEST(edges_that_cross)
{
    for (int round = 0, rounds = test_rounds(2000); round < rounds; round++) {
        whole p = random_whole(20), u = random_whole(5), v = random_whole(5), d = cross(u, v);
        if (dot(d, d) == 0) {
            continue;
        }
        whole down = along((whole){{0, 0, 0}}, -1, d);
        whole a[4] = {along(p, 1, u), along(p, -2, u), beyond(p, d), beyond(p, d)};
        whole b[4] = {along(p, 1, v), along(p, -1, v), beyond(p, down), beyond(p, down)};
        stl_image images[2];
        bool solid = tetrahedron(a, &images[0]);
        if (tetrahedron(b, &images[1]) && solid) {
            expect(images[0], images[1], d, "edges");
        } else {
            image_free(&images[0]);
            image_free(&images[1]);
        }
    }
}

TEST(corners_and_edges_on_a_face)
{
    for (int round = 0, rounds = test_rounds(2000); round < rounds; round++) {
        whole p = random_whole(20), u = random_whole(5), v = random_whole(5), d = cross(u, v);
        if (dot(d, d) == 0) {
            continue;
        }
        /* p is a third of the way from each side of the face; an edge within it, or not. */
        bool edge = test_below(2);
        whole down = along((whole){{0, 0, 0}}, -1, d);
        whole origin = along(along(p, -6, u), -6, v);
        whole a[4] = {origin, along(origin, 18, u), along(origin, 18, v), beyond(p, d)};
        whole b[4] = {p, edge ? along(along(p, 1, u), 1, v) : beyond(p, down), beyond(p, down),
                      beyond(p, down)};
        stl_image images[2];
        bool solid = tetrahedron(a, &images[0]);
        if (tetrahedron(b, &images[1]) && solid) {
            expect(images[0], images[1], d, edge ? "edge on face" : "corner on face");
        } else {
            image_free(&images[0]);
            image_free(&images[1]);
        }
    }
}

/* Where the face is divided the corner touches several facets of one plane. */
TEST(corner_where_a_face_is_divided)
{
    static const double low[3] = {-4, -4, 0}, high[3] = {4, 4, 4};
    for (int x = -3; x < 4; x++) {
        for (int y = -3; y < 4; y++) {
            whole b[4] = {{{x, y, 4}}, {{x + 1, y, 9}}, {{x, y + 2, 9}}, {{x - 1, y - 1, 9}}};
            stl_image tip;
            tetrahedron(b, &tip);
            expect(make_box(low, high, 4), tip, (whole){{0, 0, -1}}, "divided face");
        }
    }
}

/* What p and a plane through it separate, they meet in p alone, corner on corner: many normals are
 * right, but each has all corners of A on the one side and those of B on the other. */
TEST(corners_on_corners)
{
    for (int round = 0, rounds = test_rounds(2000); round < rounds; round++) {
        whole p = random_whole(20), d = random_whole(3);
        if (dot(d, d) == 0) {
            continue;
        }
        whole down = along((whole){{0, 0, 0}}, -1, d);
        whole v[2][4] = {{p, beyond(p, d), beyond(p, d), beyond(p, d)},
                         {p, beyond(p, down), beyond(p, down), beyond(p, down)}};
        stl_image images[2];
        bool solid = tetrahedron(v[0], &images[0]);
        if (tetrahedron(v[1], &images[1]) && solid) {
            stlclash_mesh *mesh[2] = {ask_mesh(&images[0]), ask_mesh(&images[1])};
            stlclash_options o = stlclash_options_default();
            o.exact = true;
            stlclash_result *r = ask_pair(mesh[0], mesh[1], &o);
            CHECK(r->status == STLCLASH_CONTACT && r->has_normal, "round %d: %s", round,
                  stlclash_status_text(r->status));
            for (int i = 0; i < 8; i++) {
                whole way = between(p, v[i / 4][i % 4]);
                double above = r->normal[0] * way.x[0] + r->normal[1] * way.x[1] +
                               r->normal[2] * way.x[2];
                CHECK((i < 4 ? above : -above) > -1e-12, "round %d: normal %g %g %g leads into %s",
                      round, r->normal[0], r->normal[1], r->normal[2], i < 4 ? "A" : "B");
            }
            stlclash_result_free(r);
            stlclash_mesh_free(mesh[0]);
            stlclash_mesh_free(mesh[1]);
        }
        image_free(&images[0]);
        image_free(&images[1]);
    }
}

/* No direction is better than its opposite. */
TEST(coplanar_surfaces_have_no_normal)
{
    static const float corners[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    static const float others[9] = {1, 1, 0, 9, 1, 0, 1, 9, 0};
    stl_image a = make_facets(corners, 1), b = make_facets(others, 1);
    stlclash_mesh *mesh[2] = {ask_mesh(&a), ask_mesh(&b)};
    stlclash_result *r = ask_pair(mesh[0], mesh[1], NULL);

    CHECK(r->status == STLCLASH_CONTACT && !r->has_normal, "%s, normal %g %g %g",
          stlclash_status_text(r->status), r->normal[0], r->normal[1], r->normal[2]);
    stlclash_result_free(r);
    stlclash_mesh_free(mesh[0]);
    stlclash_mesh_free(mesh[1]);
    image_free(&a);
    image_free(&b);
}

/* Rounding lets a box in the notch of an L overlap it by slivers, along whichever wall: the normal
 * is that of the wall that it lies on with the larger face. */
TEST(normal_of_faces_that_are_flush_but_for_rounding)
{
    for (int round = 0, rounds = test_rounds(200); round < rounds; round++) {
        stl_image l = make_l_prism(4);
        stl_image block = make_box((double[]){2, 2, 0}, (double[]){4, 3, 4}, 1);
        stl_image way = make_facets((float[]){0, -1, 0, 0, -1, 0, 0, -1, 0}, 1);
        const double angle[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        stl_image *image[3] = {&l, &block, &way};
        for (int k = 0; k < 3; k++) {
            image_turn(image[k], angle[0], angle[1], angle[2]);
        }
        stlclash_result *r = ask_images(&l, &block, NULL);
        const shape_facet f = image_get(&way, 0);
        double cosine = 0;
        for (int k = 0; k < 3; k++) {
            cosine += r->normal[k] * (double)f.corner[0][k];
        }
        CHECK(r->status == STLCLASH_CONTACT, "round %d: %s", round,
              stlclash_status_text(r->status));
        CHECK(!r->has_normal || cosine > 1 - 1e-6, "round %d: normal %g %g %g", round, r->normal[0],
              r->normal[1], r->normal[2]);
        CHECK(r->has_normal || r->hit_count == 0, "round %d: no normal", round);
        stlclash_result_free(r);
        for (int k = 0; k < 3; k++) {
            image_free(image[k]);
        }
    }
}

/* Of faces across an axis it is exactly that axis, whatever their area. */
TEST(normal_along_an_axis_is_exact)
{
    for (int side = 1; side < 60; side++) {
        stl_image a = make_box((double[]){0, 0, 0}, (double[]){side, 7, 1}, 1);
        stl_image b = make_box((double[]){-1, -1, 1}, (double[]){side + 1, 8, 2}, 1);
        for (int sunk = 0; sunk < 2; sunk++) {
            stlclash_result *r = ask_images(&a, &b, NULL);
            CHECK(r->has_normal && r->normal[0] == 0 && r->normal[1] == 0 && r->normal[2] == -1,
                  "side %d, sunk %d: normal %.17g %.17g %.17g", side, sunk, r->normal[0],
                  r->normal[1], r->normal[2]);
            stlclash_result_free(r);
            image_move(&b, 0, 0, -0.25);
        }
        image_free(&a);
        image_free(&b);
    }
}
