/* passing_nodes.h - nodes of the trees of two parts that pass by each other (passage.h): when they
 * may be near, and for how long they are kept apart. */
#ifndef SC_PASSING_NODES_H
#define SC_PASSING_NODES_H

#include "passage.h"

/* Times; none where they are not in order. */
typedef struct sc_window {
    double from, to;
} sc_window;

static inline sc_window sc_windows_common(sc_window a, sc_window b)
{
    return (sc_window){sc_max(a.from, b.from), sc_min(a.to, b.to)};
}

typedef struct sc_passing_node {
    int level; /* -1: a facet */
    size_t index;
} sc_passing_node;

typedef struct sc_passing_nodes {
    const sc_passage *passage;
    sc_passing_node node[2]; /* one of each of its trees */
    double keep;             /* what is certainly farther apart does not matter */
} sc_passing_nodes;

/* Those of the times at which they may be nearer than that, where one part moves; else all. */
sc_window sc_passing_near(const sc_passing_nodes *nodes, sc_window within);

/* Whether they are certainly farther apart all the time, as a few looks tell. */
bool sc_passing_kept_apart(const sc_passing_nodes *nodes, sc_window within);

/* Where both parts move, whether nodes do so much against each other in that time that they are
 * to be looked at for half of it, then the other half. */
bool sc_passing_is_long(const sc_passing_nodes *nodes, sc_window within);

#endif
