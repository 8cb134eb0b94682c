/* test_sos.c - what is moved symbolically, against what is moved by very little; no shift changes
 * a volume; and the shift that leaves all faces that touch. */
#include "both.h"
#include "contact/contact_shift.h"
#include "oracle_exact.h"
#include "oracle_solid.h"
#include "overlap/overlap.h"
#include "overlap/overlap_pieces.h"
#include "test.h"

/* ---- signs of what has moved ------------------------------------------------ */

static sc_vec3 lattice_point(int n)
{
    return (sc_vec3){test_below(n), test_below(n), test_below(n)};
}

/* In no plane and on no line of the lattice. */
static sc_vec3 point_off_lattice(void)
{
    return (sc_vec3){test_below(4) + 1.0 / 32 + test_below(8) / 256.0,
                     test_below(4) + 3.0 / 64 + test_below(8) / 512.0,
                     test_below(4) + 7.0 / 128 + test_below(8) / 1024.0};
}

/* As far as the shift takes a point of A, but by 2^-32; exact here. */
static sc_vec3 moved(sc_vec3 p, const sc_shift *shift)
{
    return sc_mul_add(p, shift->towards * 0x1p-32, sc_sub(shift->centre, p));
}

/* +1 where the edge passes the facet inwards, -1 outwards, 0 not at all. */
static int passes(sc_vec3 u, sc_vec3 v, const sc_vec3 f[3], bool *in_general_position)
{
    int side_u = oracle_orient3d(f[0], f[1], f[2], u),
        side_v = oracle_orient3d(f[0], f[1], f[2], v);
    int sign[3];
    for (int i = 0; i < 3; i++) {
        sign[i] = oracle_orient3d(u, v, f[i], f[(i + 1) % 3]);
    }
    *in_general_position = side_u && side_v && sign[0] && sign[1] && sign[2];
    return side_u != side_v && sign[0] == sign[1] && sign[1] == sign[2] ? side_v : 0;
}

TEST(shrinking_and_growing_are_what_a_little_of_them_does)
{
    int seen = 0, crossed = 0, tied = 0;
    for (int i = 0; i < test_rounds(200000); i++) {
        sc_shift shift = sc_shift_usual;
        sc_vec3 edge[2], facet[3], from[2], to[3];
        const bool edge_is_of_a = i % 2;
        bool general, as_it_stands;
        shift.towards = i / 2 % 2 ? 1 : -1;
        shift.centre = point_off_lattice();
        for (int k = 0; k < 3; k++) {
            facet[k] = lattice_point(4);
            to[k] = edge_is_of_a ? facet[k] : moved(facet[k], &shift);
        }
        for (int k = 0; k < 2; k++) {
            edge[k] = lattice_point(4);
            from[k] = edge_is_of_a ? moved(edge[k], &shift) : edge[k];
        }
        int expected = passes(from[0], from[1], to, &general);
        if (!general || oracle_degenerate(facet)) {
            continue; /* edges that are parallel: a case for the moves */
        }
        int got = edge_is_of_a ? sc_sos_edge_of_a(edge[0], edge[1], facet, &shift)
                               : sc_sos_edge_of_b(edge[0], edge[1], facet, &shift);
        CHECK(got == expected, "round %d: %d, but it is %d", i, got, expected);
        passes(edge[0], edge[1], facet, &as_it_stands);
        seen++;
        crossed += expected != 0;
        tied += expected != 0 && !as_it_stands;
    }
    CHECK(seen > 20 * tied / 10 && crossed > tied && tied > 0, "%d, %d, %d", seen, crossed, tied);
}

TEST(two_facets_at_once_are_what_their_edges_are)
{
    int crossed = 0;
    for (int i = 0; i < test_rounds(100000); i++) {
        sc_shift shift = sc_shift_along(lattice_point(3));
        sc_vec3 f[3], g[3];
        int of_f[3], of_g[3];
        shift.towards = (int8_t)(test_below(3) - 1);
        shift.centre = point_off_lattice();
        for (int k = 0; k < 3; k++) {
            f[k] = lattice_point(4);
            g[k] = lattice_point(4);
        }
        sc_sos_facets(f, g, &shift, of_f, of_g);
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            int a = sc_sos_edge_of_a(f[k], f[next], g, &shift);
            int b = sc_sos_edge_of_b(g[k], g[next], f, &shift);
            CHECK(of_f[k] == a && of_g[k] == b, "round %d, edge %d: %d and %d, not %d and %d", i, k,
                  of_f[k], of_g[k], a, b);
            crossed += a != 0 || b != 0;
        }
    }
    CHECK(crossed > 0, "%d", crossed);
}

/* ---- volumes ----------------------------------------------------------------- */

