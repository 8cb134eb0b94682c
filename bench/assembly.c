/* assembly.c - writes an assembly with known answers: `assembly [-o DIR] [-b BORES] PARTS...`
 * makes DIR/plate.stl, DIR/bolt.stl and DIR/assembly-PARTS.json.
 *
 * Plates with BORES x BORES bores (10 x 10 if not said) stand in a lattice, far from each other,
 * each with a bolt in all of its bores but the first, turned by quarters. Nearly all bolts hang
 * free, 0.5 above the plate and about 1 from its bores. Planted among them, and named for it: bolts
 * whose heads sink 0.5 into the plate ("clash"), lie on it ("contact"), or hang 0.125 above it
 * ("near"). All coordinates are multiples of 1/64, so these numbers are exact. Ask for a clearance
 * of 0.25: the member "_expected" of the manifest says what must come out. */
#include "shapes.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUARTER = 4, SIDES = 4 * QUARTER };

static long bores = 10; /* of a plate, along either side */

static const double cell = 16.0, thickness = 4.0;

typedef struct point {
    double x, y, z;
} point;

static bool triangle(shape_sink sink, point a, point b, point c)
{
    const shape_facet facet = {{{(float)a.x, (float)a.y, (float)a.z},
                                {(float)b.x, (float)b.y, (float)b.z},
                                {(float)c.x, (float)c.y, (float)c.z}}};
    return sink.take(sink.context, &facet);
}

static bool quad(shape_sink sink, point a, point b, point c, point d)
{
    return triangle(sink, a, b, c) && triangle(sink, a, c, d);
}

/* Corner k of a circle of SIDES corners, the same after quarter turns: 0 lies on the x axis.
 * Rounded to 1/64. */
static point on_circle(double radius, int k, double z)
{
    int quarter = k / QUARTER % 4;
    double angle = 1.57079632679489661923 * (k % QUARTER) / QUARTER;
    double c = floor(64.0 * radius * cos(angle) + 0.5) / 64.0;
    double s = floor(64.0 * radius * sin(angle) + 0.5) / 64.0;
    return quarter == 0   ? (point){c, s, z}
           : quarter == 1 ? (point){-s, c, z}
           : quarter == 2 ? (point){-c, -s, z}
                          : (point){s, -c, z};
}

/* ---- the plate ----------------------------------------------------------- */

static point moved(point p, double x, double y)
{
    return (point){p.x + x, p.y + y, p.z};
}

