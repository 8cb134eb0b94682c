/* test_solids.c - what two closed parts have in common: status, containment, volume,
 * contact area, depth; against tables, counting, clipping and enumeration. Only the
 * public interface is asked. */
#include "ask.h"
#include "oracle_solid.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Random pairs of each kind. */
enum { TETRAHEDRA = 100000, VOXELS = 10000, SPLIT_BOXES = 8000, COMPLEMENTS = 400, DEPTHS = 1500 };

/* ---- asking ----------------------------------------------------------------- */

static stlclash_options exact(void)
{
    stlclash_options o = ask_usual();
    o.exact = true;
    return o;
}

/* ---- judging ---------------------------------------------------------------- */

/* What must come out. */
typedef struct truth {
    stlclash_status status;
    stlclash_side contained;
    double volume;
    double area;     /* face to face; negative: not told */
    bool random;     /* any volume, however thin: rounding is that of the whole parts */
    bool has_bounds; /* and a centroid */
    double centroid[3], bounds[2][3];
} truth;

/* Largest coordinate difference within either image. */
static double extent_of(const stl_image *a, const stl_image *b)
{
    const stl_image *image[2] = {a, b};
    double extent = 0;

    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            double low = INFINITY, high = -INFINITY;
            for (size_t f = 0; f < image_facets(image[i]); f++) {
                shape_facet facet = image_get(image[i], f);
                for (int c = 0; c < 3; c++) {
                    low = fmin(low, (double)facet.corner[c][k]);
                    high = fmax(high, (double)facet.corner[c][k]);
                }
            }
            extent = fmax(extent, high - low);
        }
    }
    return extent;
}

/* `slack`: how far the truth itself may be off. */
static void check_volume(const stlclash_result *r, double volume, double slack, const char *what)
{
    double off = fabs(r->overlap.volume - volume);
    CHECK(off <= r->overlap.volume_error + 0x1p-53 * volume + slack,
          "%s: volume %.17g, error %g, but it is %.17g", what, r->overlap.volume,
          r->overlap.volume_error, volume);
}

static void check_truth(const stlclash_result *r, const truth *t, double extent, const char *what)
{
    const stlclash_overlap *o = &r->overlap;
    double noise = t->random ? 1e-16 * extent * extent * extent : 0;

    CHECK(r->status == t->status, "%s: %s, but it is %s", what, stlclash_status_text(r->status),
          stlclash_status_text(t->status));
    CHECK(r->pass == (r->status == STLCLASH_CONTACT || r->status == STLCLASH_CLEAR), "%s: pass",
          what);
    if (t->status == STLCLASH_CLASH) {
        CHECK(r->has_overlap, "%s: no overlap", what);
        CHECK(o->contained == t->contained, "%s: contained is %d, but %d is", what, o->contained,
              t->contained);
        check_volume(r, t->volume, 0, what);
        CHECK(fabs(o->volume - t->volume) <= 1e-14 * t->volume + noise,
              "%s: volume %.17g, but it is %.17g", what, o->volume, t->volume);
        CHECK(o->volume_error <= 1e-13 * extent * extent * extent, "%s: volume_error %g", what,
              o->volume_error);
    }
    if (t->status == STLCLASH_CLASH && t->has_bounds) {
        for (int k = 0; k < 3; k++) {
            /* The centroid of a thin overlap is no better known than its volume. */
            CHECK(fabs(o->centroid[k] - t->centroid[k]) <=
                      (1e-13 + 8.0 * o->volume_error / t->volume) * extent,
                  "%s: centroid[%d] is %.17g, but it is %.17g", what, k, o->centroid[k],
                  t->centroid[k]);
            CHECK(o->bounds[0][k] <= t->bounds[0][k] + 1e-13 * extent &&
                      o->bounds[0][k] >= t->bounds[0][k] - 1e-13 * extent &&
                      o->bounds[1][k] >= t->bounds[1][k] - 1e-13 * extent &&
                      o->bounds[1][k] <= t->bounds[1][k] + 1e-13 * extent,
                  "%s: bounds[%d] are %.17g .. %.17g, but they are %.17g .. %.17g", what, k,
                  o->bounds[0][k], o->bounds[1][k], t->bounds[0][k], t->bounds[1][k]);
        }
    }
    if (t->status == STLCLASH_CONTACT && r->has_overlap) {
        CHECK(o->volume == 0.0, "%s: volume %g of a contact", what, o->volume);
    }
    if (t->status == STLCLASH_CLEAR) {
        CHECK(!r->has_overlap, "%s: an overlap of parts that are clear", what);
    }
    if (t->area >= 0 && t->status != STLCLASH_CLEAR) {
        CHECK(r->has_contact_area || (t->area == 0 && r->hit_count == 0), "%s: no contact area",
              what);
        CHECK(fabs(r->contact_area - t->area) <= 1e-13 * extent * extent,
              "%s: contact area %.17g, but it is %.17g", what, r->contact_area, t->area);
    }
}

