/* shapes.c - each shape is a set of patches, each patch a grid of cells, each cell
 * two triangles (one in the fans of a cylinder's caps). The file holds, patch by
 * patch, the first triangle of every cell row by row, then the second ones:
 *
 *     d---c     column + 1        cells alternate between the diagonals a-c and b-d
 *     |   |                       so that no direction is favoured
 *     a---b     column
 *    row  row + 1                                                                  */
#include "shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct vector {
    double x, y, z;
} vector;

typedef struct patch {
    uint32_t rows, columns;
    int triangles;  /* of a cell: 2, or 1 in a fan */
    bool alternate; /* diagonals */
    bool flip;      /* the grid's own normal points inwards */
} patch;

/* ---- files ---------------------------------------------------------------- */

static void encode32(unsigned char *bytes, uint32_t word)
{
    for (int k = 0; k < 4; k++) {
        bytes[k] = (unsigned char)(word >> (8 * k));
    }
}

static void encode_float(unsigned char *bytes, float value)
{
    uint32_t word;
    memcpy(&word, &value, 4);
    encode32(bytes, word);
}

void stl_encode_header(unsigned char bytes[STL_HEADER_SIZE], uint32_t facets)
{
    static const char title[] = "stlclash sample";
    memset(bytes, ' ', 80);
    memcpy(bytes, title, sizeof title - 1);
    encode32(bytes + 80, facets);
}

void stl_encode_facet(unsigned char bytes[STL_RECORD_SIZE], const shape_facet *facet)
{
    double u[3], v[3], normal[3], length;

    for (int k = 0; k < 3; k++) {
        u[k] = (double)facet->corner[1][k] - (double)facet->corner[0][k];
        v[k] = (double)facet->corner[2][k] - (double)facet->corner[0][k];
    }
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
    length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (int k = 0; k < 3; k++) {
        /* + 0: no negative zeros */
        encode_float(bytes + 4 * k, length > 0 ? (float)(normal[k] / length) + 0.0f : 0.0f);
        for (int c = 0; c < 3; c++) {
            encode_float(bytes + 12 + 12 * c + 4 * k, facet->corner[c][k]);
        }
    }
    bytes[48] = bytes[49] = 0;
}

bool stl_image_append(stl_image *image, const void *bytes, size_t size)
{
    if (size > image->capacity - image->size) {
        size_t capacity = 2 * image->capacity + size + 256;
        unsigned char *grown = realloc(image->bytes, capacity);
        if (!grown) {
            return false;
        }
        image->bytes = grown;
        image->capacity = capacity;
    }
    memcpy(image->bytes + image->size, bytes, size);
    image->size += size;
    return true;
}

static bool image_take(void *context, const shape_facet *facet)
{
    stl_image *image = context;
    unsigned char header[STL_HEADER_SIZE], record[STL_RECORD_SIZE];

    if (image->size == 0) {
        stl_encode_header(header, 0);
        if (!stl_image_append(image, header, sizeof header)) {
            return false;
        }
    }
    stl_encode_facet(record, facet);
    if (!stl_image_append(image, record, sizeof record)) {
        return false;
    }
    encode32(image->bytes + 80, (uint32_t)((image->size - STL_HEADER_SIZE) / STL_RECORD_SIZE));
    return true;
}

shape_sink stl_image_sink(stl_image *image)
{
    return (shape_sink){image_take, image};
}

/* ---- vertices ------------------------------------------------------------- */

static vector turned(const double turn[3][3], vector p)
{
    return (vector){turn[0][0] * p.x + turn[0][1] * p.y + turn[0][2] * p.z,
                    turn[1][0] * p.x + turn[1][1] * p.y + turn[1][2] * p.z,
                    turn[2][0] * p.x + turn[2][1] * p.y + turn[2][2] * p.z};
}

