/* crossings.h - where the surfaces of two parts cross, when nothing touches.
 *
 * Each pair of facets that meets is looked at with A moved symbolically (geom/sos.h): it
 * then does not cross, or along one segment from S, where it begins, to E. */
#ifndef SC_CROSSINGS_H
#define SC_CROSSINGS_H

#include "base/parallel.h"
#include "solids/windings.h"

/* Where an edge of one part crosses a facet of the other. An edge runs from its
 * smaller vertex to its larger one, whichever facet it is looked at from. */
typedef struct sc_crossing {
    uint32_t low, high; /* vertices of the edge */
    uint32_t facet;     /* of the other part */
    int8_t part;        /* that the edge belongs to */
    int8_t enters;      /* 1: into the other part along low -> high, -1: out of it */
    double t;           /* along low -> high */
    sc_vec3 point;      /* relative to the origin */
} sc_crossing;

/* The line in which a facet of A crosses one of B. From its start to its end, what lies inside the
 * other part is to its left on the facet of A, to its right on that of B. */
typedef struct sc_segment {
    uint32_t facet[2];
    size_t start, end; /* crossings */
} sc_segment;

typedef struct sc_crossings {
    sc_solid *solid[2]; /* of role A and B */
    sc_windings windings[2];
    sc_crossing *crossings; /* [crossing_count] by edge, along it; each once */
    size_t crossing_count;
    size_t *from[2]; /* [from_count[part] + 1] where those begin whose lower vertex is number i */
    uint32_t from_count[2];
    sc_segment *segments; /* [segment_count] by hit */
    size_t segment_count;
    sc_vec3 origin; /* amid the common box of the parts */
    size_t *place;  /* [crossing_count] after sc_crossings_find_places: of crossings at one place
                       the first; NULL: each has its own */

    bool torn;      /* after sc_crossings_find_places: edges slip through cracks at T-junctions */
    double gaps;    /* between crossings at one place, which such cracks leave: their sum */
    double slack;   /* of the volume: what gaps and a displacement of A may have made of it */
    double most;    /* the volume is no more than that, which tells more than its sum where edges
                       slipped through cracks; 0: it does not */
    bool displaced; /* A was: nothing follows for where it stands but that */
    bool proper;    /* all hits are known to cross properly: no faces are flush */
    bool apart[2];  /* the facets of a part that meet or lie inside the other one are known to be of
                       pieces, by their edges, whose boxes do not meet, and which somewhere have 0
                       of that part outside and 1 inside */
    bool anchored;  /* all that lies inside is known to hang together, by its edges, with facets
                      that meet the other part */
} sc_crossings;

/* solid[0] has role A, solid[1] role B. hits: all pairs of triangles that meet, triangle of
 * solid[0] << 32 | triangle of solid[1], sorted. The same for any number of threads. False if
 * memory ran out; free in any case. */
bool sc_crossings_find(sc_solid *solid[2], const uint64_t *hits, size_t hit_count, sc_crew *crew,
                       sc_crossings *crossings);
/* Of closed parts: then the winding numbers too, the facets that do not cross but lie inside, and
 * the places. */
bool sc_crossings_wind(sc_crossings *crossings, sc_crew *crew);
/* Whether nothing crosses, and nothing of either part lies inside the other; after that. */
bool sc_crossings_none(const sc_crossings *crossings);
void sc_crossings_free(sc_crossings *crossings);

/* Where T-junctions close a part, facets that meet there along different edges have crossings of
 * their own in the same places. False if memory ran out. */
bool sc_crossings_find_places(sc_crossings *crossings);

static inline size_t sc_crossings_place(const sc_crossings *x, size_t crossing)
{
    return x->place ? x->place[crossing] : crossing;
}

/* An edge of a facet and its crossings, from its lower vertex, by sc_vec3_before, to the other. */
typedef struct sc_crossed_edge {
    uint32_t low, high; /* vertices of the part */
    int sign;           /* -1: the facet has it from high to low; else 1 */
    int winding;        /* of low; each crossing adds what it enters */
    size_t first, last; /* crossings, the last one excluded */
} sc_crossed_edge;

/* That of a facet of a part which has it from one vertex to another. */
sc_crossed_edge sc_crossings_of_edge(const sc_crossings *crossings, int part, uint32_t from,
                                     uint32_t to);

/* Whether it is plain that none of the edges of a facet is crossed: no crossing belongs to one
 * of its vertices. */
static inline bool sc_crossings_spare(const sc_crossings *x, int part, const sc_active *facet)
{
    const size_t *from = x->from[part];
    bool spare = true;
    for (int k = 0; k < 3; k++) {
        const uint32_t v = facet->vertex[k];
        spare = spare && (v >= x->from_count[part] || from[v] == from[v + 1]);
    }
    return spare;
}

#endif
