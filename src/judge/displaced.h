/* displaced.h - part A moved aside by little, and where it meets B then.
 *
 * T-junctions close a part as it is stored; placed, they leave cracks as narrow as rounding. Where
 * an edge of the other part runs along such a crack, flush with it but for rounding, it may slip
 * through, and no winding numbers fit all edges: what follows from them is wrong by any amount. A
 * part displaced by much more than rounding stands flush with nothing. */
#ifndef SC_DISPLACED_H
#define SC_DISPLACED_H

#include "judge.h"
#include "overlap/crossings.h"

typedef struct sc_displaced {
    sc_part part;
    sc_solid solid;
    uint64_t *hits; /* [hit_count] as those of sc_case */
    size_t hit_count;
    bool all_crossing;
    double way; /* by which it was moved */
} sc_displaced;

/* Whether cracks may be left: a part was placed, so rounded. */
bool sc_may_be_cracked(const sc_case *q);

/* By how much with each attempt, 0 .. SC_ATTEMPTS - 1: much more than the rounding of coordinates,
 * much less than that of floats; the last is that. */
enum { SC_ATTEMPTS = 3 };
double sc_displaced_step(const sc_case *q, int attempt);

/* By a way of about that length, as solid[0].shift moves it: out of the faces that it lies on. Free
 * in any case. */
stlclash_code sc_displaced_make(const sc_case *q, sc_solid solid[2], int attempt,
                                sc_displaced *displaced, stlclash_error *error);
void sc_displaced_free(sc_displaced *displaced);

/* How much volume such a way adds to the overlap or takes from it, at most; how much cracks do, all
 * that there is room for where edges slip through them; and how much room there is. */
double sc_displaced_volume(const sc_crossings *crossings, double way);
double sc_cracked_volume(const sc_crossings *crossings);
double sc_common_room(const sc_crossings *crossings);

#endif
