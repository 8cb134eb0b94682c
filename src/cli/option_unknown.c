/* option_unknown.c - see option_unknown.h. */
#include "option_unknown.h"

#include "message.h"
#include "option_table.h"

#include <getopt.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>

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

/* The option that may have been meant, or NULL. */
static const char *similar_option(const char *word, size_t length)
{
    enum { MOST = 2 }; /* of shorter words that is half */
    const char *best = NULL;
    int least = MOST + 1;
    for (const option_entry *o = option_table; o->name && length > 2 * MOST; o++) {
        int apart = o->id == OPTION_TOPIC ? INT_MAX : letters_apart(word, length, o->name);
        if (apart < least) {
            least = apart;
            best = o->name;
        }
    }
    return best;
}

void option_explain_unknown(const char *argument)
{
    if (optopt >= OPTION_LONG) {
        message_print("option '--%s' takes no value (try --help)", option_of_getopt(optopt)->name);
        return;
    }
    if (optopt != 0) {
        message_print("unknown option '-%c' (try --help)", optopt);
        return;
    }
    size_t length = strcspn(argument, "=");
    const char *candidates[2] = {NULL, NULL};
    int found = 0;
    for (const option_entry *o = option_table; o->name && found < 2; o++) {
        if (o->id != OPTION_TOPIC && length > 2 &&
            strncmp(argument + 2, o->name, length - 2) == 0) {
            candidates[found++] = o->name;
        }
    }
    const char *similar = length > 2 ? similar_option(argument + 2, length - 2) : NULL;
    if (candidates[1]) {
        message_print("option '%.*s' could be '--%s' or '--%s' (try --help)", (int)length, argument,
                      candidates[0], candidates[1]);
    } else if (similar) {
        message_print("unknown option '%.*s'; did you mean '--%s'? (try --help)", (int)length,
                      argument, similar);
    } else {
        message_print("unknown option '%.*s' (try --help)", (int)length, argument);
    }
}
