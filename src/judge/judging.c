/* judging.c - see judging.h. */
#include "judging.h"

#include "base/error.h"
#include "contact/facing.h"
#include "contact/walls.h"
#include "overlap/overlap_mesh.h"
#include "overlap/sound.h"
#include "shared_tree.h"

void sc_judging_note(sc_judging *s, const char *word)
{
    sc_notes_add(s->j->notes, &s->j->note_count, word);
}

stlclash_code sc_judging_end(sc_judging *s, bool good)
{
    if (sc_watch_was_over(s->q->watch)) {
        return STLCLASH_E_MEMORY; /* sc_judge tells it from that */
    }
    return good ? STLCLASH_OK : sc_error_memory(s->error);
}

/* ---- what either part has ------------------------------------------------ */

sc_crew *sc_judging_crew(const sc_judging *s, uint64_t facet_ns, uint64_t pair_ns)
{
    enum { DEPTH_NS_PAIR = 10000 }; /* which the search for the depth will take */
    const uint64_t facets = sc_parts_facets(s->q->part[0], s->q->part[1]);
    const uint64_t pairs = s->q->hit_count;
    const bool goes_on = sc_judge_measures_depth(s->q->options);
    return sc_crew_ahead_of(s->q->crew, facet_ns * facets + pair_ns * pairs,
                            goes_on ? DEPTH_NS_PAIR * pairs : 0);
}

sc_box sc_judging_common_box(const sc_judging *s)
{
    return sc_boxes_common(&s->q->part[0]->used_bounds, &s->q->part[1]->used_bounds);
}

/* Something done for either part, by as many threads as there are. */
typedef struct per_part {
    sc_judging *s;
    stlclash_code code[2];
    stlclash_error error[2];
} per_part;

static stlclash_code for_both_parts(sc_judging *s, uint64_t nanoseconds,
                                    void (*work)(void *per_part, int part))
{
    per_part b = {.s = s};
    sc_crew_items(sc_judging_crew(s, nanoseconds, 0), 2, work, &b);
    return sc_error_of_parts(s->error, b.code, b.error);
}

static void make_solid(void *context, int part)
{
    per_part *b = context;
    const sc_case *q = b->s->q;
    sc_octree *tree = q->tree[part];

    if (!tree && q->shared[part]) {
        b->code[part] = sc_shared_tree_get(q->shared[part], &q->frame, &tree, &b->error[part]);
    }
    if (b->code[part] == STLCLASH_OK) {
        b->code[part] = sc_solid_make(q->part[part], part == 0 ? SC_ROLE_A : SC_ROLE_B, &q->frame,
                                      tree, &b->s->solid[part], &b->error[part]);
    }
    b->s->solid[part].watch = q->watch;
}

stlclash_code sc_need_solids(sc_judging *s)
{
    stlclash_code code = s->has_solids ? STLCLASH_OK : for_both_parts(s, SC_NS_PLANT, make_solid);
    s->has_solids = code == STLCLASH_OK;
    return code;
}

static void examine(void *context, int part)
{
    per_part *b = context;
    const sc_case *q = b->s->q;
    if (!b->s->spared[part]) {
        b->code[part] = sc_health_get(q->part[part]->mesh, q->options->health,
                                      &b->s->j->health[part], &b->error[part]);
    }
}

/* What the search has opened takes as much memory as the edges do that health is told from. Where
 * the depth is looked for it is needed again; and little is sooner kept than made anew. */
static void make_room_for_edges(sc_judging *s)
{
    enum { MUCH = 8 << 20 }; /* bytes */
    for (int i = 0; i < 2 && !sc_judge_measures_depth(s->q->options); i++) {
        sc_octree_forget(s->q->near[i], MUCH);
    }
}

stlclash_code sc_need_health(sc_judging *s)
{
    if (s->j->has_health) {
        return STLCLASH_OK;
    }
    make_room_for_edges(s);
    stlclash_code code = for_both_parts(s, SC_NS_JOIN, examine);
    s->j->has_health = code == STLCLASH_OK;
    return code;
}

