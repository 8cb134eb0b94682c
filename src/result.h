/* result.h - building a stlclash_result. */
#ifndef SC_RESULT_H
#define SC_RESULT_H

#include "stlclash.h"

enum { SC_MAX_NOTES = 8 };

/* The result with what it owns; its first member is what users see. */
typedef struct sc_result {
    stlclash_result public;
    const char *notes[SC_MAX_NOTES];
    stlclash_hit *hits;
} sc_result;

/* All zero, undecided; NULL if memory ran out. */
sc_result *sc_result_make(void);

/* Appends a note, a literal. */
void sc_result_note(sc_result *result, const char *note);

#endif
