#include "couple.h"
#include "ask.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void couple_make(couple *c, const stl_image *a, const stl_image *b)
{
    const stl_image *images[2] = {a, b};
    stlclash_error error = {0};

    *c = (couple){.budget = 4000000};
    for (int i = 0; i < 2; i++) {
        c->mesh[i] = ask_mesh(images[i]);
        c->part[i] = (sc_part){.mesh = c->mesh[i],
                               .placement = {.is_identity = 1},
                               .used = {.is_identity = 1},
                               .bounds = c->mesh[i]->blocks.bounds,
                               .used_bounds = c->mesh[i]->blocks.bounds};
    }
    sc_frame frame = sc_frame_make(&c->part[0].used_bounds, &c->part[1].used_bounds);
    for (int i = 0; i < 2; i++) {
        if (sc_solid_make(&c->part[i], i ? SC_ROLE_B : SC_ROLE_A, &frame, NULL, &c->solid[i],
                          &error) != STLCLASH_OK) {
            printf("  %s\n", error.text);
            abort();
        }
    }
    c->within = sc_boxes_common(&c->part[0].used_bounds, &c->part[1].used_bounds);
}

sc_surface couple_surface(couple *c, int part)
{
    return (sc_surface){.solid = &c->solid[part],
                        .margin = SC_SURFACE_MARGIN * sc_parts_reach(&c->part[0], &c->part[1])};
}

void couple_free(couple *c)
{
    for (int i = 0; i < 2; i++) {
        sc_solid_free(&c->solid[i]);
        stlclash_mesh_free(c->mesh[i]);
    }
}

static bool count_polls(void *context)
{
    ((couple *)context)->polled++;
    return true;
}

sc_depth find_by(couple *c, double error, double threshold, sc_crew *crew)
{
    sc_depth_request request = {.solid = {&c->solid[0], &c->solid[1]},
                                .within = c->within,
                                .relative_error = error,
                                .threshold = threshold,
                                .budget = c->budget,
                                .poll = {count_polls, c},
                                .crew = crew};
    sc_depth depth;
    c->polled = 0;
    CHECK(sc_depth_find(&request, &depth), "out of memory");
    return depth;
}

sc_depth find(couple *c, double error, double threshold)
{
    return find_by(c, error, threshold, NULL);
}

/* ---- plain oracle --------------------------------------------------------------- */

static sc_vec3 on_segment(sc_vec3 p, sc_vec3 a, sc_vec3 b)
{
    sc_vec3 d = sc_sub(b, a);
    double dd = sc_dot(d, d), t = dd > 0 ? sc_dot(sc_sub(p, a), d) / dd : 0;
    return sc_mul_add(a, fmax(0, fmin(1, t)), d);
}

static double to_triangle(sc_vec3 p, const sc_vec3 v[3])
{
    double best = INFINITY;
    for (int i = 0; i < 3; i++) {
        best = fmin(best, sc_length(sc_sub(p, on_segment(p, v[i], v[(i + 1) % 3]))));
    }
    sc_vec3 n = sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
    for (int i = 0; i < 3; i++) {
        sc_vec3 edge = sc_sub(v[(i + 1) % 3], v[i]);
        if (sc_dot(sc_cross(n, edge), sc_sub(p, v[i])) < 0) {
            return best;
        }
    }
    return fmin(best, fabs(sc_dot(n, sc_sub(p, v[0]))) / sc_length(n));
}

/* Distance from the surface, and the generalised winding number: the solid angles of
 * all facets (Van Oosterom and Strackee, 1983). */
double probe(const stlclash_mesh *mesh, sc_vec3 p, double *winding)
{
    double least = INFINITY, angle = 0;
    for (uint32_t i = 0; i < mesh->file.facets.count; i++) {
        float f[9];
        sc_vec3 v[3], r[3];
        double l[3];
        sc_facet_load(&mesh->file.facets, i, f);
        for (int k = 0; k < 3; k++) {
            v[k] = (sc_vec3){(double)f[3 * k], (double)f[3 * k + 1], (double)f[3 * k + 2]};
            r[k] = sc_sub(v[k], p);
            l[k] = sc_length(r[k]);
        }
        least = fmin(least, to_triangle(p, v));
        angle += 2 * atan2(sc_dot(r[0], sc_cross(r[1], r[2])),
                           l[0] * l[1] * l[2] + sc_dot(r[0], r[1]) * l[2] +
                               sc_dot(r[1], r[2]) * l[0] + sc_dot(r[2], r[0]) * l[1]);
    }
    *winding = angle / (4 * 3.14159265358979323846);
    return least;
}

