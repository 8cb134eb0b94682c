/* test_bounds.c - bounds, volumes and centroids of overlaps of boxes on a grid, which are flush
 * with each other nearly everywhere, against counting cells. */
#include "ask.h"
#include "oracle_solid.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID = 6, CELLS = GRID * GRID * GRID, MOST_BOXES = 5, MOST_PIECES = 10 };

/* Boxes, how often they cover each cell, and all of them as one mesh. */
typedef struct heap {
    int low[MOST_BOXES][3], high[MOST_BOXES][3], count;
    int times[CELLS];
    stl_image image;
} heap;

static int cell_at(int x, int y, int z)
{
    return (x * GRID + y) * GRID + z;
}

static bool is_free(const heap *h, const int low[3], const int high[3])
{
    bool free = true;
    for (int x = low[0]; x < high[0]; x++) {
        for (int y = low[1]; y < high[1]; y++) {
            for (int z = low[2]; z < high[2]; z++) {
                free &= h->times[cell_at(x, y, z)] == 0;
            }
        }
    }
    return free;
}

/* As one box whose faces are cut into unequal pieces, or into the faces of cells. */
static stl_image box_image(const int low[3], const int high[3], bool split, const oracle_frame *f)
{
    const double from[3] = {low[0], low[1], low[2]}, to[3] = {high[0], high[1], high[2]};
    const int none[3] = {0, 0, 0};
    oracle_voxels cells = {.n = GRID};

    if (split) {
        return oracle_split_box(from, to, 1, f);
    }
    for (int x = low[0]; x < high[0]; x++) {
        for (int y = low[1]; y < high[1]; y++) {
            for (int z = low[2]; z < high[2]; z++) {
                cells.set[x][y][z] = true;
            }
        }
    }
    return oracle_voxels_mesh(&cells, none, f);
}

static void add_box(heap *h, const int low[3], const int high[3], bool split, const oracle_frame *f)
{
    h->image = image_joined(h->image, box_image(low, high, split, f));
    memcpy(h->low[h->count], low, sizeof h->low[0]);
    memcpy(h->high[h->count++], high, sizeof h->high[0]);
    for (int x = low[0]; x < high[0]; x++) {
        for (int y = low[1]; y < high[1]; y++) {
            for (int z = low[2]; z < high[2]; z++) {
                h->times[cell_at(x, y, z)]++;
            }
        }
    }
}

/* Boxes anywhere; if they are `simple`, none in another one. */
static heap some_boxes(bool simple, bool split, const oracle_frame *f)
{
    heap h = {.image = make_facets(NULL, 0)};
    for (int left = 1 + test_below(MOST_BOXES); left > 0 || h.count == 0; left--) {
        int low[3], high[3];
        for (int k = 0; k < 3; k++) {
            low[k] = test_below(GRID - 1);
            high[k] = low[k] + 1 + test_below(GRID - low[k]);
            high[k] = high[k] > GRID ? GRID : high[k];
        }
        if (!simple || is_free(&h, low, high)) {
            add_box(&h, low, high, split, f);
        }
    }
    return h;
}

/* ---- the truth --------------------------------------------------------------- */

typedef struct piece {
    double volume, bounds[2][3];
} piece;

static void begin_piece(piece *p)
{
    *p = (piece){.volume = 0};
    for (int k = 0; k < 3; k++) {
        p->bounds[0][k] = INFINITY;
        p->bounds[1][k] = -INFINITY;
    }
}

static void add_bounds(piece *p, const double corner[3])
{
    for (int k = 0; k < 3; k++) {
        p->bounds[0][k] = fmin(p->bounds[0][k], corner[k]);
        p->bounds[1][k] = fmax(p->bounds[1][k], corner[k]);
    }
}

static void add_cell(piece *p, int cell, double volume, const oracle_frame *f)
{
    p->volume += volume;
    for (int corner = 0; corner < 8; corner++) {
        const double at[3] = {cell / GRID / GRID + (corner & 1),
                              cell / GRID % GRID + (corner >> 1 & 1), cell % GRID + (corner >> 2)};
        double place[3];
        oracle_frame_place(f, at, place);
        add_bounds(p, place);
    }
}

typedef struct truth {
    double centroid[3];
    piece all, of[MOST_BOXES * MOST_BOXES]; /* what two boxes have in common */
    int pieces;
} truth;

/* What two boxes have in common, if that is anything. */
static void add_piece(truth *t, const heap *a, int i, const heap *b, int k, const oracle_frame *f)
{
    piece *p = &t->of[t->pieces];
    begin_piece(p);
    for (int c = 0; c < CELLS; c++) {
        const int at[3] = {c / GRID / GRID, c / GRID % GRID, c % GRID};
        bool in = true;
        for (int axis = 0; axis < 3; axis++) {
            in &= at[axis] >= a->low[i][axis] && at[axis] < a->high[i][axis];
            in &= at[axis] >= b->low[k][axis] && at[axis] < b->high[k][axis];
        }
        if (in) {
            add_cell(p, c, oracle_frame_volume(f), f);
        }
    }
    t->pieces += p->volume > 0;
}

