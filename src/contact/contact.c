/* contact.c - see contact.h. */
#include "contact.h"

#include "base/alloc.h"
#include "fins.h"

/* Planes that are told apart when it comes to which has the largest share; the rest
 * count for the area only. */
enum { MAX_PLANES = 256 };

/* Normals within this of each other are of one plane, or of parallel ones. */
static const double same_direction = 1.0 - 1e-12;

/* The same of faces that rounding may have tilted. */
static const double like_direction = 1.0 - 1e-9;

/* ---- the pairs that may touch, in stretches ------------------------------ */

/* Facets that touch and face one way: the first one's unit normal out of solid[1], and the sum of
 * all by area. */
typedef struct facing {
    sc_vec3 normal, sum;
    double area;
} facing;

/* What a stretch of the pairs has. */
typedef struct share {
    double area;
    bool some_walls; /* facets that are flush and face the same way */
    bool failed;
    int plane_count, facing_count;
    sc_contact_plane planes[MAX_PLANES]; /* of what is flush exactly */
    facing facings[MAX_PLANES];          /* of all that touches */
} share;

static void add_plane(share *to, const sc_contact_plane *plane)
{
    for (int i = 0; i < to->plane_count; i++) {
        sc_contact_plane *same = &to->planes[i];
        if (sc_dot(same->normal, plane->normal) > same_direction) {
            same->low = fmin(same->low, plane->low);
            same->high = fmax(same->high, plane->high);
            same->area += plane->area;
            return;
        }
    }
    if (to->plane_count < MAX_PLANES) {
        to->planes[to->plane_count++] = *plane;
    }
}

static void add_facing(share *to, const facing *f)
{
    for (int i = 0; i < to->facing_count; i++) {
        facing *same = &to->facings[i];
        if (sc_dot(same->normal, f->normal) > like_direction) {
            same->sum = sc_add(same->sum, f->sum);
            same->area += f->area;
            return;
        }
    }
    if (to->facing_count < MAX_PLANES) {
        to->facings[to->facing_count++] = *f;
    }
}

typedef struct finding {
    const sc_contact_request *request;
    sc_vec3 origin; /* of the planes */
    share *shares;
    atomic_char *walls[2]; /* [facets] 1: flush with one of the other part, and facing the same
                              way; NULL: nobody asks for them */
} finding;

/* A facet of either part. */
typedef struct pair {
    uint32_t facet[2];
    sc_vec3 v[2][3];
} pair;

/* Whether one of them bounds nothing. What lies on it the other way round is a wall of the other
 * one then; where they have no more than an edge in common, but for rounding, perhaps not. */
static bool has_fin(const finding *f, const pair *p, double area, share *to)
{
    const sc_contact_request *r = f->request;
    const bool no_more_than_edge = area <= 0x1p-40 * sc_length(sc_area_twice(p->v[1]));
    bool fin = false;
    for (int i = 0; i < 2 && f->walls[0] && !fin; i++) {
        if (no_more_than_edge || atomic_load(&f->walls[1 - i][p->facet[1 - i]])) {
            sc_surface own = {.solid = r->solid[i],
                              .margin = sc_parts_reach(r->solid[0]->part, r->solid[1]->part) *
                                        SC_SURFACE_MARGIN};
            to->failed = !sc_is_fin(&own, p->facet[i], &fin) || to->failed;
        }
    }
    return fin;
}

static void add_pair(const finding *f, const pair *p, share *to)
{
    const sc_vec3 *a = p->v[0], *b = p->v[1];
    bool opposed;
    double area = sc_tri_flush_area(a, b, &f->request->within, &opposed);
    if (area > 0.0 && !opposed) {
        to->some_walls = true; /* on the same side they do not touch, they coincide */
    }
    if (!(area > 0.0) || !opposed || has_fin(f, p, area, to)) {
        return;
    }
    sc_vec3 n = sc_area_twice(b);
    sc_vec3 normal = sc_scale(n, 1.0 / sc_length(n));
    to->area += area;
    add_facing(to, &(facing){normal, sc_scale(normal, area), area});
    if (sc_tri_coplanar(a, b)) {
        double at = sc_dot(normal, sc_sub(b[0], f->origin));
        add_plane(to, &(sc_contact_plane){normal, at, at, area});
    }
}

static void mark_walls(const finding *f, const pair *p, share *to)
{
    bool opposed;
    (void)to;
    if (sc_tri_flush_area(p->v[0], p->v[1], &f->request->within, &opposed) > 0.0 && !opposed) {
        for (int i = 0; i < 2; i++) {
            atomic_store(&f->walls[i][p->facet[i]], 1);
        }
    }
}