/* ---- checks --------------------------------------------------------------------- */

double depth_at(const couple *c, sc_vec3 p)
{
    double most = 0.0;
    for (int k = 0; k < 2; k++) {
        double winding;
        const double distance = probe(c->mesh[k], p, &winding);
        if (fabs(winding) < 0.5) {
            return 0.0;
        }
        most = fmax(most, distance);
    }
    return most;
}

sc_vec3 some_place(const couple *c, double reach)
{
    const sc_part *part = &c->part[test_below(2)];
    sc_vec3 v[3];
    sc_triangle_vertices(&part->mesh->file.facets, &part->used,
                         (uint32_t)test_below((int)part->mesh->file.facets.count), v);
    const int at = test_below(4);
    return some_step(at == 3 ? sc_triangle_middle(v) : v[at], reach);
}

void check_point(const couple *c, const sc_depth *d, const char *what)
{
    double distance[2], winding[2], reach = sc_box_reach(&c->part[0].used_bounds);
    for (int i = 0; i < 2; i++) {
        distance[i] = probe(c->mesh[i], d->point, &winding[i]);
    }
    double tiny = 1e-12 * fmax(reach, sc_box_reach(&c->part[1].used_bounds));
    CHECK(fabs(distance[d->in] - d->depth) <= tiny, "%s: depth %.17g, distance %.17g", what,
          d->depth, distance[d->in]);
    CHECK(winding[d->in] > 0.5, "%s: the point is outside part %d", what, d->in);
    CHECK(winding[1 - d->in] > 0.5 || distance[1 - d->in] <= tiny,
          "%s: the point is not in part %d (%g)", what, 1 - d->in, winding[1 - d->in]);
    CHECK(fabs(sc_length(sc_sub(d->nearest, d->point)) - d->depth) <= tiny, "%s: nearest", what);
}

double try_depth(const stl_image *a, const stl_image *b, double expected, double error,
                 const char *what)
{
    couple c;
    couple_make(&c, a, b);
    sc_depth d = find(&c, error, -1);

    CHECK(d.complete, "%s: not complete, %g", what, d.depth);
    CHECK(d.bound <= d.depth * (1 + error) + 1e-9 * d.depth, "%s: bound %.9g of depth %.9g", what,
          d.bound, d.depth);
    if (expected > 0) {
        CHECK(d.depth <= expected * (1 + 1e-9) && d.bound >= expected * (1 - 1e-9),
              "%s: %.9g .. %.9g, expected %.9g", what, d.depth, d.bound, expected);
    }
    check_point(&c, &d, what);
    sc_depth low = find(&c, error, d.depth * 0.98), high = find(&c, error, d.depth * 1.03);
    CHECK(low.depth > d.depth * 0.98, "%s: threshold below", what);
    CHECK(high.complete && high.bound <= d.depth * 1.03 && high.depth <= high.bound,
          "%s: threshold above", what);
    couple_free(&c);
    return d.depth;
}

void try_both(stl_image a, stl_image b, double expected, const char *what)
{
    try_depth(&a, &b, expected, 0.01, what);
    try_depth(&a, &b, expected, 1e-4, what);
    try_depth(&b, &a, expected, 0.01, what);
    image_free(&a);
    image_free(&b);
}

/* ---- shapes and places ---------------------------------------------------------- */

stl_image box(double x0, double y0, double z0, double x1, double y1, double z1, uint32_t cells)
{
    return make_box((double[]){x0, y0, z0}, (double[]){x1, y1, z1}, cells);
}

stl_image union_of_boxes(int boxes)
{
    stl_image all = {0};
    for (; boxes > 0; boxes--) {
        const double x = test_uniform(0, 6), y = test_uniform(0, 6), z = test_uniform(0, 6);
        stl_image more = box(x, y, z, x + test_uniform(0.5, 6), y + test_uniform(0.5, 6),
                             z + test_uniform(0.5, 6), 1);
        image_join(&all, &more);
        image_free(&more);
    }
    return all;
}

sc_vec3 some_step(sc_vec3 p, double size)
{
    return sc_add(p, (sc_vec3){test_uniform(-size, size), test_uniform(-size, size),
                               test_uniform(-size, size)});
}
