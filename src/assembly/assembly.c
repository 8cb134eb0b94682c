/* assembly.c - see assembly.h: opening an assembly. Checking it is in assembly_check.c. */
#include "assembly.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/parallel.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* A file, or a mesh of the caller, and what is kept of it when its mesh is gone. */
typedef struct sc_source {
    uint32_t first, count; /* of its users in the list of parts by source */
    stlclash_warning *warnings;
    char (*texts)[SC_WARNING_TEXT];
} sc_source;

/* Opening, while it lasts. */
typedef struct opening {
    stlclash_assembly *assembly;
    const stlclash_part *parts;
    uint32_t *by_source; /* the parts, those of one source side by side */
    atomic_size_t next;
    atomic_bool out_of_memory;
} opening;

/* ---- which parts share a file -------------------------------------------- */

typedef struct use {
    const stlclash_part *part;
    uint32_t number;
} use;

static int compare_sources(const stlclash_part *a, const stlclash_part *b)
{
    if (a->file && b->file) {
        return strcmp(a->file, b->file);
    }
    if (a->file || b->file) {
        return a->file ? -1 : 1;
    }
    return ((uintptr_t)a->mesh > (uintptr_t)b->mesh) - ((uintptr_t)a->mesh < (uintptr_t)b->mesh);
}

static int by_source_then_number(const void *x, const void *y)
{
    const use *a = x, *b = y;
    int order = compare_sources(a->part, b->part);
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* The first part with the same source as each, which stands in for it. Returns how many sources
 * there are. */
static size_t find_first_users(const opening *o, use *uses, uint32_t *first_user)
{
    const size_t count = o->assembly->count;
    size_t sources = 0;
    for (size_t i = 0; i < count; i++) {
        uses[i] = (use){&o->parts[i], (uint32_t)i};
    }
    qsort(uses, count, sizeof *uses, by_source_then_number);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && compare_sources(uses[i - 1].part, uses[i].part) == 0;
        first_user[uses[i].number] = same ? first_user[uses[i - 1].number] : uses[i].number;
        sources += !same;
    }
    return sources;
}

/* Numbers them in the order in which the parts first name them. */
static void number_sources(stlclash_assembly *assembly, const uint32_t *first_user)
{
    for (size_t i = 0; i < assembly->count; i++) {
        bool same = first_user[i] != i;
        assembly->members[i].file =
            same ? assembly->members[first_user[i]].file : (uint32_t)assembly->source_count++;
        assembly->sources[assembly->members[i].file].count++;
    }
}

/* Puts the parts in order of their sources. */
static void sort_by_source(opening *o)
{
    stlclash_assembly *assembly = o->assembly;
    for (size_t s = 1; s < assembly->source_count; s++) {
        assembly->sources[s].first =
            assembly->sources[s - 1].first + assembly->sources[s - 1].count;
    }
    for (size_t i = 0; i < assembly->count; i++) {
        sc_source *source = &assembly->sources[assembly->members[i].file];
        o->by_source[source->first++] = (uint32_t)i;
    }
    for (size_t s = 0; s < assembly->source_count; s++) {
        assembly->sources[s].first -= assembly->sources[s].count;
    }
}

static bool find_sources(opening *o)
{
    stlclash_assembly *assembly = o->assembly;
    use *uses = sc_alloc(assembly->count, sizeof *uses);
    uint32_t *first_user = sc_alloc(assembly->count, sizeof *first_user);

    if (uses && first_user) {
        const size_t sources = find_first_users(o, uses, first_user);
        assembly->sources = sc_calloc(sources, sizeof *assembly->sources);
    }
    if (assembly->sources) {
        number_sources(assembly, first_user);
        sort_by_source(o);
    }
    sc_free(uses);
    sc_free(first_user);
    return assembly->sources != NULL;
}

static bool make_store(opening *o, uint64_t memory)
{
    stlclash_assembly *assembly = o->assembly;
    const char **files = sc_calloc(assembly->source_count, sizeof *files);
    const stlclash_mesh **meshes = sc_calloc(assembly->source_count, sizeof *meshes);

    if (files && meshes) {
        for (size_t s = 0; s < assembly->source_count; s++) {
            const stlclash_part *part = &o->parts[o->by_source[assembly->sources[s].first]];
            files[s] = part->file;
            meshes[s] = part->mesh;
        }
        assembly->store = sc_store_make(files, meshes, assembly->source_count, memory);
    }
    sc_free(files);
    sc_free(meshes);
    return assembly->store != NULL;
}

/* ---- reading and placing ------------------------------------------------- */

/* The facts of a mesh, kept when it is gone. */
static bool keep_info(sc_source *source, stlclash_mesh_info *info)
{
    size_t count = info->warning_count;

    source->warnings = sc_alloc(count, sizeof *source->warnings);
    source->texts = sc_alloc(count, sizeof *source->texts);
    if (!source->warnings || !source->texts) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        source->warnings[i] = info->warnings[i];
        snprintf(source->texts[i], sizeof source->texts[i], "%s", info->warnings[i].text);
        source->warnings[i].text = source->texts[i];
    }
    info->warnings = source->warnings;
    return true;
}

