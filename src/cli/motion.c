/* motion.c - see motion.h. A file of waypoints is a JSON list; each entry is a list of 3, 12
 * or 16 numbers, as --place-b has them. */
#include "motion.h"

#include "message.h"

#include <cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool motion_given(const cli_motion *motion)
{
    return motion->moves || motion->ends || motion->waypoints || motion->end_mesh;
}

/* ---- waypoints ------------------------------------------------------------ */

/* Larger files are no lists of placements that anybody wrote. */
enum { MAX_FILE = 1 << 24 };

/* The whole file, terminated; NULL after saying why not. The caller frees it. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file ? malloc(MAX_FILE + 1) : NULL;
    if (!text) {
        message_print("%s: %s", path, file ? "out of memory" : strerror(errno));
    } else {
        size_t size = fread(text, 1, MAX_FILE + 1, file);
        bool failed = ferror(file) != 0;
        if (failed || size > MAX_FILE || memchr(text, 0, size)) {
            message_print("%s: %s", path,
                          failed            ? "cannot be read"
                          : size > MAX_FILE ? "is too large for a list of placements"
                                            : "is no JSON: it has a zero byte");
            free(text);
            text = NULL;
        } else {
            text[size] = '\0';
        }
    }
    if (file) {
        fclose(file);
    }
    return text;
}

static bool placement_of(const cJSON *entry, double matrix[16])
{
    static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    int count = cJSON_IsArray(entry) ? cJSON_GetArraySize(entry) : 0;
    if (count != 3 && count != 12 && count != 16) {
        return false;
    }
    memcpy(matrix, identity, sizeof identity);
    int i = 0;
    for (const cJSON *number = entry->child; number; number = number->next, i++) {
        if (!cJSON_IsNumber(number) || !isfinite(number->valuedouble)) {
            return false;
        }
        matrix[count == 3 ? 4 * i + 3 : i] = number->valuedouble;
    }
    return true;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++) {
        line += *text == '\n';
    }
    return line;
}

/* The placements of a file; NULL after saying what is wrong. The caller frees them. */
static double (*read_waypoints(const char *path, size_t *count))[16]
{
    char *text = read_text(path);
    if (!text) {
        return NULL;
    }
    const char *end = NULL;
    double(*placements)[16] = NULL;
    cJSON *list = cJSON_ParseWithOpts(text, &end, true);
    *count = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
    if (!list) {
        message_print("%s: line %d: is no JSON", path, line_of(text, end ? end : text));
    } else if (*count == 0) {
        message_print("%s: must be a JSON list of placements, at least one", path);
    } else if (!(placements = malloc(*count * sizeof *placements))) {
        message_print("out of memory");
    }
    size_t i = 0;
    for (const cJSON *entry = placements ? list->child : NULL; entry; entry = entry->next, i++) {
        if (!placement_of(entry, placements[i])) {
            message_print("%s: entry %zu (from 0) is not a list of 3, 12 or 16 numbers", path, i);
            free(placements);
            placements = NULL;
            break;
        }
    }
    cJSON_Delete(list);
    free(text);
    return placements;
}

/* ---- the sweep ------------------------------------------------------------ */

bool motion_check(const cli_motion *motion, stlclash_mesh *const meshes[2],
                  const stlclash_options *options, stlclash_sweep_result **result)
{
    stlclash_motion how = {
        .kind = STLCLASH_STRAIGHT, .moves = STLCLASH_B, .tolerance = motion->tolerance};
    double(*waypoints)[16] = NULL;
    stlclash_mesh *end = NULL;
    stlclash_error error;

    memcpy(how.way, motion->way, sizeof how.way);
    if (motion->ends) {
        how.kind = STLCLASH_SCREW;
        how.placements = &motion->end;
        how.placement_count = 1;
    } else if (motion->waypoints) {
        waypoints = read_waypoints(motion->waypoints, &how.placement_count);
        if (!waypoints) {
            return false;
        }
        how.kind = STLCLASH_SCREW;
        how.placements = (const double(*)[16])waypoints;
    } else if (motion->end_mesh) {
        if (stlclash_mesh_read(motion->end_mesh, &end, &error) != STLCLASH_OK) {
            message_print("%s: %s", motion->end_mesh, error.text);
            return false;
        }
        how.kind = STLCLASH_VERTEX_PATHS;
        how.end = end;
    }
    stlclash_code code = stlclash_sweep(meshes[0], meshes[1], options, &how, result, &error);
    const char *file = motion->waypoints ? motion->waypoints : motion->end_mesh;
    bool good = code == STLCLASH_OK;
    if (!good && file && code == STLCLASH_E_ARGUMENT) {
        message_print("%s: %s", file, error.text);
    } else if (!good) {
        message_print("%s", error.text);
    }
    stlclash_mesh_free(end);
    free(waypoints);
    return good;
}
