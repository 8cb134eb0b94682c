/* test_baseline.c - a former report: what became of each failure, and what happens to
 * files that are no such report. */
#include "cli/baseline.h"
#include "report/report_change.h"
#include "report/report_pair.h"
#include "reports.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static made_report made, later;

/* ---- files and messages ------------------------------------------------------ */

/* A file for one test, and what is said on standard error meanwhile. */
typedef struct scratch {
    char path[32], errors[32];
    int saved;
} scratch;

static scratch scratch_start(void)
{
    scratch s = {.path = "/tmp/stlclash-test-XXXXXX", .errors = "/tmp/stlclash-test-XXXXXX"};
    int file = mkstemp(s.path), errors = mkstemp(s.errors);
    CHECK(file >= 0 && errors >= 0, "no temporary file");
    close(file);
    fflush(stderr);
    s.saved = dup(STDERR_FILENO);
    dup2(errors, STDERR_FILENO);
    close(errors);
    return s;
}

static void scratch_end(scratch *s)
{
    fflush(stderr);
    dup2(s->saved, STDERR_FILENO);
    close(s->saved);
    unlink(s->path);
    unlink(s->errors);
}

/* What was said since the last call. */
static const char *said(scratch *s)
{
    static char text[4096];
    fflush(stderr);
    FILE *file = fopen(s->errors, "rb");
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    if (ftruncate(STDERR_FILENO, 0) != 0) {
        CHECK(false, "ftruncate");
    }
    lseek(STDERR_FILENO, 0, SEEK_SET);
    return text;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
}

/* Writes the report and reads it back as a baseline. */
static baseline *as_baseline(scratch *s, const struct report *report)
{
    size_t size;
    char *text = made_text(report, "json", &size);
    write_bytes(s->path, text, size);
    free(text);
    baseline *old = baseline_read(s->path);
    CHECK(old, "it is not read: %s", said(s));
    return old;
}

/* One pair before, one pair now. */
static report_change change_of(made_kind before, double amount_before, made_kind now,
                               double amount_now, bool exact)
{
    made_start(&made, 3);
    made_start(&later, 3);
    change_state old = report_change_state(made_add(&made, before, 0, 1, amount_before));
    change_state new = report_change_state(made_add(&later, now, 0, 1, amount_now));
    return report_change_between(&old, &new, exact);
}

/* ---- what became of a pair ---------------------------------------------------- */

TEST(changes_by_status)
{
    enum { N = REPORT_NEW, W = REPORT_WORSE, E = REPORT_EXISTING, B = REPORT_BETTER };
    enum { R = REPORT_RESOLVED, O = REPORT_NO_BASELINE };
    static const int expected[MADE_KINDS][MADE_KINDS] = {
        /* now: undecided, clash, contact, near, clear, touch, ignored, error */
        [MADE_UNDECIDED] = {E, N, N, N, R, R, O, E}, [MADE_CLASH] = {W, E, B, B, R, R, O, W},
        [MADE_CONTACT] = {W, W, E, B, R, R, O, W},   [MADE_NEAR] = {W, W, W, E, R, R, O, W},
        [MADE_CLEAR] = {N, N, N, N, O, O, O, N},     [MADE_TOUCH] = {N, N, N, N, O, O, O, N},
        [MADE_IGNORED] = {N, N, N, N, O, O, O, N},   [MADE_ERROR] = {E, N, N, N, R, R, O, E},
    };
    for (int before = 0; before < MADE_KINDS; before++) {
        for (int now = 0; now < MADE_KINDS; now++) {
            int got = (int)change_of((made_kind)before, 0.1, (made_kind)now, 0.1, false);
            CHECK(got == expected[before][now], "from %d to %d: %d, expected %d", before, now, got,
                  expected[before][now]);
        }
    }
}

/* The depth of a made clash has an error of 0.001, a resolution is 2^-23. */
TEST(changes_by_number_are_proven)
{
    const double slack = 0x1p-22, tiny = 1e-9;
    static const double base = 0.25;

    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base, true), REPORT_EXISTING);
    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base - slack, false), REPORT_EXISTING);
    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base - slack - tiny, false), REPORT_WORSE);
    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base + slack, false), REPORT_EXISTING);
    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base + slack + tiny, false), REPORT_BETTER);
    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base - tiny, true), REPORT_WORSE);
    CHECK_INT(change_of(MADE_NEAR, base, MADE_NEAR, base - 0x1p-48, true), REPORT_EXISTING);
    CHECK_INT(change_of(MADE_CONTACT, base, MADE_CONTACT, base - 0.01, false), REPORT_WORSE);
}

