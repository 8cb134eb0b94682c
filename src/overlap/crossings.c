/* crossings.c - see crossings.h. */
#include "crossings.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/sort.h"
#include "crossing_order.h"
#include "geom/orient.h"
#include "geom/sos.h"
#include "pair.h"

#include <string.h>

/* ---- the crossings of each pair of facets ---------------------------------- */

/* What the hits of one stretch give. Stretches are dealt with by any thread, and put
 * together in their order: the result is that of one thread. */
typedef struct stretch {
    sc_crossing *crossings;
    size_t crossing_count, crossing_capacity;
    sc_segment *segments; /* their crossings are numbered within the stretch */
    size_t segment_count, segment_capacity;
    bool failed; /* memory ran out, or time */
} stretch;

enum { STRETCHES = 64 };

/* Each crossing is found from both facets at its edge, mostly one soon after the other: it is
 * worked out and kept once, as long as it is among the latest ones of a stretch. */
enum { LATEST = 1024 };
typedef struct latest {
    uint32_t number[LATEST]; /* in the stretch, by hash; what it does not have: none */
} latest;

typedef struct finding {
    sc_crossings *w;
    const uint64_t *hits;
    size_t hit_count;
    stretch stretches[STRETCHES];
    atomic_bool failed;
} finding;

static bool add_segment(stretch *s, const sc_segment *segment)
{
    if (!sc_make_room(&s->segments, &s->segment_capacity, s->segment_count + 1,
                      sizeof *s->segments)) {
        return false;
    }
    s->segments[s->segment_count++] = *segment;
    return true;
}

/* Two facets that meet, of A and of B. */
typedef struct facet_pair {
    uint32_t facet[2];
    sc_vec3 v[2][3];
    sc_active *active[2];
} facet_pair;

/* Works out where an edge crosses the plane of a facet. */
static void place_crossing(const sc_crossings *w, const sc_vec3 plane[3], sc_vec3 low, sc_vec3 high,
                           sc_crossing *c)
{
    sc_vec3 near_low = sc_sub(low, w->origin), near_high = sc_sub(high, w->origin);
    double from = sc_orient3d_value(plane[0], plane[1], plane[2], low);
    double to = sc_orient3d_value(plane[0], plane[1], plane[2], high);
    double t = from == to ? 0.0 : from / (from - to);
    c->t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    c->point = c->t <= 0.5
                   ? sc_mul_add(near_low, c->t, sc_sub(high, low))
                   : sc_mul_add(near_high, from == to ? 0.0 : to / (to - from), sc_sub(low, high));
}

/* Where in the table a crossing has its place. */
static uint32_t slot_of(const sc_crossing *c)
{
    const uint64_t key =
        sc_hash_add(sc_hash_add((uint64_t)c->part, c->facet), (uint64_t)c->low << 32 | c->high);
    return (uint32_t)(key % LATEST);
}

/* The number of the same one among the latest ones, or that of the next one, as which it takes its
 * place there. */
static uint32_t find_again(const stretch *s, latest *l, const sc_crossing *c)
{
    uint32_t *slot = &l->number[slot_of(c)];
    const sc_crossing *other = *slot < s->crossing_count ? &s->crossings[*slot] : NULL;
    if (!other || other->low != c->low || other->high != c->high || other->facet != c->facet ||
        other->part != c->part) {
        *slot = (uint32_t)s->crossing_count;
    }
    return *slot;
}

/* Where an edge of the facet of `part` crosses the other one: *number is that of the crossing in
 * the stretch. False if memory ran out. */
