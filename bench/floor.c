/* floor.c - what no program can beat that looks at every triangle of two files:
 * `floor MODE a.stl b.stl`.
 *
 *   null   start and end
 *   read   map both files and add up their words
 *   aabb   map both files and find both boxes, nothing else            (F)
 *   sort   the same, then Morton keys of all triangles, radix-sorted: what any full
 *          tree does first; what it takes more than aabb is the unit of work (S) */
#define _DEFAULT_SOURCE /* MAP_POPULATE */
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif

typedef struct mesh {
    const unsigned char *bytes;
    size_t size, triangles;
} mesh;

typedef struct box {
    float low[4], high[4]; /* the fourth is unused */
} box;

static void fail(const char *what)
{
    fprintf(stderr, "floor: %s\n", what);
    exit(2);
}

static mesh map_file(const char *path)
{
    int file = open(path, O_RDONLY);
    struct stat info;
    mesh m = {0};
    void *bytes;
    uint32_t count;

    if (file < 0 || fstat(file, &info) != 0 || info.st_size < 84) {
        fail("cannot read a file");
    }
    m.size = (size_t)info.st_size;
    bytes = mmap(NULL, m.size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED) {
        fail("cannot map a file");
    }
    close(file);
    m.bytes = bytes;
    memcpy(&count, m.bytes + 80, 4);
    m.triangles = (m.size - 84) / 50 < count ? (m.size - 84) / 50 : count;
    return m;
}

static uint64_t sum_words(mesh m)
{
    uint64_t sum = 0, word;
    for (size_t i = 0; i + 8 <= m.size; i += 8) {
        memcpy(&word, m.bytes + i, 8);
        sum += word;
    }
    return sum;
}

/* Both twins find the box of triangles of a mesh; 36 bytes of corners follow the
 * normal in each record. */
#if defined(__SSE2__)
static box bounds(mesh m)
{
    __m128 inf = _mm_set1_ps(INFINITY), low[3], high[3];
    const unsigned char *p = m.bytes + 84 + 12;
    box out;

    for (int c = 0; c < 3; c++) {
        low[c] = inf;
        high[c] = _mm_sub_ps(_mm_setzero_ps(), inf);
    }
    for (size_t i = 0; i < m.triangles; i++, p += 50) {
        /* the last corner is loaded 4 bytes early: the file may end behind it */
        __m128 x = _mm_loadu_ps((const float *)(const void *)p);
        __m128 y = _mm_loadu_ps((const float *)(const void *)(p + 12));
        __m128 z = _mm_loadu_ps((const float *)(const void *)(p + 20));
        z = _mm_shuffle_ps(z, z, _MM_SHUFFLE(0, 3, 2, 1));
        low[0] = _mm_min_ps(low[0], x);
        low[1] = _mm_min_ps(low[1], y);
        low[2] = _mm_min_ps(low[2], z);
        high[0] = _mm_max_ps(high[0], x);
        high[1] = _mm_max_ps(high[1], y);
        high[2] = _mm_max_ps(high[2], z);
    }
    _mm_storeu_ps(out.low, _mm_min_ps(low[0], _mm_min_ps(low[1], low[2])));
    _mm_storeu_ps(out.high, _mm_max_ps(high[0], _mm_max_ps(high[1], high[2])));
    return out;
}
#else
static box bounds(mesh m)
{
    box out = {{INFINITY, INFINITY, INFINITY, 0}, {-INFINITY, -INFINITY, -INFINITY, 0}};
    const unsigned char *p = m.bytes + 84 + 12;

    for (size_t i = 0; i < m.triangles; i++, p += 50) {
        float corner[9];
        memcpy(corner, p, sizeof corner);
        for (int k = 0; k < 9; k++) {
            out.low[k % 3] = corner[k] < out.low[k % 3] ? corner[k] : out.low[k % 3];
            out.high[k % 3] = corner[k] > out.high[k % 3] ? corner[k] : out.high[k % 3];
        }
    }
    return out;
}
#endif

/* Two empty bits between any two of the low 10. */
static uint32_t spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000FF;
    x = (x | x << 8) & 0x0300F00F;
    x = (x | x << 4) & 0x030C30C3;
    return (x | x << 2) & 0x09249249;
}

enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };

/* Sorts the triangles by the 30-bit Morton keys of their centres; the middle one. */
static uint64_t sort_all(mesh m, box b)
{
    uint64_t *keys = malloc((m.triangles + 1) * sizeof *keys);
    uint64_t *other = malloc((m.triangles + 1) * sizeof *other), middle;
    static uint32_t start[3][DIGITS];
    const unsigned char *p = m.bytes + 84 + 12;
    float scale[3];

    if (!keys || !other) {
        fail("out of memory");
    }
    memset(start, 0, sizeof start);
    for (int k = 0; k < 3; k++) {
        float extent = b.high[k] - b.low[k];
        scale[k] = 1023.999f / (3 * (extent > 1e-30f ? extent : 1e-30f));
    }
    for (size_t i = 0; i < m.triangles; i++, p += 50) {
        float corner[9];
        uint32_t key = 0;
        memcpy(corner, p, sizeof corner);
        for (int k = 0; k < 3; k++) {
            float at = (corner[k] + corner[k + 3] + corner[k + 6] - 3 * b.low[k]) * scale[k];
            key |= spread((uint32_t)(at > 0 ? at : 0)) << k;
        }
        keys[i] = (uint64_t)key << 32 | i;
        for (int digit = 0; digit < 3; digit++) {
            start[digit][key >> (DIGIT_BITS * digit) & (DIGITS - 1)]++;
        }
    }
    for (int digit = 0; digit < 3; digit++) {
        uint32_t sum = 0;
        uint64_t *sorted = other;
        for (int j = 0; j < DIGITS; j++) {
            uint32_t count = start[digit][j];
            start[digit][j] = sum;
            sum += count;
        }
        for (size_t i = 0; i < m.triangles; i++) {
            sorted[start[digit][keys[i] >> (32 + DIGIT_BITS * digit) & (DIGITS - 1)]++] = keys[i];
        }
        other = keys;
        keys = sorted;
    }
    middle = keys[m.triangles / 2];
    free(keys);
    free(other);
    return middle;
}

int main(int argc, char **argv)
{
    mesh m[2];
    box b[2];

    if (argc > 1 && strcmp(argv[1], "null") == 0) {
        return 0;
    }
    if (argc != 4) {
        fail("usage: floor null|read|aabb|sort a.stl b.stl");
    }
    for (int k = 0; k < 2; k++) {
        m[k] = map_file(argv[2 + k]);
    }
    if (strcmp(argv[1], "read") == 0) {
        printf("sum %llu\n", (unsigned long long)(sum_words(m[0]) + sum_words(m[1])));
        return 0;
    }
    for (int k = 0; k < 2; k++) {
        b[k] = bounds(m[k]);
        printf("%.9g %.9g %.9g .. %.9g %.9g %.9g\n", (double)b[k].low[0], (double)b[k].low[1],
               (double)b[k].low[2], (double)b[k].high[0], (double)b[k].high[1],
               (double)b[k].high[2]);
    }
    if (strcmp(argv[1], "sort") == 0) {
        uint64_t middle = sort_all(m[0], b[0]) + sort_all(m[1], b[1]);
        printf("middle %llu\n", (unsigned long long)middle);
    } else if (strcmp(argv[1], "aabb") != 0) {
        fail("no such mode");
    }
    return 0;
}
