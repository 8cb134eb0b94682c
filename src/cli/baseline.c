/* baseline.c - see baseline.h.
 *
 * What is read may be anything, so every member that is used is looked at first. */
#include "baseline.h"

#include "baseline_read.h"
#include "message.h"
#include "report_change.h"
#include "report_escape.h"
#include "report_id.h"

#include <stdlib.h>
#include <string.h>

/* ---- the same parts ------------------------------------------------------ */

static int by_text(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static void free_names(char **names, size_t count)
{
    for (size_t i = 0; names && i < count; i++) {
        free(names[i]);
    }
    free(names);
}

/* The names of the parts as a report has them, in order; NULL: memory is short. */
static char **sorted_names(const struct report *report)
{
    char **names = calloc(report->part_count + 1, sizeof *names);
    for (size_t i = 0; names && i < report->part_count; i++) {
        names[i] = escape_clean_copy(report->parts[i].name);
        if (!names[i]) {
            free_names(names, i);
            return NULL;
        }
    }
    if (names) {
        qsort(names, report->part_count, sizeof *names, by_text);
    }
    return names;
}

static bool same_names(const baseline *old, char *const *names, size_t count)
{
    size_t i = 0, j = 0;
    while (i < count && j < old->part_count && strcmp(names[i], old->parts[j]) == 0) {
        i++;
        j++;
    }
    if (i == count && j == old->part_count) {
        return true;
    }
    bool added = j == old->part_count || (i < count && strcmp(names[i], old->parts[j]) < 0);
    message_print("%s: is of other parts: %s '%s' (write a new baseline with --output)", old->path,
                  added ? "it lacks" : "this run lacks", added ? names[i] : old->parts[j]);
    return false;
}

static bool same_parts(const baseline *old, const struct report *report)
{
    char **names = sorted_names(report);
    if (!names) {
        message_print("out of memory");
        return false;
    }
    bool same = same_names(old, names, report->part_count);
    free_names(names, report->part_count);
    return same;
}

/* ---- the same options ---------------------------------------------------- */

static bool differs(const baseline *old, const char *where, const char *what)
{
    message_print("%s: is of other options: %s%s differs (write a new baseline with --output)",
                  old->path, where, what);
    return false;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* A tolerance as the report states it. */
static double stated(double tolerance, bool exact)
{
    return tolerance == STLCLASH_AUTO && exact ? 0.0 : tolerance;
}

static bool same_terms(const baseline *old, const char *where, const baseline_terms *terms,
                       const stlclash_options *options)
{
    if (terms->clearance != options->clearance) {
        return differs(old, where, "clearance");
    }
    if (terms->touch_overlap != stated(options->touch_overlap, options->exact)) {
        return differs(old, where, "touch_overlap");
    }
    if (terms->touch_gap != stated(options->touch_gap, options->exact)) {
        return differs(old, where, "touch_gap");
    }
    return terms->contact_fails == options->contact_fails || differs(old, where, "contact");
}

static bool same_rule(const baseline *old, size_t i, const report_rule *rule)
{
    const baseline_rule *before = &old->rules[i];
    char where[64], *name = escape_clean_copy(rule->name);
    bool same = name && strcmp(name, before->name) == 0;

    free(name);
    snprintf(where, sizeof where, "rules[%zu].", i);
    if (!same) {
        return differs(old, where, "name");
    }
    if (before->ignore != (rule->ignored != NULL)) {
        return differs(old, where, "ignore");
    }
    if (before->max_volume != rule->max_volume) {
        return differs(old, where, "max_volume");
    }
    if (before->max_depth != rule->max_depth) {
        return differs(old, where, "max_depth");
    }
    return same_terms(old, where, &before->terms, rule->options);
}

static bool same_units(const baseline *old, const char *units)
{
    char *clean = units ? escape_clean_copy(units) : NULL;
    bool same = same_text(old->units, clean);
    free(clean);
    return same || differs(old, "", "units");
}

static bool same_options(const baseline *old, const struct report *report)
{
    const stlclash_options *options = &report->options;

    if (!same_units(old, report->units) || !same_terms(old, "", &old->terms, options)) {
        return false;
    }
    if (old->exact != options->exact) {
        return differs(old, "", "exact");
    }
    if (old->quick != options->quick) {
        return differs(old, "", "quick");
    }
    if (old->no_overlap != options->no_overlap) {
        return differs(old, "", "no_overlap");
    }
    if (old->rule_count != report->rule_count) {
        return differs(old, "", "the number of rules");
    }
    for (size_t i = 0; i < report->rule_count; i++) {
        if (!same_rule(old, i, &report->rules[i])) {
            return false;
        }
    }
    return true;
}

/* ---- the pairs ----------------------------------------------------------- */

static baseline_pair *find(baseline *old, const char *id)
{
    size_t low = 0, high = old->pair_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(old->pairs[middle].id, id) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < old->pair_count && strcmp(old->pairs[low].id, id) == 0 ? &old->pairs[low] : NULL;
}

static void compare_pair(baseline *old, report_pair *pair, bool exact)
{
    char id[REPORT_ID_SIZE];
    change_state now = report_change_state(pair), before = report_change_unknown();
    baseline_pair *entry = find(old, report_id(id, pair->a->name, pair->b->name));

    if (entry) {
        entry->seen = true;
        before = entry->state;
    }
    pair->change = report_change_between(&before, &now, exact);
    if (pair->change == REPORT_EXISTING || pair->change == REPORT_BETTER) {
        pair->pass = now.status != STLCLASH_UNDECIDED; /* that is never accepted */
    }
}

/* Failures that are not even listed any more. */
static void collect_resolved(baseline *old, struct report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < old->pair_count; i++) {
        const baseline_pair *entry = &old->pairs[i];
        if (!entry->seen && entry->state.judged && entry->state.fails) {
            old->resolved[count++] = (report_resolved){entry->a, entry->b, entry->id,
                                                       stlclash_status_text(entry->state.status)};
        }
    }
    report->resolved = old->resolved;
    report->resolved_count = count;
}

bool baseline_compare(baseline *old, struct report *report, report_pair *pairs)
{
    if (!same_parts(old, report) || !same_options(old, report)) {
        return false;
    }
    for (size_t i = 0; i < report->pair_count; i++) {
        compare_pair(old, &pairs[i], report->options.exact);
    }
    report->baseline = old->path;
    collect_resolved(old, report);
    return true;
}
