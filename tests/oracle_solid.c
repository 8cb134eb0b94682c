/* oracle_solid.c - see oracle_solid.h. */
#include "oracle_solid.h"

#include "rational3.h"
#include "test.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- tetrahedra: clipping in fractions ------------------------------------- */

/* What is left of a tetrahedron beyond a plane is a tetrahedron or a prism, which three
 * tetrahedra fill: below, a triangle of the prism and the one across from it. */
static const int prism[3][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}};

/* Corners of the part in front of a plane, from the heights over it of four corners:
 * pairs of corner numbers, a point on the edge between them, or a corner twice.
 * Returns their number: 0 (nothing), 4 or 6 (a prism). */
static int cut_corners(const int sign[4], int cut[6][2])
{
    int in[4], out[4], ins = 0, outs = 0;

    for (int i = 0; i < 4; i++) {
        if (sign[i] < 0) {
            out[outs++] = i;
        } else {
            in[ins++] = i;
        }
    }
    if (sign[0] <= 0 && sign[1] <= 0 && sign[2] <= 0 && sign[3] <= 0) {
        return 0;
    }
    switch (outs) {
    case 0:
        for (int i = 0; i < 4; i++) {
            cut[i][0] = cut[i][1] = i;
        }
        return 4;
    case 1:
        for (int i = 0; i < 3; i++) {
            cut[i][0] = cut[i][1] = in[i];
            cut[i + 3][0] = in[i];
            cut[i + 3][1] = out[0];
        }
        return 6;
    case 2:
        for (int i = 0; i < 2; i++) {
            cut[3 * i][0] = cut[3 * i][1] = in[i];
            for (int j = 0; j < 2; j++) {
                cut[3 * i + 1 + j][0] = in[i];
                cut[3 * i + 1 + j][1] = out[j];
            }
        }
        return 6;
    default:
        cut[0][0] = cut[0][1] = in[0];
        for (int i = 0; i < 3; i++) {
            cut[i + 1][0] = in[0];
            cut[i + 1][1] = out[i];
        }
        return 4;
    }
}

/* det[a-d; b-d; c-d] */
static void exact_det(mpq_t det, const rational3 *a, const rational3 *b, const rational3 *c,
                      const rational3 *d)
{
    rational3 row[3];

    rational3_init(row, 3);
    rational3_subtract(&row[0], a, d);
    rational3_subtract(&row[1], b, d);
    rational3_subtract(&row[2], c, d);
    rational3_determinant(det, &row[0], &row[1], &row[2]);
    rational3_clear(row, 3);
}

/* Adds the volume of `piece` that lies in front of planes[first..3], times six; each
 * plane is given by three points and a fourth in front of it. */
static void exact_clip(mpq_t sum, const rational3 piece[4], const rational3 tetra[4], int first)
{
    mpq_t height[4], t;
    int sign[4], cut[6][2];

    mpq_inits(height[0], height[1], height[2], height[3], t, NULL);
    if (first == 4) {
        exact_det(t, &piece[0], &piece[1], &piece[2], &piece[3]);
        mpq_abs(t, t);
        mpq_add(sum, sum, t);
        mpq_clears(height[0], height[1], height[2], height[3], t, NULL);
        return;
    }
    const rational3 *p = &tetra[(first + 1) % 4], *q = &tetra[(first + 2) % 4];
    const rational3 *r = &tetra[(first + 3) % 4];
    exact_det(t, p, q, r, &tetra[first]);
    int front = mpq_sgn(t);
    for (int i = 0; i < 4; i++) {
        exact_det(height[i], p, q, r, &piece[i]);
        sign[i] = front * mpq_sgn(height[i]);
    }
    int corners = cut_corners(sign, cut);
    rational3 corner[6];
    rational3_init(corner, 6);
    for (int c = 0; c < corners; c++) {
        int i = cut[c][0], j = cut[c][1];
        mpq_set_ui(t, 0, 1);
        if (i != j) {
            mpq_sub(t, height[i], height[j]);
            mpq_div(t, height[i], t);
        }
        rational3_subtract(&corner[c], &piece[j], &piece[i]);
        rational3_along(&corner[c], &piece[i], t, &corner[c]);
    }
    for (int n = 0; n < corners - 3; n++) {
        rational3 part[4]; /* the same numbers, not copies of them */
        for (int c = 0; c < 4; c++) {
            part[c] = corner[corners == 4 ? c : prism[n][c]];
        }
        exact_clip(sum, part, tetra, first + 1);
    }
    rational3_clear(corner, 6);
    mpq_clears(height[0], height[1], height[2], height[3], t, NULL);
}