static double relief_at(shape_relief relief, vector d)
{
    switch (relief) {
    case SHAPE_BUMPS:
        return 1 + 0.05 * sin(5 * d.x + 1) * sin(4 * d.y + 2) * sin(6 * d.z + 0.5) +
               0.02 * sin(17 * d.x) * sin(19 * d.y + 0.3) + 0.01 * sin(41 * d.z + 11 * d.x);
    case SHAPE_RIPPLES_A: return 1 + 0.01 * sin(23 * d.x + 1) * sin(29 * d.y + 2) * sin(27 * d.z);
    case SHAPE_RIPPLES_B: return 1 + 0.01 * sin(25 * d.x + 2) * sin(21 * d.y) * sin(31 * d.z + 1);
    case SHAPE_PLAIN: break;
    }
    return 1;
}

/* The lattice point of a cell corner on face `face` of a box: axis face / 2, the low
 * side for even faces. Neighbouring faces get the same point on their common edge. */
static void lattice(const uint32_t cells[3], int face, uint32_t row, uint32_t column,
                    uint32_t at[3])
{
    int axis = face / 2;
    at[axis] = face % 2 ? cells[axis] : 0;
    at[(axis + 1) % 3] = row;
    at[(axis + 2) % 3] = column;
}

static vector box_vertex(const shape *s, int face, uint32_t row, uint32_t column)
{
    uint32_t at[3];
    double p[3];

    lattice(s->cells, face, row, column, at);
    for (int k = 0; k < 3; k++) {
        /* at / cells is exactly 1 at the far end: the faces lie where they should */
        p[k] = s->low[k] + (s->high[k] - s->low[k]) * ((double)at[k] / s->cells[k]);
    }
    return (vector){p[0], p[1], p[2]};
}

static vector sphere_vertex(const shape *s, int face, uint32_t row, uint32_t column)
{
    const uint32_t cells[3] = {s->cells[0], s->cells[0], s->cells[0]};
    uint32_t at[3];
    double p[3], length, r;
    vector d;

    lattice(cells, face, row, column, at);
    for (int k = 0; k < 3; k++) {
        p[k] = tan((2.0 * at[k] - cells[k]) / cells[k] * (pi / 4));
    }
    length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    d = turned(s->grid_turn, (vector){p[0] / length, p[1] / length, p[2] / length});
    r = s->radius[0] * relief_at(s->relief, d);
    return (vector){r * d.x, r * d.y, r * d.z};
}

static vector torus_vertex(const shape *s, uint32_t row, uint32_t column)
{
    double u = (row % s->cells[0]) * (2 * pi / s->cells[0]);
    double v = (column % s->cells[1]) * (2 * pi / s->cells[1]);
    double r = s->radius[0] + s->radius[1] * cos(v);
    return (vector){r * cos(u), r * sin(u), s->radius[1] * sin(v)};
}

enum { GEAR_TEETH = 24 };
static const double gear_bore = 0.45, gear_width = 0.4;

/* How many cells of a gear's section are on a face, and on the height. */
static void gear_section(double facets, double around, uint32_t *face, uint32_t *height)
{
    double rest = fmax(4, rint(facets / (2 * around)));
    double up = fmax(1, rint(rest * 0.2));
    *height = (uint32_t)up;
    *face = (uint32_t)fmax(1, floor((rest - 2 * up) / 2));
}

/* The tooth's outline: radius at `phase` in 0..1 of a pitch; root, flank, tip, flank, root. */
static double tooth(double phase)
{
    const double root = 1 - 0.090, tip = 1 + 0.070;
    double rise = phase < 0.5 ? (phase - 0.2) / 0.2 : (0.8 - phase) / 0.2;
    return root + (tip - root) * fmin(1, fmax(0, rise));
}

/* A place in the section of what turns about z and is bored: a loop, bottom face outwards, outer
 * wall up, top face inwards, bore down. `out` runs from the bore, 0, to the outer wall, 1. */
typedef struct section_place {
    double out, z;
} section_place;

