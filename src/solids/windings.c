/* windings.c - see windings.h. */
#include "windings.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "geom/orient.h"
#include "surface.h"

#include <string.h>

/* ---- the table of vertices ----------------------------------------------- */

/* Of all vertices there are, in a table with room for all there may be. */
static bool index_vertices(sc_windings *w)
{
    const size_t slot_count = 2 * w->vertex_capacity; /* a power of two */
    sc_free(w->slots);
    w->slots = sc_calloc(slot_count, sizeof *w->slots);
    w->slot_count = slot_count;
    for (size_t i = 0; i < w->vertices && w->slots; i++) {
        size_t at = sc_windings_hash(w->points[i]) & (slot_count - 1);
        while (w->slots[at] != 0) {
            at = (at + 1) & (slot_count - 1);
        }
        w->slots[at] = (uint32_t)i + 1;
    }
    return w->slots != NULL;
}

bool sc_windings_reserve(sc_windings *w, size_t more)
{
    size_t capacity = w->vertex_capacity ? w->vertex_capacity : 64;
    while (capacity - w->vertices < more) {
        capacity *= 2;
    }
    if (capacity == w->vertex_capacity) {
        return w->slots || index_vertices(w);
    }
    sc_vec3 *points = sc_realloc(w->points, capacity, sizeof *points);
    w->points = points ? points : w->points;
    sc_joined *joined = sc_realloc(w->joined, capacity, sizeof *joined);
    w->joined = joined ? joined : w->joined;
    if (!points || !joined) {
        return false;
    }
    w->vertex_capacity = capacity;
    return index_vertices(w);
}

/* With the point's hash. */
static bool find_vertex(sc_windings *w, sc_vec3 p, uint64_t hash, uint32_t *number)
{
    if (w->vertices == w->vertex_capacity && !sc_windings_reserve(w, 1)) {
        return false;
    }
    size_t at = hash & (w->slot_count - 1);
    for (; w->slots[at] != 0; at = (at + 1) & (w->slot_count - 1)) {
        if (sc_same(w->points[w->slots[at] - 1], p)) {
            *number = w->slots[at] - 1;
            return true;
        }
    }
    *number = (uint32_t)w->vertices++;
    w->slots[at] = *number + 1;
    w->points[*number] = p;
    w->joined[*number] = (sc_joined){*number, 0};
    return true;
}

bool sc_windings_vertices(sc_windings *w, const sc_vec3 *points, size_t count, uint32_t *numbers)
{
    enum { AT_ONCE = 32 };
    uint64_t hash[AT_ONCE];

    for (size_t first = 0; first < count; first += AT_ONCE) {
        const size_t end = count - first < AT_ONCE ? count : first + AT_ONCE;
        for (size_t i = first; i < end; i++) {
            hash[i - first] = sc_windings_hash(points[i]);
            __builtin_prefetch(&w->slots[hash[i - first] & (w->slot_count - 1)], 1);
        }
        for (size_t i = first; i < end; i++) {
            const uint32_t slot = w->slots[hash[i - first] & (w->slot_count - 1)];
            if (slot != 0) {
                __builtin_prefetch(&w->points[slot - 1]);
            }
        }
        for (size_t i = first; i < end; i++) {
            if (!find_vertex(w, points[i], hash[i - first], &numbers[i])) {
                return false;
            }
        }
    }
    return true;
}

/* The root; afterwards the vertex hangs directly below it, with its offset. */
uint32_t sc_windings_root(sc_windings *w, uint32_t vertex)
{
    sc_joined *joined = w->joined;
    uint32_t root = vertex;
    int32_t offset = 0;
    while (joined[root].parent != root) {
        offset += joined[root].offset;
        root = joined[root].parent;
    }
    while (joined[vertex].parent != root && vertex != root) {
        const sc_joined own = joined[vertex];
        joined[vertex] = (sc_joined){root, offset};
        offset -= own.offset;
        vertex = own.parent;
    }
    return root;
}

/* winding(v) = winding(u) + change. */
static void unite(sc_windings *w, uint32_t u, uint32_t v, int change)
{
    uint32_t a = sc_windings_root(w, u), b = sc_windings_root(w, v);
    int32_t of_u = w->joined[u].offset, of_v = w->joined[v].offset; /* of roots 0 */
    if (a < b) { /* the lower number stays: the result depends on the input alone */
        w->joined[b] = (sc_joined){a, of_u + change - of_v};
    } else if (b < a) {
        w->joined[a] = (sc_joined){b, of_v - change - of_u};
    }
}

