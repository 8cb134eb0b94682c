/* overlap_twice.c - see overlap_twice.h. Where the surface of the other part passes such a place
 * it is known anyway, by the winding numbers along its edges; two shells that overlap deep inside
 * the other part are not met by anything. */
#include "overlap_twice.h"

#include "base/alloc.h"
#include "entangled.h"
#include "geom/tri_intersect.h"
#include "solids/surface.h"

/* Vertices to look for some of which are in a box. */
enum { MOST_ASKED = 4096 };

typedef struct search {
    const sc_crossings *x;
    sc_known_windings known[2];
    int doubted, own; /* looked at so far */
    bool twice, failed;
} search;

static int winding_at(search *s, int part, sc_vec3 p)
{
    int winding = 0;
    if (!sc_solid_winding_near(s->x->solid[part], &s->known[part], p, &winding)) {
        s->failed = true;
    }
    return winding;
}

static bool counts_twice(int winding)
{
    return winding < 0 || winding > 1;
}

/* ---- at a point --------------------------------------------------------------- */

/* Winding numbers of either part just beside a point: all but infinitely near to it, along each
 * axis either way, in each of four quarters. */
enum { SHIFTS = 12, PLACES = 2 * SHIFTS };

static sc_shift shift_number(int number)
{
    sc_shift shift = sc_shift_usual;
    for (int i = 0; i < 3; i++) {
        shift.axis[i] = (int8_t)((number + i) % 3);
        shift.sign[i] = i > 0 && number / 3 >> (i - 1) & 1 ? -1 : 1;
    }
    return shift;
}

static bool wind_own(search *s, int part, int number, sc_vec3 p, int winding[2])
{
    const sc_shift shift = shift_number(number);
    s->failed |= !sc_solid_winding_either_way(s->x->solid[part], &shift, p, winding);
    return !s->failed;
}

static bool wind_beside(search *s, int number, sc_vec3 p, int winding[2][2])
{
    return wind_own(s, 0, number, p, winding[0]) && wind_own(s, 1, number, p, winding[1]);
}

/* Whether a part winds around a point off the surfaces as told, along either of two ways. */
static bool winds_surely(search *s, int part, sc_vec3 p, int *winding)
{
    int again = 0;
    *winding = winding_at(s, part, p);
    s->failed |= !sc_solid_winding_again(s->x->solid[part], p, &again);
    return !s->failed && again == *winding;
}

static bool is_placed(const search *s, int part)
{
    return !s->x->solid[part]->part->used.is_identity;
}

/* In a T-junction of a placed part the ways out may slip through what rounding leaves there. So
 * the place is looked at where it is farther from the point than that is wide. */
static bool is_wide(search *s, int number, int way, sc_vec3 p)
{
    static const double steps[] = {0x1p-20, 0x1p-30}, slant = 0x1p-4;
    const sc_shift shift = shift_number(number);
    const double reach = sc_parts_reach(s->x->solid[0]->part, s->x->solid[1]->part);
    bool wide = !is_placed(s, 0) && !is_placed(s, 1);

    for (int i = 0; i < 2 && !wide && !s->failed; i++) {
        double off[3], step = (way == 0 ? reach : -reach) * steps[i];
        int a = 0, b = 0;
        for (int k = 0; k < 3; k++, step *= slant) {
            off[shift.axis[k]] = shift.sign[k] * step;
        }
        const sc_vec3 at = sc_add(p, (sc_vec3){off[0], off[1], off[2]});
        wide = winds_surely(s, 0, at, &a) && winds_surely(s, 1, at, &b) && a != 0 && b != 0 &&
               (counts_twice(a) || counts_twice(b));
    }
    return wide;
}

/* What is seen of a part by itself in each place beside a point may be true only where the other
 * part is not. A place that both cover, and one of them more than once, leaves no doubt. */
static void look_beside(search *s, sc_vec3 p)
{
    int winding[2][2];
    for (int shift = 0; shift < SHIFTS && !s->twice && wind_beside(s, shift, p, winding); shift++) {
        for (int way = 0; way < 2; way++) {
            const int a = winding[0][way], b = winding[1][way];
            if (a != 0 && b != 0 && (counts_twice(a) || counts_twice(b))) {
                s->twice |= is_wide(s, shift, way, p);
            }
        }
    }
}

/* Of a surface of the other part: whether `part` covers all that is around the point more than
 * once. Then it does so with what that surface bounds, be it too thin to be seen from there. */
static void look_all_around(search *s, int part, sc_vec3 p)
{
    int winding[2][2], times = 0;
    for (int shift = 0; shift < SHIFTS && wind_beside(s, shift, p, winding); shift++) {
        times += counts_twice(winding[part][0]) + counts_twice(winding[part][1]);
        if (times < 2 * (shift + 1)) {
            return;
        }
    }
    s->twice |= times == PLACES;
}

