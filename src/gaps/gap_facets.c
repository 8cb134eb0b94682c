/* gap_facets.c - see gap_facets.h. */
#include "gap_facets.h"

#include "base/alloc.h"
#include "base/lower_bound.h"
#include "base/sort.h"
#include "geom/box.h"

/* ---- which facets --------------------------------------------------------- */

/* Gives facets of leaves their places for their numbers. */
static void put_in_place(sc_gap_facets *f, const uint32_t *place)
{
    for (uint32_t i = 0; i < f->leaf_count; i++) {
        sc_gap_leaf *leaf = &f->leaves[i];
        for (uint32_t k = 0; k < leaf->count; k++) {
            const uint32_t at = leaf->facet[k] = place[leaf->facet[k]];
            f->leaf[at] = i;
            f->index[at] = (uint8_t)k;
        }
    }
}

/* False if memory ran out. */
static bool list_facets(const sc_part *part, sc_gap_facets *f)
{
    const uint32_t all = part->mesh->file.facets.count;
    uint32_t *place = sc_calloc(all, sizeof *place);

    for (uint32_t i = 0; i < f->leaf_count && place; i++) {
        for (uint32_t k = 0; k < f->leaves[i].count; k++) {
            place[f->leaves[i].facet[k]] = 1;
        }
        f->count += f->leaves[i].count;
    }
    f->facet = sc_alloc(f->count, sizeof *f->facet);
    f->leaf = sc_alloc(f->count, sizeof *f->leaf);
    f->index = sc_alloc(f->count, sizeof *f->index);
    const bool good = place && f->facet && f->leaf && f->index;
    for (uint32_t i = 0, next = 0; i < all && good; i++) {
        if (place[i] != 0) {
            f->facet[next] = i;
            place[i] = next++;
        }
    }
    if (good) {
        put_in_place(f, place);
    }
    sc_free(place);
    return good;
}

static bool is_lower(const void *facet, const void *number)
{
    return *(const uint32_t *)facet < *(const uint32_t *)number;
}

uint32_t sc_gap_place(const sc_gap_facets *f, uint32_t number)
{
    const size_t at = sc_lower_bound(f->facet, f->count, sizeof *f->facet, is_lower, &number);
    return at < f->count && f->facet[at] == number ? (uint32_t)at : f->count;
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

/* ---- spheres ----------------------------------------------------------------- */

static sc_gap_sphere sphere_around(const sc_gap_facets *f, const sc_gap_leaf *leaf)
{
    sc_box box = sc_box_empty();
    double radius = 0.0;
    for (uint32_t i = 0; i < leaf->count; i++) {
        sc_box_add_point(&box, f->sphere[leaf->facet[i]].centre);
    }
    const sc_vec3 centre = sc_box_centre(&box);
    for (uint32_t i = 0; i < leaf->count; i++) {
        const sc_gap_sphere *s = &f->sphere[leaf->facet[i]];
        radius = sc_max(radius, sc_length(sc_sub(s->centre, centre)) + s->radius);
    }
    return (sc_gap_sphere){centre, radius};
}

static bool make_spheres(sc_gap_facets *f)
{
    f->sphere = sc_alloc(f->count, sizeof *f->sphere);
    f->around = sc_alloc(f->leaf_count, sizeof *f->around);
    if (!f->sphere || !f->around) {
        return false;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        const sc_triangle t = sc_gap_triangle(f, i);
        f->sphere[i] = (sc_gap_sphere){t.centre, t.radius};
    }
    for (uint32_t i = 0; i < f->leaf_count; i++) {
        f->around[i] = sphere_around(f, &f->leaves[i]);
    }
    return true;
}

/* ---- all of it ----------------------------------------------------------------- */

bool sc_gap_facets_make(const sc_part *part, int which, sc_gap_list *list, sc_watch *watch,
                        sc_gap_facets *f)
{
    *f = (sc_gap_facets){.leaves = list->leaves[which],
                         .leaf_count = (uint32_t)list->leaf_count[which]};
    list->leaves[which] = NULL;
    list->leaf_count[which] = 0;
    if (!list_facets(part, f)) {
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
    sc_free(f->leaves);
    sc_free(f->around);
    sc_free(f->leaf);
    sc_free(f->index);
    *f = (sc_gap_facets){.count = 0};
}
