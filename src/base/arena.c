/* arena.c - see arena.h. */
#include "arena.h"

#include "alloc.h"

#include <stdatomic.h>

enum { LINE = 64, SMALLEST = 1 << 13, LARGEST = 1 << 23 };

typedef struct sc_arena_chunk {
    struct sc_arena_chunk *older;
    size_t size;          /* of all of it, this header included */
    size_t total;         /* of this and the older ones */
    _Atomic size_t given; /* from the start; more than the size where it did not suffice */
} chunk;

static size_t lines_of(size_t size)
{
    return (size + LINE - 1) / LINE * LINE;
}

/* A chunk for `size` bytes at least; they are given. A sixteenth of all that is there already: what
 * it may leave empty at the end is no more than that, and it fits where something else was
 * freed. */
static chunk *make_chunk(chunk *older, size_t size)
{
    size_t total = older ? older->total : 0, least = size + lines_of(sizeof *older);
    size_t bytes = lines_of(total / 16);
    bytes = bytes < SMALLEST ? SMALLEST : bytes < LARGEST ? bytes : LARGEST;
    bytes = bytes < least ? least : bytes;
    chunk *c = sc_alloc_scattered(1, bytes);
    if (c) {
        *c = (chunk){.older = older, .size = bytes, .total = total + bytes};
        atomic_init(&c->given, least);
    }
    return c;
}

void *sc_arena_alloc(sc_arena *arena, size_t size)
{
    size = lines_of(size);
    chunk *c = atomic_load_explicit(&arena->newest, memory_order_acquire);
    for (;;) {
        size_t at = c ? atomic_fetch_add_explicit(&c->given, size, memory_order_relaxed) : 0;
        if (c && at <= c->size && size <= c->size - at) {
            return (char *)c + at;
        }
        chunk *another = make_chunk(c, size);
        if (!another) {
            return NULL;
        }
        if (atomic_compare_exchange_strong(&arena->newest, &c, another)) {
            return (char *)another + lines_of(sizeof *another);
        }
        sc_free(another); /* another thread was first; c is its chunk */
    }
}

size_t sc_arena_size(const sc_arena *arena)
{
    const chunk *c = atomic_load_explicit(&arena->newest, memory_order_relaxed);
    return c ? c->total : 0;
}

void sc_arena_free(sc_arena *arena)
{
    chunk *c = atomic_load_explicit(&arena->newest, memory_order_relaxed);
    while (c) {
        chunk *older = c->older;
        sc_free(c);
        c = older;
    }
    atomic_store_explicit(&arena->newest, NULL, memory_order_relaxed);
}
