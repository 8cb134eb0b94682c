/* test_probe_filter.c - what floats say of probes and triangles, against exact signs: each
 * triangle that they call passed is, where they say, and none is left out that is met.
 *
 * Probes are aimed at vertices, edges and points a few roundings beside them. */
#include "ask.h"
#include "geom/segment_triangle.h"
#include "probe/prober.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4096 };

/* One walk, and what it handed on of each triangle. */
typedef struct walked {
    const stlclash_prober *prober;
    sc_segment segment;
    sc_probe_ray ray;
    char seen[MOST]; /* 0 left out, 's' sure, 'm' may be */
    long sure, maybe;
} walked;

static const char *text_of(const sc_segment *s)
{
    static char text[256];
    snprintf(text, sizeof text, "from %a,%a,%a to %a,%a,%a", s->p.x, s->p.y, s->p.z, s->q.x, s->q.y,
             s->q.z);
    return text;
}

static void check_sure(const walked *w, const sc_probe_lanes *lanes, int lane, uint32_t triangle)
{
    sc_vec3 v[3];
    sc_prober_facet(w->prober, triangle, v);
    sc_stretch truth = sc_segment_meet(&w->segment, v);
    bool inside = truth.meets && truth.from.kind == SC_STOP_PLANE && truth.feature == SC_FACE;
    CHECK(inside, "triangle %u is not passed inside: meets %d, feature %d, %s", triangle,
          truth.meets, truth.feature, text_of(&w->segment));
    if (inside) {
        sc_vec3 n = sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
        bool down = sc_dot(n, sc_sub(w->segment.q, w->segment.p)) < 0.0;
        double part = w->ray.t1 - w->ray.t0, at = (truth.from.t - w->ray.t0) / part;
        double slack = (double)lanes->t_error[lane] + 0x1p-48 / part;
        CHECK(down == (lanes->down[lane] > 0.0f), "triangle %u is passed the other way, %s",
              triangle, text_of(&w->segment));
        CHECK(fabs(at - (double)lanes->t[lane]) <= slack,
              "triangle %u is passed at %.12g of the ray, not %.12g +- %.3g, %s", triangle, at,
              (double)lanes->t[lane], slack, text_of(&w->segment));
    }
}

static float look(void *context, const sc_probe_bundle *bundle, const sc_probe_lanes *lanes)
{
    walked *w = context;
    CHECK((lanes->sure & lanes->maybe) == 0, "both sure and not");
    for (int i = 0; i < SC_PROBE_LANES; i++) {
        uint32_t triangle = bundle->triangle[i];
        if (lanes->sure >> i & 1) {
            w->sure++;
            w->seen[triangle] = 's';
            check_sure(w, lanes, i, triangle);
        } else if (lanes->maybe >> i & 1) {
            w->maybe++;
            w->seen[triangle] = 'm';
        }
    }
    return 1.0f;
}

/* A part with its triangles as they are placed. */
typedef struct target {
    stl_image image;
    stlclash_mesh *mesh;
    stlclash_prober *prober;
    uint32_t count;
    sc_vec3 v[MOST][3];
} target;

static void check_walk(walked *w, const target *t, const stlclash_probe *probe)
{
    static sc_probe_walk walk;
    stlclash_error error;
    double unit;
    bool too_wide; /* it is refused then */

    memset(w->seen, 0, t->count);
    CHECK(sc_prober_segment(t->prober, probe, &w->segment, &unit, &too_wide, &error) == STLCLASH_OK,
          "%s", error.text);
    if (too_wide) {
        return;
    }
    const sc_probe_part *part = t->prober->part;
    if (sc_probe_ray_make(&part->tree, &t->prober->pose, &w->segment, &walk.ray)) {
        w->ray = walk.ray;
        sc_probe_walk_all(&part->tree, &walk, look, w);
    }
    for (uint32_t i = 0; i < t->count; i++) {
        if (!w->seen[i] && sc_segment_meets(&w->segment, t->v[i])) {
            CHECK(false, "triangle %u is met, but left out, %s", i, text_of(&w->segment));
        }
    }
}

