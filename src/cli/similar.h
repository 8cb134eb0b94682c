/* similar.h - the word that may have been meant by one that is not known. */
#ifndef CLI_SIMILAR_H
#define CLI_SIMILAR_H

#include <stddef.h>

typedef struct similar_search {
    const char *word;
    size_t length;
    int least;
    const char *best; /* of the names looked at the most similar one; NULL: none is */
} similar_search;

similar_search similar_begin(const char *word, size_t length);
void similar_look_at(similar_search *search, const char *name);

/* What to say behind a word that is none of the names, which end with a NULL: "; did you mean
 * 'clearance'?", or else "; known are a, b and clearance". Cut where there is no room. */
enum { SIMILAR_SIZE = 256 };
const char *similar_advice(char text[SIMILAR_SIZE], const char *word, const char *const *names);

#endif
