/* mesh.c - reading a part: file, first pass, warnings. */
#include "mesh.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "health/health_once.h"

#include <stdarg.h>
#include <stdio.h>

static void warn(stlclash_mesh *mesh, const char *code, uint64_t count, uint64_t first,
                 const char *format, ...) __attribute__((format(printf, 5, 6)));

static void warn(stlclash_mesh *mesh, const char *code, uint64_t count, uint64_t first,
                 const char *format, ...)
{
    size_t i = mesh->warning_count++;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(mesh->warning_texts[i], sizeof mesh->warning_texts[i], format, arguments);
    va_end(arguments);
    mesh->warnings[i] = (stlclash_warning){code, count, first, mesh->warning_texts[i]};
}

static void collect_warnings(stlclash_mesh *mesh)
{
    const sc_blocks *blocks = &mesh->blocks;
    unsigned long long trailing = mesh->file.trailing_bytes;

    if (mesh->file.facets.count == 0) {
        warn(mesh, "zero_triangles", 0, STLCLASH_NO_TRIANGLE, "the file holds no triangles");
    }
    if (trailing > 0) {
        const unsigned long long facets = trailing / SC_BINARY_FACET_BYTES;
        char lost[80] = "";
        if (trailing % SC_BINARY_FACET_BYTES == 0) {
            snprintf(lost, sizeof lost, ", or they are %llu %s that the header does not count",
                     facets, facets == 1 ? "triangle" : "triangles");
        }
        warn(mesh, "trailing_bytes", trailing, STLCLASH_NO_TRIANGLE,
             "%llu %s after the last triangle %s ignored%s", trailing,
             trailing == 1 ? "byte" : "bytes", trailing == 1 ? "is" : "are", lost);
    }
    if (blocks->degenerate > 0) {
        warn(mesh, "degenerate_triangles", blocks->degenerate, blocks->first_degenerate,
             "%llu %s no area (the first is triangle %llu); %s as the segment or point that it is",
             (unsigned long long)blocks->degenerate,
             blocks->degenerate == 1 ? "triangle has" : "triangles have",
             (unsigned long long)blocks->first_degenerate,
             blocks->degenerate == 1 ? "it counts" : "each counts");
    }
}

/* The second half of reading: the file is open, or *error says why not. */
static stlclash_code finish(stlclash_mesh *made, stlclash_code code, stlclash_mesh **mesh,
                            stlclash_error *error)
{
    if (code == STLCLASH_OK) {
        code = sc_blocks_build(&made->file.facets, &made->blocks, error);
    }
    if (code == STLCLASH_OK) {
        made->health = sc_health_once_make();
        code = made->health ? STLCLASH_OK : sc_error_memory(error);
    }
    if (code != STLCLASH_OK) {
        stlclash_mesh_free(made);
        return code;
    }
    collect_warnings(made);
    *mesh = made;
    return STLCLASH_OK;
}

stlclash_code stlclash_mesh_read(const char *path, stlclash_mesh **mesh, stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    stlclash_mesh *made = sc_calloc(1, sizeof *made);
    *mesh = NULL;
    if (!made) {
        return sc_error_memory(error);
    }
    return finish(made, sc_file_open(path, &made->file, error), mesh, error);
}

stlclash_code stlclash_mesh_parse(const void *bytes, size_t size, stlclash_mesh **mesh,
                                  stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    stlclash_mesh *made = sc_calloc(1, sizeof *made);
    *mesh = NULL;
    if (!made) {
        return sc_error_memory(error);
    }
    return finish(made, sc_file_parse(bytes, size, &made->file, error), mesh, error);
}

void stlclash_mesh_free(stlclash_mesh *mesh)
{
    if (mesh) {
        sc_health_once_free(mesh->health);
        sc_blocks_free(&mesh->blocks);
        sc_file_close(&mesh->file);
        sc_free(mesh);
    }
}

stlclash_mesh_info stlclash_mesh_get_info(const stlclash_mesh *mesh)
{
    stlclash_mesh_info info = {.format = mesh->file.format,
                               .triangles = mesh->file.facets.count,
                               .warnings = mesh->warnings,
                               .warning_count = mesh->warning_count};
    sc_box_store(&mesh->blocks.bounds, info.bounds);
    return info;
}
