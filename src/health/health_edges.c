/* health_edges.c - see health_edges.h. */
#include "health_edges.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/union_find.h"
#include "health_balance.h"
#include "health_scan.h"

/* ---- tables of indices -------------------------------------------------------- */

/* Open addressing: what a slot's index stands for is known to its user only. */
typedef struct table {
    uint32_t *slot; /* [mask + 1] */
    size_t mask;
    size_t capacity; /* entries, at half the load */
} table;

static bool table_make(table *t, size_t capacity)
{
    size_t size = 16;
    while (size < capacity * 2) {
        size *= 2;
    }
    t->capacity = capacity;
    t->slot = sc_alloc(size, sizeof t->slot[0]);
    t->mask = size - 1;
    if (t->slot) {
        memset(t->slot, 0xFF, size * sizeof t->slot[0]);
    }
    return t->slot != NULL;
}

/* Of something that is not there yet. */
static void table_add(table *t, uint64_t hash, uint32_t index)
{
    size_t at = hash & t->mask;
    while (t->slot[at] != SC_NO_INDEX) {
        at = (at + 1) & t->mask;
    }
    t->slot[at] = index;
}

/* ---- vertices ----------------------------------------------------------------- */

static uint64_t vertex_hash(const float *xyz)
{
    uint64_t bits[2] = {0, 0};
    memcpy(bits, xyz, 3 * sizeof *xyz);
    return sc_hash_words(bits[0], bits[1]);
}

static bool vertices_grow(sc_edges *e, table *t)
{
    size_t more = t->capacity * 2;
    float(*vertex)[3] = sc_realloc(e->vertex, more, sizeof e->vertex[0]);
    table larger;
    if (!vertex) {
        return false;
    }
    e->vertex = vertex;
    if (!table_make(&larger, more)) {
        return false;
    }
    for (uint32_t v = 0; v < e->vertices; v++) {
        table_add(&larger, vertex_hash(e->vertex[v]), v);
    }
    sc_free(t->slot);
    *t = larger;
    return true;
}

/* The number of a vertex, which is new or not. */
static bool find_vertex(sc_edges *e, table *t, const float xyz[3], uint32_t *number)
{
    size_t at = vertex_hash(xyz) & t->mask;
    while (t->slot[at] != SC_NO_INDEX &&
           memcmp(e->vertex[t->slot[at]], xyz, sizeof e->vertex[0]) != 0) {
        at = (at + 1) & t->mask;
    }
    if (t->slot[at] == SC_NO_INDEX) {
        t->slot[at] = e->vertices;
        memcpy(e->vertex[e->vertices++], xyz, sizeof e->vertex[0]);
    }
    *number = t->slot[at];
    return e->vertices < t->capacity || vertices_grow(e, t);
}

/* ---- edges -------------------------------------------------------------------- */

static uint64_t edge_hash(uint32_t low, uint32_t high)
{
    return sc_hash_words(low | (uint64_t)high << 32, 0);
}

static bool edges_grow(sc_edges *e, table *t)
{
    size_t more = t->capacity * 2;
    sc_edge *edge = sc_realloc(e->edge, more, sizeof e->edge[0]);
    table larger;
    if (!edge) {
        return false;
    }
    e->edge = edge;
    if (!table_make(&larger, more)) {
        return false;
    }
    for (uint32_t i = 0; i < e->count; i++) {
        table_add(&larger, edge_hash(edge[i].low, edge[i].high), i);
    }
    sc_free(t->slot);
    *t = larger;
    return true;
}

/* A use of the edge from vertex u to v. */
static bool add_use(sc_edges *e, table *t, uint32_t use, uint32_t u, uint32_t v)
{
    const uint32_t low = u < v ? u : v, high = u < v ? v : u;
    size_t at = edge_hash(low, high) & t->mask;
    while (t->slot[at] != SC_NO_INDEX &&
           (e->edge[t->slot[at]].low != low || e->edge[t->slot[at]].high != high)) {
        at = (at + 1) & t->mask;
    }
    if (t->slot[at] == SC_NO_INDEX) {
        t->slot[at] = e->count;
        e->edge[e->count++] = (sc_edge){low, high, 0, 0, SC_NO_INDEX};
    }
    sc_edge *edge = &e->edge[t->slot[at]];
    edge->net += u == low ? 1 : -1;
    edge->uses++;
    e->next[use] = edge->last;
    edge->last = use;
    return e->count < t->capacity || edges_grow(e, t);
}

/* ---- the tables ------------------------------------------------------------------ */

typedef struct tables {
    table vertices, edges;
} tables;

