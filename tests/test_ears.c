/* test_ears.c - faces cut into triangles, against counting: of cells of a grid, whose corners lie
 * on lines, meet in points and stand around holes; and of rings whose corners are rounded. All that
 * matters is exact: which edges are shared, how large the triangles are. */
#include "overlap/ears.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 12, MOST = 16 * (SIDE + 2) * (SIDE + 2) };

/* A face as it is made: loops of whole numbers. */
typedef struct drawing {
    sc_flat corners[MOST];
    uint32_t ends[MOST];
    uint32_t loops;
    long long twice_area;
} drawing;

/* ---- what must hold ---------------------------------------------------------- */

typedef struct edge {
    uint32_t from, to;
    int times;
} edge;

static int by_ends(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    return a->from != b->from ? (a->from < b->from ? -1 : 1) : (a->to > b->to) - (a->to < b->to);
}

static size_t add_edge(edge *edges, size_t count, uint32_t from, uint32_t to, int times)
{
    if (from == to) {
        return count; /* of a loop that is a point */
    }
    edges[count] = from < to ? (edge){from, to, times} : (edge){to, from, -times};
    return count + 1;
}

/* Whether triangles have the edges of the face and, but for shared ones, no others. */
static bool have_its_edges(const sc_ears *ears, const sc_face *face)
{
    const uint32_t corners = face->ends[face->loop_count - 1];
    edge *edges = malloc((3 * ears->count + corners + 1) * sizeof *edges);
    size_t count = 0;
    bool balanced = true;

    for (size_t i = 0; i < ears->count; i++) {
        for (int k = 0; k < 3; k++) {
            count =
                add_edge(edges, count, ears->triangles[i][k], ears->triangles[i][(k + 1) % 3], 1);
        }
    }
    for (uint32_t loop = 0, first = 0; loop < face->loop_count; first = face->ends[loop++]) {
        for (uint32_t i = first; i < face->ends[loop]; i++) {
            const uint32_t next = i + 1 == face->ends[loop] ? first : i + 1;
            count = add_edge(edges, count, i, next, -1);
        }
    }
    qsort(edges, count, sizeof *edges, by_ends);
    for (size_t i = 0; i < count;) {
        int times = 0;
        for (const edge first = edges[i]; i < count && by_ends(&edges[i], &first) == 0; i++) {
            times += edges[i].times;
        }
        balanced = balanced && times == 0;
    }
    free(edges);
    return balanced;
}

/* Twice the least and the sum of the triangles. */
static double areas(const sc_ears *ears, const sc_flat *corners, double *least)
{
    double sum = 0.0;
    *least = INFINITY;
    for (size_t i = 0; i < ears->count; i++) {
        const uint32_t *t = ears->triangles[i];
        const double area = sc_flat_twice_area(corners[t[0]], corners[t[1]], corners[t[2]]);
        *least = fmin(*least, area);
        sum += area;
    }
    return sum;
}

/* ---- cells of a grid --------------------------------------------------------- */

static bool cells[SIDE + 2][SIDE + 2];

enum { EAST, NORTH, WEST, SOUTH, WAYS };
static const int step_x[WAYS] = {1, 0, -1, 0}, step_y[WAYS] = {0, 1, 0, -1};

/* Whether the face has an edge from a point of the grid on, with a cell to its left and none to its
 * right. */
static bool has_edge(int x, int y, int way)
{
    const int left_x = x - (way == NORTH || way == WEST),
              left_y = y - (way == WEST || way == SOUTH);
    const int right_x = x - (way == WEST || way == SOUTH),
              right_y = y - (way == EAST || way == SOUTH);
    if (left_x < 0 || left_y < 0 || right_x < 0 || right_y < 0) {
        return false;
    }
    return cells[left_y][left_x] && !cells[right_y][right_x];
}

/* Another corner, now and then twice, or with a way to its left and back. */
static uint32_t add_corner(drawing *d, uint32_t count, int x, int y, int way, bool again)
{
    const int left = (way + 1) % WAYS;
    d->corners[count++] = (sc_flat){x, y};
    if (again && test_below(8) == 0) {
        d->corners[count++] = (sc_flat){x, y};
    }
    if (again && test_below(8) == 0) {
        d->corners[count++] = (sc_flat){x + 0.25 * step_x[left], y + 0.25 * step_y[left]};
        d->corners[count++] = (sc_flat){x, y};
    }
    return count;
}