/* So many pairs that threads pay off; the same for any number of threads, for so is the sum. */
enum { STRETCH = 4096 };

static void for_stretch(const finding *f, int number,
                        void (*look)(const finding *f, const pair *p, share *to))
{
    const sc_contact_request *r = f->request;
    size_t all = r->hit_count + r->beside_count, first = (size_t)number * STRETCH;
    size_t end = first + STRETCH < all ? first + STRETCH : all;

    for (size_t i = first; i < end && !sc_watch_ends(r->solid[0]->watch, i); i++) {
        uint64_t numbers = i < r->hit_count ? r->hits[i] : r->beside[i - r->hit_count];
        pair p = {.facet = {(uint32_t)(numbers >> 32), (uint32_t)numbers}};
        sc_solid_facet(r->solid[0], p.facet[0], p.v[0]);
        sc_solid_facet(r->solid[1], p.facet[1], p.v[1]);
        look(f, &p, &f->shares[number]);
    }
}

/* What is listed in it stays as it is: that is long. */
static void clear_share(share *s)
{
    s->area = 0.0;
    s->some_walls = s->failed = false;
    s->plane_count = s->facing_count = 0;
}

static void add_stretch(void *context, int number)
{
    const finding *f = context;
    clear_share(&f->shares[number]);
    for_stretch(f, number, add_pair);
}

static void mark_stretch(void *context, int number)
{
    for_stretch(context, number, mark_walls);
}

static void put_together(share *all, const share *shares, size_t count, sc_watch *watch)
{
    clear_share(all);
    for (size_t i = 0; i < count && !sc_watch_ends(watch, i); i++) {
        all->area += shares[i].area;
        all->some_walls = all->some_walls || shares[i].some_walls;
        all->failed = all->failed || shares[i].failed;
        for (int k = 0; k < shares[i].plane_count; k++) {
            add_plane(all, &shares[i].planes[k]);
        }
        for (int k = 0; k < shares[i].facing_count; k++) {
            add_facing(all, &shares[i].facings[k]);
        }
    }
}

/* The direction in which most touches. */
static void choose_normal(const share *all, sc_contact *contact)
{
    for (int i = 0, best = -1; i < all->facing_count; i++) {
        const facing *f = &all->facings[i];
        if (best < 0 || f->area > all->facings[best].area) {
            best = i;
            contact->has_normal = true;
            contact->normal = sc_unit(f->sum);
        }
    }
}

/* All over again, where something may touch that bounds nothing. */
static bool leave_out_fins(finding *f, share *all, size_t stretches)
{
    const sc_contact_request *r = f->request;
    for (int i = 0; i < 2; i++) {
        f->walls[i] = sc_calloc(r->solid[i]->part->mesh->file.facets.count, sizeof *f->walls[i]);
    }
    bool good = f->walls[0] && f->walls[1];
    if (good) {
        sc_crew_items(r->crew, (int)stretches, mark_stretch, f);
        sc_crew_items(r->crew, (int)stretches, add_stretch, f);
        put_together(all, f->shares, stretches, r->solid[0]->watch);
    }
    sc_free(f->walls[0]);
    sc_free(f->walls[1]);
    return good && !all->failed;
}

bool sc_contact_find(const sc_contact_request *request, sc_contact *contact)
{
    size_t pairs = request->hit_count + request->beside_count;
    size_t stretches = (pairs + STRETCH - 1) / STRETCH;
    share *shares = sc_alloc(stretches + 1, sizeof *shares); /* the last for all of them */
    const sc_box *bounds = &request->solid[0]->part->used_bounds;
    sc_watch *watch = request->solid[0]->watch;
    finding f = {.request = request, .origin = sc_box_centre(bounds), .shares = shares};

    *contact = (sc_contact){.area = 0.0};
    if (!shares) {
        return false;
    }
    share *all = &shares[stretches];
    sc_crew_items(request->crew, (int)stretches, add_stretch, &f);
    put_together(all, shares, stretches, watch);
    if (sc_watch_is_over(watch)) {
        sc_free(shares);
        return false;
    }
    choose_normal(all, contact); /* of fins if nothing else touches */
    if (all->some_walls && all->area > 0.0 && !leave_out_fins(&f, all, stretches)) {
        sc_free(shares);
        return false;
    }
    contact->area = all->area;
    choose_normal(all, contact);
    for (int i = 0; i < all->plane_count; i++) {
        contact->away = sc_mul_add(contact->away, all->planes[i].area, all->planes[i].normal);
    }
    contact->apart = sc_contact_shift(all->planes, all->plane_count, contact->away, f.origin,
                                      sc_box_extent(bounds));
    sc_free(shares);
    return true;
}