static report_change depth_change(double depth, double error, double depth_now, double error_now)
{
    change_state before = report_change_unknown(), now;
    before.judged = before.fails = true;
    before.status = STLCLASH_CLASH;
    before.volume = report_change_volume(1, 0);
    now = before;
    before.depth = report_change_depth(depth, error);
    now.depth = report_change_depth(depth_now, error_now);
    return report_change_between(&before, &now, true);
}

/* The true depth is what was found, or more by its error. */
TEST(changes_of_depth_are_proven)
{
    CHECK_INT(depth_change(1, 0.5, 1.3, 0.1), REPORT_EXISTING);
    CHECK_INT(depth_change(1.3, 0.1, 1, 0.5), REPORT_EXISTING);
    CHECK_INT(depth_change(1, 0.5, 1.6, 0.1), REPORT_WORSE);
    CHECK_INT(depth_change(1.6, 0.1, 1, 0.5), REPORT_BETTER);
    CHECK_INT(depth_change(1, 0, 0.8, 0.5), REPORT_EXISTING);
    CHECK_INT(depth_change(0.8, 0.5, 1, 0), REPORT_EXISTING);
}

/* A true volume may be more than what was found, or less. */
TEST(changes_of_volume_are_proven)
{
    static const struct {
        double before, error, now, error_now;
        report_change change;
    } cases[] = {{1, 0.25, 1.5, 0.375, REPORT_EXISTING}, {1.5, 0.375, 1, 0.25, REPORT_EXISTING},
                 {1, 0.375, 1.5, 0.25, REPORT_EXISTING}, {1.5, 0.25, 1, 0.375, REPORT_EXISTING},
                 {1, 0.125, 1.5, 0.25, REPORT_WORSE},    {1.5, 0.25, 1, 0.125, REPORT_BETTER}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        change_state before = report_change_unknown(), now;
        before.judged = before.fails = true;
        before.status = STLCLASH_CLASH;
        now = before;
        before.volume = report_change_volume(cases[i].before, cases[i].error);
        now.volume = report_change_volume(cases[i].now, cases[i].error_now);
        CHECK_INT(report_change_between(&before, &now, true), cases[i].change);
    }
}

/* Parts that touch, with an overlap that is allowed, or without. */
TEST(a_contact_is_worse_where_it_is_deeper)
{
    static const struct {
        double before, now;
        report_change change;
    } cases[] = {{0.1, 0.1, REPORT_EXISTING}, {0.1, 0.2, REPORT_WORSE},
                 {0.2, 0.1, REPORT_BETTER},   {NAN, 0.1, REPORT_EXISTING},
                 {0.1, NAN, REPORT_EXISTING}, {NAN, NAN, REPORT_EXISTING}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        change_state before = report_change_unknown(), now;
        before.judged = before.fails = true;
        before.status = STLCLASH_CONTACT;
        before.distance = report_change_distance(0, 0x1p-23);
        now = before;
        before.depth = report_change_depth(cases[i].before, 0);
        now.depth = report_change_depth(cases[i].now, 0);
        CHECK_INT(report_change_between(&before, &now, false), cases[i].change);
    }
}

static report_change clash_change(double depth, double volume, double depth_now, double volume_now)
{
    made_start(&made, 3);
    made_start(&later, 3);
    report_pair *before = made_add(&made, MADE_CLASH, 0, 1, 0.5);
    report_pair *now = made_add(&later, MADE_CLASH, 0, 1, 0.5);
    stlclash_overlap *overlap = &made.results[0].overlap;
    overlap->depth = isnan(depth) ? 0.0 : depth;
    overlap->has_depth = !isnan(depth);
    overlap->volume = volume;
    made.results[0].has_overlap = !isnan(volume);
    overlap = &later.results[0].overlap;
    overlap->depth = isnan(depth_now) ? 0.0 : depth_now;
    overlap->has_depth = !isnan(depth_now);
    overlap->volume = volume_now;
    later.results[0].has_overlap = !isnan(volume_now);
    change_state old = report_change_state(before), new = report_change_state(now);
    return report_change_between(&old, &new, false);
}