/* ---- probes ----------------------------------------------------------------------------- */

/* Up to three representable numbers beside. */
static double beside(double x)
{
    for (int i = test_below(4); i > 0; i--) {
        x = nextafter(x, test_below(2) ? INFINITY : -INFINITY);
    }
    return x;
}

static double float_beside(double x)
{
    float f = (float)x;
    for (int i = test_below(3); i > 0; i--) {
        f = nextafterf(f, test_below(2) ? INFINITY : -INFINITY);
    }
    return (double)f;
}

/* A point of the triangle, often on its border or near it. */
static sc_vec3 aim(const sc_vec3 v[3])
{
    double a = test_uniform(0.0, 1.0), b = test_uniform(0.0, 1.0),
           near = ldexp(1.0, -test_below(40));
    int i = test_below(3), way = test_below(4);
    sc_vec3 from = v[i], along = sc_sub(v[(i + 1) % 3], v[i]), in = sc_sub(v[(i + 2) % 3], v[i]);

    if (way == 0) { /* anywhere inside */
        return sc_mul_add(sc_mul_add(from, a * b, along), a * (1.0 - b), in);
    }
    if (way == 1) { /* near an edge, on one side or the other */
        return sc_mul_add(sc_mul_add(from, a, along), near * test_uniform(-1.0, 1.0), in);
    }
    if (way == 2) { /* near a vertex */
        return sc_mul_add(sc_mul_add(from, near * test_uniform(-1.0, 1.0), along),
                          near * test_uniform(-1.0, 1.0), in);
    }
    return sc_mul_add(from, test_below(2) ? 0.5 : 0.0, along);
}

/* A probe through that point, or ending there; long, short, nearly in the plane, or
 * upright on it. */
static stlclash_probe draw(const target *t)
{
    const sc_vec3 *v = t->v[test_below((int)t->count)];
    const sc_box *bounds = &t->prober->bounds;
    sc_vec3 to = aim(v), d;
    double extent = 0.0, x[3], y[3];

    for (int k = 0; k < 3; k++) {
        extent = fmax(extent, bounds->high[k] - bounds->low[k]);
    }
    double length = extent * ldexp(test_uniform(0.5, 1.0), 2 - test_below(20));
    length = test_below(8) == 0 ? extent * ldexp(1.0, test_below(40)) : length;
    d = (sc_vec3){test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
    if (test_below(4) == 0) {
        sc_vec3 other = t->v[test_below((int)t->count)][test_below(3)], way = sc_sub(other, to);
        double size = sc_length(way);
        d = size > 0.0 ? sc_scale(way, 1.0 / size) : d;
    }
    if (test_below(5) == 0) { /* along the plane, but for a little */
        sc_vec3 edge = sc_sub(v[1], v[0]);
        double size = sc_length(edge);
        d = sc_mul_add(size > 0.0 ? sc_scale(edge, 1.0 / size) : d, ldexp(1.0, -test_below(45)), d);
    }
    if (test_below(4) == 0) { /* upright on it */
        sc_vec3 n = sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]));
        double size = sc_length(n);
        d = size > 0.0 ? sc_scale(n, 1.0 / size) : d;
    }
    double beyond = test_below(6) == 0 ? 0.0 : test_uniform(0.0, 2.0);
    for (int k = 0; k < 3; k++) {
        double at = sc_component(to, k), way = length * sc_component(d, k);
        x[k] = at - way;
        y[k] = at + beyond * way;
        x[k] = test_below(2) ? float_beside(x[k]) : beside(x[k]);
        y[k] = test_below(2) ? float_beside(y[k]) : beside(y[k]);
        y[k] = isfinite(x[k]) && isfinite(y[k]) ? y[k] : at;
        x[k] = isfinite(x[k]) ? x[k] : at;
    }
    return (stlclash_probe){.from = {x[0], x[1], x[2]}, .to = {y[0], y[1], y[2]}};
}

