/* parts.h - the sample parts in data/, as code: the same bytes on every machine. */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

#include "shapes.h"

typedef struct part {
    const char *file; /* its name in data/ */
    bool ascii;
    bool (*build)(shape_sink sink);
} part;

extern const part parts[];
extern const size_t part_count;

/* The file's bytes into `image`, which must be {0}; false if memory ran out. */
bool part_image(const part *p, stl_image *image);

#endif