TEST(a_clash_is_worse_in_depth_or_volume)
{
    /* the slack of a volume: twice the resolution times the surface of a unit box */
    const double error = 0.001, slack = 0x1p-22, by = 6.01 * slack, tiny = 1e-9;

    CHECK_INT(clash_change(1, 1, 1, 1), REPORT_EXISTING);
    CHECK_INT(clash_change(1, 1, 1 + error, 1), REPORT_EXISTING);
    CHECK_INT(clash_change(1, 1, 1 + error + slack, 1), REPORT_EXISTING);
    CHECK_INT(clash_change(1, 1, 1 + error + slack + tiny, 1), REPORT_WORSE);
    CHECK_INT(clash_change(1, 1, 1 - error - slack, 1), REPORT_EXISTING);
    CHECK_INT(clash_change(1, 1, 1 - error - slack - tiny, 1), REPORT_BETTER);
    CHECK_INT(clash_change(1, 1, 1, 1 + 5.9 * slack), REPORT_EXISTING);
    CHECK_INT(clash_change(1, 1, 1, 1 + by), REPORT_WORSE);
    CHECK_INT(clash_change(1, 1, 1, 1 - by), REPORT_BETTER);
    CHECK_INT(clash_change(1, 1, 0.5, 1 + by), REPORT_WORSE);
    CHECK_INT(clash_change(1, 1, 2, 0.5), REPORT_WORSE);
    CHECK_INT(clash_change(1, 1, 0.5, 0.5), REPORT_BETTER);
    /* What the baseline did not know it did not bound; what is not known now may be more. */
    CHECK_INT(clash_change(NAN, 1, 7, 1), REPORT_EXISTING);
    CHECK_INT(clash_change(NAN, NAN, 7, 7), REPORT_EXISTING);
    CHECK_INT(clash_change(NAN, NAN, NAN, NAN), REPORT_EXISTING);
    CHECK_INT(clash_change(1, 1, NAN, 1), REPORT_WORSE);
    CHECK_INT(clash_change(1, 1, NAN, NAN), REPORT_WORSE);
}

/* Better and worse exchange with the reports, and nothing is both, for any numbers. */
TEST(changes_have_a_direction)
{
    for (int i = 0; i < test_rounds(20000); i++) {
        double spread = test_below(2) ? 0.01 : 4.0 * 0x1p-22;
        double a = 0.3 + test_uniform(-spread, spread), b = 0.3 + test_uniform(-spread, spread);
        double v = 0.3 + test_uniform(-spread, spread), w = 0.3 + test_uniform(-spread, spread);
        made_kind kind = test_below(2) ? MADE_NEAR : MADE_CONTACT;
        report_change there = change_of(kind, a, kind, b, false);
        report_change back = change_of(kind, b, kind, a, false);
        bool clear_gap = fabs(a - b) > 0x1p-22 + 2 * 0x1p-47;
        CHECK_INT(there, !clear_gap ? REPORT_EXISTING : b < a ? REPORT_WORSE : REPORT_BETTER);
        CHECK_INT(back, !clear_gap ? REPORT_EXISTING : b < a ? REPORT_BETTER : REPORT_WORSE);

        there = clash_change(a, v, b, w);
        back = clash_change(b, w, a, v);
        CHECK((there == REPORT_EXISTING) == (back == REPORT_EXISTING), "%d and %d", there, back);
        CHECK(there != REPORT_BETTER || back == REPORT_WORSE, "%d and %d", there, back);
    }
}

/* Of cubes of some size, which a resolution of 0.25 lets grow by a slack of 0.5. */
static report_change volume_change(double size, double volume, double size_now, double volume_now)
{
    change_state state[2] = {report_change_unknown(), report_change_unknown()};
    for (int i = 0; i < 2; i++) {
        state[i].judged = state[i].fails = true;
        state[i].status = STLCLASH_CLASH;
        state[i].resolution = 0.25;
        state[i].volume = report_change_volume(i ? volume_now : volume, 0);
        for (int k = 0; k < 3; k++) {
            state[i].bounds[0][k] = 0.0;
            state[i].bounds[1][k] = i ? size_now : size;
        }
    }
    return report_change_between(&state[0], &state[1], false);
}

