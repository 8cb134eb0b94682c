/* The builds for the instruction sets, against each other bit by bit and against the plain
 * meaning: boxes and limits of every kind, absent ones and numbers that are none included. */
#include "geom/tri_distance.h"
#include "geom/tri_intersect.h"
#include "octets.h"
#include "test.h"

#include <math.h>
#include <string.h>

typedef struct octet_case {
    sc_octet a, b;
    sc_slab slab, other_slab;
    float centre[4];                    /* of the slab */
    sc_octet_facets facets_a, facets_b; /* their vertices */
    sc_side_by_side corners[2];         /* of both */
    uint64_t set;
    float limit;
} octet_case;

static float some_float(void)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, -0x1p-126f, 0x1p60f};
    int kind = test_below(16);
    return kind < 7 ? special[kind] : (float)test_uniform(-1.0, 1.0);
}

static sc_octet some_octet(void)
{
    sc_octet octet;
    for (int i = 0; i < 8; i++) {
        bool absent = test_below(4) == 0;
        for (int k = 0; k < 3; k++) {
            float x = some_float(), y = test_below(2) ? x : some_float();
            octet.low[k][i] = absent ? INFINITY : x < y ? x : y;
            octet.high[k][i] = absent ? -INFINITY : x < y ? y : x;
        }
    }
    return octet;
}

static void some_facets(sc_octet_facets *facets)
{
    for (int n = 0; n < 72; n++) {
        facets->corners.v[n / 24][n / 8 % 3][n % 8] =
            test_below(64) ? (float)test_uniform(-1.0, 1.0) : some_float();
    }
}

static sc_slab some_slab(void)
{
    sc_slab slab = {.low = some_float(), .radius = fabsf(some_float())};
    slab.high = slab.low + fabsf(some_float());
    for (int k = 0; k < 3; k++) {
        slab.normal[k] = some_float();
    }
    return slab;
}

static octet_case some_case(void)
{
    octet_case c = {.a = some_octet(), .b = some_octet(), .set = 0};
    some_facets(&c.facets_a);
    some_facets(&c.facets_b);
    c.corners[0] = c.facets_a.corners;
    c.corners[1] = c.facets_b.corners;
    c.slab = some_slab();
    c.other_slab = some_slab();
    for (int k = 0; k < 3; k++) {
        c.centre[k] = some_float();
    }
    c.limit = fabsf(some_float());
    for (int i = 0; i < 64; i++) {
        c.set |= (uint64_t)(test_below(3) > 0) << i;
    }
    return c;
}

static sc_fbox box_of(const sc_octet *octet, int i)
{
    return (sc_fbox){{octet->low[0][i], octet->low[1][i], octet->low[2][i], 0.0f},
                     {octet->high[0][i], octet->high[1][i], octet->high[2][i], 0.0f}};
}

/* All that a build answers to a case. */
typedef struct answers {
    unsigned boxes, slab, meeting, beyond;
    float sq_boxes[8], sq_slab[8], normals[4], low, high;
    sc_near_pairs near;
    uint64_t slabs, planes;
    sc_octet_facets facets;
    sc_octet facet_boxes;
    sc_near_pairs lone;
    unsigned facing, ball;
} answers;

static answers answers_of(const sc_octets_isa *isa, const octet_case *c)
{
    answers x;
    sc_octet_facets facets_b;
    memset(&x, 0, sizeof x);
    sc_fbox box = box_of(&c->a, 0);
    x.boxes = isa->near_boxes(&box, &c->b, c->limit, x.sq_boxes);
    memcpy(x.sq_slab, x.sq_boxes, sizeof x.sq_slab);
    x.slab = isa->near_slab(&c->slab, &c->b, c->limit, x.boxes, x.sq_slab);
    isa->near_pairs(&c->a, &c->b, c->set, c->limit, &x.near);
    x.meeting = isa->meeting(&c->b, box.low, box.high);
    x.beyond = isa->beyond(&c->b, c->slab.normal, c->slab.low);
    memcpy(&x.facets, &c->facets_a, sizeof x.facets);
    isa->planes(&x.facets);
    isa->boxes(&c->facets_a.corners, c->set & 1 ? 0.0f : 0x1p-23f, &x.facet_boxes);
    memcpy(&facets_b, &c->facets_b, sizeof facets_b);
    isa->planes(&facets_b);
    isa->normals(&c->facets_a.corners, x.normals);
    isa->extent(c->corners, 2, c->slab.normal, &x.low, &x.high);
    x.slabs = isa->near_slabs(&c->corners[0], &c->slab, &c->corners[1], &c->other_slab, c->limit);
    x.planes = isa->near_planes(&x.facets, &facets_b, c->set, 0x1p-18f, c->limit);
    isa->near_facets(&x.facets, &c->a, c->set & 0xff, &c->b, 0x1p-18f, c->limit, &x.lone);
    x.ball =
        isa->near_ball(&x.facets, c->set & 0xff, c->centre, c->slab.radius, 0x1p-18f, c->limit);
    x.facing = isa->facing(&x.facets, c->set & 0xff, &c->slab, c->centre, 0x1p-18f, c->limit);
    return x;
}