static void find_truth(const heap *a, const heap *b, const oracle_frame *f, truth *t)
{
    double middle[3] = {0, 0, 0}, sum = 0;

    t->pieces = 0;
    begin_piece(&t->all);
    for (int i = 0; i < CELLS; i++) {
        const int common = a->times[i] * b->times[i];
        if (common > 0) {
            add_cell(&t->all, i, common * oracle_frame_volume(f), f);
        }
        sum += common;
        middle[0] += common * (i / GRID / GRID + 0.5);
        middle[1] += common * (i / GRID % GRID + 0.5);
        middle[2] += common * (i % GRID + 0.5);
    }
    for (int k = 0; k < 3; k++) {
        middle[k] /= sum;
    }
    oracle_frame_place(f, middle, t->centroid);
    for (int i = 0; i < a->count * b->count; i++) {
        add_piece(t, a, i / b->count, b, i % b->count, f);
    }
}

/* ---- comparing --------------------------------------------------------------- */

static bool same_bounds(const double got[2][3], const piece *wanted)
{
    bool same = true;
    for (int k = 0; k < 3; k++) {
        same &= fabs(got[0][k] - wanted->bounds[0][k]) < 1e-10 &&
                fabs(got[1][k] - wanted->bounds[1][k]) < 1e-10;
    }
    return same;
}

/* Whether a region is some of the pieces: those that meet in edges, or are joined by flush faces,
 * may count as one. */
static bool is_of_pieces(const stlclash_region *region, const truth *t)
{
    for (unsigned set = 1; set < 1u << t->pieces; set++) {
        piece sum;
        begin_piece(&sum);
        for (int i = 0; i < t->pieces; i++) {
            if (set >> i & 1) {
                sum.volume += t->of[i].volume;
                add_bounds(&sum, t->of[i].bounds[0]);
                add_bounds(&sum, t->of[i].bounds[1]);
            }
        }
        if (fabs(sum.volume - region->volume) < 1e-9 && same_bounds(region->bounds, &sum)) {
            return true;
        }
    }
    return false;
}

/* `whole`: no part covers a place twice, and no T-junctions take regions apart. */
static void check_boxes(const stlclash_result *r, const truth *t, bool whole, const char *what)
{
    const stlclash_overlap *o = &r->overlap;

    CHECK(r->has_overlap == (t->all.volume > 0), "%s: %s", what, stlclash_status_text(r->status));
    if (!r->has_overlap) {
        return;
    }
    CHECK(fabs(o->volume - t->all.volume) < 1e-9, "%s: volume %.17g, but it is %.17g", what,
          o->volume, t->all.volume);
    CHECK(same_bounds(o->bounds, &t->all), "%s: bounds to %g %g %g, but it is %g %g %g", what,
          o->bounds[1][0], o->bounds[1][1], o->bounds[1][2], t->all.bounds[1][0],
          t->all.bounds[1][1], t->all.bounds[1][2]);
    for (int k = 0; k < 3; k++) {
        CHECK(fabs(o->centroid[k] - t->centroid[k]) < 1e-9, "%s: centroid[%d]", what, k);
    }
    CHECK(!whole || (o->region_count > 0 && (int)o->region_count <= t->pieces),
          "%s: %d regions of %d pieces", what, (int)o->region_count, t->pieces);
    for (size_t i = 0; i < o->region_count && whole && t->pieces <= MOST_PIECES; i++) {
        CHECK(is_of_pieces(&o->regions[i], t), "%s: region %d is none of the pieces", what, (int)i);
    }
}

static int try_boxes(bool simple, int rounds)
{
    static truth t;
    int clashes = 0;
    stlclash_options o = ask_usual();
    char what[40];

    o.depth_error = 1; /* depth is judged elsewhere */
    for (int i = 0; i < rounds; i++) {
        oracle_frame f = i % 2 ? oracle_frame_random() : oracle_frame_plain();
        const bool split = i % 8 < 4;
        heap a = some_boxes(simple, split, &f), b = some_boxes(simple, split, &f);
        find_truth(&a, &b, &f, &t);
        clashes += t.all.volume > 0;
        o.exact = i % 4 < 2;
        stlclash_result *r = ask_images(&a.image, &b.image, &o);
        snprintf(what, sizeof what, "%s, pair %d", simple ? "simple" : "heaps", i);
        check_boxes(r, &t, simple && !split, what);
        stlclash_result_free(r);
        image_free(&a.image);
        image_free(&b.image);
    }
    return clashes;
}