/* By as much as the larger of both boxes lets it: 0.5 * 6 * (size + 1)^2. */
TEST(volumes_change_by_rounding_of_either_box)
{
    static const double most[2] = {3, 12}; /* of sizes 0 and 1 */
    for (int way = 0; way < 4; way++) {
        const int before = way & 1, now = way >> 1;
        const double slack = most[before || now];
        CHECK_INT(volume_change(before, 20, now, 20 + slack), REPORT_EXISTING);
        CHECK_INT(volume_change(before, 20, now, 20 - slack), REPORT_EXISTING);
        CHECK_INT(volume_change(before, 20, now, 20.01 + slack), REPORT_WORSE);
        CHECK_INT(volume_change(before, 20, now, 19.99 - slack), REPORT_BETTER);
    }
}

/* The coarser of both reports tells how far a distance may change. */
TEST(distances_change_by_rounding_of_either_report)
{
    for (int way = 0; way < 4; way++) {
        change_state before = report_change_unknown(), now;
        before.judged = before.fails = true;
        before.status = STLCLASH_NEAR;
        now = before;
        before.resolution = way & 1 ? 0.25 : 0.0625;
        now.resolution = way & 2 ? 0.25 : 0.0625;
        before.distance = report_change_distance(3, 0);
        now.distance = report_change_distance(way ? 2.75 : 2.9375, 0);
        CHECK_INT(report_change_between(&before, &now, false), REPORT_EXISTING);
        now.distance = report_change_distance(way ? 2.25 : 2.75, 0);
        CHECK_INT(report_change_between(&before, &now, false), REPORT_WORSE);
    }
}

/* ---- whole reports -------------------------------------------------------------- */

/* A report against itself: no failure counts but those that are undecided. Then
 * against that one, which lets them pass: the same. */
TEST(a_report_is_its_own_baseline)
{
    scratch s = scratch_start();
    made_start(&made, 20);
    made_nasty(&made);
    made.report.rules = made.rules;
    made.report.rule_count = 2;
    made_all(&made);
    for (int round = 0; round < 2; round++) {
        baseline *old = as_baseline(&s, &made.report);
        CHECK(old && baseline_compare(old, &made.report, made.pairs), "%s", said(&s));
        for (size_t i = 0; i < made.report.pair_count; i++) {
            const report_pair *pair = &made.pairs[i];
            bool undecided = report_pair_status(pair) == STLCLASH_UNDECIDED && !pair->ignored;
            bool fails = undecided || (pair->result && !pair->result->pass);
            CHECK_INT(pair->change, fails ? REPORT_EXISTING : REPORT_NO_BASELINE);
            CHECK_INT(pair->pass, !undecided);
        }
        CHECK_INT(made.report.resolved_count, 0);
        made.report.baseline = "old.json"; /* the path goes with the baseline */
        made.report.resolved = NULL;
        baseline_free(old);
    }
    scratch_end(&s);
}

/* A report in which it passed for that is a baseline as any other. */
TEST(what_got_better_stays_accepted)
{
    scratch s = scratch_start();
    for (int again = 0; again < 2; again++) {
        baseline *old;
        made_start(&made, 2);
        made_add(&made, MADE_NEAR, 0, 1, 0.1);
        old = as_baseline(&s, &made.report);
        for (int round = 0; round < 2; round++) {
            made_start(&later, 2);
            report_pair *pair = made_add(&later, MADE_NEAR, 0, 1, again ? 0.1 : 0.15);
            CHECK(old && baseline_compare(old, &later.report, later.pairs), "%s", said(&s));
            CHECK_INT(pair->change, again || round ? REPORT_EXISTING : REPORT_BETTER);
            CHECK(pair->pass, "round %d: it fails", round);
            later.report.baseline = "old.json";
            later.report.resolved = NULL;
            baseline_free(old);
            old = as_baseline(&s, &later.report);
        }
        baseline_free(old);
    }
    scratch_end(&s);
}

