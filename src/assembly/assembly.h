/* assembly.h - the parts of an assembly, loaded and placed; see stlclash.h. */
#ifndef SC_ASSEMBLY_H
#define SC_ASSEMBLY_H

#include "motion/mover.h"
#include "part.h"
#include "store.h"

/* A part where it stands. Its mesh comes from the store, while it is needed. */
typedef struct sc_member {
    uint32_t file; /* in the store */
    sc_part part;  /* without the mesh; no meaning if info.error is set */
    sc_mover mover;
    sc_box swept; /* around the part at all times */
    stlclash_part_info info;
    stlclash_part_result judged; /* by stlclash_assembly_judge */
    struct sc_kept_warnings *kept;
} sc_member;

struct stlclash_assembly {
    sc_member *members; /* [count] */
    size_t count;
    struct sc_source *sources; /* [source_count], in the order of the store */
    size_t source_count;
    sc_store *store;
};

#endif
