/* test_verdict.c - the status that follows from what was found, and whether limits are kept: by
 * tables of all there is. */
#include "test.h"
#include "verdict.h"

#include <math.h>

/* A float of that size, also where there is none. */
TEST(resolutions_are_those_of_floats)
{
    static const double reach[] = {1, 1.5, 0x1p-20, 0x1p100, 0x1.8p126, 0x1.8p127, 0x1p130};
    static const double step[] = {0x1p-23, 0x1p-23, 0x1p-43, 0x1p77, 0x1p103, 0x1p104, 0x1p107};
    const stlclash_options options = stlclash_options_default();
    for (size_t i = 0; i < sizeof reach / sizeof reach[0]; i++) {
        const sc_tolerances t = sc_tolerances_make(&options, reach[i]);
        CHECK(t.resolution == step[i], "at %g: %g, not %g", reach[i], t.resolution, step[i]);
    }
}

/* What is exceeded in one thing fails, whatever is known of the other; what is not known in one
 * does not pass. */
TEST(limits_are_kept_only_by_what_is_known)
{
    static const sc_measure measures[3] = {{1, 1.5}, {3, INFINITY}, {1, 3}};
    static const sc_limit limits[3] = {SC_KEPT, SC_EXCEEDED, SC_LIMIT_UNKNOWN};
    stlclash_options options = stlclash_options_default();
    options.max_volume = options.max_depth = 2;
    for (int v = 0; v < 3; v++) {
        for (int d = 0; d < 3; d++) {
            const sc_limit expected = v == 1 || d == 1   ? SC_EXCEEDED
                                      : v == 2 || d == 2 ? SC_LIMIT_UNKNOWN
                                                         : SC_KEPT;
            CHECK_INT(sc_keeps_limits(&measures[v], &measures[d], &options), expected);
        }
        options.max_depth = STLCLASH_NO_LIMIT;
        CHECK_INT(sc_keeps_limits(&measures[v], &measures[1], &options), limits[v]);
        options.max_depth = 2;
    }
    const sc_measure unknown = {0, INFINITY};
    options.max_volume = options.max_depth = 0x1.fffffffffffffp1023;
    CHECK_INT(sc_keeps_limits(&unknown, &unknown, &options), SC_LIMIT_UNKNOWN);
}

TEST(what_is_proven_counts_and_what_was_given_up_does_not)
{
    const stlclash_options options = stlclash_options_default();
    const sc_tolerances t = sc_tolerances_make(&options, 1);
    static const sc_deep deep[3] = {SC_NOT_DEEP, SC_DEEP, SC_DEEP_UNKNOWN};
    for (int i = 0; i < 12; i++) {
        const sc_findings f = {
            .complete = i & 1, .meeting = i & 2, .deep = deep[i / 4], .distance = i & 2 ? 0 : 1};
        const stlclash_status expected = f.deep == SC_DEEP                      ? STLCLASH_CLASH
                                         : !f.complete || f.deep != SC_NOT_DEEP ? STLCLASH_UNDECIDED
                                         : f.meeting                            ? STLCLASH_CONTACT
                                                                                : STLCLASH_CLEAR;
        CHECK_INT(sc_verdict(&f, &t), expected);
    }
}
