/* test_complex.c - solids that are some of the tetrahedra of one complex each: they have facets,
 * edges and corners in common at any angle, and touch themselves along edges and in corners. What
 * they have in common is counted. */
#include "ask.h"
#include "test.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A grid of cubes of six tetrahedra each (Kuhn), its vertices displaced. */
enum { SIDE = 2, ALONG = SIDE + 1, VERTICES = ALONG * ALONG * ALONG };
enum { TETRAHEDRA = 6 * SIDE * SIDE * SIDE, FACES = 4 * TETRAHEDRA };

typedef struct complex {
    float vertex[VERTICES][3];
    int tetrahedron[TETRAHEDRA][4]; /* outward, as make_tetra has it */
} complex;

static double six_volumes(const complex *c, int number)
{
    const int *t = c->tetrahedron[number];
    double e[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            e[i][k] = (double)c->vertex[t[i + 1]][k] - (double)c->vertex[t[0]][k];
        }
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static void divide_cubes(complex *c)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int step[3] = {1, ALONG, ALONG * ALONG};
    for (int i = 0; i < TETRAHEDRA; i++) {
        const int cube = i / 6, x = cube % SIDE, y = cube / SIDE % SIDE, z = cube / SIDE / SIDE;
        int *t = c->tetrahedron[i];
        t[0] = x * step[0] + y * step[1] + z * step[2];
        for (int k = 0; k < 3; k++) {
            t[k + 1] = t[k] + step[order[i % 6][k]];
        }
        if (six_volumes(c, i) < 0.0) {
            const int first = t[0];
            t[0] = t[1];
            t[1] = first;
        }
    }
}

/* Multiples of 1/32, by less than turns any tetrahedron inside out. */
static void displace_vertices(complex *c)
{
    const int most = test_below(2) ? 3 : 11;
    for (int i = 0; i < VERTICES; i++) {
        float before[3];
        memcpy(before, c->vertex[i], sizeof before);
        for (int k = 0; k < 3; k++) {
            c->vertex[i][k] += (float)(test_below(2 * most + 1) - most) / 32.0f;
        }
        for (int k = 0; k < TETRAHEDRA; k++) {
            if (six_volumes(c, k) <= 0.0) {
                memcpy(c->vertex[i], before, sizeof before);
                break;
            }
        }
    }
}

/* ---- whether it is one ------------------------------------------------------ */

/* In units of 1/32: all below is exact. */
typedef struct whole_corners {
    int at[4][3];
} whole_corners;

static whole_corners corners_of(const complex *c, int number)
{
    whole_corners t;
    for (int i = 0; i < 12; i++) {
        t.at[i / 3][i % 3] = (int)(32.0f * c->vertex[c->tetrahedron[number][i / 3]][i % 3]);
    }
    return t;
}

