/* judge_sheets.h - whether all that the parts of a judgement have in common lies along their
 * surfaces, where no search for the depth comes to its end: facet by facet (depth/sheet.h). */
#ifndef SC_JUDGE_SHEETS_H
#define SC_JUDGE_SHEETS_H

#include "depth/depth.h"
#include "judging.h"

/* Whether surfaces that cross have no volume in common: of either part they are sheets there,
 * facets back to back, which hold nothing; and sheets that pass through a surface clash, as open
 * parts do. No search would find a point that lies deep. */
stlclash_code sc_sheets_cross(sc_judging *s, bool *sheets);

/* Whether nothing lies deeper than the limit, as sheets show. */
stlclash_code sc_sheets_try(sc_judging *s, double limit, bool *shallow);

/* Where the search did not come to its end, and found nothing but rounding, though more than is
 * allowed: how much of that there is matters to nobody. Bounds the depth of the judgement. */
stlclash_code sc_sheets_bound(sc_judging *s, const sc_depth_request *request);

/* The same of one region, and of the depth that is known of it. */
stlclash_code sc_sheets_bound_region(sc_judging *s, const sc_depth_request *request,
                                     sc_depth *depth);

/* Where the search did not come to its end: whether sheets show a bound that is of use. A search of
 * cells as small as the depth is long, where sheets go facet by facet. */
stlclash_code sc_sheets_bound_to(sc_judging *s, double limit, sc_depth *depth);

/* Where the search did not come to its end: whether sheets show that nothing lies deeper than what
 * was found, within its error. If they do not, they show a place to try, which may well be deeper.
 * *spent: that took too long. */
stlclash_code sc_sheets_close(sc_judging *s, const sc_depth_request *request, sc_depth *depth,
                              bool *spent);

#endif