bool sc_judging_part_closed(const sc_judging *s, int part)
{
    return s->spared[part] || s->j->health[part]->closed;
}

bool sc_judging_closed(const sc_judging *s)
{
    return sc_judging_part_closed(s, 0) && sc_judging_part_closed(s, 1);
}

bool sc_judging_balanced(sc_judging *s)
{
    const stlclash_mesh *const mesh[2] = {s->q->part[0]->mesh, s->q->part[1]->mesh};
    s->j->balanced = s->j->has_health
                         ? sc_judging_closed(s)
                         : sc_health_both_balanced(mesh, sc_judging_crew(s, SC_NS_LOOK, 0));
    return s->j->balanced;
}

stlclash_code sc_need_sound_solids(sc_judging *s)
{
    stlclash_code code = sc_need_solids(s);
    code = code == STLCLASH_OK ? sc_need_health(s) : code;
    for (int i = 0; i < 2 && code == STLCLASH_OK; i++) {
        if (!s->spared[i]) {
            s->solid[i].orientation = s->j->health[i]->orientation;
            atomic_store(&s->solid[i].embedded, 0); /* was asked for as stored, if at all */
            s->solid[i].one_shell = s->j->health[i]->one_shell;
        }
    }
    return code;
}

/* ---- what they have in common ------------------------------------------- */

/* The crew, where looking at so many pairs of facets is worth it. */
static sc_crew *contact_crew(const sc_judging *s, size_t pairs)
{
    enum { NS_PAIR = 300 };
    return sc_crew_for(s->q->crew, NS_PAIR * pairs);
}

/* For facets that are flush but for rounding. */
static sc_contact_request flush_facets(sc_judging *s)
{
    const double rounding = s->q->tolerances->flush.all_over;
    return (sc_contact_request){.solid = {&s->solid[0], &s->solid[1]},
                                .hits = s->q->hits,
                                .hit_count = s->q->hit_count,
                                .beside = s->q->flush,
                                .beside_count = s->q->flush_count,
                                .within = sc_flush_all_over(rounding),
                                .crew = contact_crew(s, s->q->hit_count + s->q->flush_count)};
}

static bool find_contact(sc_judging *s, sc_contact *contact)
{
    const sc_contact_request request = flush_facets(s);
    return sc_contact_find(&request, contact);
}

stlclash_code sc_need_contact(sc_judging *s)
{
    bool good = s->j->has_contact || find_contact(s, &s->j->contact);
    stlclash_code code = sc_judging_end(s, good);
    s->j->has_contact = code == STLCLASH_OK;
    return code;
}

stlclash_code sc_find_faces_alike(sc_judging *s, bool *alike)
{
    sc_contact contact = {.some_alike = false};
    const bool good = find_contact(s, &contact);
    *alike = contact.some_alike;
    return sc_judging_end(s, good);
}

stlclash_code sc_widen_contact(sc_judging *s)
{
    sc_contact_request request = {.solid = {&s->solid[0], &s->solid[1]},
                                  .within = s->q->tolerances->flush};
    sc_facing facing;
    bool good = sc_facing_find(request.solid, &request.within, s->q->crew, &facing);
    if (good && facing.complete) {
        request.beside = facing.pairs;
        request.beside_count = facing.count;
        request.crew = contact_crew(s, facing.count);
        good = sc_contact_find(&request, &s->j->contact);
        s->j->has_contact = good;
    } else {
        s->j->contact.area = NAN;
        if (good) {
            sc_judging_note(s, "contact_area_unknown");
        }
    }
    sc_facing_free(&facing);
    return sc_judging_end(s, good);
}

/* Where faces are flush, moving A symbolically may make them overlap in a sheet without
 * volume, which joins regions that are none of its business and stretches their bounds.
 * So A is moved out of the faces that it lies on. */
static stlclash_code choose_shift(sc_judging *s)
{
    stlclash_code code = sc_need_contact(s);
    if (code == STLCLASH_OK) {
        s->solid[0].shift = s->solid[1].shift = s->j->contact.apart;
    }
    return code;
}