TEST(instruction_sets_agree_bit_by_bit)
{
    for (int round = test_rounds(100000); round > 0; round--) {
        octet_case c = some_case();
        answers plain = answers_of(sc_octets_build(0), &c);
        for (int i = 1; sc_octets_build(i); i++) {
            answers other = answers_of(sc_octets_build(i), &c);
            CHECK(memcmp(&plain, &other, sizeof plain) == 0, "%s and %s differ",
                  sc_octets_build(0)->name, sc_octets_build(i)->name);
        }
    }
}

/* Some of few values, so that many are equal, and all of one in some cases. */
static void some_items(sc_divided *items, uint32_t count)
{
    const int kinds = test_below(3) ? 1 + test_below(40) : INT16_MAX;
    int most[3];
    for (int k = 0; k < 3; k++) {
        most[k] = test_below(kinds) + 1;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            items[i].at[k] = (int16_t)test_below(most[k]);
        }
        items[i].index = (uint16_t)test_below(65536);
    }
}

static int longest_side_of(const sc_divided *items, uint32_t count)
{
    int longest = 0, most = -1;
    for (int k = 0; k < 3; k++) {
        int low = INT16_MAX, high = 0;
        for (uint32_t i = 0; i < count; i++) {
            low = items[i].at[k] < low ? items[i].at[k] : low;
            high = items[i].at[k] > high ? items[i].at[k] : high;
        }
        longest = high - low > most ? k : longest;
        most = high - low > most ? high - low : most;
    }
    return longest;
}

/* One by one: in the lower half are those with fewer than `rank` before them. */
static void halve_plainly(const sc_divided *items, uint32_t count, uint32_t rank, sc_divided *out)
{
    const int axis = longest_side_of(items, count);
    uint32_t first = 0, second = rank;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t before = 0;
        for (uint32_t j = 0; j < count; j++) {
            int step = items[j].at[axis] - items[i].at[axis];
            before += step < 0 || (step == 0 && j < i);
        }
        out[before < rank ? first++ : second++] = items[i];
    }
}

TEST(halves_are_the_least_and_the_others_in_order)
{
    sc_divided items[SC_DIVIDE_MAX + SC_DIVIDED_ROOM], plain[SC_DIVIDE_MAX + SC_DIVIDED_ROOM];
    for (int round = test_rounds(5000); round > 0; round--) {
        const uint32_t count = 2 + (uint32_t)test_below(test_below(4) ? 80 : SC_DIVIDE_MAX - 1);
        const uint32_t rank = 1 + (uint32_t)test_below((int)count - 1);
        some_items(items, count + SC_DIVIDED_ROOM);
        memcpy(plain, items, sizeof plain);
        halve_plainly(items, count, rank, plain);
        for (int i = 0; sc_octets_build(i); i++) {
            sc_divided halves[SC_DIVIDE_MAX + SC_DIVIDED_ROOM];
            memcpy(halves, items, sizeof halves);
            sc_octets_build(i)->halve(halves, count, rank);
            uint32_t same = rank + 3 < count ? count + SC_DIVIDED_ROOM : count;
            CHECK(memcmp(halves, plain, same * sizeof plain[0]) == 0, "%s: %u of %u",
                  sc_octets_build(i)->name, rank, count);
        }
    }
}

TEST(planes_serve_either_way_round)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    for (int round = test_rounds(20000); round > 0; round--) {
        octet_case c = some_case();
        uint64_t turned = 0;
        isa->planes(&c.facets_a);
        isa->planes(&c.facets_b);
        for (int n = 0; n < 64; n++) {
            turned |= (c.set >> n & 1) << (n % 8 * 8 + n / 8);
        }
        uint64_t set = isa->near_planes(&c.facets_a, &c.facets_b, c.set, 0x1p-18f, c.limit);
        turned = isa->near_planes(&c.facets_b, &c.facets_a, turned, 0x1p-18f, c.limit);
        CHECK((set & ~c.set) == 0, "a pair that was not in the set");
        for (int n = 0; n < 64; n++) {
            CHECK((set >> n & 1) == (turned >> (n % 8 * 8 + n / 8) & 1), "pair %d", n);
        }
    }
}

