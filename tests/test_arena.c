/* Pieces of an arena: apart from each other, on cache lines, from any number of threads. */
#include "base/arena.h"

#include "base/alloc.h"
#include "base/parallel.h"
#include "test.h"

#include <stdint.h>
#include <string.h>

enum { THREADS = 4, PIECES = 3000 };

typedef struct piece {
    unsigned char *at;
    size_t size;
} piece;

typedef struct filling {
    sc_arena arena;
    piece piece[THREADS][PIECES];
} filling;

/* What a piece is filled with. */
static int mark_of(int thread, int i)
{
    return (thread * 67 + i) % 251;
}

static void fill(void *context, int thread)
{
    filling *f = context;
    for (int i = 0; i < PIECES; i++) {
        piece *p = &f->piece[thread][i];
        p->size = (size_t)(i * 7919 % 4000 + 1);
        p->at = sc_arena_alloc(&f->arena, p->size);
        if (p->at) {
            memset(p->at, mark_of(thread, i), p->size);
        }
    }
}

TEST(pieces_of_an_arena_are_apart)
{
    static filling f;
    f = (filling){.piece = {{{NULL, 0}}}};
    sc_parallel(THREADS, fill, &f);
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < PIECES; i++) {
            const piece *p = &f.piece[t][i];
            bool whole = p->at && (uintptr_t)p->at % 64 == 0;
            for (size_t k = 0; whole && k < p->size; k++) {
                whole = p->at[k] == mark_of(t, i);
            }
            CHECK(whole, "piece %d of thread %d", i, t);
        }
    }
    sc_arena_free(&f.arena);
    sc_arena_free(&f.arena); /* nothing is left */
}

TEST(an_arena_gives_large_pieces)
{
    sc_arena arena = {NULL};
    size_t sizes[] = {1, 100000, 1, 20000000, 1};
    for (int i = 0; i < 5; i++) {
        unsigned char *at = sc_arena_alloc(&arena, sizes[i]);
        CHECK(at != NULL, "%zu bytes", sizes[i]);
        memset(at, i, sizes[i]);
    }
    sc_arena_free(&arena);
}

TEST(an_arena_tells_that_memory_ran_out)
{
    sc_arena arena = {NULL};
    sc_alloc_fail_at(1);
    CHECK(sc_arena_alloc(&arena, 10) == NULL, "the first chunk failed");
    sc_alloc_fail_at(0);
    CHECK(sc_arena_alloc(&arena, 10) != NULL, "and then did not");
    sc_alloc_fail_at(1);
    CHECK(sc_arena_alloc(&arena, 10) != NULL, "there was room left");
    CHECK(sc_arena_alloc(&arena, 100000) == NULL, "the second chunk failed");
    sc_alloc_fail_at(0);
    sc_arena_free(&arena);
}
