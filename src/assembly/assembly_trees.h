/* assembly_trees.h - trees of the parts of an assembly that are in many pairs. */
#ifndef SC_ASSEMBLY_TREES_H
#define SC_ASSEMBLY_TREES_H

#include "assembly.h"
#include "shared_tree.h"

/* For each part a tree that serves all of its pairs, or NULL where none pays: pairs[i] are
 * those of part i. As far as memory goes. NULL if memory ran out. */
sc_shared_tree **sc_assembly_trees_make(const stlclash_assembly *assembly, const uint32_t *pairs);
void sc_assembly_trees_free(const stlclash_assembly *assembly,
                            sc_shared_tree **trees); /* may be NULL */

#endif
