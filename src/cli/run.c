/* run.c - see run.h. */
#include "run.h"

#include "message.h"
#include "names.h"
#include "outputs.h"
#include "process.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- parts --------------------------------------------------------------- */

/* Two files are a pair, and nothing else. */
static bool is_one_pair(const run *r)
{
    return !r->options->manifest && r->part_count == 2;
}

static bool allocate_parts(run *r, size_t count)
{
    r->part_count = count;
    r->names = calloc(count, sizeof *r->names);
    r->files = calloc(count, sizeof *r->files);
    r->given = calloc(count, sizeof *r->given);
    r->parts = calloc(count, sizeof *r->parts);
    r->problems = calloc(count, sizeof *r->problems);
    return (r->names && r->files && r->given && r->parts && r->problems) || message_no_memory();
}

/* How a part moves, or NULL. */
static const part_motion *motion_of(const run *r, size_t i)
{
    const part_motion *motion = r->options->manifest ? &r->manifest.parts[i].motion
                                : r->part_count == 2 ? &r->motions[i]
                                                     : NULL;
    return motion && motion->moves ? motion : NULL;
}

/* Whether it was said of the motion of one of the first so many parts that this file, to which it
 * leads, cannot be read, and why. */
static bool is_told_of_motion(const run *r, size_t count, const char *file, const char *why)
{
    for (size_t i = 0; i < count; i++) {
        const part_motion *motion = motion_of(r, i);
        if (motion && motion->problem && strcmp(motion->end_file, file) == 0 &&
            strcmp(motion->why, why) == 0) {
            return true;
        }
    }
    return false;
}

static bool take_motion(run *r, size_t i, part_motion *motion)
{
    bool good = r->options->manifest ? motion_read_end(motion)
                                     : motion_of_options(&r->options->motion, (int)i, motion);
    if (good && motion->moves) {
        r->given[i].motion = &motion->motion;
    }
    if (good && motion->problem && !is_told_of_motion(r, i, motion->end_file, motion->why)) {
        message_print("%s: %s", message_file(motion->end_file), motion->why);
    }
    return good;
}

static bool take_files(run *r)
{
    const cli_options *options = r->options;
    if (!allocate_parts(r, options->file_count)) {
        return false;
    }
    names_of_files(options->files, r->part_count, r->names);
    for (size_t i = 0; i < r->part_count; i++) {
        r->files[i] = options->files[i];
        r->given[i].file = r->files[i];
        if (!r->names[i]) {
            return message_no_memory();
        }
        r->given[i].name = r->names[i];
        if (r->part_count == 2) {
            r->given[i].name = i == 0 ? "A" : "B";
            r->given[i].placement = options->check.placement[i];
            if (!take_motion(r, i, &r->motions[i])) {
                return false;
            }
        }
    }
    return true;
}

static bool take_manifest(run *r)
{
    if (!manifest_read(r->options->manifest, &r->manifest) ||
        !outputs_spare_parts(r->options, &r->manifest) ||
        !allocate_parts(r, r->manifest.part_count)) {
        return false;
    }
    for (size_t i = 0; i < r->part_count; i++) {
        manifest_part *part = &r->manifest.parts[i];
        r->names[i] = part->name;
        r->files[i] = part->file;
        r->given[i] = (stlclash_part){.name = "the part",
                                      .file = part->file,
                                      .placement = part->has_placement ? part->placement : NULL};
        if (!take_motion(r, i, &part->motion)) {
            return false;
        }
    }
    return true;
}

/* ---- rules --------------------------------------------------------------- */

/* Those of the manifest, then those of the command line. */
static bool take_rules(run *r)
{
    const cli_options *options = r->options;
    size_t count = r->manifest.rule_count;
    rule *all = realloc(r->manifest.rules, (count + options->rule_count + 1) * sizeof *all);

    if (!all) {
        return message_no_memory();
    }
    r->manifest.rules = all;
    for (size_t i = 0; i < options->rule_count; i++) {
        r->manifest.rule_count++;
        if (!rule_parse(options->rules[i], &all[count + i])) {
            return false;
        }
    }
    count = r->manifest.rule_count;
    r->manifest.rules = NULL; /* the rules own them from here on */
    r->manifest.rule_count = 0;
    return rules_make(&r->rules, all, count, r->names, r->part_count, &r->check);
}