/* Distances in double, whose rounding is far below that of floats. */
static double distance_sq(const sc_octet *a, int i, const sc_octet *b, int j)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        double below = (double)b->low[k][j] - (double)a->high[k][i];
        double above = (double)a->low[k][i] - (double)b->high[k][j];
        double gap = fmax(fmax(below, above), 0.0);
        sum += gap * gap;
    }
    return sum;
}

TEST(near_pairs_are_those_within_the_limit)
{
    for (int round = test_rounds(20000); round > 0; round--) {
        octet_case c = some_case();
        answers x = answers_of(sc_octets_build(0), &c);
        for (int n = 0; n < 64; n++) {
            int i = n / 8, j = n % 8;
            double sq = distance_sq(&c.a, i, &c.b, j), found = (double)x.near.distance_sq[i][j];
            double margin = 0x1p-20 * sq + 0x1p-120, limit = (double)c.limit;
            bool near = x.near.set >> n & 1, asked = c.set >> n & 1;
            CHECK(asked || !near, "a pair that was not in the set");
            CHECK(near ? sq <= limit + margin : !asked || sq >= limit - margin, "%g within %g", sq,
                  limit);
            CHECK(!near || fabs(found - sq) <= margin, "%g instead of %g", found, sq);
        }
    }
}

TEST(extent_is_from_the_lowest_vertex_to_the_highest)
{
    for (int round = test_rounds(5000); round > 0; round--) {
        octet_case c = some_case();
        answers x = answers_of(sc_octets_build(0), &c);
        double low = INFINITY, high = -INFINITY, size = 0.0;
        for (int n = 0; n < 48; n++) {
            double at = 0.0;
            for (int k = 0; k < 3; k++) {
                double part =
                    (double)c.slab.normal[k] * (double)c.corners[n / 24].v[n / 8 % 3][k][n % 8];
                at += part;
                size = fmax(size, fabs(part));
            }
            low = fmin(low, at);
            high = fmax(high, at);
        }
        double margin = size * 0x1p-21 + 0x1p-120;
        CHECK(fabs(low - (double)x.low) <= margin && fabs(high - (double)x.high) <= margin,
              "%g to %g instead of %g to %g", (double)x.low, (double)x.high, low, high);
    }
}

/* For facets of size 1 about the origin. */
TEST(normals_add_up)
{
    for (int round = test_rounds(5000); round > 0; round--) {
        sc_side_by_side f;
        double sum[4] = {0.0, 0.0, 0.0, 0.0};
        float found[4];
        for (int i = 0; i < 8; i++) {
            double edge[3][3], most = 0.0;
            for (int n = 0; n < 9; n++) {
                f.v[n / 3][n % 3][i] = (float)test_uniform(-1.0, 1.0);
            }
            for (int e = 0; e < 3; e++) {
                double sq = 0.0;
                for (int k = 0; k < 3; k++) {
                    edge[e][k] = (double)f.v[(e + 1) % 3][k][i] - (double)f.v[e][k][i];
                    sq += edge[e][k] * edge[e][k];
                }
                most = fmax(most, sq);
            }
            for (int k = 0; k < 3; k++) {
                int m = (k + 1) % 3, o = (k + 2) % 3;
                sum[k] += edge[0][m] * edge[1][o] - edge[0][o] * edge[1][m];
            }
            sum[3] += most;
        }
        sc_octets_build(0)->normals(&f, found);
        for (int k = 0; k < 4; k++) {
            CHECK(fabs(sum[k] - (double)found[k]) <= 0x1p-17, "%g, not %g", (double)found[k],
                  sum[k]);
        }
    }
}

TEST(meeting_is_sharing_a_point)
{
    for (int round = test_rounds(5000); round > 0; round--) {
        octet_case c = some_case();
        unsigned mask = answers_of(sc_octets_build(0), &c).meeting;
        for (int j = 0; j < 8; j++) {
            bool meets = true;
            for (int k = 0; k < 3; k++) {
                meets = meets && c.b.low[k][j] <= c.a.high[k][0] && c.b.high[k][j] >= c.a.low[k][0];
            }
            CHECK((mask >> j & 1) == meets, "box %d", j);
        }
    }
}

