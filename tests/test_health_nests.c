/* test_health_nests.c - shells in shells, some of them inside out: which are read the other way
 * round, against the rule applied to components that do not touch each other. */
#include "judged.h"
#include "oracle_health.h"
#include "test.h"

#include <math.h>

static model scratch_model;
static oracle_health scratch_truth;

/* ---- the rule ---------------------------------------------------------------------- */

enum { MOST_COMPONENTS = 32 };

/* Components that do not touch each other, which boxes and voxels leave. */
typedef struct nest {
    int count;
    int first[MOST_COMPONENTS];                   /* lowest facet */
    int sign[MOST_COMPONENTS];                    /* of the volume as stored */
    int around[MOST_COMPONENTS][MOST_COMPONENTS]; /* [k][l] how often l winds around k */
    int turn[MOST_COMPONENTS];                    /* -1: to be read the other way round */
    oracle_count inverted, outward;
    int carried; /* those turned only with what holds them */
} nest;

/* How often component l winds around k: at a place on one of k's facets. */
static int winding_around(const model *m, const oracle_health *o, int k, int l)
{
    int weight[MODEL_MOST], winding;

    for (int i = 0; i < m->count; i++) {
        weight[i] = o->component[i] == l;
    }
    for (int i = 0; i < m->count; i++) {
        int64_t p[3];
        for (int axis = 0; axis < 3; axis++) {
            p[axis] = 311 * m->v[i][0][axis] + 302 * m->v[i][1][axis] + 387 * m->v[i][2][axis];
        }
        if (o->component[i] == k && oracle_model_winding(m, weight, p, &winding)) {
            return winding;
        }
    }
    CHECK(false, "each ray meets an edge");
    return 0;
}

static int holders_of(const nest *n, int k)
{
    int count = 0;
    for (int l = 0; l < n->count; l++) {
        count += n->around[k][l] != 0;
    }
    return count;
}

/* By the rule that the man page has: a shell that faces inwards with no solid around it is inside
 * out, and is read the other way round with all that it holds; one that faces outwards in a solid
 * stays. Of the outermost first. */
static void decide(nest *n)
{
    bool own[MOST_COMPONENTS] = {false};

    for (int depth = 0; depth < n->count; depth++) {
        for (int k = 0; k < n->count; k++) {
            int around = 0;
            if (holders_of(n, k) != depth) {
                continue;
            }
            n->turn[k] = 1;
            for (int l = 0; l < n->count; l++) {
                if (n->around[k][l] != 0) {
                    around += n->around[k][l] * n->turn[l];
                    n->turn[k] *= own[l] ? -1 : 1;
                }
            }
            if (n->sign[k] * n->turn[k] < 0 && around <= 0) {
                own[k] = true;
                n->turn[k] *= -1;
                oracle_count_add(&n->inverted, n->first[k]);
            } else if (n->sign[k] * n->turn[k] > 0 && around > 0) {
                oracle_count_add(&n->outward, n->first[k]);
            }
            n->carried += n->turn[k] < 0 && !own[k];
        }
    }
}

static void find_nest(const model *m, const oracle_health *o, nest *n)
{
    int64_t sixfold[MOST_COMPONENTS] = {0};

    *n = (nest){.count = o->components};
    for (int i = m->count - 1; i >= 0; i--) {
        if (o->component[i] >= 0) {
            sixfold[o->component[i]] += o->sixfold[i];
            n->first[o->component[i]] = i;
        }
    }
    for (int k = 0; k < n->count; k++) {
        n->sign[k] = (sixfold[k] > 0) - (sixfold[k] < 0);
        for (int l = 0; l < n->count; l++) {
            n->around[k][l] = l == k ? 0 : winding_around(m, o, k, l);
        }
    }
    decide(n);
}

/* ---- what is told ------------------------------------------------------------------- */

/* What came up, so that no case stays untried. */
typedef struct seen {
    int inverted, outward, carried, several;
} seen;

static bool some_face_inwards(const nest *n)
{
    bool some = false;
    for (int k = 0; k < n->count; k++) {
        some = some || n->sign[k] < 0;
    }
    return some;
}

static void check_judged(const model *m, const nest *n, const sc_health *h, int round)
{
    const oracle_health *o = &scratch_truth;
    int wrong = 0;
    double sixfold = 0;

    for (int i = 0; i < m->count; i++) {
        const int turn = n->turn[o->component[i]];
        sixfold += (double)(turn * o->sixfold[i]);
        wrong += turned(h, (size_t)i) != turn;
    }
    CHECK(h->closed == (m->count > 0) && wrong == 0,
          "round %d: closed %d, %d facets read the wrong way round", round, h->closed, wrong);
    CHECK(fabs(6 * h->volume - sixfold) <= 1e-12 * fabs(sixfold),
          "round %d: volume %g, expected %g / 6", round, h->volume, sixfold);
    CHECK(!h->full || h->components == (uint64_t)o->components,
          "round %d: %llu components, expected %d", round, (unsigned long long)h->components,
          o->components);
}

