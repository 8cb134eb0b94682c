/* entangled.c - see entangled.h. Space is halved until few facets are left in a cell, or all of
 * one piece: shells that only lie in each other's boxes are soon told apart. */
#include "entangled.h"

#include "base/alloc.h"
#include "geom/tri_intersect.h"

/* Cells of no more facets, or that halving does not make emptier, are looked at pair by pair. */
enum { FEW = 24, DEEPEST = 60 };

/* What a facet may cost, and all together: the whole of an overlap costs more. What it costs to see
 * whether two facets meet, in visits of an item. */
enum { STEPS_A_FACET = 32, STEPS_MORE = 1 << 19, STEPS_TO_MEET = 64 };

typedef struct item {
    sc_box box;
    uint32_t member, piece;
} item;

typedef struct search {
    const sc_windings *w;
    const sc_members *m;
    item *items;
    uint32_t *stack; /* items of the cells that are being halved, one behind the other */
    size_t used, capacity;
    uint64_t steps, most; /* so far; not to be exceeded */
    sc_entangled_pair *pair;
    void *context;
    bool failed, over; /* over: by the callback */
} search;

static bool ends(search *s, size_t steps)
{
    s->steps += steps;
    s->over = s->over || s->steps > s->most;
    return s->failed || s->over;
}

/* Of the cells that hold two facets, the one that they are looked at in: that of the low corner of
 * what their boxes have in common. */
static bool is_theirs(const item *a, const item *b, const sc_box *cell)
{
    const sc_box common = sc_boxes_common(&a->box, &b->box);
    for (int k = 0; k < 3; k++) {
        if (common.low[k] > common.high[k] || !(common.low[k] >= cell->low[k]) ||
            !(common.low[k] < cell->high[k])) {
            return false;
        }
    }
    return true;
}

static void look_at_pairs(search *s, const uint32_t *list, size_t count, const sc_box *cell)
{
    for (size_t i = 0; i < count; i++) {
        const item *a = &s->items[list[i]];
        s->failed = s->failed || sc_watch_ends(s->w->own->watch, i);
        for (size_t k = i + 1; k < count && !ends(s, 1); k++) {
            const item *b = &s->items[list[k]];
            sc_vec3 v[3], w[3];
            if (a->piece == b->piece || !is_theirs(a, b, cell)) {
                continue;
            }
            sc_solid_facet(s->w->own, s->m->facet[a->member], v);
            sc_solid_facet(s->w->own, s->m->facet[b->member], w);
            s->steps += STEPS_TO_MEET;
            if (sc_tri_meet(v, w) != SC_APART) {
                s->over = !s->pair(s->context, a->member, b->member);
            }
        }
    }
}

static bool is_one_piece(const search *s, const uint32_t *list, size_t count)
{
    size_t i = 1;
    while (i < count && s->items[list[i]].piece == s->items[list[0]].piece) {
        i++;
    }
    return i >= count;
}

/* Whether a facet comes near a cell: no plane along one of its edges and an axis, nor its own, has
 * the cell on its far side. With a margin for rounding, as it must not miss. */
static bool may_meet(const search *s, const item *it, const sc_box *cell)
{
    sc_vec3 v[3];
    sc_solid_facet(s->w->own, s->m->facet[it->member], v);
    const sc_vec3 centre = sc_box_centre(cell);
    const double half[3] = {0.5 * (cell->high[0] - cell->low[0]),
                            0.5 * (cell->high[1] - cell->low[1]),
                            0.5 * (cell->high[2] - cell->low[2])};
    double p[3][3], edge[3][3];
    for (int k = 0; k < 3; k++) {
        const sc_vec3 from = sc_sub(v[k], centre), way = sc_sub(v[(k + 1) % 3], v[k]);
        p[k][0] = from.x, p[k][1] = from.y, p[k][2] = from.z;
        edge[k][0] = way.x, edge[k][1] = way.y, edge[k][2] = way.z;
    }
    for (int k = 0; k < 3; k++) {
        const double *a = p[k], *c = p[(k + 2) % 3], *e = edge[k];
        for (int axis = 0; axis < 3; axis++) {
            const int y = (axis + 1) % 3, z = (axis + 2) % 3;
            const double one = e[z] * a[y] - e[y] * a[z], other = e[z] * c[y] - e[y] * c[z];
            const double reach = fabs(e[z]) * half[y] + fabs(e[y]) * half[z];
            const double size = fabs(e[z] * a[y]) + fabs(e[y] * a[z]) + fabs(e[z] * c[y]) +
                                fabs(e[y] * c[z]) + reach;
            const double margin = reach + 0x1p-40 * size;
            if (sc_fmin(one, other) > margin || sc_fmax(one, other) < -margin) {
                return false;
            }
        }
    }
    return true;
}

