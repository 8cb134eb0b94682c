/* baseline.c - see baseline.h.
 *
 * What is read may be anything, so every member that is used is looked at first. */
#define _XOPEN_SOURCE 700 /* open_memstream */
#include "baseline.h"

#include "baseline_read.h"
#include "glob.h"
#include "message.h"
#include "report/report_change.h"
#include "report/report_escape.h"
#include "report/report_id.h"
#include "report/report_motion.h"
#include "report/report_number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same parts ------------------------------------------------------ */

/* A part as the report has it. */
typedef struct named_part {
    char *name; /* cleaned */
    const report_part *part;
} named_part;

static int by_name(const void *x, const void *y)
{
    return strcmp(((const named_part *)x)->name, ((const named_part *)y)->name);
}

static void free_entries(named_part *entries, size_t count)
{
    for (size_t i = 0; entries && i < count; i++) {
        free(entries[i].name);
    }
    free(entries);
}

/* The parts as a report has them, by name; NULL: memory is short. */
static named_part *sorted_parts(const struct report *report)
{
    named_part *entries = calloc(report->part_count + 1, sizeof *entries);
    for (size_t i = 0; entries && i < report->part_count; i++) {
        entries[i] = (named_part){escape_clean_copy(report->parts[i].name), &report->parts[i]};
        if (!entries[i].name) {
            free_entries(entries, i);
            return NULL;
        }
    }
    if (entries) {
        qsort(entries, report->part_count, sizeof *entries, by_name);
    }
    return entries;
}

/* The motion of a part as the report would have it; NULL: memory is short. */
static cJSON *motion_of(const report_part *part)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    cJSON *motion = NULL;

    if (stream) {
        json_writer json = {.stream = stream};
        json_open(&json, NULL, '{', JSON_INLINE);
        report_motion_json_part(&json, part);
        json_close(&json);
        motion = fclose(stream) == 0 ? cJSON_Parse(text) : NULL;
    }
    free(text);
    return motion;
}

static bool same_motion(const baseline *old, size_t i, const report_part *part)
{
    const cJSON *before = old->parts[i].motion;
    bool same = !before && !part->motion;

    if (before && part->motion) {
        cJSON *now = motion_of(part);
        if (!now) {
            return message_no_memory();
        }
        same = cJSON_Compare(before, cJSON_GetObjectItemCaseSensitive(now, "motion"), true);
        cJSON_Delete(now);
    }
    if (!same) {
        message_print("%s: is of other motions: that of '%s' differs (write a new baseline with "
                      "--output)",
                      message_file(old->path), old->parts[i].name);
    }
    return same;
}

static bool lacks(const baseline *old, const char *name)
{
    message_print("%s: is of other parts: this run lacks '%s' (write a new baseline with --output)",
                  message_file(old->path), name);
    return false;
}

/* The parts of the baseline are there as they were. Others may have come: of their pairs nothing
 * was accepted. */
static bool same_parts(baseline *old, const struct report *report)
{
    named_part *entries = sorted_parts(report);
    bool same = true;

    if (!entries) {
        return message_no_memory();
    }
    for (size_t i = 0, k = 0; i < old->part_count && same; i++, k++) {
        const char *name = old->parts[i].name;
        while (k < report->part_count && strcmp(entries[k].name, name) < 0) {
            k++;
        }
        if (k == report->part_count || strcmp(entries[k].name, name) != 0) {
            same = lacks(old, name);
        } else {
            old->parts[i].now = entries[k].part;
            same = same_motion(old, i, entries[k].part);
        }
    }
    free_entries(entries, report->part_count);
    return same;
}

/* ---- the same options ---------------------------------------------------- */

static bool differs(const baseline *old, const char *where, const char *what)
{
    message_print("%s: is of other options: %s%s (write a new baseline with --output)",
                  message_file(old->path), where, what);
    return false;
}

static const char *tolerance_text(char text[NUMBER_SIZE], double tolerance)
{
    return tolerance == STLCLASH_AUTO ? "auto"
           : isinf(tolerance)         ? "none"
                                      : number_shortest(text, tolerance);
}

