/* test_gap_pairs.c - which pairs of facets are near each other, and which of them are one gap:
 * against all of them one by one. */
#include "ask.h"
#include "gaps/gaps.h"
#include "geom/tri_intersect.h"
#include "oracle_joins.h"
#include "pair.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* ---- scenes --------------------------------------------------------------------- */

/* Two parts, mostly placed. */
typedef struct scene {
    stl_image image[2];
    stlclash_mesh *mesh[2];
    sc_part part[2];
    sc_frame frame;
} scene;

static void make_scene(scene *s, const stl_image image[2])
{
    for (int k = 0; k < 2; k++) {
        double place[16];
        stlclash_error error;
        ask_placement(place, 0.5);
        s->image[k] = image[k];
        s->mesh[k] = ask_mesh(&image[k]);
        CHECK_INT(
            sc_part_place(s->mesh[k], test_below(2) ? place : NULL, "part", &s->part[k], &error),
            STLCLASH_OK);
    }
    s->frame = sc_frame_make(&s->part[0].used_bounds, &s->part[1].used_bounds);
}

static void free_scene(scene *s)
{
    for (int k = 0; k < 2; k++) {
        stlclash_mesh_free(s->mesh[k]);
        image_free(&s->image[k]);
    }
}

static sc_gap_request request_of(const scene *s, double reach, sc_crew *crew)
{
    return (sc_gap_request){
        .part = s->part, .frame = &s->frame, .reach = reach, .resolution = 0x1p-40, .crew = crew};
}

static size_t facets_of(const scene *s, int part)
{
    return s->part[part].mesh->file.facets.count;
}

static sc_triangle facet_of(const scene *s, int part, size_t facet)
{
    const sc_part *p = &s->part[part];
    sc_vec3 v[3];
    sc_triangle_vertices(&p->mesh->file.facets, &p->used, (uint32_t)facet, v);
    return sc_triangle_make(v);
}

/* ---- pairs of facets ------------------------------------------------------------ */

static bool is_within(const scene *s, uint32_t i, uint32_t j, double reach)
{
    const sc_triangle a = facet_of(s, 0, i), b = facet_of(s, 1, j);
    return sc_tri_meet(a.v, b.v) != SC_APART || sqrt(sc_tri_closest(&a, &b).distance_sq) <= reach;
}

/* How often each pair is listed: [facets of A * facets of B]. */
static uint8_t *count_listed(const scene *s, const sc_gap_list *list)
{
    uint8_t *listed = sc_calloc(facets_of(s, 0) * facets_of(s, 1), sizeof *listed);
    for (size_t i = 0; i < list->count; i++) {
        const sc_gap_leaf *a = &list->leaves[0][list->pairs[i].leaf[0]];
        const sc_gap_leaf *b = &list->leaves[1][list->pairs[i].leaf[1]];
        for (uint64_t left = list->pairs[i].set; left != 0; left &= left - 1) {
            const int bit = __builtin_ctzll(left);
            listed[a->facet[bit / 8] * facets_of(s, 1) + b->facet[bit % 8]]++;
        }
    }
    return listed;
}

/* The list has all pairs that are so near, each once, and no others. */
static void check_pairs(const scene *s, double reach, sc_crew *crew)
{
    const sc_gap_request r = request_of(s, reach, crew);
    sc_gap_list list;
    stlclash_error error;
    bool complete;

    CHECK_INT(sc_gap_list_make(&r, &list, &complete, &error), STLCLASH_OK);
    CHECK(complete, "not complete");
    uint8_t *listed = count_listed(s, &list);
    for (uint32_t i = 0; i < facets_of(s, 0); i++) {
        for (uint32_t j = 0; j < facets_of(s, 1); j++) {
            const int times = listed[i * facets_of(s, 1) + j];
            CHECK(times == is_within(s, i, j, reach), "within %g: %u and %u are listed %d times",
                  reach, i, j, times);
        }
    }
    sc_free(listed);
    sc_gap_list_free(&list);
}