/* The curves in which the surfaces meet, and around the faces that touch: for those A is
 * moved into them. */
stlclash_code sc_find_curves(sc_judging *s)
{
    sc_solid a = s->solid[0], b = s->solid[1];
    sc_solid *solids[2] = {&a, &b};
    sc_contact contact = s->j->contact;
    const uint64_t *hits = s->q->hits;
    size_t count = s->q->hit_count;
    sc_crew *crew = s->q->crew;

    if (!s->q->options->curves || count == 0) {
        return STLCLASH_OK;
    }
    bool good = s->j->has_contact || find_contact(s, &contact);
    a.shift = b.shift = sc_shift_along(sc_scale(contact.away, -1.0));
    good = good && sc_overlap_find_curves(solids, hits, count, crew, &s->j->overlap);
    stlclash_code code = sc_judging_end(s, good);
    s->j->overlap.curve_count = code == STLCLASH_OK ? s->j->overlap.curve_count : 0;
    return code;
}

static stlclash_code wind_these(sc_judging *s, sc_solid *first, const uint64_t *hits,
                                size_t hit_count, sc_crossings *x)
{
    sc_solid *solids[2] = {first, &s->solid[1]};
    sc_crew *crew = sc_judging_crew(s, SC_NS_WIND, SC_NS_WIND_PAIR);
    bool good = sc_crossings_find(solids, hits, hit_count, crew, x) && sc_crossings_wind(x, crew);
    return sc_judging_end(s, good);
}

enum { AS_IT_STANDS = -1 };

/* Where the surfaces cross with the first part displaced, or as it stands. */
static stlclash_code wind_at(sc_judging *s, int attempt, sc_crossings *x)
{
    sc_displaced *aside = &s->aside;
    stlclash_code code;

    sc_crossings_free(x);
    *x = (sc_crossings){.segments = NULL};
    sc_displaced_free(aside);
    if (attempt == AS_IT_STANDS) {
        code = wind_these(s, &s->solid[0], s->q->hits, s->q->hit_count, x);
        x->proper = s->q->all_crossing;
        x->slack = code == STLCLASH_OK && sc_may_be_cracked(s->q) ? sc_cracked_volume(x) : 0.0;
        return code;
    }
    code = sc_displaced_make(s->q, s->solid, attempt, aside, s->error);
    if (code != STLCLASH_OK) {
        return code;
    }
    code = wind_these(s, &aside->solid, aside->hits, aside->hit_count, x);
    if (code == STLCLASH_OK) {
        x->proper = aside->all_crossing;
        x->displaced = true;
        x->slack = sc_displaced_volume(x, aside->way) + sc_cracked_volume(x);
    }
    return code;
}

/* Where the surfaces cross, and what of either part lies inside the other: with the first part as
 * it stands; or where cracks may make more of the volume than a displacement, displaced as the
 * volume is known best, unless nothing is left in common. */
static stlclash_code wind(sc_judging *s, sc_crossings *x)
{
    stlclash_code code = sc_judge_measures(s->q->options) ? choose_shift(s) : STLCLASH_OK;

    *x = (sc_crossings){.segments = NULL};
    if (code != STLCLASH_OK) {
        return code;
    }
    code = wind_at(s, AS_IT_STANDS, x);
    double least = x->slack;
    int best = AS_IT_STANDS, last = AS_IT_STANDS;
    double most = x->torn ? sc_common_room(x) : INFINITY;
    while (code == STLCLASH_OK && least > 0.0 && last + 1 < SC_ATTEMPTS &&
           least > sc_displaced_volume(x, sc_displaced_step(s->q, last + 1)) &&
           (last == AS_IT_STANDS || !sc_crossings_none(x))) {
        code = wind_at(s, ++last, x);
        if (code == STLCLASH_OK && sc_crossings_none(x)) {
            most = sc_min(most, x->slack); /* that is all there may have been */
        } else if (code == STLCLASH_OK && x->slack < least) {
            least = x->slack;
            best = last;
        }
    }
    code = code == STLCLASH_OK && best != last ? wind_at(s, best, x) : code;
    x->most = most <= x->slack ? most : 0.0;
    return code;
}