/* Where cells meet in a point, loops turn to the left or, with `any`, to either side. */
static void draw_cells(drawing *d, bool any, bool again)
{
    static bool seen[SIDE + 2][SIDE + 2][WAYS];
    uint32_t count = 0, sides[SIDE + 2];

    memset(seen, 0, sizeof seen);
    for (int y = 0; y < SIDE + 2; y++) {
        sides[y] = (uint32_t)test_random();
    }
    d->loops = 0;
    d->twice_area = 0;
    for (int y = 0; y < SIDE + 2; y++) {
        for (int x = 0; x < SIDE + 2; x++) {
            d->twice_area += 2 * cells[y][x];
            for (int way = 0; way < WAYS; way++) {
                if (seen[y][x][way] || !has_edge(x, y, way)) {
                    continue;
                }
                for (int u = x, v = y, w = way; !seen[v][u][w];) {
                    seen[v][u][w] = true;
                    count = add_corner(d, count, u, v, w, again);
                    u += step_x[w];
                    v += step_y[w];
                    const int side = any && (sides[v] >> u & 1) ? -1 : 1;
                    for (int k = 1; k >= -1; k--) {
                        const int next = (w + side * k + WAYS) % WAYS;
                        if (has_edge(u, v, next)) {
                            w = next;
                            break;
                        }
                    }
                }
                d->ends[d->loops++] = count;
            }
        }
    }
}

/* The same face in another place: sheared, which keeps areas, and on its head or not. */
static void shear(drawing *d)
{
    const int along = test_below(7) - 3, up = test_below(5) - 2, sign = test_below(2) ? 1 : -1;
    for (uint32_t i = 0; d->loops > 0 && i < d->ends[d->loops - 1]; i++) {
        const double x = d->corners[i].x + along * d->corners[i].y;
        const double y = d->corners[i].y + up * x;
        d->corners[i] = (sc_flat){sign * x, sign * y};
    }
}

TEST(ears_of_cells)
{
    static drawing d;
    sc_ears ears = {.triangles = NULL};

    for (int round = 0; round < test_rounds(20000); round++) {
        const int width = 1 + test_below(SIDE), height = 1 + test_below(SIDE);
        const int filled = 1 + test_below(9);
        memset(cells, 0, sizeof cells);
        for (int y = 1; y <= height; y++) {
            for (int x = 1; x <= width; x++) {
                cells[y][x] = test_below(10) < filled;
            }
        }
        draw_cells(&d, round % 2, round % 4 >= 2);
        shear(&d);
        if (d.loops == 0) {
            continue;
        }
        const sc_face face = {d.corners, d.ends, d.loops, 0.0};
        double least;
        CHECK(sc_ears_cut(&ears, &face, NULL), "not cut");
        CHECK(have_its_edges(&ears, &face), "round %d: other edges", round);
        const double sum = areas(&ears, d.corners, &least);
        CHECK(sum == (double)d.twice_area, "round %d: twice the area %g, %lld of cells", round, sum,
              d.twice_area);
        CHECK(round % 4 ? least >= 0.0 : least > 0.0, "round %d: a triangle of %g", round, least);
    }
    sc_ears_free(&ears);
}

/* ---- rings ------------------------------------------------------------------- */

/* A ring of corners around a place, which stays beyond one distance from it and within another. */
static uint32_t add_ring(sc_flat *corners, uint32_t count, uint32_t more, sc_flat at, double beyond,
                         double outer, int turns)
{
    const double begin = test_uniform(0.0, 6.28);
    const double inner = beyond / cos(3.141592653589793 / more);
    for (uint32_t i = 0; i < more; i++) {
        const double angle = begin + turns * 6.283185307179586 * i / more;
        const double far = test_uniform(inner, outer);
        corners[count + i] = (sc_flat){at.x + far * cos(angle), at.y + far * sin(angle)};
    }
    return count + more;
}

static double twice_loop(const sc_flat *corners, uint32_t first, uint32_t end)
{
    double sum = 0.0;
    for (uint32_t i = first + 1; i + 1 < end; i++) {
        sum += sc_flat_twice_area(corners[first], corners[i], corners[i + 1]);
    }
    return sum;
}