/* ---- facets -------------------------------------------------------------- */

bool sc_windings_init(sc_windings *w, sc_solid *own, sc_solid *other)
{
    *w = (sc_windings){.own = own, .other = other};
    return sc_windings_reserve(w, 1);
}

void sc_windings_free(sc_windings *w)
{
    sc_free(w->facets);
    sc_free(w->changes);
    sc_free(w->from);
    sc_free(w->patches);
    sc_free(w->patch_facets);
    sc_free(w->patch_vertices);
    sc_free(w->points);
    sc_free(w->joined);
    sc_free(w->winding);
    sc_free(w->slots);
    *w = (sc_windings){.own = NULL};
}

bool sc_windings_add_facets(sc_windings *w, const uint32_t *facets, size_t count)
{
    enum { AT_ONCE = 8 };

    if (!sc_make_room(&w->facets, &w->capacity, w->count + count, sizeof *w->facets) ||
        !sc_windings_reserve(w, count / 2)) {
        return false;
    }
    for (size_t first = 0; first < count; first += AT_ONCE) {
        const size_t now = count - first < AT_ONCE ? count - first : AT_ONCE;
        sc_vec3 v[3 * AT_ONCE];
        uint32_t number[3 * AT_ONCE];
        for (size_t i = first + AT_ONCE; i < first + 2 * AT_ONCE && i < count; i++) {
            sc_solid_expect(w->own, facets[i]);
        }
        for (size_t i = 0; i < now; i++) {
            sc_solid_facet(w->own, facets[first + i], v + 3 * i);
        }
        if (sc_watch_ends(w->own->watch, first) || !sc_windings_vertices(w, v, 3 * now, number)) {
            return false;
        }
        for (size_t i = 0; i < now; i++) {
            const uint32_t *n = number + 3 * i;
            w->facets[w->count++] = (sc_active){facets[first + i], {n[0], n[1], n[2]}};
        }
    }
    return true;
}

/* About one facet for each place. */
static bool index_crossed(sc_windings *w)
{
    uint32_t last = w->facets[w->crossed - 1].facet, place = 0;
    while (last >> w->from_bits > w->crossed) {
        w->from_bits++;
    }
    w->from_count = (last >> w->from_bits) + 1;
    w->from = sc_alloc((size_t)w->from_count + 1, sizeof *w->from);
    if (!w->from) {
        return false;
    }
    for (uint32_t i = 0; i < w->crossed; i++) {
        while (place <= w->facets[i].facet >> w->from_bits) {
            w->from[place++] = i;
        }
    }
    w->from[place] = (uint32_t)w->crossed;
    return true;
}

bool sc_windings_add_crossed(sc_windings *w, const uint32_t *facets, size_t count)
{
    if (!sc_windings_add_facets(w, facets, count)) {
        return false;
    }
    w->crossed = w->count;
    w->changes = sc_calloc(w->crossed, sizeof *w->changes);
    return w->changes && (w->crossed == 0 || index_crossed(w));
}

static bool is_former(const void *active, const void *facet)
{
    return ((const sc_active *)active)->facet < *(const uint32_t *)facet;
}

sc_active *sc_windings_crossed(const sc_windings *w, uint32_t facet)
{
    const uint32_t place = facet >> w->from_bits;
    if (place >= w->from_count) {
        return NULL;
    }
    sc_active *active = w->facets + w->from[place];
    const size_t count = w->from[place + 1] - w->from[place];
    const size_t at = sc_lower_bound(active, count, sizeof *active, is_former, &facet);
    return at < count && active[at].facet == facet ? &active[at] : NULL;
}

/* ---- containment --------------------------------------------------------- */

/* A facet without area is a segment or a point, which bounds nothing and holds no volume. */
static bool bounds_nothing(const sc_solid *own, const sc_vec3 v[3])
{
    return own->part->mesh->blocks.degenerate > 0 && sc_projection_axis(v[0], v[1], v[2]) < 0;
}

bool sc_windings_join_block(sc_windings *w, size_t b)
{
    const sc_facets *facets = &w->own->part->mesh->file.facets;
    uint32_t first, count = sc_block_facets(facets, b, &first);
    for (uint32_t i = first; i < first + count; i++) {
        sc_vec3 v[3];
        uint32_t number[3];
        sc_solid_facet(w->own, i, v);
        if (bounds_nothing(w->own, v)) {
            continue;
        }
        if (!sc_windings_vertices(w, v, 3, number)) {
            return false;
        }
        unite(w, number[0], number[1], 0);
        unite(w, number[1], number[2], 0);
    }
    return true;
}