/* Some facets in a row. */
enum { BATCH = SC_HASHED_AT_ONCE };
typedef struct batch {
    uint32_t first, count;
    bool few;              /* of all edges are chosen, else all: */
    uint8_t chosen[BATCH]; /* bit k: the edge from vertex k on; without area none */
    float v[BATCH][9];     /* the facets, where some edge is chosen */
} batch;

/* `balance`: chooses the edges; NULL: all. */
static void choose(const sc_facets *facets, const sc_balance *balance, batch *b)
{
    b->few = balance != NULL;
    memset(b->chosen, 7, sizeof b->chosen);
    if (balance) {
        sc_balance_choose(balance, facets, b->first, b->count, b->chosen);
    }
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->chosen[i] != 0) {
            sc_health_facet(facets, b->first + i, b->v[i]);
            b->chosen[i] = sc_health_has_area(b->v[i]) ? b->chosen[i] : 0;
        }
    }
}

/* The table's places of the corners of a batch will be asked for soon. */
static void expect_vertices(const batch *b, const table *t)
{
    for (uint32_t i = 0; i < b->count; i++) {
        for (int k = 0; k < 3 && b->chosen[i] != 0; k++) {
            __builtin_prefetch(&t->slot[vertex_hash(b->v[i] + 3 * k) & t->mask]);
        }
    }
}

/* The numbers of the corners that the chosen edges of a batch lead from or to, of others
 * SC_NO_INDEX. The edges will be asked for next. */
static bool find_corners(const batch *b, tables *t, sc_edges *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < b->count && ok; i++) {
        const unsigned chosen = b->chosen[i];
        const unsigned ends = chosen | chosen << 1 | chosen >> 2; /* of edge k, or the one before */
        uint32_t *corner = e->corner + 3 * (size_t)(b->first + i);
        if (chosen == 0) { /* where most are not, what is not touched takes no memory */
            if (!b->few) {
                memset(corner, 0xFF, 3 * sizeof *corner);
            }
            continue;
        }
        for (int k = 0; k < 3 && ok; k++) {
            corner[k] = SC_NO_INDEX;
            ok = (ends >> k & 1) == 0 || find_vertex(e, &t->vertices, b->v[i] + 3 * k, &corner[k]);
        }
        for (int k = 0; k < 3; k++) {
            const uint32_t from = corner[k], to = corner[(k + 1) % 3];
            const uint64_t hash = from < to ? edge_hash(from, to) : edge_hash(to, from);
            __builtin_prefetch(&t->edges.slot[hash & t->edges.mask]);
        }
    }
    return ok;
}

static bool add_uses(const batch *b, tables *t, sc_edges *e)
{
    bool ok = true;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t use = 3 * (b->first + i), *corner = e->corner + use;
        for (uint32_t k = 0; k < 3 && ok; k++) {
            ok = (b->chosen[i] >> k & 1) == 0 ||
                 add_use(e, &t->edges, use + k, corner[k], corner[(k + 1) % 3]);
        }
    }
    return ok;
}

/* `balance`: see choose; room for so many vertices and edges to begin with. */
static bool find_edges(const sc_facets *facets, const sc_balance *balance, size_t vertices,
                       size_t count, sc_edges *e)
{
    tables t = {.vertices = {.slot = NULL}};
    bool ok = (e->vertex = sc_alloc(vertices, sizeof e->vertex[0])) &&
              (e->edge = sc_alloc(count, sizeof e->edge[0])) && table_make(&t.vertices, vertices) &&
              table_make(&t.edges, count);

    for (batch b = {.first = 0}; b.first < facets->count && ok; b.first += b.count) {
        const uint32_t left = facets->count - b.first;
        b.count = left < BATCH ? left : BATCH;
        choose(facets, balance, &b);
        expect_vertices(&b, &t.vertices);
        ok = find_corners(&b, &t, e) && add_uses(&b, &t, e);
    }
    sc_free(t.vertices.slot);
    sc_free(t.edges.slot);
    return ok;
}

static bool make(const sc_facets *facets, const sc_balance *balance, size_t vertices, size_t count,
                 sc_edges *edges)
{
    const size_t uses = 3 * (size_t)facets->count;

    *edges = (sc_edges){.vertices = 0};
    if (uses >= SC_NO_INDEX || !(edges->corner = sc_alloc(uses, sizeof edges->corner[0])) ||
        !(edges->next = sc_alloc(uses, sizeof edges->next[0])) ||
        !find_edges(facets, balance, vertices, count, edges)) {
        sc_edges_free(edges);
        return false;
    }
    return true;
}

