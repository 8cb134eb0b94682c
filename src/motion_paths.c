#include "motion.h"
stlclash_code sc_motion_paths(sc_motion_run *run)
{
    (void)run;
    return STLCLASH_OK;
}
