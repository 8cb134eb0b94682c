/* store.c - see store.h. */
#include "store.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct entry {
    const char *file;          /* NULL: the caller's mesh */
    const stlclash_mesh *mesh; /* NULL: not here now */
    stlclash_mesh *own;        /* the same, if the store has read it */
    unsigned users;
    bool loading, was_read, failed;
    uint64_t bytes, last_use;
    sc_file_stamp stamp; /* when it was first read */
    stlclash_error error;
} entry;

struct sc_store {
    pthread_mutex_t lock;
    pthread_cond_t loaded;
    uint64_t memory, used, clock;
    bool is_small; /* as far as sizes told when the store was made */
    size_t count;
    entry entries[];
};

/* ---- making -------------------------------------------------------------- */

/* Half of the memory that is available. */
static uint64_t default_memory(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    uint64_t available = 0;
    char line[128];
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemAvailable: %" SCNu64 " kB", &available) == 1) {
            available *= 1024;
            break;
        }
    }
    if (file) {
        fclose(file);
    }
#if defined(_SC_PHYS_PAGES)
    if (available == 0) { /* not Linux: of what there is */
        long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
        available = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size / 2 : 0;
    }
#endif
    return available > 0 ? available / 2 : UINT64_MAX;
}

static bool is_small(const sc_store *store)
{
    enum { FEW = 16, SMALL = 2 << 20 };
    off_t bytes = 0;
    for (size_t i = 0; i < store->count && store->count <= FEW && bytes < SMALL; i++) {
        const char *file = store->entries[i].file;
        struct stat status = {.st_size = 0};
        bool known = !file || (stat(file, &status) == 0 && S_ISREG(status.st_mode));
        bytes += known ? status.st_size : SMALL;
    }
    return store->count <= FEW && bytes < SMALL;
}

sc_store *sc_store_make(const char *const *files, const stlclash_mesh *const *meshes, size_t count,
                        uint64_t memory)
{
    if (count > SIZE_MAX / 2 / sizeof(entry)) {
        return NULL;
    }
    sc_store *store = sc_calloc(1, sizeof *store + count * sizeof store->entries[0]);
    if (!store) {
        return NULL;
    }
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->loaded, NULL);
    store->count = count;
    for (size_t i = 0; i < count; i++) {
        store->entries[i].file = files[i];
        store->entries[i].mesh = files[i] ? NULL : meshes[i];
    }
    store->is_small = is_small(store);
    if (memory == 0) { /* the system takes its time to tell what is available */
        memory = store->is_small ? UINT64_MAX : default_memory();
    }
    store->memory = memory;
    return store;
}

void sc_store_free(sc_store *store)
{
    if (store) {
        for (size_t i = 0; i < store->count; i++) {
            stlclash_mesh_free(store->entries[i].own);
        }
        pthread_cond_destroy(&store->loaded);
        pthread_mutex_destroy(&store->lock);
        sc_free(store);
    }
}

/* ---- room ---------------------------------------------------------------- */

/* Mapped bytes count: they are in memory while they are looked at. */
static uint64_t bytes_of(const stlclash_mesh *mesh)
{
    const sc_file *file = &mesh->file;
    uint64_t held = file->map ? file->map_size : (uint64_t)file->facets.count * file->facets.stride;
    return sizeof *mesh + held + mesh->blocks.count * sizeof mesh->blocks.boxes[0];
}

/* Lets meshes go, least recently used first, until `wanted` more bytes have room. */
static void make_room(sc_store *store, uint64_t wanted)
{
    while (store->used > store->memory || wanted > store->memory - store->used) {
        entry *oldest = NULL;
        for (size_t i = 0; i < store->count; i++) {
            entry *e = &store->entries[i];
            if (e->own && e->users == 0 && e->stamp.regular &&
                (!oldest || e->last_use < oldest->last_use)) {
                oldest = e;
            }
        }
        if (!oldest) {
            return; /* all in use: more than the goal, then */
        }
        stlclash_mesh_free(oldest->own);
        oldest->own = NULL;
        oldest->mesh = NULL;
        store->used -= oldest->bytes;
    }
}

/* ---- loading ------------------------------------------------------------- */

static bool same_stamp(const sc_file_stamp *a, const sc_file_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size &&
           a->seconds == b->seconds && a->nanoseconds == b->nanoseconds;
}

/* Reads the file with the store unlocked: its entry is marked as loading. */
static void load(sc_store *store, entry *e)
{
    stlclash_mesh *mesh;
    stlclash_error error = {.code = STLCLASH_OK};

    e->loading = true;
    make_room(store, e->bytes);
    pthread_mutex_unlock(&store->lock);
    stlclash_code code = stlclash_mesh_read(e->file, &mesh, &error);
    if (code == STLCLASH_OK && e->was_read && !same_stamp(&e->stamp, &mesh->file.stamp)) {
        code = sc_error(&error, STLCLASH_E_IO, "the file was changed while it was in use");
        stlclash_mesh_free(mesh);
    }
    if (code != STLCLASH_OK && e->was_read) { /* the error of a pair: which of its files */
        const stlclash_error which = error;
        char name[SC_ERROR_NAME];
        sc_error_name(e->file, name);
        sc_error(&error, code, "%s: %s", name, which.text);
    }
    pthread_mutex_lock(&store->lock);

    e->loading = false;
    if (code != STLCLASH_OK) {
        e->failed = true;
        e->error = error;
    } else {
        e->own = mesh;
        e->mesh = mesh;
        e->was_read = true;
        e->stamp = mesh->file.stamp;
        e->bytes = bytes_of(mesh);
        store->used += e->bytes;
        e->users++; /* not to be let go at once */
        make_room(store, 0);
        e->users--;
    }
    pthread_cond_broadcast(&store->loaded);
}

stlclash_code sc_store_acquire(sc_store *store, size_t i, const stlclash_mesh **mesh,
                               stlclash_error *error)
{
    entry *e = &store->entries[i];
    stlclash_code code = STLCLASH_OK;

    pthread_mutex_lock(&store->lock);
    while (e->loading) {
        pthread_cond_wait(&store->loaded, &store->lock);
    }
    if (!e->mesh && !e->failed) {
        load(store, e);
    }
    if (e->mesh) {
        e->users++;
        e->last_use = ++store->clock;
    } else {
        *error = e->error;
        code = e->error.code;
    }
    *mesh = e->mesh;
    pthread_mutex_unlock(&store->lock);
    return code;
}

void sc_store_release(sc_store *store, size_t i)
{
    pthread_mutex_lock(&store->lock);
    store->entries[i].users--;
    if (store->used > store->memory) {
        make_room(store, 0);
    }
    pthread_mutex_unlock(&store->lock);
}

uint64_t sc_store_bytes(const sc_store *store, size_t i)
{
    return store->entries[i].bytes;
}

bool sc_store_is_small(const sc_store *store)
{
    return store->is_small;
}

uint64_t sc_store_memory(const sc_store *store)
{
    return store->memory;
}
