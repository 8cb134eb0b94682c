/* mesh.h - a part as loaded: its file and what the first pass learnt. */
#ifndef SC_MESH_H
#define SC_MESH_H

#include "blocks.h"
#include "reader.h"
#include "stlclash.h"

enum { SC_MAX_WARNINGS = 8, SC_WARNING_TEXT = 160 };

struct stlclash_mesh {
    sc_file file;
    sc_blocks blocks;
    stlclash_warning warnings[SC_MAX_WARNINGS];
    size_t warning_count;
    char warning_texts[SC_MAX_WARNINGS][SC_WARNING_TEXT];
    struct sc_health_once *health; /* judged when first asked for */
};

#endif
