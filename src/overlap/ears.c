/* ears.c - see ears.h. */
#include "ears.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"
#include "base/union_find.h"

/* A corner by its place. */
typedef struct sc_ear_place {
    double x;
    uint32_t row, corner;
} place;

typedef struct cutting {
    sc_ears *ears;
    sc_ear_corner *corners;
    sc_flat_rows rows;
    double same;
    sc_watch *watch;
} cutting;

/* ---- corners by their places --------------------------------------------------- */

static bool is_blunt(const cutting *c, uint32_t i)
{
    const sc_ear_corner *at = &c->corners[i];
    return sc_flat_turn(c->corners[at->previous].at, at->at, c->corners[at->next].at) <= 0;
}

static int by_row(const void *x, const void *y)
{
    const place *a = x, *b = y;
    if (a->row != b->row) {
        return a->row < b->row ? -1 : 1;
    }
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

/* About as many rows as corners in each. */
static bool list_places(cutting *c)
{
    sc_ears *ears = c->ears;
    const uint32_t all = (uint32_t)ears->lists.count;
    const uint32_t rows = (uint32_t)sqrt((double)all) + 1;
    uint32_t count = 0;

    if (!sc_make_room(&ears->places, &ears->place_capacity, all, sizeof *ears->places) ||
        !sc_make_room(&ears->rows, &ears->row_capacity, rows + 1, sizeof *ears->rows)) {
        return false;
    }
    c->rows = sc_ear_lists_rows(&ears->lists);
    c->rows.count = rows;
    for (uint32_t i = 0; i < all; i++) {
        const sc_flat at = c->corners[i].at;
        if (!c->corners[i].is_cut) {
            ears->places[count++] = (place){at.x, sc_flat_row(&c->rows, at.y), i};
            c->corners[i].blunt = is_blunt(c, i);
        }
    }
    if (!sc_sort_items(ears->places, count, sizeof *ears->places, by_row, c->watch)) {
        return false;
    }
    for (uint32_t row = 0, i = 0; row <= rows; row++) {
        while (i < count && ears->places[i].row < row) {
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

static bool is_to_the_left(const void *item, const void *x)
{
    return ((const place *)item)->x < *(const double *)x;
}

/* Of a row the first corner that is not farther to the left. */
static uint32_t first_from(const cutting *c, uint32_t row, double x)
{
    const uint32_t first = c->ears->rows[row], count = c->ears->rows[row + 1] - first;
    const place *places = c->ears->places + first;
    return first + (uint32_t)sc_lower_bound(places, count, sizeof *places, is_to_the_left, &x);
}

static bool in_one_place(const cutting *c, sc_flat a, sc_flat b)
{
    return fabs(a.x - b.x) <= c->same && fabs(a.y - b.y) <= c->same;
}

/* What may be cut off: ears that are no slivers; ears; ears whose last side passes through corners;
 * of corners that lie crosswise, as rounding may have them, in the end any. */
typedef enum ear_kind { WELL_SHAPED, SLIVER, TOUCHED, ANY_CORNER } ear_kind;

static bool leads_the_same_way(sc_flat from, sc_flat a, sc_flat b)
{
    const double dot = (a.x - from.x) * (b.x - from.x) + (a.y - from.y) * (b.y - from.y);
    return dot > 0.0 && sc_flat_turn(from, a, b) == 0;
}

/* Whether a corner keeps a triangle from being cut off: it lies inside, or on a side and an edge
 * leads inwards from there; or its edges lead back along both sides at a corner of the triangle,
 * which so lies outside of the face. */
static bool is_in_the_way(const cutting *c, const sc_ear_corner *k, const sc_flat triangle[3],
                          ear_kind kind)
{
    const sc_flat ends[2] = {c->corners[k->previous].at, c->corners[k->next].at};
    bool on_side[3], in_corner = false;

    for (int i = 0; i < 3; i++) {
        const int side = sc_flat_turn(triangle[i], triangle[(i + 1) % 3], k->at);
        if (side < 0) {
            return false;
        }
        on_side[i] = side == 0;
    }
    for (int i = 0; i < 3; i++) {
        if (in_one_place(c, k->at, triangle[i])) {
            on_side[i] = on_side[(i + 2) % 3] = in_corner = true;
            if (leads_the_same_way(k->at, ends[0], triangle[(i + 1) % 3]) &&
                leads_the_same_way(k->at, ends[1], triangle[(i + 2) % 3])) {
                return true;
            }
        }
    }
    if (on_side[2] && !in_corner && kind < TOUCHED) {
        return true;
    }
    for (int end = 0; end < 2; end++) {
        bool inwards = true;
        for (int i = 0; i < 3; i++) {
            const sc_flat from = triangle[i], to = triangle[(i + 1) % 3];
            inwards = inwards && (!on_side[i] || sc_flat_turn(from, to, ends[end]) > 0);
        }
        if (inwards) {
            return true;
        }
    }
    return false;
}

/* Whether no corner is in the way of the triangle. */
static bool is_empty(const cutting *c, const sc_flat triangle[3], ear_kind kind)
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
             i < ears->rows[row + 1] && ears->places[i].x <= high; i++) {
            const sc_ear_corner *k = &c->corners[ears->places[i].corner];
            if (!k->is_cut && k->blunt && is_in_the_way(c, k, triangle, kind)) {
                return false;
            }
        }
    }
    return true;
}

/* ---- ears -------------------------------------------------------------------- */

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

static sc_flat place_of(const cutting *c, uint32_t i)
{
    return c->corners[i].at;
}

/* Whether a corner goes nowhere, or there and back, as where faces are flush. */
static bool is_idle(const cutting *c, uint32_t i)
{
    const sc_flat p = place_of(c, c->corners[i].previous), q = place_of(c, i);
    const sc_flat r = place_of(c, c->corners[i].next);
    return in_one_place(c, p, q) || in_one_place(c, q, r) || in_one_place(c, r, p);
}

static bool is_ear(const cutting *c, uint32_t i, ear_kind kind)
{
    const sc_ear_corner *at = &c->corners[i];
    const sc_flat triangle[3] = {place_of(c, at->previous), at->at, place_of(c, at->next)};

    return kind == ANY_CORNER ||
           (!at->blunt && (kind >= SLIVER || !is_sliver(triangle)) && is_empty(c, triangle, kind));
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
    for (int k = 0; k < 2; k++) {
        c->corners[around[k]].blunt = is_blunt(c, around[k]);
    }
    return true;
}

static size_t list_length(const cutting *c, uint32_t first)
{
    size_t count = 1;
    for (uint32_t i = c->corners[first].next; i != first; i = c->corners[i].next) {
        count++;
    }
    return count;
}

/* Cuts idle corners off a loop, of which there may be nothing left then. */
static bool cut_idle(cutting *c, uint32_t *first)
{
    size_t count = list_length(c, *first), passed = 0;
    uint32_t i = *first;

    while (count > 2 && passed < count) {
        if (!is_idle(c, i)) {
            i = c->corners[i].next;
            passed++;
        } else if (cut(c, i)) {
            i = c->corners[i].previous; /* may be the next tip of a longer way back */
            count--;
            passed = 0;
        } else {
            return false;
        }
    }
    if (count <= 2) {
        c->corners[i].is_cut = c->corners[c->corners[i].next].is_cut = true;
    }
    *first = count > 2 ? i : SC_NO_CORNER;
    return true;
}

/* Every other ear is cut, round by round, so that they do not all meet in one corner; or one beside
 * the other, once a round finds few, as along a band with ears at its ends alone. */
static bool cut_list(cutting *c, uint32_t first)
{
    enum { FEW = 8 }; /* one in so many corners */
    size_t count = list_length(c, first), missed = 0, steps = 0, looked = 0, found = 0;
    ear_kind kind = WELL_SHAPED;
    bool few = false;

    for (uint32_t i = first; count > 2;) {
        if (sc_watch_ends(c->watch, steps++)) {
            return false;
        }
        const bool cuts = count == 3 || is_idle(c, i) || is_ear(c, i, kind);
        if (cuts && !cut(c, i)) {
            return false;
        }
        looked++;
        if (cuts) {
            count--;
            found++;
            missed = 0;
            kind = kind == ANY_CORNER ? SLIVER : kind;
            i = few ? c->corners[i].previous : c->corners[c->corners[i].next].next;
        } else {
            i = c->corners[i].next;
            if (++missed == count) {
                missed = 0;
                kind++;
            }
        }
        if (looked >= count) {
            few = FEW * found < looked;
            looked = found = 0;
        }
    }
    return true;
}

bool sc_ears_cut(sc_ears *ears, const sc_face *face, sc_watch *watch)
{
    sc_ear_lists *lists = &ears->lists;
    const uint32_t loops = face->loop_count;
    bool good = sc_ear_lists_make(lists, face);
    cutting c = {.ears = ears, .corners = lists->corners, .same = face->same, .watch = watch};

    ears->count = 0;
    for (uint32_t loop = 0; loop < loops && good; loop++) {
        good = lists->first[loop] == SC_NO_CORNER || cut_idle(&c, &lists->first[loop]);
    }
    good = good && (loops == 1 || sc_ear_lists_join(lists, loops, watch)) && list_places(&c);
    for (uint32_t loop = 0; loop < loops && good; loop++) {
        const bool is_root = sc_union_root(lists->sets, loop) == loop;
        good = !is_root || lists->first[loop] == SC_NO_CORNER || cut_list(&c, lists->first[loop]);
    }
    return good;
}

void sc_ears_free(sc_ears *ears)
{
    sc_ear_lists_free(&ears->lists);
    sc_free(ears->triangles);
    sc_free(ears->places);
    sc_free(ears->rows);
    *ears = (sc_ears){.triangles = NULL};
}
