/* judge.h - from surfaces to solids: what is found of two parts once it is known where
 * their triangles meet. */
#ifndef SC_JUDGE_H
#define SC_JUDGE_H

#include "base/notes.h"
#include "base/parallel.h"
#include "base/poll.h"
#include "base/watch.h"
#include "contact/contact.h"
#include "depth/depth.h"
#include "health/health_once.h"
#include "overlap/overlap.h"
#include "verdict.h"

/* The question: filled in by the caller. */
typedef struct sc_case {
    const sc_part *part[2];
    sc_frame frame;
    sc_octree *near[2];               /* of what lies within the touch overlap of the other */
    sc_octree *tree[2];               /* of the whole parts, or NULL */
    struct sc_shared_tree *shared[2]; /* where to get it instead, or NULL */
    const stlclash_options *options;
    const sc_tolerances *tolerances;
    sc_crew *crew;
    const uint64_t *hits; /* [hit_count] all pairs that meet, sorted */
    size_t hit_count;
    const uint64_t *flush; /* [flush_count] others, flush within the tolerance, sorted; where the
                              overlap is measured */
    size_t flush_count;
    bool touching;               /* they meet, or are no farther apart than the touch gap */
    bool stopped;                /* at one of them: others were not looked for */
    bool crossing, all_crossing; /* some of those that meet, all of them cross properly */
    bool inside;                 /* something lies deep in both, which are closed: sc_first_inside,
                                    sc_first_between */
    sc_poll poll;
    sc_watch *watch; /* the time of that, for all threads */
} sc_case;

/* The answer; what was not needed is not there. */
typedef struct sc_judgement {
    sc_deep deep;
    bool interiors_meet; /* however little: known if something crosses or lies inside */
    bool has_health;
    const sc_health *health[2]; /* of the meshes; NULL: closed, and not looked at more closely */
    bool balanced;              /* both are closed, which the sum of their boundary tells */
    bool has_overlap;           /* measured, and there is one */
    sc_overlap overlap;
    bool has_depth;
    sc_depth depth;
    double *region_depths; /* [overlap.region_count], if has_depth */
    bool has_contact;
    sc_contact contact;
    const char *notes[SC_MAX_NOTES];
    size_t note_count;
} sc_judgement;

/* Whether an overlap is measured, and not only judged. */
static inline bool sc_judge_measures(const stlclash_options *o)
{
    return sc_has_limits(o) || (!o->quick && !o->no_overlap);
}

/* Whether that tells how deep it is as well. */
static inline bool sc_judge_measures_depth(const stlclash_options *o)
{
    return sc_judge_measures(o) && (!o->no_depth || o->max_depth != STLCLASH_NO_LIMIT);
}

/* Judges. *judgement is to be freed where the call returns STLCLASH_OK, also where time ran out:
 * then it holds what was found by then. */
stlclash_code sc_judge(const sc_case *question, sc_judgement *judgement, stlclash_error *error);
void sc_judgement_free(sc_judgement *judgement);

#endif
