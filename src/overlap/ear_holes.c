/* ear_holes.c - see ear_holes.h. */
#include "ear_holes.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/union_find.h"

static const uint32_t none = SC_NO_CORNER;

/* An edge in a row: that from a corner on. */
typedef struct sc_hole_entry {
    uint32_t corner, next;
} entry;

typedef struct joining {
    sc_ear_lists *lists;
    sc_ear_corner *corners;
    sc_flat_rows rows;
    sc_watch *watch;
} joining;

/* ---- rows -------------------------------------------------------------------- */

static bool add_edge(joining *j, uint32_t i)
{
    sc_ear_lists *l = j->lists;
    const double from = j->corners[i].at.y, to = j->corners[j->corners[i].next].at.y;
    const uint32_t first = sc_flat_row(&j->rows, sc_min(from, to));
    const uint32_t last = sc_flat_row(&j->rows, sc_max(from, to));

    if (!sc_make_room(&l->entries, &l->entry_capacity, l->entry_count + last - first + 1,
                      sizeof *l->entries)) {
        return false;
    }
    for (uint32_t row = first; row <= last; row++) {
        l->entries[l->entry_count] = (entry){i, l->rows[row]};
        l->rows[row] = (uint32_t)l->entry_count++;
    }
    return true;
}

sc_flat_rows sc_ear_lists_rows(const sc_ear_lists *lists)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < lists->count; i++) {
        const sc_ear_corner *c = &lists->corners[i];
        low = c->is_cut ? low : sc_min(low, c->at.y);
        high = c->is_cut ? high : sc_max(high, c->at.y);
    }
    return (sc_flat_rows){low, high > low ? high - low : 1.0, 1};
}

/* As many rows as leave no more than a few entries for each edge. */
static bool add_all_edges(joining *j)
{
    enum { MOST = 1 << 16, EACH = 2 };
    sc_ear_lists *l = j->lists;
    const size_t count = l->count;
    double climb = 0.0;

    for (size_t i = 0; i < count; i++) {
        const sc_ear_corner *c = &j->corners[i];
        climb += c->is_cut ? 0.0 : fabs(j->corners[c->next].at.y - c->at.y);
    }
    j->rows = sc_ear_lists_rows(l);
    const double rows = EACH * (double)count / (1.0 + climb / j->rows.height);
    j->rows.count = rows < 1.0 ? 1 : rows > MOST ? MOST : (uint32_t)rows;
    l->entry_count = 0;
    bool good = sc_make_room(&l->rows, &l->row_capacity, j->rows.count, sizeof *l->rows);
    for (uint32_t row = 0; row < j->rows.count && good; row++) {
        l->rows[row] = none;
    }
    for (uint32_t i = 0; i < count && good; i++) {
        good = j->corners[i].is_cut || add_edge(j, i);
    }
    return good;
}

/* ---- ways -------------------------------------------------------------------- */

/* The edge next to the left of a corner, with the face between them; or `none`. It crosses the
 * height of the corner at *x. */
static uint32_t edge_to_the_left(const joining *j, uint32_t hole, double *x)
{
    const sc_ear_corner *of = &j->corners[hole];
    const sc_flat p = of->at;
    uint32_t nearest = none;

    *x = -INFINITY;
    for (uint32_t e = j->lists->rows[sc_flat_row(&j->rows, p.y)]; e != none;
         e = j->lists->entries[e].next) {
        const uint32_t i = j->lists->entries[e].corner;
        const sc_flat from = j->corners[i].at, to = j->corners[j->corners[i].next].at;
        if (from.y >= p.y && p.y >= to.y && from.y > to.y && j->corners[i].loop != of->loop) {
            const double at = from.x + (from.y - p.y) * (to.x - from.x) / (from.y - to.y);
            if (at <= p.x && at > *x) {
                *x = at;
                nearest = i;
            }
        }
    }
    return nearest;
}

/* The place of the next corner, or of the one before, that is in another one, if any is. */
static sc_flat next_place(const joining *j, uint32_t i, bool back)
{
    const sc_flat at = j->corners[i].at;
    uint32_t k = i;
    do {
        k = back ? j->corners[k].previous : j->corners[k].next;
    } while (k != i && sc_flat_same(j->corners[k].at, at));
    return j->corners[k].at;
}

