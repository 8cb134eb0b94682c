/* gap_facets.c - see gap_facets.h. */
#include "gap_facets.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"
#include "pair.h"

/* ---- which facets --------------------------------------------------------- */

/* False if memory ran out. */
static bool list_facets(const sc_part *part, int which, const sc_gap_list *list, sc_gap_facets *f)
{
    const uint32_t all = part->mesh->file.facets.count;
    uint8_t *used = sc_calloc(all, sizeof *used);

    for (size_t i = 0; i < list->pairs.count && used; i++) {
        used[sc_pair_facet(list->pairs.pairs[i], which)] = 1;
    }
    for (uint32_t i = 0; i < all && used; i++) {
        used[i] = used[i] || list->leaf[which][i] != 0;
        f->count += used[i];
    }
    f->facet = used ? sc_alloc(f->count, sizeof *f->facet) : NULL;
    for (uint32_t i = 0, place = 0; i < all && f->facet; i++) {
        if (used[i]) {
            f->facet[place++] = i;
        }
    }
    sc_free(used);
    return f->facet != NULL;
}

static bool is_lower(const void *facet, const void *number)
{
    return *(const uint32_t *)facet < *(const uint32_t *)number;
}

uint32_t sc_gap_place(const sc_gap_facets *f, uint32_t number)
{
    return (uint32_t)sc_lower_bound(f->facet, f->count, sizeof *f->facet, is_lower, &number);
}

/* ---- vertices and edges ---------------------------------------------------- */

/* A vertex, or an edge by the numbers of its ends, of corner 3 i + k of facet i. */
typedef struct place {
    double key[3];
    uint32_t corner;
} place;

static int by_key(const void *x, const void *y)
{
    const double *a = ((const place *)x)->key, *b = ((const place *)y)->key;
    for (int k = 0; k < 3; k++) {
        if (a[k] != b[k]) {
            return a[k] < b[k] ? -1 : 1;
        }
    }
    return 0;
}

/* Numbers places, equal ones alike; they are sorted by that then. */
static bool number_places(place *places, size_t count, sc_watch *watch, uint32_t (*number)[3],
                          uint32_t *numbers)
{
    if (!sc_sort_items(places, count, sizeof *places, by_key, watch)) {
        return false;
    }
    *numbers = 0;
    for (size_t i = 0; i < count; i++) {
        *numbers += i == 0 || by_key(&places[i - 1], &places[i]) != 0;
        number[places[i].corner / 3][places[i].corner % 3] = *numbers - 1;
    }
    return true;
}

static bool number_vertices(const sc_part *part, place *places, sc_watch *watch, sc_gap_facets *f)
{
    const size_t corners = 3 * (size_t)f->count;
    for (uint32_t i = 0; i < f->count; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(&part->mesh->file.facets, &part->used, f->facet[i], v);
        for (uint32_t k = 0; k < 3; k++) {
            places[3 * i + k] = (place){{v[k].x, v[k].y, v[k].z}, 3 * i + k};
        }
    }
    if (!number_places(places, corners, watch, f->vertex, &f->vertices)) {
        return false;
    }
    f->points = sc_alloc(f->vertices, sizeof *f->points);
    for (size_t i = 0; i < corners && f->points; i++) {
        const uint32_t corner = places[i].corner;
        f->points[f->vertex[corner / 3][corner % 3]] = sc_vec3_of(places[i].key);
    }
    return f->points != NULL;
}

static bool make_spheres(sc_gap_facets *f)
{
    f->sphere = sc_alloc(f->count, sizeof *f->sphere);
    for (uint32_t i = 0; i < f->count && f->sphere; i++) {
        sc_vec3 v[3];
        sc_gap_corners(f, i, v);
        const sc_triangle t = sc_triangle_make(v);
        f->sphere[i] = (sc_gap_sphere){t.centre, t.radius};
    }
    return f->sphere != NULL;
}

static bool number_edges(place *places, sc_watch *watch, sc_gap_facets *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t u = f->vertex[i][k], v = f->vertex[i][(k + 1) % 3];
            places[3 * i + k] = (place){{u < v ? u : v, u < v ? v : u, 0.0}, 3 * i + k};
        }
    }
    return number_places(places, 3 * (size_t)f->count, watch, f->edge, &f->edges);
}

bool sc_gap_facets_make(const sc_part *part, int which, const sc_gap_list *list, sc_watch *watch,
                        sc_gap_facets *f)
{
    *f = (sc_gap_facets){.count = 0};
    if (!list_facets(part, which, list, f)) {
        return false;
    }
    place *places = sc_alloc(3 * (size_t)f->count, sizeof *places);
    f->vertex = sc_alloc(f->count, sizeof *f->vertex);
    f->edge = sc_alloc(f->count, sizeof *f->edge);
    const bool good = places && f->vertex && f->edge && number_vertices(part, places, watch, f) &&
                      number_edges(places, watch, f) && make_spheres(f);
    sc_free(places);
    return good;
}

void sc_gap_facets_free(sc_gap_facets *f)
{
    sc_free(f->facet);
    sc_free(f->sphere);
    sc_free(f->points);
    sc_free(f->vertex);
    sc_free(f->edge);
    *f = (sc_gap_facets){.count = 0};
}