static bool add_crossing(const sc_crossings *w, stretch *to, latest *l, const facet_pair *pair,
                         int part, int edge, int enters, size_t *number)
{
    const sc_vec3 *v = pair->v[part];
    const uint32_t *vertex = pair->active[part]->vertex;
    const int next = (edge + 1) % 3;
    const bool turned = sc_vec3_before(v[next], v[edge]);
    const int low = turned ? next : edge, high = turned ? edge : next;
    sc_crossing c = {.low = vertex[low],
                     .high = vertex[high],
                     .facet = pair->facet[1 - part],
                     .part = (int8_t)part,
                     .enters = (int8_t)(turned ? -enters : enters)};
    *number = find_again(to, l, &c);
    if (*number < to->crossing_count) {
        return true;
    }
    if (!sc_make_room(&to->crossings, &to->crossing_capacity, to->crossing_count + 1,
                      sizeof *to->crossings)) {
        return false;
    }
    place_crossing(w, pair->v[1 - part], v[low], v[high], &c);
    to->crossings[to->crossing_count++] = c;
    return true;
}

/* The crossings of one pair of facets that meet: none, or one S and one E. */
static bool cross_pair(sc_crossings *w, stretch *to, latest *l, uint32_t facet_a, uint32_t facet_b)
{
    facet_pair pair = {.facet = {facet_a, facet_b}};
    sc_segment s = {{facet_a, facet_b}, SIZE_MAX, SIZE_MAX};
    int entering[2][3];

    for (int part = 0; part < 2; part++) {
        pair.active[part] = sc_windings_crossed(&w->windings[part], pair.facet[part]);
        sc_solid_facet(w->solid[part], pair.facet[part], pair.v[part]);
    }
    sc_sos_facets(pair.v[0], pair.v[1], &w->solid[0]->shift, entering[0], entering[1]);
    for (int i = 0; i < 3; i++) {
        for (int part = 0; part < 2; part++) {
            const sc_windings *in = &w->windings[part];
            const int enters = entering[part][i];
            if (enters == 0) {
                continue;
            }
            /* Other pairs with this facet may be another thread's. */
            sc_changes *changes = &in->changes[pair.active[part] - in->facets];
            atomic_fetch_add_explicit(&changes->along[i], enters, memory_order_relaxed);
            size_t *place = (enters > 0) == (part == 0) ? &s.end : &s.start;
            if (!add_crossing(w, to, l, &pair, part, i, enters, place)) {
                return false;
            }
        }
    }
    return s.start == SIZE_MAX || s.end == SIZE_MAX || add_segment(to, &s);
}

static void cross_stretch(void *context, int number)
{
    finding *f = context;
    stretch *s = &f->stretches[number];
    size_t first = f->hit_count * (size_t)number / STRETCHES;
    size_t end = f->hit_count * ((size_t)number + 1) / STRETCHES;
    enum { AHEAD = 8 }; /* facets of A come in order */
    latest l;

    memset(&l, 0xff, sizeof l);
    for (size_t i = first; i < end && !s->failed; i++) {
        sc_solid_expect(f->w->solid[1], sc_pair_facet(f->hits[i + AHEAD < end ? i + AHEAD : i], 1));
        s->failed =
            sc_watch_ends(f->w->solid[0]->watch, i) ||
            !cross_pair(f->w, s, &l, sc_pair_facet(f->hits[i], 0), sc_pair_facet(f->hits[i], 1));
    }
}

/* ---- the facets they lie on -------------------------------------------------- */

/* The facets of one part that are in the hits, each once, in order; how many, or SIZE_MAX if memory
 * ran out. By sorting, where there are few; room for `count`. */
static size_t list_few(const uint64_t *hits, size_t count, int part, uint32_t *facets)
{
    uint64_t *keys = sc_alloc(2 * count, sizeof *keys);
    size_t unique = 0;

    for (size_t i = 0; i < count && keys; i++) {
        keys[i] = sc_pair_facet(hits[i], part);
    }
    if (keys && part == 1) { /* by the facets of part 0 the hits are sorted */
        sc_sort_keys(keys, keys + count, count, 0, 32);
    }
    for (size_t i = 0; i < count && keys; i++) {
        if (unique == 0 || facets[unique - 1] != keys[i]) {
            facets[unique++] = (uint32_t)keys[i];
        }
    }
    sc_free(keys);
    return keys ? unique : SIZE_MAX;
}