TEST(beyond_is_beyond_with_every_corner)
{
    int beyond = 0;
    for (int round = test_rounds(5000); round > 0; round--) {
        octet_case c = some_case();
        unsigned mask = answers_of(sc_octets_build(0), &c).beyond;
        for (int j = 0; j < 8; j++) {
            double least = INFINITY, most = 0.0;
            for (int corner = 0; corner < 8; corner++) {
                double at = 0.0;
                for (int k = 0; k < 3; k++) {
                    float side = corner >> k & 1 ? c.b.high[k][j] : c.b.low[k][j];
                    double product = (double)c.slab.normal[k] * (double)side;
                    most = fmax(most, fabs(product));
                    at += product;
                }
                least = fmin(least, at);
            }
            bool present = c.b.low[0][j] <= c.b.high[0][j];
            double by = least - (double)c.slab.low;
            CHECK(!present || fabs(by) <= 0x1p-22 * most + 0x1p-120 ||
                      (mask >> j & 1) == (by > 0.0),
                  "box %d: by %g", j, by);
            beyond += present && by > 0.0;
        }
    }
    CHECK(beyond > 0, "none is");
}

/* ---- planes ---------------------------------------------------------------- */

/* A facet of some kind: any, a needle, one without area, a small one, a tiny one near 0. */
static void some_facet(sc_vec3 v[3])
{
    double size = test_below(2) ? 1.0 : pow(2.0, test_uniform(-60.0, 0.0));
    double off = test_below(2) ? 1.0 : size;
    int kind = test_below(4);
    for (int i = 0; i < 3; i++) {
        v[i] = (sc_vec3){test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0), test_uniform(-1.0, 1.0)};
        v[i] =
            i == 0 ? sc_scale(v[i], off) : sc_add(v[0], sc_scale(sc_sub(v[i], v[0]), 0.4 * size));
    }
    if (kind <= 1) { /* on a line, or nearly */
        sc_vec3 along = sc_scale(sc_sub(v[1], v[0]), test_uniform(-1.0, 1.0));
        v[2] = sc_add(v[0], sc_add(along, sc_scale(sc_sub(v[2], v[0]), kind == 0 ? 0.0 : 1e-5)));
    }
}

/* The same beside it: across its plane by `off`, and in it by up to its size. */
static void beside(const sc_vec3 v[3], double off, sc_vec3 w[3])
{
    sc_triangle t = sc_triangle_make(v);
    sc_vec3 shift = sc_add(sc_scale(t.normal, off), sc_scale(t.edge[0], test_uniform(-0.2, 0.2)));
    for (int i = 0; i < 3; i++) {
        w[i] = sc_add(v[i], shift);
    }
}

/* To the floats of a frame, each as far off as they may be. */
static void put_facet(sc_octet_facets *facets, int at, const sc_vec3 v[3])
{
    for (int i = 0; i < 3; i++) {
        const double xyz[3] = {v[i].x, v[i].y, v[i].z};
        for (int k = 0; k < 3; k++) {
            double rounded = xyz[k] + (test_below(2) ? test_uniform(-0x1p-25, 0x1p-25) : 0.0);
            facets->corners.v[i][k][at] = (float)fmax(fmin(rounded, 1.0), -1.0);
        }
    }
}

/* For a pair of facets: from as far as the first ones of the octets, where their coordinates
 * are taken from. */
static float margin_of(const sc_octet_facets *a, const sc_octet_facets *b, int chosen)
{
    const sc_octet_facets *both[2] = {a, b};
    float reach = 0.0f;
    for (int k = 0; k < 3; k++) {
        float low = INFINITY, high = -INFINITY;
        for (int n = 0; n < 12; n++) {
            float x = both[n % 2]->corners.v[n / 4][k][n / 2 % 2 ? chosen : 0];
            low = fminf(low, x);
            high = fmaxf(high, x);
        }
        reach += high - low;
    }
    return reach * 0x1p-19f + 0x1p-22f;
}

