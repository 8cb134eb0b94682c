/* away.h - where the vertices of a part go that lie in another part, or close to it: straight away
 * from its surface. */
#ifndef SC_AWAY_H
#define SC_AWAY_H

#include "base/poll.h"
#include "erosion.h"
#include "solids/surface.h"

/* way[fans]: each as long as the limit, out of the other part, or, from outside, as far as leaves
 * it that far away; zero where it is so already, or lies deeper than the limit. Whoever is polled
 * and gives up lets the rest be zero. */
void sc_away_find(const sc_erosion *erosion, sc_surface *other, double limit, const sc_poll *poll,
                  sc_vec3 *way);

#endif
