/* tri_paths.h - whether two triangles meet whose vertices move straight, each its own way.
 *
 * They first meet where a vertex meets a face or an edge an edge. Either gap is a polynomial
 * of time and two coordinates, linear in each: over a box of these it lies within the box of
 * its eight corner values. Boxes that leave out 0 are dropped, others halved, earliest first
 * (Snyder 1992; Wang et al., A Large Scale Benchmark and an Inclusion-Based Algorithm for
 * Continuous Collision Detection, 2021). No meeting is missed; one may be found where the
 * parts come within the tolerance of each other in every axis. */
#ifndef SC_TRI_PATHS_H
#define SC_TRI_PATHS_H

#include "feature.h"
#include "vec3.h"

#include <stdbool.h>

/* Four points at time 0 and time 1. */
typedef struct sc_path_query {
    sc_vec3 at[2][4];
} sc_path_query;

typedef struct sc_path_hit {
    bool found;
    double time; /* 0..1, never later than the first true meeting */
    double u, v; /* the coordinates of the point on the face, or along both edges */
} sc_path_hit;

typedef struct sc_path_box {
    double low[3], high[3];
} sc_path_box;

/* The boxes that wait, the earliest on top: room for a search, to begin with anything in it. Too
 * much for a small stack. */
enum { SC_PATH_BOXES = 4096 };
typedef struct sc_path_room {
    int count;
    sc_path_box boxes[SC_PATH_BOXES];
} sc_path_room;

/* Points: a vertex and a face; or the ends of two edges. `latest`: meetings after it do not
 * matter. tolerance > 0. */
sc_path_hit sc_path_vertex_face(const sc_path_query *query, double tolerance, double latest,
                                sc_path_room *room);
sc_path_hit sc_path_edge_edge(const sc_path_query *query, double tolerance, double latest,
                              sc_path_room *room);

typedef struct sc_path_meeting {
    bool found;
    double time;
    sc_vec3 on_a, on_b; /* at that time, within the tolerance of each other or nearly so */
    sc_feature feature_a, feature_b;
} sc_path_meeting;

/* The first meeting of two triangles, given at time 0 and 1; an earlier one than `latest`. */
sc_path_meeting sc_tri_paths_meet(const sc_vec3 a[2][3], const sc_vec3 b[2][3], double tolerance,
                                  double latest, sc_path_room *room);

#endif
