/* arena.h - many allocations of one owner, which end together. */
#ifndef SC_ARENA_H
#define SC_ARENA_H

#include <stddef.h>

/* All zero to begin with. */
typedef struct sc_arena {
    _Atomic(struct sc_arena_chunk *) newest;
} sc_arena;

/* `size` bytes at the start of a cache line, not initialised; NULL if memory ran out. Any
 * number of threads may call it. */
void *sc_arena_alloc(sc_arena *arena, size_t size);

/* Bytes it has taken. While no thread calls the others. */
size_t sc_arena_size(const sc_arena *arena);

/* Frees all of it. By one thread, when no other uses it any more. */
void sc_arena_free(sc_arena *arena);

#endif
