#include "ways.h"
#include "ask.h"
#include "test.h"

#include <math.h>
#include <stdio.h>

motion motion_make(int way)
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

bool motion_image(const motion *m, const stl_image *from, stl_image *to)
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

/* What was not measured, or not counted, has a note that says so. */
static void check_left_out(const stlclash_result *r, const char *what)
{
    const bool meets = r->status == STLCLASH_CLASH || r->status == STLCLASH_CONTACT;
    CHECK(!r->has_overlap && !r->has_contact_area && ask_has_note(r, "overlap_skipped") == meets,
          "%s: %s, overlap skipped", what, stlclash_status_text(r->status));
    CHECK(r->has_hit_count != ask_has_note(r, "stopped_at_proof"), "%s: hits counted", what);
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
    check_left_out(r, what);
    stlclash_result_free(r);
    o.quick = true;
    r = ask_images(a, b, &o);
    CHECK(r->status == t->status, "%s: another status when quick", what);
    check_left_out(r, what);
    stlclash_result_free(r);
}

void try_pair(stl_image a, stl_image b, const truth *t, const char *name)
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