/* Of the items from `first` on those that lie in half a cell, behind all. */
static size_t take_half(search *s, size_t first, size_t count, int axis, const sc_box *half,
                        bool upper, bool closely)
{
    if (!sc_make_room(&s->stack, &s->capacity, s->used + count, sizeof *s->stack)) {
        s->failed = true;
        return 0;
    }
    size_t taken = 0;
    for (size_t i = first; i < first + count; i++) {
        const item *it = &s->items[s->stack[i]];
        if ((upper ? it->box.high[axis] >= half->low[axis]
                   : it->box.low[axis] < half->high[axis]) &&
            (!closely || may_meet(s, it, half))) {
            s->stack[s->used + taken++] = s->stack[i];
        }
    }
    s->used += taken;
    return taken;
}

/* Halves a cell along an axis: part[] is how many items there are in either half, behind all
 * others. False: along that it does not help. */
static bool halve(search *s, size_t first, size_t count, const sc_box *cell, int axis, bool closely,
                  size_t part[2])
{
    const double middle = 0.5 * (cell->low[axis] + cell->high[axis]);
    const size_t before = s->used;
    sc_box half[2] = {*cell, *cell};
    half[0].high[axis] = half[1].low[axis] = middle;
    if (middle > cell->low[axis] && middle < cell->high[axis] &&
        !ends(s, (closely ? 8 : 2) * count)) {
        part[0] = take_half(s, first, count, axis, &half[0], false, closely);
        part[1] = take_half(s, first, count, axis, &half[1], true, closely);
        if (part[0] + part[1] <= count + count / 2 && part[0] < count && part[1] < count) {
            return true;
        }
    }
    s->used = before;
    return false;
}

/* The same along the longest side for which it helps, by their boxes, or looked at closely. -1:
 * along none. */
static int halve_any(search *s, size_t first, size_t count, const sc_box *cell, size_t part[2])
{
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++) {
        for (int k = i + 1; k < 3; k++) {
            const int p = order[i], q = order[k];
            if (cell->high[q] - cell->low[q] > cell->high[p] - cell->low[p]) {
                order[i] = q;
                order[k] = p;
            }
        }
    }
    for (int i = 0; i < 6 && !s->failed && !s->over; i++) {
        if (halve(s, first, count, cell, order[i % 3], i >= 3, part)) {
            return order[i % 3];
        }
    }
    return -1;
}

/* The items from `first` on. */
static void look_into(search *s, size_t first, size_t count, sc_box cell, int depth)
{
    const size_t before = s->used;
    size_t part[2];

    if (ends(s, 1) || is_one_piece(s, s->stack + first, count)) {
        return;
    }
    s->failed = s->failed || sc_watch_is_over(s->w->own->watch);
    const int axis = count > FEW && depth < DEEPEST ? halve_any(s, first, count, &cell, part) : -1;
    if (axis < 0) {
        look_at_pairs(s, s->stack + first, count, &cell);
    }
    for (int half = 0; half < 2 && axis >= 0; half++) {
        sc_box side = cell;
        *(half ? &side.low[axis] : &side.high[axis]) = 0.5 * (cell.low[axis] + cell.high[axis]);
        look_into(s, before + (half ? part[0] : 0), part[half], side, depth + 1);
    }
    s->used = before;
}

bool sc_entangled_find(const sc_windings *w, const sc_members *m, sc_entangled_pair *pair,
                       void *context)
{
    search s = {.w = w,
                .m = m,
                .items = sc_alloc((size_t)m->count + 1, sizeof *s.items),
                .pair = pair,
                .context = context};
    sc_box all = sc_box_empty();
    uint32_t count = 0;

    s.failed = !s.items || !sc_make_room(&s.stack, &s.capacity, m->count, sizeof *s.stack);
    for (uint32_t i = 0; i < m->count && !s.failed; i++) {
        sc_vec3 v[3];
        sc_box box;
        if (m->root[i] == SC_NO_INDEX) {
            continue;
        }
        sc_solid_facet(w->own, m->facet[i], v);
        box = sc_box_of_points(v, 3);
        if (sc_boxes_meet(&box, &m->common[m->root[i]])) {
            s.items[count] = (item){box, i, m->root[i]};
            sc_box_add_box(&all, &s.items[count].box);
            s.stack[count] = count;
            count++;
        }
    }
    s.used = count;
    if (count > 0 && !s.failed) {
        for (int k = 0; k < 3; k++) { /* the upper ends are open */
            all.high[k] = sc_next_above(all.high[k]);
        }
        s.most = (uint64_t)STEPS_A_FACET * count + STEPS_MORE;
        look_into(&s, 0, count, all, 0);
    }
    sc_free(s.items);
    sc_free(s.stack);
    return !s.failed;
}