/* A corner of the cell around a bore: 0 is towards +x +y, then counter-clockwise. */
static point cell_corner(int k, double z)
{
    static const double sign[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    return (point){0.5 * cell * sign[k % 4][0], 0.5 * cell * sign[k % 4][1], z};
}

/* The cell around the bore at x, y; outer[k]: the side from corner k to the next is one of
 * the plate. */
static bool plate_cell(shape_sink sink, double x, double y, const bool outer[4])
{
    bool ok = true;
    for (int k = 0; k < SIDES && ok; k++) {
        point l0 = moved(on_circle(4.0, k, 0.0), x, y), h0 = l0;
        point l1 = moved(on_circle(4.0, k + 1, 0.0), x, y), h1 = l1;
        int q = k / QUARTER;
        point low = moved(cell_corner(q, 0.0), x, y), high = low;
        point low_next = moved(cell_corner(q + 1, 0.0), x, y), high_next = low_next;
        h0.z = h1.z = high.z = high_next.z = thickness;
        ok = quad(sink, l1, l0, h0, h1) && triangle(sink, high, h1, h0) &&
             triangle(sink, low, l0, l1);
        if (ok && k % QUARTER == QUARTER - 1) {
            ok = triangle(sink, high, high_next, h1) && triangle(sink, low, l1, low_next) &&
                 (!outer[q] || quad(sink, low, low_next, high_next, high));
        }
    }
    return ok;
}

static bool plate(shape_sink sink)
{
    bool ok = true;
    for (long i = 0; i < bores && ok; i++) {
        for (long j = 0; j < bores && ok; j++) {
            bool outer[4] = {j == bores - 1, i == 0, j == 0, i == bores - 1};
            ok = plate_cell(sink, cell * (double)i, cell * (double)j, outer);
        }
    }
    return ok;
}

/* ---- the bolt ------------------------------------------------------------ */

/* A shaft of radius 3 and a head of radius 6, which is 0.5 above the plate. */
static bool bolt(shape_sink sink)
{
    static const double outline[][2] = {{0, -6}, {3, -6}, {3, 4.5}, {6, 4.5}, {6, 8.5}, {0, 8.5}};
    bool ok = true;

    for (size_t i = 0; i + 1 < sizeof outline / sizeof outline[0] && ok; i++) {
        const double *from = outline[i], *to = outline[i + 1];
        for (int k = 0; k < SIDES && ok; k++) {
            point f0 = on_circle(from[0], k, from[1]), f1 = on_circle(from[0], k + 1, from[1]);
            point t0 = on_circle(to[0], k, to[1]), t1 = on_circle(to[0], k + 1, to[1]);
            ok = (from[0] <= 0 || triangle(sink, f0, f1, t1)) &&
                 (to[0] <= 0 || triangle(sink, f0, t1, t0));
        }
    }
    return ok;
}

/* ---- the manifest -------------------------------------------------------- */

static const struct kind {
    const char *name;
    double lift;
} kinds[] = {{"free", 0.0}, {"clash", -1.0}, {"contact", -0.5}, {"near", -0.375}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static int kind_of(long bolt_number)
{
    long at = bolt_number % 50;
    return at == 7 ? 1 : at == 19 ? 2 : at == 33 ? 3 : bolt_number == 3 ? 1 : 0;
}

/* The end of a part: its placement, turned by quarters. */
static void print_placement(FILE *file, long turns, double x, double y, double z)
{
    static const int cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
    int c = cosine[turns % 4], s = sine[turns % 4];
    fprintf(file, "\"placement\": [%d,%d,0,%.17g, %d,%d,0,%.17g, 0,0,1,%.17g, 0,0,0,1]}", c, -s, x,
            s, c, y, z);
}

static void print_manifest(FILE *file, long parts)
{
    const double side_pitch = cell * (double)bores + 40.0,
                 pitch[3] = {side_pitch, side_pitch, 40.0};
    long bolts = 0, expected[KINDS] = {0};
    long plate_parts = bores * bores, plates = (parts + plate_parts - 1) / plate_parts;
    long side = (long)ceil(cbrt((double)plates));

    fputs("{\"units\": \"mm\",\n \"parts\": [", file);
    for (long i = 0; i < parts; i++) {
        long number = i / plate_parts, bore = i % plate_parts;
        double x = pitch[0] * (double)(number % side);
        double y = pitch[1] * (double)(number / side % side);
        double z = pitch[2] * (double)(number / side / side);
        fprintf(file, "%s\n  ", i ? "," : "");
        if (bore == 0) {
            fprintf(file, "{\"name\": \"plate-%ld\", \"file\": \"plate.stl\", ", number);
            print_placement(file, 0, x, y, z);
            continue;
        }
        int kind = kind_of(bolts);
        expected[kind]++;
        fprintf(file, "{\"name\": \"bolt-%ld-%s\", \"file\": \"bolt.stl\", ", bolts,
                kinds[kind].name);
        print_placement(file, bolts, x + cell * (double)(bore / bores),
                        y + cell * (double)(bore % bores), z + kinds[kind].lift);
        bolts++;
    }
    fputs("],\n \"_expected\": {", file);
    for (int k = 1; k < KINDS; k++) {
        fprintf(file, "%s\"%s\": %ld", k > 1 ? ", " : "", kinds[k].name, expected[k]);
    }
    fputs("}}\n", file);
}

/* ---- files --------------------------------------------------------------- */

static FILE *create(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    if (!file) {
        fprintf(stderr, "assembly: %s: %s\n", path, strerror(errno));
        exit(2);
    }
    return file;
}

static void finish(FILE *file, bool good)
{
    good = good && !ferror(file);
    if (fclose(file) != 0 || !good) {
        fprintf(stderr, "assembly: %s\n", strerror(errno));
        exit(2);
    }
}

static void write_mesh(const char *directory, const char *name, bool (*build)(shape_sink sink))
{
    stl_image image = {0};
    unsigned char header[STL_HEADER_SIZE];
    shape_sink sink = stl_image_sink(&image);
    bool good = build(sink);

    FILE *file = create(directory, name);
    stl_encode_header(header, (uint32_t)((image.size - STL_HEADER_SIZE) / STL_RECORD_SIZE));
    if (good) {
        memcpy(image.bytes, header, sizeof header);
    }
    finish(file, good && fwrite(image.bytes, 1, image.size, file) == image.size);
    free(image.bytes);
}

/* A number in the range, or the end of the program. */
static long number(const char *text, long least, long most)
{
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < least || n > most) {
        fprintf(stderr, "assembly: '%s' is not in %ld .. %ld\n", text, least, most);
        exit(2);
    }
    return n;
}

int main(int argc, char **argv)
{
    const char *directory = ".";

    for (int option; (option = getopt(argc, argv, "o:b:")) != -1;) {
        if (option == 'o') {
            directory = optarg;
        } else if (option == 'b') {
            bores = number(optarg, 1, 1000);
        } else {
            return 2;
        }
    }
    write_mesh(directory, "plate.stl", plate);
    write_mesh(directory, "bolt.stl", bolt);
    for (int i = optind; i < argc; i++) {
        char name[64];
        long parts = number(argv[i], 2, 10000000);
        snprintf(name, sizeof name, "assembly-%ld.json", parts);
        FILE *file = create(directory, name);
        print_manifest(file, parts);
        finish(file, true);
    }
    return 0;
}