/* At any point. */
static void look_at(search *s, sc_vec3 p)
{
    const int a = winding_at(s, 0, p), b = a != 0 ? winding_at(s, 1, p) : 0;
    if (a != 0 && b != 0 && (a != 1 || b != 1)) {
        look_beside(s, p);
    }
}

/* ---- where edges say so ------------------------------------------------------- */

/* Points that may be of a place that is covered twice: a wall of one that is only touched can have
 * very many, and each takes 48 ways out of a part. With more it is believed. */
enum { MOST_DOUBTED = 500 };

/* At a point of the surface of a part that by the shift of this pair lies in the other one more
 * than once. */
static void look_at_doubtful(search *s, int part, sc_vec3 p)
{
    if (s->doubted++ == MOST_DOUBTED) {
        s->twice = true;
    }
    look_beside(s, p);
    if (!s->twice) {
        look_all_around(s, 1 - part, p);
    }
}

static sc_vec3 between(const sc_windings *in, const sc_crossed_edge *e, double t)
{
    const sc_vec3 low = in->points[e->low];
    return sc_add(low, sc_scale(sc_sub(in->points[e->high], low), t));
}

/* In the middle of each stretch between two crossings. */
static void look_along_edge(search *s, int part, uint32_t from, uint32_t to)
{
    const sc_crossing *crossings = s->x->crossings;
    const sc_crossed_edge e = sc_crossings_of_edge(s->x, part, from, to);
    int winding = e.winding;

    for (size_t i = e.first; i < e.last && !s->twice; i++) {
        const double t = crossings[i].t, until = i + 1 < e.last ? crossings[i + 1].t : 1.0;
        winding += crossings[i].enters;
        if (counts_twice(winding) && until > t) {
            look_at_doubtful(s, part, between(&s->x->windings[part], &e, 0.5 * (t + until)));
        }
    }
}

static void look_where_edges_say_so(search *s, int part)
{
    const sc_windings *in = &s->x->windings[part];

    for (size_t i = 0; i < in->patch_count; i++) {
        s->twice |= counts_twice(in->patches[i].winding); /* far from the other surface */
    }
    for (size_t i = 0; i < in->vertices && !s->twice && !s->failed; i++) {
        if (counts_twice(in->winding[i])) {
            look_at_doubtful(s, part, in->points[i]);
        }
    }
    for (size_t i = 0; i < in->crossed && !s->twice && !s->failed; i++) {
        for (int k = 0; k < 3; k++) {
            look_along_edge(s, part, in->facets[i].vertex[k], in->facets[i].vertex[(k + 1) % 3]);
        }
    }
}

/* ---- on the surfaces --------------------------------------------------------- */

/* At a vertex of a part: as if moved off its own surface, either way. On one of them it is inside;
 * more than once where the surface is there twice, or in another shell. Each in another
 * direction. */
static void look_at_own(search *s, int part, sc_vec3 p)
{
    int winding[2];
    if (wind_own(s, part, s->own++ % SHIFTS, p, winding) &&
        (counts_twice(winding[0]) || counts_twice(winding[1]))) {
        look_beside(s, p);
    }
}

/* A vertex on the surface of a part inside the other one: of facets that cross it, then of
 * others. */
static bool is_inside(const sc_windings *in, size_t i, sc_vec3 *p)
{
    sc_vec3 v[3];
    if (i < in->vertices) {
        *p = in->points[i];
        return in->winding[i] != 0;
    }
    sc_solid_facet(in->own, in->patch_facets[i - in->vertices], v);
    *p = v[0];
    return true;
}

/* Of those in the box some, from all over the list: steps of the golden section leave no large part
 * of it out, wherever they end. */
static void look_at_surface(search *s, int part, const sc_box *box, size_t points)
{
    static const uint32_t golden = 2654435769; /* of 2^32 */
    const sc_windings *in = &s->x->windings[part];
    const size_t end = in->vertices + in->patch_facet_count;
    const size_t tries = end < MOST_ASKED ? end : MOST_ASKED;
    uint32_t place = 0;
    sc_vec3 p;

    for (size_t i = 0; i < tries && points > 0 && !s->twice; i++, place += golden) {
        const size_t at = (size_t)(0x1p-32 * place * (double)end);
        if (is_inside(in, at, &p) && sc_box_holds(box, p)) {
            look_at_own(s, part, p);
            points--;
        }
    }
}

/* ---- where regions may overlap ------------------------------------------------- */