static bool same_bits(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* B against A: the same bits, roles exchanged. Parts of the same content have no
 * roles to exchange. */
static void check_exchanged(const stlclash_result *x, const stlclash_result *y, bool identical,
                            const char *what)
{
    static const stlclash_side other[] = {STLCLASH_NEITHER, STLCLASH_B, STLCLASH_A};
    const stlclash_overlap *o = &x->overlap, *p = &y->overlap;

    CHECK(x->status == y->status && x->has_overlap == y->has_overlap, "%s: %s exchanged", what,
          stlclash_status_text(y->status));
    CHECK(o->volume == p->volume && o->volume_error == p->volume_error &&
              x->has_contact_area == y->has_contact_area && x->contact_area == y->contact_area &&
              same_bits(o->centroid, p->centroid, 3) && same_bits(o->bounds[0], p->bounds[0], 6),
          "%s: the exchanged overlap differs", what);
    CHECK(o->contained == other[p->contained], "%s: contained is not exchanged", what);
    CHECK(o->has_depth == p->has_depth && o->depth == p->depth && o->depth_error == p->depth_error,
          "%s: the exchanged depth differs", what);
    CHECK(identical || (same_bits(o->deepest_point, p->deepest_point, 3) &&
                        same_bits(o->deepest_vector, p->deepest_vector, 3) &&
                        o->deepest_in == other[p->deepest_in]),
          "%s: the deepest point is not exchanged", what);
    CHECK(o->region_count == p->region_count, "%s: regions differ", what);
    for (int k = 0; k < 3; k++) {
        CHECK(x->normal[k] == -y->normal[k] || identical, "%s: the normal is not exchanged", what);
    }
}

/* Whether the deepest point is one: in both parts, as far from the surface as told. */
static void check_deepest(const stlclash_result *r, const stl_image *a, const stl_image *b,
                          double relative, const char *what)
{
    const stlclash_overlap *o = &r->overlap;
    const stl_image *in = o->deepest_in == STLCLASH_A ? a : b;
    double limit = 1e-12 * extent_of(a, b), end[3], length = 0;

    if (!o->has_depth) {
        CHECK(false, "%s: no depth", what);
        return;
    }
    for (int k = 0; k < 3; k++) {
        end[k] = o->deepest_point[k] + o->deepest_vector[k];
        length += o->deepest_vector[k] * o->deepest_vector[k];
        limit = fmax(limit, 0x1p-50 * fabs(end[k]));
    }
    CHECK(o->deepest_in != STLCLASH_NEITHER, "%s: deepest in neither", what);
    CHECK(oracle_winding(a, o->deepest_point) > 0.5 - 1e-6 ||
              oracle_distance(a, o->deepest_point) <= limit,
          "%s: the deepest point is not in A", what);
    CHECK(oracle_winding(b, o->deepest_point) > 0.5 - 1e-6 ||
              oracle_distance(b, o->deepest_point) <= limit,
          "%s: the deepest point is not in B", what);
    CHECK(fabs(oracle_distance(in, o->deepest_point) - o->depth) <= limit,
          "%s: depth %.17g, but the point is %.17g deep", what, o->depth,
          oracle_distance(in, o->deepest_point));
    CHECK(fabs(sqrt(length) - o->depth) <= limit && oracle_distance(in, end) <= limit,
          "%s: the vector does not lead to the surface", what);
    CHECK(o->depth_error >= 0 && (o->depth_error <= relative * 1.0001 * o->depth + limit ||
                                  ask_has_note(r, "depth_undecided")),
          "%s: depth %g, error %g", what, o->depth, o->depth_error);
}

static void check_depth(const stlclash_result *r, double depth, double extent, const char *what)
{
    const stlclash_overlap *o = &r->overlap;
    CHECK(o->has_depth && o->depth <= depth + 1e-12 * extent &&
              o->depth + o->depth_error >= depth - 1e-12 * extent,
          "%s: depth %.17g + %g, but it is %.17g", what, o->depth, o->depth_error, depth);
}

/* ---- the same pair in other ways --------------------------------------------- */

/* p[k] -> scale * sign[k] * p[from[k]] + shift[k] */
typedef struct motion {
    int from[3];
    double sign[3], scale, shift[3];
} motion;

enum { MOTIONS = 16 };

/* Mirrored, axes permuted, scaled, shifted, and all of it. */
static motion motion_make(int way)
{
    motion m = {{0, 1, 2}, {1, 1, 1}, 1, {0, 0, 0}};

    if (way >= 1 && way <= 3) {
        m.sign[way - 1] = -1;
    } else if (way == 4 || way == 5) {
        m = (motion){{way - 3, (way - 2) % 3, (way - 1) % 3}, {1, 1, 1}, 1, {0, 0, 0}};
    } else if (way == 6) {
        m = (motion){{1, 0, 2}, {1, 1, 1}, 1, {0, 0, 0}};
    } else if (way == 7 || way == 8) {
        m.scale = way == 7 ? 0x1p20 : 0x1p-30;
    } else if (way == 9) {
        m = (motion){{0, 1, 2}, {1, 1, 1}, 1, {1024, -512, 3}};
    } else if (way >= 10) {
        m = motion_make(4 + test_below(3));
        m.scale = ldexp(1, test_below(41) - 20);
        for (int k = 0; k < 3; k++) {
            m.sign[k] = test_below(2) ? 1 : -1;
            m.shift[k] = m.scale * (test_below(17) - 8);
        }
    }
    return m;
}

static void motion_place(const motion *m, const double from[3], double to[3])
{
    for (int k = 0; k < 3; k++) {
        to[k] = m->scale * m->sign[k] * from[m->from[k]] + m->shift[k];
    }
}

/* False where a coordinate would not stay exact. Orientation is kept. */
static bool motion_image(const motion *m, const stl_image *from, stl_image *to)
{
    bool ok = true, odd = (m->from[1] - m->from[0] + 3) % 3 == 2; /* as a permutation */

    odd ^= m->sign[0] * m->sign[1] * m->sign[2] < 0;
    *to = make_facets(NULL, 0);
    image_join(to, from);
    for (size_t i = 0; i < image_facets(to); i++) {
        shape_facet facet = image_get(to, i);
        for (int c = 0; c < 3; c++) {
            double p[3], q[3];
            for (int k = 0; k < 3; k++) {
                p[k] = (double)facet.corner[c][k];
            }
            motion_place(m, p, q);
            for (int k = 0; k < 3; k++) {
                facet.corner[c][k] = (float)q[k];
                ok &= (double)facet.corner[c][k] == q[k];
            }
        }
        image_set(to, i, &facet);
    }
    if (odd) {
        image_invert(to);
    }
    return ok;
}

static truth motion_truth(const motion *m, const truth *from)
{
    truth to = *from;
    double corner[2][3];

    to.volume *= m->scale * m->scale * m->scale;
    to.area *= m->scale * m->scale;
    motion_place(m, from->centroid, to.centroid);
    motion_place(m, from->bounds[0], corner[0]);
    motion_place(m, from->bounds[1], corner[1]);
    for (int k = 0; k < 3; k++) {
        to.bounds[0][k] = fmin(corner[0][k], corner[1][k]);
        to.bounds[1][k] = fmax(corner[0][k], corner[1][k]);
    }
    return to;
}

static truth truth_exchanged(const truth *from)
{
    truth to = *from;
    to.contained = from->contained == STLCLASH_A   ? STLCLASH_B
                   : from->contained == STLCLASH_B ? STLCLASH_A
                                                   : STLCLASH_NEITHER;
    return to;
}

static bool same_images(const stl_image *a, const stl_image *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* What is measured without the depth, beside what is measured with it. */
static void check_without_depth(const stlclash_result *full, const stlclash_result *r,
                                const char *what)
{
    const stlclash_overlap *o = &full->overlap, *p = &r->overlap;

    CHECK(r->status == full->status && r->has_overlap == full->has_overlap && !p->has_depth,
          "%s: %s without depth", what, stlclash_status_text(r->status));
    CHECK(ask_has_note(r, "depth_skipped") == r->has_overlap &&
              !ask_has_note(full, "depth_skipped"),
          "%s: depth skipped", what);
    CHECK(o->volume == p->volume && o->volume_error == p->volume_error &&
              o->contained == p->contained && o->region_count == p->region_count,
          "%s: volume %g, and %g without depth", what, o->volume, p->volume);
    for (size_t i = 0; i < p->region_count; i++) {
        CHECK(o->regions[i].volume == p->regions[i].volume && isnan(p->regions[i].depth),
              "%s: region %zu", what, i);
    }
}

/* One way of one pair: both orders, quick, without measuring. */
static void try_way(const stl_image *a, const stl_image *b, const truth *t, const char *what)
{
    stlclash_options o = exact();
    truth exchanged = truth_exchanged(t);
    double extent = extent_of(a, b);
    stlclash_result *r = ask_images(a, b, &o), *s = ask_images(b, a, &o);

    check_truth(r, t, extent, what);
    check_truth(s, &exchanged, extent, what);
    check_exchanged(r, s, same_images(a, b), what);
    if (r->status == STLCLASH_CLASH && r->has_overlap) {
        check_deepest(r, a, b, 0.01, what);
    }
    stlclash_result_free(s);

    o.no_depth = true;
    s = ask_images(a, b, &o);
    check_without_depth(r, s, what);
    stlclash_result_free(r);
    stlclash_result_free(s);

    o.no_overlap = true;
    r = ask_images(a, b, &o);
    CHECK(r->status == t->status && !r->overlap.has_depth, "%s: %s when not measured", what,
          stlclash_status_text(r->status));
    stlclash_result_free(r);
    o.quick = true;
    CHECK(ask_status(a, b, &o) == t->status, "%s: another status when quick", what);
}

/* All ways; frees the images. */
static void try_pair(stl_image a, stl_image b, const truth *t, const char *name)
{
    stlclash_options o = exact();
    stlclash_result *plain = ask_images(&a, &b, &o);
    char what[100];

    for (int way = 0; way < MOTIONS; way++) {
        motion m = motion_make(way);
        stl_image c, d;
        truth moved = motion_truth(&m, t);
        bool fits = motion_image(&m, &a, &c);
        fits &= motion_image(&m, &b, &d);
        snprintf(what, sizeof what, "%s, way %d", name, way);
        if (way == 7 || way == 8) { /* every product and sum scales exactly */
            stlclash_result *r = ask_images(&c, &d, &o);
            double s = m.scale, cube = s * s * s;
            CHECK(r->overlap.volume == cube * plain->overlap.volume &&
                      r->overlap.volume_error == cube * plain->overlap.volume_error,
                  "%s: volume %.17g times 2^%d is %.17g", what, plain->overlap.volume, ilogb(cube),
                  r->overlap.volume);
            CHECK(r->contact_area == s * s * plain->contact_area &&
                      r->overlap.depth == s * plain->overlap.depth,
                  "%s: area or depth is not scaled", what);
            stlclash_result_free(r);
        }
        if (way % 2 == 0 || way >= 10) {
            image_shuffle(&c);
            image_rotate_corners(&c);
            image_shuffle(&d);
            image_rotate_corners(&d);
        }
        if (fits) {
            try_way(&c, &d, &moved, what);
        }
        image_free(&c);
        image_free(&d);
    }
    stlclash_result_free(plain);
    image_free(&a);
    image_free(&b);
}

/* ---- boxes -------------------------------------------------------------------- */

typedef struct box {
    double low[3], high[3];
} box;

/* The truth about two boxes, from their intervals. */
static truth boxes_truth(const box *a, const box *b)
{
    truth t = {.volume = 1, .has_bounds = true};
    bool apart = false, in[2] = {true, true};
    double length[3];

    for (int k = 0; k < 3; k++) {
        t.bounds[0][k] = fmax(a->low[k], b->low[k]);
        t.bounds[1][k] = fmin(a->high[k], b->high[k]);
        t.centroid[k] = (t.bounds[0][k] + t.bounds[1][k]) / 2;
        length[k] = t.bounds[1][k] - t.bounds[0][k];
        apart |= length[k] < 0;
        t.volume *= fmax(length[k], 0);
        in[0] &= a->low[k] > b->low[k] && a->high[k] < b->high[k];
        in[1] &= b->low[k] > a->low[k] && b->high[k] < a->high[k];
    }
    for (int k = 0; k < 3; k++) {
        if (a->low[k] == b->high[k] || a->high[k] == b->low[k]) {
            t.area += fmax(length[(k + 1) % 3], 0) * fmax(length[(k + 2) % 3], 0);
        }
    }
    t.contained = in[0] ? STLCLASH_A : in[1] ? STLCLASH_B : STLCLASH_NEITHER;
    t.status = t.volume > 0 ? STLCLASH_CLASH : apart ? STLCLASH_CLEAR : STLCLASH_CONTACT;
    return t;
}

static stl_image image_of_box(const box *b, uint32_t cells)
{
    return make_box(b->low, b->high, cells);
}

#define U                                                                                          \
    {                                                                                              \
        {0, 0, 0},                                                                                 \
        {                                                                                          \
            1, 1, 1                                                                                \
        }                                                                                          \
    }

/* The volume and status in the table are stated by hand; the rest follows. */
static const struct box_row {
    const char *name;
    box a, b;
    double volume;
    stlclash_status status;
} box_rows[] = {
    {"identical", U, U, 1, STLCLASH_CLASH},
    {"corner in corner", U, {{.5, .5, .5}, {1.5, 1.5, 1.5}}, 0.125, STLCLASH_CLASH},
    {"face to face +x", U, {{1, 0, 0}, {2, 1, 1}}, 0, STLCLASH_CONTACT},
    {"face to face -x", U, {{-1, 0, 0}, {0, 1, 1}}, 0, STLCLASH_CONTACT},
    {"offset face +y", U, {{.25, 1, .25}, {1.25, 2, 1.25}}, 0, STLCLASH_CONTACT},
    {"offset face -y", U, {{.25, -1, .25}, {1.25, 0, 1.25}}, 0, STLCLASH_CONTACT},
    {"under a plate", U, {{-1, -1, 1}, {2, 2, 2}}, 0, STLCLASH_CONTACT},
    {"on a peg", U, {{.25, .25, -1}, {.75, .75, 0}}, 0, STLCLASH_CONTACT},
    {"edge to edge", U, {{1, 1, 0}, {2, 2, 1}}, 0, STLCLASH_CONTACT},
    {"vertex to vertex +", U, {{1, 1, 1}, {2, 2, 2}}, 0, STLCLASH_CONTACT},
    {"vertex to vertex -", U, {{-1, -1, -1}, {0, 0, 0}}, 0, STLCLASH_CONTACT},
    {"flush in one face", U, {{.25, .25, .5}, {.75, .75, 1}}, 0.125, STLCLASH_CLASH},
    {"flush in three faces +", U, {{.5, .5, .5}, {1, 1, 1}}, 0.125, STLCLASH_CLASH},
    {"flush in three faces -", U, {{0, 0, 0}, {.5, .5, .5}}, 0.125, STLCLASH_CLASH},
    {"swallowed", U, {{.25, .25, .25}, {.75, .75, .75}}, 0.125, STLCLASH_CLASH},
    {"swallows", U, {{-1, -1, -1}, {2, 2, 2}}, 1, STLCLASH_CLASH},
    {"plus sign, edges cross edges",
     {{-3, -1, -1}, {3, 1, 1}},
     {{-1, -3, -1}, {1, 3, 1}},
     8,
     STLCLASH_CLASH},
    {"plus sign, thin arm",
     {{-3, -1, -1}, {3, 1, 1}},
     {{-.5, -3, -.5}, {.5, 3, .5}},
     2,
     STLCLASH_CLASH},
    {"same section", {{0, 0, 0}, {2, 1, 1}}, {{1, 0, 0}, {3, 1, 1}}, 1, STLCLASH_CLASH},
    {"flush at both ends", U, {{.25, .25, 0}, {.75, .75, 1}}, 0.25, STLCLASH_CLASH},
    {"one ulp into it", U, {{1 - 0x1p-24, 0, 0}, {2, 1, 1}}, 0x1p-24, STLCLASH_CLASH},
    {"one ulp short of it", U, {{1 + 0x1p-23, 0, 0}, {2, 1, 1}}, 0, STLCLASH_CLEAR},
};

TEST(tables_of_boxes)
{
    for (size_t i = 0; i < sizeof box_rows / sizeof box_rows[0]; i++) {
        const struct box_row *row = &box_rows[i];
        truth t = boxes_truth(&row->a, &row->b);
        CHECK(t.volume == row->volume && t.status == row->status, "%s: the table is wrong",
              row->name);
        try_pair(image_of_box(&row->a, 1), image_of_box(&row->b, 1), &t, row->name);
        try_pair(image_of_box(&row->a, 2), image_of_box(&row->b, 1), &t, row->name);
        oracle_frame plain = oracle_frame_plain();
        try_pair(oracle_split_box(row->a.low, row->a.high, 0x1p-4, &plain),
                 oracle_split_box(row->b.low, row->b.high, 0, &plain), &t, row->name);
    }
}

/* ---- other tables --------------------------------------------------------------- */

static stl_image make_l(void)
{
    static const double outline[6][2] = {{1, 1}, {1, 3}, {0, 3}, {0, 0}, {3, 0}, {3, 1}};
    return make_prism(outline, 6, 0, 1);
}

static stl_image make_tetra(double v[4][3])
{
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    float corners[36];

    for (int i = 0; i < 36; i++) {
        corners[i] = (float)v[face[i / 9][i / 3 % 3]][i % 3];
    }
    return make_facets(corners, 4);
}

static stl_image simple_box(double x0, double x1, double y0, double y1, double z0, double z1)
{
    const double low[3] = {x0, y0, z0}, high[3] = {x1, y1, z1};
    return make_box(low, high, 1);
}

static stl_image cube(double low, double high)
{
    return simple_box(low, high, low, high, low, high);
}

static truth clash(double volume, stlclash_side contained)
{
    return (truth){.status = STLCLASH_CLASH, .contained = contained, .volume = volume};
}

static truth contact(double area)
{
    return (truth){.status = STLCLASH_CONTACT, .area = area};
}

static truth clear(void)
{
    return (truth){.status = STLCLASH_CLEAR, .area = -1};
}

TEST(tables_of_other_shapes)
{
    double inscribed[4][3] = {{0, 0, 0}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}}; /* negative order */
    double turned[4][3];
    memcpy(turned[0], inscribed[1], sizeof turned[0]);
    memcpy(turned[1], inscribed[0], sizeof turned[1]);
    memcpy(turned[2], inscribed[2], 2 * sizeof turned[2]);
    stl_image tetra = make_tetra(turned);
    CHECK(oracle_volume(&tetra) > 0, "the tetrahedron is inside out");
    truth t = clash(1.0 / 3.0, STLCLASH_NEITHER);
    t.has_bounds = true;
    for (int k = 0; k < 3; k++) {
        t.centroid[k] = 0.5;
        t.bounds[1][k] = 1;
    }
    try_pair(cube(0, 1), tetra, &t, "inscribed tetrahedron");

    t = clash(5, STLCLASH_NEITHER);
    try_pair(make_l(), make_l(), &t, "an L and itself");
    t = clash(2.25, STLCLASH_NEITHER);
    try_pair(make_l(), simple_box(.5, 3, .5, 3, 0, 1), &t, "a box over the notch of an L");

    double low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
    t = contact(24);
    try_pair(make_hollow_box(low, high, 1), cube(1, 3), &t, "a cavity filled");
    t = clear();
    try_pair(make_hollow_box(low, high, 1), cube(1.5, 2.5), &t, "loose in a cavity");
    t = clash(19, STLCLASH_NEITHER);
    try_pair(make_hollow_box(low, high, 1), cube(.5, 3.5), &t, "into the walls of a cavity");
    t = clash(56, STLCLASH_A);
    try_pair(make_hollow_box(low, high, 1), cube(-1, 5), &t, "a hollow part swallowed");

    t = clash(2, STLCLASH_NEITHER);
    try_pair(image_joined(cube(0, 1), cube(0, 1)), cube(0, 1), &t, "a doubled shell");
}

TEST(a_part_over_itself_counts_twice_and_says_so)
{
    stl_image a = image_joined(cube(0, 1), cube(0, 1)), b = cube(0, 1);
    stlclash_options o = exact();
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(ask_has_note(r, "counted_with_multiplicity"), "no note");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* Where a part overlaps itself deep inside the other one, no surface of that tells of it. */
/* A tube along an eight that lies in a plane, where it passes through itself, or is lifted. */
static stl_image make_eight(int around, double tube, double lift)
{
    enum { ACROSS = 12 };
    stl_image image = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&image);
    for (int i = 0; i < around * ACROSS; i++) {
        float v[4][3];
        for (int c = 0; c < 4; c++) {
            const double t = 1 + 2 * M_PI * ((i / ACROSS + c / 2) % around) / around;
            const double u = 2 * M_PI * ((i + c % 2) % ACROSS) / ACROSS;
            const double x = 2 * cos(t) - 0.5 * sin(2 * t), y = 2 * cos(2 * t);
            const double size = hypot(x, y);
            v[c][0] = (float)(2 * sin(t) + 0.25 * cos(2 * t) - tube * cos(u) * y / size);
            v[c][1] = (float)(sin(2 * t) + tube * cos(u) * x / size);
            v[c][2] = (float)(lift * cos(t) + tube * sin(u));
        }
        for (int half = 0; half < 2; half++) {
            shape_facet facet;
            memcpy(facet.corner[0], v[half], sizeof v[0]);
            memcpy(facet.corner[1], v[2], sizeof v[0]);
            memcpy(facet.corner[2], v[half ? 3 : 1], sizeof v[0]);
            sink.take(sink.context, &facet);
        }
    }
    return image;
}

/* Amid a large part nothing but some vertices of the tube, of which one in fifteen is there, tells:
 * mostly. */
TEST(small_places_that_are_covered_twice_say_so)
{
    const int rounds = test_rounds(40);
    int missed = 0;
    for (int round = 0; round < rounds; round++) {
        const bool apart = round % 2;
        stl_image large = cube(-9, 9);
        stl_image eight = make_eight(100 + (int)test_below(200), 0.18, apart ? 0.3 : 0);
        stlclash_result *r = ask_images(&eight, &large, NULL);
        bool said = ask_has_note(r, "counted_with_multiplicity");
        CHECK(r->status == STLCLASH_CLASH && r->overlap.volume > 0, "round %d: no overlap", round);
        CHECK(!(apart && said), "round %d: said", round);
        missed += !apart && !said;
        stlclash_result_free(r);
        image_free(&eight);
        image_free(&large);
    }
    CHECK(missed <= 1 + rounds / 4, "%d of %d not said", missed, (rounds + 1) / 2);
}

TEST(shells_that_overlap_each_other_say_so)
{
    stl_image plus = image_joined(simple_box(-3, 3, -1, 1, -1, 1), simple_box(-1, 1, -3, 3, -2, 2));
    stl_image twice = image_joined(simple_box(0, 2, 0, 1, 0, 1), simple_box(0, 2, 0, 1, 0, 1));
    stl_image nested = image_joined(cube(-2, 2), cube(-1, 1));
    stl_image hollow = make_hollow_box((double[]){-2, -2, -2}, (double[]){2, 2, 2}, 1);
    stl_image apart =
        image_joined(simple_box(-3, -1, -1, 1, -1, 1), simple_box(1, 3, -1, 1, -1, 1));
    stl_image corner = image_joined(simple_box(-3, 0, -3, 0, -1, 1), simple_box(0, 3, 0, 3, -1, 1));
    /* Neither the middle of its box is in it, nor is what lies half way to the corners. */
    stl_image ring = image_joined(make_torus(1, 0.1, 12, 8), make_torus(1, 0.1, 12, 8));
    /* Only of what their boxes have in common is the middle in both. */
    stl_image across =
        image_joined(simple_box(-5, 5, 0, 1, 0, 1.5), simple_box(3, 4, -5, 8, 0.25, 1.25));
    stl_image large = cube(-9, 9), cut = simple_box(-9, 9, -9, 9, 0.5, 9);
    image_move(&ring, 0, 0, 0.5);
    const struct {
        const char *name;
        const stl_image *image;
        bool counted;
    } row[] = {{"a plus", &plus, true},         {"a doubled box", &twice, true},
               {"nested", &nested, true},       {"hollow", &hollow, false},
               {"apart", &apart, false},        {"at a corner", &corner, false},
               {"a doubled ring", &ring, true}, {"across near an end", &across, true}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            const stl_image *other = way < 2 ? &large : &cut;
            stlclash_result *r = way % 2 ? ask_images(row[i].image, other, NULL)
                                         : ask_images(other, row[i].image, NULL);
            CHECK(ask_has_note(r, "counted_with_multiplicity") == row[i].counted, "%s, way %d",
                  row[i].name, way);
            stlclash_result_free(r);
        }
    }
    image_free(&plus);
    image_free(&twice);
    image_free(&nested);
    image_free(&hollow);
    image_free(&apart);
    image_free(&corner);
    image_free(&ring);
    image_free(&across);
    image_free(&large);
    image_free(&cut);
}

