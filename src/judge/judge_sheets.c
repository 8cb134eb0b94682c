/* judge_sheets.c - see judge_sheets.h. */
#include "judge_sheets.h"

#include "base/alloc.h"
#include "base/error.h"
#include "depth/sheet.h"
#include "erosion/erosion_proof.h"
#include "judge_search.h"

typedef sc_judging state;

/* As much as they need to tell that nothing lies deeper. */
static const double sheet_error = 0.009;

/* Whether all that parts have in common, or of a region (else NULL), lies along their surfaces, no
 * deeper than the limit. */
static stlclash_code try_sheet(state *s, double limit, const sc_depth_request *region,
                               bool *shallow, sc_sheet_rest *rest)
{
    const sc_sheet_request request = {.solid = {&s->solid[0], &s->solid[1]},
                                      .limit = limit,
                                      .region = region,
                                      .rest = rest,
                                      .poll = s->q->poll};
    return sc_sheet_overlap(&request, shallow) ? STLCLASH_OK : sc_error_memory(s->error);
}

stlclash_code sc_sheets_cross(state *s, bool *sheets)
{
    stlclash_code code = STLCLASH_OK;
    *sheets = false;
    if (s->q->crossing && !s->q->stopped) {
        code = sc_need_overlap(s);
        *sheets = code == STLCLASH_OK && s->j->overlap.volume_is_zero;
    }
    return code;
}

uint64_t sc_sheets_erosion_looks(const state *s)
{
    enum { AT_LEAST = 50, FACETS_A_LOOK = 16, AT_MOST = SC_FIRST_LOOKS / 2 };
    const uint64_t facets = sc_parts_facets(s->q->part[0], s->q->part[1]);
    const uint64_t looks = AT_LEAST + facets / FACETS_A_LOOK;
    return looks < AT_MOST ? looks : AT_MOST;
}

static sc_erosion_proof erosion_by(state *s, double limit)
{
    const double reach = sc_parts_reach(s->solid[0].part, s->solid[1].part);
    return (sc_erosion_proof){.solid = {&s->solid[0], &s->solid[1]},
                              .limit = sc_equal_depth(limit, reach),
                              .watch = s->q->watch,
                              .poll = s->q->poll,
                              .crew = s->q->crew};
}

stlclash_code sc_sheets_erode(state *s, double limit, bool *shallow)
{
    const sc_erosion_proof proof = erosion_by(s, limit);
    return sc_erosion_proves(&proof, shallow) ? STLCLASH_OK : sc_error_memory(s->error);
}

/* Above what was found, within its error. */
static double limit_above(const sc_depth_request *request, const sc_depth *depth)
{
    return depth->depth * (1.0 + 0.98 * request->relative_error);
}

/* ---- what is left of an eroded part --------------------------------------------- */

/* One box, to be searched for anything deeper than the limit of the request, by as many looks as
 * its budget. */
typedef struct box_search {
    sc_depth_request request;
    sc_depth found; /* what is to beat, then what is known of the box */
    uint64_t looks; /* taken */
    bool good;      /* memory did not run out */
} box_search;

static void search_box(void *context, int number)
{
    box_search *b = &((box_search *)context)[number];
    sc_depth_search *search = sc_depth_begin(&b->request);
    b->good = search && sc_depth_go_on(search, b->request.budget, &b->found);
    b->looks = b->good ? sc_depth_looks(search) : 0;
    sc_depth_end(search);
}

enum { BOXES_AT_ONCE = 16 };

/* Boxes that wait to be searched, with what all of them share. */
typedef struct rest_search {
    const sc_depth_request *request; /* of all of the overlap */
    double limit;
    sc_depth *depth;
    uint64_t left; /* looks */
    const sc_box *box[BOXES_AT_ONCE];
    box_search searches[BOXES_AT_ONCE];
    int count;
} rest_search;