/* On a way that may come nearer than was seen nothing nearer is proven to be worse. */
TEST(approaches_are_as_close_as_they_may_be)
{
    scratch s = scratch_start();
    for (int near = 0; near < 2; near++) {
        made_start(&made, 2);
        made_start(&later, 2);
        report_pair *seen = made_add(&made, MADE_NEAR, 0, 1, 0.1), *pair;
        stlclash_sweep_result motion = {.kind = STLCLASH_SCREW,
                                        .status = STLCLASH_NEAR,
                                        .start = &made.results[0],
                                        .has_approach = true,
                                        .approach = {.separation = made.results[0].separation},
                                        .approach_error = 0.05};
        seen->motion = &motion;
        baseline *old = as_baseline(&s, &made.report);
        pair = made_add(&later, MADE_NEAR, 0, 1, near ? 0.04 : 0.06);
        CHECK(old && baseline_compare(old, &later.report, later.pairs), "%s", said(&s));
        CHECK_INT(pair->change, near ? REPORT_WORSE : REPORT_EXISTING);
        const change_state before = report_change_state(pair), now = report_change_state(seen);
        CHECK_INT(report_change_between(&before, &now, false),
                  near ? REPORT_BETTER : REPORT_EXISTING);
        baseline_free(old);
    }
    scratch_end(&s);
}

/* The order of the pairs, and of a pair's parts, does not matter; pairs that are not
 * listed any more are resolved if they failed. */
TEST(pairs_are_found_by_their_names)
{
    scratch s = scratch_start();
    made_start(&made, 6);
    made_all(&made);
    baseline *old = as_baseline(&s, &made.report);

    made_start(&later, 6);
    size_t failed = 0, listed = 0;
    for (size_t i = made.report.pair_count; i-- > 0;) {
        const report_pair *pair = &made.pairs[i];
        if (i % 3 == 0) {
            failed += report_pair_fails(pair);
            continue;
        }
        report_pair *copy = &later.pairs[listed++];
        *copy = *pair;
        copy->a = &later.parts[pair->b - made.parts];
        copy->b = &later.parts[pair->a - made.parts];
    }
    later.report.pair_count = listed;
    CHECK(baseline_compare(old, &later.report, later.pairs), "%s", said(&s));
    for (size_t i = 0; i < listed; i++) {
        const report_pair *pair = &later.pairs[i];
        bool failing = pair->change != REPORT_NO_BASELINE;
        CHECK(pair->change == (failing ? REPORT_EXISTING : REPORT_NO_BASELINE), "pair %zu", i);
        CHECK(failing || pair->pass, "pair %zu fails and nobody sees it", i);
    }
    CHECK_INT(later.report.resolved_count, failed);
    baseline_free(old);
    scratch_end(&s);
}

static void check_refused(scratch *s, baseline *old, const char *word)
{
    CHECK(!baseline_compare(old, &later.report, later.pairs), "another %s is taken", word);
    const char *line = said(s);
    CHECK(strstr(line, word) && strchr(line, '\n') == line + strlen(line) - 1, "%s: %s", word,
          line);
}

/* One thing after another differs from the baseline. */
TEST(other_parts_and_options_are_refused)
{
    scratch s = scratch_start();
    stlclash_options options;
    made_start(&made, 4);
    made.report.rules = made.rules;
    made.report.rule_count = 2;
    made_all(&made);
    baseline *old = as_baseline(&s, &made.report);

#define AGAIN()                                                                                    \
    later = made;                                                                                  \
    later.report.parts = later.parts;                                                              \
    later.report.rules = later.rules;                                                              \
    options = made.report.options;                                                                 \
    for (int part = 0; part < 4; part++) {                                                         \
        later.parts[part].name = later.names[part];                                                \
    }
#define REFUSED(change, word)                                                                      \
    AGAIN();                                                                                       \
    change;                                                                                        \
    check_refused(&s, old, word)

    AGAIN();
    CHECK(baseline_compare(old, &later.report, later.pairs), "%s", said(&s));
    REFUSED(later.report.part_count = 3, "this run lacks 'part3'");
    REFUSED(strcpy(later.names[1], "another"), "this run lacks 'part1'");
    REFUSED(later.report.options.clearance = 0.7, "clearance");
    REFUSED(later.report.options.touch_gap = 0, "touch_gap");
    REFUSED(later.report.options.touch_overlap = 1, "touch_overlap");
    REFUSED(later.report.options.contact_fails = true, "contact");
    REFUSED(later.report.options.exact = true, "touch_overlap");
    REFUSED(later.report.options.quick = true, "quick");
    REFUSED(later.report.options.no_distance = true, "no_distance");
    REFUSED(later.report.options.no_overlap = true, "no_overlap");
    REFUSED(later.report.options.no_depth = true, "no_depth");
    REFUSED(later.report.options.require_closed = true, "require_closed");
    REFUSED(later.report.units = "in", "units");
    REFUSED(later.report.units = NULL, "units");
    REFUSED(later.report.rule_count = 1, "number of rules for its parts was 2, is 1");
    REFUSED(later.rules[0].name = "bolt", "rules[0].name");
    REFUSED(later.rules[0].max_volume = INFINITY, "rules[0].max_volume");
    REFUSED(later.rules[1].max_depth = 1, "rules[1].max_depth");
    REFUSED(later.rules[1].ignore = false, "rules[1].ignore");
    REFUSED(later.rules[1].options = &options; options.clearance = 9, "rules[1].clearance");
    baseline_free(old);

    /* Else its tolerances are others as well. */
    made.report.options.touch_gap = made.report.options.touch_overlap = 0.5;
    old = as_baseline(&s, &made.report);
    REFUSED(later.report.options.exact = true, "exact");
    baseline_free(old);
    scratch_end(&s);
}

