/* The builds for the instruction sets, against each other bit by bit and against the plain
 * meaning: boxes and limits of every kind, absent ones and numbers that are none included. */
#include "octets.h"
#include "test.h"

#include <math.h>
#include <string.h>

typedef struct octet_case {
    sc_octet a, b;
    sc_slab slab;
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

static octet_case some_case(void)
{
    octet_case c = {.a = some_octet(), .b = some_octet()};
    for (int k = 0; k < 3; k++) {
        c.slab.normal[k] = some_float();
    }
    c.slab.low = some_float();
    c.slab.high = c.slab.low + fabsf(some_float());
    c.limit = fabsf(some_float());
    return c;
}

static sc_fbox box_of(const sc_octet *octet, int i)
{
    return (sc_fbox){{octet->low[0][i], octet->low[1][i], octet->low[2][i], 0.0f},
                     {octet->high[0][i], octet->high[1][i], octet->high[2][i], 0.0f}};
}

/* All that a build answers to a case. */
typedef struct answers {
    unsigned boxes, slab, meeting;
    float sq_boxes[8], sq_slab[8];
    sc_near_rows rows;
} answers;

static answers answers_of(const sc_octets_isa *isa, const octet_case *c)
{
    answers x;
    memset(&x, 0, sizeof x);
    sc_fbox box = box_of(&c->a, 0);
    x.boxes = isa->near_boxes(&box, &c->b, c->limit, x.sq_boxes);
    memcpy(x.sq_slab, x.sq_boxes, sizeof x.sq_slab);
    x.slab = isa->near_slab(&c->slab, &c->b, c->limit, x.boxes, x.sq_slab);
    isa->near_rows(&c->a, 0xB7, &c->b, c->limit, &x.rows);
    x.meeting = isa->meeting(&c->b, box.low, box.high);
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

TEST(rows_are_distances_of_boxes)
{
    for (int round = test_rounds(5000); round > 0; round--) {
        octet_case c = some_case();
        for (int n = 0; n < 64; n++) {
            int i = n / 8, j = n % 8;
            answers x = answers_of(sc_octets_build(0), &c);
            double sq = distance_sq(&c.a, i, &c.b, j), found = (double)x.rows.distance_sq[i][j];
            if ((0xB7 >> i & 1) == 0) {
                continue;
            }
            CHECK(isinf(sq) ? isinf(found) : fabs(found - sq) <= 0x1p-20 * sq + 0x1p-120,
                  "%g instead of %g", found, sq);
            CHECK((x.rows.mask[i] >> j & 1) == (x.rows.distance_sq[i][j] <= c.limit), "mask");
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
