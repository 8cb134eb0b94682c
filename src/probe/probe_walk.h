/* probe_walk.h - a segment through a probe tree: the triangles that it may meet.
 *
 * What floats can prove is settled here, with bounds for their rounding; the rest is
 * handed on as not sure, for exact signs (geom/segment_triangle.h). */
#ifndef SC_PROBE_WALK_H
#define SC_PROBE_WALK_H

#include "geom/segment_triangle.h"
#include "probe_tree.h"

/* Into the part's own coordinates and the frame of its tree. */
typedef struct sc_probe_pose {
    sc_placement placement;
    double inverse[3][3]; /* of the placement's rotation */
    double frame_error;   /* of a placed point brought back, per 1 of its size */
    double reach;         /* largest magnitude of a placed coordinate, or of the shift */
} sc_probe_pose;

/* `reach`: the largest magnitude of a placed coordinate of the part. */
sc_probe_pose sc_probe_pose_make(const sc_placement *placement, double reach);

/* A point in the frame; *error bounds that of each coordinate. */
sc_vec3 sc_probe_to_frame(const sc_probe_tree *tree, const sc_probe_pose *pose, sc_vec3 p,
                          double *error);

/* The part of a segment near the tree, in its frame, as floats. */
typedef struct sc_probe_ray {
    float p[3], q[3]; /* its ends */
    float inverse[3]; /* of q - p, each finite */
    float error;      /* bounds the distance of each coordinate from its true place */
    double t0, t1;    /* the parameters of p and q on the whole segment */
} sc_probe_ray;

/* False where the segment misses the bounds of the tree. */
bool sc_probe_ray_make(const sc_probe_tree *tree, const sc_probe_pose *pose,
                       const sc_segment *segment, sc_probe_ray *ray);

/* A bundle against a ray, lane by lane as bits: `sure` passes inside the triangle, from
 * one side to the other; `maybe` is for exact signs. The others miss. */
typedef struct sc_probe_lanes {
    unsigned sure, maybe;
    float t[SC_PROBE_LANES];       /* of the sure ones: parameter on the ray, */
    float t_error[SC_PROBE_LANES]; /* and its error */
    float down[SC_PROBE_LANES];    /* > 0: against the normal, into the part */
} sc_probe_lanes;

/* Called for each bundle near the ray in about the order of the ray; returns the parameter
 * on the ray beyond which nothing matters, negative to stop. */
typedef float sc_probe_visit(void *context, const sc_probe_bundle *bundle,
                             const sc_probe_lanes *lanes);

/* Each level leaves at most seven behind. */
enum { SC_PROBE_STACK = 7 * SC_PROBE_DEPTH + 8 };

typedef struct sc_probe_entry {
    uint32_t child;
    float near; /* the ray enters its box here; or how near the box may be */
} sc_probe_entry;

/* A walk under way. Several of them, a step of each in turn, hide how long memory takes. */
typedef struct sc_probe_walk {
    sc_probe_ray ray;            /* filled in by the caller */
    float near_at[3], far_at[3]; /* its origin, moved for the error */
    int far_side[3];             /* which bound of a box it leaves by */
    float limit;                 /* nothing beyond this parameter matters */
    uint32_t next;               /* the node or bundle to be visited */
    int count;
    sc_probe_entry stack[SC_PROBE_STACK]; /* [count], to be visited later, the next on top */
} sc_probe_walk;

/* Begins a walk along walk->ray up to the parameter `limit`; the tree is not empty. */
void sc_probe_start(sc_probe_walk *walk, float limit);

/* One node or bundle more; false at the end. */
bool sc_probe_step(const sc_probe_tree *tree, sc_probe_walk *walk, sc_probe_visit *visit,
                   void *context);

/* All of it, from the start. */
void sc_probe_walk_all(const sc_probe_tree *tree, sc_probe_walk *walk, sc_probe_visit *visit,
                       void *context);

#endif