/* A number of both; true if it is the same. */
static bool same_number(const baseline *old, const char *where, const char *what, double before,
                        double now)
{
    char numbers[2][NUMBER_SIZE], text[128];
    if (before == now) {
        return true;
    }
    snprintf(text, sizeof text, "%s was %s, is %s", what, tolerance_text(numbers[0], before),
             tolerance_text(numbers[1], now));
    return differs(old, where, text);
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
    double overlap = stated(options->touch_overlap, options->exact);
    double gap = stated(options->touch_gap, options->exact);

    return same_number(old, where, "clearance", terms->clearance, options->clearance) &&
           same_number(old, where, "touch_overlap", terms->touch_overlap, overlap) &&
           same_number(old, where, "touch_gap", terms->touch_gap, gap) &&
           (terms->contact_fails == options->contact_fails ||
            differs(old, where, "contact differs"));
}

static bool same_rule(const baseline *old, size_t i, const report_rule *rule)
{
    const baseline_rule *before = &old->rules[i];
    char where[64], *name = escape_clean_copy(rule->name);
    bool same = name && strcmp(name, before->name) == 0;

    free(name);
    snprintf(where, sizeof where, "rules[%zu].", i);
    if (!same) {
        return differs(old, where, "name differs");
    }
    if (before->ignore != rule->ignore) {
        return differs(old, where, "ignore differs");
    }
    return same_number(old, where, "max_volume", before->max_volume, rule->max_volume) &&
           same_number(old, where, "max_depth", before->max_depth, rule->max_depth) &&
           same_terms(old, where, &before->terms, rule->options);
}

/* Whether a rule matches a pair of the parts that the baseline has. */
static bool concerns(const baseline *old, const report_rule *rule)
{
    size_t a = 0, b = 0, both = 0;
    for (size_t i = 0; i < old->part_count; i++) {
        bool is_a = glob_match(rule->a, old->parts[i].now->name);
        bool is_b = glob_match(rule->b, old->parts[i].now->name);
        a += is_a;
        b += is_b;
        both += is_a && is_b;
    }
    return a * b > both;
}

/* The rules of the pairs that the baseline has are the same, in the same order. Those for parts
 * that came may have come with them. */
static bool same_rules(const baseline *old, const struct report *report)
{
    size_t count = 0;
    for (size_t i = 0; i < report->rule_count; i++) {
        const report_rule *rule = &report->rules[i];
        if (concerns(old, rule)) {
            if (count < old->rule_count && !same_rule(old, count, rule)) {
                return false;
            }
            count++;
        }
    }
    return same_number(old, "", "the number of rules for its parts", (double)old->rule_count,
                       (double)count);
}

static bool same_units(const baseline *old, const char *units)
{
    char *clean = units ? escape_clean_copy(units) : NULL;
    bool same = same_text(old->units, clean);
    free(clean);
    return same || differs(old, "", "units differs");
}

static bool same_switches(const baseline *old, const stlclash_options *now)
{
    const struct {
        const char *what;
        bool same;
    } switches[] = {{"exact differs", old->exact == now->exact},
                    {"quick differs", old->quick == now->quick},
                    {"no_distance differs", old->no_distance == now->no_distance},
                    {"no_overlap differs", old->no_overlap == now->no_overlap},
                    {"no_depth differs", old->no_depth == now->no_depth},
                    {"require_closed differs", old->require_closed == now->require_closed},
                    {"gaps differs", old->gaps == now->gaps}};
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        if (!switches[i].same) {
            return differs(old, "", switches[i].what);
        }
    }
    return true;
}

static bool same_options(const baseline *old, const struct report *report)
{
    const stlclash_options *options = &report->options;

    return same_units(old, report->units) && same_terms(old, "", &old->terms, options) &&
           same_switches(old, options) && same_rules(old, report);
}

/* ---- the pairs ----------------------------------------------------------- */

static int order_id(const void *id, const void *pair)
{
    return strcmp(id, (*(baseline_pair *const *)pair)->id);
}

static baseline_pair *find(baseline *old, const char *id)
{
    baseline_pair *const *at =
        bsearch(id, old->sorted, old->pair_count, sizeof *old->sorted, order_id);
    return at ? *at : NULL;
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