TEST(bounds_are_those_of_what_has_volume)
{
    int clashes = try_boxes(true, test_rounds(600));
    CHECK(TEST_DIVISOR > 1 || clashes > 200, "%d clashes", clashes);
}

TEST(bounds_of_parts_that_overlap_themselves)
{
    int clashes = try_boxes(false, test_rounds(600));
    CHECK(TEST_DIVISOR > 1 || clashes > 200, "%d clashes", clashes);
}

/* A facet there and back inside the other part is closed and has no volume: where all that meets
 * crosses properly, too, it is none of the overlap. */
TEST(bounds_leave_out_what_has_no_volume)
{
    const float sheet[18] = {2.75f, 0.5f, 0.5f, 3, 0.5f, 0.5f, 3, 1.5f, 1,
                             2.75f, 0.5f, 0.5f, 3, 1.5f, 1,    3, 0.5f, 0.5f};
    const double low[3] = {1.125, 0.375, 0.4375}, high[3] = {2, 1.625, 1.75};
    stl_image a =
        image_joined(make_box((double[]){0, 0, 0}, (double[]){2, 2, 2}, 1), make_facets(sheet, 2));
    stl_image b = make_box(low, (double[]){3.25, high[1], high[2]}, 1);
    stlclash_result *r = ask_images(&a, &b, NULL);
    CHECK(r->status == STLCLASH_CLASH && r->overlap.region_count == 1, "%s, %zu regions",
          stlclash_status_text(r->status), r->overlap.region_count);
    for (int k = 0; k < 3; k++) {
        CHECK(r->overlap.bounds[0][k] == low[k] && r->overlap.bounds[1][k] == high[k],
              "bounds %g .. %g along %d", r->overlap.bounds[0][k], r->overlap.bounds[1][k], k);
    }
    stlclash_result_free(r);
    image_free(&a);
    image_free(&b);
}

/* A box and a sheet beside it, of so many facets each that most are known to lie inside by many at
 * a time. */
TEST(bounds_leave_out_sheets_that_lie_inside)
{
    enum { PARTS = 24 };
    stl_image hall = make_box((double[]){-9, -9, -9}, (double[]){9, 9, 9}, 1);
    stlclash_options o = exact();
    o.no_depth = true;
    for (int axis = 0; axis < 3; axis++) {
        double low[3] = {1, 1, 1}, high[3] = {4, 4, 4};
        stl_image part = make_box(low, high, PARTS);
        low[axis] = high[axis] = 6;
        part = image_joined(part, make_box(low, high, PARTS));
        stlclash_result *r = ask_images(&hall, &part, &o);
        const stlclash_overlap *v = &r->overlap;
        for (int k = 0; k < 3; k++) {
            CHECK(v->bounds[0][k] == 1 && v->bounds[1][k] == 4, "axis %d: from %g to %g along %d",
                  axis, v->bounds[0][k], v->bounds[1][k], k);
        }
        stlclash_result_free(r);
        image_free(&part);
    }
    image_free(&hall);
}

/* A beam into which a block comes from above, and a sheet of the same part, back to back, farther
 * down; nothing of either is flush with the beam. */
TEST(bounds_leave_out_sheets_that_pass_through)
{
    static const float corner[4][3] = {{2, 1, 0}, {2, 5, 0}, {2, 5, 3}, {2, 1, 3}};
    static const int split[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 2, 3, 1, 3, 0}};
    stl_image beam = make_box((double[]){0, 2, 1}, (double[]){5, 3, 4}, 1);
    stlclash_options o = exact();
    o.no_depth = true;
    for (int i = 0; i < 64; i++) {
        float facets[4][9];
        for (int k = 0; k < 36; k++) {
            const int facet = k / 9, at = k / 3 % 3;
            const int *of = split[(facet < 2 ? i : i >> 1) & 1] + 3 * (facet % 2);
            facets[facet][k % 9] = corner[of[facet < 2 ? at : 2 - at]][k % 3];
        }
        stl_image part = make_box((double[]){1, 1.5, 2}, (double[]){4, 4.5, 5}, 1);
        part = image_joined(part, make_facets(facets[0], 4));
        if (i % 8 < 4) {
            image_move(&part, 0, 0.25, 0);
        }
        image_shuffle(&part);
        image_rotate_corners(&part);
        stlclash_result *r = ask_images(&beam, &part, &o);
        const stlclash_overlap *v = &r->overlap;
        CHECK(v->bounds[0][2] == 2 && v->bounds[1][2] == 4 && v->region_count == 1 &&
                  v->regions[0].bounds[0][2] == 2,
              "round %d: from %g to %g, the first of %d regions from %g", i, v->bounds[0][2],
              v->bounds[1][2], (int)v->region_count, v->regions[0].bounds[0][2]);
        stlclash_result_free(r);
        image_free(&part);
    }
    image_free(&beam);
}
