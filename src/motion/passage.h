/* passage.h - two parts of which one moves along a screw, or each along one of its own: until when
 * they are certainly apart, and how near they come.
 *
 * In cylindrical coordinates a screw is straight, and boxes tell which facets pass by each other,
 * and when; of two screws boxes tell that for ever shorter times. While a pair does, its distance
 * is looked at now and then, as seldom as is safe (glide.h): a bolt turns in its thread, or a shaft
 * in its bearing, for long between two looks. A pose of whole parts tells of all points that they
 * move no faster than the fastest, which makes thousands of poses of such motions. */
#ifndef SC_PASSAGE_H
#define SC_PASSAGE_H

#include "base/parallel.h"
#include "base/poll.h"
#include "base/watch.h"
#include "cylinder.h"
#include "glide.h"

typedef struct sc_passage {
    sc_cylinder tree[2]; /* about the axis of each, or that of the second if the first rests */
    sc_glide glide;
    sc_crew *crew;   /* that may work on it; the result is the same */
    sc_watch *watch; /* looked at by all threads, */
    sc_poll poll;    /* asked by the caller's own */
} sc_passage;

typedef enum sc_passage_code {
    SC_PASSAGE_OK,
    SC_PASSAGE_STOPPED, /* by the watch or the poll */
    SC_PASSAGE_UNKNOWN, /* rounding leaves it open */
    SC_PASSAGE_MEMORY
} sc_passage_code;

/* A part as it stands at time 0; what is looked at in its place: what its facets are eroded to, in
 * the same coordinates, or NULL: themselves; and its screw, of which it takes that share. */
typedef struct sc_passing {
    const sc_part *part;
    const sc_erosion *eroded;
    const sc_screw *screw; /* NULL: it rests */
    double share;
} sc_passing;

/* Of two parts, passing[2], of which one moves at least. What stays farther apart than `within`
 * need not be looked at; `error`: by how much a place on the way may be wrong. Crew, watch and poll
 * are none until they are set. Free in any case. */
sc_passage_code sc_passage_make(const sc_passing *passing, double within, double error,
                                sc_passage *passage);
void sc_passage_free(sc_passage *passage);

/* The time 0..1 at which some facets are nearer than gap + near, before which none are as near as
 * the gap; infinite where there is none. */
sc_passage_code sc_passage_meets(const sc_passage *passage, double gap, double near, double *time);

/* How near the parts come: some facets are as near as `least` at `time`, unless they are nowhere
 * nearer than the `least` that is passed in; and none nearer than `certain`, which is at least
 * enough(context, least), a function that grows with its argument and is below it. Where some are
 * nearer than `floor`, that ends the search: `certain` is 0, and `least` some such distance. */
typedef struct sc_passage_least {
    double least, time, certain;
    double floor;
} sc_passage_least;
sc_passage_code sc_passage_find_least(const sc_passage *passage,
                                      double (*enough)(const void *context, double least),
                                      const void *context, sc_passage_least *least);

#endif
