/* pages.h - pages of a file in memory, before they are looked at. */
#ifndef SC_PAGES_H
#define SC_PAGES_H

#include <stddef.h>

/* Of bytes that are about to be read one after the other: the system makes them all present at
 * once, which takes less than to fault at every few pages. A wish: where it cannot be granted, as
 * behind the end of a file that was cut short, nothing happens. Any thread may call it. */
void sc_pages_expect(const unsigned char *bytes, size_t size);

#endif