static void cross(const int u[3], const int v[3], int w[3])
{
    for (int k = 0; k < 3; k++) {
        w[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    }
}

/* The edge from its first corner to the second, of six. */
static void edge_of(const whole_corners *t, int number, int edge[3])
{
    static const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (int k = 0; k < 3; k++) {
        edge[k] = t->at[ends[number][1]][k] - t->at[ends[number][0]][k];
    }
}

/* Whether a plane across the direction has one on either side, or touches both. */
static bool is_between(const int direction[3], const whole_corners *a, const whole_corners *b)
{
    int low[2] = {INT_MAX, INT_MAX}, high[2] = {INT_MIN, INT_MIN};
    for (int i = 0; i < 8; i++) {
        const int *p = (i < 4 ? a : b)->at[i % 4];
        const int height = direction[0] * p[0] + direction[1] * p[1] + direction[2] * p[2];
        low[i / 4] = height < low[i / 4] ? height : low[i / 4];
        high[i / 4] = height > high[i / 4] ? height : high[i / 4];
    }
    return high[0] <= low[1] || high[1] <= low[0];
}

/* Convex solids have no interior in common if a plane along two edges is between them: two of one
 * of them, or one of each. */
static bool are_apart(const whole_corners *a, const whole_corners *b)
{
    for (int i = 0; i < 12; i++) {
        for (int j = 0; j < i; j++) {
            int u[3], v[3], direction[3];
            edge_of(i < 6 ? a : b, i % 6, u);
            edge_of(j < 6 ? a : b, j % 6, v);
            cross(u, v, direction);
            if ((direction[0] != 0 || direction[1] != 0 || direction[2] != 0) &&
                is_between(direction, a, b)) {
                return true;
            }
        }
    }
    return false;
}

/* Far ones may come to overlap, though none is turned inside out. */
static bool is_complex(const complex *c)
{
    for (int i = 0; i < TETRAHEDRA; i++) {
        const whole_corners a = corners_of(c, i);
        for (int j = 0; j < i; j++) {
            const whole_corners b = corners_of(c, j);
            if (!are_apart(&a, &b)) {
                return false;
            }
        }
    }
    return true;
}

static void make_complex(complex *c)
{
    do {
        for (int i = 0; i < VERTICES; i++) {
            c->vertex[i][0] = (float)(i % ALONG);
            c->vertex[i][1] = (float)(i / ALONG % ALONG);
            c->vertex[i][2] = (float)(i / ALONG / ALONG);
        }
        divide_cubes(c);
        displace_vertices(c);
    } while (!is_complex(c));
}

/* ---- solids --------------------------------------------------------------- */

typedef struct solid {
    bool has[TETRAHEDRA];
    int face[FACES][3]; /* [faces] its surface */
    int faces;
    bool touches[VERTICES]; /* of the surface */
} solid;

static bool is_same_face(const int a[3], const int b[3])
{
    int same = 0;
    for (int i = 0; i < 9; i++) {
        same += a[i / 3] == b[i % 3];
    }
    return same == 3;
}

/* Two that share a face leave nothing of it. */
static void add_face(solid *s, int a, int b, int c)
{
    const int face[3] = {a, b, c};
    for (int i = 0; i < s->faces; i++) {
        if (is_same_face(s->face[i], face)) {
            memmove(s->face[i], s->face[--s->faces], sizeof face);
            return;
        }
    }
    memcpy(s->face[s->faces++], face, sizeof face);
}

static void find_surface(const complex *c, solid *s)
{
    s->faces = 0;
    memset(s->touches, 0, sizeof s->touches);
    for (int i = 0; i < TETRAHEDRA; i++) {
        const int *t = c->tetrahedron[i];
        if (s->has[i]) {
            add_face(s, t[0], t[2], t[1]);
            add_face(s, t[0], t[1], t[3]);
            add_face(s, t[1], t[2], t[3]);
            add_face(s, t[0], t[3], t[2]);
        }
    }
    for (int i = 0; i < 3 * s->faces; i++) {
        s->touches[s->face[i / 3][i % 3]] = true;
    }
}

static stl_image image_of_solid(const complex *c, const solid *s)
{
    float corners[FACES][9];
    for (int i = 0; i < 3 * s->faces; i++) {
        memcpy(corners[i / 3] + 3 * (i % 3), c->vertex[s->face[i / 3][i % 3]], 3 * sizeof(float));
    }
    stl_image image = make_facets(corners[0], (size_t)s->faces);
    image_shuffle(&image);
    return image;
}

/* ---- what two of them have in common ---------------------------------------- */

typedef struct common {
    stlclash_status status;
    double volume, area; /* of faces that touch, where the interiors do not meet */
} common;

static double area_of(const complex *c, const int face[3])
{
    sc_vec3 v[3];
    for (int k = 0; k < 3; k++) {
        const float *p = c->vertex[face[k]];
        v[k] = (sc_vec3){(double)p[0], (double)p[1], (double)p[2]};
    }
    return 0.5 * sc_length(sc_area_twice(v));
}

static common count_common(const complex *c, const solid *a, const solid *b)
{
    common t = {.status = STLCLASH_CLEAR};
    for (int i = 0; i < VERTICES; i++) {
        t.status = a->touches[i] && b->touches[i] ? STLCLASH_CONTACT : t.status;
    }
    for (int i = 0; i < TETRAHEDRA; i++) {
        t.volume += a->has[i] && b->has[i] ? six_volumes(c, i) / 6.0 : 0.0;
    }
    for (int i = 0; i < a->faces * b->faces; i++) {
        const int *face = a->face[i / b->faces];
        t.area += is_same_face(face, b->face[i % b->faces]) ? area_of(c, face) : 0.0;
    }
    t.status = t.volume > 0.0 ? STLCLASH_CLASH : t.status;
    return t;
}

static void check(const stlclash_result *r, const common *t, double error, int round)
{
    CHECK(r->status == t->status, "round %d: %s, but it is %s", round,
          stlclash_status_text(r->status), stlclash_status_text(t->status));
    if (t->status == STLCLASH_CLASH) {
        CHECK(r->has_overlap && fabs(r->overlap.volume - t->volume) <= error * t->volume,
              "round %d: volume %.12g, not %.12g", round, r->overlap.volume, t->volume);
    } else if (t->status == STLCLASH_CONTACT) {
        CHECK(r->has_contact_area, "round %d: no area", round);
        CHECK(fabs(r->contact_area - t->area) <= error * t->area + 1e-12,
              "round %d: area %.12g, not %.12g", round, r->contact_area, t->area);
    }
}

/* As they are stored; and both turned and moved alike, where only rounding comes between them. */
TEST(solids_of_one_complex)
{
    int count[5] = {0};
    for (int i = 0; i < test_rounds(600); i++) {
        complex c;
        solid s[2];
        double place[16];
        stlclash_options stored = exact(), placed = ask_usual();
        const bool apart = i % 2;
        const int share = 1 + test_below(7);
        make_complex(&c);
        for (int k = 0; k < 2 * TETRAHEDRA; k++) {
            const int number = k % TETRAHEDRA;
            solid *own = &s[k / TETRAHEDRA];
            const bool taken = apart && own == &s[1] && s[0].has[number];
            own->has[number] = !taken && test_below(16) < share;
        }
        find_surface(&c, &s[0]);
        find_surface(&c, &s[1]);
        if (s[0].faces == 0 || s[1].faces == 0) {
            continue;
        }
        const common t = count_common(&c, &s[0], &s[1]);
        stl_image a = image_of_solid(&c, &s[0]), b = image_of_solid(&c, &s[1]);
        ask_placement(place, 3);
        placed.placement[0] = placed.placement[1] = place;
        stored.no_depth = placed.no_depth = true;
        count[t.status]++;
        stlclash_result *r[2] = {ask_images(&a, &b, &stored), ask_images(&a, &b, &placed)};
        check(r[0], &t, 1e-12, i);
        check(r[1], &t, 1e-5, i);
        stlclash_result_free(r[0]);
        stlclash_result_free(r[1]);
        image_free(&a);
        image_free(&b);
    }
    CHECK(TEST_DIVISOR > 1 || (count[STLCLASH_CONTACT] > 50 && count[STLCLASH_CLASH] > 50),
          "a relation is missing");
}
