/* fill.h - what was found, as users see it: with the roles that they gave the parts,
 * placed where they stand, in order. */
#ifndef SC_FILL_H
#define SC_FILL_H

#include "gaps/gaps.h"
#include "judge/judge.h"
#include "narrow.h"
#include "part.h"
#include "result.h"

/* Everything that one check found, in the order in which the parts were compared. */
typedef struct sc_found {
    const sc_part *part[2];
    sc_order order;
    bool complete; /* the search looked at everything within `bound` */
    double bound;
    const sc_narrow *narrow; /* hits sorted */
    const sc_judgement *judgement;
    const sc_gaps *gaps; /* NULL: not known, or not asked for */
    const stlclash_options *options;
    const sc_tolerances *tolerances;
    sc_watch *watch; /* over: no normal and no more hits are listed */
} sc_found;

/* The distance of the surfaces if it is known, else infinite. */
double sc_found_distance(const sc_found *found);

/* Fills in all but status, pass, notes and statistics. The result owns what it points to; on
 * failure it is to be freed as it is. */
stlclash_code sc_fill_result(const sc_found *found, sc_result *result, stlclash_error *error);

#endif