static double volume_with(both *s, const sc_shift *shift)
{
    sc_solid *solids[2] = {&s->solid[0], &s->solid[1]};
    sc_crossings x;
    sc_pieces pieces = {.of = NULL};
    sc_overlap overlap = {.none = true};

    s->solid[0].shift = s->solid[1].shift = *shift;
    CHECK(sc_crossings_find(solids, s->hits, s->hit_count, NULL, &x) &&
              sc_crossings_wind(&x, NULL) && sc_overlap_measure(&x, NULL, &pieces, &overlap),
          "out of memory");
    double volume = overlap.none ? 0.0 : overlap.volume;
    sc_pieces_free(&pieces);
    sc_overlap_free(&overlap);
    sc_crossings_free(&x);
    return volume;
}

/* Solids of cells of one lattice: nearly all that meets is a tie. */
TEST(no_shift_changes_a_volume)
{
    for (int i = 0; i < test_rounds(600); i++) {
        const int none[3] = {0, 0, 0};
        int shift[3] = {test_below(4) - 2, test_below(3) - 1, test_below(3) - 1};
        oracle_frame f = oracle_frame_plain();
        oracle_voxels a = oracle_voxels_random(3, test_uniform(0.1, 0.9));
        oracle_voxels b = oracle_voxels_random(3, test_uniform(0.1, 0.9));
        oracle_voxels_pair pair = oracle_voxels_compare(&a, &b, shift);
        double expected = pair.common * oracle_frame_volume(&f);
        stl_image ia = oracle_voxels_mesh(&a, none, &f), ib = oracle_voxels_mesh(&b, shift, &f);
        both s;
        both_make(&s, &ia, &ib);
        for (int way = 0; way < 8; way++) {
            sc_vec3 along = {test_below(5) - 2, test_below(5) - 2, test_below(5) - 2};
            sc_shift how = sc_shift_along(along);
            how.towards = (int8_t)(way % 4 - 1 > 1 ? 0 : way % 4 - 1);
            how.centre = way < 4 ? lattice_point(5) : point_off_lattice();
            double volume = volume_with(&s, &how);
            CHECK(fabs(volume - expected) <= 1e-12 * (1 + expected),
                  "pair %d, way %d: volume %.17g, but it is %g", i, way, volume, expected);
        }
        both_free(&s);
        image_free(&ia);
        image_free(&ib);
    }
}

/* ---- off the faces ------------------------------------------------------------ */

typedef struct planes {
    int count;
    sc_contact_plane plane[6];
} planes;

static void add(planes *p, double x, double y, double z, double low, double high)
{
    p->plane[p->count++] = (sc_contact_plane){{x, y, z}, low, high, 1.0};
}

/* Whether the shift leads out of all planes, about the origin. */
static bool leads_out(const planes *p, const sc_shift *shift, sc_vec3 origin)
{
    for (int i = 0; i < p->count; i++) {
        const sc_contact_plane *q = &p->plane[i];
        double at = sc_dot(q->normal, sc_sub(shift->centre, origin));
        bool out = shift->towards > 0   ? at > q->high
                   : shift->towards < 0 ? at < q->low
                                        : sc_shift_across(shift, q->normal) > 0;
        if (!out) {
            return false;
        }
    }
    return true;
}

/* Faces that touch are left by a move where they face one way, by shrinking where they lie around
 * a part, by growing where that lies around the other one. */
TEST(all_faces_that_touch_are_left)
{
    static const sc_vec3 origins[] = {{0, 0, 0}, {1000, -2000, 0.5}};
    for (int i = 0; i < 2; i++) {
        planes one = {0}, slot = {0}, fork = {0}, round = {0}, mixed = {0};
        add(&one, 0, 0, 1, 2, 5);
        add(&one, 1, 0, 0, -3, -1);
        add(&slot, 0, 1, 0, -0.01, -0.01); /* a thin bar: the walls look at it */
        add(&slot, 0, -1, 0, -0.01, -0.01);
        add(&slot, 0, 0, 1, -4, -4);
        add(&fork, 0, 1, 0, 0.01, 0.01); /* the walls look away from each other */
        add(&fork, 0, -1, 0, 0.01, 0.01);
        add(&fork, 0, 0, -1, -3, -2);
        for (int k = 0; k < 6; k++) {
            double angle = k * 1.0471975511965976;
            add(&round, -cos(angle), -sin(angle), 0, -3, -3);
        }
        add(&mixed, 1, 0, 0, 0, 0); /* in one plane, on either side of it: no way */
        add(&mixed, -1, 0, 0, 0, 0);

        const planes *all[] = {&one, &slot, &fork, &round, &mixed};
        const int towards[] = {0, 1, -1, 1, 0};
        for (int k = 0; k < 5; k++) {
            sc_vec3 away = {0, 0, 0};
            for (int m = 0; m < all[k]->count; m++) {
                away = sc_mul_add(away, all[k]->plane[m].area, all[k]->plane[m].normal);
            }
            sc_shift s = sc_contact_shift(all[k]->plane, all[k]->count, away, origins[i], 10);
            CHECK(s.towards == towards[k] && leads_out(all[k], &s, origins[i]) == (k < 4),
                  "planes %d: towards %d, %g %g %g", k, s.towards, s.centre.x, s.centre.y,
                  s.centre.z);
        }
    }
}
