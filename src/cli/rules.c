/* rules.c - see rules.h. */
#include "rules.h"

#include "glob.h"
#include "message.h"
#include "similar.h"
#include "values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one rule ------------------------------------------------------------ */

const char *const rule_keys[] = {"a",         "b",          "clearance", "contact", "touch_overlap",
                                 "touch_gap", "max_volume", "max_depth", "ignore",  "reason",
                                 NULL};

void rule_free(rule *r)
{
    free(r->where);
    free(r->a);
    free(r->b);
    free(r->reason);
    *r = (rule){0};
}

static bool refuse(const rule *r, const char *what)
{
    message_print("%s: %s", r->where, what);
    return false;
}

bool rule_check(const rule *r)
{
    if (!r->a || !r->b) {
        return refuse(r, r->a ? "b, a pattern of part names, is missing"
                              : "a, a pattern of part names, is missing");
    }
    if (r->ignore && (!r->reason || !r->reason[strspn(r->reason, " \t\r\n")])) {
        return refuse(r, "a rule that ignores pairs must give a reason");
    }
    if (r->ignore && (r->has_clearance || r->has_contact || r->has_touch_overlap ||
                      r->has_touch_gap || r->has_max_volume || r->has_max_depth)) {
        return refuse(r, "ignored pairs are not checked, but the rule says how to check them");
    }
    if (r->has_max_depth && r->has_touch_overlap && r->touch_overlap != STLCLASH_AUTO &&
        r->max_depth < r->touch_overlap) {
        return refuse(r, "max_depth is less than touch_overlap, up to which parts only touch");
    }
    if (r->has_contact && r->contact_fails && (r->has_max_volume || r->has_max_depth)) {
        return refuse(r, "contact fails, but a clash may pass by max_volume or max_depth");
    }
    return true;
}

/* ---- --rule -------------------------------------------------------------- */

/* The end of a key and its value: a comma without a backslash, or the end of the text. */
static const char *end_of_pair(const char *text)
{
    for (; *text && *text != ','; text++) {
        text += *text == '\\' && text[1];
    }
    return text;
}

static bool parse_flag(const char *key, const char *value, const char *words, bool *given,
                       bool *flag)
{
    int choice;
    if (!value_choice(key, value, words, &choice)) {
        return false;
    }
    *given = true;
    *flag = choice == 1;
    return true;
}

static bool once(const char *key, bool given)
{
    if (given) {
        message_print("--rule: %s is given twice (try --help)", key);
    }
    return !given;
}

static bool take_text(const char *key, char *value, char **text)
{
    if (!once(key, *text != NULL)) {
        return false;
    }
    *text = strdup(value);
    return *text || message_no_memory();
}

static bool parse_pair(char *key, char *value, rule *r)
{
    const struct {
        const char *key;
        bool *given;
        double *number;
        bool may_be_auto;
    } numbers[] = {
        {"clearance", &r->has_clearance, &r->clearance, false},
        {"touch_overlap", &r->has_touch_overlap, &r->touch_overlap, true},
        {"touch_gap", &r->has_touch_gap, &r->touch_gap, true},
        {"max_volume", &r->has_max_volume, &r->max_volume, false},
        {"max_depth", &r->has_max_depth, &r->max_depth, false},
    };
    char option[64];

    snprintf(option, sizeof option, "rule: %.40s", key);
    if (strcmp(key, "a") == 0 || strcmp(key, "b") == 0) {
        return take_text(key, value, *key == 'a' ? &r->a : &r->b);
    }
    if (strcmp(key, "reason") == 0) {
        return take_text(key, value, &r->reason);
    }
    if (strcmp(key, "ignore") == 0) {
        return once(key, r->has_ignore) &&
               parse_flag(option, value, "false|true", &r->has_ignore, &r->ignore);
    }
    if (strcmp(key, "contact") == 0) {
        return once(key, r->has_contact) &&
               parse_flag(option, value, "allow|fail", &r->has_contact, &r->contact_fails);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(key, numbers[i].key) == 0) {
            if (!once(key, *numbers[i].given)) {
                return false;
            }
            *numbers[i].given = true;
            return numbers[i].may_be_auto ? value_tolerance(option, value, numbers[i].number)
                                          : value_number(option, value, numbers[i].number);
        }
    }
    char advice[SIMILAR_SIZE];
    message_print("--rule: '%s' is not a key of a rule%s", key,
                  similar_advice(advice, key, rule_keys));
    return false;
}

