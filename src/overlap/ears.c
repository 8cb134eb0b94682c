/* ears.c - see ears.h. */
#include "ears.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "base/union_find.h"

/* A corner that may lie in an ear. */
typedef struct sc_blunt {
    double x;
    uint32_t row, corner;
} blunt_corner;

typedef struct cutting {
    sc_ears *ears;
    sc_ear_corner *corners;
    sc_flat_rows rows;
    double same;
    sc_watch *watch;
} cutting;

/* ---- what may lie in ears ---------------------------------------------------- */

static bool is_blunt(const cutting *c, uint32_t i)
{
    const sc_ear_corner *at = &c->corners[i];
    return sc_flat_turn(c->corners[at->previous].at, at->at, c->corners[at->next].at) <= 0;
}

static int by_row(const void *x, const void *y)
{
    const blunt_corner *a = x, *b = y;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

/* About as many rows as corners in each. */
static bool list_blunt(cutting *c)
{
    sc_ears *ears = c->ears;
    const uint32_t count = (uint32_t)ears->lists.count;
    double low = INFINITY, high = -INFINITY;

    ears->blunt_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        c->corners[i].blunt = is_blunt(c, i);
        ears->blunt_count += c->corners[i].blunt;
        low = sc_min(low, c->corners[i].at.y);
        high = sc_max(high, c->corners[i].at.y);
    }
    const uint32_t rows = (uint32_t)sqrt((double)ears->blunt_count) + 1;
    c->rows = (sc_flat_rows){low, high > low ? high - low : 1.0, rows};
    if (!sc_make_room(&ears->blunt, &ears->blunt_capacity, ears->blunt_count,
                      sizeof *ears->blunt) ||
        !sc_make_room(&ears->rows, &ears->row_capacity, rows + 1, sizeof *ears->rows)) {
        return false;
    }
    size_t listed = 0;
    for (uint32_t i = 0; i < count; i++) {
        const sc_flat at = c->corners[i].at;
        if (c->corners[i].blunt) {
            ears->blunt[listed++] = (blunt_corner){at.x, sc_flat_row(&c->rows, at.y), i};
        }
    }
    if (!sc_sort_items(ears->blunt, listed, sizeof *ears->blunt, by_row, c->watch)) {
        return false;
    }
    for (uint32_t row = 0, i = 0; row <= rows; row++) {
        while (i < listed && ears->blunt[i].row < row) {
            i++;
        }
        ears->rows[row] = i;
    }
    return true;
}

/* Widens *low .. *high by where an edge runs between two heights, and a little. */
static void add_edge_between(sc_flat from, sc_flat to, double bottom, double top, double *low,
                             double *high)
{
    const sc_flat down = from.y <= to.y ? from : to, up = from.y <= to.y ? to : from;
    if (up.y < bottom || down.y > top) {
        return;
    }
    const double height = up.y - down.y, slope = height > 0.0 ? (up.x - down.x) / height : 0.0;
    const double low_end = down.y < bottom ? down.x + (bottom - down.y) * slope : down.x;
    const double high_end = up.y > top ? down.x + (top - down.y) * slope : up.x;
    const double margin = 0x1p-40 * (fabs(up.x) + fabs(down.x) + fabs(up.x - down.x));
    *low = sc_min(*low, sc_min(low_end, high_end) - margin);
    *high = sc_max(*high, sc_max(low_end, high_end) + margin);
}