static section_place section_at(const shape *s, double length, uint32_t column)
{
    uint32_t face = s->cells[2], height = s->cells[1] / 2 - face, place = column % s->cells[1];

    if (place < face) {
        return (section_place){(double)place / face, 0};
    }
    if (place < face + height) {
        return (section_place){1, length * (place - face) / height};
    }
    if (place < 2 * face + height) {
        return (section_place){(double)(2 * face + height - place) / face, length};
    }
    return (section_place){0, length * (s->cells[1] - place) / height};
}

static vector section_vertex(section_place at, double bore, double outer, double angle)
{
    double r = bore + (outer - bore) * at.out;
    return (vector){r * cos(angle), r * sin(angle), at.z};
}

static vector gear_vertex(const shape *s, uint32_t row, uint32_t column)
{
    uint32_t pitch = s->cells[0] / GEAR_TEETH, around = row % s->cells[0];
    double angle = (double)around / s->cells[0] * (2 * pi);
    return section_vertex(section_at(s, gear_width, column), gear_bore,
                          tooth((double)(around % pitch) / pitch), angle);
}

static const double thread_depth = 0.06, thread_lead = 0.125;

/* Of a thread: how far above its root, a ridge that winds up to the right. */
static double ridge(double z, double angle)
{
    double turns = z / thread_lead - angle / (2 * pi);
    return thread_depth * (1 - fabs(2 * (turns - floor(turns)) - 1));
}

/* With ridges on the outer wall of a screw, and in the bore of a nut, as wide as the screw that
 * fits. */
static vector bored_vertex(const shape *s, uint32_t row, uint32_t column)
{
    double angle = (double)(row % s->cells[0]) / s->cells[0] * (2 * pi);
    section_place at = section_at(s, s->length, column);
    double wall = s->kind == SHAPE_SLEEVE ? 0.0 : ridge(s->start + at.z, angle);
    double in = s->kind == SHAPE_NUT ? wall : 0.0, out = s->kind == SHAPE_SCREW ? wall : 0.0;
    return section_vertex(at, s->radius[0] + in, s->radius[1] + out, angle);
}

/* Patch 0 is the side, 1 and 2 are the fans at -length / 2 and + length / 2. */
static vector cylinder_vertex(const shape *s, int which, uint32_t row, uint32_t column)
{
    double angle = (row % s->cells[0]) * (2 * pi / s->cells[0]);
    bool far = which == 2 || (which == 0 && column == 1);
    double x = far ? s->length / 2 : -s->length / 2;

    if (which > 0 && column == 1) {
        return (vector){x, 0, 0};
    }
    return (vector){x, s->radius[0] * cos(angle), s->radius[0] * sin(angle)};
}

static void vertex(const shape *s, int which, uint32_t row, uint32_t column, float out[3])
{
    vector p = {0, 0, 0};

    switch (s->kind) {
    case SHAPE_BOX: p = box_vertex(s, which, row, column); break;
    case SHAPE_SPHERE: p = sphere_vertex(s, which, row, column); break;
    case SHAPE_TORUS: p = torus_vertex(s, row, column); break;
    case SHAPE_GEAR: p = gear_vertex(s, row, column); break;
    case SHAPE_SCREW:
    case SHAPE_NUT:
    case SHAPE_SLEEVE: p = bored_vertex(s, row, column); break;
    case SHAPE_CYLINDER: p = cylinder_vertex(s, which, row, column); break;
    }
    p = turned(s->turn, p);
    /* + 0: 0 and -0 are one place, but not one pattern of bits */
    out[0] = (float)(p.x + s->shift[0]) + 0.0f;
    out[1] = (float)(p.y + s->shift[1]) + 0.0f;
    out[2] = (float)(p.z + s->shift[2]) + 0.0f;
}

/* ---- patches -------------------------------------------------------------- */

static int patch_count(const shape *s)
{
    return s->kind == SHAPE_BOX || s->kind == SHAPE_SPHERE ? 6 : s->kind == SHAPE_CYLINDER ? 3 : 1;
}