/* What has no '=': digits are those behind a comma that was meant as the decimal sign. */
static bool refuse_item(const char *item)
{
    const char *why = *item && !item[strspn(item, "0123456789eE+-")]
                          ? " (a comma begins the next one; the decimal sign is a point)"
                          : " (try --help)";
    message_print("--rule: '%s' is not KEY=VALUE%s", item, why);
    return false;
}

static bool parse_pairs(char *text, rule *r)
{
    while (*text) {
        bool reason = strncmp(text, "reason=", 7) == 0;
        char *end = reason ? text + strlen(text) : text + (end_of_pair(text) - text);
        char *next = *end ? end + 1 : end, *equals = strchr(text, '=');
        *end = '\0';
        if (!equals || equals >= end) {
            return refuse_item(text);
        }
        *equals = '\0';
        if (!parse_pair(text, equals + 1, r)) {
            return false;
        }
        text = next;
    }
    return true;
}

bool rule_parse(const char *text, rule *r)
{
    size_t size = strlen(text) + 16;
    char *copy = strdup(text);

    *r = (rule){.where = malloc(size)};
    bool good = copy && r->where;
    if (!good) {
        message_no_memory();
    } else {
        snprintf(r->where, size, "--rule '%s'", text);
        good = parse_pairs(copy, r) && rule_check(r);
    }
    free(copy);
    return good;
}

/* ---- matching ------------------------------------------------------------ */

/* For each part two rows of bits, one bit for each rule: its pattern a matches the part's
 * name, its pattern b does. */
static uint64_t *row(const rules *r, size_t part, int side)
{
    return r->bits + (2 * part + (size_t)side) * r->words;
}

static void match_names(rules *r, char *const names[])
{
    for (size_t i = 0; i < r->count; i++) {
        for (size_t part = 0; part < r->part_count; part++) {
            for (int side = 0; side < 2; side++) {
                const char *pattern = side == 0 ? r->rules[i].a : r->rules[i].b;
                if (glob_match(pattern, names[part])) {
                    row(r, part, side)[i / 64] |= (uint64_t)1 << i % 64;
                }
            }
        }
    }
}

long rules_of_pair(const rules *r, size_t a, size_t b)
{
    const uint64_t *a0 = row(r, a, 0), *a1 = row(r, a, 1), *b0 = row(r, b, 0), *b1 = row(r, b, 1);
    for (size_t w = r->words; w-- > 0;) {
        uint64_t both = (a0[w] & b1[w]) | (a1[w] & b0[w]);
        if (both != 0) {
            return (long)(64 * w) + 63 - __builtin_clzll(both);
        }
    }
    return -1;
}

/* Pairs for which the patterns of rule i hold, in either order, without looking at them. */
static uint64_t count_matches(const rules *r, size_t i, uint64_t of_pattern[2])
{
    uint64_t both = 0;
    of_pattern[0] = of_pattern[1] = 0;
    for (size_t part = 0; part < r->part_count; part++) {
        uint64_t a = row(r, part, 0)[i / 64] >> i % 64 & 1,
                 b = row(r, part, 1)[i / 64] >> i % 64 & 1;
        of_pattern[0] += a;
        of_pattern[1] += b;
        both += a & b;
    }
    /* Ordered pairs of different parts, less those that were counted in both orders. */
    return of_pattern[0] * of_pattern[1] - both - both * (both - (both > 0)) / 2;
}

/* Parts that every rule treats alike. */
typedef struct kind {
    const uint64_t *bits;
    size_t words, part;
    uint64_t count;
} kind;

static int by_bits(const void *x, const void *y)
{
    const kind *a = x, *b = y;
    int order = memcmp(a->bits, b->bits, 2 * a->words * sizeof *a->bits);
    return order ? order : (a->part > b->part) - (a->part < b->part);
}

/* Returns how many kinds there are. */
static size_t find_kinds(const rules *r, kind *kinds)
{
    size_t count = 0;
    for (size_t part = 0; part < r->part_count; part++) {
        kinds[part] = (kind){row(r, part, 0), r->words, part, 1};
    }
    qsort(kinds, r->part_count, sizeof *kinds, by_bits);
    for (size_t i = 0; i < r->part_count; i++) {
        if (count > 0 &&
            memcmp(kinds[count - 1].bits, kinds[i].bits, 2 * r->words * sizeof *r->bits) == 0) {
            kinds[count - 1].count++;
        } else {
            kinds[count++] = kinds[i];
        }
    }
    return count;
}