/* The same where each facet is in many; room for `all`, that the part has. */
static size_t list_many(const uint64_t *hits, size_t count, int part, uint32_t all,
                        uint32_t *facets)
{
    bool *met = sc_calloc(all, sizeof *met);
    size_t unique = 0;

    for (size_t i = 0; i < count && met; i++) {
        met[sc_pair_facet(hits[i], part)] = true;
    }
    for (uint32_t i = 0; i < all && met; i++) {
        if (met[i]) {
            facets[unique++] = i;
        }
    }
    sc_free(met);
    return met ? unique : SIZE_MAX;
}

static bool add_crossed_facets(sc_windings *windings, const uint64_t *hits, size_t count, int part)
{
    const uint32_t all = windings->own->part->mesh->file.facets.count;
    const bool many = count > all;
    uint32_t *facets = sc_alloc(many ? all : count, sizeof *facets);
    size_t unique = !facets ? SIZE_MAX
                    : many  ? list_many(hits, count, part, all, facets)
                            : list_few(hits, count, part, facets);
    bool good = unique != SIZE_MAX && sc_windings_add_crossed(windings, facets, unique);
    sc_free(facets);
    return good;
}

/* Makes the windings of a part, of the facets in the hits first. */
static void begin_windings(void *context, int part)
{
    finding *f = context;
    sc_windings *in = &f->w->windings[part];
    if (!sc_windings_init(in, f->w->solid[part], f->w->solid[1 - part]) ||
        !add_crossed_facets(in, f->hits, f->hit_count, part)) {
        atomic_store(&f->failed, true);
    }
}

/* The winding numbers of both parts' facets in the other. */
typedef struct winding {
    sc_crossings *crossings;
    atomic_bool failed;
} winding;

/* Facets that were looked at for their vertices and lie outside: near a surface half of them do,
 * and nothing else is asked of them. */
static bool drop_outside(sc_crossings *w, int part)
{
    sc_windings *in = &w->windings[part];
    size_t count = in->crossed;

    for (size_t i = in->crossed; i < in->count; i++) {
        const sc_active *f = &in->facets[i];
        const bool outside = in->winding[f->vertex[0]] == 0 && in->winding[f->vertex[1]] == 0 &&
                             in->winding[f->vertex[2]] == 0;
        if (!outside || !sc_crossings_spare(w, part, f)) {
            in->facets[count++] = *f;
        }
    }
    in->count = count;
    return sc_resize(&in->facets, &in->capacity, count, sizeof *in->facets);
}

static void end_windings(void *context, int part)
{
    winding *w = context;
    sc_windings *in = &w->crossings->windings[part];
    bool whole = in->crossed == 0 && in->own->one_shell;
    bool added = whole ? sc_windings_add_whole(in) : sc_windings_add_rest(in);
    if (!added || !sc_windings_solve(in, true) || !drop_outside(w->crossings, part)) {
        atomic_store(&w->failed, true);
    }
}

/* ---- in order -------------------------------------------------------------- */

/* All crossings before doubles are dropped: those on edges of part 0 first. */
typedef struct sorting {
    sc_crossings *w;
    sc_numbered_crossing *items;
    size_t count[2];
    bool failed[2];
} sorting;

/* Those with the same lower vertex stand together already. */
static void sort_part(void *context, int part)
{
    sorting *s = context;
    const size_t *from = s->w->from[part];
    sc_watch *watch = s->w->solid[0]->watch;
    for (uint32_t v = 0; v < s->w->from_count[part] && !sc_watch_ends(watch, v); v++) {
        if (from[v + 1] - from[v] > 1 &&
            !sc_crossing_sort(s->w, s->items + from[v], from[v + 1] - from[v])) {
            s->failed[part] = true;
        }
    }
}

