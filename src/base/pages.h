/* pages.h - pages of a file in memory, before they are looked at, and what they cost. */
#ifndef SC_PAGES_H
#define SC_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Of bytes that are about to be read one after the other: the system makes them all present at
 * once, which takes less than to fault at every few pages. A wish: where it cannot be granted, as
 * behind the end of a file that was cut short, nothing happens. Any thread may call it. */
void sc_pages_expect(const unsigned char *bytes, size_t size);

/* Whether a file is sooner read into memory than looked at in a map of it: on some virtual machines
 * each page of a map costs more than a copy of what it holds. It is tried with the start of the
 * first file that has SC_PAGES_TRIED bytes; for tests, STLCLASH_READ=map or read in the environment
 * settles it. Nothing but time depends on it. Any thread may call it. */
enum { SC_PAGES_TRIED = 1 << 17 };
bool sc_pages_cost_more(int descriptor, const unsigned char *map, size_t size);

#endif
