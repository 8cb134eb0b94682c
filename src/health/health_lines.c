/* health_lines.c - see health_lines.h. */
#include "health_lines.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "geom/modular.h"
#include "health_scan.h"

#include <stdlib.h>

/* ---- lines ----------------------------------------------------------------------
 *
 * They are told apart by a key computed from their edges in a field where floats and
 * their quotients are exact (geom/modular.h). */

/* An edge on its line, seen along the first axis on which its ends differ. */
typedef struct span {
    uint64_t key;         /* equal on equal lines */
    sc_invertible length; /* leading component of the edge in the field of keys, then its inverse;
                             0 where the prime divides each: such a line may get two keys */
    uint32_t edge;
    float from, to; /* from < to */
    int way;        /* 1 where the edge's low vertex is at `from`, else -1 */
    int net;        /* uses from `from` to `to`, less those back */
    bool starts;    /* the first on its line */
} span;

/* The edge from its low vertex to its high one, and the former. */
static sc_residue3 along_edge(const sc_edges *edges, const sc_field *f, uint32_t index,
                              sc_residue3 *low)
{
    const sc_edge *edge = &edges->edge[index];
    *low = sc_field_from3(f, sc_health_vertex(edges->vertex[edge->low]));
    sc_residue3 high = sc_field_from3(f, sc_health_vertex(edges->vertex[edge->high]));
    return sc_field_subtract3(f, high, *low);
}

static span span_of(const sc_edges *edges, const sc_field *f, uint32_t index)
{
    const sc_edge *edge = &edges->edge[index];
    const float *u = edges->vertex[edge->low], *v = edges->vertex[edge->high];
    span s = {.edge = index};
    sc_residue3 low;
    int axis = 0;

    while (axis < 2 && u[axis] == v[axis]) {
        axis++;
    }
    bool up = u[axis] < v[axis];
    s.from = up ? u[axis] : v[axis];
    s.to = up ? v[axis] : u[axis];
    s.way = up ? 1 : -1;
    s.net = s.way * edge->net;
    s.length.number = sc_residue_leading(along_edge(edges, f, index, &low));
    return s;
}

static uint64_t key_of(const sc_edges *edges, const sc_field *f, const span *s)
{
    sc_residue3 low, along = along_edge(edges, f, s->edge, &low);
    return sc_field_line_key(f, low, along, s->length.number);
}

static int by_key(const void *a, const void *b)
{
    const span *s = a, *t = b;
    return s->key != t->key ? (s->key < t->key ? -1 : 1)
                            : (s->edge > t->edge) - (s->edge < t->edge);
}

/* All edges that do not balance. */
static void find_spans(const sc_edges *edges, span *spans, size_t count)
{
    const sc_field field = sc_field_fixed();

    for (uint32_t i = 0, filled = 0; i < edges->count; i++) {
        if (edges->edge[i].net != 0) {
            spans[filled++] = span_of(edges, &field, i);
        }
    }
    sc_field_invert(&field, &spans[0].length, sizeof spans[0], count);
    for (size_t i = 0; i < count; i++) {
        spans[i].key = key_of(edges, &field, &spans[i]);
    }
    qsort(spans, count, sizeof spans[0], by_key);
}

static bool collinear(const sc_edges *edges, uint32_t first, uint32_t second)
{
    const sc_edge *e = &edges->edge[first], *f = &edges->edge[second];
    sc_vec3 a = sc_health_vertex(edges->vertex[e->low]);
    sc_vec3 b = sc_health_vertex(edges->vertex[e->high]);
    return sc_projection_axis(a, b, sc_health_vertex(edges->vertex[f->low])) < 0 &&
           sc_projection_axis(a, b, sc_health_vertex(edges->vertex[f->high])) < 0;
}

static int by_place(const void *a, const void *b)
{
    const span *s = a, *t = b;
    return s->from != t->from ? (s->from < t->from ? -1 : 1)
                              : (s->edge > t->edge) - (s->edge < t->edge);
}

/* ---- sums along one line --------------------------------------------------------- */

typedef struct event {
    float at;
    int64_t level;  /* first the change at `at`, then the sum from there to the next */
    size_t next[4]; /* first event from here on after which the sum is of kind 0..3 */
} event;

/* 0 odd, 1 even; + 2 for negative ones; 4: none */
static int kind_of(int64_t level)
{
    return level == 0 ? 4 : (level % 2 == 0 ? 1 : 0) + (level < 0 ? 2 : 0);
}

static int by_at(const void *a, const void *b)
{
    const event *e = a, *f = b;
    return (e->at > f->at) - (e->at < f->at);
}

static bool is_before(const void *one, const void *at)
{
    return ((const event *)one)->at < *(const float *)at;
}

static size_t event_at(const event *events, size_t count, float at)
{
    return sc_lower_bound(events, count, sizeof *events, is_before, &at);
}

/* The places where the sum may change, in order, each once, with the sum after it. */
static size_t sum_events(const span *spans, size_t count, event *events)
{
    size_t n = 0;
    int64_t level = 0;

    for (size_t i = 0; i < count; i++) {
        events[2 * i] = (event){spans[i].from, spans[i].net, {0}};
        events[2 * i + 1] = (event){spans[i].to, -spans[i].net, {0}};
    }
    qsort(events, 2 * count, sizeof events[0], by_at);
    for (size_t i = 0; i < 2 * count; i++) {
        level += events[i].level;
        if (n == 0 || events[n - 1].at < events[i].at) {
            events[n++].at = events[i].at;
        }
        events[n - 1].level = level;
    }
    for (size_t i = n; i-- > 0;) {
        for (int k = 0; k < 4; k++) {
            events[i].next[k] = i + 1 < n ? events[i + 1].next[k] : n;
        }
        int kind = kind_of(events[i].level);
        if (kind < 4) {
            events[i].next[kind] = i;
        }
    }
    return n;
}

