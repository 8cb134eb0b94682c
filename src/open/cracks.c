/* cracks.c - see cracks.h.
 *
 * A long edge and the shorter ones that run back beside it bound slivers, which fill the crack.
 * What they amount to of the winding number is small but for next to them (fillings.h). The border
 * alone does not tell that, for the pull of two edges beside each other is the sum of theirs. */
#include "cracks.h"

#include "base/alloc.h"
#include "base/lower_bound.h"

#include <math.h>
#include <stdlib.h>

/* No point of a crack lies farther from the line of its longest edge, in lengths of that. */
static const double widest = 1.0 / 256.0;

enum {
    MOST_EDGES = 4096, /* around a crack, of which so many */
    MOST_AHEAD = 64,   /* do not lead back: the border of a hole may be long and straight, too */
    MOST_AROUND = 2048 /* of those that start at one point are looked at */
};

typedef struct search {
    sc_rim_edge *edges; /* [count] each once, by where they start */
    size_t count;
    bool *taken;     /* [count] it belongs to a crack, or was found to be the longest of none */
    uint32_t *crack; /* [count] of which it is, or `none` */
    size_t *chain;   /* [MOST_EDGES] room for one */
    sc_crack_side *sides;
    size_t side_count;
    uint32_t crack_count;
} search;

static const uint32_t none = UINT32_MAX;

/* At nodes of fillings: a second or two. */
static const uint64_t most_looks = 100000000, few_looks = 1000000;

/* Of the winding number, what cracks amount to that are only rounding, or nothing at all; and a
 * little. */
static const double small_amounts[] = {0x1p-20, 0x1p-12};

/* ---- the edges ------------------------------------------------------------- */