/* Counts crossings by the lower vertex of their edge: then from[part][v] is where they end. */
static bool count_by_vertex(finding *f, sorting *s, size_t *segments)
{
    sc_crossings *w = f->w;
    for (int part = 0; part < 2; part++) {
        w->from_count[part] = (uint32_t)w->windings[part].vertices;
        w->from[part] = sc_calloc((size_t)w->from_count[part] + 1, sizeof *w->from[part]);
        if (!w->from[part]) {
            return false;
        }
    }
    for (int i = 0; i < STRETCHES; i++) {
        const stretch *from = &f->stretches[i];
        *segments += from->segment_count;
        for (size_t k = 0; k < from->crossing_count; k++) {
            w->from[from->crossings[k].part][from->crossings[k].low]++;
        }
    }
    for (int part = 0; part < 2; part++) {
        size_t end = part == 0 ? 0 : s->count[0];
        for (uint32_t v = 0; v < w->from_count[part]; v++) {
            end += w->from[part][v];
            w->from[part][v] = end;
        }
        w->from[part][w->from_count[part]] = end;
        s->count[part] = end - (part == 0 ? 0 : s->count[0]);
    }
    return true;
}

/* Numbers the crossings of all stretches through, gives their segments those numbers, and
 * empties the stretches. Crossings are put where their lower vertex has them, last first. False
 * once the time is over. */
static bool collect(finding *f, sorting *s)
{
    sc_crossings *w = f->w;
    sc_watch *watch = w->solid[0]->watch;
    size_t number = 0;

    for (int i = 0; i < STRETCHES; i++) {
        stretch *from = &f->stretches[i];
        for (size_t k = 0; k < from->segment_count; k++) {
            sc_segment segment = from->segments[k];
            segment.start += number;
            segment.end += number;
            w->segments[w->segment_count++] = segment;
        }
        for (size_t k = 0; k < from->crossing_count; k++) {
            const sc_crossing *c = &from->crossings[k];
            s->items[--w->from[c->part][c->low]] = (sc_numbered_crossing){*c, number++};
            if (sc_watch_ends(watch, k)) {
                return false;
            }
        }
        sc_free(from->crossings);
        sc_free(from->segments);
        *from = (stretch){.failed = false};
    }
    return true;
}

/* Keeps each crossing once, in the memory of the numbered ones, which take more room; and renumbers
 * the segments' ends. */
static void drop_doubles(sc_crossings *w, sc_numbered_crossing *sorted, size_t *place)
{
    w->crossings = (sc_crossing *)(void *)sorted;
    for (int part = 0; part < 2; part++) {
        for (uint32_t v = 0; v < w->from_count[part]; v++) {
            size_t first = w->from[part][v], end = w->from[part][v + 1];
            w->from[part][v] = w->crossing_count;
            for (size_t i = first; i < end; i++) {
                const sc_numbered_crossing at = sorted[i]; /* its place may be written to */
                if (i == first ||
                    sc_crossing_compare(&w->crossings[w->crossing_count - 1], &at.c) != 0) {
                    w->crossings[w->crossing_count++] = at.c;
                }
                place[at.number] = w->crossing_count - 1;
            }
        }
        w->from[part][w->from_count[part]] = w->crossing_count;
    }
    for (size_t i = 0; i < w->segment_count; i++) {
        w->segments[i].start = place[w->segments[i].start];
        w->segments[i].end = place[w->segments[i].end];
    }
}

/* From the stretches to the crossings by edge. */
static bool sort_crossings(finding *f, sc_crew *crew)
{
    sc_crossings *w = f->w;
    sorting s = {.w = w};
    size_t segments = 0;

    if (!count_by_vertex(f, &s, &segments)) {
        return false;
    }
    size_t count = s.count[0] + s.count[1];
    s.items = sc_alloc_scattered(count, sizeof *s.items);
    w->segments = sc_alloc(segments, sizeof *w->segments);
    bool good = s.items && w->segments && collect(f, &s);
    if (good) {
        sc_crew_items(crew, 2, sort_part, &s);
        good = !s.failed[0] && !s.failed[1] && !sc_watch_is_over(w->solid[0]->watch);
    }
    size_t *place = good ? sc_alloc_scattered(count, sizeof *place) : NULL;
    if (place) {
        drop_doubles(w, s.items, place);
        good = sc_resize(&w->crossings, &count, w->crossing_count, sizeof *w->crossings);
    } else {
        sc_free(s.items);
        good = false;
    }
    sc_free(place);
    return good;
}

