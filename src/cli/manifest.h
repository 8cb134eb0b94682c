/* manifest.h - a file that lists the parts of an assembly, and rules for their pairs. */
#ifndef CLI_MANIFEST_H
#define CLI_MANIFEST_H

#include "motion.h"
#include "rules.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct manifest_part {
    char *name; /* unique */
    char *file; /* as it is opened: relative to the manifest's folder */
    bool has_placement;
    double placement[16];
    part_motion motion;
} manifest_part;

typedef struct manifest {
    char *units;          /* or NULL */
    manifest_part *parts; /* [part_count], two or more */
    size_t part_count;
    rule *rules; /* [rule_count] */
    size_t rule_count;
} manifest;

/* Reads and checks a manifest; "-" is standard input. Unknown keys, and whatever else is
 * not as it should be, make it print one line that names the place, and return false.
 * manifest_free in both cases. */
bool manifest_read(const char *path, manifest *m);
void manifest_free(manifest *m);

#endif