void oracle_tetra_common(mpq_t volume, double a[4][3], double b[4][3])
{
    rational3 p[4], q[4];
    mpq_t six;

    mpq_init(six);
    mpq_set_ui(six, 6, 1);
    rational3_init(p, 4);
    rational3_init(q, 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            mpq_set_d(p[i].c[k], a[i][k]);
            mpq_set_d(q[i].c[k], b[i][k]);
        }
    }
    mpq_set_ui(volume, 0, 1);
    exact_clip(volume, p, q, 0);
    mpq_div(volume, volume, six);
    rational3_clear(p, 4);
    rational3_clear(q, 4);
    mpq_clear(six);
}

/* ---- the same in long double ------------------------------------------------ */

typedef long double near_point[3];

static long double near_det(near_point a, near_point b, near_point c, near_point d)
{
    long double m[3][3];

    for (int k = 0; k < 3; k++) {
        m[0][k] = a[k] - d[k];
        m[1][k] = b[k] - d[k];
        m[2][k] = c[k] - d[k];
    }
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
           m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static long double near_clip(near_point piece[4], near_point tetra[4], int first)
{
    long double height[4], sum = 0;
    near_point corner[6];
    int sign[4], cut[6][2];

    if (first == 4) {
        return fabsl(near_det(piece[0], piece[1], piece[2], piece[3]));
    }
    near_point *p = &tetra[(first + 1) % 4], *q = &tetra[(first + 2) % 4];
    near_point *r = &tetra[(first + 3) % 4];
    long double front = near_det(*p, *q, *r, tetra[first]);
    for (int i = 0; i < 4; i++) {
        height[i] = near_det(*p, *q, *r, piece[i]) * (front > 0 ? 1 : -1);
        sign[i] = (height[i] > 0) - (height[i] < 0);
    }
    int corners = cut_corners(sign, cut);
    for (int c = 0; c < corners; c++) {
        int i = cut[c][0], j = cut[c][1];
        long double t = i == j ? 0 : height[i] / (height[i] - height[j]);
        for (int k = 0; k < 3; k++) {
            corner[c][k] = piece[i][k] + t * (piece[j][k] - piece[i][k]);
        }
    }
    for (int n = 0; n < corners - 3; n++) {
        near_point part[4];
        for (int c = 0; c < 4; c++) {
            memcpy(part[c], corner[corners == 4 ? c : prism[n][c]], sizeof part[c]);
        }
        sum += near_clip(part, tetra, first + 1);
    }
    return sum;
}

double oracle_tetra_estimate(double a[4][3], double b[4][3])
{
    near_point p[4], q[4];

    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            p[i][k] = (long double)a[i][k];
            q[i][k] = (long double)b[i][k];
        }
    }
    return (double)(near_clip(p, q, 0) / 6);
}

double oracle_tetra_fraction(double a[4][3], double b[4][3], int *sign)
{
    mpq_t volume;

    mpq_init(volume);
    oracle_tetra_common(volume, a, b);
    *sign = mpq_sgn(volume);
    double value = mpq_get_d(volume);
    mpq_clear(volume);
    return value;
}

