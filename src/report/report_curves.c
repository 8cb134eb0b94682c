/* report_curves.c - the curves in which the surfaces meet, for a viewer: points and
 * lines of an OBJ file. */
#include "report.h"
#include "report_escape.h"
#include "report_number.h"

#include <inttypes.h>

static void print_heading(const struct report *report, const report_pair *pair, FILE *stream)
{
    size_t count = pair->result->curve_count;

    fprintf(stream, "# stlclash %s: ", stlclash_version());
    escape_text(pair->a->file, stream);
    fputs(" and ", stream);
    escape_text(pair->b->file, stream);
    fprintf(stream, " meet in %zu curve%s; units: ", count, count == 1 ? "" : "s");
    escape_text(report->units ? report->units : "not given", stream);
    fputc('\n', stream);
}

/* A curve of one point, where a corner touches, is no line to OBJ. */
static void print_curve(const stlclash_curve *curve, uint64_t first, FILE *stream)
{
    fputc(curve->point_count > 1 ? 'l' : 'p', stream);
    for (size_t i = 0; i < curve->point_count; i++) {
        fprintf(stream, " %" PRIu64, first + i);
    }
    if (curve->closed && curve->point_count > 1) {
        fprintf(stream, " %" PRIu64, first);
    }
    fputc('\n', stream);
}

bool report_write_curves(const struct report *report, FILE *stream)
{
    uint64_t next = 1; /* OBJ counts from 1, through the whole file */

    for (size_t i = 0; i < report->pair_count; i++) {
        const report_pair *pair = &report->pairs[i];
        if (!pair->result) {
            continue;
        }
        print_heading(report, pair, stream);
        for (size_t k = 0; k < pair->result->curve_count; k++) {
            const stlclash_curve *curve = &pair->result->curves[k];
            for (size_t j = 0; j < curve->point_count; j++) {
                char x[NUMBER_SIZE], y[NUMBER_SIZE], z[NUMBER_SIZE];
                const double *p = curve->points[j];
                fprintf(stream, "v %s %s %s\n", number_shortest(x, p[0]), number_shortest(y, p[1]),
                        number_shortest(z, p[2]));
            }
            if (curve->point_count > 0) {
                print_curve(curve, next, stream);
            }
            next += curve->point_count;
        }
    }
    return true;
}