static patch patch_of(const shape *s, int which)
{
    switch (s->kind) {
    case SHAPE_BOX:
        return (patch){s->cells[(which / 2 + 1) % 3], s->cells[(which / 2 + 2) % 3], 2, true,
                       which % 2 == 0};
    case SHAPE_SPHERE: return (patch){s->cells[0], s->cells[0], 2, true, which % 2 == 0};
    case SHAPE_CYLINDER: return (patch){s->cells[0], 1, which == 0 ? 2 : 1, false, which == 1};
    case SHAPE_TORUS:
    case SHAPE_GEAR:
    case SHAPE_SCREW:
    case SHAPE_NUT:
    case SHAPE_SLEEVE: break;
    }
    return (patch){s->cells[0], s->cells[1], 2, true, false};
}

static uint64_t patch_facets(patch p)
{
    return (uint64_t)p.rows * p.columns * (uint64_t)p.triangles;
}

/* Which corners of the cell, a to d from 0, triangle `second` of a cell has. */
static void cell_triangle(patch p, uint32_t row, uint32_t column, bool second, int corner[3])
{
    static const int triangles[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
    bool other = p.alternate && (row + column) % 2 == 0;

    memcpy(corner, triangles[other][second], 3 * sizeof corner[0]);
    if (p.flip) {
        int swap = corner[1];
        corner[1] = corner[2];
        corner[2] = swap;
    }
}

static uint32_t copy_count(const shape *s)
{
    return s->copies[0] * s->copies[1] > 1 ? s->copies[0] * s->copies[1] : 1;
}

/* One of the copies. */
static shape copy_of(const shape *s, uint32_t number)
{
    shape copy = *s;
    const uint32_t count = copy_count(s);
    if (count > 1) {
        copy.radius[1] += s->wider * number / (count - 1);
        copy.shift[0] += s->pitch * (number % s->copies[0]);
        copy.shift[1] += s->pitch * (number / s->copies[0]);
        copy.copies[0] = copy.copies[1] = 0;
    }
    return copy;
}

static uint64_t copy_facets(const shape *s)
{
    uint64_t sum = 0;
    for (int which = 0; which < patch_count(s); which++) {
        sum += patch_facets(patch_of(s, which));
    }
    return sum;
}

uint64_t shape_facets(const shape *s)
{
    return copy_count(s) * copy_facets(s);
}

static uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A random permutation of 0..count-1 that needs no memory: four Feistel rounds over
 * the next even number of bits, again and again until the result is in range. */
static uint64_t permuted(uint64_t index, uint64_t count, uint64_t seed)
{
    unsigned half = 1;

    while (half < 32 && (uint64_t)1 << (2 * half) < count) {
        half++;
    }
    do {
        uint64_t mask = ((uint64_t)1 << half) - 1, left = index >> half, right = index & mask;
        for (uint64_t round = 1; round <= 4; round++) {
            uint64_t next = left ^ (mixed(right + mixed(seed + round)) & mask);
            left = right;
            right = next;
        }
        index = left << half | right;
    } while (index >= count);
    return index;
}

shape_facet shape_at(const shape *all, uint64_t index)
{
    shape_facet facet;
    patch p;
    int which = 0, corner[3];
    uint64_t cells, cell;
    uint32_t row, column;

    if (all->shuffle) {
        index = permuted(index, shape_facets(all), all->shuffle);
    }
    const shape one = copy_of(all, (uint32_t)(index / copy_facets(all))), *s = &one;
    index %= copy_facets(all);
    for (p = patch_of(s, 0); index >= patch_facets(p); p = patch_of(s, ++which)) {
        index -= patch_facets(p);
    }
    cells = (uint64_t)p.rows * p.columns;
    cell = index % cells;
    row = (uint32_t)(cell / p.columns);
    column = (uint32_t)(cell % p.columns);
    cell_triangle(p, row, column, index >= cells, corner);
    for (int c = 0; c < 3; c++) {
        vertex(s, which, row + (corner[c] == 1 || corner[c] == 2), column + (corner[c] >= 2),
               facet.corner[c]);
    }
    return facet;
}

static void fill_row(const shape *s, int which, uint32_t row, uint32_t columns, float (*line)[3])
{
    for (uint32_t column = 0; column <= columns; column++) {
        vertex(s, which, row, column, line[column]);
    }
}

/* The first or second triangles of all cells of a patch; `line` has room for two rows
 * of vertices, so that each is computed once. */
static bool emit_half(const shape *s, int which, bool second, float (*line[2])[3], shape_sink sink)
{
    patch p = patch_of(s, which);

    fill_row(s, which, 0, p.columns, line[0]);
    for (uint32_t row = 0; row < p.rows; row++) {
        float(*near)[3] = line[row % 2], (*next)[3] = line[(row + 1) % 2];
        fill_row(s, which, row + 1, p.columns, next);
        for (uint32_t column = 0; column < p.columns; column++) {
            const float *cell[4] = {near[column], next[column], next[column + 1], near[column + 1]};
            shape_facet facet;
            int corner[3];
            cell_triangle(p, row, column, second, corner);
            for (int c = 0; c < 3; c++) {
                memcpy(facet.corner[c], cell[corner[c]], sizeof facet.corner[c]);
            }
            if (!sink.take(sink.context, &facet)) {
                return false;
            }
        }
    }
    return true;
}

static bool emit_copy(const shape *s, shape_sink sink)
{
    bool ok = true;
    for (int which = 0; which < patch_count(s) && ok; which++) {
        patch p = patch_of(s, which);
        float(*line[2])[3];
        line[0] = malloc(((size_t)p.columns + 1) * sizeof *line[0]);
        line[1] = malloc(((size_t)p.columns + 1) * sizeof *line[1]);
        ok = line[0] && line[1] && emit_half(s, which, false, line, sink) &&
             (p.triangles == 1 || emit_half(s, which, true, line, sink));
        free(line[0]);
        free(line[1]);
    }
    return ok;
}

bool shape_emit(const shape *s, shape_sink sink)
{
    const uint64_t count = shape_facets(s);
    const uint32_t copies = copy_count(s);
    bool ok = true;

    if (s->shuffle) {
        for (uint64_t i = 0; i < count && ok; i++) {
            shape_facet facet = shape_at(s, i);
            ok = sink.take(sink.context, &facet);
        }
        return ok;
    }
    for (uint32_t k = 0; k < copies && ok; k++) {
        const shape copy = copy_of(s, k);
        ok = emit_copy(&copy, sink);
    }
    return ok;
}

/* ---- shapes --------------------------------------------------------------- */

void shape_rotation(double turn[3][3], double x, double y, double z)
{
    double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y), cz = cos(z), sz = sin(z);
    const double product[3][3] = {{cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx},
                                  {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx},
                                  {-sy, cy * sx, cy * cx}};
    memcpy(turn, product, sizeof product);
}

