/* pair_list.c - see pair_list.h. */
#include "pair_list.h"

#include "base/sort.h"

#include <string.h>

bool sc_pairs_add_all(sc_pair_list *list, const sc_pair_list *more)
{
    if (more->count == 0) {
        return true;
    }
    const size_t count = list->count + more->count;
    if (!sc_make_room(&list->pairs, &list->capacity, count, sizeof *list->pairs)) {
        return false;
    }
    memcpy(&list->pairs[list->count], more->pairs, more->count * sizeof *more->pairs);
    list->count = count;
    return true;
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
