/* health_samples.h - points just inside each shell of a mesh, and how often every shell winds
 * around them. */
#ifndef SC_HEALTH_SAMPLES_H
#define SC_HEALTH_SAMPLES_H

#include "health_shells.h"

/* The winding number of a shell around a sample: not 0. */
typedef struct sc_sample_winding {
    uint32_t sample; /* its id */
    uint32_t shell;
    int number;
} sc_sample_winding;

typedef struct sc_samples {
    uint32_t per_shell;          /* those of shell s have ids s * per_shell and up */
    sc_sample_winding *windings; /* by sample and shell */
    size_t *first;               /* [shells * per_shell + 1] windings of sample id */
    bool *good;   /* [shells * per_shell] whether a sample is believed: there is one of that id, its
                   own shell does surround it, and it lies on no surface */
    bool gave_up; /* it would take too long, and the rest is not there */
} sc_samples;

/* Exact for the samples as they are. False if memory ran out; free in any case. */
bool sc_samples_take(const sc_facets *facets, const sc_health_shells *shells, sc_samples *samples);
void sc_samples_free(sc_samples *samples);

#endif
