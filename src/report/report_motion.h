/* report_motion.h - what a motion came to, as rows of text and in JSON. */
#ifndef REPORT_MOTION_H
#define REPORT_MOTION_H

#include "report_json_writer.h"
#include "report_row.h"

/* The rows of what happens on the way; the parts are called so there. */
void report_motion_print(const row_page *page, const report_pair *pair, const char *a,
                         const char *b);

/* "motion" of a pair that has one, and of a part that moves. */
void report_motion_json(json_writer *json, const stlclash_sweep_result *motion);
void report_motion_json_part(json_writer *json, const report_part *part);

#endif