/* `shells`: each component is one, so that their numbers are known too. */
static void check_model(const model *m, bool shells, seen *s, int round)
{
    stl_image image = image_of_model(m);
    nest n;

    oracle_health_of(m, &scratch_truth);
    find_nest(m, &scratch_truth, &n);
    s->inverted += n.inverted.count;
    s->outward += n.outward.count;
    s->carried += n.carried;
    s->several += n.count > 1;
    for (int full = 0; full < 2; full++) {
        judged j;
        judge(&j, &image, full);
        check_judged(m, &n, &j.health, round);
        if (shells) {
            const bool asked = full || some_face_inwards(&n); /* else no verdict depends on it */
            check_warned(&j.health, "inverted_shells", n.inverted.count, n.inverted.first, round);
            check_warned(&j.health, "nested_outward_shells", asked ? n.outward.count : 0,
                         n.outward.first, round);
        }
        judged_free(&j);
    }
    image_free(&image);
}

/* Apart, or one inside the other, with a gap between them in any case. */
static bool have_gap(int a[2][3], int b[2][3])
{
    bool apart = false, a_inside = true, b_inside = true;
    for (int k = 0; k < 3; k++) {
        apart = apart || a[1][k] < b[0][k] || b[1][k] < a[0][k];
        a_inside = a_inside && a[0][k] > b[0][k] && a[1][k] < b[1][k];
        b_inside = b_inside && b[0][k] > a[0][k] && b[1][k] < a[1][k];
    }
    return apart || a_inside || b_inside;
}

/* Some inside out, faces cut up so that they meet in T-junctions. Returns how many. */
static int make_boxes_model(model *m)
{
    enum { MOST = 6, TRIES = 60, SIZE = 14 };
    int box[MOST][2][3], count = 0;

    for (int i = 0; i < TRIES && count < MOST; i++) {
        bool good = true, inside = count > 0 && test_below(2);
        for (int k = 0; k < 3; k++) {
            int low = inside ? box[count - 1][0][k] : 0,
                high = inside ? box[count - 1][1][k] : SIZE;
            int a = low + test_below(high - low), b = low + test_below(high - low);
            box[count][0][k] = a < b ? a : b;
            box[count][1][k] = a < b ? b : a;
            good = good && a != b;
        }
        for (int other = 0; other < count; other++) {
            good = good && have_gap(box[count], box[other]);
        }
        if (good) {
            add_box(m, box[count][0], box[count][1], test_below(3), test_below(2));
            count++;
        }
    }
    return count;
}

TEST(nested_boxes_are_read_the_right_way_round)
{
    model *m = &scratch_model;
    seen s = {0};
    const int rounds = test_rounds(40);

    for (int round = 0; round < rounds; round++) {
        m->count = 0;
        const int boxes = make_boxes_model(m);
        shuffle_model(m);
        check_model(m, true, &s, round);
        CHECK_INT(scratch_truth.components, boxes);
    }
    CHECK((s.inverted > 0 && s.outward > 0 && s.carried > 0) || TEST_DIVISOR > 1,
          "%d inverted, %d outward, %d carried", s.inverted, s.outward, s.carried);
}

/* Bodies that touch in edges and corners, and cavities, whole components of them inside out. */
TEST(touching_voxels_are_read_the_right_way_round)
{
    model *m = &scratch_model;
    seen s = {0};
    const int rounds = test_rounds(25);

    for (int round = 0; round < rounds; round++) {
        bool cells[MODEL_GRID][MODEL_GRID][MODEL_GRID];
        m->count = 0;
        add_voxels(m, cells, round % 2 ? 0.25 : 0.93);
        oracle_health_of(m, &scratch_truth);
        unsigned chosen = (unsigned)test_below(1 << 16);
        for (int i = 0; i < m->count; i++) {
            if (chosen >> scratch_truth.component[i] % 16 & 1) {
                flip_triangle(m, i);
            }
        }
        shuffle_model(m);
        check_model(m, false, &s, round);
    }
    CHECK((s.inverted > 0 && s.several > 0) || TEST_DIVISOR > 1,
          "%d inverted, in pieces %d times of %d", s.inverted, s.several, rounds);
}
