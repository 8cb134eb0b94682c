/* advance.h - a motion looked at pose by pose, so that nothing is missed between them.
 *
 * No point moves faster than `speed` for one unit of time. So parts that are d apart do not
 * meet before d / speed has passed (conservative advancement), and neither distance nor
 * depth changes by more than speed * step over a step. While they are no farther apart than d,
 * the speed may be less. */
#ifndef SC_ADVANCE_H
#define SC_ADVANCE_H

#include "motion.h"

typedef struct sc_advance {
    sc_motion_run *run;
    double speed;
    double (*speed_within)(void *context, double d); /* in place of that, or NULL */
    double error; /* by how much the distance of a pose may be wrong */
    double tolerance;
    double near_by;  /* parts that are nearer are not told from those that meet */
    double from, to; /* the times of the motion that its times 0 and 1 are */

    /* The parts at time t, 0..1; they are used until the next call. */
    stlclash_code (*pose)(void *context, double t, sc_part part[2]);
    /* The way of a point of B, as seen from A, from the start of the motion to time t. */
    double (*travelled)(void *context, double t, const stlclash_separation *at);
    /* Where the parts of a pose have other facets than those that were given: where on those the
     * points lie. NULL: they have not. */
    void (*as_given)(void *context, double t, stlclash_separation *at);
    void *context;

    /* Of parts that touch: until when from time 0 on they certainly overlap no deeper than they
     * may; asked where many poses would have to tell. NULL: nothing is known. */
    stlclash_code (*shallow_until)(const struct sc_advance *advance, double *until);
    const struct sc_leg *leg; /* for that */
} sc_advance;

/* The speed that counts while the parts are no farther apart than d. */
static inline double sc_advance_speed(const sc_advance *advance, double d)
{
    return advance->speed_within ? advance->speed_within(advance->context, d) : advance->speed;
}

/* What was seen of several legs in turn. */
typedef struct sc_advance_findings {
    bool settled;              /* a clash, or undecided: concluded already */
    bool doubtful;             /* in some pose the parts clash, but by no more than its rounding */
    double least;              /* distance of any pose; infinite where parts touch */
    double certain;            /* no distance on the way is smaller than this */
    bool open;                 /* once they may have met: in the last pose one has no inside */
    bool apart;                /* they were apart at some time */
    double near_way;           /* since then: the way of open ones on which they may meet */
    bool passed;               /* they may have passed through each other between poses, by more
                                  than the tolerance */
    struct sc_sample *samples; /* of the leg */
    size_t sample_count, capacity;
} sc_advance_findings;

/* Looks for contact and clash from time `start` of the leg on. */
stlclash_code sc_advance_meetings(sc_advance *advance, double start, sc_advance_findings *findings);

/* Looks at both ends only, where it is known that nothing meets in between. */
stlclash_code sc_advance_ends(sc_advance *advance, sc_advance_findings *findings);

/* Looks at one pose. */
stlclash_code sc_advance_look(sc_advance *advance, double t, sc_advance_findings *findings);

/* Where nothing meets, and the leg was looked at: its least distance, as closely as the verdict
 * needs it. False in *found where it would take more poses than so many. */
stlclash_code sc_advance_approach(sc_advance *advance, size_t poses, sc_advance_findings *findings,
                                  bool *found);
enum { SC_ANY_POSES = 100000 }; /* more are not looked at of any motion */

/* All of it from time `start` on, before which nothing meets: meetings, and if there are none, the
 * least distance. */
stlclash_code sc_advance_go(sc_advance *advance, double start, sc_advance_findings *findings);

/* The verdict, once all legs are looked at and nothing is settled. */
void sc_advance_conclude(sc_motion_run *run, const sc_advance_findings *findings);
void sc_advance_free(sc_advance_findings *findings);

/* Where some pose has the least distance, how much less is known well enough to be the least of
 * all: by no more than a share of it, where a clearance is asked for as much as tells whether it is
 * kept, and in any case by that error. */
double sc_advance_enough(const sc_advance *advance, double least, double share, double error);

/* The tolerance that applies; and how near parts are that are not told from those that meet. */
double sc_advance_tolerance(const sc_motion_run *run);
static inline double sc_advance_near_by(const sc_motion_run *run)
{
    return 0.125 * run->result->public.tolerance;
}

#endif