/* ---- parts ------------------------------------------------------------------------------ */

static void check_target(stl_image image, const double *placement, const char *what, long *sure)
{
    static target t;
    static walked w;
    stlclash_error error;

    t.image = image;
    t.count = (uint32_t)image_facets(&image);
    CHECK(t.count <= MOST, "%s: too many triangles", what);
    CHECK(stlclash_mesh_parse(image.bytes, image.size, &t.mesh, &error) == STLCLASH_OK &&
              stlclash_prober_make(t.mesh, placement, false, &t.prober, &error) == STLCLASH_OK,
          "%s: %s", what, error.text);
    for (uint32_t i = 0; i < t.count; i++) {
        sc_prober_facet(t.prober, i, t.v[i]);
    }
    w = (walked){.prober = t.prober};
    for (int round = test_rounds(2500); round > 0; round--) {
        stlclash_probe probe = draw(&t);
        check_walk(&w, &t, &probe);
    }
    CHECK(w.maybe > 0, "%s: floats settled everything", what);
    *sure += w.sure;
    stlclash_prober_free(t.prober);
    stlclash_mesh_free(t.mesh);
    image_free(&t.image);
}

/* Triangles of every size and shape in one part, down to a few floats across. */
static stl_image make_wild(int count)
{
    static float corners[MOST * 9];
    for (int i = 0; i < count; i++) {
        float *c = &corners[9 * i];
        double size = ldexp(1.0, -test_below(30)), thin = ldexp(1.0, -test_below(28));
        sc_vec3 at = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        at = test_below(3) == 0 ? sc_scale(at, ldexp(1.0, -test_below(30))) : at;
        sc_vec3 u = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        sc_vec3 v = {test_uniform(-1, 1), test_uniform(-1, 1), test_uniform(-1, 1)};
        v = sc_mul_add(sc_scale(u, test_uniform(0.0, 1.0)), thin, v);
        for (int k = 0; k < 3; k++) {
            c[k] = (float)sc_component(at, k);
            c[3 + k] = (float)(sc_component(at, k) + size * sc_component(u, k));
            c[6 + k] = (float)(sc_component(at, k) + size * sc_component(v, k));
        }
    }
    return make_facets(corners, (size_t)count);
}

static stl_image scaled(stl_image image, double factor)
{
    image_scale(&image, factor);
    return image;
}

static stl_image moved(stl_image image, double x, double y, double z)
{
    image_move(&image, x, y, z);
    return image;
}

TEST(floats_never_call_a_triangle_what_it_is_not)
{
    static const double zeros[3] = {0, 0, 0}, ones[3] = {1, 1, 1};
    long sure = 0;

    for (int place = 0; place < 2; place++) {
        const double *placement = place ? ask_aslant : NULL;
        check_target(make_sphere(1.0, 4), placement, "sphere", &sure);
        check_target(make_cylinder(0.3, 40.0, 60), placement, "needles", &sure);
        check_target(make_cylinder(20.0, 0.001, 60), placement, "a disk", &sure);
        check_target(make_soup(150, 0.5), placement, "soup", &sure);
        check_target(make_wild(200), placement, "wild", &sure);
        check_target(moved(make_box(zeros, ones, 4), 70000, -30000, 5), placement, "far", &sure);
        check_target(moved(make_torus(2.0, 0.5, 12, 8), 3e6, 1, -2e6), placement, "farther", &sure);
        check_target(scaled(make_wild(120), 1e-30), placement, "tiny", &sure);
        check_target(scaled(make_torus(2.0, 0.5, 12, 8), 1e36), placement, "huge", &sure);
    }
#if defined(SC_UNFILTERED)
    CHECK_INT(sure, 0);
#else
    CHECK(sure > test_rounds(6000), "floats settled only %ld", sure);
#endif
}