TEST(planes_drop_nothing_within_the_limit)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    for (int round = test_rounds(20000); round > 0; round--) {
        sc_vec3 va[8][3], vb[8][3];
        sc_octet_facets a, b;
        for (int i = 0; i < 8; i++) {
            some_facet(va[i]);
            some_facet(vb[i]);
            if (test_below(2)) {
                beside(va[i], test_below(2) ? 0.0 : pow(2.0, test_uniform(-22.0, -2.0)), vb[i]);
            }
        }
        bool small = test_below(2); /* all of them in one place, off the origin */
        double size = small ? pow(2.0, test_uniform(-20.0, -3.0)) : 0.4; /* all in the frame */
        sc_vec3 home = {0.0, 0.0, 0.0}, corner = {0.7, -0.6, 0.65};
        for (int i = 0; i < 8; i++) {
            for (int v = 0; v < 3; v++) {
                va[i][v] = sc_mul_add(small ? corner : home, size, va[i][v]);
                vb[i][v] = sc_mul_add(small ? corner : home, size, vb[i][v]);
            }
            put_facet(&a, i, va[i]);
            put_facet(&b, i, vb[i]);
        }
        /* The limit is just what one of the pairs needs. */
        int chosen = test_below(8);
        sc_triangle ta = sc_triangle_make(va[chosen]), tb = sc_triangle_make(vb[chosen]);
        bool meet = sc_tri_meet(ta.v, tb.v) != SC_APART;
        double sq = meet ? 0.0 : sc_tri_closest(&ta, &tb).distance_sq;
        isa->planes(&a);
        isa->planes(&b);
        uint64_t set = isa->near_planes(&a, &b, (uint64_t)1 << 9 * chosen,
                                        margin_of(&a, &b, chosen), (float)(sq * (1.0 + 0x1p-18)));
        CHECK(set >> 9 * chosen & 1, "a pair %g apart is dropped", sqrt(sq));
    }
}

TEST(planes_keep_facets_apart)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    for (int round = test_rounds(2000); round > 0; round--) {
        sc_octet_facets a, b;
        double off = pow(2.0, test_uniform(-16.0, -3.0));
        for (int i = 0; i < 8; i++) {
            sc_vec3 v[3] = {{test_uniform(0.0, 0.5), 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.1, 0.2, 0.6}};
            sc_vec3 w[3];
            beside(v, test_below(2) ? off : -off, w);
            put_facet(&a, i, v);
            put_facet(&b, i, w);
        }
        isa->planes(&a);
        isa->planes(&b);
        float limit = (float)((off - 0x1p-18) * (off - 0x1p-18)), margin = 1.5f * 0x1p-19f;
        uint64_t set = isa->near_planes(&a, &b, UINT64_MAX, margin, limit);
        for (int i = 0; i < 8; i++) {
            CHECK((set >> 9 * i & 1) == 0, "facets %g apart, number %d", off, i);
        }
    }
}

/* ---- lone facets ------------------------------------------------------------- */

static sc_fbox box_around(const sc_vec3 v[3])
{
    sc_fbox box = sc_fbox_empty();
    for (int n = 0; n < 9; n++) {
        double x = sc_component(v[n / 3], n % 3);
        box.low[n % 3] = fminf(box.low[n % 3], nextafterf((float)x, -INFINITY));
        box.high[n % 3] = fmaxf(box.high[n % 3], nextafterf((float)x, INFINITY));
    }
    return box;
}

static void put_box(sc_octet *octet, int at, const sc_fbox *box)
{
    for (int k = 0; k < 3; k++) {
        octet->low[k][at] = box->low[k];
        octet->high[k][at] = box->high[k];
    }
}

/* Eight facets and boxes about eight others, and about all of either. */
typedef struct lone_case {
    sc_vec3 a[8][3], b[8][3];
    sc_octet_facets facets;
    sc_octet own, boxes;
    sc_fbox all_a, all_b;
    sc_slab slab; /* of the others */
    float centre[4];
} lone_case;

/* The others are up to `size` large. */
static void make_lone_case(lone_case *c, double size)
{
    sc_octet_facets others;
    c->all_a = c->all_b = sc_fbox_empty();
    for (int i = 0; i < 8; i++) {
        sc_vec3 at = {test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5)};
        some_facet(c->a[i]);
        some_facet(c->b[i]);
        for (int v = 0; v < 3; v++) { /* all within the frame */
            c->a[i][v] = sc_scale(c->a[i][v], 0.5);
            c->b[i][v] = sc_mul_add(at, 0.25 * size, c->b[i][v]);
        }
        if (test_below(2)) {
            beside(c->a[i], test_below(2) ? 0.0 : pow(2.0, test_uniform(-22.0, -2.0)), c->b[i]);
        }
        put_facet(&c->facets, i, c->a[i]);
        put_facet(&others, i, c->b[i]);
        sc_fbox box_a = box_around((const sc_vec3 *)c->a[i]);
        sc_fbox box_b = box_around((const sc_vec3 *)c->b[i]);
        sc_fbox_add(&c->all_a, &box_a);
        sc_fbox_add(&c->all_b, &box_b);
        put_box(&c->own, i, &box_a);
        put_box(&c->boxes, i, &box_b);
    }
    sc_octets_build(0)->planes(&c->facets);
    sc_tube unused;
    (void)sc_slab_make(&others.corners, 1, &c->all_b, &c->slab, &unused);
    sc_fbox_centre(&c->all_b, c->centre);
}