/* Side by side, each by one thread; a last one by all. False if memory ran out. */
static bool search_boxes(rest_search *r)
{
    enum { NS_BOX = 5000000, MOST_LOOKS = 20000 };
    sc_crew *crew = r->count > 1 ? sc_crew_for(r->request->crew, NS_BOX) : NULL;
    const uint64_t looks = r->left < MOST_LOOKS ? r->left : MOST_LOOKS;
    bool good = true;

    for (int i = 0; i < r->count; i++) {
        box_search *b = &r->searches[i];
        *b = (box_search){.request = *r->request, .found = *r->depth};
        b->request.within = sc_boxes_common(&r->request->within, r->box[i]);
        b->request.threshold = r->limit;
        b->request.budget = looks;
        if (r->count > 1) {
            b->request.crew = NULL;
            b->request.poll = (sc_poll){.ask = NULL};
        }
    }
    sc_crew_items(crew, r->count, search_box, r->searches);
    for (int i = 0; i < r->count; i++) {
        const uint64_t taken = r->searches[i].looks;
        r->left -= taken < r->left ? taken : r->left;
        good = good && r->searches[i].good;
    }
    return good;
}

/* The deepest of what was found, if it is deeper than what was. False if memory ran out. */
static bool take_deepest(rest_search *r)
{
    sc_depth deepest = *r->depth;
    for (int i = 0; i < r->count; i++) {
        const sc_depth *found = &r->searches[i].found;
        deepest = found->depth > deepest.depth ? *found : deepest;
    }
    if (!(deepest.depth > r->depth->depth)) {
        return true;
    }
    deepest.bound = r->depth->bound;
    deepest.complete = r->depth->complete;
    *r->depth = deepest;
    return sc_depth_tell(r->request, r->depth);
}

/* Those that are shallow are done with. */
static void drop_shallow(rest_search *r)
{
    int kept = 0;
    for (int i = 0; i < r->count; i++) {
        if (r->searches[i].found.bound > r->limit) {
            r->box[kept++] = r->box[i];
        }
    }
    r->count = kept;
}

/* Whether nothing lies deeper than the limit in any of the boxes. What does raises it, if it may:
 * what is deeper than that lies in the boxes, too. */
static stlclash_code search_rest(state *s, rest_search *r, const sc_erosion_rest *rest, bool rises,
                                 bool *shallow)
{
    size_t next = 0;
    *shallow = true;
    while (*shallow && (next < rest->boxes || r->count > 0)) {
        for (; r->count < BOXES_AT_ONCE && next < rest->boxes; next++) {
            r->box[r->count++] = &rest->box[next];
        }
        if (!search_boxes(r) || !take_deepest(r)) {
            return sc_error_memory(s->error);
        }
        const bool rose = rises && r->depth->depth > r->limit;
        r->limit = rose ? limit_above(r->request, r->depth) : r->limit;
        drop_shallow(r);
        *shallow = (r->count == 0 || rose) && sc_poll_goes_on(&r->request->poll);
    }
    return STLCLASH_OK;
}

/* `rises`: the limit is what was found, within its error, and becomes more if that does. */
static stlclash_code erode_below(state *s, const sc_depth_request *request, double limit,
                                 bool rises, sc_depth *depth, bool *shallow)
{
    sc_depth_request deepest = *request;
    sc_erosion_rest rest = {.place = {NAN, NAN, NAN}};
    sc_erosion_proof proof = erosion_by(s, limit);

    proof.rest = &rest;
    deepest.threshold = -1.0;
    if (!sc_erosion_bounds(&proof, shallow) ||
        (!isnan(rest.place.x) && !sc_depth_try(&deepest, rest.place, depth))) {
        sc_free(rest.box);
        return sc_error_memory(s->error);
    }
    stlclash_code code = STLCLASH_OK;
    rest_search search = {
        .request = &deepest, .limit = proof.limit, .depth = depth, .left = SC_LOOKS};
    if (!*shallow && rest.boxes > 0 && depth->depth <= proof.limit) {
        code = search_rest(s, &search, &rest, rises, shallow);
    }
    sc_free(rest.box);
    depth->bound = *shallow ? fmin(depth->bound, search.limit) : depth->bound;
    return code;
}

stlclash_code sc_sheets_erode_below(state *s, const sc_depth_request *request, double limit,
                                    sc_depth *depth, bool *shallow)
{
    return erode_below(s, request, limit, false, depth, shallow);
}

