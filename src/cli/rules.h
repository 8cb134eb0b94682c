/* rules.h - what applies to which pairs: rules of a manifest and of --rule.
 *
 * The last rule that matches a pair takes it: what the rule does not say is as on the
 * command line, whatever earlier rules say. */
#ifndef CLI_RULES_H
#define CLI_RULES_H

#include "report/report.h"
#include "stlclash.h"

#include <stdbool.h>
#include <stddef.h>

/* A rule as given; zero and NULL: not given. */
typedef struct rule {
    char *where;  /* for messages: "robot.json: rules[2]", "--rule 'a=...'" */
    char *a, *b;  /* patterns of part names, for either order of a pair */
    char *reason; /* why, for people */
    bool ignore;  /* the pair is not checked */
    bool has_ignore, has_clearance, has_contact, has_touch_overlap, has_touch_gap, has_max_volume,
        has_max_depth;
    double clearance, touch_overlap, touch_gap, max_volume, max_depth;
    bool contact_fails;
} rule;

/* What a rule may say, in a manifest and in --rule; up to a NULL. */
extern const char *const rule_keys[];

void rule_free(rule *r);

/* Checks that a rule is whole and does not contradict itself; prints one line and returns
 * false where it does. */
bool rule_check(const rule *r);

/* The value of --rule: KEY=VALUE,... Commas in patterns are written \, and a reason, if
 * given, comes last and goes on to the end. */
bool rule_parse(const char *text, rule *r);

/* Rules that are matched with the parts. */
typedef struct rules {
    rule *rules; /* [count], in order */
    size_t count, part_count;
    stlclash_options *options; /* [count] what each makes of the defaults */
    report_rule *reported;     /* [count] names and how often they matched */
    uint64_t *bits;            /* see rules.c */
    size_t words;
    uint64_t ignored; /* pairs that a rule leaves out */
    double reach;     /* the largest clearance or touch gap of rules and defaults */
} rules;

/* Takes the rules over, and matches them with the names of the parts. Prints one line and
 * returns false where a rule matches nothing. rules_free in both cases. */
bool rules_make(rules *made, rule *given, size_t count, char *const names[], size_t part_count,
                const stlclash_options *defaults);
void rules_free(rules *r);

/* The rule that takes the pair of parts a and b, or -1. */
long rules_of_pair(const rules *r, size_t a, size_t b);

#endif
