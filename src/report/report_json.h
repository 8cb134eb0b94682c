/* report_json.h - what JSON reports of pairs, of motions and of probes have in common. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include "report.h"
#include "report_json_writer.h"

/* "options": the rules that verdicts follow. */
void report_json_options(json_writer *json, const stlclash_options *options);

/* Witness points, and what they lie on; null unless known. */
void report_json_witnesses(json_writer *json, bool known, const stlclash_separation *separation);

/* The members of "stats" that tell what the run cost. */
void report_json_cost(json_writer *json, const report_cost *cost);

/* "parts": all of them. */
void report_json_parts(json_writer *json, const struct report *report);

#endif
