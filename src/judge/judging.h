/* judging.h - a judgement in the making: what it is made from, each made when it is first
 * needed. */
#ifndef SC_JUDGING_H
#define SC_JUDGING_H

#include "displaced.h"
#include "judge.h"
#include "overlap/overlap_regions.h"

typedef struct sc_judging {
    const sc_case *q;
    sc_judgement *j;
    sc_solid solid[2];
    bool has_solids, measured;
    bool spared[2];      /* a part is known to be closed, and that its facets are to be read as
                            stored where they surround the other: its health is not looked at */
    bool has_depth;      /* that of all of the overlap is in the judgement */
    bool by_erosion;     /* the last one has shown that nothing lies deeper than its limit */
    bool glanced;        /* a glance has left open whether anything lies deep */
    double thickness;    /* no common point lies deeper, as is shown once for all; infinite: it is
                            not, or this is more than rounding */
    sc_regions regions;  /* if there are several */
    sc_displaced aside;  /* solid[0], where cracks of placed parts keep it from being measured */
    bool nothing_common; /* the surfaces do not meet, and no part holds a piece of the other */
    stlclash_error *error;
} sc_judging;

/* A word for the report's notes; once. */
void sc_judging_note(sc_judging *s, const char *word);

/* After some work, which may have failed: the code of that. Not STLCLASH_OK either where time ran
 * out, in the middle of the work perhaps: what it says is not to be used. */
stlclash_code sc_judging_end(sc_judging *s, bool good);

/* What the boxes of both parts have in common, as they are compared. */
sc_box sc_judging_common_box(const sc_judging *s);

/* Each makes what it is named for, unless that is there: the solids, read as stored; the health of
 * both meshes, in the judgement, but that of parts that are spared. */
stlclash_code sc_need_solids(sc_judging *s);
stlclash_code sc_need_health(sc_judging *s);

/* Whether a part is closed, as its health says; whether both are. */
bool sc_judging_part_closed(const sc_judging *s, int part);
bool sc_judging_closed(const sc_judging *s);

/* The same where the sum of their boundary tells, without a look at their shells: sets
 * j->balanced. */
bool sc_judging_balanced(sc_judging *s);

/* Solids with their facets the right way round. */
stlclash_code sc_need_sound_solids(sc_judging *s);

/* Of closed parts; looks at their health only if it must. Where it is measured, the contact as
 * well, and the curves if they are asked for. */
stlclash_code sc_need_overlap(sc_judging *s);

/* Where facets of both solids touch face to face. */
stlclash_code sc_need_contact(sc_judging *s);

/* Whether any of them face the same way, of parts of which contact is not to be told. */
stlclash_code sc_find_faces_alike(sc_judging *s, bool *alike);

/* The contact within tolerances that allow more than rounding, of parts in contact, in place of
 * what is known. */
stlclash_code sc_widen_contact(sc_judging *s);

/* The crew, where about so long is spent with each facet, and with each pair that meets
 * (sc_crew_for): to put a box into a tree; to look at a facet; to join it to others at its edges;
 * to tell where it lies; to sum up what of it bounds the overlap. */
enum { SC_NS_PLANT = 3, SC_NS_LOOK = 8, SC_NS_JOIN = 30, SC_NS_WIND = 10, SC_NS_SUM = 25 };
enum { SC_NS_WIND_PAIR = 1000, SC_NS_SUM_PAIR = 400 };
sc_crew *sc_judging_crew(const sc_judging *s, uint64_t facet_ns, uint64_t pair_ns);

void sc_judging_free(sc_judging *s);

/* The curves alone, if they are asked for; once. */
stlclash_code sc_find_curves(sc_judging *s);

#endif
