/* oracle_health.h - the truth about meshes with small integer coordinates, by definition: every
 * facet against every other, in integers.
 *
 * Written for plainness and without any idea that the library uses: no hashes, no tables, no keys
 * of lines, no shells. Coordinates are at most 100 in magnitude. */
#ifndef TEST_ORACLE_HEALTH_H
#define TEST_ORACLE_HEALTH_H

#include "model.h"

#include <stdint.h>

typedef struct oracle_count {
    int count;
    int first; /* the first facet concerned */
} oracle_count;

void oracle_count_add(oracle_count *c, int facet);

/* What facets with area make up; those without are counted and left out of all else. An edge is a
 * pair of vertices; it balances if as many facets have it one way as the other. */
typedef struct oracle_health {
    bool closed;   /* there are facets, and everywhere along each edge as many run one way as the
                      other, of all edges on its line: so T-junctions leave no gap */
    bool balanced; /* every edge balances by itself */

    /* Edges that do not balance. Along some of it more facets run the way that more have the edge
     * than run back: by an odd number somewhere (open), else by even numbers (mixed); or nowhere
     * do, for others on the line run back (joined). First: that has it the way more have it. */
    oracle_count open, mixed, joined;
    oracle_count crowded; /* edges of more than two facets */

    oracle_count flat;     /* facets without area */
    oracle_count same;     /* with the corners of an earlier one, the same way round */
    oracle_count opposite; /* others that have those of an earlier one the other way round */

    int pieces;                  /* joined by edges */
    int components;              /* joined by vertices */
    int component[MODEL_MOST];   /* of each facet, from 0; -1: flat */
    int64_t sixfold[MODEL_MOST]; /* of each facet: six times the signed volume below it */
} oracle_health;

void oracle_health_of(const model *m, oracle_health *h);

/* 1 if facets i and j have the same corners in the same order, -1 in the other one, else 0. */
int oracle_way_round(const model *m, int i, int j);

/* How often the facets of weight 1 wind around p, which is in units of 1 / ORACLE_UNIT; those of
 * weight 0 do not count. False if a ray from there meets an edge, and nothing is told. */
enum { ORACLE_UNIT = 1000 };
bool oracle_model_winding(const model *m, const int *weight, const int64_t p[3], int *winding);

#endif