static shape placed_nowhere(shape_kind kind)
{
    shape s = {.kind = kind};
    for (int k = 0; k < 3; k++) {
        s.turn[k][k] = s.grid_turn[k][k] = 1;
    }
    return s;
}

static uint32_t at_least(double low, double value)
{
    return (uint32_t)fmax(low, rint(value));
}

shape shape_box(double facets, const double low[3], const double high[3])
{
    shape s = placed_nowhere(SHAPE_BOX);
    double extent[3], area, pitch;

    for (int k = 0; k < 3; k++) {
        s.low[k] = low[k];
        s.high[k] = high[k];
        extent[k] = high[k] - low[k];
    }
    area = 2 * (extent[0] * extent[1] + extent[1] * extent[2] + extent[2] * extent[0]);
    pitch = sqrt(area * 2 / facets);
    for (int k = 0; k < 3; k++) {
        s.cells[k] = at_least(1, extent[k] / pitch);
    }
    return s;
}

shape shape_sphere(double facets, double radius, shape_relief relief)
{
    shape s = placed_nowhere(SHAPE_SPHERE);
    s.cells[0] = at_least(2, sqrt(facets / 12));
    s.radius[0] = radius;
    s.relief = relief;
    return s;
}

shape shape_torus(double facets, double ring, double tube)
{
    shape s = placed_nowhere(SHAPE_TORUS);
    s.cells[1] = at_least(6, sqrt(facets / 4));
    s.cells[0] = at_least(8, facets / (2.0 * s.cells[1]));
    s.radius[0] = ring;
    s.radius[1] = tube;
    return s;
}

