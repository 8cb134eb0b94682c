/* cracks.c - see cracks.h.
 *
 * A long edge and the shorter ones that run back beside it bound a fan of slivers. Seen from
 * farther away than d its solid angle is at most its area / d^2, and fans close the cracks:
 * what all of them amount to is small at a distance that their area tells. The border alone
 * does not tell that, for the pull of two edges beside each other is the sum of theirs. */
#include "cracks.h"

#include "base/alloc.h"
#include "crossings.h"
#include "geom/tri_distance.h"
#include "surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So much of the winding number may be that of cracks. */
static const double slack = 1.0 / 16.0;

/* No point of a crack lies farther from the line of its longest edge, in lengths of that. */
static const double widest = 1.0 / 256.0;

enum {
    MOST_EDGES = 64,   /* around a crack */
    MOST_AROUND = 2048 /* of those that start at one point are looked at */
};

typedef struct crack {
    size_t first, count; /* edges[order[first]] and so on */
    sc_vec3 from, to;    /* all of it lies within `width` of the way between these */
    double width, area;
} crack;

typedef struct search {
    sc_rim_edge *edges; /* [count] each once, by where they start */
    size_t count;
    bool *taken;   /* [count] it belongs to a crack, or was found to be the longest of none */
    size_t *order; /* [count] those of the cracks, one crack after the other */
    size_t ordered;
    crack *cracks;
    size_t crack_count;
    const sc_cracks_request *request;
    bool given_up;
} search;

static bool may_go_on(search *s, size_t step)
{
    const sc_cracks_request *r = s->request;
    s->given_up = s->given_up || (step % 256 == 0 && r->poll && !r->poll(r->poll_context));
    return !s->given_up;
}

/* ---- the edges ------------------------------------------------------------- */

static int compare_points(sc_vec3 a, sc_vec3 b)
{
    return sc_vertex_before(a, b) ? -1 : sc_vertex_before(b, a);
}

static int by_start(const void *a, const void *b)
{
    const sc_rim_edge *s = a, *t = b;
    int order = compare_points(s->from, t->from);
    return order != 0 ? order : compare_points(s->to, t->to);
}

static double length_of(const sc_rim_edge *e)
{
    return sc_length(sc_sub(e->to, e->from));
}

/* An edge by its length. */
typedef struct measured {
    double length;
    size_t edge;
} measured;

static int longest_first(const void *a, const void *b)
{
    const measured *s = a, *t = b;
    if (s->length != t->length) {
        return s->length > t->length ? -1 : 1;
    }
    return (s->edge > t->edge) - (s->edge < t->edge);
}

static bool list_edges(const sc_rim *rim, search *s)
{
    size_t count = 0;

    for (size_t i = 0; i < rim->count; i++) {
        count += (size_t)abs(rim->edges[i].times);
    }
    s->edges = sc_alloc(count, sizeof *s->edges);
    s->taken = sc_calloc(count, sizeof *s->taken);
    s->order = sc_alloc(count, sizeof *s->order);
    s->cracks = sc_alloc(count, sizeof *s->cracks);
    if (!s->edges || !s->taken || !s->order || !s->cracks) {
        return false;
    }
    for (size_t i = 0; i < rim->count; i++) {
        const sc_rim_edge *e = &rim->edges[i];
        const sc_rim_edge one =
            e->times > 0 ? (sc_rim_edge){e->from, e->to, 1} : (sc_rim_edge){e->to, e->from, 1};
        for (int32_t n = 0; n < abs(e->times); n++) {
            s->edges[s->count++] = one;
        }
    }
    qsort(s->edges, s->count, sizeof *s->edges, by_start);
    return true;
}