/* Of a row the first corner that is not farther to the left. */
static uint32_t first_from(const cutting *c, uint32_t row, double x)
{
    uint32_t first = c->ears->rows[row], end = c->ears->rows[row + 1];
    while (first < end) {
        const uint32_t middle = first + (end - first) / 2;
        if (c->ears->blunt[middle].x < x) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

static bool in_one_place(const cutting *c, sc_flat a, sc_flat b)
{
    return fabs(a.x - b.x) <= c->same && fabs(a.y - b.y) <= c->same;
}

/* Whether a triangle has something of the face's edge in it at a corner: it lies there itself, or
 * in the place of one of the triangle's and an edge leads inwards. */
static bool is_in_the_way(const cutting *c, const sc_ear_corner *k, const sc_flat triangle[3])
{
    if (!sc_flat_within(triangle[0], triangle[1], triangle[2], k->at)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        const sc_flat before = triangle[(i + 2) % 3], at = triangle[i],
                      after = triangle[(i + 1) % 3];
        const sc_flat ends[2] = {c->corners[k->previous].at, c->corners[k->next].at};
        if (!in_one_place(c, k->at, at)) {
            continue;
        }
        for (int end = 0; end < 2; end++) {
            if (sc_flat_turn(at, after, ends[end]) > 0 && sc_flat_turn(before, at, ends[end]) > 0) {
                return true;
            }
        }
        return false;
    }
    return true;
}

/* Whether no corner is in the way of the triangle. */
static bool is_empty(const cutting *c, const sc_flat triangle[3])
{
    const sc_flat p = triangle[0], q = triangle[1], r = triangle[2];
    const sc_ears *ears = c->ears;
    const double step = c->rows.height / c->rows.count, margin = 0x1p-20 * step;
    const uint32_t last = sc_flat_row(&c->rows, sc_max(p.y, sc_max(q.y, r.y)));

    for (uint32_t row = sc_flat_row(&c->rows, sc_min(p.y, sc_min(q.y, r.y))); row <= last; row++) {
        const double bottom = c->rows.bottom + row * step - margin;
        const double top = bottom + step + 2.0 * margin;
        double low = INFINITY, high = -INFINITY;
        add_edge_between(p, q, bottom, top, &low, &high);
        add_edge_between(q, r, bottom, top, &low, &high);
        add_edge_between(r, p, bottom, top, &low, &high);
        for (uint32_t i = first_from(c, row, low);
             i < ears->rows[row + 1] && ears->blunt[i].x <= high; i++) {
            const sc_ear_corner *k = &c->corners[ears->blunt[i].corner];
            if (!k->is_cut && k->blunt && is_in_the_way(c, k, triangle)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- ears -------------------------------------------------------------------- */

/* What may be cut off: first what goes nowhere, or there and back, where faces are flush; ears that
 * are no slivers; of corners that lie crosswise, as rounding may have them, in the end any. */
typedef enum ear_kind { NO_MORE_THAN_AN_EDGE, WELL_SHAPED, ANY_EAR, ANY_CORNER } ear_kind;

static bool is_sliver(const sc_flat triangle[3])
{
    static const double thin = 0x1p-30;
    double longest_sq = 0.0;
    for (int k = 0; k < 3; k++) {
        const sc_flat from = triangle[k], to = triangle[(k + 1) % 3];
        const double x = to.x - from.x, y = to.y - from.y;
        longest_sq = sc_max(longest_sq, x * x + y * y);
    }
    return sc_flat_twice_area(triangle[0], triangle[1], triangle[2]) <= thin * longest_sq;
}

static bool is_ear(const cutting *c, uint32_t i, ear_kind kind)
{
    const sc_ear_corner *at = &c->corners[i];
    const sc_flat triangle[3] = {c->corners[at->previous].at, at->at, c->corners[at->next].at};
    bool is_edge = false;

    for (int k = 0; k < 3; k++) {
        is_edge = is_edge || in_one_place(c, triangle[k], triangle[(k + 1) % 3]);
    }
    if (is_edge || kind == ANY_CORNER) {
        return true;
    }
    return kind != NO_MORE_THAN_AN_EDGE && !at->blunt &&
           (kind == ANY_EAR || !is_sliver(triangle)) && is_empty(c, triangle);
}

static bool cut(cutting *c, uint32_t i)
{
    sc_ears *ears = c->ears;
    const uint32_t around[2] = {c->corners[i].previous, c->corners[i].next};

    if (!sc_make_room(&ears->triangles, &ears->capacity, ears->count + 1,
                      sizeof *ears->triangles)) {
        return false;
    }
    uint32_t *triangle = ears->triangles[ears->count++];
    triangle[0] = c->corners[around[0]].number;
    triangle[1] = c->corners[i].number;
    triangle[2] = c->corners[around[1]].number;
    c->corners[i].is_cut = true;
    c->corners[around[0]].next = around[1];
    c->corners[around[1]].previous = around[0];
    for (int k = 0; k < 2; k++) { /* unless edges cross, none becomes blunt that was not */
        sc_ear_corner *beside = &c->corners[around[k]];
        beside->blunt = beside->blunt && is_blunt(c, around[k]);
    }
    return true;
}

/* The corner to look at after one that was not cut, or was: what is no more than an edge then, at
 * once; else so that every other ear is cut, round by round, and they do not all meet in one. */
static uint32_t after(const cutting *c, uint32_t i, bool was_cut)
{
    const uint32_t before = c->corners[i].previous, next = c->corners[i].next;
    if (!was_cut) {
        return next;
    }
    return is_ear(c, before, NO_MORE_THAN_AN_EDGE) ? before
           : is_ear(c, next, NO_MORE_THAN_AN_EDGE) ? next
                                                   : c->corners[next].next;
}

static bool cut_list(cutting *c, uint32_t first)
{
    size_t count = 1, missed = 0, steps = 0;
    ear_kind kind = NO_MORE_THAN_AN_EDGE;

    for (uint32_t k = c->corners[first].next; k != first; k = c->corners[k].next) {
        count++;
    }
    for (uint32_t i = first; count > 2;) {
        if (sc_watch_ends(c->watch, steps++)) {
            return false;
        }
        const bool cuts = count == 3 || is_ear(c, i, kind);
        if (cuts && !cut(c, i)) {
            return false;
        }
        if (cuts) {
            count--;
            missed = 0;
            kind = kind == ANY_CORNER ? ANY_EAR : kind;
        } else if (++missed == count) {
            missed = 0;
            kind++;
        }
        i = after(c, i, cuts);
    }
    return true;
}

bool sc_ears_cut(sc_ears *ears, const sc_face *face, sc_watch *watch)
{
    ears->count = 0;
    bool good = sc_ear_lists_make(&ears->lists, face, watch);
    cutting c = {.ears = ears, .corners = ears->lists.corners, .same = face->same, .watch = watch};
    good = good && list_blunt(&c);
    for (uint32_t loop = 0, first = 0; loop < face->loop_count && good; loop++) {
        if (face->ends[loop] > first && sc_union_root(ears->lists.sets, loop) == loop) {
            good = cut_list(&c, first);
        }
        first = face->ends[loop];
    }
    return good;
}

void sc_ears_free(sc_ears *ears)
{
    sc_ear_lists_free(&ears->lists);
    sc_free(ears->triangles);
    sc_free(ears->blunt);
    sc_free(ears->rows);
    *ears = (sc_ears){.triangles = NULL};
}
