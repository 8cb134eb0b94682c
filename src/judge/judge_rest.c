/* judge_rest.c - see judge_rest.h. */
#include "judge_rest.h"

#include "base/error.h"
#include "judge_search.h"

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
    const sc_depth_request *request; /* of all of it */
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
        b->request.hit_count = 0; /* hardly any of them is in the box */
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

stlclash_code sc_judge_search_rest(sc_judging *s, const sc_depth_request *request,
                                   const sc_box *boxes, size_t count, bool rises, double *limit,
                                   sc_depth *depth, bool *shallow)
{
    rest_search r = {.request = request, .limit = *limit, .depth = depth, .left = SC_LOOKS};
    size_t next = 0;
    *shallow = true;
    while (*shallow && (next < count || r.count > 0)) {
        for (; r.count < BOXES_AT_ONCE && next < count; next++) {
            r.box[r.count++] = &boxes[next];
        }
        if (!search_boxes(&r) || !take_deepest(&r)) {
            return sc_error_memory(s->error);
        }
        const bool rose = rises && depth->depth > r.limit;
        r.limit = rose ? sc_judge_limit_above(request, depth) : r.limit;
        drop_shallow(&r);
        *shallow = (r.count == 0 || rose) && sc_poll_goes_on(&request->poll);
    }
    *limit = r.limit;
    return STLCLASH_OK;
}
