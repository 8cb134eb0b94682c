/* report_overlap.c - what parts that clash have in common, as a mesh: binary STL, and OBJ with the
 * pairs and regions by name, and all digits. */
#include "report.h"

#include "base/real.h"
#include "report_escape.h"
#include "report_number.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

bool report_shows_overlap(const report_pair *pair)
{
    const stlclash_result *r = pair->result;
    return r && r->status == STLCLASH_CLASH && r->has_overlap && r->overlap.facet_count > 0;
}

static const stlclash_overlap *overlap_of(const report_pair *pair)
{
    return report_shows_overlap(pair) ? &pair->result->overlap : NULL;
}

/* ---- STL --------------------------------------------------------------------- */

static float rounded(double x)
{
    return (float)sc_fmax(sc_fmin(x, FLT_MAX), -FLT_MAX);
}

typedef struct stl_facet {
    float normal[3], corner[3][3];
} stl_facet;

/* False if rounding leaves no triangle. */
static bool make_facet(const stlclash_overlap *o, size_t number, stl_facet *f)
{
    double normal[3], length_sq = 0.0;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            f->corner[k][i] = rounded(o->vertices[o->facets[number][k]][i]) + 0.0f;
        }
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double uj = (double)f->corner[1][j] - (double)f->corner[0][j];
        const double uk = (double)f->corner[1][k] - (double)f->corner[0][k];
        const double vj = (double)f->corner[2][j] - (double)f->corner[0][j];
        const double vk = (double)f->corner[2][k] - (double)f->corner[0][k];
        normal[i] = uj * vk - uk * vj;
        length_sq += normal[i] * normal[i];
    }
    for (int i = 0; i < 3; i++) {
        f->normal[i] = length_sq > 0.0 ? (float)(normal[i] / sqrt(length_sq)) : 0.0f;
    }
    bool same = false;
    for (int k = 0; k < 3; k++) {
        same |= memcmp(f->corner[k], f->corner[(k + 1) % 3], sizeof f->corner[k]) == 0;
    }
    return !same;
}

static void put_little_endian(uint32_t word, unsigned char *to)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(word >> 8 * i);
    }
}

static void print_facet(const stl_facet *f, FILE *stream)
{
    unsigned char record[50] = {0};
    float numbers[12];
    memcpy(numbers, f->normal, sizeof f->normal);
    memcpy(numbers + 3, f->corner, sizeof f->corner);
    for (int i = 0; i < 12; i++) {
        uint32_t word;
        memcpy(&word, &numbers[i], sizeof word);
        put_little_endian(word, record + 4 * i);
    }
    fwrite(record, sizeof record, 1, stream);
}

/* The facets of all overlaps, written or, with no stream, only counted. */
static uint64_t each_facet(const struct report *report, FILE *stream)
{
    uint64_t count = 0;
    for (size_t i = 0; i < report->pair_count; i++) {
        const stlclash_overlap *o = overlap_of(&report->pairs[i]);
        for (size_t k = 0; o && k < o->facet_count; k++) {
            stl_facet f;
            if (make_facet(o, k, &f)) {
                count++;
                if (stream) {
                    print_facet(&f, stream);
                }
            }
        }
    }
    return count;
}

bool report_write_overlap_stl(const struct report *report, FILE *stream)
{
    unsigned char head[84] = {0};
    const uint64_t count = each_facet(report, NULL);

    if (count > UINT32_MAX) {
        return false; /* nor would there be memory for so many */
    }
    snprintf((char *)head, 80, "stlclash %s: what parts have in common", stlclash_version());
    put_little_endian((uint32_t)count, head + 80);
    fwrite(head, sizeof head, 1, stream);
    each_facet(report, stream);
    return true;
}

/* ---- OBJ --------------------------------------------------------------------- */

static void print_regions(const stlclash_overlap *o, uint64_t first, FILE *stream)
{
    for (size_t i = 0; i < o->region_count; i++) {
        const stlclash_region *region = &o->regions[i];
        fprintf(stream, "g region_%zu\n", i + 1);
        for (size_t k = 0; k < region->facet_count; k++) {
            const uint32_t *f = o->facets[region->first_facet + k];
            fprintf(stream, "f %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", first + f[0], first + f[1],
                    first + f[2]);
        }
    }
}

bool report_write_overlap_obj(const struct report *report, FILE *stream)
{
    uint64_t next = 1; /* OBJ counts from 1, through the whole file */

    fprintf(stream, "# stlclash %s: what parts have in common; units: ", stlclash_version());
    escape_text(report->units ? report->units : "not given", stream);
    fputc('\n', stream);
    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        const stlclash_overlap *o = overlap_of(pair);
        if (!o) {
            continue;
        }
        fputs("o ", stream);
        escape_text(pair->a->name, stream);
        fputs(" and ", stream);
        escape_text(pair->b->name, stream);
        fputc('\n', stream);
        for (size_t k = 0; k < o->vertex_count; k++) {
            char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
            const double *p = o->vertices[k];
            fprintf(stream, "v %s %s %s\n", number_shortest(x, p[0]), number_shortest(y, p[1]),
                    number_shortest(z, p[2]));
        }
        print_regions(o, next, stream);
        next += o->vertex_count;
    }
    return true;
}