/* Of a part that may be cracked what most of a few points tell that have one winding number: ways
 * from one that stands beside a crack may slip through it. Of another any of them tells. */
enum { VOTERS = 9 };

typedef struct votes {
    int winding[VOTERS], count;
} votes;

/* False if memory ran out. */
static bool vote(sc_solid *other, sc_vec3 p, votes *v)
{
    sc_known_windings none = {.count = 0};
    return sc_solid_winding_near(other, &none, p, &v->winding[v->count++]);
}

static int most_voted(const votes *v)
{
    int most = 0, winding = 0;
    for (int i = 0; i < v->count; i++) {
        int same = 0;
        for (int k = 0; k < v->count; k++) {
            same += v->winding[k] == v->winding[i];
        }
        winding = same > most ? v->winding[i] : winding;
        most = same > most ? same : most;
    }
    return winding;
}

/* Corners of a side that lies flush with one of the other part stand beside its cracks, and are
 * half of those of a box: so middles of facets vote. */
bool sc_windings_of_shell(sc_solid *own, sc_solid *other, int *winding)
{
    const uint32_t facets = own->part->mesh->file.facets.count;
    const sc_surface surface = sc_surface_of(other, own->part);
    const bool cracked = sc_solid_may_be_cracked(other);
    const int voters = cracked ? VOTERS : 1;
    votes v = {.count = 0};

    for (int i = 0; i < voters; i++) {
        sc_vec3 corner[3];
        sc_solid_facet(own, (uint32_t)((uint64_t)facets * (uint32_t)i / (uint32_t)voters), corner);
        const sc_vec3 p =
            cracked ? sc_surface_tidy(&surface, sc_triangle_middle(corner)) : corner[0];
        if (!vote(other, p, &v)) {
            return false;
        }
    }
    *winding = most_voted(&v);
    return true;
}

bool sc_windings_some_inside(sc_solid *own, sc_solid *other, bool *contained)
{
    enum { TRIES = 16 };
    size_t blocks = own->part->mesh->blocks.count;

    *contained = false;
    if (sc_solid_may_be_cracked(other)) {
        return true; /* one point tells nothing */
    }
    for (size_t i = 0; i < TRIES && i < blocks && !*contained; i++) {
        size_t b = blocks <= TRIES ? i : i * (blocks / TRIES);
        int winding;
        sc_vec3 v[3];
        sc_solid_facet(own, (uint32_t)(b * SC_BLOCK), v);
        if (bounds_nothing(own, v)) {
            continue;
        }
        if (!sc_solid_winding(other, v[0], &winding)) {
            return false;
        }
        *contained = sc_is_inside(winding);
    }
    return true;
}

/* A piece of a part, by its root. */
typedef struct piece {
    bool leaves;         /* the other part's box: it does not lie inside */
    uint32_t size, seen; /* vertices */
    int32_t more_inside; /* voters that lie inside, less the others */
} piece;

static piece *find_pieces(sc_windings *w)
{
    piece *set = sc_calloc(w->vertices, sizeof *set);
    for (uint32_t i = 0; set && i < w->vertices; i++) {
        piece *s = &set[sc_windings_root(w, i)];
        s->leaves = s->leaves || !sc_box_holds(&w->other->part->used_bounds, w->points[i]);
        s->size++;
    }
    return set;
}

/* Asks one vertex of each, or as many as there are voters, all over it. False if memory ran out, or
 * there is no more time. */
static bool ask_pieces(sc_windings *w, piece *set, bool *contained)
{
    const uint32_t voters = sc_solid_may_be_cracked(w->other) ? VOTERS : 1;

    for (uint32_t i = 0; i < w->vertices && !*contained; i++) {
        piece *s = &set[sc_windings_root(w, i)];
        const uint32_t step = (s->size + voters - 1) / voters;
        votes v = {.count = 0};
        if (s->leaves || s->seen++ % step != 0) {
            continue;
        }
        if (sc_watch_is_over(w->own->watch) || !vote(w->other, w->points[i], &v)) {
            return false;
        }
        s->more_inside += sc_is_inside(v.winding[0]) ? 1 : -1;
        *contained = s->seen + step > s->size && s->more_inside > 0; /* that was the last */
    }
    return true;
}