bool sc_edges_make(const sc_facets *facets, sc_edges *edges)
{
    const size_t count = facets->count;
    return make(facets, NULL, count / 2 + 16, 3 * count / 2 + 16, edges);
}

bool sc_edges_make_unbalanced(const sc_facets *facets, sc_edges *edges)
{
    enum { FEW = 1024 };
    sc_balance balance;

    *edges = (sc_edges){.vertices = 0};
    const bool ok = sc_balance_make(facets, &balance) && make(facets, &balance, FEW, FEW, edges);
    sc_balance_free(&balance);
    return ok;
}

void sc_edges_free(sc_edges *edges)
{
    sc_free(edges->vertex);
    sc_free(edges->corner);
    sc_free(edges->edge);
    sc_free(edges->next);
    *edges = (sc_edges){.vertices = 0};
}

uint32_t sc_edge_first_facet(const sc_edges *edges, const sc_edge *edge, int sign)
{
    uint32_t first = SC_NO_INDEX;
    for (uint32_t use = edge->last; use != SC_NO_INDEX; use = edges->next[use]) {
        if (sc_edge_use_sign(edges, edge, use) == sign) {
            first = use / 3; /* uses come from the last to the first */
        }
    }
    return first;
}

/* ---- counts ------------------------------------------------------------------- */

static void count_one(sc_count *c, uint32_t facet)
{
    c->first = c->count == 0 || facet < c->first ? facet : c->first;
    c->count++;
}

/* The corners in ascending order; true if that turns the facet round. */
static bool sorted_corners(const uint32_t corner[3], uint32_t sorted[3])
{
    int least =
        corner[0] < corner[1] ? (corner[0] < corner[2] ? 0 : 2) : (corner[1] < corner[2] ? 1 : 2);
    uint32_t second = corner[(least + 1) % 3], third = corner[(least + 2) % 3];
    sorted[0] = corner[least];
    sorted[1] = second < third ? second : third;
    sorted[2] = second < third ? third : second;
    return second > third;
}

bool sc_edges_repeats(const sc_edges *edges, const sc_facets *facets, sc_repeats *repeats)
{
    table t = {.slot = NULL};
    unsigned char *seen = sc_calloc(facets->count, 1); /* ways round, of the facets in slots */
    bool ok = seen && table_make(&t, facets->count);

    *repeats = (sc_repeats){.same = {0, 0}};
    for (uint32_t i = 0; i < facets->count && ok; i++) {
        const uint32_t *corner = edges->corner + 3 * (size_t)i;
        uint32_t key[3], other[3];
        if (corner[0] == SC_NO_INDEX) {
            continue;
        }
        unsigned char way = sorted_corners(corner, key) ? 2 : 1;
        size_t at = sc_hash_words(key[0] | (uint64_t)key[1] << 32, key[2]) & t.mask;
        for (; t.slot[at] != SC_NO_INDEX; at = (at + 1) & t.mask) {
            sorted_corners(edges->corner + 3 * (size_t)t.slot[at], other);
            if (memcmp(key, other, sizeof key) == 0) {
                break;
            }
        }
        if (t.slot[at] == SC_NO_INDEX) {
            t.slot[at] = i;
        } else {
            count_one(seen[t.slot[at]] & way ? &repeats->same : &repeats->opposite, i);
        }
        seen[t.slot[at]] |= way;
    }
    sc_free(t.slot);
    sc_free(seen);
    return ok;
}

sc_count sc_edges_non_manifold(const sc_edges *edges)
{
    sc_count c = {0, 0};
    for (uint32_t i = 0; i < edges->count; i++) {
        const sc_edge *edge = &edges->edge[i];
        if (edge->uses > 2) {
            uint32_t use = edge->last;
            while (edges->next[use] != SC_NO_INDEX) {
                use = edges->next[use];
            }
            count_one(&c, use / 3);
        }
    }
    return c;
}

bool sc_edges_components(const sc_edges *edges, const sc_facets *facets, uint64_t *components)
{
    uint32_t *parent = sc_union_make(edges->vertices);

    *components = edges->vertices; /* each of a facet with area */
    for (uint32_t i = 0; i < facets->count && parent; i++) {
        const uint32_t *corner = edges->corner + 3 * (size_t)i;
        if (corner[0] != SC_NO_INDEX) {
            *components -= sc_union_join(parent, corner[0], corner[1]);
            *components -= sc_union_join(parent, corner[0], corner[2]);
        }
    }
    const bool ok = parent != NULL;
    sc_free(parent);
    return ok;
}
