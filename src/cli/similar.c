/* similar.c - see similar.h. */
#include "similar.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* As many letters may be wrong. */
static int most_wrong(size_t length)
{
    return length > 4 ? 2 : length > 2 ? 1 : 0;
}

/* How many letters must be put in, taken out or changed to make one word the other (Wagner and
 * Fischer, The string-to-string correction problem, 1974); INT_MAX for words longer than any. */
static int letters_apart(const char *word, size_t length, const char *name)
{
    enum { LONGEST = 32 };
    int row[LONGEST + 1];
    size_t width = strlen(name);

    if (width > LONGEST || length > LONGEST) {
        return INT_MAX;
    }
    for (size_t k = 0; k <= width; k++) {
        row[k] = (int)k;
    }
    for (size_t i = 0; i < length; i++) {
        int before = row[0];
        row[0] = (int)i + 1;
        for (size_t k = 1; k <= width; k++) {
            int least = before + (word[i] != name[k - 1]);
            least = least < row[k - 1] + 1 ? least : row[k - 1] + 1;
            before = row[k];
            row[k] = least < before + 1 ? least : before + 1;
        }
    }
    return row[width];
}

similar_search similar_begin(const char *word, size_t length)
{
    return (similar_search){.word = word, .length = length, .least = most_wrong(length) + 1};
}

void similar_look_at(similar_search *search, const char *name)
{
    const int apart = letters_apart(search->word, search->length, name);
    if (apart < search->least) {
        search->least = apart;
        search->best = name;
    }
}

const char *similar_advice(char text[SIMILAR_SIZE], const char *word, const char *const *names)
{
    similar_search search = similar_begin(word, strlen(word));
    size_t used = 0;

    for (const char *const *name = names; *name; name++) {
        similar_look_at(&search, *name);
    }
    if (search.best) {
        snprintf(text, SIMILAR_SIZE, "; did you mean '%s'?", search.best);
        return text;
    }
    for (size_t i = 0; names[i] && used < SIMILAR_SIZE; i++) {
        const char *between = i == 0 ? "; known are " : names[i + 1] ? ", " : " and ";
        used += (size_t)snprintf(text + used, SIMILAR_SIZE - used, "%s%s", between, names[i]);
    }
    return text;
}