TEST(pairs_of_facets_are_listed_up_to_the_reach)
{
    sc_crew *crew = sc_crew_new(3);
    for (int round = 0; round < test_rounds(60); round++) {
        stl_image image[2] = {test_below(2) ? make_soup(200, 0.2) : make_bumpy(0.5, 6),
                              test_below(2) ? make_soup(200, 0.05) : make_sphere(0.4, 7)};
        scene s;
        image_move(&image[1], test_uniform(-0.8, 0.8), test_uniform(-0.8, 0.8),
                   test_uniform(-0.8, 0.8));
        make_scene(&s, image);
        check_pairs(&s, test_below(4) ? test_uniform(0.01, 1.2) : 0.0, test_below(2) ? crew : NULL);
        free_scene(&s);
    }
    sc_crew_free(crew);
}

/* ---- gaps ------------------------------------------------------------------------- */

/* Moves each vertex aside, the same in all of its facets: a surface that comes near here and there.
 */
static void roughen(stl_image *image, double most)
{
    const uint64_t seed = test_random();
    for (size_t i = 0; i < image_facets(image); i++) {
        shape_facet f = image_get(image, i);
        for (int c = 0; c < 3; c++) {
            uint64_t hash = seed;
            for (int k = 0; k < 3; k++) {
                uint32_t bits;
                memcpy(&bits, &f.corner[c][k], sizeof bits);
                hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
                hash ^= hash >> 29;
            }
            for (int k = 0; k < 3; k++) {
                f.corner[c][k] +=
                    (float)(most * ((double)(hash >> 20 * k & 0xfffff) / 0x80000 - 1));
            }
        }
        image_set(image, i, &f);
    }
}

/* Adds what it looks like through one of its vertices, which then both have, and nothing else. */
static void reflect(stl_image *image)
{
    const size_t count = image_facets(image);
    const shape_facet at = image_get(image, (size_t)test_below((int)count));
    stl_image other = {0};
    image_join(&other, image);
    for (size_t i = 0; i < count; i++) {
        shape_facet f = image_get(image, i);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++) {
                f.corner[c][k] = 2 * at.corner[0][k] - f.corner[c][k];
            }
        }
        image_set(&other, i, &f);
    }
    image_join(image, &other);
    image_free(&other);
}

static stl_image random_part(void)
{
    stl_image image;
    switch (test_below(5)) {
    case 0: image = make_bumpy(0.5, (uint32_t)(3 + test_below(4))); break;
    case 1:
        image = make_torus(0.4, test_uniform(0.05, 0.3), 8 + (uint32_t)test_below(16), 6);
        break;
    case 2: image = make_soup(20 + test_below(150), test_uniform(0.02, 0.2)); break;
    case 3: image = make_soup(1 + test_below(4), 0.1); break;
    default:
        image = image_joined(make_bumpy(0.2, 3), make_bumpy(0.15, 4));
        for (size_t i = 108; i < image_facets(&image); i++) { /* the second one aside */
            shape_facet f = image_get(&image, i);
            for (int k = 0; k < 3; k++) {
                f.corner[k][0] += 0.5f;
            }
            image_set(&image, i, &f);
        }
    }
    if (test_below(2)) {
        roughen(&image, test_uniform(0.01, 0.1));
    }
    image_turn(&image, test_uniform(0, 7), test_uniform(0, 7), 0);
    if (test_below(4) == 0) {
        reflect(&image);
    }
    if (test_below(2)) {
        image_shuffle(&image);
    }
    return image;
}

/* Numbers that tell which kinds of scenes there were: where leaves lie near each other in part,
 * where some gaps hide others, and where there are several. */
typedef struct scene_kinds {
    int parts, hidden, several;
} scene_kinds;

static void count_kinds(const sc_gap_request *r, const oracle_joins *truth, scene_kinds *kinds)
{
    sc_gap_list list;
    stlclash_error error;
    bool complete;
    CHECK_INT(sc_gap_list_make(r, &list, &complete, &error), STLCLASH_OK);
    bool some = false;
    for (size_t i = 0; i < list.count; i++) {
        const int pairs = __builtin_popcountll(list.pairs[i].set);
        some = some || (pairs > 8 && pairs < 56);
    }
    kinds->parts += some;
    kinds->hidden += truth->apart > truth->count;
    kinds->several += truth->count > 1;
    sc_gap_list_free(&list);
}

