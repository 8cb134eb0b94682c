/* check_options.c - stlclash_options: their defaults and ranges. */
#include "check.h"

#include "base/error.h"

#include <math.h>

stlclash_options stlclash_options_default(void)
{
    return (stlclash_options){.touch_gap = STLCLASH_AUTO,
                              .touch_overlap = STLCLASH_AUTO,
                              .max_volume = STLCLASH_NO_LIMIT,
                              .max_depth = STLCLASH_NO_LIMIT,
                              .max_hits = 100};
}

static bool is_tolerance(double x)
{
    return x == STLCLASH_AUTO || (x >= 0.0 && isfinite(x));
}

static bool is_limit(double x)
{
    return x == STLCLASH_NO_LIMIT || (x >= 0.0 && isfinite(x));
}

stlclash_code sc_check_options(const stlclash_options *o, stlclash_error *error)
{
    if (!(o->clearance >= 0.0 && isfinite(o->clearance))) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "clearance must be finite and not negative");
    }
    if (!is_tolerance(o->touch_gap)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "touch gap must be finite and not negative");
    }
    if (!is_tolerance(o->touch_overlap)) {
        return sc_error(error, STLCLASH_E_ARGUMENT,
                        "touch overlap must be finite and not negative");
    }
    if (!is_limit(o->max_volume) || !is_limit(o->max_depth)) {
        return sc_error(error, STLCLASH_E_ARGUMENT,
                        "limits of volume and depth must be finite and not negative");
    }
    if (o->depth_error != 0.0 && !(o->depth_error >= 1e-6 && o->depth_error <= 1.0)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "depth error must be in 1e-6 .. 1");
    }
    if (!(o->max_seconds >= 0.0)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "time limit must be a number of 0 or more");
    }
    if (o->threads < 0) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "number of threads must not be negative");
    }
    return STLCLASH_OK;
}