void oracle_tetra_random(int grid, int v[4][3])
{
    double six;

    do {
        double e[3][3];
        for (int i = 0; i < 12; i++) {
            v[i / 3][i % 3] = test_below(grid + 1);
        }
        for (int i = 0; i < 9; i++) {
            e[i / 3][i % 3] = v[1 + i / 3][i % 3] - v[0][i % 3];
        }
        six = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
              e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    } while (six == 0);
    if (six < 0) {
        int swap[3];
        memcpy(swap, v[0], sizeof swap);
        memcpy(v[0], v[1], sizeof swap);
        memcpy(v[1], swap, sizeof swap);
    }
}

void oracle_tetra_doubles(int v[4][3], double d[4][3])
{
    for (int i = 0; i < 12; i++) {
        d[i / 3][i % 3] = v[i / 3][i % 3];
    }
}

/* ---- tetrahedra: telling apart ---------------------------------------------- */

static int64_t dot(const int64_t n[3], const int p[3])
{
    return n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
}

/* The cross product of q - p and s - r. */
static void normal_of(const int p[3], const int q[3], const int r[3], const int s[3], int64_t n[3])
{
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        n[k] = (int64_t)(q[i] - p[i]) * (s[j] - r[j]) - (int64_t)(q[j] - p[j]) * (s[i] - r[i]);
    }
}

static int64_t most(const int64_t n[3], int p[4][3], int sign)
{
    int64_t best = sign * dot(n, p[0]);

    for (int i = 1; i < 4; i++) {
        int64_t here = sign * dot(n, p[i]);
        best = here > best ? here : best;
    }
    return best;
}

/* How far the projections of the two onto n overlap, in units of |n|: negative apart,
 * 0 touching. */
static int64_t common_length(const int64_t n[3], int a[4][3], int b[4][3])
{
    int64_t ab = most(n, a, 1) + most(n, b, -1), ba = most(n, b, 1) + most(n, a, -1);
    return ab < ba ? ab : ba;
}

static bool strictly_inside(int a[4][3], int b[4][3])
{
    for (int i = 0; i < 4; i++) {
        int64_t n[3];
        const int *p = b[(i + 1) % 4];
        normal_of(p, b[(i + 2) % 4], p, b[(i + 3) % 4], n);
        int64_t front = dot(n, b[i]) > dot(n, p) ? 1 : -1;
        for (int j = 0; j < 4; j++) {
            if ((dot(n, a[j]) - dot(n, p)) * front <= 0) {
                return false;
            }
        }
    }
    return true;
}

oracle_relation oracle_tetra_relation(int a[4][3], int b[4][3])
{
    static const int edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    int64_t least = INT64_MAX, n[3];

    for (int i = 0; i < 4; i++) {
        int(*side[2])[3] = {a, b};
        for (int j = 0; j < 2; j++) {
            const int *p = side[j][i], *q = side[j][(i + 1) % 4], *r = side[j][(i + 2) % 4];
            normal_of(p, q, p, r, n);
            int64_t length = common_length(n, a, b);
            least = length < least ? length : least;
        }
    }
    for (int i = 0; i < 36; i++) {
        const int *e = edge[i / 6], *f = edge[i % 6];
        normal_of(a[e[0]], a[e[1]], b[f[0]], b[f[1]], n);
        if (n[0] != 0 || n[1] != 0 || n[2] != 0) {
            int64_t length = common_length(n, a, b);
            least = length < least ? length : least;
        }
    }
    if (least <= 0) {
        return least < 0 ? ORACLE_APART : ORACLE_TOUCH;
    }
    return strictly_inside(a, b)   ? ORACLE_A_INSIDE
           : strictly_inside(b, a) ? ORACLE_B_INSIDE
                                   : ORACLE_OVERLAP;
}

/* ---- lattices --------------------------------------------------------------- */