/* Pairs that meet, in order. */
static sc_pair_list hits_of(const scene *s, const sc_triangle *const facets[2])
{
    sc_pair_list hits = {.pairs = NULL};
    for (uint32_t i = 0; i < facets_of(s, 0); i++) {
        for (uint32_t j = 0; j < facets_of(s, 1); j++) {
            if (sc_tri_meet(facets[0][i].v, facets[1][j].v) != SC_APART) {
                CHECK(sc_pairs_add(&hits, sc_pair(i, j)), "no memory");
            }
        }
    }
    return hits;
}

static void check_gaps(const scene *s, double reach, sc_crew *crew, scene_kinds *kinds)
{
    const sc_gap_request r = request_of(s, reach, crew);
    const size_t count[2] = {facets_of(s, 0), facets_of(s, 1)};
    sc_triangle *facets[2];
    stlclash_error error;
    sc_gaps gaps;

    for (int part = 0; part < 2; part++) {
        facets[part] = sc_alloc(count[part], sizeof *facets[part]);
        for (size_t i = 0; i < count[part]; i++) {
            facets[part][i] = facet_of(s, part, i);
        }
    }
    const sc_triangle *const both[2] = {facets[0], facets[1]};
    sc_pair_list hits = hits_of(s, both);
    oracle_joins truth = oracle_joins_of(both, count, reach, r.resolution);
    CHECK_INT(sc_gaps_find(&r, &hits, NULL, &gaps, &error), STLCLASH_OK);
    CHECK(gaps.complete, "not complete");
    CHECK(gaps.count == truth.count, "within %g: %zu gaps, not %zu", reach, gaps.count,
          truth.count);
    for (size_t i = 0; i < gaps.count && i < truth.count; i++) {
        const oracle_place *p = &truth.places[i];
        CHECK(gaps.gaps[i].distance == fmax(p->distance, p->distance > 0.0 ? 0x1p-1022 : 0.0) &&
                  gaps.gaps[i].triangle[0] == p->facet[0] &&
                  gaps.gaps[i].triangle[1] == p->facet[1],
              "gap %zu of %zu: %.17g of %u and %u, not %.17g of %zu and %zu", i, gaps.count,
              gaps.gaps[i].distance, gaps.gaps[i].triangle[0], gaps.gaps[i].triangle[1],
              p->distance, p->facet[0], p->facet[1]);
    }
    count_kinds(&r, &truth, kinds);
    sc_gaps_free(&gaps);
    oracle_joins_free(&truth);
    sc_free(hits.pairs);
    sc_free(facets[0]);
    sc_free(facets[1]);
}

TEST(gaps_are_those_of_all_pairs_joined_one_by_one)
{
    sc_crew *crew = sc_crew_new(3);
    scene_kinds kinds = {0, 0, 0};
    for (int round = 0; round < test_rounds(300); round++) {
        stl_image image[2] = {random_part(), random_part()};
        scene s;
        image_move(&image[1], test_uniform(-0.8, 0.8), test_uniform(-0.8, 0.8),
                   test_uniform(-0.8, 0.8));
        make_scene(&s, image);
        check_gaps(&s, exp(test_uniform(-3.0, 0.7)), test_below(2) ? crew : NULL, &kinds);
        free_scene(&s);
    }
    CHECK(TEST_DIVISOR > 1 || (kinds.parts > 40 && kinds.hidden > 20 && kinds.several > 40),
          "leaves near in part in %d, some hide others in %d, several gaps in %d", kinds.parts,
          kinds.hidden, kinds.several);
    sc_crew_free(crew);
}

TEST(gaps_that_time_runs_out_for_are_not_known)
{
    const sc_pair_list none = {.pairs = NULL};
    stl_image image[2] = {make_bumpy(0.5, 10), make_bumpy(0.4, 10)};
    scene s;
    make_scene(&s, image);
    for (int over = 0; over < 2; over++) {
        sc_watch watch = {.over = over != 0};
        sc_gap_request r = request_of(&s, 2.0, NULL);
        stlclash_error error;
        sc_gaps gaps;
        r.watch = &watch;
        CHECK_INT(sc_gaps_find(&r, &none, NULL, &gaps, &error), STLCLASH_OK);
        CHECK(gaps.complete == (over == 0) && (gaps.count == 0) == (over != 0), "%zu gaps, %s",
              gaps.count, gaps.complete ? "complete" : "not complete");
        sc_gaps_free(&gaps);
    }
    free_scene(&s);
}