static int compare_points(sc_vec3 a, sc_vec3 b)
{
    return sc_vec3_before(a, b) ? -1 : sc_vec3_before(b, a);
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
    s->crack = sc_alloc(count, sizeof *s->crack);
    s->sides = sc_alloc(count, sizeof *s->sides);
    s->chain = sc_alloc(MOST_EDGES, sizeof *s->chain);
    if (!s->edges || !s->taken || !s->crack || !s->sides || !s->chain) {
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
    for (size_t i = 0; i < s->count; i++) {
        s->crack[i] = none;
    }
    return true;
}

static bool starts_before(const void *edge, const void *p)
{
    return sc_vec3_before(((const sc_rim_edge *)edge)->from, *(const sc_vec3 *)p);
}

/* The first edge that starts at p or behind it. */
static size_t first_from(const search *s, sc_vec3 p)
{
    return sc_lower_bound(s->edges, s->count, sizeof *s->edges, starts_before, &p);
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

/* The edges of a crack, of which the first is the longest. */
static void add_crack(search *s, const size_t *chain, size_t count)
{
    const sc_rim_edge *longest = &s->edges[chain[0]];
    const double length = length_of(longest);

    s->crack[chain[0]] = s->crack_count;
    for (size_t i = 1; i < count; i++) {
        const sc_rim_edge *e = &s->edges[chain[i]];
        double off = sc_fmax(off_line(longest, length, e->from), off_line(longest, length, e->to));
        s->crack[chain[i]] = s->crack_count;
        s->sides[s->side_count++] = (sc_crack_side){e->from, e->to, length_of(e),
                                                    1.001 * off + 0x1p-40 * length, s->crack_count};
    }
    s->crack_count++;
}

/* A crack of which this edge is the longest, if the edges that are left close one. */
static void find_crack(search *s, size_t edge)
{
    const sc_rim_edge *longest = &s->edges[edge];
    const double length = length_of(longest);
    const sc_vec3 along = sc_sub(longest->to, longest->from);
    size_t *chain = s->chain, count = 0, ahead = 0, next = edge;

    while (next < s->count && count < MOST_EDGES && ahead < MOST_AHEAD) {
        const sc_rim_edge *e = &s->edges[next];
        ahead += sc_dot(sc_sub(e->to, e->from), along) >= 0.0;
        s->taken[next] = true;
        chain[count++] = next;
        if (sc_same(s->edges[next].to, longest->from)) {
            add_crack(s, chain, count);
            return;
        }
        next = next_edge(s, longest, length, s->edges[next].to);
    }
    for (size_t i = 1; i < count; i++) {
        s->taken[chain[i]] = false; /* another may be the longest with these */
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
    for (size_t i = 0; longest && i < s->count; i++) {
        if (!s->taken[longest[i].edge] && longest[i].length > 0.0) {
            find_crack(s, longest[i].edge);
        }
    }
    sc_free(longest);
    return longest != NULL;
}

bool sc_cracks_find(const sc_rim *rim, sc_cracks *cracks)
{
    search s = {.edges = NULL};
    bool good = rim->count == 0 || (list_edges(rim, &s) && find_cracks(&s));

    *cracks = (sc_cracks){
        .edges = s.edges, .crack = s.crack, .edge_count = s.count, .count = s.crack_count};
    sc_free(s.chain);
    sc_free(s.taken);
    return sc_fillings_make(s.sides, s.side_count, &cracks->fillings) && good;
}

void sc_cracks_free(sc_cracks *cracks)
{
    sc_free(cracks->edges);
    sc_free(cracks->crack);
    sc_fillings_free(&cracks->fillings);
    *cracks = (sc_cracks){.edges = NULL};
}

/* ---- closing --------------------------------------------------------------- */

bool sc_cracks_rest(const sc_cracks *cracks, const bool *open, sc_rim *rest)
{
    *rest = (sc_rim){.edges = sc_alloc(cracks->edge_count + 1, sizeof *rest->edges)};
    for (size_t i = 0; i < cracks->edge_count && rest->edges; i++) {
        uint32_t crack = cracks->crack[i];
        if (crack == none || (open && open[crack])) {
            rest->edges[rest->count++] = cracks->edges[i];
        }
    }
    /* Without a border the winding number is an integer but for the cracks. */
    rest->slack = rest->count == 0 ? 7.0 / 16.0 : 1.0 / 16.0;
    return rest->edges != NULL;
}

/* Whether all of them, closed, amount to no more than `most` anywhere on the tiles. With `open`
 * those that may amount to more are opened, and it is false if it takes too long to find them. */
static bool stay_small(const sc_tiles *tiles, const sc_cracks *cracks, double most, bool *open)
{
    sc_filling_search s = {.fillings = &cracks->fillings,
                           .open = open,
                           .most = most,
                           .looks = open ? most_looks : few_looks};
    sc_vec3 v[3];

    for (size_t i = 0; i < tiles->count; i++) {
        if (i % 256 == 0 && !sc_poll_goes_on(&tiles->poll)) {
            return false;
        }
        while (tiles->tile(tiles->context, i, v) && !sc_fillings_stay_small(&s, v)) {
            if (!open || s.looks == 0 || !sc_fillings_open_near(&s, open)) {
                return false;
            }
        }
    }
    return true;
}

/* The border without those that matter nowhere; *closed: whether it is known which these are. */
static bool close_some(const sc_tiles *tiles, const sc_cracks *cracks, bool *closed, sc_rim *rest)
{
    bool *open = sc_calloc(cracks->count, sizeof *open);
    bool good = open != NULL;
    double slack;

    do { /* less of it where some are left open */
        sc_rim_free(rest);
        good = good && sc_cracks_rest(cracks, open, rest);
        slack = rest->slack;
        *closed = good && stay_small(tiles, cracks, slack, open);
        sc_rim_free(rest);
        good = good && sc_cracks_rest(cracks, open, rest);
    } while (*closed && good && rest->slack < slack);
    sc_free(open);
    return good;
}

/* What all of them amount to nowhere more than, if it is little; else 1. */
static double little(const sc_tiles *tiles, const sc_cracks *cracks)
{
    for (size_t i = 0; i < sizeof small_amounts / sizeof small_amounts[0]; i++) {
        if (stay_small(tiles, cracks, small_amounts[i], NULL)) {
            return small_amounts[i];
        }
    }
    return 1.0;
}

bool sc_cracks_close(const sc_tiles *tiles, sc_rim *rim)
{
    sc_cracks cracks;
    sc_rim rest = {.edges = NULL};
    bool good = sc_cracks_find(rim, &cracks), closed = good && cracks.count > 0;
    double slack = closed ? little(tiles, &cracks) : 1.0;

    if (slack < 1.0) {
        good = sc_cracks_rest(&cracks, NULL, &rest);
        rest.slack = slack;
    } else if (closed) {
        good = close_some(tiles, &cracks, &closed, &rest);
    }
    if (closed && good) {
        sc_rim_free(rim);
        *rim = rest;
    } else {
        sc_rim_free(&rest);
    }
    sc_cracks_free(&cracks);
    return good;
}