/* Facets were taken as they are stored: if that is not known to be right, the shells are
 * looked at, and if it was wrong, all is done again. */
static stlclash_code confirm_orientation(sc_judging *s, sc_crossings *x)
{
    bool sound = false;
    bool good = sc_sound_as_stored(x, sc_judging_crew(s, SC_NS_WIND, 0), &sound);
    stlclash_code code = sc_judging_end(s, good);
    if (code != STLCLASH_OK) {
        return code;
    }
    x->anchored = sound;
    code = sound ? STLCLASH_OK : sc_need_sound_solids(s);
    if (code == STLCLASH_OK && (s->solid[0].orientation || s->solid[1].orientation)) {
        sc_crossings_free(x);
        s->j->has_contact = false;
        code = wind(s, x);
    }
    return code;
}

/* Faces of the parts that lie in one another are not inside the other one, or half of them is. */
static bool leave_out_flush(sc_judging *s, const sc_crossings *x)
{
    sc_contact_request request = flush_facets(s);
    sc_walls walls;

    request.solid[0] = x->solid[0]; /* which may be displaced */
    const bool good = sc_walls_find(&request, &s->j->contact, &walls);
    if (good) {
        sc_overlap_add_area(&s->j->overlap, walls.area_vector, walls.area);
    }
    return good;
}

static bool measure(sc_judging *s, sc_crossings *x)
{
    sc_overlap *overlap = &s->j->overlap;
    sc_pieces pieces = {.of = NULL};
    bool good =
        sc_overlap_measure(x, sc_judging_crew(s, SC_NS_SUM, SC_NS_SUM_PAIR), &pieces, overlap) &&
        (overlap->region_count < 2 || sc_regions_make(x, &pieces, overlap, &s->regions));
    if (good && s->q->options->overlap_mesh && !overlap->volume_is_zero) {
        good = sc_overlap_make_mesh(x, &pieces, overlap);
    }
    sc_pieces_free(&pieces);
    if (good && s->j->has_contact && !overlap->volume_is_zero) {
        good = leave_out_flush(s, x);
    }
    return good;
}

/* Whether so many facets cross that whole shells will most likely be looked at, for what
 * sc_sound_as_stored tells: of large parts better before there are tables of what crosses, which
 * take as much memory. */
static bool crosses_all_over(const sc_judging *s)
{
    enum { LARGE = 1 << 20, SHARE = 16 };
    const uint64_t facets = sc_parts_facets(s->q->part[0], s->q->part[1]);
    return s->q->all_crossing && facets >= LARGE && s->q->hit_count >= facets / SHARE;
}

stlclash_code sc_need_overlap(sc_judging *s)
{
    sc_crossings x = {.segments = NULL};

    if (s->measured) {
        return STLCLASH_OK;
    }
    stlclash_code code = crosses_all_over(s) ? sc_need_sound_solids(s) : STLCLASH_OK;
    code = code == STLCLASH_OK ? wind(s, &x) : code;
    if (code == STLCLASH_OK && !s->j->has_health) {
        code = confirm_orientation(s, &x);
    }
    code = code == STLCLASH_OK ? sc_judging_end(s, measure(s, &x)) : code;
    for (int i = 0; i < 2 && s->j->has_health; i++) {
        s->j->overlap.multiplicity |= !s->spared[i] && !s->j->health[i]->simple_windings;
    }
    sc_crossings_free(&x);
    if (code != STLCLASH_OK) {
        return code;
    }
    s->measured = true;
    s->j->has_overlap = !s->j->overlap.volume_is_zero;
    return sc_find_curves(s);
}

void sc_judging_free(sc_judging *s)
{
    sc_regions_free(&s->regions);
    sc_displaced_free(&s->aside);
    sc_solid_free(&s->solid[0]);
    sc_solid_free(&s->solid[1]);
}
