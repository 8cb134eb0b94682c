/* probe_parts.c - see probe_parts.h. */
#include "probe_parts.h"

#include "message.h"
#include "names.h"
#include "outputs.h"

#include <stdlib.h>
#include <string.h>

static bool allocate(probe_parts *p, char *const files[], size_t count)
{
    p->count = count;
    p->names = calloc(count, sizeof *p->names);
    p->probers = calloc(count, sizeof *p->probers);
    p->parts = calloc(count, sizeof *p->parts);
    p->first = calloc(count, sizeof *p->first);
    p->files = calloc(count, sizeof *p->files);
    return (p->names && p->probers && p->parts && p->first && p->files &&
            names_first_of_files(files, count, p->first)) ||
           message_no_memory();
}

/* The file of a part, which is read the first time. NULL after a line that tells why. */
static const probe_file *take_file(probe_parts *p, size_t i, const char *name)
{
    probe_file *file = &p->files[p->first[i]];
    stlclash_error error;

    if (file->name) {
        return file;
    }
    file->name = name;
    if (stlclash_mesh_read(name, &file->mesh, &error) != STLCLASH_OK ||
        stlclash_prober_make(file->mesh, NULL, true, &file->prober, &error) != STLCLASH_OK) {
        message_print("%s: %s", message_file(name), error.text);
        return NULL;
    }
    return file;
}

/* `place` says in a message what gave the placement, where there is one: "--place-a",
 * "robot.json: parts[2].placement". */
static bool open_part(probe_parts *p, size_t i, const char *name, const double *placement,
                      const char *place)
{
    const probe_file *file = take_file(p, i, name);
    stlclash_error error;

    if (!file) {
        return false;
    }
    if (stlclash_prober_place(file->prober, placement, &p->probers[i], &error) != STLCLASH_OK) {
        message_print("%s: %s", placement ? place : message_file(name), error.text);
        return false;
    }
    p->parts[i] = (report_part){.file = name,
                                .name = p->names[i],
                                .info = stlclash_mesh_get_info(file->mesh),
                                .found = stlclash_prober_part(p->probers[i])};
    return true;
}

static bool open_files(probe_parts *p, const cli_options *options)
{
    if (!allocate(p, options->files, options->file_count)) {
        return false;
    }
    names_of_files(options->files, p->count, p->names);
    for (size_t i = 0; i < p->count; i++) {
        const double *placement = i < 2 ? options->check.placement[i] : NULL;
        if (!p->names[i]) {
            return message_no_memory();
        }
        if (!open_part(p, i, options->files[i], placement, i == 0 ? "--place-a" : "--place-b")) {
            return false;
        }
    }
    return true;
}

static bool allocate_for_manifest(probe_parts *p)
{
    const size_t count = p->manifest.part_count;
    char **files = malloc((count + 1) * sizeof *files);

    for (size_t i = 0; i < count && files; i++) {
        files[i] = p->manifest.parts[i].file;
    }
    bool good = files ? allocate(p, files, count) : message_no_memory();
    free(files);
    return good;
}

static bool open_manifest(probe_parts *p, const cli_options *options)
{
    char place[512];

    if (!manifest_read(options->manifest, &p->manifest) ||
        !outputs_spare_parts(options, &p->manifest) || !allocate_for_manifest(p)) {
        return false;
    }
    for (size_t i = 0; i < p->count; i++) {
        const manifest_part *part = &p->manifest.parts[i];
        p->names[i] = part->name;
        snprintf(place, sizeof place, "%.400s: parts[%zu].placement", options->manifest, i);
        if (!open_part(p, i, part->file, part->has_placement ? part->placement : NULL, place)) {
            return false;
        }
    }
    return true;
}

bool probe_parts_open(probe_parts *p, const cli_options *options)
{
    bool ok = options->manifest ? open_manifest(p, options) : open_files(p, options);
    for (size_t i = 0; ok && options->verbose && i < p->count; i++) {
        if (p->first[i] == i) {
            message_read(p->files[i].name, &p->parts[i].info);
        }
    }
    return ok;
}

void probe_parts_free(probe_parts *p)
{
    for (size_t i = 0; i < p->count && p->probers; i++) {
        stlclash_prober_free(p->probers[i]);
    }
    for (size_t i = 0; i < p->count && p->names && !p->manifest.parts; i++) {
        free(p->names[i]);
    }
    for (size_t i = 0; i < p->count && p->files; i++) {
        stlclash_prober_free(p->files[i].prober);
        stlclash_mesh_free(p->files[i].mesh);
    }
    free(p->names);
    free(p->probers);
    free(p->parts);
    free(p->first);
    free(p->files);
    manifest_free(&p->manifest);
}
