/* store.h - the files of an assembly: each is read once, and again only where memory made
 * it go in between.
 *
 * Meshes that nobody uses stay while there is room for them; then the one that was used
 * least recently goes. What cannot be read again (standard input, a pipe) stays. */
#ifndef SC_STORE_H
#define SC_STORE_H

#include "mesh.h"

typedef struct sc_store sc_store;

/* A store of `count` files or, where files[i] is NULL, meshes of the caller. `memory` in
 * bytes is a goal: what is in use at one time is there at one time; 0: half of what is available
 * now, if that may matter. Paths and meshes must outlive the store. NULL if memory ran out. */
sc_store *sc_store_make(const char *const *files, const stlclash_mesh *const *meshes, size_t count,
                        uint64_t memory);
void sc_store_free(sc_store *store); /* may be NULL */

/* The mesh of file i, to be used until sc_store_release. Any number of threads may ask; one
 * reads, the others wait. A file that could not be read once is not tried again; one that
 * changed since it was first read is an error. */
stlclash_code sc_store_acquire(sc_store *store, size_t i, const stlclash_mesh **mesh,
                               stlclash_error *error);
void sc_store_release(sc_store *store, size_t i);

/* Bytes of file i as loaded, 0 if it was not read yet; and the goal. */
uint64_t sc_store_bytes(const sc_store *store, size_t i);
uint64_t sc_store_memory(const sc_store *store);

/* Whether there is so little to read, as far as sizes tell, that one thread may as well do it. */
bool sc_store_is_small(const sc_store *store);

#endif
