/* eroded_outside.h - whether no piece of the surface of a part, eroded, lies in another part, and
 * none of that in what the part is eroded to. */
#ifndef SC_ERODED_OUTSIDE_H
#define SC_ERODED_OUTSIDE_H

#include "base/poll.h"
#include "erosion.h"
#include "solids/solid.h"

/* solid[i], closed, is eroded, and then the surfaces have no point in common. *outside: no piece of
 * either lies where the other one winds about it; false proves nothing. The function is false if
 * memory ran out. */
bool sc_eroded_outside(sc_solid *const solid[2], int i, const sc_erosion *eroded,
                       const sc_poll *poll, bool *outside);

#endif