/* The first edge that starts at p or behind it. */
static size_t first_from(const search *s, sc_vec3 p)
{
    size_t low = 0, high = s->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sc_vertex_before(s->edges[middle].from, p)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- cracks ---------------------------------------------------------------- */

static double off_line(const sc_rim_edge *line, double length, sc_vec3 p)
{
    sc_vec3 along = sc_scale(sc_sub(line->to, line->from), 1.0 / length);
    return sc_length(sc_cross(along, sc_sub(p, line->from)));
}

/* The edge from p that keeps to the line of the longest one and leads nearest to its start;
 * s->count: none. */
static size_t next_edge(const search *s, const sc_rim_edge *longest, double length, sc_vec3 p)
{
    size_t best = s->count;
    const size_t first = first_from(s, p);
    double least = INFINITY;

    for (size_t i = first; i < s->count && i < first + MOST_AROUND; i++) {
        if (!sc_same(s->edges[i].from, p)) {
            break;
        }
        double left = sc_length(sc_sub(s->edges[i].to, longest->from));
        if (!s->taken[i] && left < least &&
            off_line(longest, length, s->edges[i].to) <= widest * length) {
            best = i;
            least = left;
        }
    }
    return best;
}

/* Adds up what lies between the crack's edges, by the fan around its first point. */
static void measure(const search *s, crack *c)
{
    const sc_rim_edge *longest = &s->edges[s->order[c->first]];
    const double length = length_of(longest);
    sc_vec3 along = sc_scale(sc_sub(longest->to, longest->from), 1.0 / length);
    double low = 0.0, high = length;

    c->width = c->area = 0x1p-40 * length; /* with room for what is rounded */
    c->area *= length;
    for (size_t i = 1; i < c->count; i++) {
        const sc_rim_edge *e = &s->edges[s->order[c->first + i]];
        sc_vec3 a = sc_sub(e->from, longest->from), b = sc_sub(e->to, longest->from);
        c->area += 0.5 * sc_length(sc_cross(a, b));
        c->width = fmax(c->width, 1.001 * sc_length(sc_cross(along, a)));
        low = fmin(low, sc_dot(along, a));
        high = fmax(high, sc_dot(along, a));
    }
    c->from = sc_mul_add(longest->from, low, along);
    c->to = sc_mul_add(longest->from, high, along);
}

/* A crack of which this edge is the longest, if the edges that are left close one. */
static void find_crack(search *s, size_t edge)
{
    const sc_rim_edge *longest = &s->edges[edge];
    const double length = length_of(longest);
    crack c = {.first = s->ordered};
    size_t next = edge;

    while (next < s->count && c.count < MOST_EDGES) {
        s->taken[next] = true;
        s->order[c.first + c.count++] = next;
        if (sc_same(s->edges[next].to, longest->from)) {
            s->ordered += c.count;
            measure(s, &c);
            s->cracks[s->crack_count++] = c;
            return;
        }
        next = next_edge(s, longest, length, s->edges[next].to);
    }
    for (size_t i = 1; i < c.count; i++) {
        s->taken[s->order[c.first + i]] = false; /* another may be the longest with these */
    }
}

/* The longest edges first: the others of a crack are no longer. */
static bool find_cracks(search *s)
{
    measured *longest = sc_alloc(s->count, sizeof *longest);

    for (size_t i = 0; i < s->count && longest; i++) {
        longest[i] = (measured){length_of(&s->edges[i]), i};
    }
    if (longest) {
        qsort(longest, s->count, sizeof *longest, longest_first);
    }
    for (size_t i = 0; longest && i < s->count && may_go_on(s, i); i++) {
        if (!s->taken[longest[i].edge] && longest[i].length > 0.0) {
            find_crack(s, longest[i].edge);
        }
    }
    sc_free(longest);
    return longest != NULL;
}

/* ---- how far from the other part ------------------------------------------- */

/* The way between two points, and how near to it a facet may come. */
typedef struct course {
    sc_triangle way; /* from v[0] to v[1] */
    double gap;
    const bool *ignored;
} course;

/* Whether a box may come that near: by the cross products of the way with the axes. */
static bool may_come_near(void *context, const sc_box *box)
{
    const course *c = context;
    const double way[3] = {c->way.edge[0].x, c->way.edge[0].y, c->way.edge[0].z};
    const sc_vec3 moment = sc_cross(c->way.edge[0], sc_sub(sc_box_centre(box), c->way.v[0]));
    bool near = true;

    for (int k = 0; k < 3 && near; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        double reach = (0.5 * (box->high[m] - box->low[m]) + c->gap) * fabs(way[n]) +
                       (0.5 * (box->high[n] - box->low[n]) + c->gap) * fabs(way[m]);
        near = fabs(sc_component(moment, k)) <= reach;
    }
    return near;
}

/* Of a facet that the way passes through only the edges count: along them winding numbers are
 * followed. */
static bool stays_away(void *context, uint32_t facet, const sc_vec3 v[3])
{
    const course *c = context;
    sc_triangle t;

    sc_triangle_set(&t, v);
    return c->ignored[facet] || sc_segment_closest(&c->way, &t).distance_sq > c->gap * c->gap;
}

/* Whether no edge of the other part comes as near to the crack as that. */
static bool lies_apart(sc_surface *other, const bool *ignored, const crack *k, double gap)
{
    const sc_vec3 ends[3] = {k->from, k->to, sc_scale(sc_add(k->from, k->to), 0.5)};
    const sc_box box = sc_box_of_points(ends, 2);
    course c = {.gap = gap, .ignored = ignored};
    const sc_walk walk = {.within = sc_box_grown(&box, gap),
                          .enter = may_come_near,
                          .facet = stays_away,
                          .context = &c};

    sc_triangle_set(&c.way, ends);
    return sc_surface_walk(other, &walk);
}

/* Where all cracks together amount to no more than the slack. */
static double least_distance(const search *s)
{
    static const double whole = 4.0 * 3.14159265358979323846;
    double area = 0.0;

    for (size_t i = 0; i < s->crack_count; i++) {
        area += s->cracks[i].area;
    }
    return sqrt(area / (whole * slack));
}

/* Leaves `taken` with the edges of the cracks that are far from the other part. */
static bool take_far_cracks(search *s)
{
    sc_solid *other = s->request->other;
    const double least = least_distance(s);
    const double rounded = SC_SURFACE_MARGIN * sc_box_reach(&other->part->used_bounds);
    sc_surface surface = {.solid = other, .margin = rounded};

    memset(s->taken, 0, s->count * sizeof *s->taken);
    for (size_t i = 0; i < s->crack_count && !surface.failed && may_go_on(s, i); i++) {
        const crack *c = &s->cracks[i];
        double gap = 1.001 * (least + c->width) + 8.0 * rounded;
        if (lies_apart(&surface, s->request->ignored, c, gap)) {
            for (size_t k = 0; k < c->count; k++) {
                s->taken[s->order[c->first + k]] = true;
            }
        }
    }
    return !surface.failed;
}

static void keep_rest(search *s, sc_rim *rim)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (!s->taken[i]) {
            s->edges[kept++] = s->edges[i];
        }
    }
    rim->slack = kept < s->count ? slack : 0.0;
    sc_free(rim->edges);
    rim->edges = s->edges;
    rim->count = kept;
    s->edges = NULL;
}

bool sc_cracks_close(const sc_cracks_request *request, sc_rim *rim)
{
    search s = {.request = request};
    bool good = rim->count == 0 || (list_edges(rim, &s) && find_cracks(&s));

    if (good && s.crack_count > 0) {
        good = take_far_cracks(&s);
        if (good && !s.given_up) {
            keep_rest(&s, rim);
        }
    }
    sc_free(s.edges);
    sc_free(s.taken);
    sc_free(s.order);
    sc_free(s.cracks);
    return good;
}
