#include "solid_truth.h"
#include "ask.h"
#include "test.h"

#include <math.h>
#include <string.h>

truth clash(double volume, stlclash_side contained)
{
    return (truth){.status = STLCLASH_CLASH, .contained = contained, .volume = volume};
}

truth contact(double area)
{
    return (truth){.status = STLCLASH_CONTACT, .area = area};
}

truth clear(void)
{
    return (truth){.status = STLCLASH_CLEAR, .area = -1};
}

truth truth_exchanged(const truth *from)
{
    truth to = *from;
    to.contained = from->contained == STLCLASH_A   ? STLCLASH_B
                   : from->contained == STLCLASH_B ? STLCLASH_A
                                                   : STLCLASH_NEITHER;
    return to;
}

void apply_relation(oracle_relation relation, truth *t)
{
    t->contained = relation == ORACLE_A_INSIDE   ? STLCLASH_A
                   : relation == ORACLE_B_INSIDE ? STLCLASH_B
                                                 : STLCLASH_NEITHER;
    t->status = relation == ORACLE_APART   ? STLCLASH_CLEAR
                : relation == ORACLE_TOUCH ? STLCLASH_CONTACT
                                           : STLCLASH_CLASH;
}

/* ---- boxes ---------------------------------------------------------------------- */

truth boxes_truth(const truth_box *a, const truth_box *b)
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

stl_image image_of_box(const truth_box *b, uint32_t cells)
{
    return make_box(b->low, b->high, cells);
}

void random_boxes(bool grid, truth_box *a, truth_box *b)
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

/* ---- lattices ------------------------------------------------------------------- */

truth voxels_truth(const oracle_voxels_pair *pair, const oracle_frame *f)
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

void voxels_bounds(const oracle_voxels *a, const oracle_voxels *b, const int shift[3],
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

/* ---- checks --------------------------------------------------------------------- */

double extent_of(const stl_image *a, const stl_image *b)
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

bool same_bits(const double *a, const double *b, int count)
{
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

bool same_images(const stl_image *a, const stl_image *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

void check_volume(const stlclash_result *r, double volume, double slack, const char *what)
{
    double off = fabs(r->overlap.volume - volume);
    CHECK(off <= r->overlap.volume_error + 0x1p-53 * volume + slack,
          "%s: volume %.17g, error %g, but it is %.17g", what, r->overlap.volume,
          r->overlap.volume_error, volume);
}

void check_truth(const stlclash_result *r, const truth *t, double extent, const char *what)
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

void check_exchanged(const stlclash_result *x, const stlclash_result *y, bool identical,
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

void check_deepest(const stlclash_result *r, const stl_image *a, const stl_image *b,
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

void check_depth(const stlclash_result *r, double depth, double extent, const char *what)
{
    const stlclash_overlap *o = &r->overlap;
    CHECK(o->has_depth && o->depth <= depth + 1e-12 * extent &&
              o->depth + o->depth_error >= depth - 1e-12 * extent,
          "%s: depth %.17g + %g, but it is %.17g", what, o->depth, o->depth_error, depth);
}