/* Behind a wall of the other part a part may be there twice: that they touch there, and overlap
 * elsewhere, counts nothing twice. In the last rows they do overlap there. */
TEST(touching_where_a_part_is_there_twice_is_not_counted)
{
    const struct {
        double first[6], second[6], other[6], volume;
        bool counted;
    } row[] = {
        {{0, 2, 0, 2, 1, 3}, {0, 3, 1, 2, 2, 3}, {0, 1, 0, 1, 1, 2}, 1, false},
        {{0, 3, 2, 3, 2, 3}, {0, 2, 0, 3, 1, 3}, {1, 2, 0, 2, 0, 2}, 2, false},
        {{2, 3, 2, 3, 0, 3}, {0, 3, 1, 3, 0, 1}, {1, 2, 1, 2, 0, 3}, 1, false},
        {{0, 2, 0, 2, 1, 3}, {0, 3, 1, 2, 2, 3}, {0, 1, 0, 2, 1, 3}, 5, true},
        {{2, 3, 2, 3, 0, 3}, {0, 3, 1, 3, 0, 1}, {1, 2.0625, 1, 2.0625, 0, 3}, 1.140625, true},
    };
    for (size_t i = 0; i < 2 * sizeof row / sizeof row[0]; i++) {
        const double *f = row[i / 2].first, *s = row[i / 2].second, *o = row[i / 2].other;
        stl_image twice = image_joined(simple_box(f[0], f[1], f[2], f[3], f[4], f[5]),
                                       simple_box(s[0], s[1], s[2], s[3], s[4], s[5]));
        stl_image other = simple_box(o[0], o[1], o[2], o[3], o[4], o[5]);
        stlclash_result *r =
            i % 2 ? ask_images(&twice, &other, NULL) : ask_images(&other, &twice, NULL);
        CHECK(r->overlap.volume == row[i / 2].volume, "%zu: volume %.17g", i, r->overlap.volume);
        CHECK(ask_has_note(r, "counted_with_multiplicity") == row[i / 2].counted, "%zu", i);
        stlclash_result_free(r);
        image_free(&twice);
        image_free(&other);
    }
}

/* A rotation about z. */
static void turn_z(double m[16], double angle)
{
    const double to[16] = {cos(angle), -sin(angle), 0, 0, sin(angle), cos(angle), 0, 0,
                           0,          0,           1, 0, 0,          0,          0, 1};
    memcpy(m, to, sizeof to);
}

TEST(cube_in_itself_turned_by_45_degrees)
{
    stl_image a = cube(-1, 1);
    double m[16], volume = 16 * (sqrt(2.0) - 1);
    stlclash_options o = exact();

    turn_z(m, 0.78539816339744831);
    for (int side = 0; side < 2; side++) {
        o.placement[side] = m;
        o.placement[1 - side] = NULL;
        for (int tolerant = 0; tolerant < 2; tolerant++) {
            o.exact = !tolerant;
            stlclash_result *r = ask_images(&a, &a, &o);
            CHECK(r->status == STLCLASH_CLASH && r->overlap.contained == STLCLASH_NEITHER,
                  "status %s", stlclash_status_text(r->status));
            check_volume(r, volume, 4e-15, "turned");
            CHECK(fabs(r->overlap.volume - volume) <= 1e-14 * volume, "volume %.17g",
                  r->overlap.volume);
            check_depth(r, 1, 2, "turned");
            stlclash_result_free(r);
        }
    }
    image_free(&a);
}

/* ---- random tetrahedra ------------------------------------------------------------ */

/* Neither flat nor inside out. */
static void random_tetra(int grid, int v[4][3])
{
    double six;

    do {
        double e[3][3];
        for (int i = 0; i < 12; i++) {
            v[i / 3][i % 3] = test_below(grid + 1);
        }
        for (int i = 0; i < 9; i++) {
            e[i / 3][i % 3] = v[1 + i / 3][i % 3] - v[0][i % 3];
        }
        six = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
              e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    } while (six == 0);
    if (six < 0) {
        int swap[3];
        memcpy(swap, v[0], sizeof swap);
        memcpy(v[0], v[1], sizeof swap);
        memcpy(v[1], swap, sizeof swap);
    }
}

static void to_doubles(int v[4][3], double d[4][3])
{
    for (int i = 0; i < 12; i++) {
        d[i / 3][i % 3] = v[i / 3][i % 3];
    }
}

/* The status that follows from a relation, exactly. */
static void apply_relation(oracle_relation relation, truth *t)
{
    t->contained = relation == ORACLE_A_INSIDE   ? STLCLASH_A
                   : relation == ORACLE_B_INSIDE ? STLCLASH_B
                                                 : STLCLASH_NEITHER;
    t->status = relation == ORACLE_APART   ? STLCLASH_CLEAR
                : relation == ORACLE_TOUCH ? STLCLASH_CONTACT
                                           : STLCLASH_CLASH;
}

static double fraction(double a[4][3], double b[4][3], int *sign)
{
    mpq_t volume;

    mpq_init(volume);
    oracle_tetra_common(volume, a, b);
    *sign = mpq_sgn(volume);
    double value = mpq_get_d(volume);
    mpq_clear(volume);
    return value;
}

TEST(oracle_of_tetrahedra_agrees_with_itself)
{
    static const int grids[] = {3, 4, 6, 1000};
    int count[6] = {0}, inside[2] = {0};
    double worst = 0;

    for (int i = 0; i < test_rounds(2000); i++) {
        int v[4][3], w[4][3], sign, grid = grids[i % 4], hits = 0;
        double a[4][3], b[4][3], samples = 2000;
        random_tetra(grid, v);
        random_tetra(grid, w);
        to_doubles(v, a);
        to_doubles(w, b);
        double volume = fraction(a, b, &sign), size = (double)grid * grid * grid;
        oracle_relation relation = oracle_tetra_relation(v, w);
        count[relation]++;
        CHECK((relation >= ORACLE_OVERLAP) == (sign > 0), "volume %g, relation %d", volume,
              relation);
        worst = fmax(worst, fabs(volume - oracle_tetra_estimate(a, b)) / size);
        if (i % 20 == 0) { /* throwing darts */
            stl_image ia = make_tetra(a), ib = make_tetra(b);
            for (int s = 0; s < samples; s++) {
                double p[3] = {test_uniform(0, grid), test_uniform(0, grid), test_uniform(0, grid)};
                hits += oracle_winding(&ia, p) > 0.5 && oracle_winding(&ib, p) > 0.5;
            }
            double part = volume / size, sigma = sqrt(part * (1 - part) / samples);
            CHECK(fabs(hits / samples - part) <= 6 * sigma + 3 / samples,
                  "%g of the darts hit, volume %g", hits / samples, part);
            inside[hits > 0]++;
            image_free(&ia);
            image_free(&ib);
        }
    }
    CHECK(worst < 1e-17, "the estimate is off by %g", worst);
    CHECK(TEST_DIVISOR > 1 || (count[ORACLE_APART] && count[ORACLE_TOUCH] &&
                               count[ORACLE_OVERLAP] && inside[0] && inside[1]),
          "a relation is missing");
}