shape shape_gear(double facets)
{
    shape s = placed_nowhere(SHAPE_GEAR);
    uint32_t face, height;

    s.cells[0] = GEAR_TEETH * 8 * at_least(1, sqrt(facets / (2 * GEAR_TEETH * 8 * 6)));
    gear_section(facets, s.cells[0], &face, &height);
    s.cells[1] = 2 * (face + height);
    s.cells[2] = face;
    return s;
}

/* Cells of a wall are a sixth as high as they are wide, for turns are low. */
static shape bored(shape_kind kind, double facets, double bore, double outer, double length)
{
    shape s = placed_nowhere(kind);
    double height = 2 * length, faces = 1.0 / 16;

    s.cells[0] = at_least(8, sqrt(facets / (4 * height * (1 + faces))));
    uint32_t up = at_least(4, height * s.cells[0]);
    s.cells[2] = at_least(1, faces * up);
    s.cells[1] = 2 * (s.cells[2] + up);
    s.radius[0] = bore;
    s.radius[1] = outer;
    s.length = length;
    return s;
}

shape shape_screw(double facets, double core, double root, double length)
{
    return bored(SHAPE_SCREW, facets, core, root, length);
}

shape shape_nut(double facets, double bore, double outer, double length)
{
    return bored(SHAPE_NUT, facets, bore, outer, length);
}

shape shape_sleeve(double facets, double bore, double outer, double length)
{
    return bored(SHAPE_SLEEVE, facets, bore, outer, length);
}

shape shape_cylinder(double facets, double radius, double length)
{
    shape s = placed_nowhere(SHAPE_CYLINDER);
    s.cells[0] = (uint32_t)fmax(3, floor(facets / 4));
    s.radius[0] = radius;
    s.length = length;
    return s;
}

/* ---- benchmark pairs ------------------------------------------------------ */

const char *const shape_pair_names[] = {
    "overlap", "gap",      "far",   "links",   "shell", "sphshell", "gear",   "gearx", "touch",
    "contain", "shuffled", "cross", "slivers", "trap",  "screw",    "sleeve", "pins",  NULL};

static void shift(shape *s, double x, double y, double z)
{
    s->shift[0] = x;
    s->shift[1] = y;
    s->shift[2] = z;
}

static bool widen_x(void *context, const shape_facet *facet)
{
    float *range = context;
    for (int c = 0; c < 3; c++) {
        range[0] = fminf(range[0], facet->corner[c][0]);
        range[1] = fmaxf(range[1], facet->corner[c][0]);
    }
    return true;
}

/* Puts the boxes of two shapes `gap` apart along x. */
static bool set_apart(shape pair[2], double gap)
{
    float range[2][2] = {{INFINITY, -INFINITY}, {INFINITY, -INFINITY}};
    for (int k = 0; k < 2; k++) {
        if (!shape_emit(&pair[k], (shape_sink){widen_x, range[k]})) {
            return false;
        }
    }
    shift(&pair[1], (double)range[0][1] - (double)range[1][0] + gap, 0.07, -0.05);
    return true;
}