/* Whether the way from a corner to p begins in the face. */
static bool begins_inside(const joining *j, uint32_t i, sc_flat p)
{
    const sc_flat before = next_place(j, i, true), at = j->corners[i].at;
    const sc_flat after = next_place(j, i, false);
    const bool left_of_first = sc_flat_turn(before, at, p) >= 0;
    const bool left_of_second = sc_flat_turn(at, after, p) >= 0;
    return sc_flat_turn(before, at, after) > 0 ? left_of_first && left_of_second
                                               : left_of_first || left_of_second;
}

/* A corner in the place of one of a hole, on the way around which the hole lies; or `none`. */
static uint32_t corner_in_its_place(const joining *j, uint32_t hole)
{
    const sc_ear_corner *of = &j->corners[hole];
    const sc_flat before = next_place(j, hole, true), after = next_place(j, hole, false);

    for (uint32_t e = j->lists->rows[sc_flat_row(&j->rows, of->at.y)]; e != none;
         e = j->lists->entries[e].next) {
        const uint32_t i = j->lists->entries[e].corner;
        if (sc_flat_same(j->corners[i].at, of->at) && j->corners[i].loop != of->loop &&
            begins_inside(j, i, before) && begins_inside(j, i, after)) {
            return i;
        }
    }
    return none;
}

/* Whether p is in a triangle that turns to the left, or on it. */
static bool is_within(sc_flat a, sc_flat b, sc_flat c, sc_flat p)
{
    return sc_flat_turn(a, b, p) >= 0 && sc_flat_turn(b, c, p) >= 0 && sc_flat_turn(c, a, p) >= 0;
}

/* A corner to which a way leads through the face from the leftmost one of a hole: an end of the
 * edge next to the left, or of what stands before that the one most straight ahead; or `none`. */
static uint32_t corner_to_the_left(const joining *j, uint32_t hole)
{
    const sc_flat p = j->corners[hole].at;
    double x;
    const uint32_t edge = edge_to_the_left(j, hole, &x);
    if (edge == none) {
        return none;
    }
    const uint32_t other = j->corners[edge].next;
    uint32_t best = j->corners[edge].at.x < j->corners[other].at.x ? edge : other;
    const sc_flat end = j->corners[best].at, hit = {x, p.y};
    const bool above = end.y > p.y;
    const uint32_t last = sc_flat_row(&j->rows, sc_max(end.y, p.y));
    double least = INFINITY, nearest = end.x;

    for (uint32_t row = sc_flat_row(&j->rows, sc_min(end.y, p.y)); row <= last; row++) {
        for (uint32_t e = j->lists->rows[row]; e != none; e = j->lists->entries[e].next) {
            const uint32_t i = j->lists->entries[e].corner;
            const sc_flat q = j->corners[i].at;
            if (q.x >= p.x || q.x < end.x || !is_within(above ? hit : p, above ? p : hit, end, q) ||
                !begins_inside(j, i, p)) {
                continue;
            }
            const double steep = fabs(q.y - p.y) / (p.x - q.x);
            if (steep < least || (steep == least && q.x > nearest)) {
                best = i;
                least = steep;
                nearest = q.x;
            }
        }
    }
    return best;
}

/* Makes one of the lists that two corners are in, by an edge there and back. */
static bool join(joining *j, uint32_t i, uint32_t hole)
{
    sc_ear_corner *c = j->corners;
    const uint32_t i_again = (uint32_t)j->lists->count++;
    const uint32_t hole_again = (uint32_t)j->lists->count++;

    c[i_again] = c[i];
    c[hole_again] = c[hole];
    c[c[i].previous].next = i_again;
    c[i_again].next = hole;
    c[c[hole].previous].next = hole_again;
    c[hole].previous = i_again;
    c[hole_again].next = i;
    c[i].previous = hole_again;
    return add_edge(j, i_again) && add_edge(j, hole_again);
}

/* ---- holes ------------------------------------------------------------------- */

