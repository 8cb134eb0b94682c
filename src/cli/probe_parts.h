/* probe_parts.h - the parts that probes are held against: files, or a manifest. */
#ifndef CLI_PROBE_PARTS_H
#define CLI_PROBE_PARTS_H

#include "manifest.h"
#include "options.h"

/* A file, which several parts may share. */
typedef struct probe_file {
    const char *name;
    stlclash_mesh *mesh;
    stlclash_prober *prober; /* as it is stored, not placed */
} probe_file;

/* Zero is empty. */
typedef struct probe_parts {
    manifest manifest; /* empty where files are the operands */
    size_t count;
    char **names;              /* [count]; those of a manifest are its own */
    stlclash_prober **probers; /* [count], placed */
    report_part *parts;        /* [count] */
    size_t *first;             /* [count] the first part that is of the same file */
    probe_file *files;         /* [count] of those; zero for others */
} probe_parts;

/* Reads all parts and makes them ready. False, after a line on standard error, where that
 * failed. probe_parts_free in any case. */
bool probe_parts_open(probe_parts *p, const cli_options *options);
void probe_parts_free(probe_parts *p);

#endif
