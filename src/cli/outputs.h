/* outputs.h - the files of reports, before anything is checked: whether they can be written, and
 * over nothing that is read. */
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "manifest.h"
#include "options.h"

/* Whether every file of a report can be written, as far as folders and rights tell, and is none
 * that the options have the run read. If not, one line on standard error. */
bool outputs_check(const cli_options *options);

/* Nor one that their manifest names. */
bool outputs_spare_parts(const cli_options *options, const manifest *m);

/* Whether a report there takes the place of the baseline. */
bool outputs_renew_baseline(const cli_options *options, const char *path);

#endif