/* In the middle, and half way from there to the corners. */
static void look_into(search *s, const sc_box *box)
{
    for (int i = -1; i < 8 && !s->twice; i++) {
        double at[3];
        for (int k = 0; k < 3; k++) {
            double share = i < 0 ? 0.5 : i >> k & 1 ? 0.75 : 0.25;
            at[k] = box->low[k] + share * (box->high[k] - box->low[k]);
        }
        look_at(s, (sc_vec3){at[0], at[1], at[2]});
    }
}

/* Each of the larger regions by itself, and with the one whose box it shares the most of. */
static void look_at_regions(search *s, const sc_overlap *overlap)
{
    enum { REGIONS = 16, VERTICES = 4 };
    const size_t count = overlap->region_count < REGIONS ? overlap->region_count : REGIONS;

    for (size_t i = 0; i < count && !s->twice; i++) {
        const sc_box *own = &overlap->regions[i].bounds;
        sc_box best = sc_box_empty();
        double most = 0.0;
        look_into(s, own);
        for (size_t k = i + 1; k < overlap->region_count; k++) {
            sc_box common = sc_boxes_common(own, &overlap->regions[k].bounds);
            double volume = sc_box_volume(&common);
            if (volume > most) {
                most = volume;
                best = common;
            }
        }
        if (most > 0.0) {
            look_into(s, &best);
            look_at_surface(s, 0, &best, VERTICES);
            look_at_surface(s, 1, &best, VERTICES);
        }
    }
}

/* ---- piece by piece --------------------------------------------------------------- */

/* Along a piece of the surface of a part the winding number of that part is the same on either
 * side, but where another piece meets it. So it is asked for once a piece, and where they meet. */

/* Places where facets meet and nothing is told, as of bodies that stand wall to wall. */
enum { MOST_MEETINGS = 1 << 14 };

typedef struct pieces {
    search *s;
    int part;
    const sc_members *m;
    double least;   /* shorter steps may be lost in rounding */
    uint64_t *seen; /* [MOST_MEETINGS * 2] a hash table of those places; 0: empty */
    int meetings;
} pieces;

/* Where the part is seen to cover a point off the surfaces more than once, and the other one to
 * cover it: by two ways out, for one may slip through a crack. */
static void look_surely_at(pieces *p, sc_vec3 at)
{
    search *s = p->s;
    const int own = winding_at(s, p->part, at);
    if (!counts_twice(own) || winding_at(s, 1 - p->part, at) == 0) {
        return;
    }
    int again = 0;
    s->failed |= !sc_solid_winding_again(s->x->solid[p->part], at, &again);
    if (!s->failed && again == own) {
        look_beside(s, at);
    }
}

/* On either side of a point, at small distances of the order of `size`. */
static void look_both_ways(pieces *p, sc_vec3 at, sc_vec3 way, double size)
{
    const double length = sc_length(way);
    for (int i = 0; i < 2 && length > 0.0 && !p->s->twice; i++) {
        const double step = sc_fmax(size * (i == 0 ? 0x1p-7 : 0x1p-22), p->least);
        look_surely_at(p, sc_add(at, sc_scale(way, step / length)));
        look_surely_at(p, sc_sub(at, sc_scale(way, step / length)));
    }
}

/* The height of a facet over its longest side, and its unit normal; 0: too flat for one. */
static double facet_height(const sc_vec3 v[3], sc_vec3 *normal)
{
    double error;
    const sc_vec3 twice = sc_facet_normal(v, &error);
    const double area = sc_length(twice);
    *normal = area > 0.0 ? sc_scale(twice, 1.0 / area) : twice;
    return area > error ? area / sc_triangle_longest_side(v) : 0.0;
}

/* At a facet: in its middle, where that lies inside the other part. Where no other piece is near,
 * what is just inside tells. */
static bool look_at_middle(pieces *p, uint32_t member, bool alone)
{
    sc_vec3 v[3], normal;
    sc_solid_facet(p->s->x->solid[p->part], p->m->facet[member], v);
    const double height = facet_height(v, &normal);
    const sc_vec3 middle = sc_triangle_middle(v);
    if (height == 0.0 || winding_at(p->s, 1 - p->part, middle) == 0) {
        return false;
    }
    if (alone) {
        look_surely_at(p, sc_sub(middle, sc_scale(normal, 0x1p-7 * height)));
    } else {
        look_both_ways(p, middle, normal, height);
    }
    return true;
}

static uint64_t key_of(sc_vec3 v)
{
    return sc_windings_hash((sc_vec3){fabs(v.x), fabs(v.y), fabs(v.z)});
}

/* Whether facets with these normals met here before; facets of walls that stand side by side meet
 * in the same edge again and again. */
