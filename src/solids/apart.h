/* apart.h - a proof that no piece of a part lies inside another, from a grid of cells: there
 * is a way out. */
#ifndef SC_APART_H
#define SC_APART_H

#include "frame.h"
#include "part.h"

/* Where the surfaces of two parts do not meet: whether it is plain that no connected piece of
 * `own` lies inside `other`, if that is closed. *apart left false proves nothing. False if
 * memory ran out. */
bool sc_apart_find(const sc_part *own, const sc_part *other, const sc_frame *frame, bool *apart);

#endif
