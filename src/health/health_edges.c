/* health_edges.c - see health_edges.h. */
#include "health_edges.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "health_scan.h"

/* ---- tables of indices -------------------------------------------------------- */

/* Open addressing: what a slot's index stands for is known to its user only. */
typedef struct table {
    uint32_t *slot; /* [mask + 1] */
    size_t mask;
} table;

/* Room for `count` entries at half the load. */
static bool table_make(table *t, size_t count)
{
    size_t size = 16;
    while (size < count * 2) {
        size *= 2;
    }
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

static bool vertices_grow(sc_edges *e, size_t *capacity, table *t)
{
    size_t more = *capacity * 2;
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
    *capacity = more;
    return true;
}

static bool find_vertices(const sc_facets *facets, sc_edges *e)
{
    size_t capacity = (size_t)facets->count / 2 + 16;
    table t = {NULL, 0};
    bool ok = (e->vertex = sc_alloc(capacity, sizeof e->vertex[0])) && table_make(&t, capacity);

    for (uint32_t i = 0; i < facets->count && ok; i++) {
        uint32_t *corner = e->corner + 3 * (size_t)i;
        float v[9];
        sc_health_facet(facets, i, v);
        if (!sc_health_has_area(v)) {
            memset(corner, 0xFF, 3 * sizeof corner[0]);
            continue;
        }
        for (int k = 0; k < 3 && ok; k++) {
            size_t at = vertex_hash(v + 3 * k) & t.mask;
            while (t.slot[at] != SC_NO_INDEX &&
                   memcmp(e->vertex[t.slot[at]], v + 3 * k, sizeof e->vertex[0]) != 0) {
                at = (at + 1) & t.mask;
            }
            if (t.slot[at] == SC_NO_INDEX) {
                t.slot[at] = e->vertices;
                memcpy(e->vertex[e->vertices++], v + 3 * k, sizeof e->vertex[0]);
            }
            corner[k] = t.slot[at];
            ok = e->vertices < capacity || vertices_grow(e, &capacity, &t);
        }
    }
    sc_free(t.slot);
    return ok;
}

/* ---- edges -------------------------------------------------------------------- */

static uint64_t edge_hash(uint32_t low, uint32_t high)
{
    return sc_hash_words(low | (uint64_t)high << 32, 0);
}

static bool edges_grow(sc_edges *e, size_t *capacity, table *t)
{
    size_t more = *capacity * 2;
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
    *capacity = more;
    return true;
}

static bool find_edges(const sc_facets *facets, sc_edges *e)
{
    uint32_t uses = 3 * facets->count;
    size_t capacity = (size_t)uses / 2 + 16;
    table t = {NULL, 0};
    bool ok = (e->edge = sc_alloc(capacity, sizeof e->edge[0])) && table_make(&t, capacity);

    for (uint32_t use = 0; use < uses && ok; use++) {
        uint32_t u = e->corner[use], v = e->corner[use % 3 == 2 ? use - 2 : use + 1];
        if (u == SC_NO_INDEX) {
            continue;
        }
        uint32_t low = u < v ? u : v, high = u < v ? v : u;
        size_t at = edge_hash(low, high) & t.mask;
        while (t.slot[at] != SC_NO_INDEX &&
               (e->edge[t.slot[at]].low != low || e->edge[t.slot[at]].high != high)) {
            at = (at + 1) & t.mask;
        }
        if (t.slot[at] == SC_NO_INDEX) {
            t.slot[at] = e->count;
            e->edge[e->count++] = (sc_edge){low, high, 0, 0, SC_NO_INDEX};
        }
        sc_edge *edge = &e->edge[t.slot[at]];
        edge->net += u == low ? 1 : -1;
        edge->uses++;
        e->next[use] = edge->last;
        edge->last = use;
        ok = e->count < capacity || edges_grow(e, &capacity, &t);
    }
    sc_free(t.slot);
    return ok;
}

bool sc_edges_make(const sc_facets *facets, sc_edges *edges)
{
    size_t uses = 3 * (size_t)facets->count;

    *edges = (sc_edges){.vertices = 0};
    if (uses >= SC_NO_INDEX || !(edges->corner = sc_alloc(uses, sizeof edges->corner[0])) ||
        !(edges->next = sc_alloc(uses, sizeof edges->next[0])) || !find_vertices(facets, edges) ||
        !find_edges(facets, edges)) {
        sc_edges_free(edges);
        return false;
    }
    return true;
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
    table t = {NULL, 0};
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
