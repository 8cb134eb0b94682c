/* prober.h - a part made ready for probes, and the places where a segment meets it. */
#ifndef SC_PROBER_H
#define SC_PROBER_H

#include "health/health.h"
#include "open/cracks.h"
#include "probe_walk.h"

#include <stdatomic.h>

/* What probers of one part in several placements share. */
typedef struct sc_probe_part {
    atomic_size_t users;
    const stlclash_mesh *mesh;
    sc_probe_tree tree;
    bool has_health, is_balanced; /* closed without T-junctions */
    sc_health health;
    sc_rim rim; /* of a part that is known not to be closed */
} sc_probe_part;

struct stlclash_prober {
    sc_probe_part *part;
    sc_probe_pose pose;
    sc_box bounds; /* placed */
    sc_rim rim;    /* placed */
    sc_cracks cracks;
    sc_rim rest; /* of the rim, without those */
};

/* The placed vertices of a facet, the way round in which it is read. */
void sc_prober_facet(const stlclash_prober *prober, uint32_t triangle, sc_vec3 v[3]);

/* Whether that is the other way round than stored. */
bool sc_prober_turned(const stlclash_prober *prober, uint32_t triangle);

/* The segment that a probe stands for; *unit is what a parameter of 1 on it is in those of
 * the probe. *too_wide: its coordinates differ so much that some of them would be dropped; with
 * NULL that is an error. */
stlclash_code sc_prober_segment(const stlclash_prober *prober, const stlclash_probe *probe,
                                sc_segment *segment, double *unit, bool *too_wide,
                                stlclash_error *error);

/* A place where a segment meets the surface; see stlclash_probe_hit. `crossings` is the
 * sum of +1 for each facet entered and -1 for each left, by a segment moved by (e, e^2,
 * e^3), e positive and smaller than anything (geom/sos.h). */
typedef struct sc_place_met {
    sc_stop from, to;
    uint32_t triangle, triangles;
    sc_feature feature;
    int crossings;
} sc_place_met;

typedef struct sc_places {
    sc_place_met *items; /* [count], in order; sc_free */
    size_t count;
} sc_places;

/* False if memory ran out. */
bool sc_places_find(const stlclash_prober *prober, const sc_segment *segment, sc_places *places);

/* The same of a few triangles. */
bool sc_places_of(const stlclash_prober *prober, const sc_segment *segment,
                  const uint32_t *triangles, size_t count, sc_places *places);

/* What the probe does there; and the place as users see it, `unit` as for sc_prober_segment. */
stlclash_passing sc_place_passing(const sc_place_met *place);
stlclash_probe_hit sc_place_hit(const sc_segment *segment, double unit, const sc_place_met *place);

/* How often the surface surrounds the point, moved by (e, e^2, e^3). Exact for closed
 * parts. */
int sc_prober_winding(const stlclash_prober *prober, sc_vec3 p);

/* The least distance to a segment that does not meet the part, if it is at most `within`; false if
 * there is none. */
typedef struct sc_probe_nearest {
    double distance;
    sc_vec3 on_probe, on_part;
    uint32_t triangle;
    sc_feature feature;
} sc_probe_nearest;
bool sc_prober_closest(const stlclash_prober *prober, const sc_segment *segment, double within,
                       sc_probe_nearest *nearest);

/* The same as users see it. */
stlclash_probe_gap sc_probe_gap_of(const sc_segment *segment, double unit,
                                   const sc_probe_nearest *nearest);

#endif