static bool was_seen(pieces *p, sc_vec3 at, const sc_vec3 normal[2])
{
    const uint64_t key =
        sc_hash_add(sc_windings_hash(at), key_of(normal[0]) + key_of(normal[1])) | 1;
    size_t slot = (size_t)(key >> 20) % (2 * MOST_MEETINGS);
    while (p->seen[slot] != 0 && p->seen[slot] != key) {
        slot = (slot + 1) % (2 * MOST_MEETINGS);
    }
    const bool seen = p->seen[slot] == key;
    p->seen[slot] = key;
    p->meetings += !seen;
    return seen;
}

/* Where facets of a part meet in a line, as a piece passes into what another one covers: between
 * each way of the one and each of the other. */
static bool look_at_meeting(void *context, uint32_t a, uint32_t b)
{
    pieces *p = context;
    search *s = p->s;
    const sc_solid *own = s->x->solid[p->part];
    sc_vec3 v[3], w[3], normal[2];
    sc_solid_facet(own, p->m->facet[a], v);
    sc_solid_facet(own, p->m->facet[b], w);
    const double height = sc_fmin(facet_height(v, &normal[0]), facet_height(w, &normal[1]));
    const sc_common common = sc_tri_common(v, w);

    if (common.count != 2 || height == 0.0) {
        return true; /* in a point, or flush: others meet about there */
    }
    const sc_vec3 along = sc_sub(common.points[1], common.points[0]);
    static const double places[] = {0.5, 0x1p-5, 1.0 - 0x1p-5};
    for (int i = 0; i < 3 && !s->failed; i++) {
        const sc_vec3 at = sc_add(common.points[0], sc_scale(along, places[i]));
        if (i == 0 && was_seen(p, at, normal)) {
            break;
        }
        if (winding_at(s, 1 - p->part, at) != 0) {
            const double size = sc_fmin(height, sc_length(along));
            look_both_ways(p, at, sc_add(normal[0], normal[1]), size);
            look_both_ways(p, at, sc_sub(normal[0], normal[1]), size);
            break;
        }
    }
    return !s->twice && !s->failed && p->meetings < MOST_MEETINGS;
}

/* Some facets of each piece, those that lie inside the other part first. Where nothing else is near
 * it one will do. */
static void look_at_each(pieces *p, uint8_t *tries)
{
    enum { MOST = 24, ENOUGH = 3 };
    const sc_members *m = p->m;
    for (uint32_t i = m->count; i-- > 0 && !p->s->twice && !p->s->failed;) {
        const uint32_t piece = m->root[i];
        if (piece != SC_NO_INDEX && tries[piece] < MOST) {
            const bool alone = sc_box_is_empty(&m->common[piece]);
            const int step = !look_at_middle(p, i, alone) ? 1 : alone ? MOST : MOST / ENOUGH;
            tries[piece] = (uint8_t)(tries[piece] + step);
        }
        p->s->failed |= sc_watch_ends(p->s->x->solid[p->part]->watch, i);
    }
}

static void look_at_pieces(search *s, int part)
{
    const sc_windings *w = &s->x->windings[part];
    sc_members m = {.count = 0};
    pieces p = {.s = s,
                .part = part,
                .m = &m,
                .least = sc_box_reach(&w->own->part->used_bounds) * SC_SURFACE_MARGIN};

    if (s->x->apart[part] || w->own->one_shell) {
        return;
    }
    s->failed |= !sc_members_list(w, &m) || !sc_members_join(w, &m) || !sc_members_number(w, &m);
    if (!s->failed) {
        uint8_t *tries = sc_calloc((size_t)m.pieces + 1, sizeof *tries);
        s->failed |= tries == NULL;
        if (tries) {
            look_at_each(&p, tries);
        }
        sc_free(tries);
    }
    if (!s->failed && !s->twice && !m.apart) {
        p.seen = sc_calloc(2 * MOST_MEETINGS, sizeof *p.seen);
        s->failed |= !p.seen || !sc_entangled_find(w, &m, look_at_meeting, &p);
        sc_free(p.seen);
    }
    sc_members_free(&m);
}

bool sc_overlap_look_twice(const sc_crossings *crossings, const sc_overlap *overlap, bool perhaps,
                           bool *twice)
{
    enum { VERTICES = 48 };
    search s = {.x = crossings, .twice = perhaps && crossings->proper};
    for (int part = 0; part < 2 && perhaps && !s.twice; part++) {
        look_where_edges_say_so(&s, part);
    }
    for (int part = 0; part < 2 && !s.twice; part++) {
        look_at_surface(&s, part, &overlap->common, VERTICES);
    }
    if (!s.twice) {
        look_at_regions(&s, overlap);
    }
    for (int part = 0; part < 2 && !s.twice && !s.failed; part++) {
        look_at_pieces(&s, part);
    }
    *twice = s.twice;
    return !s.failed;
}
