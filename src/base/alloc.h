/* alloc.h - every allocation of the library, in one place that tests can fail.
 *
 * All return NULL on failure (or where the size does not fit size_t) and may be
 * called by any thread; sc_free accepts NULL. */
#ifndef SC_ALLOC_H
#define SC_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* count items of `size` bytes, not initialised. */
void *sc_alloc(size_t count, size_t size);

/* The same, all bytes zero. */
void *sc_calloc(size_t count, size_t size);

/* For what is filled, or looked at in no order: the start of a cache line, and large pages where
 * the system has them and they are worth it. Not to be grown. */
void *sc_alloc_scattered(size_t count, size_t size);

/* Grows or shrinks; on failure `memory` is untouched. memory may be NULL. */
void *sc_realloc(void *memory, size_t count, size_t size);

void sc_free(void *memory);

/* Gives an array, whose address is given, room for so many items, more or less than it has, in
 * large pages as above; false if memory ran out: then all is as it was. */
bool sc_resize(void *array, size_t *capacity, size_t count, size_t size);

/* Grows an array, whose address is given, to `needed` items and more, so that adding one by one
 * takes constant time each; false if memory ran out: then all is as it was. */
bool sc_grow(void *array, size_t *capacity, size_t needed, size_t size);

/* The same where there is not room for them already. */
static inline bool sc_make_room(void *array, size_t *capacity, size_t needed, size_t size)
{
    return needed <= *capacity || sc_grow(array, capacity, needed, size);
}

/* Tests only: the n-th allocation from now on fails (counting from 1), and all
 * after it succeed; 0 ends that. Returns how many were made since the last call. */
unsigned long sc_alloc_fail_at(unsigned long n);

#endif
