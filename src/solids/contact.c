/* contact.c - see contact.h. */
#include "contact.h"

#include "base/alloc.h"

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

static void add_pair(share *to, const sc_vec3 a[3], const sc_vec3 b[3], const sc_flush *within,
                     sc_vec3 origin)
{
    bool opposed;
    double area = sc_tri_flush_area(a, b, within, &opposed);
    if (!(area > 0.0) || !opposed) {
        return; /* walls on the same side do not touch, they coincide */
    }
    sc_vec3 n = sc_area_twice(b);
    sc_vec3 normal = sc_scale(n, 1.0 / sc_length(n));
    to->area += area;
    add_facing(to, &(facing){normal, sc_scale(normal, area), area});
    if (sc_tri_coplanar(a, b)) {
        double at = sc_dot(normal, sc_sub(b[0], origin));
        add_plane(to, &(sc_contact_plane){normal, at, at, area});
    }
}

typedef struct finding {
    const sc_contact_request *request;
    sc_vec3 origin; /* of the planes */
    share *shares;
} finding;

/* So many pairs that threads pay off; the same for any number of threads, for so is the sum. */
enum { STRETCH = 4096 };

static void look_at_stretch(void *context, int number)
{
    finding *f = context;
    const sc_contact_request *r = f->request;
    share *s = &f->shares[number];
    size_t all = r->hit_count + r->beside_count, first = (size_t)number * STRETCH;
    size_t end = first + STRETCH < all ? first + STRETCH : all;

    s->area = 0.0;
    s->plane_count = s->facing_count = 0;
    for (size_t i = first; i < end; i++) {
        uint64_t pair = i < r->hit_count ? r->hits[i] : r->beside[i - r->hit_count];
        sc_vec3 a[3], b[3];
        sc_solid_facet(r->solid[0], (uint32_t)(pair >> 32), a);
        sc_solid_facet(r->solid[1], (uint32_t)pair, b);
        add_pair(s, a, b, &r->within, f->origin);
    }
}

static void put_together(share *all, const share *shares, size_t count)
{
    all->area = 0.0;
    all->plane_count = all->facing_count = 0;
    for (size_t i = 0; i < count; i++) {
        all->area += shares[i].area;
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

bool sc_contact_find(const sc_contact_request *request, sc_contact *contact)
{
    size_t pairs = request->hit_count + request->beside_count;
    size_t stretches = (pairs + STRETCH - 1) / STRETCH;
    share *shares = sc_alloc(stretches + 1, sizeof *shares); /* the last for all of them */
    const sc_box *bounds = &request->solid[0]->part->used_bounds;
    finding f = {.request = request, .origin = sc_box_centre(bounds), .shares = shares};

    *contact = (sc_contact){.area = 0.0};
    if (!shares) {
        return false;
    }
    share *all = &shares[stretches];
    sc_crew_items(request->crew, (int)stretches, look_at_stretch, &f);
    put_together(all, shares, stretches);
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
