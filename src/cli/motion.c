/* motion.c - see motion.h. */
#include "motion.h"

#include "message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- placements ----------------------------------------------------------- */

static void take_placements(part_motion *m, void *placements, size_t count)
{
    m->moves = true;
    m->motion.kind = STLCLASH_SCREW;
    m->placements = placements;
    m->motion.placements = (const double(*)[16])m->placements;
    m->motion.placement_count = count;
}

static bool get_waypoints(const json_place *at, const cJSON *list, part_motion *m)
{
    void *placements = NULL;
    size_t count = 0;
    bool good =
        json_get_list(at, list, sizeof *m->placements, json_get_placement, &placements, &count);

    take_placements(m, placements, count);
    return good && (count > 0 || json_refuse(at, "at least one placement is expected"));
}

static bool take_end(part_motion *m, const double end[16])
{
    void *placement = malloc(sizeof *m->placements);
    if (!placement) {
        return message_no_memory();
    }
    memcpy(placement, end, sizeof *m->placements);
    take_placements(m, placement, 1);
    return true;
}

static bool take_end_file(part_motion *m, char *file)
{
    m->moves = true;
    m->motion.kind = STLCLASH_VERTEX_PATHS;
    m->end_file = file;
    return file || message_no_memory();
}

/* ---- options -------------------------------------------------------------- */

bool motion_of_options(const cli_motion *options, int part, part_motion *m)
{
    *m = (part_motion){.motion = {.kind = STLCLASH_STRAIGHT}};
    if (options->moves[part]) {
        m->moves = true;
        memcpy(m->motion.way[0], options->way[part], sizeof m->motion.way[0]);
        return true;
    }
    m->motion.tolerance = options->tolerance;
    if (options->ends[part]) {
        return take_end(m, options->end[part]);
    }
    if (part == 0) {
        return true;
    }
    if (options->end_mesh) {
        return take_end_file(m, strdup(options->end_mesh)) && motion_read_end(m);
    }
    if (!options->waypoints) {
        return true;
    }
    json_place at;
    cJSON *list = json_read(options->waypoints, &at);
    bool good = list && get_waypoints(&at, list, m);
    cJSON_Delete(list);
    return good;
}

/* ---- a manifest ----------------------------------------------------------- */

static bool get_move(const json_place *at, const cJSON *item, part_motion *m)
{
    double numbers[16];
    int count;

    m->moves = true;
    m->motion.kind = STLCLASH_STRAIGHT;
    if (!json_get_numbers(at, item, "a list of 3 numbers", numbers, &count)) {
        return false;
    }
    memcpy(m->motion.way[0], numbers, sizeof m->motion.way[0]);
    return count == 3 || json_wrong_count(at, count, "3");
}

static bool get_tolerance(const json_place *at, const cJSON *item, part_motion *m)
{
    bool given = false;
    return json_get_length(at, item, &given, &m->motion.tolerance) &&
           (!given || m->motion.tolerance > 0.0 || json_refuse(at, "it is not more than 0"));
}

static bool get_member(const json_place *at, const cJSON *item, void *target)
{
    part_motion *m = target;
    double end[16];
    char *file = NULL;

    if (strcmp(item->string, "tolerance") == 0) {
        return get_tolerance(at, item, m);
    }
    if (m->moves) {
        return json_refuse(at, "a motion has one of move, end, waypoints and to");
    }
    if (strcmp(item->string, "move") == 0) {
        return get_move(at, item, m);
    }
    if (strcmp(item->string, "end") == 0) {
        return json_get_placement(at, item, end) && take_end(m, end);
    }
    if (strcmp(item->string, "waypoints") == 0) {
        return get_waypoints(at, item, m);
    }
    bool good = json_get_name(at, item, &file) && take_end_file(m, json_beside(at->file, file));
    free(file);
    return good;
}

bool motion_of_json(const json_place *at, const cJSON *item, void *target)
{
    static const char *const keys[] = {"move", "end", "waypoints", "to", "tolerance", NULL};
    part_motion *m = target;

    if (!json_get_members(at, item, keys, get_member, m)) {
        return false;
    }
    if (!m->moves) {
        return json_refuse(at, "one of move, end, waypoints and to is missing");
    }
    return m->motion.kind != STLCLASH_STRAIGHT || m->motion.tolerance == 0.0 ||
           json_refuse(at, "a straight motion is decided exactly and has no tolerance");
}

/* ---- files ---------------------------------------------------------------- */

static bool take_problem(part_motion *m, const char *why)
{
    static const char before[] = "motion to ";
    const char *file = message_file(m->end_file);
    size_t size = sizeof before + strlen(file) + strlen(": ") + strlen(why);

    m->problem = malloc(size);
    if (!m->problem) {
        return message_no_memory();
    }
    snprintf(m->problem, size, "%s%s: %s", before, file, why);
    m->why = m->problem + strlen(m->problem) - strlen(why);
    return true;
}

bool motion_read_end(part_motion *m)
{
    stlclash_error error;

    if (m->end_file && stlclash_mesh_read(m->end_file, &m->end, &error) != STLCLASH_OK) {
        return take_problem(m, error.text);
    }
    m->motion.end = m->end;
    return true;
}

void motion_free(part_motion *m)
{
    free(m->placements);
    free(m->end_file);
    free(m->problem);
    stlclash_mesh_free(m->end);
}