/* Whether a depth that is asked for closely is found of any pair. */
static bool check_depth_error(const run *r)
{
    const stlclash_options *o = &r->options->check;
    const char *without = o->quick        ? "quick"
                          : o->no_overlap ? "no-overlap"
                          : o->no_depth   ? "no-depth"
                                          : NULL;
    if (o->depth_error == 0.0 || !without) {
        return true;
    }
    for (size_t i = 0; i < r->rules.count; i++) {
        if (r->rules.rules[i].has_max_depth) {
            return true;
        }
    }
    message_print(
        "--depth-error needs what --%s leaves out, or a rule with a max_depth (try --help)",
        without);
    return false;
}

/* ---- reading ------------------------------------------------------------- */

/* A line for each file, in the order in which the parts first name them. */
static void print_files(const run *r, const size_t *first_of_file)
{
    for (size_t i = 0; i < r->part_count; i++) {
        if (first_of_file[i] == i && !r->parts[i].error) {
            message_read(r->parts[i].file, &r->parts[i].info);
        }
    }
}

/* Where the options have a placement or motion from that is no right one: "FILE: ", or "". */
static const char *place_of_error(const run *r, size_t i, bool of_motion, char *text, size_t size)
{
    const cli_motion *motion = &r->options->motion;
    const char *file = motion->waypoints ? motion->waypoints : motion->end_mesh;

    text[0] = '\0';
    if (r->options->manifest) {
        snprintf(text, size, "%s: parts[%zu].%s: ", message_file(r->options->manifest), i,
                 of_motion ? "motion" : "placement");
    } else if (of_motion && file) {
        snprintf(text, size, "%s: ", message_file(file));
    }
    return text;
}

/* Why a part cannot be read, for reports: with its file where the name of the part is not made of
 * that; of a long path the end, so that there is room for what is wrong. */
static char *make_problem(const run *r, size_t i, const char *why)
{
    enum { LONGEST = 100 };
    const char *file = r->options->manifest ? r->files[i] : "";
    const size_t length = strlen(file), cut = length > LONGEST ? length - LONGEST : 0;
    const size_t size = sizeof "...: " + length - cut + strlen(why);
    char *problem = malloc(size);
    if (problem) {
        snprintf(problem, size, "%s%s%s%s", cut > 0 ? "..." : "", file + cut,
                 length > 0 ? ": " : "", why);
    }
    return problem;
}

/* Says that a file cannot be read, but once. */
static bool take_problem(run *r, size_t i, size_t first_of_file, const char *why)
{
    const char *said = first_of_file < i ? r->problems[first_of_file] : NULL;

    r->parts[i].error = r->problems[i] = make_problem(r, i, why);
    if (!r->problems[i]) {
        return message_no_memory();
    }
    if ((!said || strcmp(said, r->problems[i]) != 0) &&
        !is_told_of_motion(r, r->part_count, r->files[i], why)) {
        message_print("%s: %s", message_file(r->files[i]), why);
    }
    return true;
}

/* Says why a part is in error. False: it is not its file that is wrong, but how we were told to
 * place or move it. */
static bool take_error(run *r, size_t i, size_t first_of_file, const stlclash_part_info *info)
{
    stlclash_code code = info->error.code;
    char place[4200];

    if (code != STLCLASH_E_ARGUMENT && code != STLCLASH_E_RANGE) {
        return take_problem(r, i, first_of_file, info->error.text);
    }
    r->parts[i].error = info->error.text;
    message_print("%s%s", place_of_error(r, i, info->motion_wrong, place, sizeof place),
                  info->error.text);
    return !r->options->manifest && !is_one_pair(r);
}

/* Takes over what is known of a part. */
static bool take_part(run *r, size_t i, size_t first_of_file)
{
    const stlclash_part_info *info = stlclash_assembly_get_part(r->assembly, i);
    const part_motion *motion = motion_of(r, i);
    report_part *part = &r->parts[i];

    *part = (report_part){.file = r->files[i],
                          .name = r->names[i],
                          .info = info->mesh,
                          .motion = motion ? &motion->motion : NULL,
                          .motion_end = motion ? motion->end_file : NULL};
    memcpy(part->found.bounds, info->bounds, sizeof part->found.bounds);
    if (info->error.code == STLCLASH_OK) {
        return true;
    }
    r->unreadable = true;
    if (info->motion_wrong && motion->problem) { /* said when its end was read */
        part->error = motion->problem;
        return true;
    }
    return take_error(r, i, first_of_file, info);
}

static bool take_parts(run *r)
{
    size_t *first_of_file = malloc(r->part_count * sizeof *first_of_file);
    if (!first_of_file || !names_first_of_files(r->files, r->part_count, first_of_file)) {
        free(first_of_file);
        return message_no_memory();
    }
    bool good = true;
    for (size_t i = 0; good && i < r->part_count; i++) {
        good = take_part(r, i, first_of_file[i]);
    }
    if (good && r->options->verbose) {
        print_files(r, first_of_file);
    }
    free(first_of_file);
    return good;
}

