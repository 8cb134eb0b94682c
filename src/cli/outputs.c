/* outputs.c - see outputs.h. */
#include "outputs.h"

#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether a report there would take the place of a file, or NULL, that is read: standard input is
 * one, too, where the shell has it from there. */
static bool is_same_file(const char *path, const char *read)
{
    struct stat one, other;
    return read && stat(path, &one) == 0 &&
           (strcmp(read, "-") == 0 ? fstat(STDIN_FILENO, &other) : stat(read, &other)) == 0 &&
           S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

bool outputs_renew_baseline(const cli_options *options, const char *path)
{
    return is_same_file(path, options->baseline);
}

static bool spares(const char *option, const char *path, const char *read)
{
    if (path && is_same_file(path, read)) {
        message_print("--%s: '%s' is read by this run, and would be lost", option, path);
        return false;
    }
    return true;
}

/* No report is written over a file, or NULL, that is read. */
static bool spare(const cli_options *options, const char *read)
{
    bool ok = spares("overlap", options->overlap.path, read) &&
              spares("curves", options->curves.path, read);
    for (size_t i = 0; ok && i < options->output_count; i++) {
        ok = spares("output", options->outputs[i].path, read);
    }
    return ok;
}

/* All but the baseline, which may be renewed. */
static bool spare_operands(const cli_options *options)
{
    bool ok = spare(options, options->manifest) && spare(options, options->probe_file) &&
              spare(options, options->motion.waypoints) && spare(options, options->motion.end_mesh);
    for (size_t i = 0; ok && i < options->file_count; i++) {
        ok = spare(options, options->files[i]);
    }
    return ok;
}

bool outputs_spare_parts(const cli_options *options, const manifest *m)
{
    bool ok = true;
    for (size_t i = 0; ok && i < m->part_count; i++) {
        ok = spare(options, m->parts[i].file) && spare(options, m->parts[i].motion.end_file);
    }
    return ok;
}

/* NULL: nothing is to be written. */
static bool can_write(const char *path)
{
    if (path && !report_can_save(path)) {
        message_print("%s: cannot write: %s", path, strerror(errno));
        return false;
    }
    return true;
}

bool outputs_check(const cli_options *options)
{
    bool ok = spare_operands(options) && can_write(options->overlap.path) &&
              can_write(options->curves.path);
    for (size_t i = 0; ok && i < options->output_count; i++) {
        ok = can_write(options->outputs[i].path);
    }
    return ok;
}