static float margin_of_lone(const lone_case *c)
{
    float reach = 0.0f;
    for (int k = 0; k < 3; k++) {
        reach += fmaxf(c->all_a.high[k] - c->all_b.low[k], c->all_b.high[k] - c->all_a.low[k]);
    }
    return reach * 0x1p-19f + 0x1p-22f;
}

static double distance_sq_of(const sc_vec3 a[3], const sc_vec3 b[3])
{
    sc_triangle ta = sc_triangle_make(a), tb = sc_triangle_make(b);
    return sc_tri_meet(ta.v, tb.v) != SC_APART ? 0.0 : sc_tri_closest(&ta, &tb).distance_sq;
}

static void ball_around(const sc_vec3 v[3], float centre[3], float *radius)
{
    sc_triangle t = sc_triangle_make(v);
    double most = 0.0;
    for (int k = 0; k < 3; k++) {
        centre[k] = (float)sc_component(t.centre, k);
    }
    sc_vec3 c = {(double)centre[0], (double)centre[1], (double)centre[2]};
    for (int n = 0; n < 3; n++) {
        most = fmax(most, sc_length(sc_sub(v[n], c)));
    }
    *radius = nextafterf((float)most, INFINITY);
}

TEST(lone_facets_drop_nothing_within_the_limit)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    int dropped = 0, passed = 0, turned_away = 0;
    for (int round = test_rounds(20000); round > 0; round--) {
        lone_case c;
        make_lone_case(&c, test_below(2) ? 1.0 : pow(2.0, test_uniform(-10.0, 0.0)));
        int i = test_below(8), j = test_below(8);
        const sc_vec3 *a = (const sc_vec3 *)c.a[i];
        double sq = distance_sq_of(a, (const sc_vec3 *)c.b[j]);
        float limit = (float)(sq * (1.0 + 0x1p-18));
        sc_near_pairs near;
        isa->near_facets(&c.facets, &c.own, 1u << i, &c.boxes, margin_of_lone(&c), limit, &near);
        CHECK(near.set >> (8 * i + j) & 1, "a pair %g apart is dropped", sqrt(sq));
        CHECK((near.set & ~((uint64_t)0xff << 8 * i)) == 0, "a facet that was not in the mask");
        CHECK((double)near.distance_sq[i][j] <= sq * (1.0 + 0x1p-18), "at least %g apart, not %g",
              sqrt((double)near.distance_sq[i][j]), sqrt(sq));
        dropped += near.set != (uint64_t)0xff << 8 * i;

        float centre[3], radius;
        ball_around((const sc_vec3 *)c.b[j], centre, &radius);
        unsigned kept = isa->near_ball(&c.facets, 0xff, centre, radius, margin_of_lone(&c), limit);
        CHECK(kept >> i & 1, "a facet %g off a ball is dropped", sqrt(sq));
        passed += kept != 0xff;

        for (int n = 0; n < 8; n++) { /* to the nearest of them */
            sq = fmin(sq, distance_sq_of(a, (const sc_vec3 *)c.b[n]));
        }
        limit = (float)(sq * (1.0 + 0x1p-18));
        unsigned left = isa->facing(&c.facets, 0xff, &c.slab, c.centre, margin_of_lone(&c), limit);
        CHECK(left >> i & 1, "a facet %g off is turned away", sqrt(sq));
        turned_away += left != 0xff;
    }
    CHECK(dropped > 0 && passed > 0 && turned_away > 0, "dropped %d, %d, %d", dropped, passed,
          turned_away);
}