/* The crossings of the edge between two vertices, low before high: from *first to before the
 * result. */
static size_t find_of_edge(const sc_crossings *w, int part, uint32_t low, uint32_t high,
                           size_t *first)
{
    bool known = low < w->from_count[part]; /* else the edge is of facets that do not cross */
    size_t from = known ? w->from[part][low] : 0, to = known ? w->from[part][low + 1] : 0, end = to;
    while (from < to) {
        size_t middle = (from + to) / 2;
        if (w->crossings[middle].high < high) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    *first = from;
    while (to < end && w->crossings[to].high == high) {
        to++;
    }
    return to;
}

sc_crossed_edge sc_crossings_of_edge(const sc_crossings *w, int part, uint32_t from, uint32_t to)
{
    const sc_windings *in = &w->windings[part];
    const bool turned = sc_vec3_before(in->points[to], in->points[from]);
    sc_crossed_edge e = {.low = turned ? to : from,
                         .high = turned ? from : to,
                         .sign = turned ? -1 : 1,
                         .winding = in->winding[turned ? to : from]};
    e.last = find_of_edge(w, part, e.low, e.high, &e.first);
    return e;
}

/* ---- all of it --------------------------------------------------------------- */

static bool find(finding *f, sc_crew *crew)
{
    sc_crew_items(crew, 2, begin_windings, f);
    if (f->failed || sc_watch_is_over(f->w->solid[0]->watch)) {
        return false;
    }
    sc_crew_items(crew, STRETCHES, cross_stretch, f);
    for (int i = 0; i < STRETCHES; i++) {
        if (f->stretches[i].failed) {
            return false;
        }
    }
    return sort_crossings(f, crew);
}

bool sc_crossings_find(sc_solid *solid[2], const uint64_t *hits, size_t hit_count, sc_crew *crew,
                       sc_crossings *crossings)
{
    finding f = {.w = crossings, .hits = hits, .hit_count = hit_count};
    const sc_box *a = &solid[0]->part->used_bounds, *b = &solid[1]->part->used_bounds;

    *crossings = (sc_crossings){.solid = {solid[0], solid[1]}};
    crossings->origin =
        (sc_vec3){0.5 * (sc_fmax(a->low[0], b->low[0]) + sc_fmin(a->high[0], b->high[0])),
                  0.5 * (sc_fmax(a->low[1], b->low[1]) + sc_fmin(a->high[1], b->high[1])),
                  0.5 * (sc_fmax(a->low[2], b->low[2]) + sc_fmin(a->high[2], b->high[2]))};
    bool good = find(&f, crew);
    for (int i = 0; i < STRETCHES; i++) {
        sc_free(f.stretches[i].crossings);
        sc_free(f.stretches[i].segments);
    }
    return good;
}

bool sc_crossings_wind(sc_crossings *crossings, sc_crew *crew)
{
    winding w = {.crossings = crossings};
    sc_crew_items(crew, 2, end_windings, &w);
    crossings->torn = crossings->windings[0].torn || crossings->windings[1].torn;
    return !w.failed && sc_crossings_find_places(crossings);
}

bool sc_crossings_none(const sc_crossings *crossings)
{
    return crossings->segment_count == 0 &&
           !sc_windings_range(&crossings->windings[0]).some_not_0 &&
           !sc_windings_range(&crossings->windings[1]).some_not_0;
}

void sc_crossings_free(sc_crossings *crossings)
{
    for (int part = 0; part < 2; part++) {
        sc_windings_free(&crossings->windings[part]);
        sc_free(crossings->from[part]);
    }
    sc_free(crossings->crossings);
    sc_free(crossings->segments);
    sc_free(crossings->place);
}