static bool read_parts(run *r)
{
    double start = process_seconds();
    stlclash_error error;

    if (stlclash_assembly_open(r->given, r->part_count, r->options->memory,
                               r->options->check.threads, &r->assembly, &error) != STLCLASH_OK) {
        message_print("%s", error.text);
        return false;
    }
    r->cost.read_seconds = process_seconds() - start;
    return take_parts(r);
}

bool run_open(run *r, const cli_options *options)
{
    r->options = options;
    r->check = options->check;
    r->check.placement[0] = r->check.placement[1] = NULL;
    if (options->quiet && options->output_count == 0 && !options->overlap.path &&
        !options->curves.path && !options->baseline) {
        r->check.no_overlap = true; /* nobody would see it */
    }
    return (options->manifest ? take_manifest(r) : take_files(r)) && take_rules(r) &&
           check_depth_error(r) && read_parts(r);
}

/* ---- checking ------------------------------------------------------------ */

static const stlclash_options *options_of(void *context, size_t a, size_t b)
{
    const run *r = context;
    long number = rules_of_pair(&r->rules, a, b);
    return number < 0                      ? &r->check
           : r->rules.rules[number].ignore ? NULL
                                           : &r->rules.options[number];
}

/* A sweep owns its result. */
static void free_found(const stlclash_result *result, const stlclash_sweep_result *sweep)
{
    if (sweep) {
        stlclash_sweep_result_free((stlclash_sweep_result *)sweep);
    } else {
        stlclash_result_free((stlclash_result *)result);
    }
}

static report_pair *add_pair(run *r)
{
    if (r->pair_count == r->pair_capacity) {
        size_t more = r->pair_capacity ? 2 * r->pair_capacity : 16;
        report_pair *grown = realloc(r->pairs, more * sizeof *grown);
        if (!grown) {
            r->out_of_memory = true;
            return NULL;
        }
        r->pairs = grown;
        r->pair_capacity = more;
    }
    return &r->pairs[r->pair_count++];
}

/* What a check found out about the mesh of a part: the first that says most. */
static void take_health(report_part *part, const stlclash_part_result *found)
{
    if (found->has_health > part->found.has_health || found->has_volume > part->found.has_volume) {
        part->found = *found;
    }
}

static bool take_pair(void *context, const stlclash_pair *found)
{
    run *r = context;
    report_pair *pair = add_pair(r);
    long number = rules_of_pair(&r->rules, found->a, found->b);
    report_part *a = &r->parts[found->a], *b = &r->parts[found->b];

    if (!pair) {
        free_found(found->result, found->sweep);
        return false;
    }
    *pair = (report_pair){.a = a,
                          .b = b,
                          .options = found->options ? found->options : &r->check,
                          .result = found->result,
                          .motion = found->sweep,
                          .pass = found->sweep ? found->sweep->pass
                                               : found->result && found->result->pass,
                          .clear_by_boxes = found->clear_by_boxes,
                          .box_distance = found->box_distance,
                          .rule = number < 0 ? NULL : &r->rules.reported[number]};
    if (!found->options) {
        pair->ignored = r->rules.rules[number].reason;
        r->ignored_listed++;
    } else if (found->error.code != STLCLASH_OK) {
        pair->error = strdup(a->error ? a->error : b->error ? b->error : found->error.text);
        r->out_of_memory = !pair->error;
    } else if (found->result) {
        take_health(a, &found->result->part[0]);
        take_health(b, &found->result->part[1]);
    }
    return !r->out_of_memory;
}

static bool show_progress(void *context, const stlclash_assembly_progress *come)
{
    run *r = context;
    return is_one_pair(r) ? progress_update(&r->bar, come->fraction)
                          : progress_update_pairs(&r->bar, come->fraction, come->done, come->pairs,
                                                  come->failed);
}

/* Why a pair could not be judged, where that is not for a part, which has its line already. */
static const char *own_error(const report_pair *pair)
{
    return pair->a->error || pair->b->error ? NULL : pair->error;
}

