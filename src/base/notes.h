/* notes.h - the words by which a result tells what was not computed, and why. */
#ifndef SC_NOTES_H
#define SC_NOTES_H

#include <stddef.h>
#include <string.h>

/* More than any result has reasons for. */
enum { SC_MAX_NOTES = 12 };

/* Adds a word, a literal, to notes[SC_MAX_NOTES]; each is there once. */
static inline void sc_notes_add(const char *notes[SC_MAX_NOTES], size_t *count, const char *word)
{
    for (size_t i = 0; i < *count; i++) {
        if (strcmp(notes[i], word) == 0) {
            return;
        }
    }
    if (*count < SC_MAX_NOTES) {
        notes[(*count)++] = word;
    }
}

#endif
