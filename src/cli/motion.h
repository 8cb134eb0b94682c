/* motion.h - how a part moves, as options or a manifest say it. */
#ifndef CLI_MOTION_H
#define CLI_MOTION_H

#include "json_file.h"
#include "options.h"
#include "stlclash.h"

/* The motion of one part with what it refers to; zero is a part at rest. */
typedef struct part_motion {
    bool moves;
    stlclash_motion motion; /* refers to the others */
    double (*placements)[16];
    char *end_file; /* of vertex paths, or NULL */
    stlclash_mesh *end;
    char *problem;   /* that there is no mesh at the end, for reports; or NULL */
    const char *why; /* the end of that */
} part_motion;

/* That of part 0 (A) or 1 (B) by the options. Files are read, the mesh at the end as by
 * motion_read_end. False after one line on standard error; motion_free in any case. */
bool motion_of_options(const cli_motion *options, int part, part_motion *motion);

/* That of a manifest: {"move": [x,y,z]}, {"end": PLACEMENT}, {"waypoints": [PLACEMENT, ...]}
 * or {"to": FILE}, and perhaps "tolerance": D. A json_reader: `motion` is a part_motion.
 * motion_read_end is to follow. */
bool motion_of_json(const json_place *at, const cJSON *item, void *motion);

/* Reads the mesh at the end where there is one. A file that cannot be read is no more than that
 * part's problem, which is left to be said; false, after a line on standard error, if memory ran
 * out. */
bool motion_read_end(part_motion *motion);

void motion_free(part_motion *motion);

#endif
