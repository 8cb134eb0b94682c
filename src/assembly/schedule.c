/* schedule.c - see schedule.h. */
#include "schedule.h"

#include "base/alloc.h"
#include "check/check.h"

#include <stdlib.h>

/* A task's place in the schedule. */
typedef struct place {
    uint64_t tiles;
    sc_task task;
    bool small;
} place;

static int by_place(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->small != b->small) {
        return a->small - b->small;
    }
    if (a->tiles != b->tiles) {
        return a->tiles < b->tiles ? -1 : 1;
    }
    return (a->task.job > b->task.job) - (a->task.job < b->task.job);
}

/* Files are put into tiles, each a third of the memory at most, so that two fit with room
 * for what comes next. Everything in one tile: memory is no matter. */
static void find_tiles(const sc_store *store, size_t files, uint32_t *tile)
{
    uint64_t room = sc_store_memory(store), filled = 0, all = 0;
    uint32_t number = 0;

    for (size_t f = 0; f < files; f++) {
        all += sc_store_bytes(store, f);
    }
    for (size_t f = 0; f < files; f++) {
        uint64_t bytes = sc_store_bytes(store, f);
        if (all > room && filled > 0 && filled + bytes > room / 3) {
            number++;
            filled = 0;
        }
        filled += bytes;
        tile[f] = number;
    }
}

static uint64_t tiles_of(const uint32_t *tile, const sc_task *task)
{
    uint32_t a = tile[task->file[0]], b = tile[task->file[1]];
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    /* Every other row of tiles backwards: its first pairs use what is still loaded. */
    return (uint64_t)low << 32 | (low % 2 ? UINT32_MAX - high : high);
}

/* Whether it alone is as much work as a thread's fair share of all. */
static bool is_large(const sc_task *task, uint64_t all, int threads)
{
    return sc_check_threads(threads, task->weight) > 1 &&
           task->weight > all / (uint64_t)threads / 2;
}

bool sc_schedule(sc_task *tasks, size_t count, const sc_store *store, size_t files, int threads,
                 size_t *large)
{
    place *places = sc_alloc(count, sizeof *places);
    uint32_t *tile = sc_alloc(files, sizeof *tile);
    bool good = places && tile;
    uint64_t all = 0;

    *large = 0;
    for (size_t i = 0; good && i < count; i++) {
        all += tasks[i].weight;
    }
    if (good) {
        find_tiles(store, files, tile);
        for (size_t i = 0; i < count; i++) {
            bool small = !is_large(&tasks[i], all, threads);
            places[i] = (place){tiles_of(tile, &tasks[i]), tasks[i], small};
            *large += !small;
        }
        qsort(places, count, sizeof *places, by_place);
        for (size_t i = 0; i < count; i++) {
            tasks[i] = places[i].task;
        }
    }
    sc_free(places);
    sc_free(tile);
    return good;
}
