/* option_unknown.c - see option_unknown.h. */
#include "option_unknown.h"

#include "message.h"
#include "option_table.h"
#include "similar.h"

#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The option that may have been meant, or NULL. */
static const char *similar_option(const char *word, size_t length)
{
    similar_search search = similar_begin(word, length);
    for (const option_entry *o = option_table; o->name; o++) {
        if (o->id != OPTION_TOPIC) {
            similar_look_at(&search, o->name);
        }
    }
    return search.best;
}

static void print_unknown(const char *argument, size_t length, const char *meant)
{
    message_print("unknown option '%.*s'; did you mean '--%s'? (try --help)", (int)length, argument,
                  meant);
}

bool option_explain_one_dash(const char *argument)
{
    const size_t length = strcspn(argument, "=");
    if (argument[0] != '-' || length < 3) {
        return false;
    }
    for (const option_entry *o = option_table; o->name; o++) {
        if (o->id != OPTION_TOPIC && o->id != OPTION_HELP && strlen(o->name) == length - 1 &&
            strncmp(argument + 1, o->name, length - 1) == 0) {
            print_unknown(argument, length, o->name);
            return true;
        }
    }
    return false;
}

/* Lists the options that begin so, as in "'--a', '--b' or '--c'"; returns how many they are. */
static int list_options(const char *start, size_t length, char *list, size_t size)
{
    const char *last = NULL;
    int found = 0;
    size_t used = 0;
    for (const option_entry *o = option_table; o->name && used < size; o++) {
        if (o->id == OPTION_TOPIC || strncmp(start, o->name, length) != 0) {
            continue;
        }
        if (last) {
            used +=
                (size_t)snprintf(list + used, size - used, "%s'--%s'", found > 1 ? ", " : "", last);
        }
        last = o->name;
        found++;
    }
    if (last && used < size) {
        snprintf(list + used, size - used, "%s'--%s'", found > 1 ? " or " : "", last);
    }
    return found;
}

/* Whether a file has the name of what was taken for options. */
static bool explain_file(const char *argument)
{
    if (argument[0] != '-' || access(argument, F_OK) != 0) {
        return false;
    }
    message_print("'%s' is taken for options: give the file as './%s' (try --help)", argument,
                  argument);
    return true;
}

void option_explain_unknown(char *const *argv)
{
    const char *argument = argv[optind - 1];
    const bool is_letter = optopt != 0 && optopt < OPTION_LONG;
    if (is_letter && (argument[0] != '-' || !strchr(argument, optopt))) {
        argument = argv[optind]; /* which has more letters */
    }
    if (explain_file(argument)) {
        return;
    }
    if (optopt >= OPTION_LONG) {
        message_print("option '--%s' takes no value (try --help)", option_of_getopt(optopt)->name);
        return;
    }
    if (optopt != 0) {
        message_print("unknown option '-%c' (try --help)", optopt);
        return;
    }
    size_t length = strcspn(argument, "=");
    char list[256];
    const char *similar = length > 2 ? similar_option(argument + 2, length - 2) : NULL;
    if (length > 2 && list_options(argument + 2, length - 2, list, sizeof list) > 1) {
        message_print("option '%.*s' could be %s (try --help)", (int)length, argument, list);
    } else if (similar) {
        print_unknown(argument, length, similar);
    } else {
        message_print("unknown option '%.*s' (try --help)", (int)length, argument);
    }
}