/* ---- files that are no report ----------------------------------------------------- */

/* Reads the bytes: a baseline, or one line that names the file. */
static void check_read(scratch *s, const char *bytes, size_t size)
{
    write_bytes(s->path, bytes, size);
    baseline *old = baseline_read(s->path);
    const char *line = said(s);
    if (old) {
        CHECK_STRING(line, "");
        made_report copy = made;
        baseline_compare(old, &copy.report, copy.pairs); /* whatever it says */
        said(s);
    } else {
        char start[64];
        snprintf(start, sizeof start, "stlclash: %s: ", s->path);
        CHECK(strncmp(line, start, strlen(start)) == 0, "%s", line);
        CHECK(strchr(line, '\n') == line + strlen(line) - 1, "not one line: %s", line);
    }
    baseline_free(old);
}

TEST(negative_errors_are_refused)
{
    static const char *const keys[] = {"resolution", "depth_error"};
    scratch s = scratch_start();
    size_t size;
    made_start(&made, 2);
    made_add(&made, MADE_CLASH, 0, 1, 0.1);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        char *text = made_text(&made.report, "json", &size), key[64];
        snprintf(key, sizeof key, "\"%s\": ", keys[i]);
        char *value = strstr(text, key);
        CHECK(value, "%s is not there", keys[i]);
        value = value ? value + strlen(key) : text;
        memcpy(value, "-1", 2); /* in place of a digit and the point, before others */
        write_bytes(s.path, text, size);
        baseline *old = baseline_read(s.path);
        const char *line = said(&s);
        CHECK(!old && strstr(line, keys[i]) && strstr(line, "a number of 0 or more"), "%s: %s",
              keys[i], line);
        baseline_free(old);
        free(text);
    }
    scratch_end(&s);
}

/* A report that is cut, or has some bytes changed, or a value replaced. */
TEST(broken_baselines_are_refused)
{
    static const char *const values[] = {"null", "-1",   "1e999", "\"x\"",       "[]", "{}",
                                         "true", "1e-5", "[[[[",  "\"\\u0000\"", ""};
    scratch s = scratch_start();
    size_t size;
    made_start(&made, 4);
    made.report.rules = made.rules;
    made.report.rule_count = 2;
    made_all(&made);
    char *text = made_text(&made.report, "json", &size), *changed = malloc(size + 64);

    for (size_t length = 0; length < size; length += 1 + size / (size_t)test_rounds(200)) {
        check_read(&s, text, length);
    }
    for (int round = 0; round < test_rounds(500); round++) {
        memcpy(changed, text, size);
        for (int k = test_below(4); k >= 0; k--) {
            changed[test_below((int)size)] = (char)test_random();
        }
        check_read(&s, changed, size);
    }
    for (int round = 0; round < test_rounds(500); round++) {
        const char *value = values[test_below(sizeof values / sizeof values[0])];
        size_t colon = (size_t)test_below((int)size);
        while (colon < size && text[colon] != ':') {
            colon++;
        }
        if (colon == size) {
            continue;
        }
        size_t end = colon + 1 + strcspn(text + colon + 1, ",}\n"), length = strlen(value);
        memcpy(changed, text, colon + 1);
        memcpy(changed + colon + 1, value, length);
        memcpy(changed + colon + 1 + length, text + end, size - end);
        check_read(&s, changed, size - end + colon + 1 + length);
    }
    free(changed);
    free(text);
    scratch_end(&s);
}