stlclash_code sc_sheets_erode_to(state *s, const sc_depth_request *request, sc_depth *depth)
{
    enum { ROUNDS = 8 };
    const double error = request->relative_error;
    double limit = 0.0; /* of the last round */
    stlclash_code code = STLCLASH_OK;

    for (int i = 0; i < ROUNDS && code == STLCLASH_OK && !depth->complete && depth->depth > limit;
         i++) {
        bool shallow;
        limit = limit_above(request, depth);
        code = erode_below(s, request, limit, true, depth, &shallow);
        depth->complete = depth->bound <= depth->depth * (1.0 + error);
    }
    return code;
}

/* Sheets that cross are never shallow; whether they do is seen where all crossings are known. */
stlclash_code sc_sheets_try(state *s, double limit, bool *shallow)
{
    bool sheets = false;
    stlclash_code code = STLCLASH_OK;
    *shallow = false;
    if (s->q->crossing && s->q->stopped) {
        return code;
    }
    code = try_sheet(s, limit, NULL, shallow, NULL);
    if (code == STLCLASH_OK && *shallow) {
        code = sc_sheets_cross(s, &sheets);
        *shallow = !sheets;
    }
    return code;
}

stlclash_code sc_sheets_bound(state *s, const sc_depth_request *request)
{
    const double rounding = sc_rounding_of(s);
    const double found = s->j->depth.depth;
    bool shallow = false;

    if (s->j->depth.complete || isfinite(s->thickness) || found > rounding ||
        found <= sc_judge_depth_limit(s, &request->within)) {
        return STLCLASH_OK;
    }
    stlclash_code code = sc_sheets_erode(s, rounding, &shallow);
    if (code == STLCLASH_OK && !shallow) {
        code = sc_sheets_try(s, rounding, &shallow);
    }
    if (shallow) {
        s->thickness = rounding;
        s->j->depth.bound = fmin(s->j->depth.bound, rounding);
        s->j->depth.complete = true;
    }
    return code;
}

stlclash_code sc_sheets_bound_region(state *s, const sc_depth_request *request, sc_depth *depth)
{
    const double rounding = sc_rounding_of(s);
    const bool is_of_use = request->threshold < 0.0 || request->threshold >= rounding;
    bool shallow = false;
    stlclash_code code = STLCLASH_OK;

    if (is_of_use && !depth->complete && depth->depth <= rounding) {
        code = try_sheet(s, rounding, request, &shallow, NULL);
    }
    if (shallow) {
        depth->bound = fmin(depth->bound, rounding);
        depth->complete = true;
    }
    return code;
}

stlclash_code sc_sheets_bound_to(state *s, double limit, sc_depth *depth)
{
    bool shallow = false;
    stlclash_code code = STLCLASH_OK;
    if (!depth->complete && depth->depth < limit && depth->bound > limit) {
        code = try_sheet(s, limit, NULL, &shallow, NULL);
    }
    depth->bound = shallow ? fmin(depth->bound, limit) : depth->bound;
    return code;
}

stlclash_code sc_sheets_close(state *s, const sc_depth_request *request, sc_depth *depth,
                              bool *spent)
{
    enum { ROUNDS = 16 };
    sc_sheet_rest rest = {.spent = false};
    stlclash_code code = STLCLASH_OK;
    double tried = 0.0;

    for (int i = 0; i < ROUNDS && !rest.spent && !depth->complete && depth->depth > tried; i++) {
        bool shallow;
        const double limit = depth->depth * (1.0 + fmax(request->relative_error, sheet_error));
        code = try_sheet(s, limit, NULL, &shallow, &rest);
        if (code != STLCLASH_OK) {
            return code;
        }
        tried = depth->depth;
        if (shallow) {
            depth->bound = fmin(depth->bound, limit);
        } else if (!isnan(rest.place.x) && !sc_depth_try(request, rest.place, depth)) {
            return sc_error_memory(s->error);
        }
        depth->complete = depth->bound <= depth->depth * (1.0 + request->relative_error);
    }
    *spent = rest.spent;
    return code;
}
