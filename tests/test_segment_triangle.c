/* test_segment_triangle.c - a segment and a triangle against rationals. */
#include "cases.h"
#include "geom/orient.h"
#include "geom/segment_triangle.h"
#include "oracle_probe.h"
#include "test.h"

/* A segment and a triangle: as the class has them, or through what is hard to hit. */
static void draw_case(int kind, sc_segment *s, sc_vec3 v[3])
{
    sc_vec3 other[3];
    case_make(kind, v, other);
    *s = (sc_segment){other[0], other[1]};
    int way = test_below(8), i = test_below(3);
    if (way == 0) { /* through a vertex, exactly if nothing is rounded */
        s->q = sc_sub(sc_scale(v[i], 2.0), s->p);
    } else if (way == 1) { /* ends at a vertex */
        s->q = v[i];
    } else if (way == 2) { /* through the middle of an edge */
        s->q = sc_sub(sc_add(v[i], v[(i + 1) % 3]), s->p);
    } else if (way == 3) { /* along an edge, from beyond it */
        s->p = sc_sub(sc_scale(v[i], 2.0), v[(i + 1) % 3]);
        s->q = test_below(2) ? v[(i + 1) % 3] : sc_sub(sc_scale(v[(i + 1) % 3], 2.0), v[i]);
    } else if (way == 4 && test_below(8) == 0) {
        s->q = s->p;
    }
}

static void check_order(const sc_segment *s, const sc_stop *a, const mpq_t x, const sc_stop *b,
                        const mpq_t y)
{
    int truth = mpq_cmp(x, y), order = sc_stop_compare(s, a, b);
    CHECK(order == (truth > 0) - (truth < 0), "order of parameters %.17g and %.17g is %d, not %d",
          a->t, b->t, order, truth);
}

static void check_segments(int rounds)
{
    mpq_t t0, t1, u0, u1;
    int met = 0, stretches = 0, cases = 0;
    mpq_inits(t0, t1, u0, u1, NULL);

    for (int kind = 0; kind < CASE_CLASSES; kind++) {
        for (int round = 0; round < rounds; round++) {
            sc_segment s;
            sc_vec3 v[3], w[3], unused[3];
            bool inside;
            draw_case(kind, &s, v);
            bool truth = oracle_stretch(s.p, s.q, v, t0, t1, &inside);
            sc_stretch got = sc_segment_meet(&s, v);
            cases++;
            met += truth;
            CHECK(got.meets == truth && sc_segment_meets(&s, v) == truth, "%s: %s: %d, not %d",
                  case_name(kind), case_text(v, (sc_vec3[3]){s.p, s.q, s.q}), got.meets, truth);
            if (!got.meets || !truth) {
                continue;
            }
            bool point = s.p.x == s.q.x && s.p.y == s.q.y && s.p.z == s.q.z;
            if (point) {
                continue;
            }
            stretches += got.interval;
            CHECK(got.interval == (mpq_cmp(t0, t1) < 0) && oracle_close(got.from.t, t0) &&
                      oracle_close(got.to.t, t1),
                  "%s: %s: %.17g .. %.17g, not %.17g .. %.17g", case_name(kind),
                  case_text(v, (sc_vec3[3]){s.p, s.q, s.q}), got.from.t, got.to.t, mpq_get_d(t0),
                  mpq_get_d(t1));
            CHECK(!inside || got.feature == SC_FACE, "%s: inside, but on feature %d",
                  case_name(kind), got.feature);
            check_order(&s, &got.from, t0, &got.to, t1);
            /* Another triangle with a common vertex or edge, at the same segment. */
            case_make(kind, w, unused);
            for (int k = test_below(3); k > 0; k--) {
                w[k] = v[k];
            }
            if (oracle_stretch(s.p, s.q, w, u0, u1, &inside)) {
                sc_stretch more = sc_segment_meet(&s, w);
                CHECK(more.meets, "%s: the second is missed", case_name(kind));
                check_order(&s, &got.from, t0, &more.from, u0);
                check_order(&s, &got.to, t1, &more.from, u0);
                check_order(&s, &got.to, t1, &more.to, u1);
            }
        }
    }
    mpq_clears(t0, t1, u0, u1, NULL);
    CHECK(10 * met > cases && 100 * stretches > cases, "only %d of %d meet, %d in stretches", met,
          cases, stretches);
}

TEST(segments_meet_triangles_as_rationals_say)
{
    check_segments(test_rounds(6500)); /* 16 classes */
}

TEST(segments_meet_triangles_without_filter)
{
    sc_orient_filter_off(1);
    check_segments(test_rounds(300));
    sc_orient_filter_off(0);
}

/* Of a triangle without area, whichever of its vertices is between the others. */
TEST(segments_meet_ends_of_triangles_without_area)
{
    const sc_segment s = {{0, -1, 0.5}, {0, 2, 0.5}};
    const struct {
        double from, to;
        sc_feature feature;
    } row[] = {{0, 1, SC_VERTEX}, {-1, 0, SC_VERTEX}, {-1, 1, SC_EDGE}};
    for (int i = 0; i < 18; i++) {
        const double x[3] = {row[i / 6].from, 0.5 * (row[i / 6].from + row[i / 6].to) + 0.125,
                             row[i / 6].to};
        sc_vec3 v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = (sc_vec3){x[(i / 2 + (i % 2 ? 2 * k : k)) % 3], 0, 0.5};
        }
        sc_stretch met = sc_segment_meet(&s, v);
        CHECK(met.meets && !met.interval && met.feature == row[i / 6].feature, "row %d: %d", i,
              (int)met.feature);
    }
}
