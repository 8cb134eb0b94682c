/* sort.c - see sort.h. */
#include "sort.h"

#include "alloc.h"

#include <stdlib.h>
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

/* The bits in which not all keys are the same. */
static uint64_t differing_bits(const uint64_t *keys, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 1; i < count; i++) {
        bits |= keys[i] ^ keys[0];
    }
    return bits;
}

void sc_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, int low, int bits)
{
    if (count <= 64) { /* histograms of 1024 digits cost more than they save */
        insertion(keys, count, (bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1) << low);
        return;
    }
    const uint64_t differing = differing_bits(keys, count);
    uint64_t *from = keys, *to = scratch;
    for (int done = 0; done < bits; done += DIGIT_BITS) {
        if ((differing >> (low + done) & (DIGITS - 1)) == 0) {
            continue; /* as in the upper digits of numbers that are all small */
        }
        pass(from, to, count, low + done);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) {
        memcpy(keys, from, count * sizeof keys[0]);
    }
}

/* ---- anything ------------------------------------------------------------ */

typedef struct items {
    unsigned char *from, *to;
    size_t count, size;
    int (*order)(const void *, const void *);
    sc_watch *watch;
} items;

static bool sort_runs(const items *s, size_t run)
{
    for (size_t first = 0; first < s->count; first += run) {
        const size_t left = s->count - first;
        if (sc_watch_is_over(s->watch)) {
            return false;
        }
        qsort(s->from + first * s->size, left < run ? left : run, s->size, s->order);
    }
    return true;
}

/* Two runs that stand side by side, to one: of equal ones the first comes first. */
static bool merge(const items *s, size_t first, size_t middle, size_t end)
{
    size_t a = first, b = middle;
    for (size_t i = first; i < end; i++) {
        if (sc_watch_ends(s->watch, i)) {
            return false;
        }
        const bool left =
            b == end || (a < middle && s->order(s->from + a * s->size, s->from + b * s->size) <= 0);
        size_t *next = left ? &a : &b;
        memcpy(s->to + i * s->size, s->from + *next * s->size, s->size);
        ++*next;
    }
    return true;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool merge_runs(items *s, size_t run)
{
    for (; run < s->count; run *= 2) {
        for (size_t first = 0; first < s->count; first += 2 * run) {
            if (!merge(s, first, least(first + run, s->count), least(first + 2 * run, s->count))) {
                return false;
            }
        }
        unsigned char *swap = s->from;
        s->from = s->to;
        s->to = swap;
    }
    return true;
}

bool sc_sort_items(void *list, size_t count, size_t size, int (*order)(const void *, const void *),
                   sc_watch *watch)
{
    enum { RUN = 1 << 16 };
    items s = {.from = list, .count = count, .size = size, .order = order, .watch = watch};

    if (count <= RUN) {
        if (count > 1) {
            qsort(list, count, size, order);
        }
        return true;
    }
    unsigned char *scratch = s.to = sc_alloc(count, size);
    bool good = scratch && sort_runs(&s, RUN) && merge_runs(&s, RUN);
    if (good && s.from != list) {
        memcpy(list, s.from, count * size);
    }
    sc_free(scratch);
    return good;
}