static void place(const opening *o, uint32_t number, const stlclash_mesh *mesh,
                  const stlclash_mesh_info *info)
{
    sc_member *member = &o->assembly->members[number];
    const stlclash_part *part = &o->parts[number];
    char whose[SC_ERROR_NAME];

    if (part->name) {
        sc_error_name(part->name, whose);
    } else {
        snprintf(whose, sizeof whose, "part %lu", (unsigned long)number);
    }
    member->info.mesh = *info;
    member->mover =
        (sc_mover){part->motion, part->placement,
                   mesh->file.facets.count > 0 ? sc_box_reach(&mesh->blocks.bounds) : 0.0};
    if (sc_part_place(mesh, part->placement, whose, &member->part, &member->info.error) !=
        STLCLASH_OK) {
        return;
    }
    if (sc_mover_sweep(&member->mover, &member->part, whose, &member->swept, &member->info.error) !=
        STLCLASH_OK) {
        member->info.motion_wrong = true;
        return;
    }
    member->part.mesh = NULL;
    sc_box_store(&member->part.bounds, member->info.bounds);
}

static void open_source(opening *o, size_t s)
{
    stlclash_assembly *assembly = o->assembly;
    sc_source *source = &assembly->sources[s];
    const stlclash_mesh *mesh;
    stlclash_error error;
    bool read = sc_store_acquire(assembly->store, s, &mesh, &error) == STLCLASH_OK;
    stlclash_mesh_info info = read ? stlclash_mesh_get_info(mesh) : (stlclash_mesh_info){0};

    if (read && !keep_info(source, &info)) {
        atomic_store(&o->out_of_memory, true);
    }
    for (uint32_t i = source->first; i < source->first + source->count; i++) {
        uint32_t number = o->by_source[i];
        if (read) {
            place(o, number, mesh, &info);
        } else {
            assembly->members[number].info.error = error;
        }
    }
    if (read) {
        sc_store_release(assembly->store, s);
    }
}

static void open_sources(void *context, int thread)
{
    opening *o = context;
    (void)thread;
    for (size_t s; (s = atomic_fetch_add(&o->next, 1)) < o->assembly->source_count;) {
        open_source(o, s);
    }
}

/* ---- opening ------------------------------------------------------------- */

static stlclash_code open_all(opening *o, uint64_t memory, int threads, stlclash_error *error)
{
    stlclash_assembly *assembly = o->assembly;

    assembly->members = sc_calloc(assembly->count, sizeof *assembly->members);
    o->by_source = sc_alloc(assembly->count, sizeof *o->by_source);
    if (!assembly->members || !o->by_source || !find_sources(o) || !make_store(o, memory)) {
        return sc_error_memory(error);
    }
    threads = sc_threads(threads);
    if ((size_t)threads > assembly->source_count) {
        threads = (int)assembly->source_count;
    }
    sc_parallel(sc_store_is_small(assembly->store) ? 1 : threads, open_sources, o);
    return atomic_load(&o->out_of_memory) ? sc_error_memory(error) : STLCLASH_OK;
}

stlclash_code stlclash_assembly_open(const stlclash_part *parts, size_t count, uint64_t memory,
                                     int threads, stlclash_assembly **assembly,
                                     stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    opening o = {.parts = parts};

    *assembly = NULL;
    if (threads < 0) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "number of threads must not be negative");
    }
    if (count >= UINT32_MAX) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "an assembly has fewer than 2^32 - 1 parts");
    }
    for (size_t i = 0; i < count; i++) {
        if (!parts[i].file && !parts[i].mesh) {
            return sc_error(error, STLCLASH_E_ARGUMENT, "part %lu has neither file nor mesh",
                            (unsigned long)i);
        }
    }
    o.assembly = sc_calloc(1, sizeof *o.assembly);
    if (!o.assembly) {
        return sc_error_memory(error);
    }
    o.assembly->count = count;
    stlclash_code code = open_all(&o, memory, threads, error);
    sc_free(o.by_source);
    if (code != STLCLASH_OK) {
        stlclash_assembly_free(o.assembly);
        return code;
    }
    *assembly = o.assembly;
    return STLCLASH_OK;
}

void stlclash_assembly_free(stlclash_assembly *assembly)
{
    if (!assembly) {
        return;
    }
    for (size_t s = 0; assembly->sources && s < assembly->source_count; s++) {
        sc_free(assembly->sources[s].warnings);
        sc_free(assembly->sources[s].texts);
    }
    sc_free(assembly->sources);
    for (size_t i = 0; assembly->members && i < assembly->count; i++) {
        sc_free(assembly->members[i].kept);
    }
    sc_free(assembly->members);
    sc_store_free(assembly->store);
    sc_free(assembly);
}

const stlclash_part_info *stlclash_assembly_get_part(const stlclash_assembly *assembly, size_t part)
{
    return &assembly->members[part].info;
}