/* One line for each error; what is the same for one pair after the other is said of the first. */
static void tell_errors(const run *r)
{
    const report_pair *first = NULL;
    size_t others = 0;
    for (size_t i = 0; i <= r->pair_count; i++) {
        const report_pair *pair = i < r->pair_count ? &r->pairs[i] : NULL;
        if (pair && !own_error(pair)) {
            continue;
        }
        if (pair && first && strcmp(first->error, pair->error) == 0) {
            others++;
            continue;
        }
        if (first) {
            char more[40] = "";
            if (others > 0) {
                snprintf(more, sizeof more, " and %zu more", others);
            }
            message_print("%s (%s vs %s%s)", first->error, first->a->name, first->b->name, more);
        }
        first = pair;
        others = 0;
    }
}

/* With --health, the parts that no pair has told of: all of theirs are clear by boxes, or left out.
 * What time there was for all of it holds here too. */
static bool judge_others(run *r, double start)
{
    double most = r->options->check.max_seconds;
    for (size_t i = 0; i < r->part_count; i++) {
        const stlclash_part_result *found;
        stlclash_error error;
        bool late = most > 0.0 && process_seconds() - start > most;
        if (r->parts[i].error || r->parts[i].found.has_health || late) {
            continue;
        }
        if (stlclash_assembly_judge(r->assembly, i, &found, &error) != STLCLASH_OK) {
            message_print("%s: %s", message_file(r->files[i]), error.text);
            return false;
        }
        take_health(&r->parts[i], found);
    }
    return true;
}

bool run_check(run *r)
{
    const cli_options *options = r->options;
    double start = process_seconds();
    bool shown =
        options->progress == CLI_ALWAYS || (options->progress == CLI_AUTO && isatty(STDERR_FILENO));
    stlclash_assembly_options how = {
        .options = options_of,
        .reach = r->rules.reach,
        .pair = take_pair,
        .progress = shown ? show_progress : NULL,
        .context = r,
        .far = r->part_count == 2  ? STLCLASH_FAR_CHECK
               : options->list_all ? STLCLASH_FAR_LIST
                                   : STLCLASH_FAR_COUNT,
        .list_only = options->list_pairs,
        .max_seconds = options->check.max_seconds,
        .threads = options->check.threads,
    };
    stlclash_error error;
    r->bar = progress_start(options->progress == CLI_ALWAYS ? 0.0 : 1.0);
    stlclash_code code = stlclash_assembly_check(r->assembly, &how, &error);
    progress_end(&r->bar);
    if (code != STLCLASH_OK) {
        message_print("%s", error.text);
        return false;
    }
    if (r->out_of_memory) {
        return message_no_memory();
    }
    if (options->check.health && !options->list_pairs && !judge_others(r, start)) {
        return false;
    }
    r->cost.check_seconds = process_seconds() - start;
    if (!options->list_pairs) { /* a list tells them itself */
        tell_errors(r);
    }
    return true;
}

bool run_is_told(const run *r)
{
    return is_one_pair(r) && r->pair_count == 1 && r->pairs[0].error;
}

/* ---- the end ------------------------------------------------------------- */

struct report run_report(const run *r)
{
    uint64_t parts = r->part_count, ignored = r->rules.ignored - r->ignored_listed;
    uint64_t all = parts % 2 ? (parts - 1) / 2 * parts : parts / 2 * (parts - 1);
    const char *units = r->options->units ? r->options->units : r->manifest.units;

    return (struct report){.parts = r->parts,
                           .part_count = r->part_count,
                           .own_names = r->options->manifest != NULL,
                           .pairs = r->pairs,
                           .pair_count = r->pair_count,
                           .clear_unlisted = all - r->pair_count - ignored,
                           .ignored_unlisted = ignored,
                           .rules = r->rules.reported,
                           .rule_count = r->rules.count,
                           .units = units,
                           .options = r->options->check,
                           .all_hits = r->options->max_hits_given,
                           .cost = r->options->verbose ? &r->cost : NULL};
}

void run_free(run *r)
{
    for (size_t i = 0; i < r->pair_count; i++) {
        free((char *)r->pairs[i].error);
        free_found(r->pairs[i].result, r->pairs[i].motion);
    }
    for (size_t i = 0; i < r->part_count && r->problems; i++) {
        free(r->problems[i]);
    }
    for (size_t i = 0; i < r->part_count && r->names && !r->options->manifest; i++) {
        free(r->names[i]); /* those of a manifest are its own */
    }
    stlclash_assembly_free(r->assembly);
    baseline_free(r->before);
    rules_free(&r->rules);
    manifest_free(&r->manifest);
    motion_free(&r->motions[0]);
    motion_free(&r->motions[1]);
    free(r->names);
    free(r->files);
    free(r->problems);
    free(r->given);
    free(r->parts);
    free(r->pairs);
}