/* How many pairs each rule takes: for kinds of parts, not for parts. */
static bool count_applied(rules *r)
{
    kind *kinds = malloc((r->part_count + 1) * sizeof *kinds);
    if (!kinds) {
        return false;
    }
    const size_t count = find_kinds(r, kinds);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            long number = rules_of_pair(r, kinds[i].part, kinds[j].part);
            uint64_t pairs = i == j ? kinds[i].count * (kinds[i].count - 1) / 2
                                    : kinds[i].count * kinds[j].count;
            if (number >= 0) {
                r->reported[number].applied += pairs;
                r->ignored += r->rules[number].ignore ? pairs : 0;
            }
        }
    }
    free(kinds);
    return true;
}

static bool check_matches(const rules *r)
{
    for (size_t i = 0; i < r->count; i++) {
        uint64_t of_pattern[2];
        r->reported[i].matched = count_matches(r, i, of_pattern);
        for (int side = 0; side < 2; side++) {
            if (of_pattern[side] == 0) {
                message_print("%s: %s '%s' matches no part", r->rules[i].where,
                              side == 0 ? "a" : "b", side == 0 ? r->rules[i].a : r->rules[i].b);
                return false;
            }
        }
        if (r->reported[i].matched == 0) {
            message_print("%s: it matches one part, but no pair", r->rules[i].where);
            return false;
        }
    }
    return true;
}

/* ---- what follows from them ---------------------------------------------- */

static stlclash_options apply(const rule *r, const stlclash_options *defaults)
{
    stlclash_options o = *defaults;
    o.clearance = r->has_clearance ? r->clearance : o.clearance;
    o.touch_overlap = r->has_touch_overlap ? r->touch_overlap : o.touch_overlap;
    o.touch_gap = r->has_touch_gap ? r->touch_gap : o.touch_gap;
    o.max_volume = r->has_max_volume ? r->max_volume : o.max_volume;
    o.max_depth = r->has_max_depth ? r->max_depth : o.max_depth;
    o.contact_fails = r->has_contact ? r->contact_fails : o.contact_fails;
    return o;
}

static bool name_rule(const rule *r, report_rule *reported)
{
    size_t size = strlen(r->a) + strlen(r->b) + 4;
    char *name = malloc(size);
    if (name) {
        snprintf(name, size, "%s / %s", r->a, r->b);
    }
    reported->name = name;
    reported->a = r->a;
    reported->b = r->b;
    reported->reason = r->reason;
    reported->ignore = r->ignore;
    reported->max_volume = r->has_max_volume ? r->max_volume : INFINITY;
    reported->max_depth = r->has_max_depth ? r->max_depth : INFINITY;
    return name != NULL;
}

static double larger(double x, double y)
{
    return x > y ? x : y;
}

bool rules_make(rules *made, rule *given, size_t count, char *const names[], size_t part_count,
                const stlclash_options *defaults)
{
    *made = (rules){.rules = given,
                    .count = count,
                    .part_count = part_count,
                    .options = calloc(count + 1, sizeof *made->options),
                    .reported = calloc(count + 1, sizeof *made->reported),
                    .words = (count + 63) / 64,
                    .reach = larger(defaults->clearance, larger(defaults->touch_gap, 0.0))};
    made->bits = calloc(2 * part_count * made->words + 1, sizeof *made->bits);
    bool good = made->options && made->reported && made->bits;

    for (size_t i = 0; good && i < count; i++) {
        made->options[i] = apply(&given[i], defaults);
        made->reported[i].options = &made->options[i];
        good = name_rule(&given[i], &made->reported[i]);
        made->reach =
            larger(made->reach, larger(made->options[i].clearance, made->options[i].touch_gap));
    }
    if (good) {
        match_names(made, names);
        if (!check_matches(made)) {
            return false;
        }
        good = count_applied(made);
    }
    return good || message_no_memory();
}

void rules_free(rules *r)
{
    for (size_t i = 0; i < r->count; i++) {
        rule_free(&r->rules[i]);
        free(r->reported ? (char *)r->reported[i].name : NULL);
    }
    free(r->rules);
    free(r->options);
    free(r->reported);
    free(r->bits);
    *r = (rules){0};
}
