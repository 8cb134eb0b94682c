/* motion.h - the motion that the options describe, checked. */
#ifndef CLI_MOTION_H
#define CLI_MOTION_H

#include "options.h"
#include "stlclash.h"

bool motion_given(const cli_motion *motion);

/* Reads what the motion needs (waypoints, the mesh at the end) and runs stlclash_sweep. On
 * failure it prints one line on standard error and returns false. */
bool motion_check(const cli_motion *motion, stlclash_mesh *const meshes[2],
                  const stlclash_options *options, stlclash_sweep_result **result);

#endif