TEST(boxes_of_facets_side_by_side_hold_them)
{
    for (int round = test_rounds(5000); round > 0; round--) {
        lone_case c;
        sc_octet boxes;
        const float widen = test_below(2) ? 0.0f : 0x1p-23f;
        make_lone_case(&c, 1.0);
        sc_octets_build(0)->boxes(&c.facets.corners, widen, &boxes);
        for (int n = 0; n < 24; n++) {
            int i = n % 8, k = n / 8;
            float low = INFINITY, high = -INFINITY;
            for (int v = 0; v < 3; v++) {
                low = fminf(low, c.facets.corners.v[v][k][i]);
                high = fmaxf(high, c.facets.corners.v[v][k][i]);
            }
            double below = (double)low - (double)boxes.low[k][i];
            double above = (double)boxes.high[k][i] - (double)high;
            double least = 0.5 * (double)(widen * fabsf(low)), most = 4.0 * least + 0x1p-100;
            CHECK(below >= least && below <= most, "facet %d: %g below %g", i, below, (double)low);
            least = 0.5 * (double)(widen * fabsf(high));
            most = 4.0 * least + 0x1p-100;
            CHECK(above >= least && above <= most, "facet %d: %g above %g", i, above, (double)high);
        }
    }
}

/* A slab, and its tube behind it if it has one. */
typedef struct whole_slab {
    sc_slab slab;
    sc_tube tube;
    float centre[4];
} whole_slab;

static void make_whole_slab(const sc_side_by_side *facets, const sc_fbox *box, whole_slab *made)
{
    sc_fbox_centre(box, made->centre);
    if (sc_slab_make(facets, 1, box, &made->slab, &made->tube)) {
        sc_slab_set_tube(&made->slab, &made->tube);
    }
}

static bool are_apart(const whole_slab *a, const whole_slab *b, float limit)
{
    return sc_slabs_apart(&a->slab, a->centre, &b->slab, b->centre, limit);
}

TEST(slabs_keep_nothing_apart_that_is_within_the_limit)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    int apart = 0, by_planes = 0, single = 0;
    for (int round = test_rounds(20000); round > 0; round--) {
        lone_case c;
        whole_slab whole_a, whole_b;
        const sc_slab *a = &whole_a.slab, *b = &whole_b.slab;
        make_lone_case(&c, test_below(2) ? 1.0 : pow(2.0, test_uniform(-10.0, 0.0)));
        if (test_below(2)) { /* all of them beside one */
            double off = pow(2.0, test_uniform(-12.0, -2.0));
            for (int i = 0; i < 8; i++) {
                memcpy(c.a[i], c.a[0], sizeof c.a[i]);
                beside((const sc_vec3 *)c.a[0], off, c.b[i]);
            }
        }
        sc_octet_facets in_a, in_b;
        sc_fbox all_a = sc_fbox_empty(), all_b = sc_fbox_empty();
        double sq = INFINITY, sq_of[8][8];
        for (int i = 0; i < 8; i++) {
            put_facet(&in_a, i, (const sc_vec3 *)c.a[i]);
            put_facet(&in_b, i, (const sc_vec3 *)c.b[i]);
            sc_fbox box_a = box_around((const sc_vec3 *)c.a[i]);
            sc_fbox box_b = box_around((const sc_vec3 *)c.b[i]);
            sc_fbox_add(&all_a, &box_a);
            sc_fbox_add(&all_b, &box_b);
            for (int j = 0; j < 8; j++) {
                sq_of[i][j] = distance_sq_of((const sc_vec3 *)c.a[i], (const sc_vec3 *)c.b[j]);
                sq = fmin(sq, sq_of[i][j]);
            }
        }
        make_whole_slab(&in_a.corners, &all_a, &whole_a);
        make_whole_slab(&in_b.corners, &all_b, &whole_b);
        float limit = (float)(sq * (1.0 + 0x1p-18));
        CHECK(!are_apart(&whole_a, &whole_b, limit) && !are_apart(&whole_b, &whole_a, limit),
              "what is %g apart is told to be farther", sqrt(sq));
        bool told = are_apart(&whole_a, &whole_b, 0.0f);
        CHECK(told == are_apart(&whole_b, &whole_a, 0.0f), "the other way round");
        apart += told;
        int i = test_below(8), j = test_below(8);
        float within = (float)(sq_of[i][j] * (1.0 + 0x1p-18));
        uint64_t near = isa->near_slabs(&in_a.corners, a, &in_b.corners, b, within);
        CHECK(near >> (8 * i + j) & 1, "a pair %g apart is dropped", sqrt(sq_of[i][j]));
        single += near != UINT64_MAX;
        by_planes += told && !(sc_slab_tube(a) && sc_slab_tube(b));
    }
    CHECK(apart > 20 && by_planes > 20 && single > 20, "apart %d, of which by planes %d; single %d",
          apart, by_planes, single);
}

