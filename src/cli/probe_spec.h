/* probe_spec.h - a probe as text: X,Y,Z:X,Y,Z a segment, X,Y,Z:DX,DY,DZ,inf a ray, and
 * :RADIUS behind either. */
#ifndef CLI_PROBE_SPEC_H
#define CLI_PROBE_SPEC_H

#include "stlclash.h"

/* Reads all of the text. Returns NULL, or what is wrong, in *what where that has room. */
enum { PROBE_PROBLEM_SIZE = 160 };
const char *probe_read(const char *text, stlclash_probe *probe, char what[PROBE_PROBLEM_SIZE]);

/* Whether the value of an option is a probe; prints a line if not. */
bool probe_value(const char *option, const char *text);

#endif
