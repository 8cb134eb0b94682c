/* assembly_trees.c - see assembly_trees.h. */
#include "assembly_trees.h"

#include "base/alloc.h"

/* A tree of a part with so few facets is built in no time; one takes up to that many bytes
 * for each. */
enum { LEAST_FACETS = 2000, TREE_BYTES = 100 };

/* The bytes of all files as loaded. */
static uint64_t bytes_of_files(const stlclash_assembly *assembly)
{
    uint64_t bytes = 0;
    for (size_t s = 0; s < assembly->source_count; s++) {
        bytes += sc_store_bytes(assembly->store, s);
    }
    return bytes;
}

/* False if memory ran out. A part whose file is lost has no tree: its pairs say why. */
static bool make_tree(const stlclash_assembly *assembly, const sc_member *m, sc_shared_tree **tree)
{
    sc_part part = m->part;
    stlclash_error error;

    if (sc_store_acquire(assembly->store, m->file, &part.mesh, &error) != STLCLASH_OK) {
        return true;
    }
    sc_store_release(assembly->store, m->file);
    *tree = sc_shared_tree_make(&part);
    return *tree != NULL;
}

/* Only where all meshes stay, with room left: a tree refers to its mesh. */
sc_shared_tree **sc_assembly_trees_make(const stlclash_assembly *assembly, const uint32_t *pairs)
{
    uint64_t room = sc_store_memory(assembly->store), used = bytes_of_files(assembly);
    sc_shared_tree **trees = sc_calloc(assembly->count, sizeof *trees);
    bool good = trees != NULL;

    for (size_t i = 0; good && i < assembly->count; i++) {
        const sc_member *m = &assembly->members[i];
        uint64_t bytes = TREE_BYTES * m->info.mesh.triangles;
        if (pairs[i] >= 2 && m->info.mesh.triangles >= LEAST_FACETS && used <= room &&
            bytes <= room - used) {
            good = make_tree(assembly, m, &trees[i]);
            used += bytes;
        }
    }
    if (!good) {
        sc_assembly_trees_free(assembly, trees);
        return NULL;
    }
    return trees;
}

void sc_assembly_trees_free(const stlclash_assembly *assembly, sc_shared_tree **trees)
{
    for (size_t i = 0; trees && i < assembly->count; i++) {
        sc_shared_tree_free(trees[i]);
    }
    sc_free(trees);
}
