/* sheet_facet.h - what is left of one facet of a part, or of its casing, once what lies near facets
 * is taken off: whether any of that lies inside the other part (sheet.c). */
#ifndef SC_SHEET_FACET_H
#define SC_SHEET_FACET_H

#include "casing.h"
#include "piece.h"
#include "sheet.h"
#include "solids/surface.h"

/* What is looked with. Zeroed, but for what is said to be given; to be freed. */
typedef struct sc_sheet_look {
    const sc_sheet_request *request; /* given, and all down to `part` */
    double limit, reach; /* less than is asked for, so that casings are within that (sheet.c) */
    sc_box within;       /* of a region: what does not come in here does not matter */
    uint64_t most_steps; /* facets held against pieces at most */
    sc_surface near, in; /* from what strips are taken off; in what nothing may be left */
    bool cased;          /* casings of facets are looked at, and not these */
    sc_surface solid[2]; /* to ask what is of a region */
    int part;            /* whose facets are looked at */

    uint32_t facet; /* at hand; near it are */
    sc_wall *walls;
    uint32_t *list;              /* of them: those of the tasks, one after another */
    struct sc_sheet_task *tasks; /* the last one is next */
    size_t wall_count, wall_capacity, list_count, list_capacity, task_count, task_capacity;
    uint64_t steps, polled_at;
    int depth; /* of the piece at hand */
    sc_casing casing;
    bool given_up; /* there is no more time for it */
    bool failed;   /* memory ran out */
} sc_sheet_look;

void sc_sheet_look_free(sc_sheet_look *look);

/* Whether nothing is left; or it is told what keeps it from being a proof, if the request asks. */
bool sc_sheet_facet(sc_sheet_look *look, uint32_t facet, const sc_vec3 v[3]);

/* How many steps were taken so far. */
uint64_t sc_sheet_steps(const sc_sheet_look *look);

/* False: there is no more time. */
bool sc_sheet_poll(sc_sheet_look *look);

#endif