TEST(random_tetrahedra)
{
    static const int grids[] = {3, 4, 6, 1000};
    int count[6] = {0};
    stlclash_options o = exact(), quick = exact();
    char what[200];

    o.depth_error = 1; /* depth is judged elsewhere */
    quick.quick = true;
    for (int i = 0; i < test_rounds(TETRAHEDRA); i++) {
        int v[4][3], w[4][3], grid = grids[i % 4], sign;
        double a[4][3], b[4][3], cube_of_grid = (double)grid * grid * grid;
        truth t = {.area = -1};
        random_tetra(grid, v);
        random_tetra(grid, w);
        if (grid == 1000 && i % 3 < 2) { /* one small enough to lie inside the other */
            int(*small)[3] = i % 3 ? v : w, move = test_below(900);
            random_tetra(100, small);
            for (int c = 0; c < 12; c++) {
                small[c / 3][c % 3] += move;
            }
        }
        to_doubles(v, a);
        to_doubles(w, b);
        oracle_relation relation = oracle_tetra_relation(v, w);
        apply_relation(relation, &t);
        count[relation]++;
        bool fractions = i % 64 < 4;
        t.volume = fractions ? fraction(a, b, &sign) : oracle_tetra_estimate(a, b);
        stl_image ia = make_tetra(a), ib = make_tetra(b);
        bool measured = i % 16 < 4;
        o.no_overlap = !measured;
        stlclash_result *r = ask_images(&ia, &ib, &o);
        double off = fabs(r->overlap.volume - t.volume), noise = 1e-17 * cube_of_grid;
        bool good = r->status == t.status;
        if (measured && t.status == STLCLASH_CLASH) {
            good &= r->has_overlap && r->overlap.contained == t.contained;
            good &= off <= r->overlap.volume_error + (fractions ? 0x1p-53 * t.volume : noise);
            good &= off <= 1e-13 * t.volume + 10 * noise;
            good &= r->overlap.volume_error <= 1e-13 * cube_of_grid;
        }
        if (!good) {
            size_t used = 0;
            for (int c = 0; c < 24; c++) {
                used += (size_t)snprintf(what + used, sizeof what - used, "%d%s",
                                         (c < 12 ? v : w)[c / 3 % 4][c % 3],
                                         c % 3 < 2 ? ","
                                         : c == 11 ? " | "
                                                   : " ");
            }
            CHECK(false, "%s: %s %.17g+-%g contained %d, but %s %.17g contained %d", what,
                  stlclash_status_text(r->status), r->overlap.volume, r->overlap.volume_error,
                  r->overlap.contained, stlclash_status_text(t.status), t.volume, t.contained);
        }
        if (i % 32 < 4) {
            stlclash_result *s = ask_images(&ib, &ia, &o);
            check_exchanged(r, s, same_images(&ia, &ib), "tetrahedra");
            CHECK(ask_status(&ia, &ib, &quick) == t.status, "quick: not %s",
                  stlclash_status_text(t.status));
            stlclash_result_free(s);
        }
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    for (int i = ORACLE_APART; i <= ORACLE_B_INSIDE; i++) {
        CHECK(count[i] > 0 || TEST_DIVISOR > 1, "relation %d is missing", i);
    }
}

/* ---- voxel solids -------------------------------------------------------------------- */

TEST(oracle_of_voxels_agrees_with_itself)
{
    for (int i = 0; i < test_rounds(300); i++) {
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels v = oracle_voxels_random(2 + test_below(3), test_uniform(0.1, 0.9));
        int shift[3] = {test_below(7) - 3, test_below(7) - 3, test_below(7) - 3}, set = 0;
        int none[3] = {0, 0, 0};
        stl_image image = oracle_voxels_mesh(&v, shift, &f);
        for (int c = 0; c < v.n * v.n * v.n; c++) {
            int x = c / v.n / v.n, y = c / v.n % v.n, z = c % v.n;
            double p[3], middle[3] = {x + shift[0] + .5, y + shift[1] + .5, z + shift[2] + .5};
            oracle_frame_place(&f, middle, p);
            CHECK(fabs(oracle_winding(&image, p) - v.set[x][y][z]) < 1e-9, "winding number %g",
                  oracle_winding(&image, p));
            set += v.set[x][y][z];
        }
        CHECK(fabs(oracle_volume(&image) - set * oracle_frame_volume(&f)) < 1e-9, "volume");
        oracle_voxels fine = oracle_voxels_refined(&v);
        oracle_voxels_pair same = oracle_voxels_compare(&v, &v, none);
        oracle_voxels_pair eight = oracle_voxels_compare(&fine, &fine, none);
        CHECK(same.common == set && same.relation == ORACLE_OVERLAP && same.touching[0] == 0 &&
                  eight.common == 8 * set && same.components_least == eight.components_least &&
                  same.components_most == eight.components_most,
              "%d cells, %d in common", set, same.common);
        image_free(&image);
    }
}

static truth voxels_truth(const oracle_voxels_pair *pair, const oracle_frame *f)
{
    truth t = {.volume = pair->common * oracle_frame_volume(f), .random = true};
    const double infinite[2] = {INFINITY, -INFINITY};

    apply_relation(pair->relation, &t);
    oracle_frame_place(f, pair->centroid, t.centroid);
    for (int k = 0; k < 3; k++) {
        t.area += pair->touching[k] * oracle_frame_area(f, k);
        t.bounds[0][k] = infinite[0];
        t.bounds[1][k] = infinite[1];
    }
    return t;
}

/* Bounds of common cells under a skew frame: of their corners, all of them. */
static void voxels_bounds(const oracle_voxels *a, const oracle_voxels *b, const int shift[3],
                          const oracle_frame *f, truth *t)
{
    for (int c = 0; c < a->n * a->n * a->n; c++) {
        int p[3] = {c / a->n / a->n, c / a->n % a->n, c % a->n};
        bool common = oracle_voxels_at(a, p[0], p[1], p[2]) &&
                      oracle_voxels_at(b, p[0] - shift[0], p[1] - shift[1], p[2] - shift[2]);
        for (int corner = 0; corner < 8 && common; corner++) {
            double place[3],
                lattice[3] = {p[0] + (corner & 1), p[1] + (corner >> 1 & 1), p[2] + (corner >> 2)};
            oracle_frame_place(f, lattice, place);
            for (int k = 0; k < 3; k++) {
                t->bounds[0][k] = fmin(t->bounds[0][k], place[k]);
                t->bounds[1][k] = fmax(t->bounds[1][k], place[k]);
            }
        }
    }
    t->has_bounds = t->status == STLCLASH_CLASH;
}

/* Regions: largest first, together the overlap, no more than there are pieces; pieces
 * that meet in an edge or corner may count as one, and so may those that are joined by flush faces
 * which no shift leads out of (the slits that it opens there). */
static void check_regions(const stlclash_result *r, const oracle_voxels_pair *pair,
                          const char *what)
{
    const stlclash_overlap *o = &r->overlap;
    double sum = 0;

    CHECK(o->region_count > 0 && (int)o->region_count <= pair->components_most,
          "%s: %d regions, but there are %d to %d", what, (int)o->region_count,
          pair->components_least, pair->components_most);
    for (size_t i = 0; i < o->region_count; i++) {
        sum += o->regions[i].volume;
        CHECK(i == 0 || o->regions[i].volume <= o->regions[i - 1].volume,
              "%s: regions out of order", what);
    }
    CHECK(fabs(sum - o->volume) <= 1e-12 * o->volume, "%s: the regions have %g of %g", what, sum,
          o->volume);
}

TEST(random_voxel_solids)
{
    int count[6] = {0};
    stlclash_options o = exact(), unmeasured = exact();
    char what[40];

    o.depth_error = 1;
    unmeasured.no_overlap = true;
    for (int i = 0; i < test_rounds(VOXELS); i++) {
        int n = 3 + (test_below(6) == 0), shift[3], none[3] = {0, 0, 0};
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels a = oracle_voxels_random(n, test_uniform(0.05, 0.95));
        oracle_voxels b = oracle_voxels_random(n, test_uniform(0.05, 0.95));
        for (int k = 0; k < 3; k++) {
            shift[k] = test_below(2) ? 0 : test_below(2 * n + 1) - n;
        }
        oracle_voxels_pair pair = oracle_voxels_compare(&a, &b, shift);
        truth t = voxels_truth(&pair, &f);
        voxels_bounds(&a, &b, shift, &f, &t);
        count[pair.relation]++;
        stl_image ia = oracle_voxels_mesh(&a, none, &f), ib = oracle_voxels_mesh(&b, shift, &f);
        snprintf(what, sizeof what, "voxel pair %d", i);
        bool measured = i % 4 == 0;
        stlclash_result *r = ask_images(&ia, &ib, measured ? &o : &unmeasured);
        if (measured) {
            check_truth(r, &t, extent_of(&ia, &ib), what);
            if (r->status == STLCLASH_CLASH) {
                check_regions(r, &pair, what);
            }
        } else {
            CHECK(r->status == t.status, "%s: %s, but it is %s", what,
                  stlclash_status_text(r->status), stlclash_status_text(t.status));
        }
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || (count[ORACLE_APART] && count[ORACLE_TOUCH] && count[ORACLE_OVERLAP]),
          "a relation is missing");
}

/* A coarse solid with free cells inside it, and a fine one anywhere in or at it. */
TEST(voxels_of_two_sizes)
{
    int count[6] = {0};
    stlclash_options o = exact();
    char what[40];

    o.depth_error = 1;
    for (int i = 0; i < test_rounds(VOXELS / 4); i++) {
        oracle_frame fine = oracle_frame_plain(), coarse;
        if (i % 2) {
            fine = oracle_frame_random();
        }
        coarse = fine;
        for (int k = 0; k < 9; k++) {
            coarse.axis[k / 3][k % 3] *= 2;
        }
        oracle_voxels a = oracle_voxels_random(4, test_uniform(0.7, 1));
        oracle_voxels b = oracle_voxels_random(1 + test_below(3), test_uniform(0.2, 0.8));
        oracle_voxels refined = oracle_voxels_refined(&a);
        int none[3] = {0, 0, 0},
            shift[3] = {test_below(10) - 1, test_below(10) - 1, test_below(10) - 1};
        oracle_voxels_pair pair = oracle_voxels_compare(&refined, &b, shift);
        truth t = voxels_truth(&pair, &fine);
        voxels_bounds(&refined, &b, shift, &fine, &t);
        count[pair.relation]++;
        stl_image ia = oracle_voxels_mesh(&a, none, &coarse);
        stl_image ib = oracle_voxels_mesh(&b, shift, &fine);
        snprintf(what, sizeof what, "two sizes, pair %d", i);
        stlclash_result *r = ask_images(&ia, &ib, &o);
        check_truth(r, &t, extent_of(&ia, &ib), what);
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || (count[ORACLE_APART] && count[ORACLE_TOUCH] &&
                               count[ORACLE_OVERLAP] && count[ORACLE_B_INSIDE]),
          "a relation is missing");
}

/* ---- boxes with T-junctions ------------------------------------------------------------ */

TEST(oracle_of_split_boxes_agrees_with_itself)
{
    for (int i = 0; i < test_rounds(300); i++) {
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        double low[3] = {-1, 0, 2}, high[3] = {2, 1, 4}, p[3], lattice[3];
        stl_image image = oracle_split_box(low, high, i % 4 ? 0x1p-3 : 0x1p-5, &f);
        CHECK(fabs(oracle_volume(&image) - 6 * oracle_frame_volume(&f)) < 1e-10, "volume %g",
              oracle_volume(&image));
        for (int k = 0; k < 3; k++) {
            lattice[k] = test_uniform(-2, 5);
        }
        bool inside = lattice[0] > -1 && lattice[0] < 2 && lattice[1] > 0 && lattice[1] < 1 &&
                      lattice[2] > 2 && lattice[2] < 4;
        oracle_frame_place(&f, lattice, p);
        CHECK(fabs(oracle_winding(&image, p) - inside) < 1e-9, "winding number %g",
              oracle_winding(&image, p));
        image_free(&image);
    }
}

/* Boxes on a small grid, or with any floats but faces that coincide now and then, or
 * miss each other by one float. */
static void random_boxes(bool grid, box *a, box *b)
{
    for (int k = 0; k < 3; k++) {
        if (grid) {
            a->low[k] = test_below(4);
            a->high[k] = a->low[k] + 1 + test_below(4);
            b->low[k] = test_below(6) - 1;
            b->high[k] = b->low[k] + 1 + test_below(4);
            continue;
        }
        double x[4] = {test_uniform(-50, 50), test_uniform(-50, 50), test_uniform(-50, 50),
                       test_uniform(-50, 50)};
        a->low[k] = as_float(fmin(x[0], x[1]) - 1);
        a->high[k] = as_float(fmax(x[0], x[1]) + 1);
        b->low[k] = as_float(fmin(x[2], x[3]) - 1);
        b->high[k] = as_float(fmax(x[2], x[3]) + 1);
        double *from[4] = {&b->low[k], &b->high[k], &b->low[k], &b->high[k]};
        double to[4] = {a->low[k], a->high[k], a->high[k], a->low[k]};
        for (int i = 0; i < 4; i++) {
            if (test_below(4) == 0) {
                *from[i] = to[i];
                if (test_below(4) == 0) {
                    *from[i] = (double)nextafterf((float)to[i], test_below(2) ? 100 : -100);
                }
            }
        }
        if (!(b->high[k] - b->low[k] > 0.5)) {
            b->high[k] = as_float(b->low[k] + 2);
        }
    }
}

TEST(random_boxes_with_t_junctions)
{
    int count[4] = {0};
    stlclash_options o = exact();
    char what[40];

    o.depth_error = 1;
    for (int i = 0; i < test_rounds(SPLIT_BOXES); i++) {
        bool grid = i % 3 < 2;
        oracle_frame f = i % 3 == 1 ? oracle_frame_random() : oracle_frame_plain();
        box a, b;
        random_boxes(grid, &a, &b);
        truth t = boxes_truth(&a, &b);
        t.random = true;
        if (i % 3 == 1) { /* skew: only what scales */
            double length[3];
            t.volume *= oracle_frame_volume(&f);
            t.area = 0;
            for (int k = 0; k < 3; k++) {
                length[k] = fmax(0, t.bounds[1][k] - t.bounds[0][k]);
            }
            for (int k = 0; k < 3; k++) {
                if (a.low[k] == b.high[k] || a.high[k] == b.low[k]) {
                    t.area += length[(k + 1) % 3] * length[(k + 2) % 3] * oracle_frame_area(&f, k);
                }
            }
            t.has_bounds = false;
        }
        double unit = grid ? 0.125 : 0;
        stl_image ia = oracle_split_box(a.low, a.high, unit, &f);
        stl_image ib = oracle_split_box(b.low, b.high, unit, &f);
        snprintf(what, sizeof what, "split boxes %d", i);
        o.health = i % 16 == 0;
        o.no_overlap = i % 4 > 0;
        stlclash_result *r = ask_images(&ia, &ib, &o);
        if (o.no_overlap) {
            CHECK(r->status == t.status, "%s: %s, but it is %s", what,
                  stlclash_status_text(r->status), stlclash_status_text(t.status));
        } else {
            check_truth(r, &t, extent_of(&ia, &ib), what);
        }
        for (int k = 0; k < 2 && o.health; k++) {
            CHECK(r->part[k].has_health && r->part[k].closed, "%s: not closed", what);
        }
        count[t.status == STLCLASH_CLASH ? (t.contained ? 3 : 2) : t.status == STLCLASH_CONTACT]++;
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
    CHECK(TEST_DIVISOR > 1 || (count[0] && count[1] && count[2] && count[3]),
          "a relation is missing");
}

/* ---- faces that are nearly flush ------------------------------------------------------- */

/* Faces that touch all over, but for a bump so small that its volume is lost in the
 * rounding of the rest: there is an overlap, exactly, and it lies at the bump's height. */
TEST(a_volume_below_rounding_has_bounds)
{
    const float h = 0x1p-30f, t = 1.0f - 0x1p-24f;
    const float outer[4][3] = {{1, -1, -1}, {1, 1, -1}, {1, 1, 1}, {1, -1, 1}};
    const float inner[4][3] = {{1, -h, -h}, {1, h, -h}, {1, h, h}, {1, -h, h}};
    const float back[4][3] = {{2, -1, -1}, {2, 1, -1}, {2, 1, 1}, {2, -1, 1}}, top[3] = {t, 0, 0};
    float facets[22][9];
    int n = 0;

    for (int i = 0; i < 4; i++) { /* outwards is towards smaller x on the near side */
        int j = (i + 1) % 4;
        const float *corners[5][3] = {{outer[j], outer[i], inner[i]},
                                      {outer[j], inner[i], inner[j]},
                                      {inner[j], inner[i], top},
                                      {outer[i], outer[j], back[j]},
                                      {outer[i], back[j], back[i]}};
        for (int c = 0; c < 5; c++, n++) {
            for (int k = 0; k < 9; k++) {
                facets[n][k] = corners[c][k / 3][k % 3];
            }
        }
    }
    for (int c = 0; c < 2; c++, n++) {
        const float *corners[3] = {back[0], back[1 + c], back[2 + c]};
        for (int k = 0; k < 9; k++) {
            facets[n][k] = corners[k / 3][k % 3];
        }
    }
    box low = {{0, -1, -1}, {1, 1, 1}};
    stl_image a = image_of_box(&low, 1), b = make_facets(facets[0], 22);
    stlclash_options o = exact(), tolerant = ask_usual();
    o.health = true;
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->part[1].closed && r->part[1].volume > 3.99, "the bumpy box is wrong: volume %g",
          r->part[1].volume);
    CHECK(r->status == STLCLASH_CLASH, "exactly: %s", stlclash_status_text(r->status));
    CHECK(r->has_overlap && r->overlap.region_count == 1, "%d regions",
          (int)r->overlap.region_count);
    for (int k = 0; k < 3; k++) {
        CHECK(r->overlap.bounds[0][k] >= (k == 0 ? (double)t : -1.0) &&
                  r->overlap.bounds[1][k] <= 1.0 &&
                  r->overlap.centroid[k] >= r->overlap.bounds[0][k] &&
                  r->overlap.centroid[k] <= r->overlap.bounds[1][k],
              "bounds %g to %g, centroid %g along axis %d", r->overlap.bounds[0][k],
              r->overlap.bounds[1][k], r->overlap.centroid[k], k);
    }
    CHECK(r->overlap.volume >= 0 &&
              fabs(r->overlap.volume - 0x1p-82 / 3) <= r->overlap.volume_error + 0x1p-130,
          "volume %g, error %g", r->overlap.volume, r->overlap.volume_error);
    CHECK(!r->overlap.has_depth || r->overlap.depth <= 0x1p-24, "depth %g", r->overlap.depth);
    stlclash_result_free(r);
    CHECK(ask_status(&a, &b, &tolerant) == STLCLASH_CONTACT, "it is no contact by default");
    image_free(&a);
    image_free(&b);
}

/* ---- what others got wrong ------------------------------------------------------------ */

/* IfcOpenShell #4594: 50 mm of overlap of walls with flush sides were not reported. */
TEST(ifcopenshell_4594_flush_aligned_overlap)
{
    double end = as_float(1.95), volume = 2 - end;
    truth t = clash(volume, STLCLASH_NEITHER);
    box a = {{0, 0, 0}, {2, 1, 1}}, b = {{end, 0, 0}, {3, 1, 1}};

    CHECK(fabs(volume - 0.0499999523163) < 1e-13, "the table is wrong");
    try_pair(image_of_box(&a, 1), image_of_box(&b, 1), &t, "flush-aligned overlap");
    stl_image ia = image_of_box(&a, 1), ib = image_of_box(&b, 1);
    stlclash_options o = ask_usual();
    CHECK(ask_status(&ia, &ib, &o) == STLCLASH_CLASH, "not a clash by default");
    image_free(&ia);
    image_free(&ib);
}

/* ifc-lite #1362, #1455: touching faces were reported as a hard clash. IfcOpenShell
 * #2430: a wall that only touches had a penetration depth. */
TEST(ifc_lite_1362_flush_touch)
{
    box a = {{0, 0, 0}, {2, 1, 1}}, b = {{2, 0, 0}, {3, 1, 1}};
    truth t = boxes_truth(&a, &b);

    CHECK(t.area == 1 && t.status == STLCLASH_CONTACT, "the table is wrong");
    try_pair(image_of_box(&a, 1), image_of_box(&b, 1), &t, "flush touch");
    stl_image ia = image_of_box(&a, 1), ib = image_of_box(&b, 1);
    for (int tolerant = 0; tolerant < 2; tolerant++) {
        stlclash_options o = tolerant ? ask_usual() : exact();
        stlclash_result *r = ask_images(&ia, &ib, &o);
        CHECK(r->status == STLCLASH_CONTACT && r->pass, "status %s",
              stlclash_status_text(r->status));
        CHECK(r->has_contact_area && r->contact_area == 1, "contact area %g", r->contact_area);
        CHECK(r->overlap.volume == 0 && r->overlap.depth == 0, "volume %g, depth %g",
              r->overlap.volume, r->overlap.depth);
        CHECK(r->has_normal && r->normal[0] == -1 && r->normal[1] == 0 && r->normal[2] == 0,
              "normal %g %g %g", r->normal[0], r->normal[1], r->normal[2]);
        stlclash_result_free(r);
    }
    image_free(&ia);
    image_free(&ib);
}

/* More pairs that meet than one thread takes at a time: the same sum for any number of them. */
TEST(large_contacts_do_not_depend_on_threads)
{
    stl_image a = make_box((double[]){0, 0, 0}, (double[]){1, 1.3, 0.7}, 60);
    stl_image b = make_box((double[]){-0.2, 0.1, 0.7}, (double[]){0.7, 1.7, 1.1}, 59);
    stlclash_options o = ask_usual();
    stlclash_result *one = ask_images(&a, &b, &o);

    CHECK(one->status == STLCLASH_CONTACT && one->hit_count > 20000, "%s, %llu pairs meet",
          stlclash_status_text(one->status), (unsigned long long)one->hit_count);
    CHECK(fabs(one->contact_area - 0.7 * 1.2) < 1e-7, "contact area %.17g", one->contact_area);
    for (o.threads = 2; o.threads <= 5; o.threads++) {
        stlclash_result *more = ask_images(&a, &b, &o);
        CHECK(more->contact_area == one->contact_area && same_bits(more->normal, one->normal, 3),
              "%d threads: %.17g instead of %.17g", o.threads, more->contact_area,
              one->contact_area);
        stlclash_result_free(more);
    }
    stlclash_result_free(one);
    image_free(&a);
    image_free(&b);
}

/* trimesh #1875, #23: an object inside another was no collision. */
TEST(trimesh_1875_contained_object)
{
    stl_image a = cube(-2, 2), b = make_sphere(1, 6);
    stlclash_options o = ask_usual();
    double volume = oracle_volume(&b);
    truth t = clash(volume, STLCLASH_B);

    stlclash_result *r = ask_images(&a, &b, &o);
    check_truth(r, &t, 4, "contained");
    CHECK(r->separation.distance == 1 && r->hit_count == 0, "distance %g of the surfaces",
          r->separation.distance);
    check_deepest(r, &a, &b, 0.01, "contained");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* fcl #503, #106: flush boxes had wrong depths and points. BlocksCAD #16, OpenJSCAD #807:
 * the same box with T-junctions. */
TEST(fcl_503_touching_boxes_tessellated_anew)
{
    oracle_frame plain = oracle_frame_plain();
    box a = {{0, 0, 0}, {2, 1, 1}}, b = {{2, 0.25, -1}, {3, 1, 0.5}};
    truth t = boxes_truth(&a, &b);

    for (uint32_t cells = 1; cells <= 5; cells++) {
        try_pair(image_of_box(&a, cells), image_of_box(&b, 6 - cells), &t, "tessellated anew");
        try_pair(oracle_split_box(a.low, a.high, 0, &plain),
                 oracle_split_box(b.low, b.high, 0, &plain), &t, "split at random");
    }
}

/* A box in the notch of an L fills it: the hull of the L would clash. */
TEST(convex_hulls_box_in_the_notch_of_an_l)
{
    truth t = contact(4);
    try_pair(make_l(), simple_box(1, 3, 1, 3, 0, 1), &t, "in the notch");
    t = contact(2);
    try_pair(make_l(), simple_box(1, 2, 1, 2, 0, 1), &t, "in the corner of the notch");
    t = clear();
    try_pair(make_l(), simple_box(1.5, 2, 1.5, 2, 0, 1), &t, "loose in the notch");
}

/* ---- containment of pieces --------------------------------------------------------------- */

TEST(every_component_is_judged)
{
    truth t = clash(1, STLCLASH_NEITHER);

    /* one loose shell inside, the other far, touching, crossing */
    try_pair(image_joined(cube(1, 2), cube(9, 10)), cube(0, 4), &t, "one in, one far");
    t = clash(1, STLCLASH_NEITHER);
    t.area = 1;
    try_pair(image_joined(cube(1, 2), simple_box(4, 5, 0, 1, 0, 1)), cube(0, 4), &t,
             "one in, one touching");
    t = clash(1.5, STLCLASH_NEITHER);
    try_pair(image_joined(cube(1, 2), simple_box(3.5, 5, 1, 2, 1, 2)), cube(0, 4), &t,
             "one in, one crossing");
    t = clash(2, STLCLASH_A);
    try_pair(image_joined(cube(1, 2), simple_box(2.5, 3.5, 1, 2, 1, 2)), cube(0, 4), &t, "both in");

    /* a box in a box in a box: in the outer wall, between, in the core */
    double low[3] = {0, 0, 0}, high[3] = {8, 8, 8}, core_low[3] = {2.5, 2.5, 2.5};
    double core_high[3] = {5.5, 5.5, 5.5};
    static const struct {
        double low, high, volume;
        const char *name;
    } row[] = {{0.5, 1, 0.125, "in the outer wall"},
               {2.125, 2.25, 0, "between the shells"},
               {2.625, 2.875, 0.015625, "in the inner wall"},
               {3.75, 4.25, 0, "in the core"},
               {2.25, 5.75, 19, "about the inner shell"}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        stl_image shells =
            image_joined(make_hollow_box(low, high, 2), make_hollow_box(core_low, core_high, 0.5));
        t = row[i].volume > 0 ? clash(row[i].volume, i < 4 ? STLCLASH_B : STLCLASH_NEITHER)
                              : clear();
        try_pair(shells, cube(row[i].low, row[i].high), &t, row[i].name);
    }
}

/* ---- complement --------------------------------------------------------------------------- */

/* A in B and A outside of B make A. */
TEST(complement_makes_whole)
{
    stlclash_options o = exact();

    o.depth_error = 1;
    for (int i = 0; i < test_rounds(COMPLEMENTS); i++) {
        stl_image a, b;
        if (i % 3 == 0) {
            int v[4][3], w[4][3];
            double p[4][3], q[4][3];
            random_tetra(1000, v);
            random_tetra(1000, w);
            to_doubles(v, p);
            to_doubles(w, q);
            a = make_tetra(p);
            b = make_tetra(q);
        } else if (i % 3 == 1) {
            oracle_frame f = oracle_frame_random();
            int none[3] = {0, 0, 0}, shift[3] = {test_below(3), test_below(3), test_below(3)};
            oracle_voxels v = oracle_voxels_random(3, 0.5), w = oracle_voxels_random(3, 0.5);
            a = oracle_voxels_mesh(&v, none, &f);
            b = oracle_voxels_mesh(&w, shift, &f);
        } else {
            a = make_bumpy(1, 8);
            b = make_torus(1, 0.5, 24, 16);
            image_turn(&b, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
            image_move(&b, test_uniform(-1, 1), test_uniform(-1, 1), 0);
        }
        double extent = extent_of(&a, &b), low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = as_float(-4 * extent - 100);
            high[k] = as_float(4 * extent + 100);
        }
        stl_image outside = make_box(low, high, 1), hole = make_facets(NULL, 0);
        image_join(&hole, &b);
        image_invert(&hole);
        image_join(&outside, &hole);
        stlclash_result *in = ask_images(&a, &b, &o), *out = ask_images(&a, &outside, &o);
        double whole = oracle_volume(&a), sum = in->overlap.volume + out->overlap.volume;
        CHECK(fabs(sum - whole) <=
                  in->overlap.volume_error + out->overlap.volume_error + 1e-14 * whole,
              "round %d: %.17g + %.17g is not %.17g", i, in->overlap.volume, out->overlap.volume,
              whole);
        stlclash_result_free(in);
        stlclash_result_free(out);
        image_free(&a);
        image_free(&b);
        image_free(&outside);
        image_free(&hole);
    }
}

/* ---- depth ---------------------------------------------------------------------------------- */

/* No dart goes deeper than the linear program, and walking uphill comes close. */
TEST(oracle_of_depth_agrees_with_itself)
{
    for (int i = 0; i < test_rounds(200); i++) {
        stl_image a = cube(-1, 1), b = simple_box(-.5, 2, -.75, .75, -.25, 3);
        image_turn(&b, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
        oracle_convex c = oracle_convex_of(&a), d = oracle_convex_of(&b);
        double depth = oracle_convex_depth(&c, &d), best = 0, at[3] = {0, 0, 0}, step = 1;
        CHECK(c.count == 6 && d.count >= 6, "%d and %d planes", c.count, d.count);
        for (int side = 0; side < 2; side++) {
            double here = -1;
            for (int s = 0; s < 4000; s++) {
                double p[3];
                for (int k = 0; k < 3; k++) {
                    p[k] = at[k] + test_uniform(-step, step);
                }
                double in_a = oracle_convex_inside(&c, p), in_b = oracle_convex_inside(&d, p);
                if (in_a >= 0 && in_b >= 0) {
                    double to_surface = side ? oracle_distance(&b, p) : oracle_distance(&a, p);
                    CHECK(fabs(to_surface - (side ? in_b : in_a)) < 1e-6, "depth %g, distance %g",
                          side ? in_b : in_a, to_surface);
                    if (to_surface > here) {
                        here = to_surface;
                        memcpy(at, p, sizeof at);
                    }
                }
                step = s % 100 == 99 ? step * 0.85 : step;
            }
            best = fmax(best, here);
            step = 1;
        }
        CHECK(best <= depth + 1e-6 && best >= 0.95 * depth, "%g found, %g proven", best, depth);
        image_free(&a);
        image_free(&b);
    }
}

static void try_depth(stl_image a, stl_image b, double depth, const char *what)
{
    static const double errors[] = {0, 1e-4, 0.1};
    double extent = extent_of(&a, &b);

    for (int i = 0; i < 3; i++) {
        stlclash_options o = exact();
        o.depth_error = errors[i];
        for (int turn = 0; turn < 2; turn++) {
            stlclash_result *r = turn ? ask_images(&b, &a, &o) : ask_images(&a, &b, &o);
            CHECK(r->status == STLCLASH_CLASH && r->has_overlap, "%s: %s", what,
                  stlclash_status_text(r->status));
            check_depth(r, depth, extent, what);
            check_deepest(r, turn ? &b : &a, turn ? &a : &b, i == 0 ? 0.01 : errors[i], what);
            stlclash_result_free(r);
        }
    }
    image_free(&a);
    image_free(&b);
}

TEST(depths_that_can_be_written_down)
{
    try_depth(cube(0, 1), cube(0, 1), 0.5, "identical cubes");
    try_depth(simple_box(-3, 3, -1, 1, -1, 1), simple_box(-1, 1, -3, 3, -1, 1), 1, "plus sign");
    try_depth(simple_box(-9, 9, -1, 1, -.5, .5), simple_box(-1, 1, -9, 9, .2f, 1.2f), 0.5 - .2f,
              "X of bars");
    try_depth(simple_box(-9, 9, -9, 9, -4, 0), simple_box(-1, 1, -1, 1, -.25, 2), 0.25,
              "sunk into a plate");
    try_depth(simple_box(-9, 9, -9, 9, -4, 0), simple_box(-1, 1, -1, 1, -1.5, 2), 1.5,
              "sunk deeper than its half width");
    try_depth(cube(-5, 5), simple_box(1, 2, -.5, .5, -.5, .5), 4, "swallowed part");
    try_depth(simple_box(0, 4, 0, 4, 0, 4), simple_box(0, 2, 0, 4, 0, 4), 2, "flush-nested boxes");
    try_depth(simple_box(0, 4, 0, 4, 0, 4), simple_box(0, 1, 0, 4, 0, 4), 1, "flush-nested slice");
    try_depth(cube(0, 1), simple_box(1 - 0x1p-24, 2, 0, 1, 0, 1), 0x1p-24, "one ulp");
    try_depth(simple_box(-1e6, 1e6, -1e6, 1e6, -1000, 0), simple_box(0, 1, 0, 1, -1, 0), 1,
              "a millimetre box in a plate of two kilometres, flush");
    try_depth(simple_box(-1e6, 1e6, -1e6, 1e6, -1000, 0), simple_box(0, 1, 0, 1, -.5, .5), 0.5,
              "a millimetre box in a plate of two kilometres");
}

/* Tessellation changes nothing. */
TEST(depth_of_boxes_tessellated_anew)
{
    for (uint32_t cells = 1; cells <= 8; cells *= 2) {
        double low[3] = {-9, -1, -.5}, high[3] = {9, 1, .5};
        double low_b[3] = {-1, -9, .25}, high_b[3] = {1, 9, 1.25};
        try_depth(make_box(low, high, cells), make_box(low_b, high_b, 9 - cells), 0.25,
                  "X of bars");
    }
}

TEST(the_same_part_almost_in_place_is_deep)
{
    stl_image a = make_bumpy(1, 8), b = make_bumpy(1, 8);
    stlclash_options o = ask_usual();

    image_move(&b, 1e-6, 0, 0);
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->status == STLCLASH_CLASH, "status %s", stlclash_status_text(r->status));
    check_deepest(r, &a, &b, 0.01, "almost in place");
    double centre[3] = {0, 0, 0}, least = oracle_distance(&a, centre);
    CHECK(r->overlap.depth + r->overlap.depth_error >= least, "depth %g, centre %g",
          r->overlap.depth, least);
    stlclash_result_free(r);
    o.touch_overlap = 0.9 * least;
    CHECK(ask_status(&a, &b, &o) == STLCLASH_CLASH, "not a clash with a touch overlap of %g",
          o.touch_overlap);
    o.touch_overlap = 1.1;
    CHECK(ask_status(&a, &b, &o) == STLCLASH_CONTACT, "not a contact with a touch overlap of %g",
          o.touch_overlap);
    image_free(&a);
    image_free(&b);
}

/* Against the linear program. */
TEST(depth_of_random_convex_parts)
{
    int deep = 0;

    for (int i = 0; i < test_rounds(DEPTHS); i++) {
        stl_image a, b;
        if (i % 2) {
            int v[4][3], w[4][3];
            double p[4][3], q[4][3];
            random_tetra(i % 4 == 1 ? 8 : 1000, v);
            random_tetra(i % 4 == 1 ? 8 : 1000, w);
            to_doubles(v, p);
            to_doubles(w, q);
            a = make_tetra(p);
            b = make_tetra(q);
        } else {
            double x = test_uniform(0.2, 2), y = test_uniform(0.2, 2), z = test_uniform(0.2, 2);
            a = simple_box(-1, 1, -1, 1, -1, 1);
            b = simple_box(-x, x, -y, y, -z, z);
            if (i % 8) {
                image_turn(&b, test_uniform(0, 6), test_uniform(0, 6), test_uniform(0, 6));
            }
            image_move(&b, test_uniform(-2, 2), test_uniform(-2, 2), test_uniform(-1, 1));
        }
        oracle_convex c = oracle_convex_of(&a), d = oracle_convex_of(&b);
        double depth = oracle_convex_depth(&c, &d), extent = extent_of(&a, &b);
        stlclash_options o = exact();
        o.depth_error = i % 5 == 0 ? 1e-3 : 0;
        stlclash_result *r = ask_images(&a, &b, &o);
        char what[40];
        snprintf(what, sizeof what, "convex pair %d", i);
        if (r->status == STLCLASH_CLASH) {
            bool skew = c.count != 4 && i % 8; /* sides of a turned box are not quite flat */
            deep++;
            CHECK(depth > -1e-9 * extent, "%s: a clash with depth %g", what, depth);
            check_depth(r, fmax(depth, 0), skew ? 1e6 * extent : extent, what);
            check_deepest(r, &a, &b, i % 5 == 0 ? 1e-3 : 0.01, what);
        } else {
            CHECK(depth <= 1e-6 * extent, "%s: depth %g of parts that are %s", what, depth,
                  stlclash_status_text(r->status));
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
    CHECK(deep > test_rounds(DEPTHS) / 5, "only %d overlaps", deep);
}

/* Against sampling; the deepest point itself is exact. */
TEST(depth_of_random_voxel_solids)
{
    stlclash_options o = exact();

    for (int i = 0; i < test_rounds(DEPTHS / 10); i++) {
        int none[3] = {0, 0, 0}, n = 3 + i % 2;
        oracle_frame f = i % 3 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels v = oracle_voxels_random(n, 0.7), w = oracle_voxels_random(n, 0.7);
        stl_image a = oracle_voxels_mesh(&v, none, &f), b = oracle_voxels_mesh(&w, none, &f);
        stlclash_result *r = ask_images(&a, &b, &o);
        char what[40];
        snprintf(what, sizeof what, "voxel pair %d", i);
        if (r->status == STLCLASH_CLASH) {
            check_deepest(r, &a, &b, 0.01, what);
            double bound = r->overlap.depth + r->overlap.depth_error;
            for (int s = 0; s < 400; s++) {
                int x = test_below(n), y = test_below(n), z = test_below(n);
                double lattice[3] = {x + test_below(5) / 4.0, y + test_below(5) / 4.0,
                                     z + test_below(5) / 4.0};
                double p[3];
                if (v.set[x][y][z] && w.set[x][y][z]) {
                    oracle_frame_place(&f, lattice, p);
                    double here = fmax(oracle_distance(&a, p), oracle_distance(&b, p));
                    CHECK(here <= bound * (1 + 1e-12), "%s: %g deep, not %g", what, here, bound);
                }
            }
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- regions --------------------------------------------------------------------------------- */

/* A flange that lies flat on a plate, with pins that go into it: each pin is a region of its own,
 * whichever way the flange faces. */
TEST(flush_faces_join_no_regions)
{
    stlclash_options o = exact();
    o.depth_error = 1;
    for (int i = 0; i < test_rounds(300); i++) {
        int axis = i % 3, lengths[9], pins = 0, none[3] = {0, 0, 0};
        oracle_frame f = i % 4 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels comb = {.n = 8}, plate = {.n = 8};
        for (int c = 0; c < 9; c++) {
            lengths[c] = test_below(4);
            pins += lengths[c] > 0;
        }
        for (int c = 0; c < 512; c++) {
            int at[3] = {c / 64, c / 8 % 8, c % 8};
            int high = at[axis], u = at[(axis + 1) % 3], w = at[(axis + 2) % 3];
            int length = u % 2 || w % 2 || u > 4 || w > 4 ? 0 : lengths[3 * (u / 2) + w / 2];
            at[axis] = i / 3 % 2 ? 7 - high : high;
            comb.set[at[0]][at[1]][at[2]] =
                (high == 4 && u < 5 && w < 5) || (high < 4 && high >= 4 - length);
            plate.set[at[0]][at[1]][at[2]] = high > 0 && high < 4;
        }
        stl_image a = oracle_voxels_mesh(&comb, none, &f), b = oracle_voxels_mesh(&plate, none, &f);
        image_shuffle(&a);
        stlclash_result *r = i % 2 ? ask_images(&a, &b, &o) : ask_images(&b, &a, &o);
        CHECK((int)r->overlap.region_count == pins, "comb %d: %d regions, but %d pins", i,
              (int)r->overlap.region_count, pins);
        for (size_t k = 0; k < r->overlap.region_count; k++) {
            double cells = r->overlap.regions[k].volume / oracle_frame_volume(&f);
            CHECK(cells > 0.5 && fabs(cells - round(cells)) < 1e-9, "comb %d: a region of %g cells",
                  i, cells);
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* A bar with ribs that fits between the walls of a slot, or of a pocket: its flush sides face each
 * other, and no move leads out of all of them. Each rib that goes into a wall or into the floor is
 * a region of its own, with its own bounds. */
TEST(flush_faces_on_opposite_sides_join_no_regions)
{
    stlclash_options o = exact();
    o.depth_error = 1;
    for (int i = 0; i < test_rounds(300); i++) {
        const bool pocket = i / 3 % 2;
        int axis = i % 3, ribs = 0, none[3] = {0, 0, 0}, down[3], aside[2];
        oracle_frame f = i % 4 ? oracle_frame_random() : oracle_frame_plain();
        oracle_voxels bar = {.n = 8}, block = {.n = 8};
        for (int k = 0; k < 3; k++) {
            ribs += (down[k] = test_below(3)) > 0;
        }
        for (int k = 0; k < 2; k++) {
            ribs += (aside[k] = test_below(3)) > 0;
        }
        for (int c = 0; c < 512; c++) {
            int at[3] = {c / 64, c / 8 % 8, c % 8};
            int high = at[axis], along = at[(axis + 1) % 3], across = at[(axis + 2) % 3];
            bool end = pocket && (along == 0 || along == 7), odd = along % 2;
            bool within = high >= 2 && across >= 2 && across <= 4 && !end;
            bool below = odd && along < 7 && high < 2 && high >= 2 - down[along / 2] && across == 3;
            bool beside = !odd && along > 0 && along < 6 && high == 3 && across > 4 &&
                          across <= 4 + aside[along / 2 - 1];
            bar.set[at[0]][at[1]][at[2]] = within || below || beside;
            block.set[at[0]][at[1]][at[2]] = high < 5 && !within;
        }
        truth t = {.status = STLCLASH_CLASH};
        for (int k = 0; k < 3; k++) {
            t.bounds[0][k] = INFINITY;
            t.bounds[1][k] = -INFINITY;
        }
        voxels_bounds(&bar, &block, none, &f, &t);
        stl_image a = oracle_voxels_mesh(&bar, none, &f), b = oracle_voxels_mesh(&block, none, &f);
        image_shuffle(&a);
        stlclash_result *r = i % 2 ? ask_images(&a, &b, &o) : ask_images(&b, &a, &o);
        const stlclash_overlap *overlap = &r->overlap;
        CHECK((int)overlap->region_count == ribs, "bar %d: %d regions, but %d ribs", i,
              (int)overlap->region_count, ribs);
        for (size_t k = 0; k < overlap->region_count; k++) {
            double cells = overlap->regions[k].volume / oracle_frame_volume(&f);
            CHECK(fabs(cells - 1) < 1e-9 || fabs(cells - 2) < 1e-9, "bar %d: a region of %g cells",
                  i, cells);
        }
        for (int k = 0; k < 6 && ribs > 0; k++) {
            double got = overlap->bounds[k / 3][k % 3], expected = t.bounds[k / 3][k % 3];
            CHECK(fabs(got - expected) < 1e-12 * extent_of(&a, &b),
                  "bar %d: bound %d is %.17g, but it is %.17g", i, k, got, expected);
        }
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* A part of bodies that stand wall to wall or apart along an axis, and a bar through them all. */
typedef struct row_of_bodies {
    stl_image part, bar;
    int runs; /* of bodies wall to wall */
    double volume;
} row_of_bodies;

/* Faces are cut at multiples of the unit; 0: anywhere. */
static row_of_bodies make_row_of_bodies(const oracle_frame *f, double unit)
{
    const int axis = test_below(3), bodies = 2 + test_below(4);
    const double uncut = 64;
    row_of_bodies row = {.part = make_facets(NULL, 0), .runs = 1};
    double from[3] = {2, 2, 2}, to[3] = {3, 3, 3}, at = 0;

    for (int i = 0; i < bodies; i++) {
        double low[3], high[3];
        const bool gap = i > 0 && test_below(4) == 0;
        row.runs += gap;
        at += gap ? 1 : 0;
        for (int k = 0; k < 3; k++) {
            low[k] = test_below(2);
            high[k] = 4 + test_below(2);
        }
        low[axis] = at;
        high[axis] = at += 1 + test_below(3);
        row.volume += high[axis] - low[axis];
        row.part =
            image_joined(row.part, oracle_split_box(low, high, test_below(2) ? unit : uncut, f));
    }
    from[axis] = 0.5;
    to[axis] = at - 0.5;
    row.bar = oracle_split_box(from, to, test_below(2) ? unit : uncut, f);
    row.volume = (row.volume - 1) * oracle_frame_volume(f);
    return row;
}

/* Facets and their corners in any order, the parts too, the pair mirrored, turned, scaled and
 * shifted; NULL where a coordinate would not stay exact. */
static stlclash_result *ask_in_some_way(const row_of_bodies *row, const motion *m,
                                        const stlclash_options *o)
{
    stl_image a, b;
    bool fits = motion_image(m, &row->part, &a);
    fits &= motion_image(m, &row->bar, &b);
    image_shuffle(&a);
    image_shuffle(&b);
    image_rotate_corners(&a);
    image_rotate_corners(&b);
    stlclash_result *r = !fits           ? NULL
                         : test_below(2) ? ask_images(&a, &b, o)
                                         : ask_images(&b, &a, o);
    image_free(&a);
    image_free(&b);
    return r;
}

/* What goes through walls that stand on each other is one region on both sides of them: as often
 * as it is asked. */
TEST(bodies_wall_to_wall_make_one_region)
{
    enum { WAYS = 12 };
    stlclash_options o = exact();
    o.depth_error = 1;
    for (int i = 0; i < test_rounds(200); i++) {
        const oracle_frame f = i % 4 ? oracle_frame_random() : oracle_frame_plain();
        row_of_bodies row = make_row_of_bodies(&f, i % 4 ? 0.5 : 0);
        double least = 0, most = INFINITY;
        for (int way = 0; way < WAYS; way++) {
            const motion m = motion_make(way % 2 ? test_below(MOTIONS) : 0);
            const double cube = m.scale * m.scale * m.scale;
            stlclash_result *r = ask_in_some_way(&row, &m, &o);
            if (!r) {
                continue;
            }
            const stlclash_overlap *p = &r->overlap;
            CHECK(r->status == STLCLASH_CLASH && p->contained == STLCLASH_NEITHER,
                  "row %d: %s, contained %d", i, stlclash_status_text(r->status), p->contained);
            CHECK((int)p->region_count == row.runs, "row %d: %d regions, but %d runs of bodies", i,
                  (int)p->region_count, row.runs);
            CHECK(fabs(p->volume - cube * row.volume) <= p->volume_error + 1e-13 * p->volume,
                  "row %d: volume %.17g, not %.17g", i, p->volume, cube * row.volume);
            least = fmax(least, p->depth / m.scale);
            most = fmin(most, (p->depth + p->depth_error) / m.scale);
            stlclash_result_free(r);
        }
        CHECK(least <= most * (1 + 1e-12), "row %d: depth %.17g or more, and %.17g or less", i,
              least, most);
        image_free(&row.part);
        image_free(&row.bar);
    }
}

/* An edge of a wedge across the bottom of a groove, in one point: what lies on either side of the
 * groove is one region or two, as the bottom is moved, but not as the facets are ordered. */
TEST(regions_at_the_bottom_of_a_groove_do_not_depend_on_the_order_of_facets)
{
    static const double block[5][2] = {{-4, -4}, {4, -4}, {4, 4}, {0, 0}, {-4, 4}};
    static const double wedge[3][2] = {{0, 0}, {2, -1}, {2, 1}};
    const motion across = {{2, 0, 1}, {1, 1, 1}, 1, {0, 0, 0}};
    const stlclash_options o = exact();
    stl_image standing = make_prism(wedge, 3, -3, 3);
    row_of_bodies pair = {.part = make_prism(block, 5, -2, 2)};
    int separate = 0;

    CHECK(motion_image(&across, &standing, &pair.bar), "not exact");
    for (int way = 0; way < MOTIONS; way++) {
        const motion m = motion_make(way);
        size_t regions = 0;
        for (int i = 0; i < 8; i++) {
            stlclash_result *r = ask_in_some_way(&pair, &m, &o);
            const size_t count = r ? r->overlap.region_count : 0;
            CHECK(r && (count == 1 || count == 2), "way %d: %zu regions", way, count);
            CHECK(i == 0 || count == regions, "way %d: %zu regions, and %zu", way, count, regions);
            regions = count;
            stlclash_result_free(r);
        }
        separate += regions == 2;
    }
    CHECK(separate > 0 && separate < MOTIONS, "two regions %d times", separate);
    image_free(&standing);
    image_free(&pair.part);
    image_free(&pair.bar);
}

TEST(separate_regions_are_told_apart)
{
    stl_image a = simple_box(0, 20, 0, 1, 0, 1);
    stl_image b =
        image_joined(image_joined(simple_box(1, 2, -3, 3, .5, 3), simple_box(5, 8, -3, 3, .75, 3)),
                     simple_box(12, 14, -3, .5, -2, 3));
    static const double volume[3] = {1, 0.75, 0.5}, depth[3] = {0.5, 0.25, 0.5};
    static const double bounds[3][2][3] = {
        {{12, 0, 0}, {14, .5, 1}}, {{5, 0, .75}, {8, 1, 1}}, {{1, 0, .5}, {2, 1, 1}}};
    stlclash_options o = exact();

    for (int round = 0; round < 8; round++) {
        stlclash_result *r = round % 2 ? ask_images(&b, &a, &o) : ask_images(&a, &b, &o);
        CHECK(r->overlap.region_count == 3, "%d regions", (int)r->overlap.region_count);
        for (size_t i = 0; i < 3 && r->overlap.region_count == 3; i++) {
            const stlclash_region *region = &r->overlap.regions[i];
            CHECK(fabs(region->volume - volume[i]) < 1e-14, "region %d: volume %.17g", (int)i,
                  region->volume);
            for (int k = 0; k < 6; k++) {
                CHECK(fabs(region->bounds[k / 3][k % 3] - bounds[i][k / 3][k % 3]) < 1e-14,
                      "region %d: bound %d is %.17g", (int)i, k, region->bounds[k / 3][k % 3]);
            }
            CHECK(region->depth <= depth[i] * (1 + 1e-12) && region->depth >= 0.99 * depth[i],
                  "region %d: depth %.17g, not %g", (int)i, region->depth, depth[i]);
        }
        check_depth(r, 0.5, 20, "regions");
        stlclash_result_free(r);
        image_shuffle(&a);
        image_shuffle(&b);
        image_rotate_corners(&b);
    }
    image_free(&a);
    image_free(&b);
}

/* Two plates askew in a block, the larger within the box of the other where it has holes: one amid
 * it, one in its wall, one through both walls. */
TEST(holes_are_of_the_region_around_them)
{
    static const double plates[2][4][2] = {{{0, 0}, {4, 0}, {24, 20}, {20, 20}},
                                           {{6, 0}, {9, 0}, {29, 20}, {26, 20}}};
    stl_image holes =
        image_joined(image_joined(simple_box(12, 13, 10, 11, 4, 6), simple_box(7, 10, 8, 9, 2, 3)),
                     simple_box(14, 20.5, 15, 16, 4, 6));
    image_invert(&holes);
    stl_image b = image_joined(simple_box(-5, 35, -5, 25, -5, 15), holes);
    stl_image a = image_joined(make_prism(plates[0], 4, 0, 10), make_prism(plates[1], 4, 0, 10));
    static const double volume[2] = {800 - 2 - 1.5 - 8, 600};

    for (int round = 0; round < test_rounds(20); round++) {
        stlclash_result *r = ask_images(&a, &b, NULL);
        CHECK(r->overlap.region_count == 2, "%d regions", (int)r->overlap.region_count);
        for (size_t i = 0; i < 2 && r->overlap.region_count == 2; i++) {
            const double error = r->overlap.regions[i].volume - volume[i];
            CHECK(fabs(error) < (round == 0 ? 1e-11 : 0.01), "round %d, region %d: off by %g",
                  round, (int)i, error);
        }
        stlclash_result_free(r);
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        image_turn(&a, turn[0], turn[1], turn[2]);
        image_turn(&b, turn[0], turn[1], turn[2]);
    }
    image_free(&a);
    image_free(&b);
}

/* A bore that ends in a wall of the region, amid a facet of it, may be rounded to stick out
 * there. */
TEST(bores_that_end_in_a_wall_are_of_its_region)
{
    for (int round = 0; round < test_rounds(200); round++) {
        const double wall = as_float(test_uniform(-3, 1)), deep = as_float(test_uniform(2, 4));
        const double from = as_float(test_uniform(-8, -4)), end = as_float(test_uniform(5, 9));
        const double y[2] = {as_float(test_uniform(0.2, 0.6)), as_float(test_uniform(1, 2))};
        const double z[2] = {as_float(test_uniform(4, 5)), as_float(test_uniform(6, 7))};
        stl_image bore = simple_box(from, deep, y[0], y[1], z[0], z[1]);
        image_invert(&bore);
        stl_image b = image_joined(simple_box(-9, 14, -1, 11, -1, 11), bore);
        stl_image a = simple_box(wall, end, 0, 10, 0, 10);
        stlclash_result *r = ask_images(&a, &b, NULL);
        const double volume = 100 * (end - wall) - (deep - wall) * (y[1] - y[0]) * (z[1] - z[0]);
        CHECK_INT(r->overlap.region_count, 1);
        CHECK(r->overlap.region_count != 1 || fabs(r->overlap.regions[0].volume - volume) < 1e-10,
              "round %d: %.17g, but %.17g", round, r->overlap.regions[0].volume, volume);
        stlclash_result_free(r);
        image_free(&a);
        image_free(&b);
    }
}

/* ---- touch overlap --------------------------------------------------------------------------- */

/* Combs in each other, turned and rounded: what is told of them as flush but for rounding does not
 * need looking for again where more is allowed, be it more than half a wall. */
TEST(a_touch_overlap_that_allows_more_asks_for_no_more)
{
    enum { FINGERS = 6 };
    for (int round = 0; round < test_rounds(5); round++) {
        const double turn[3] = {test_uniform(-3, 3), test_uniform(-3, 3), test_uniform(-3, 3)};
        stl_image comb[2] = {make_facets(NULL, 0), make_facets(NULL, 0)};
        for (int i = 0; i < 2 * FINGERS; i++) {
            stl_image finger = simple_box(i, i + 1, 10 * (i % 2), 50 + 10 * (i % 2), 0, 1);
            comb[i % 2] = image_joined(comb[i % 2], finger);
        }
        image_turn(&comb[0], turn[0], turn[1], turn[2]);
        image_turn(&comb[1], turn[0], turn[1], turn[2]);
        stlclash_options o = ask_usual();
        stlclash_result *usual = ask_images(&comb[0], &comb[1], &o);
        o.touch_overlap = 0.6;
        stlclash_result *more = ask_images(&comb[0], &comb[1], &o);
        CHECK(usual->status == STLCLASH_CONTACT && more->status == STLCLASH_CONTACT,
              "round %d: %s, %s", round, stlclash_status_text(usual->status),
              stlclash_status_text(more->status));
        CHECK(usual->overlap.depth == more->overlap.depth &&
                  usual->overlap.depth_error == more->overlap.depth_error,
              "round %d: depth %g+-%g, %g+-%g", round, usual->overlap.depth,
              usual->overlap.depth_error, more->overlap.depth, more->overlap.depth_error);
        stlclash_result_free(usual);
        stlclash_result_free(more);
        image_free(&comb[0]);
        image_free(&comb[1]);
    }
}

TEST(touch_overlap_is_compared_with_the_depth)
{
    stl_image plate = simple_box(-9, 9, -9, 9, -4, 0), peg = simple_box(-1, 1, -1, 1, -.25, 2);
    static const struct {
        double allowed;
        stlclash_status status;
    } row[] = {{0, STLCLASH_CLASH},
               {0.125, STLCLASH_CLASH},
               {0.25 - 1e-9, STLCLASH_CLASH},
               {0.25, STLCLASH_CONTACT}, /* the bound itself passes */
               {0.25 + 1e-9, STLCLASH_CONTACT},
               {0.5, STLCLASH_CONTACT}};

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stlclash_options o = ask_usual();
            o.touch_overlap = row[i].allowed;
            o.no_overlap = way & 1;
            o.quick = way & 2;
            stlclash_status status = ask_status(&plate, &peg, &o);
            CHECK(status == row[i].status, "0.25 deep, %.10g allowed, way %d: %s", row[i].allowed,
                  way, stlclash_status_text(status));
        }
    }
    image_free(&plate);
    image_free(&peg);
}

/* Bars of one section, pushed into each other: only a line of points lies as deep as it gets. A
 * limit just below that is told to be exceeded whether or not the depth is asked for. */
TEST(touch_overlap_just_below_the_depth)
{
    stl_image a = simple_box(0, 2, 0, 1, 0, 1), b = simple_box(1, 3, 0, 1, 0, 1);
    for (int way = 0; way < 4; way++) {
        stlclash_options o = ask_usual();
        o.touch_overlap = 0.5 * (1 - 1e-6);
        o.no_overlap = way & 1;
        o.quick = way & 2;
        stlclash_status status = ask_status(&a, &b, &o);
        CHECK(status == STLCLASH_CLASH, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&b);
}

/* Boxes are convex, and what they have in common is of one piece: also where their facets meet
 * along edges that are not the same, as stored and as placed. */
TEST(t_junctions_split_no_regions)
{
    const oracle_frame plain = oracle_frame_plain();
    for (int i = 0; i < test_rounds(400); i++) {
        box a, b;
        double placement[2][16];
        stlclash_options o = ask_usual();
        o.depth_error = 1;
        random_boxes(true, &a, &b);
        for (int k = 0; k < 2 && i % 4 > 1; k++) {
            ask_placement(placement[k], i % 4 == 3 ? 0.5 : 0);
            o.placement[k] = placement[k];
        }
        stl_image ia = oracle_split_box(a.low, a.high, 0.125, &plain);
        stl_image ib = oracle_split_box(b.low, b.high, 0.125, &plain);
        stlclash_result *r = ask_images(&ia, &ib, &o);
        if (r->status == STLCLASH_CLASH) {
            const stlclash_overlap *overlap = &r->overlap;
            CHECK(overlap->region_count == 1, "boxes %d: %d regions", i,
                  (int)overlap->region_count);
            CHECK(fabs(overlap->regions[0].volume - overlap->volume) <= 1e-12 * overlap->volume,
                  "boxes %d: the region has %g of %g", i, overlap->regions[0].volume,
                  overlap->volume);
        }
        stlclash_result_free(r);
        image_free(&ia);
        image_free(&ib);
    }
}

/* Shells of one part, all inside the other, are regions of their own; a void in one of them is
 * none. */
TEST(shells_inside_are_regions_each)
{
    const uint32_t cells[] = {1, 2, 12, 40};
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stl_image outer = simple_box(-1, 21, -1, 5, -1, 5), inner = {0};
            stlclash_options o = ask_usual();
            o.health = way >= 2;
            for (int k = 0; k < 3; k++) {
                const double low[3] = {6 * k, 0, 0}, high[3] = {6 * k + 4 - k, 4 - k, 4 - k};
                stl_image shell = make_box(low, high, cells[i]);
                inner = k == 0 ? shell : image_joined(inner, shell);
            }
            stl_image hole = make_box((double[]){1, 1, 1}, (double[]){2, 2, 2}, cells[i]);
            image_invert(&hole);
            inner = image_joined(inner, hole);
            stlclash_result *r =
                ask_images(way % 2 ? &outer : &inner, way % 2 ? &inner : &outer, &o);
            CHECK(r->overlap.region_count == 3, "%u cells: %d regions", cells[i],
                  (int)r->overlap.region_count);
            for (size_t k = 0; k < 3 && r->overlap.region_count == 3; k++) {
                double side = 4.0 - (double)k, volume = side * side * side - (k == 0 ? 1 : 0);
                CHECK(r->overlap.regions[k].volume == volume, "region %zu: %.17g, not %g", k,
                      r->overlap.regions[k].volume, volume);
            }
            stlclash_result_free(r);
            image_free(&outer);
            image_free(&inner);
        }
    }
}

/* ---- parts that are not closed, or inside out ------------------------------------------------ */

/* Without one facet of the side at +z. */
static stl_image open_cube(double low, double high)
{
    stl_image whole = cube(low, high), open = make_facets(NULL, 0);
    shape_sink sink = stl_image_sink(&open);
    bool dropped = false;

    for (size_t i = 0; i < image_facets(&whole); i++) {
        shape_facet f = image_get(&whole, i);
        bool top = f.corner[0][2] == (float)high && f.corner[1][2] == (float)high &&
                   f.corner[2][2] == (float)high;
        if (top && !dropped) {
            dropped = true;
        } else {
            sink.take(sink.context, &f);
        }
    }
    CHECK(image_facets(&open) == 11, "not one facet is gone");
    image_free(&whole);
    return open;
}

TEST(open_parts_are_judged_by_their_surfaces)
{
    struct {
        stl_image other;
        stlclash_status status;
        const char *name;
    } row[] = {
        {simple_box(3.5, 5, 1, 2, 1, 2), STLCLASH_CLASH, "crossing"},
        {simple_box(4, 5, 1, 2, 1, 2), STLCLASH_CONTACT, "touching"},
        {simple_box(6, 7, 1, 2, 1, 2), STLCLASH_CLEAR, "far"},
        {cube(1, 2), STLCLASH_UNDECIDED, "inside"},
        {cube(-4, 8), STLCLASH_CLASH, "swallowed by a closed part"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 0; way < 4; way++) {
            stl_image open = open_cube(0, 4);
            stlclash_options o = way & 2 ? exact() : ask_usual();
            bool swap = way & 1;
            stlclash_result *r =
                ask_images(swap ? &row[i].other : &open, swap ? &open : &row[i].other, &o);
            o.no_overlap = true;
            CHECK(ask_status(&open, &row[i].other, &o) == r->status, "%s: another verdict alone",
                  row[i].name);
            o.quick = true;
            CHECK(ask_status(&open, &row[i].other, &o) == r->status, "%s: another when quick",
                  row[i].name);
            if (i < 4) { /* the last one: see below */
                CHECK(r->status == row[i].status, "%s: %s", row[i].name,
                      stlclash_status_text(r->status));
                CHECK(!r->has_overlap, "%s: an overlap", row[i].name);
                CHECK(i == 2 || r->note_count > 0, "%s: no note", row[i].name);
            } else { /* where its surface is inside a closed part is no doubt, but it has no
                        interior */
                CHECK(r->status == STLCLASH_CLASH || r->status == STLCLASH_UNDECIDED, "%s: %s",
                      row[i].name, stlclash_status_text(r->status));
            }
            CHECK((i == 3) == ask_has_note(r, "containment_unknown") || i == 4, "%s: note",
                  row[i].name);
            if (i < 2 || i == 3) {
                const stlclash_part_result *part = &r->part[swap];
                CHECK(part->has_health && !part->closed, "%s: not known to be open", row[i].name);
            }
            stlclash_result_free(r);
            image_free(&open);
        }
        image_free(&row[i].other);
    }
}

/* What lies inside another part, but nowhere deep. */
TEST(swallowed_parts_may_lie_shallow)
{
    stl_image whole = cube(0, 4), small = cube(0.125, 0.375);
    for (int way = 0; way < 6; way++) {
        stlclash_options o = ask_usual();
        o.touch_overlap = way % 2 ? 0.3125 : 0.5;
        o.touch_gap = 0.25;
        o.no_overlap = way / 2 == 1;
        o.quick = way / 2 == 2;
        stlclash_status status = ask_status(&whole, &small, &o);
        CHECK(status == (way % 2 ? STLCLASH_CLASH : STLCLASH_CONTACT), "touch overlap %g: %s",
              o.touch_overlap, stlclash_status_text(status));
    }
    image_free(&whole);
    image_free(&small);
}

static stlclash_status status_by(const stl_image *a, const stl_image *b, int way)
{
    stlclash_options o = ask_usual();
    o.exact = way % 2;
    o.quick = way / 2 == 1;
    o.no_overlap = way / 2 == 2;
    return ask_status(a, b, &o);
}

/* A cavity that sticks out of its part: there the winding number is -1. */
TEST(what_lies_in_a_shell_that_sticks_out_is_inside)
{
    stl_image a = make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1);
    stl_image cavity = make_box((double[]){4, 4, -3}, (double[]){6, 6, 9}, 1);
    stl_image b = make_box((double[]){4.5, 4.5, -2.5}, (double[]){5.5, 5.5, -1}, 1);
    image_invert(&cavity);
    image_join(&a, &cavity);
    for (int way = 0; way < 6; way++) {
        stlclash_status status = status_by(&a, &b, way);
        CHECK(status == STLCLASH_CLASH, "way %d: %s", way, stlclash_status_text(status));
    }
    image_free(&a);
    image_free(&cavity);
    image_free(&b);
}

/* However far off: all of it must. */
TEST(a_part_of_which_some_lies_outside_is_not_contained)
{
    stl_image b = cube(-3, 3);
    for (int way = 0; way < 8; way++) {
        const double off = way & 2 ? 2.5 : 40; /* touching nothing, or sticking out */
        stl_image a = image_joined(make_box((double[]){-1, -1, -1}, (double[]){1, 1, 1}, 6),
                                   make_box((double[]){off, -1, -1}, (double[]){off + 1, 1, 1}, 6));
        if (way & 4) {
            image_shuffle(&a);
        }
        stlclash_result *r = way & 1 ? ask_images(&b, &a, NULL) : ask_images(&a, &b, NULL);
        CHECK(r->has_overlap && r->overlap.contained == STLCLASH_NEITHER, "way %d: contained %d",
              way, r->overlap.contained);
        stlclash_result_free(r);
        image_free(&a);
    }
    image_free(&b);
}

/* Nor does it speak for the facets after it. */
TEST(a_first_facet_without_area_tells_nothing)
{
    static const float stray[9] = {20, 20, 20, 21, 21, 21, 22, 22, 22};
    stl_image a = image_joined(make_facets(stray, 1), cube(-1, 1)), b = cube(-3, 3);
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK(r->has_overlap && r->overlap.volume == 8, "volume %g", r->overlap.volume);
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* Of so many the depth is not searched for. */
TEST(depths_are_told_of_a_hundred_regions)
{
    enum { TEETH = 104, MOST = 100 };
    stl_image a = simple_box(-1, 2 * TEETH, -1, 2, -9, 1), b = make_facets(NULL, 0);
    stlclash_result *r;
    for (int i = 0; i < TEETH; i++) { /* the first is the largest, and so on */
        b = image_joined(b, simple_box(2 * i, 2 * i + 1, 0, 1, 0.5 + i / 512.0, 3));
        if (i + 1 == MOST) {
            r = ask_images(&a, &b, NULL);
            CHECK(!ask_has_note(r, "region_depth_unknown"), "all are known of %d", MOST);
            stlclash_result_free(r);
        }
    }
    r = ask_images(&a, &b, NULL);
    CHECK_INT(r->overlap.region_count, TEETH);
    CHECK(ask_has_note(r, "region_depth_unknown"), "no note of those beyond %d", MOST);
    for (size_t i = 0; i < r->overlap.region_count; i++) {
        double depth = r->overlap.regions[i].depth, right = 0.5 - (double)i / 512;
        CHECK(i < MOST ? fabs(depth - right) <= 0.0101 * right : isnan(depth),
              "region %zu: %g, not %g", i, depth, right);
    }
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* Of either part, and wherever the other one is. */
TEST(a_cavity_that_sticks_out_says_so)
{
    stl_image image[2] = {make_box((double[]){0, 0, 0}, (double[]){10, 10, 10}, 1),
                          make_box((double[]){8, 8, 8}, (double[]){12, 12, 12}, 1)};
    stl_image cavity = make_box((double[]){4, 4, -3}, (double[]){6, 6, 9}, 1);
    image_invert(&cavity);
    image_join(&image[0], &cavity);
    for (int first = 0; first < 2; first++) {
        stlclash_result *r = ask_images(&image[first], &image[1 - first], NULL);
        CHECK(r->overlap.volume == 8 && ask_has_note(r, "counted_with_multiplicity"),
              "%d: volume %g", first, r->overlap.volume);
        stlclash_result_free(r);
    }
    image_free(&image[0]);
    image_free(&image[1]);
    image_free(&cavity);
}

/* Not even where it lies in the other part. */
TEST(facets_without_area_are_in_nothing)
{
    static const float stray[2][9] = {{0}, {0, 0, 0, 1, 0, 0, 0.5F, 0, 0}};
    stl_image b = cube(-2, 2);
    for (int way = 0; way < 24; way++) {
        stl_image nothing = make_facets(stray[way / 6 % 2], 1);
        stl_image a =
            way < 12 ? image_joined(cube(10, 11), nothing) : image_joined(nothing, cube(10, 11));
        stlclash_status status = status_by(&a, &b, way % 6);
        CHECK(status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(status));
        image_free(&a);
    }
    image_free(&b);
}

/* Edges that pass each other 1e-13 apart, where doubles are 1e-9 apart: two integer tetrahedra with
 * all corners of one side of (1454934597937, 6201001946093, 6623613490452) x = c and those of the
 * other at c + 1 or more. */
TEST(a_gap_that_rounding_loses_is_a_gap)
{
    static const float corners[2][4][3] = {{{0, 0, 0},
                                            {-1651612, 2092760, -1596443},
                                            {-1163862, 672149, -3270809},
                                            {-2224451, -983252, -2894230}},
                                           {{-1980694, 4080463, 730695},
                                            {-651731, 1623048, -1376333},
                                            {-2685674, 189867, 412179},
                                            {299610, 2662015, -473560}}};
    static const int faces[4][3] = {{1, 2, 3}, {0, 1, 3}, {3, 2, 0}, {0, 2, 1}};
    stl_image image[2] = {{0}};
    for (int i = 0; i < 2; i++) {
        for (int f = 0; f < 4; f++) {
            float facet[9];
            for (int k = 0; k < 9; k++) {
                facet[k] = corners[i][faces[f][k / 3]][k % 3];
            }
            stl_image one = make_facets(facet, 1);
            image_join(&image[i], &one);
            image_free(&one);
        }
    }
    for (int way = 0; way < 3; way++) {
        stlclash_options o = exact();
        o.quick = way == 1;
        o.no_overlap = way == 2;
        stlclash_result *r = ask_images(&image[0], &image[1], &o);
        CHECK(r->status == STLCLASH_CLEAR, "way %d: %s", way, stlclash_status_text(r->status));
        CHECK(!r->has_separation || (r->separation.distance > 0 && r->separation.distance < 1e-8),
              "way %d: %g", way, r->separation.distance);
        stlclash_result_free(r);
    }
    image_free(&image[0]);
    image_free(&image[1]);
}

TEST(mixed_orientation_is_not_closed)
{
    stl_image a = cube(0, 1), b = cube(5, 6);
    shape_facet f = image_get(&a, 4), g = f;
    stlclash_options o = exact();

    memcpy(g.corner[0], f.corner[1], sizeof f.corner[0]);
    memcpy(g.corner[1], f.corner[0], sizeof f.corner[0]);
    image_set(&a, 4, &g);
    o.health = true;
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->status == STLCLASH_CLEAR, "status %s", stlclash_status_text(r->status));
    CHECK(r->part[0].has_health && !r->part[0].closed && r->part[0].warning_count > 0,
          "a part of mixed orientation counts as closed");
    CHECK(r->part[1].has_health && r->part[1].closed && r->part[1].warning_count == 0 &&
              fabs(r->part[1].volume - 1) < 1e-15,
          "a cube is not healthy");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

TEST(inside_out_parts_are_read_the_right_way_round)
{
    double low[3] = {0, 0, 0}, high[3] = {4, 4, 4};
    struct {
        stl_image a, b;
        truth t;
        const char *name;
    } row[] = {
        {cube(0, 4), cube(3, 5), clash(1, STLCLASH_NEITHER), "corner in corner"},
        {cube(0, 4), cube(1, 2), clash(1, STLCLASH_B), "swallowed"},
        {cube(1, 2), cube(0, 4), clash(1, STLCLASH_A), "swallows"},
        {cube(0, 4), cube(0, 4), clash(64, STLCLASH_NEITHER), "identical"},
        {cube(0, 4), simple_box(4, 5, 0, 4, 0, 4), contact(16), "touching"},
        {cube(0, 4), cube(5, 6), clear(), "apart"},
        {make_hollow_box(low, high, 1), cube(1, 3), contact(24), "a cavity filled"},
        {make_hollow_box(low, high, 1), cube(1.5, 2.5), clear(), "loose in a cavity"},
        {make_hollow_box(low, high, 1), cube(.5, 3.5), clash(19, STLCLASH_NEITHER), "in walls"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        for (int way = 1; way < 4; way++) {
            stl_image a = make_facets(NULL, 0), b = make_facets(NULL, 0);
            stlclash_options o = exact();
            image_join(&a, &row[i].a);
            image_join(&b, &row[i].b);
            if (way & 1) {
                image_invert(&a);
            }
            if (way & 2) {
                image_invert(&b);
            }
            o.health = true;
            stlclash_result *r = ask_images(&a, &b, &o);
            check_truth(r, &row[i].t, 6, row[i].name);
            for (int k = 0; k < 2; k++) {
                const stlclash_part_result *part = &r->part[k];
                double volume = oracle_volume(k ? &row[i].b : &row[i].a);
                CHECK(part->closed && fabs(part->volume - volume) < 1e-12, "%s: part volume %g",
                      row[i].name, part->volume);
                CHECK((part->warning_count > 0) == (way >> k & 1), "%s: %d warnings", row[i].name,
                      (int)part->warning_count);
            }
            stlclash_result_free(r);
            image_free(&a);
            image_free(&b);
        }
        image_free(&row[i].a);
        image_free(&row[i].b);
    }
}

/* The L's box holds the cavity as well, and without it what was the second largest is the third. */
TEST(cavities_are_taken_off_the_region_around_them)
{
    static const double volumes[] = {384, 16, 11.625};
    stl_image a = make_box((double[]){-2, -3, -4}, (double[]){15, 15, 15}, 1), b = make_l_prism(8);
    b = image_joined(b, make_hollow_box((double[]){5, 5, 1}, (double[]){7, 7, 7}, 0.25));
    b = image_joined(b, make_box((double[]){10, 0, 0}, (double[]){12, 2, 4}, 1));
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK_INT(r->overlap.region_count, 3);
    for (size_t i = 0; i < 3 && i < r->overlap.region_count; i++) {
        CHECK(fabs(r->overlap.regions[i].volume - volumes[i]) < 1e-9, "region %zu: volume %.17g", i,
              r->overlap.regions[i].volume);
    }
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* A shell inside another that points outwards too is no cavity. */
TEST(nested_outward_shells_stay_solid)
{
    stl_image a = image_joined(cube(0, 4), cube(1, 3)), b = cube(1.5, 2.5);
    stlclash_options o = exact();
    stlclash_result *r = ask_images(&a, &b, &o);
    CHECK(r->status == STLCLASH_CLASH && r->overlap.contained == STLCLASH_B, "status %s",
          stlclash_status_text(r->status));
    CHECK(fabs(r->overlap.volume - 2) < 1e-14 && ask_has_note(r, "counted_with_multiplicity"),
          "volume %g", r->overlap.volume);
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* Closed, but without thickness: it is a clash, and the report says why nothing is measured. */
TEST(sheets_that_pass_through_say_so)
{
    const float p[4][3] = {{0.5f, -1, -1}, {0.5f, 2, -1}, {0.5f, 2, 2}, {0.5f, -1, 2}};
    static const int corners[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}};
    float sheet[4][9];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 9; k++) {
            sheet[i][k] = p[corners[i][k / 3]][k % 3];
        }
    }
    stl_image a = make_facets(sheet[0], 4);
    stl_image b = make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1);
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK(r->status == STLCLASH_CLASH && !r->has_overlap, "%s", stlclash_status_text(r->status));
    CHECK(ask_has_note(r, "overlap_without_volume"), "no note");
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}