/* A small leaf right above or below eight facets, in their boxes: only planes tell. */
TEST(lone_facets_turn_away_what_their_planes_keep_off)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    for (int round = test_rounds(2000); round > 0; round--) {
        const sc_vec3 v[3] = {{0.5, 0.0, 0.0}, {0.0, 0.5, 0.0}, {0.0, 0.0, 0.5}}; /* aslant */
        double off = pow(2.0, test_uniform(-12.0, -5.0)), side = test_below(2) ? 1.0 : -1.0;
        sc_triangle t = sc_triangle_make(v);
        sc_vec3 middle = {0.5 / 3.0, 0.5 / 3.0, 0.5 / 3.0}, small[3];
        sc_octet_facets facets, leaf;
        sc_slab slab;
        for (int i = 0; i < 3; i++) { /* parallel to it */
            small[i] =
                sc_mul_add(sc_mul_add(middle, side * off, t.normal), 0.01, sc_sub(v[i], middle));
        }
        for (int i = 0; i < 8; i++) {
            put_facet(&facets, i, v);
            put_facet(&leaf, i, (const sc_vec3 *)small);
        }
        sc_fbox box = box_around((const sc_vec3 *)small);
        sc_tube unused;
        float centre[4];
        (void)sc_slab_make(&leaf.corners, 1, &box, &slab, &unused);
        sc_fbox_centre(&box, centre);
        isa->planes(&facets);
        float within = (float)(off - 0x1p-14), limit = within > 0.0f ? within * within : 0.0f;
        unsigned left = isa->facing(&facets, 0xff, &slab, centre, 0x1p-18f, limit);
        CHECK(off < 0x1p-13 || left == 0, "facets %g off: %x", off, left);
        sc_octet own, boxes;
        sc_near_pairs near;
        sc_fbox whole = box_around(v);
        for (int i = 0; i < 8; i++) {
            put_box(&own, i, &whole);
            put_box(&boxes, i, &box);
        }
        within = (float)(off - 0.01); /* the box is no thicker */
        limit = within > 0.0f ? within * within : 1.0f;
        isa->near_facets(&facets, &own, 0xff, &boxes, 0x1p-18f, limit, &near);
        CHECK(near.set == (off > 0.01 ? 0 : UINT64_MAX), "boxes %g off", off);
    }
}

/* In the plane of a facet, or nearly, but beside it: past an edge or a corner. */
TEST(lone_facets_know_their_edges)
{
    const sc_octets_isa *isa = sc_octets_build(0);
    for (int round = test_rounds(5000); round > 0; round--) {
        sc_vec3 v[3];
        sc_octet_facets facets;
        do {
            for (int k = 0; k < 3; k++) {
                v[k] = (sc_vec3){test_uniform(-0.5, 0.5), test_uniform(-0.5, 0.5),
                                 test_uniform(-0.5, 0.5)};
            }
        } while (sc_length(sc_cross(sc_sub(v[1], v[0]), sc_sub(v[2], v[0]))) < 0.02);
        for (int i = 0; i < 8; i++) {
            put_facet(&facets, i, v);
        }
        isa->planes(&facets);
        double x = test_uniform(-2.0, 2.0), y = test_uniform(-2.0, 2.0),
               z = test_uniform(-0.2, 0.2);
        sc_vec3 p = sc_mul_add(sc_mul_add(v[0], x, sc_sub(v[1], v[0])), y, sc_sub(v[2], v[0]));
        p = sc_mul_add(p, z, sc_triangle_make(v).normal);
        const float centre[3] = {(float)p.x, (float)p.y, (float)p.z};
        double sq = distance_sq_of(v, (const sc_vec3[3]){p, p, p}), radius = 0.5 * sqrt(sq);
        double within = sqrt(sq) - radius - 0x1p-15, beyond = sqrt(sq) - radius + 0x1p-15;
        unsigned none = isa->near_ball(&facets, 0xff, centre, (float)radius, 0x1p-17f,
                                       (float)(within * within));
        unsigned all = isa->near_ball(&facets, 0xff, centre, (float)radius, 0x1p-17f,
                                      (float)(beyond * beyond));
        CHECK(within <= 0.0 || none == 0, "at %g, %g, %g: %x within less", x, y, z, none);
        CHECK(all == 0xff, "at %g, %g, %g: %x within more", x, y, z, all);
    }
}