/* A piece that lies inside has all of itself in the other part's box: so only blocks
 * that meet the box are joined, pieces that leave it are out, and of the rest one ray
 * each tells, or a few. */
bool sc_windings_contained(sc_solid *own, sc_solid *other, bool *contained)
{
    sc_windings w;
    bool good = sc_windings_init(&w, own, other);
    size_t looked_at = 0;
    sc_box box;

    *contained = false;
    for (size_t b = 0; good && sc_part_next_block(own->part, &other->part->used_bounds, &b, &box);
         b++) {
        good = !sc_watch_ends(own->watch, looked_at++) && sc_windings_join_block(&w, b);
    }
    piece *set = good ? find_pieces(&w) : NULL;
    good = set && ask_pieces(&w, set, contained);
    sc_free(set);
    sc_windings_free(&w);
    return good;
}

bool sc_windings_add_all(sc_windings *w)
{
    const uint32_t count = w->own->part->mesh->file.facets.count;
    uint32_t *facets = sc_alloc(count, sizeof *facets);

    for (uint32_t i = 0; i < count && facets; i++) {
        facets[i] = i;
    }
    bool good = facets && sc_windings_add_facets(w, facets, count);
    sc_free(facets);
    return good;
}

/* A way out from where a crack ends may slip through it. So vertices of each set, the last one and
 * some all over the part, are asked again, along another way. */
static bool ask_again(sc_windings *w)
{
    enum { SOME = 64 };
    const uint32_t stride = (uint32_t)(w->vertices / SOME) + 1;
    bool *asked = sc_calloc(w->vertices, sizeof *asked);

    for (uint32_t i = (uint32_t)w->vertices; asked && i-- > 0;) {
        const uint32_t root = sc_windings_root(w, i);
        if (asked[root] && i % stride != 0) {
            continue;
        }
        int winding;
        if (sc_watch_is_over(w->own->watch) ||
            !sc_solid_winding_again(w->other, w->points[i], &winding)) {
            sc_free(asked);
            return false;
        }
        asked[root] = true;
        w->torn |= winding != w->winding[i];
    }
    sc_free(asked);
    return asked != NULL;
}

/* The winding number at every vertex: by a ray at the root of each set, which is the lowest of it,
 * and from there on by the offsets. */
static bool wind_vertices(sc_windings *w)
{
    w->winding = sc_calloc(w->vertices, sizeof *w->winding);
    if (!w->winding) {
        return false;
    }
    for (uint32_t i = 0; i < w->vertices; i++) {
        const uint32_t root = sc_windings_root(w, i);
        if (root != i) {
            if (sc_watch_ends(w->own->watch, i)) {
                return false;
            }
            w->winding[i] = w->winding[root] + w->joined[i].offset;
        } else if (sc_watch_is_over(w->own->watch) ||
                   !sc_solid_winding(w->other, w->points[i], &w->winding[i])) {
            return false;
        }
    }
    return true;
}

bool sc_windings_solve(sc_windings *w, bool rays)
{
    for (size_t i = 0; i < w->count; i++) {
        if (sc_watch_ends(w->own->watch, i)) {
            return false;
        }
        const sc_active *f = &w->facets[i];
        const bool crossed = i < w->crossed;
        unite(w, f->vertex[0], f->vertex[1], crossed ? w->changes[i].along[0] : 0);
        unite(w, f->vertex[1], f->vertex[2], crossed ? w->changes[i].along[1] : 0);
    }
    sc_free(w->changes);
    w->changes = NULL;
    sc_free(w->slots); /* hardly anybody adds a vertex any more */
    w->slots = NULL;
    if (!rays) {
        return true;
    }
    return wind_vertices(w) &&
           (w->vertices == 0 || !sc_solid_may_be_cracked(w->other) || ask_again(w));
}

static void extend(sc_winding_range *range, int winding)
{
    range->least = winding < range->least ? winding : range->least;
    range->greatest = winding > range->greatest ? winding : range->greatest;
    range->some_0 |= winding == 0;
    range->some_not_0 |= winding != 0;
}

sc_winding_range sc_windings_range(const sc_windings *w)
{
    sc_winding_range range = {.least = 0};
    for (size_t i = 0; i < w->vertices; i++) {
        extend(&range, w->winding[i]);
    }
    for (size_t i = 0; i < w->patch_count; i++) {
        extend(&range, w->patches[i].winding);
    }
    return range;
}