/* A ring with holes in it, in places of a grid, and islands in some of these. */
static void cut_rings(sc_ears *ears, uint32_t outer, uint32_t side, uint32_t inner)
{
    const uint32_t holes = side * side;
    sc_flat *corners = malloc((outer + 2 * holes * inner) * sizeof *corners);
    uint32_t *ends = malloc((1 + 2 * holes) * sizeof *ends), loops = 0;
    uint32_t count = add_ring(corners, 0, outer, (sc_flat){0.0, 0.0}, 1.5, 4.0, 1);
    double expected = twice_loop(corners, 0, count), least;

    ends[loops++] = count;
    for (uint32_t i = 0; i < holes; i++) {
        const double pitch = 2.0 / side, far = 0.48 * pitch;
        const sc_flat at = {-1.0 + (i % side + 0.5) * pitch, -1.0 + (i / side + 0.5) * pitch};
        for (int island = 0; island <= test_below(2); island++) {
            const uint32_t first = count;
            count = add_ring(corners, count, inner, at, island ? 0.05 * far : 0.4 * far,
                             island ? 0.35 * far : far, island ? 1 : -1);
            expected += twice_loop(corners, first, count);
            ends[loops++] = count;
        }
    }
    const sc_face face = {corners, ends, loops, 0.0};
    CHECK(sc_ears_cut(ears, &face, NULL), "not cut");
    CHECK(have_its_edges(ears, &face), "%u holes: other edges", holes);
    const double sum = areas(ears, corners, &least);
    CHECK(fabs(sum - expected) <= 1e-12 * expected, "%u holes: twice the area %.17g, not %.17g",
          holes, sum, expected);
    CHECK(least > -1e-15, "%u holes: a triangle of %g", holes, least);
    free(corners);
    free(ends);
}

/* A band along a spiral, of which only the ends can be cut off once its outer side is straight. */
static void cut_band(sc_ears *ears, uint32_t side)
{
    const uint32_t count = 2 * side;
    sc_flat *corners = malloc(count * sizeof *corners);
    double least;

    for (uint32_t i = 0; i < side; i++) {
        const double angle = 40.0 * M_PI * i / side, inner = 1.0 + 0.1 * angle;
        const sc_flat way = {cos(angle), sin(angle)};
        corners[i] = (sc_flat){(inner + 0.2) * way.x, (inner + 0.2) * way.y};
        corners[count - 1 - i] = (sc_flat){inner * way.x, inner * way.y};
    }
    const sc_face face = {corners, &count, 1, 0.0};
    CHECK(sc_ears_cut(ears, &face, NULL), "not cut");
    CHECK(have_its_edges(ears, &face), "band: other edges");
    const double sum = areas(ears, corners, &least), expected = twice_loop(corners, 0, count);
    CHECK(fabs(sum - expected) <= 1e-12 * expected, "band: twice the area %.17g, not %.17g", sum,
          expected);
    CHECK(least > -1e-15, "band: a triangle of %g", least);
    free(corners);
}

TEST(ears_of_rings)
{
    sc_ears ears = {.triangles = NULL};
    for (int round = 0; round < test_rounds(2000); round++) {
        cut_rings(&ears, 3 + (uint32_t)test_below(40), (uint32_t)test_below(6),
                  3 + (uint32_t)test_below(12));
    }
    cut_rings(&ears, 20000, 1, 20000); /* large, and not all that slow */
    cut_rings(&ears, 3, 60, 8);
    cut_band(&ears, 20000);
    sc_ears_free(&ears);
}

/* Whatever the corners are, the edges are right. */
TEST(ears_of_anything)
{
    sc_ears ears = {.triangles = NULL};
    sc_flat corners[60];
    uint32_t ends[20];

    for (int round = 0; round < test_rounds(20000); round++) {
        const int range = 1 + test_below(6);
        const uint32_t loops = 1 + (uint32_t)test_below(6);
        uint32_t count = 0;
        for (uint32_t loop = 0; loop < loops; loop++) {
            for (int k = 1 + test_below(9); k > 0; k--) {
                corners[count++] = (sc_flat){test_below(range), test_below(range)};
            }
            ends[loop] = count;
        }
        const sc_face face = {corners, ends, loops, 0.0};
        CHECK(sc_ears_cut(&ears, &face, NULL), "not cut");
        CHECK(have_its_edges(&ears, &face), "round %d: other edges", round);
    }
    sc_ears_free(&ears);
}
