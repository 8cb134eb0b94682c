/* result.h - a stlclash_result and what it owns. */
#ifndef SC_RESULT_H
#define SC_RESULT_H

#include "base/notes.h"
#include "geom/tri_distance.h"
#include "health/health.h"
#include "stlclash.h"

/* Warnings of a health, which may go before what refers to them. */
typedef struct sc_kept_warnings {
    stlclash_warning warnings[SC_MAX_HEALTH_WARNINGS];
    char texts[SC_MAX_HEALTH_WARNINGS][SC_WARNING_TEXT];
} sc_kept_warnings;

/* What a health tells of a part, but for its bounds. *kept is what that refers to, for sc_free, or
 * NULL where there are no warnings: an assembly has many results. False if memory ran out. */
bool sc_tell_health(const sc_health *health, stlclash_part_result *result, sc_kept_warnings **kept);

/* The first member is what users see; it points into the others. */
typedef struct sc_result {
    stlclash_result public;
    const char *notes[SC_MAX_NOTES];
    stlclash_hit *hits;
    stlclash_region *regions;
    double (*vertices)[3]; /* of the mesh of the overlap */
    uint32_t (*facets)[3];
    stlclash_separation *gaps;
    stlclash_curve *curves;
    double (*curve_points)[3];
    sc_kept_warnings *kept[2]; /* of health */
} sc_result;

/* All zero, undecided; NULL if memory ran out. */
sc_result *sc_result_make(void);

/* The separation of two points that lie where the parts stand. `closest` and the triangles are of
 * the parts in the order in which they were compared, of which the first is B if `swapped`. */
stlclash_separation sc_separation_of(const sc_closest *closest, const uint32_t triangle[2],
                                     bool swapped, double distance);

/* A word for the notes, a literal; once. */
void sc_result_note(sc_result *result, const char *note);

#endif
