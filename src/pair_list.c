/* pair_list.c - see pair_list.h. */
#include "pair_list.h"

#include "base/sort.h"

#include <string.h>

bool sc_pairs_take(sc_pair_list *list, sc_pair_list *more)
{
    const size_t count = list->count + more->count;
    bool good = true;
    if (list->count == 0) {
        const sc_pair_list none = *list;
        *list = *more;
        *more = none;
    } else if (more->count > 0) {
        good = sc_make_room(&list->pairs, &list->capacity, count, sizeof *list->pairs);
        if (good) {
            memcpy(&list->pairs[list->count], more->pairs, more->count * sizeof *more->pairs);
            list->count = count;
        }
    }
    sc_free(more->pairs);
    *more = (sc_pair_list){.pairs = NULL};
    return good;
}

/* Two digits of the keys take as long as time is to be kept by. */
bool sc_pairs_sort(sc_pair_list *list, sc_watch *watch)
{
    enum { ALL_BITS = 64, STEP = 20, FEW = 64 };
    uint64_t *scratch = sc_alloc(list->count, sizeof *scratch);
    const int step = list->count <= FEW ? ALL_BITS : STEP;

    for (int low = 0; scratch && low < ALL_BITS && !sc_watch_is_over(watch); low += step) {
        const int bits = ALL_BITS - low < step ? ALL_BITS - low : step;
        sc_sort_keys(list->pairs, scratch, list->count, low, bits);
    }
    sc_free(scratch);
    return scratch != NULL;
}
