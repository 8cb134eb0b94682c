/* check.h - two placed parts to a result: what stlclash_check and an assembly share. */
#ifndef SC_CHECK_H
#define SC_CHECK_H

#include "base/parallel.h"
#include "part.h"
#include "stlclash.h"

#include <time.h>

/* Whether every option lies in its range. */
stlclash_code sc_check_options(const stlclash_options *options, stlclash_error *error);

/* Of so many threads those that a check of so many triangles has something to do for; >= 1. */
int sc_check_threads(int threads, uint64_t triangles);

/* A crew of those, of `threads` as in stlclash_options, for these parts. */
sc_crew *sc_check_crew(int threads, const sc_part part[2]);

/* As stlclash_check, for parts made by sc_part_place and options in their ranges, of which
 * the placements are not looked at. max_seconds count from *start. Where one hit is enough but the
 * first that was found does not tell, all of them are looked for in a second run. */
stlclash_code sc_check(const sc_part *a, const sc_part *b, const stlclash_options *options,
                       const struct timespec *start, stlclash_result **result,
                       stlclash_error *error);

#endif
