/* sort.c - see sort.h. */
#include "sort.h"

#include <string.h>

enum { DIGIT_BITS = 10, DIGITS = 1 << DIGIT_BITS };

/* One pass by one digit. */
static void pass(const uint64_t *from, uint64_t *to, size_t count, int shift)
{
    size_t start[DIGITS] = {0}, sum = 0;

    for (size_t i = 0; i < count; i++) {
        start[(from[i] >> shift) & (DIGITS - 1)]++;
    }
    for (int d = 0; d < DIGITS; d++) {
        size_t n = start[d];
        start[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) {
        to[start[(from[i] >> shift) & (DIGITS - 1)]++] = from[i];
    }
}

static void insertion(uint64_t *keys, size_t count, uint64_t mask)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && (keys[at - 1] & mask) > (key & mask); at--) {
            keys[at] = keys[at - 1];
        }
        keys[at] = key;
    }
}

void sc_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, int low, int bits)
{
    if (count <= 64) { /* histograms of 1024 digits cost more than they save */
        insertion(keys, count, (bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1) << low);
        return;
    }
    uint64_t *from = keys, *to = scratch;
    for (int done = 0; done < bits; done += DIGIT_BITS) {
        pass(from, to, count, low + done);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof keys[0]);
    }
}