typedef struct hole_place {
    sc_flat at;
    uint32_t corner;
} hole_place;

static bool is_left_of(sc_flat a, sc_flat b)
{
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static int from_the_left(const void *x, const void *y)
{
    const hole_place *a = x, *b = y;
    if (!sc_flat_same(a->at, b->at)) {
        return is_left_of(a->at, b->at) ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

/* Whether the loop that starts with a corner is a hole; *leftmost of its corners. */
static bool is_hole(const joining *j, uint32_t first, uint32_t *leftmost)
{
    const sc_flat from = j->corners[first].at;
    double sum = 0.0;
    *leftmost = first;
    for (uint32_t i = j->corners[first].next; i != first; i = j->corners[i].next) {
        const sc_flat at = j->corners[i].at;
        sum += sc_flat_twice_area(from, at, j->corners[j->corners[i].next].at);
        *leftmost = is_left_of(at, j->corners[*leftmost].at) ? i : *leftmost;
    }
    return sum <= 0.0;
}

/* All holes, *count of them, as they begin from left to right. NULL if memory or time ran out; the
 * caller frees it. */
static hole_place *list_holes(const joining *j, uint32_t loops, uint32_t *count)
{
    hole_place *holes = sc_alloc(loops, sizeof *holes);
    *count = 0;
    for (uint32_t loop = 0; loop < loops && holes; loop++) {
        uint32_t first = j->lists->first[loop], leftmost;
        if (first != none && is_hole(j, first, &leftmost)) {
            holes[(*count)++] = (hole_place){j->corners[leftmost].at, leftmost};
        }
    }
    if (holes && !sc_sort_items(holes, *count, sizeof *holes, from_the_left, j->watch)) {
        sc_free(holes);
        holes = NULL;
    }
    return holes;
}

/* What lies to the left of a hole was joined before it. */
bool sc_ear_lists_join(sc_ear_lists *lists, uint32_t loops, sc_watch *watch)
{
    joining j = {.lists = lists, .corners = lists->corners, .watch = watch};
    uint32_t count;
    hole_place *holes = list_holes(&j, loops, &count);
    bool good = holes && (count == 0 || add_all_edges(&j));

    for (uint32_t k = 0; k < count && good; k++) {
        const uint32_t hole = holes[k].corner, here = corner_in_its_place(&j, hole);
        const uint32_t i = here != none ? here : corner_to_the_left(&j, hole);
        if (i != none && sc_union_join(lists->sets, j.corners[i].loop, j.corners[hole].loop)) {
            good = join(&j, i, hole);
        }
        good = good && !sc_watch_ends(watch, k);
    }
    sc_free(holes);
    return good;
}

bool sc_ear_lists_make(sc_ear_lists *lists, const sc_face *face)
{
    const uint32_t count = face->ends[face->loop_count - 1], loops = face->loop_count;
    const size_t with_again = count + 2 * (size_t)loops;

    if (!sc_make_room(&lists->corners, &lists->capacity, with_again, sizeof *lists->corners) ||
        !sc_make_room(&lists->first, &lists->first_capacity, loops, sizeof *lists->first) ||
        !sc_make_room(&lists->sets, &lists->set_capacity, loops, sizeof *lists->sets)) {
        return false;
    }
    lists->count = count;
    for (uint32_t loop = 0, first = 0; loop < loops; loop++) {
        const uint32_t end = face->ends[loop];
        lists->sets[loop] = loop;
        lists->first[loop] = end > first ? first : none;
        for (uint32_t i = first; i < end; i++) {
            lists->corners[i] = (sc_ear_corner){.at = face->corners[i],
                                                .number = i,
                                                .loop = loop,
                                                .previous = i == first ? end - 1 : i - 1,
                                                .next = i + 1 == end ? first : i + 1};
        }
        first = end;
    }
    return true;
}

void sc_ear_lists_free(sc_ear_lists *lists)
{
    sc_free(lists->corners);
    sc_free(lists->first);
    sc_free(lists->sets);
    sc_free(lists->entries);
    sc_free(lists->rows);
    *lists = (sc_ear_lists){.corners = NULL};
}
