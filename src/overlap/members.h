/* members.h - the facets of one part that take part in an overlap, those that meet the other part
 * or lie inside it; and the pieces in which these hang together by their edges. */
#ifndef SC_MEMBERS_H
#define SC_MEMBERS_H

#include "health/health_join.h"
#include "solids/windings.h"

typedef struct sc_members {
    uint32_t *facet; /* [count]; the first `crossed` meet the other part */
    uint32_t *root;  /* [count]; after sc_members_number: of the piece its number, SC_NO_INDEX of a
                        facet without area */
    uint32_t count, crossed;

    /* After sc_members_number: */
    uint32_t pieces;
    sc_box *box;    /* [pieces] */
    sc_box *common; /* [pieces] around what the box has in common with those of other pieces: empty
                       where it meets none */
    bool apart;     /* none meets another */
} sc_members;

/* All false if memory ran out; free in any case. */
bool sc_members_list(const sc_windings *w, sc_members *m);
void sc_members_free(sc_members *m);

/* Sets the roots as sc_health_join does. */
sc_join_code sc_members_join_sound(const sc_windings *w, sc_members *m);

/* The same for any mesh: edges that more than two of the facets use,
 * or two the same way round, join nothing. */
bool sc_members_join(const sc_windings *w, sc_members *m);

/* After that; false, too, once the time of the solid is over. */
bool sc_members_number(const sc_windings *w, sc_members *m);

#endif
