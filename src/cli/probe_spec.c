/* probe_spec.c - see probe_spec.h. */
#include "probe_spec.h"

#include "base/real.h"
#include "values.h"

#include <stdio.h>
#include <string.h>

/* The numbers of a point, up to `end`; a fourth may be "inf". Returns NULL, or what is
 * wrong. */
static const char *read_point(const char *text, const char *end, double x[3], bool *infinite,
                              char what[PROBE_PROBLEM_SIZE])
{
    int count = 0;

    for (const char *start = text, *stop;; start = stop + 1, count++) {
        stop = memchr(start, ',', (size_t)(end - start));
        stop = stop ? stop : end;
        if (count == 3 && infinite && stop == end && stop - start == 3 &&
            memcmp(start, "inf", 3) == 0) {
            *infinite = true;
            return NULL;
        }
        double number = 0.0;
        const char *problem = value_read(start, stop, &number);
        problem = !problem && fabs(number) > 8e59 ? "is too large" : problem;
        if (problem) {
            snprintf(what, PROBE_PROBLEM_SIZE, "'%.*s' %s",
                     (int)(stop - start < 40 ? stop - start : 40), start, problem);
            return what;
        }
        if (count < 3) {
            x[count] = number;
        }
        if (stop == end) {
            break;
        }
    }
    if (++count != 3) {
        snprintf(what, PROBE_PROBLEM_SIZE, "a point has %d number%s, not 3", count,
                 count == 1 ? "" : "s");
        return what;
    }
    return NULL;
}

/* Shorter ones do not lead out of every part by a factor that is a double. */
static const char *check_direction(const double to[3])
{
    const double shortest = 1e-239,
                 longest = sc_fmax(sc_fmax(fabs(to[0]), fabs(to[1])), fabs(to[2]));
    return longest == 0.0       ? "the direction of a ray is zero"
           : longest < shortest ? "the direction of a ray is shorter than 1e-239"
                                : NULL;
}

const char *probe_read(const char *text, stlclash_probe *probe, char what[PROBE_PROBLEM_SIZE])
{
    const char *end = text + strlen(text), *first = strchr(text, ':');

    *probe = (stlclash_probe){.radius = 0.0};
    if (!first) {
        return "a probe has two points with ':' in between";
    }
    const char *second = strchr(first + 1, ':');
    const char *problem = read_point(text, first, probe->from, NULL, what);
    if (!problem) {
        problem = read_point(first + 1, second ? second : end, probe->to, &probe->ray, what);
    }
    if (!problem && second) {
        problem = value_read(second + 1, end, &probe->radius);
        if (problem) {
            snprintf(what, PROBE_PROBLEM_SIZE, "the radius %s", problem);
            return what;
        }
        if (probe->radius < 0.0 || probe->radius > 8e59) {
            return probe->radius < 0.0 ? "the radius is negative" : "the radius is too large";
        }
    }
    return problem || !probe->ray ? problem : check_direction(probe->to);
}

bool probe_value(const char *option, const char *text)
{
    stlclash_probe probe;
    char what[PROBE_PROBLEM_SIZE], whole[PROBE_PROBLEM_SIZE + 16];
    const char *problem = probe_read(text, &probe, what);

    if (!problem) {
        return true;
    }
    snprintf(whole, sizeof whole, "is no probe: %s", problem);
    return value_refused(option, text, whole);
}