static void count_edge(const sc_edges *edges, const span *s, sc_count *c)
{
    const sc_edge *edge = &edges->edge[s->edge];
    uint32_t facet = sc_edge_first_facet(edges, edge, edge->net > 0 ? 1 : -1);
    c->first = c->count == 0 || facet < c->first ? facet : c->first;
    c->count++;
}

/* All edges on one line; sorts them. events: room for 2 * count. */
static void sum_line(const sc_edges *edges, span *spans, size_t count, event *events,
                     sc_lines *lines)
{
    size_t n = sum_events(spans, count, events);

    qsort(spans, count, sizeof spans[0], by_place);
    for (size_t i = 0; i < count; i++) {
        /* An edge is at fault where too many run its way. */
        const event *from = &events[event_at(events, n, spans[i].from)];
        size_t to = event_at(events, n, spans[i].to);
        int way = spans[i].net < 0 ? 2 : 0;
        spans[i].starts = i == 0;
        if (from->next[way] < to) {
            count_edge(edges, &spans[i], &lines->open);
        } else if (from->next[way + 1] < to) {
            count_edge(edges, &spans[i], &lines->mixed);
        } else {
            count_edge(edges, &spans[i], &lines->joined);
        }
    }
}

/* ---- pieces ------------------------------------------------------------------------ */

/* Room for `more` members and two pieces more. */
static bool pieces_grow(sc_lines *lines, size_t more)
{
    return sc_make_room(&lines->member, &lines->capacity[0], lines->members + more,
                        sizeof lines->member[0]) &&
           sc_make_room(&lines->piece, &lines->capacity[1], lines->pieces + 2,
                        sizeof lines->piece[0]);
}

static bool add_piece(sc_lines *lines, const span *spans, const size_t *chosen, size_t count,
                      bool whole)
{
    if (!pieces_grow(lines, count)) {
        return false;
    }
    lines->piece[lines->pieces++] = (sc_line_piece){lines->members, whole};
    for (size_t i = 0; i < count; i++) {
        const span *s = &spans[chosen ? chosen[i] : i];
        lines->member[lines->members++] = (sc_line_member){s->edge, s->way};
    }
    lines->piece[lines->pieces] = (sc_line_piece){lines->members, false};
    return true;
}

/* The spans of one line, sorted; active: room for count. */
static bool cut_line(const span *spans, size_t count, event *events, size_t *active,
                     sc_lines *lines)
{
    size_t n = sum_events(spans, count, events), actives = 0, next = 0, members = lines->members;

    for (size_t i = 0; i + 1 < n; i++) {
        size_t kept = 0;
        for (size_t k = 0; k < actives; k++) {
            if (spans[active[k]].to > events[i].at) {
                active[kept++] = active[k];
            }
        }
        for (actives = kept; next < count && spans[next].from <= events[i].at; next++) {
            active[actives++] = next;
        }
        if (lines->members - members > 16 * count + 64) {
            return add_piece(lines, spans, NULL, count, true);
        }
        if (actives > 0 && !add_piece(lines, spans, active, actives, false)) {
            return false;
        }
    }
    return true;
}

/* ---- the whole ----------------------------------------------------------------------- */

/* Those with the first one's line to the front; they are all, but for a chance of
 * 2^-60 at each pair. */
static size_t gather_line(const sc_edges *edges, span *spans, size_t count)
{
    size_t n = 1;
    for (size_t i = 1; i < count; i++) {
        if (collinear(edges, spans[0].edge, spans[i].edge)) {
            span swap = spans[n];
            spans[n++] = spans[i];
            spans[i] = swap;
        }
    }
    return n;
}

bool sc_lines_find(const sc_edges *edges, sc_lines *lines)
{
    size_t count = 0;

    *lines = (sc_lines){.pieces = 0};
    for (uint32_t i = 0; i < edges->count; i++) {
        count += edges->edge[i].net != 0;
    }
    span *spans = sc_alloc(count, sizeof spans[0]);
    event *events = sc_alloc(count, 2 * sizeof events[0]);
    size_t *active = sc_alloc(count, sizeof active[0]);
    bool ok = spans && events && active;
    if (ok) {
        find_spans(edges, spans, count);
    }
    for (size_t i = 0, n; i < count && ok; i += n) {
        for (n = 1; i + n < count && spans[i + n].key == spans[i].key;) {
            n++;
        }
        n = gather_line(edges, spans + i, n);
        sum_line(edges, spans + i, n, events, lines);
    }
    bool closed = lines->open.count + lines->mixed.count == 0;
    for (size_t i = 0, n; i < count && ok && closed; i += n) {
        for (n = 1; i + n < count && !spans[i + n].starts;) {
            n++;
        }
        ok = cut_line(spans + i, n, events, active, lines);
    }
    sc_free(spans);
    sc_free(events);
    sc_free(active);
    if (!ok) {
        sc_lines_free(lines);
    }
    return ok;
}

void sc_lines_free(sc_lines *lines)
{
    sc_free(lines->member);
    sc_free(lines->piece);
    *lines = (sc_lines){.pieces = 0};
}