/* a . (b x c) */
static double det3(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

oracle_frame oracle_frame_plain(void)
{
    return (oracle_frame){{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}

oracle_frame oracle_frame_random(void)
{
    oracle_frame f;

    do {
        for (int i = 0; i < 9; i++) {
            f.axis[i / 3][i % 3] = test_below(5) - 2;
        }
    } while (det3(f.axis[0], f.axis[1], f.axis[2]) == 0.0);
    for (int k = 0; k < 3; k++) {
        f.origin[k] = test_below(21) - 10;
    }
    return f;
}

double oracle_frame_volume(const oracle_frame *f)
{
    return fabs(det3(f->axis[0], f->axis[1], f->axis[2]));
}

double oracle_frame_area(const oracle_frame *f, int axis)
{
    const double *u = f->axis[(axis + 1) % 3], *v = f->axis[(axis + 2) % 3];
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return sqrt(x * x + y * y + z * z);
}

void oracle_frame_place(const oracle_frame *f, const double lattice[3], double place[3])
{
    for (int k = 0; k < 3; k++) {
        place[k] = f->origin[k];
        for (int i = 0; i < 3; i++) {
            place[k] += lattice[i] * f->axis[i][k];
        }
    }
}

/* One facet, counter-clockwise about an outward normal in lattice coordinates. */
static void add_facet(stl_image *image, const oracle_frame *f, const double p[3], const double q[3],
                      const double r[3])
{
    bool mirrored = det3(f->axis[0], f->axis[1], f->axis[2]) < 0;
    const double *corner[3] = {p, mirrored ? r : q, mirrored ? q : r};
    shape_sink sink = stl_image_sink(image);
    shape_facet facet;

    for (int c = 0; c < 3; c++) {
        double place[3];
        oracle_frame_place(f, corner[c], place);
        for (int k = 0; k < 3; k++) {
            facet.corner[c][k] = (float)place[k];
            CHECK((double)facet.corner[c][k] == place[k], "a corner is not a float");
        }
    }
    sink.take(sink.context, &facet);
}

/* A rectangle of a face: `axis` is normal to it, `side` 1 or -1 the way out. */
typedef struct rectangle {
    int axis, side;
    double level;           /* along the axis */
    double low[2], high[2]; /* along the next and the one after, cyclically */
} rectangle;

static void corner_of(const rectangle *r, double u, double v, double p[3])
{
    p[r->axis] = r->level;
    p[(r->axis + 1) % 3] = u;
    p[(r->axis + 2) % 3] = v;
}

static void add_on(stl_image *image, const oracle_frame *f, int side, const double p[3],
                   const double q[3], const double r[3])
{
    if (side > 0) {
        add_facet(image, f, p, q, r);
    } else {
        add_facet(image, f, p, r, q);
    }
}

/* Two triangles along either diagonal, or four about `middle` if that is not NULL. */
static void add_rectangle(stl_image *image, const oracle_frame *f, const rectangle *r,
                          const double middle[2])
{
    double c[4][3], m[3];

    corner_of(r, r->low[0], r->low[1], c[0]);
    corner_of(r, r->high[0], r->low[1], c[1]);
    corner_of(r, r->high[0], r->high[1], c[2]);
    corner_of(r, r->low[0], r->high[1], c[3]);
    if (middle) {
        corner_of(r, middle[0], middle[1], m);
        for (int i = 0; i < 4; i++) {
            add_on(image, f, r->side, c[i], c[(i + 1) % 4], m);
        }
        return;
    }
    int first = test_below(4);
    for (int i = 0; i < 2; i++) {
        int at = (first + 2 * i) % 4;
        add_on(image, f, r->side, c[at], c[(at + 1) % 4], c[(at + 2) % 4]);
    }
}

/* ---- voxel solids ------------------------------------------------------------ */

bool oracle_voxels_at(const oracle_voxels *v, int x, int y, int z)
{
    return x >= 0 && y >= 0 && z >= 0 && x < v->n && y < v->n && z < v->n && v->set[x][y][z];
}

oracle_voxels oracle_voxels_random(int n, double chance)
{
    oracle_voxels v = {.n = n};

    for (int i = 0; i < n * n * n; i++) {
        v.set[i / n / n][i / n % n][i % n] = test_uniform(0, 1) < chance;
    }
    int x = test_below(n), y = test_below(n), z = test_below(n);
    v.set[x][y][z] = true;
    return v;
}

oracle_voxels oracle_voxels_refined(const oracle_voxels *v)
{
    oracle_voxels fine = {.n = 2 * v->n};

    for (int i = 0; i < fine.n * fine.n * fine.n; i++) {
        int x = i / fine.n / fine.n, y = i / fine.n % fine.n, z = i % fine.n;
        fine.set[x][y][z] = v->set[x / 2][y / 2][z / 2];
    }
    return fine;
}

stl_image oracle_voxels_mesh(const oracle_voxels *v, const int shift[3], const oracle_frame *f)
{
    stl_image image = make_facets(NULL, 0);
    int n = v->n;

    for (int i = 0; i < n * n * n; i++) {
        int cell[3] = {i / n / n, i / n % n, i % n};
        for (int face = 0; face < 6 && v->set[cell[0]][cell[1]][cell[2]]; face++) {
            int axis = face / 2, side = face % 2 ? 1 : -1, next[3] = {cell[0], cell[1], cell[2]};
            next[axis] += side;
            if (!oracle_voxels_at(v, next[0], next[1], next[2])) {
                int u = (axis + 1) % 3, w = (axis + 2) % 3;
                double low[2] = {cell[u] + shift[u], cell[w] + shift[w]};
                rectangle r = {.axis = axis,
                               .side = side,
                               .level = cell[axis] + shift[axis] + (side > 0),
                               .low = {low[0], low[1]},
                               .high = {low[0] + 1, low[1] + 1}};
                add_rectangle(&image, f, &r, NULL);
            }
        }
    }
    return image;
}

enum { SPAN = ORACLE_VOXELS + 2 }; /* the cells of A and one more about them */

/* How many pieces the marked cells form, joined where they share a face, or a corner. */
static int count_pieces(bool mark[SPAN][SPAN][SPAN], bool by_corners)
{
    static int stack[SPAN * SPAN * SPAN];
    bool left[SPAN][SPAN][SPAN];
    int pieces = 0;

    memcpy(left, mark, sizeof left);
    for (int start = 0; start < SPAN * SPAN * SPAN; start++) {
        int count = 0;
        if (left[start / SPAN / SPAN][start / SPAN % SPAN][start % SPAN]) {
            left[start / SPAN / SPAN][start / SPAN % SPAN][start % SPAN] = false;
            stack[count++] = start;
            pieces++;
        }
        while (count > 0) {
            int at = stack[--count];
            for (int i = 0; i < 27; i++) {
                int d[3] = {i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1};
                int x = at / SPAN / SPAN + d[0], y = at / SPAN % SPAN + d[1], z = at % SPAN + d[2];
                if (!by_corners && d[0] * d[0] + d[1] * d[1] + d[2] * d[2] != 1) {
                    continue;
                }
                if (x >= 0 && y >= 0 && z >= 0 && x < SPAN && y < SPAN && z < SPAN &&
                    left[x][y][z]) {
                    left[x][y][z] = false;
                    stack[count++] = (x * SPAN + y) * SPAN + z;
                }
            }
        }
    }
    return pieces;
}

/* How many of the eight cells about a lattice point are set. */
static int set_about(const oracle_voxels *v, int x, int y, int z)
{
    int count = 0;

    for (int i = 0; i < 8; i++) {
        count += oracle_voxels_at(v, x - (i & 1), y - (i >> 1 & 1), z - (i >> 2 & 1));
    }
    return count;
}

/* Faces of cells meet in lattice points if they meet at all, so the surfaces meet where
 * both parts have set cells and free ones about a point. */
oracle_voxels_pair oracle_voxels_compare(const oracle_voxels *a, const oracle_voxels *b,
                                         const int shift[3])
{
    static bool mark[SPAN][SPAN][SPAN];
    oracle_voxels_pair pair = {
        .bounds = {{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}}};
    int in_a = 0, in_b = 0;
    bool surfaces_meet = false;

    memset(mark, 0, sizeof mark);
    for (int x = 0; x <= a->n; x++) {
        for (int y = 0; y <= a->n; y++) {
            for (int z = 0; z <= a->n; z++) {
                int p[3] = {x, y, z}, q[3] = {x - shift[0], y - shift[1], z - shift[2]};
                int about_a = set_about(a, x, y, z), about_b = set_about(b, q[0], q[1], q[2]);
                surfaces_meet |= about_a > 0 && about_a < 8 && about_b > 0 && about_b < 8;
                bool at_a = oracle_voxels_at(a, x, y, z),
                     at_b = oracle_voxels_at(b, q[0], q[1], q[2]);
                in_a += at_a;
                if (at_a && at_b) {
                    mark[x + 1][y + 1][z + 1] = true;
                    pair.common++;
                    for (int k = 0; k < 3; k++) {
                        pair.bounds[0][k] = p[k] < pair.bounds[0][k] ? p[k] : pair.bounds[0][k];
                        pair.bounds[1][k] =
                            p[k] + 1 > pair.bounds[1][k] ? p[k] + 1 : pair.bounds[1][k];
                        pair.centroid[k] += p[k] + 0.5;
                    }
                }
                for (int k = 0; k < 3; k++) { /* the face below the cell along axis k */
                    int d[3] = {k == 0, k == 1, k == 2};
                    bool below_a = oracle_voxels_at(a, x - d[0], y - d[1], z - d[2]);
                    bool below_b = oracle_voxels_at(b, q[0] - d[0], q[1] - d[1], q[2] - d[2]);
                    pair.touching[k] += at_a != below_a && at_b != below_b && at_a != at_b;
                }
            }
        }
    }
    for (int i = 0; i < b->n * b->n * b->n; i++) {
        in_b += b->set[i / b->n / b->n][i / b->n % b->n][i % b->n];
    }
    for (int k = 0; k < 3 && pair.common > 0; k++) {
        pair.centroid[k] /= pair.common;
    }
    pair.components_least = count_pieces(mark, true);
    pair.components_most = count_pieces(mark, false);
    if (surfaces_meet) {
        pair.relation = pair.common > 0 ? ORACLE_OVERLAP : ORACLE_TOUCH;
    } else if (pair.common == 0) {
        pair.relation = ORACLE_APART;
    } else {
        pair.relation = pair.common == in_a   ? ORACLE_A_INSIDE
                        : pair.common == in_b ? ORACLE_B_INSIDE
                                              : ORACLE_PARTLY_INSIDE;
    }
    return pair;
}

/* ---- boxes with T-junctions --------------------------------------------------- */

/* A place strictly between, if there is one that is allowed. */
static bool cut_between(double low, double high, double unit, double *cut)
{
    if (unit > 0) {
        int steps = (int)((high - low) / unit);
        if (steps < 2) {
            return false;
        }
        *cut = low + unit * (1 + test_below(steps - 1));
        return true;
    }
    float rounded[1];
    rounded[0] = (float)test_uniform(low, high);
    *cut = (double)rounded[0];
    return *cut > low && *cut < high;
}

static void split(stl_image *image, const oracle_frame *f, const rectangle *r, double unit,
                  int depth)
{
    int along = test_below(2);
    double cut, middle[2];

    if (depth > 0 && test_below(4) > 0 && cut_between(r->low[along], r->high[along], unit, &cut)) {
        rectangle half[2] = {*r, *r};
        half[0].high[along] = half[1].low[along] = cut;
        split(image, f, &half[0], unit, depth - 1);
        split(image, f, &half[1], unit, depth - 1);
    } else if (test_below(3) == 0 && cut_between(r->low[0], r->high[0], unit, &middle[0]) &&
               cut_between(r->low[1], r->high[1], unit, &middle[1])) {
        add_rectangle(image, f, r, middle);
    } else {
        add_rectangle(image, f, r, NULL);
    }
}

stl_image oracle_split_box(const double low[3], const double high[3], double unit,
                           const oracle_frame *f)
{
    stl_image image = make_facets(NULL, 0);

    for (int face = 0; face < 6; face++) {
        int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
        rectangle r = {.axis = axis,
                       .side = face % 2 ? 1 : -1,
                       .level = face % 2 ? high[axis] : low[axis],
                       .low = {low[u], low[v]},
                       .high = {high[u], high[v]}};
        split(&image, f, &r, unit, 3);
    }
    return image;
}

/* ---- sums over all facets ------------------------------------------------------ */

static void facet_from(const stl_image *image, size_t index, const double p[3], double v[3][3])
{
    shape_facet facet = image_get(image, index);

    for (int c = 0; c < 3; c++) {
        for (int k = 0; k < 3; k++) {
            v[c][k] = (double)facet.corner[c][k] - p[k];
        }
    }
}

static double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* tan(angle / 2) = det(a, b, c) / (abc + (a.b)c + (b.c)a + (c.a)b), van Oosterom and
 * Strackee, 1983. */
double oracle_winding(const stl_image *image, const double p[3])
{
    const double two_pi = 6.283185307179586477;
    double sum = 0, v[3][3];

    for (size_t i = 0; i < image_facets(image); i++) {
        facet_from(image, i, p, v);
        double a = sqrt(dot3(v[0], v[0])), b = sqrt(dot3(v[1], v[1])), c = sqrt(dot3(v[2], v[2]));
        sum += atan2(det3(v[0], v[1], v[2]), a * b * c + dot3(v[0], v[1]) * c +
                                                 dot3(v[1], v[2]) * a + dot3(v[2], v[0]) * b);
    }
    return sum / two_pi;
}

double oracle_volume(const stl_image *image)
{
    const double zero[3] = {0, 0, 0};
    long double sum = 0; /* the sum itself must not round */
    double v[3][3];

    for (size_t i = 0; i < image_facets(image); i++) {
        facet_from(image, i, zero, v);
        sum += (long double)det3(v[0], v[1], v[2]) / 6;
    }
    return (double)sum;
}

/* From the origin to the triangle: its plane where the foot falls inside, else edges. */
static double distance_to(double v[3][3])
{
    double e[3], f[3], best = INFINITY;

    for (int k = 0; k < 3; k++) {
        e[k] = v[1][k] - v[0][k];
        f[k] = v[2][k] - v[0][k];
    }
    double ee = dot3(e, e), ef = dot3(e, f), ff = dot3(f, f), det = ee * ff - ef * ef;
    double we = -dot3(v[0], e), wf = -dot3(v[0], f);
    double s = (ff * we - ef * wf) / det, t = (ee * wf - ef * we) / det;
    if (det > 0 && s >= 0 && t >= 0 && s + t <= 1) {
        double x = 0;
        for (int k = 0; k < 3; k++) {
            double at = v[0][k] + s * e[k] + t * f[k];
            x += at * at;
        }
        return sqrt(x);
    }
    for (int i = 0; i < 3; i++) {
        double u[3], x = 0;
        for (int k = 0; k < 3; k++) {
            u[k] = v[(i + 1) % 3][k] - v[i][k];
        }
        double at = dot3(u, u) > 0 ? -dot3(v[i], u) / dot3(u, u) : 0;
        at = at < 0 ? 0 : at > 1 ? 1 : at;
        for (int k = 0; k < 3; k++) {
            x += (v[i][k] + at * u[k]) * (v[i][k] + at * u[k]);
        }
        best = fmin(best, sqrt(x));
    }
    return best;
}

double oracle_distance(const stl_image *image, const double p[3])
{
    double best = INFINITY, v[3][3];

    for (size_t i = 0; i < image_facets(image); i++) {
        facet_from(image, i, p, v);
        best = fmin(best, distance_to(v));
    }
    return best;
}

/* ---- depth of convex solids ---------------------------------------------------- */

oracle_convex oracle_convex_of(const stl_image *image)
{
    const double zero[3] = {0, 0, 0};
    oracle_convex c = {0};

    for (size_t i = 0; i < image_facets(image); i++) {
        double v[3][3], n[3], length, offset;
        bool known = false;
        facet_from(image, i, zero, v);
        for (int k = 0; k < 3; k++) {
            int x = (k + 1) % 3, y = (k + 2) % 3;
            n[k] = (v[1][x] - v[0][x]) * (v[2][y] - v[0][y]) -
                   (v[1][y] - v[0][y]) * (v[2][x] - v[0][x]);
        }
        length = sqrt(dot3(n, n));
        for (int k = 0; k < 3; k++) {
            n[k] /= length;
        }
        offset = dot3(n, v[0]);
        for (int j = 0; j < c.count; j++) {
            known |= dot3(n, c.normal[j]) > 1 - 1e-12 && fabs(offset - c.offset[j]) < 1e-9;
        }
        if (!known && c.count < ORACLE_PLANES) {
            memcpy(c.normal[c.count], n, sizeof n);
            c.offset[c.count++] = offset;
        }
    }
    return c;
}

double oracle_convex_inside(const oracle_convex *c, const double p[3])
{
    double least = INFINITY;

    for (int i = 0; i < c->count; i++) {
        least = fmin(least, c->offset[i] - dot3(c->normal[i], p));
    }
    return least;
}

/* Solves four equations m x = m[.][4] by elimination; false if they are not regular. */
static bool solve4(double m[4][5], double x[4])
{
    for (int k = 0; k < 4; k++) {
        int best = k;
        for (int i = k + 1; i < 4; i++) {
            best = fabs(m[i][k]) > fabs(m[best][k]) ? i : best;
        }
        if (fabs(m[best][k]) < 1e-9) {
            return false;
        }
        for (int j = 0; j < 5; j++) {
            double t = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = t;
        }
        for (int i = 0; i < 4; i++) {
            double factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j < 5 && i != k; j++) {
                m[i][j] -= factor * m[k][j];
            }
        }
    }
    for (int k = 0; k < 4; k++) {
        x[k] = m[k][4] / m[k][k];
    }
    return true;
}

/* The largest r with normal . p + r <= offset in `deep` and normal . p <= offset in
 * `other`. The optimum is a corner: four of the constraints hold with equality. */
static double deepest(const oracle_convex *deep, const oracle_convex *other)
{
    int count = deep->count + other->count;
    double row[2 * ORACLE_PLANES][5], best = -INFINITY, scale = 0;

    for (int i = 0; i < count; i++) {
        const oracle_convex *c = i < deep->count ? deep : other;
        int j = i < deep->count ? i : i - deep->count;
        memcpy(row[i], c->normal[j], sizeof c->normal[j]);
        row[i][3] = c == deep ? 1 : 0;
        row[i][4] = c->offset[j];
        scale = fmax(scale, fabs(c->offset[j]));
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++) {
                for (int l = 0; l < k && l < deep->count; l++) {
                    double m[4][5], x[4];
                    memcpy(m[0], row[i], sizeof m[0]);
                    memcpy(m[1], row[j], sizeof m[1]);
                    memcpy(m[2], row[k], sizeof m[2]);
                    memcpy(m[3], row[l], sizeof m[3]);
                    bool ok = solve4(m, x) && x[3] > best;
                    for (int c = 0; c < count && ok; c++) {
                        ok = dot3(row[c], x) + row[c][3] * x[3] <= row[c][4] + 1e-11 * scale;
                    }
                    best = ok ? x[3] : best;
                }
            }
        }
    }
    return best;
}

double oracle_convex_depth(const oracle_convex *a, const oracle_convex *b)
{
    return fmax(deepest(a, b), deepest(b, a));
}
