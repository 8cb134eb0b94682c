/* report_probe_parts.c - see report_probe_parts.h. */
#include "report_probe_parts.h"

#include "base/real.h"

#include <stdlib.h>
#include <string.h>

/* How bad a result is, the worst highest: what is not known outweighs all, as in exit statuses. */
static int weight(const stlclash_probe_result *result)
{
    switch (result->status) {
    case STLCLASH_UNDECIDED: return 5;
    case STLCLASH_CLASH: return 4;
    case STLCLASH_CONTACT: return result->pass ? 1 : 3;
    case STLCLASH_NEAR: return 2;
    case STLCLASH_CLEAR: break;
    }
    return 0;
}

stlclash_status report_probe_status(const report_probe *probe, size_t parts)
{
    const stlclash_probe_result *worst = NULL;
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (!worst || weight(probe->results[i]) > weight(worst)) {
            worst = probe->results[i];
        }
    }
    return worst ? worst->status : STLCLASH_UNDECIDED;
}

bool report_probe_passes(const report_probe *probe, size_t parts)
{
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (!probe->results[i]->pass) {
            return false;
        }
    }
    return probe->results != NULL;
}

bool report_probe_next_hit(const report_probe *probe, size_t parts, size_t *next,
                           report_probe_hit *hit)
{
    hit->hit = NULL;
    for (size_t i = 0; probe->results && i < parts; i++) {
        const stlclash_probe_result *result = probe->results[i];
        if (next[i] < result->hits_listed && (!hit->hit || result->hits[next[i]].t < hit->hit->t)) {
            *hit = (report_probe_hit){&result->hits[next[i]], i};
        }
    }
    if (hit->hit) {
        next[hit->part]++;
    }
    return hit->hit != NULL;
}

uint64_t report_probe_count_hits(const report_probe *probe, size_t parts)
{
    uint64_t count = 0;
    for (size_t i = 0; probe->results && i < parts; i++) {
        count += probe->results[i]->hit_count;
    }
    return count;
}

size_t report_probe_nearest(const report_probe *probe, size_t parts)
{
    size_t nearest = parts;
    if (report_probe_count_hits(probe, parts) > 0) {
        return parts;
    }
    for (size_t i = 0; probe->results && i < parts; i++) {
        if (probe->results[i]->has_gap &&
            (nearest == parts ||
             probe->results[i]->gap.distance < probe->results[nearest]->gap.distance)) {
            nearest = i;
        }
    }
    return nearest;
}

size_t report_probe_contact(const report_probe *probe, size_t parts)
{
    size_t first = parts;
    for (size_t i = 0; probe->results && i < parts; i++) {
        stlclash_status status = probe->results[i]->status;
        bool apart = status == STLCLASH_NEAR || status == STLCLASH_CLEAR;
        if (!probe->results[i]->has_contact && !apart) {
            return parts; /* it meets that part from the start, or may */
        }
        if (probe->results[i]->has_contact &&
            (first == parts || probe->results[i]->contact_t < probe->results[first]->contact_t)) {
            first = i;
        }
    }
    return first;
}

double report_probe_resolution(const report_probe *probe, size_t parts)
{
    double largest = 0.0;
    for (size_t i = 0; probe->results && i < parts; i++) {
        largest = sc_fmax(largest, probe->results[i]->resolution);
    }
    return largest;
}

bool report_probe_noted(const report_probe *probe, size_t part, const char *note)
{
    for (size_t i = 0; i < part; i++) {
        for (size_t k = 0; k < probe->results[i]->note_count; k++) {
            if (strcmp(probe->results[i]->notes[k], note) == 0) {
                return true;
            }
        }
    }
    return false;
}

size_t *report_probe_make_next(const struct report *report)
{
    return calloc(report->part_count + 1, sizeof(size_t));
}
