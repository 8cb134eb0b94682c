/* reports.h - reports made by hand: any number of parts with any names, and pairs of
 * every kind, without a mesh behind them. */
#ifndef REPORTS_H
#define REPORTS_H

#include "report/report.h"

enum { MADE_PARTS = 40, MADE_PAIRS = MADE_PARTS * (MADE_PARTS - 1) / 2 };

/* A report and all that it points to. */
typedef struct made_report {
    struct report report;
    report_part parts[MADE_PARTS];
    report_pair pairs[MADE_PAIRS];
    stlclash_result results[MADE_PAIRS];
    stlclash_hit hits[2];
    stlclash_region regions[2];
    report_rule rules[2]; /* an ordinary one, one that ignores */
    char names[MADE_PARTS][64], files[MADE_PARTS][64];
} made_report;

typedef enum made_kind {
    MADE_UNDECIDED,
    MADE_CLASH,
    MADE_CONTACT, /* one that fails */
    MADE_NEAR,
    MADE_CLEAR,
    MADE_TOUCH, /* a contact that passes */
    MADE_IGNORED,
    MADE_ERROR,
    MADE_KINDS
} made_kind;

/* `parts` plain parts, "part0" and so on, and no pairs; the same options always. */
void made_start(made_report *made, size_t parts);

/* Adds a pair of that kind; `amount` is its depth and volume, or its distance. */
report_pair *made_add(made_report *made, made_kind kind, size_t a, size_t b, double amount);

/* All pairs, of random kinds. */
void made_all(made_report *made);

/* Names that some format has to take care with; up to a NULL. */
extern const char *const nasty_names[];
void made_nasty(made_report *made);

/* What a format writes, in memory; the caller frees it. *size may be NULL. */
char *made_text(const struct report *report, const char *format, size_t *size);

#endif