bool shape_pair(const char *name, double n, shape pair[2])
{
    const double radian = pi / 180, pitch = 2 * pi / GEAR_TEETH;
    double oblique[3][3];
    shape *a = &pair[0], *b = &pair[1];

    shape_rotation(oblique, 0.3, 0.7, 1.1);
    if (strcmp(name, "overlap") == 0 || strcmp(name, "gap") == 0 || strcmp(name, "far") == 0 ||
        strcmp(name, "shuffled") == 0) {
        *a = *b = shape_sphere(n, 1, SHAPE_BUMPS);
        memcpy(b->turn, oblique, sizeof oblique);
        if (strcmp(name, "gap") == 0) {
            return set_apart(pair, 0.01);
        }
        if (strcmp(name, "far") == 0) {
            shift(b, 10.0, 0.7, -0.5);
            return true;
        }
        shift(b, 1.2, 0.07, -0.05);
        if (strcmp(name, "shuffled") == 0) {
            a->shuffle = 1;
            b->shuffle = 2;
        }
    } else if (strcmp(name, "links") == 0) {
        const double upright[3][3] = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
        *a = *b = shape_torus(n, 1, 0.49);
        memcpy(b->turn, upright, sizeof upright);
        shift(b, 1, 0, 0);
    } else if (strcmp(name, "shell") == 0 || strcmp(name, "sphshell") == 0) {
        /* the second term leaves room for the sagitta of large facets */
        double gap = 0.002 + 4.0 / (n / 12);
        shape_relief relief = strcmp(name, "shell") == 0 ? SHAPE_BUMPS : SHAPE_PLAIN;
        *a = shape_sphere(n, 1, relief);
        *b = shape_sphere(n, 1 + gap, relief);
        memcpy(b->grid_turn, oblique, sizeof oblique);
    } else if (strcmp(name, "gear") == 0 || strcmp(name, "gearx") == 0) {
        *a = *b = shape_gear(n);
        shape_rotation(a->turn, 0, 0, -0.5 * pitch); /* a tooth of A on +x */
        shape_rotation(b->turn, 0, 0, pi);           /* a gap of B on -x */
        shift(b, strcmp(name, "gear") == 0 ? 2.03 : 2.03 - 0.06, 0, 0.0123);
    } else if (strcmp(name, "touch") == 0) {
        *a = shape_box(n, (const double[]){-1.5, -1.5, -0.25}, (const double[]){1.5, 1.5, 0});
        *b = shape_box(n, (const double[]){-0.513, -0.487, 0}, (const double[]){0.487, 0.513, 1});
    } else if (strcmp(name, "contain") == 0) {
        *a = shape_sphere(n, 5, SHAPE_BUMPS);
        *b = shape_box(n, (const double[]){0.1, -0.3, 0.2}, (const double[]){1.1, 0.7, 1.2});
    } else if (strcmp(name, "cross") == 0) {
        *a = shape_sphere(n, 1, SHAPE_RIPPLES_A);
        *b = shape_sphere(n, 1, SHAPE_RIPPLES_B);
        memcpy(b->grid_turn, oblique, sizeof oblique);
    } else if (strcmp(name, "slivers") == 0) {
        if (n > 2e6) {
            return false;
        }
        *a = *b = shape_cylinder(n, 0.2, 10);
        shape_rotation(b->turn, 0.1, 0.2, 75 * radian);
        shift(b, 0.3, 0.1, 0.15);
    } else if (strcmp(name, "trap") == 0) {
        *a = shape_sphere(n, 1, SHAPE_BUMPS);
        *b = shape_sphere(n, 40, SHAPE_PLAIN);
        memcpy(b->turn, oblique, sizeof oblique);
        shift(b, 0.01, 0.02, -0.015);
    } else if (strcmp(name, "screw") == 0) {
        *a = shape_screw(n, 0.2, 0.5, 1);
        *b = shape_nut(n, 0.498, 0.9, 0.5);
        b->start = 0.25;
        shift(b, 0, 0, 0.25);
    } else if (strcmp(name, "sleeve") == 0) {
        *a = shape_sleeve(n, 0.2, 0.502, 1);
        *b = shape_sleeve(0.9 * n, 0.5, 0.9, 1);
    } else if (strcmp(name, "pins") == 0) {
        *a = shape_sleeve(n / 25, 0.2, 0.502, 1);
        *b = shape_sleeve(0.9 * n / 25, 0.5, 0.9, 0.5);
        a->copies[0] = a->copies[1] = b->copies[0] = b->copies[1] = 5;
        a->pitch = b->pitch = 2;
        a->wider = 0.002;
        shift(b, 0, 0, 0.25);
    } else {
        return false;
    }
    return true;
}
