/* surface.h - the surface of one part, as searches ask of it: how far it is, which side of it
 * a point is on, what of it lies here. For one thread; a solid serves any number of these.
 *
 * It is that of the facets with area: the others bound nothing. */
#ifndef SC_SURFACE_H
#define SC_SURFACE_H

#include "geom/facet_area.h"
#include "geom/facet_distance.h"
#include "normals.h"
#include "solid.h"

typedef struct sc_surface {
    sc_solid *solid;
    sc_known_windings known;
    double margin;    /* no computed distance or point is farther off than this:
                         SC_SURFACE_MARGIN of the largest coordinate of both parts. Twice what any
                         was found to be off, a quarter of what is proven of facets as long as the
                         diagonal of a cube of that size (facet_distance.h) */
    uint32_t doubts;  /* how often it had to be found out whether a wall is seen from outside */
    bool embedded;    /* known to be, see depth/embedded.h: then there are no such doubts */
    uint64_t visited; /* facets looked at so far */
    bool by_normals; /* walks may find out those of nodes, which takes a look at all their facets */
    bool failed;     /* memory ran out: no answer counts any more */
} sc_surface;

#define SC_SURFACE_MARGIN 0x1p-48

static inline double sc_surface_margin(const sc_part *a, const sc_part *b)
{
    return sc_parts_reach(a, b) * SC_SURFACE_MARGIN;
}

/* That of one part, of which points of the other are asked. */
static inline sc_surface sc_surface_of(sc_solid *solid, const sc_part *other)
{
    return (sc_surface){.solid = solid, .margin = sc_surface_margin(solid->part, other)};
}

/* A constructed point as exact signs need it: no coordinate much smaller than the
 * parts is left but 0. */
sc_vec3 sc_surface_tidy(const sc_surface *surface, sc_vec3 p);

/* A box that holds what that makes of the points of a box, too. */
sc_box sc_surface_tidy_box(const sc_surface *surface, const sc_box *box);

/* A facet and the point of it nearest to some point; facet UINT32_MAX and an infinite
 * distance: none. */
typedef struct sc_nearest {
    double distance;
    uint32_t facet;
    sc_vec3 point;
} sc_nearest;

/* A near facet: its distance from p is at most `enough`, or else above the least by no
 * more than `slack` and `part` of itself, or by `fine` if that is more. `hint` is a
 * facet that may be near, or UINT32_MAX. */
typedef struct sc_seek {
    double enough, slack, part, fine;
    uint32_t hint;
} sc_seek;
sc_nearest sc_surface_nearest(sc_surface *surface, sc_vec3 p, sc_seek seek);

/* Any facet within `enough` - `slack` if there is one, or else any within `clear` if
 * there is one; a distance of more than `clear` shows that there is none. */
sc_nearest sc_surface_any(sc_surface *surface, sc_vec3 p, double clear, sc_seek seek);

/* Where the edge passes through the plane of a facet; false if it does not, or lies in it. */
bool sc_surface_through(const sc_surface *surface, sc_vec3 from, sc_vec3 to, uint32_t facet,
                        sc_vec3 *through);

/* The winding number about p, made tidy; false if memory ran out. */
bool sc_surface_winding(sc_surface *surface, sc_vec3 p, int *winding);

/* Whether p lies inside. */
bool sc_surface_contains(sc_surface *surface, sc_vec3 p);

/* The same, found out along another way: what is concluded from one point hangs on that. */
bool sc_surface_surely_contains(sc_surface *surface, sc_vec3 p);

/* Comes down the octree where boxes, and what holds facets that lie aslant more tightly, meet
 * `within`, or come as near to `centre` as `reach` if that is not 0, do not all lie farther along
 * `way` than `most`, and `enter` says so; of the facets' own boxes too. Until `facet` returns
 * false; then so does the walk. */
typedef struct sc_walk {
    sc_box within;
    sc_vec3 arm[3]; /* half sides of a box about its middle, which may lie askew, outside of which
                       nothing matters either; zero: none */
    sc_vec3 centre;
    double reach;
    sc_vec3 way; /* at most of unit length, or zero */
    double most;
    bool (*enter)(void *context, const sc_box *box); /* NULL: all may be entered */
    bool (*facet)(void *context, uint32_t facet, const sc_vec3 v[3]);
    /* Whether no facet of a node with this box and these normals needs a closer look; NULL: all
     * do. Asked where normals may be found out, of many facets together, all read as they are
     * stored. */
    bool (*passes)(void *context, const sc_box *box, const sc_normals *normals);
    void *context;
} sc_walk;
bool sc_surface_walk(sc_surface *surface, const sc_walk *walk);

/* The box of a node of the octree (level -1: leaf number 8 cluster + place), with its
 * rounding. Empty for an absent one. */
sc_box sc_surface_node_box(sc_surface *surface, int level, uint32_t index);

#endif
