/* contact.c - see contact.h. */
#include "contact.h"

#include "base/alloc.h"
#include "geom/orient.h"

/* Planes that are told apart when it comes to which has the largest share; the rest
 * count for the area only. */
enum { MAX_PLANES = 256 };

typedef struct point2 {
    double x, y;
} point2;

/* Normals within this of each other are of one plane, or of parallel ones. */
static const double same_direction = 1.0 - 1e-12;

static bool coplanar(const sc_vec3 a[3], const sc_vec3 b[3])
{
    for (int i = 0; i < 3; i++) {
        if (sc_orient3d(b[0], b[1], b[2], a[i]) != 0) {
            return false;
        }
    }
    return sc_projection_axis(a[0], a[1], a[2]) >= 0 && sc_projection_axis(b[0], b[1], b[2]) >= 0;
}

/* Cuts a convex polygon to the left of the line from p to q (Sutherland, Hodgman
 * 1974). Each cut adds at most one corner. */
static int cut(const point2 *in, int count, point2 p, point2 q, point2 *out)
{
    int made = 0;
    for (int i = 0; i < count; i++) {
        point2 a = in[i], b = in[(i + 1) % count];
        double sa = (q.x - p.x) * (a.y - p.y) - (q.y - p.y) * (a.x - p.x);
        double sb = (q.x - p.x) * (b.y - p.y) - (q.y - p.y) * (b.x - p.x);
        if (sa >= 0.0) {
            out[made++] = a;
        }
        if ((sa > 0.0 && sb < 0.0) || (sa < 0.0 && sb > 0.0)) {
            double t = sa / (sa - sb);
            out[made++] = (point2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        }
    }
    return made;
}

/* The area that two triangles have in common in the projection along the axis. */
static double common_area(const sc_vec3 a[3], const sc_vec3 b[3], int axis)
{
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    point2 polygon[8], next[8], clip[3];
    int count = 3;
    bool turned = sc_orient2d(b[0], b[1], b[2], axis) < 0;

    for (int k = 0; k < 3; k++) { /* relative to a[0]: small numbers, small errors */
        polygon[k] = (point2){sc_component(a[k], i) - sc_component(a[0], i),
                              sc_component(a[k], j) - sc_component(a[0], j)};
        sc_vec3 corner = b[turned ? 2 - k : k];
        clip[k] = (point2){sc_component(corner, i) - sc_component(a[0], i),
                           sc_component(corner, j) - sc_component(a[0], j)};
    }
    for (int k = 0; k < 3 && count > 0; k++) {
        count = cut(polygon, count, clip[k], clip[(k + 1) % 3], next);
        for (int m = 0; m < count; m++) {
            polygon[m] = next[m];
        }
    }
    double twice = 0.0;
    for (int k = 0; k < count; k++) {
        point2 p = polygon[k], q = polygon[(k + 1) % count];
        twice += p.x * q.y - p.y * q.x;
    }
    return 0.5 * fabs(twice);
}

/* ---- the pairs that meet, in stretches ----------------------------------- */

/* What a stretch of the hits has. */
typedef struct share {
    double area;
    int plane_count;
    sc_contact_plane planes[MAX_PLANES];
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

static void add_pair(share *to, const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 origin)
{
    if (!coplanar(a, b)) {
        return;
    }
    sc_vec3 n = sc_cross(sc_sub(b[1], b[0]), sc_sub(b[2], b[0]));
    double length = sc_length(n);
    int axis = fabs(n.x) >= fabs(n.y) && fabs(n.x) >= fabs(n.z) ? 0
               : fabs(n.y) >= fabs(n.z)                         ? 1
                                                                : 2;
    double along = fabs(sc_component(n, axis));
    if (!(along > 0.0) ||
        sc_orient2d(a[0], a[1], a[2], axis) == sc_orient2d(b[0], b[1], b[2], axis)) {
        return; /* walls on the same side do not touch, they coincide */
    }
    double area = common_area(a, b, axis) * length / along;
    to->area += area;
    if (area > 0.0) {
        sc_vec3 normal = sc_scale(n, 1.0 / length);
        double at = sc_dot(normal, sc_sub(b[0], origin));
        add_plane(to, &(sc_contact_plane){normal, at, at, area});
    }
}

typedef struct finding {
    sc_solid *const *solid;
    const uint64_t *hits;
    size_t hit_count;
    sc_vec3 origin; /* of the planes */
    share *shares;
} finding;

/* So many hits that threads pay off; the same for any number of threads, for so is the sum. */
enum { STRETCH = 4096 };

static void look_at_stretch(void *context, int number)
{
    finding *f = context;
    share *s = &f->shares[number];
    size_t first = (size_t)number * STRETCH;
    size_t end = first + STRETCH < f->hit_count ? first + STRETCH : f->hit_count;

    s->area = 0.0;
    s->plane_count = 0;
    for (size_t h = first; h < end; h++) {
        sc_vec3 a[3], b[3];
        sc_solid_facet(f->solid[0], (uint32_t)(f->hits[h] >> 32), a);
        sc_solid_facet(f->solid[1], (uint32_t)f->hits[h], b);
        add_pair(s, a, b, f->origin);
    }
}

bool sc_contact_find(sc_solid *const solid[2], const uint64_t *hits, size_t hit_count,
                     sc_crew *crew, sc_contact *contact)
{
    size_t stretches = (hit_count + STRETCH - 1) / STRETCH;
    share *shares = sc_alloc(stretches, sizeof *shares), all = {.area = 0.0};
    const sc_box *bounds = &solid[0]->part->used_bounds;
    finding f = {.solid = solid,
                 .hits = hits,
                 .hit_count = hit_count,
                 .origin = sc_box_centre(bounds),
                 .shares = shares};

    *contact = (sc_contact){.area = 0.0};
    if (!shares) {
        return false;
    }
    sc_crew_items(crew, (int)stretches, look_at_stretch, &f);
    for (size_t i = 0; i < stretches; i++) {
        all.area += shares[i].area;
        for (int k = 0; k < shares[i].plane_count; k++) {
            add_plane(&all, &shares[i].planes[k]);
        }
    }
    sc_free(shares);
    contact->area = all.area;
    for (int i = 0, best = -1; i < all.plane_count; i++) {
        contact->away = sc_mul_add(contact->away, all.planes[i].area, all.planes[i].normal);
        if (best < 0 || all.planes[i].area > all.planes[best].area) {
            best = i;
            contact->has_normal = true;
            contact->normal = all.planes[i].normal;
        }
    }
    contact->apart = sc_contact_shift(all.planes, all.plane_count, contact->away, f.origin,
                                      sc_box_extent(bounds));
    return true;
}
