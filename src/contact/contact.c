/* contact.c - see contact.h. */
#include "contact.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "layers.h"
#include "overlaid.h"
#include "pair.h"

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
    uint64_t visited; /* facets that were looked at for what lies over others of their part */
    bool some_walls;  /* facets that are flush and face the same way */
    bool failed;
    uint64_t *touching; /* [touching_count] pairs that face each other, sorted within hits and
                           beside */
    size_t touching_count, touching_capacity;
    int plane_count, facing_count;
    sc_contact_plane planes[MAX_PLANES]; /* of what is flush exactly */
    facing facings[MAX_PLANES];          /* of all that touches */
} share;

static void add_plane(share *to, const sc_contact_plane *plane)
{
    for (int i = 0; i < to->plane_count; i++) {
        sc_contact_plane *same = &to->planes[i];
        if (sc_dot(same->normal, plane->normal) > same_direction) {
            same->low = sc_fmin(same->low, plane->low);
            same->high = sc_fmax(same->high, plane->high);
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

/* What is known of a facet: that others of its part may lie on what of the other part it is flush
 * with; and whether it bounds something, once that was asked. */
enum { LAYERED = 1, FIN = 2, NO_FIN = 4 };

typedef struct finding {
    const sc_contact_request *request;
    sc_vec3 origin; /* of the planes */
    share *shares;
    atomic_char *known[2]; /* [facets] of these; NULL: nobody asks for them yet */
} finding;

/* At one pair after the other. */
typedef struct looking {
    const finding *f;
    share *to;
} looking;

static bool is_layered(const finding *f, const sc_contact_pair *p)
{
    return (atomic_load(&f->known[0][p->facet[0]]) | atomic_load(&f->known[1][p->facet[1]])) &
           LAYERED;
}

/* Facets of fans meet many in no more than an edge: each is looked at once. */
static bool is_fin(const finding *f, int side, uint32_t facet, bool *fin, uint64_t *visited)
{
    atomic_char *known = &f->known[side][facet];
    const int told = atomic_load(known) & (FIN | NO_FIN);
    bool good = true;
    *fin = told == FIN;
    if (!told) {
        good = sc_layers_is_fin(f->request, side, facet, fin, visited);
        atomic_fetch_or(known, *fin ? FIN : NO_FIN);
    }
    return good;
}

/* What of the area counts where others lie on the facets. Where they have no more than an edge in
 * common, but for rounding, all of it unless one of them bounds nothing. */
static double area_of_layers(const finding *f, const sc_contact_pair *p, double area, bool edge,
                             share *to)
{
    bool good = true;
    if (edge) {
        bool fin = false;
        for (int side = 0; side < 2 && good && !fin; side++) {
            good = is_fin(f, side, p->facet[side], &fin, &to->visited);
        }
        area = fin ? 0.0 : area;
    } else {
        good = sc_layers_touching(f->request, p, &area, &to->visited);
    }
    to->failed = to->failed || !good;
    return area;
}

/* For a look at which of them lie over each other. */
static void note_touching(const sc_contact_pair *p, share *to)
{
    if (sc_make_room(&to->touching, &to->touching_capacity, to->touching_count + 1,
                     sizeof *to->touching)) {
        to->touching[to->touching_count++] = sc_pair(p->facet[0], p->facet[1]);
    } else {
        to->failed = true;
    }
}

static void add_pair(void *context, const sc_contact_pair *p)
{
    const looking *l = context;
    const finding *f = l->f;
    share *to = l->to;
    const sc_vec3 *a = p->v[0], *b = p->v[1];
    bool opposed;
    double area = sc_tri_flush_area(a, b, &f->request->within, &opposed);
    if (area > 0.0 && !opposed) {
        to->some_walls = true; /* on the same side they do not touch, they coincide */
    }
    if (!(area > 0.0) || !opposed) {
        return;
    }
    sc_vec3 n = sc_area_twice(b);
    const bool edge = area <= 0x1p-40 * sc_length(n);
    if (!f->known[0]) {
        if (!edge) {
            note_touching(p, to);
        }
    } else if (edge || is_layered(f, p)) {
        area = area_of_layers(f, p, area, edge, to);
        if (!(area > 0.0)) {
            return;
        }
    }
    sc_vec3 normal = sc_scale(n, 1.0 / sc_length(n));
    to->area += area;
    add_facing(to, &(facing){normal, sc_scale(normal, area), area});
    if (sc_tri_coplanar(a, b)) {
        double at = sc_dot(normal, sc_sub(b[0], f->origin));
        add_plane(to, &(sc_contact_plane){normal, at, at, area});
    }
}

/* What faces the same way as one of the other part lies on those of its own that face that. */
static void mark_walls(void *context, const sc_contact_pair *p)
{
    const finding *f = context;
    bool opposed;
    if (sc_tri_flush_area(p->v[0], p->v[1], &f->request->within, &opposed) > 0.0 && !opposed) {
        for (int i = 0; i < 2; i++) {
            atomic_fetch_or(&f->known[i][p->facet[i]], LAYERED);
        }
    }
}

/* What is listed in it stays as it is: that is long. */
static void clear_share(share *s)
{
    s->area = 0.0;
    s->visited = 0;
    s->some_walls = s->failed = false;
    s->plane_count = s->facing_count = 0;
}

static void add_stretch(void *context, int number)
{
    const finding *f = context;
    looking l = {f, &f->shares[number]};
    clear_share(l.to);
    sc_contact_look(f->request, (size_t)number, add_pair, &l);
}

static void mark_stretch(void *context, int number)
{
    const finding *f = context;
    sc_contact_look(f->request, (size_t)number, mark_walls, context);
}

static void put_together(share *all, const share *shares, size_t count, sc_watch *watch)
{
    clear_share(all);
    for (size_t i = 0; i < count && !sc_watch_ends(watch, i); i++) {
        all->area += shares[i].area;
        all->visited += shares[i].visited;
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

/* ---- what lies over each other ------------------------------------------------------------ */

/* Pairs that touch, those of each facet of solid[1 - side] in a row. */
typedef struct rows {
    finding *f;
    int side;
    const uint64_t *pairs; /* [count] that facet << 32 | one of solid[side], sorted */
    size_t count;
    atomic_bool *failed, *some;
} rows;

/* The facets of one row. */
static bool mark_row(const rows *r, const uint64_t *row, uint32_t count)
{
    enum { FEW = 24 };
    sc_solid *const *solid = r->f->request->solid;
    sc_vec3 few[FEW][3], within[3];
    bool marked_few[FEW];
    sc_overlaid facets = {.within = within, .v = few, .count = count, .marked = marked_few};

    if (count > FEW) {
        facets.v = sc_alloc(count, sizeof *facets.v);
        facets.marked = sc_alloc(count, sizeof *facets.marked);
    }
    bool good = facets.v && facets.marked;
    if (good) {
        sc_solid_facet(solid[1 - r->side], sc_pair_facet(row[0], 0), within);
        for (uint32_t i = 0; i < count; i++) {
            sc_solid_facet(solid[r->side], sc_pair_facet(row[i], 1), facets.v[i]);
        }
        good = sc_overlaid_mark(&facets);
    }
    for (uint32_t i = 0; i < count && good; i++) {
        if (facets.marked[i]) {
            atomic_fetch_or(&r->f->known[r->side][sc_pair_facet(row[i], 1)], LAYERED);
            atomic_store(r->some, true);
        }
    }
    if (count > FEW) {
        sc_free(facets.v);
        sc_free(facets.marked);
    }
    return good;
}

/* Those that begin in this stretch. */
static void mark_rows(void *context, int number)
{
    const rows *r = context;
    const size_t end = (size_t)(number + 1) * SC_CONTACT_STRETCH;
    size_t first = (size_t)number * SC_CONTACT_STRETCH;

    while (first > 0 && first < r->count && first < end &&
           sc_pair_facet(r->pairs[first], 0) == sc_pair_facet(r->pairs[first - 1], 0)) {
        first++;
    }
    while (first < r->count && first < end) {
        size_t next = first + 1;
        while (next < r->count &&
               sc_pair_facet(r->pairs[next], 0) == sc_pair_facet(r->pairs[first], 0)) {
            next++;
        }
        if (sc_watch_is_over(r->f->request->solid[0]->watch)) {
            return;
        }
        if (next - first > 1 && !mark_row(r, r->pairs + first, (uint32_t)(next - first))) {
            atomic_store(r->failed, true);
        }
        first = next;
    }
}

/* Also those that lie over each other only where one of the other part is: of either part. */
static bool mark_overlaid(finding *f, size_t stretches, bool *some)
{
    atomic_bool failed = false, any = false;
    size_t count = 0, at = 0;
    for (size_t i = 0; i < stretches; i++) {
        count += f->shares[i].touching_count;
    }
    uint64_t *pairs = sc_alloc(count, sizeof *pairs), *scratch = sc_alloc(count, sizeof *scratch);
    bool good = pairs && scratch;
    for (size_t i = 0; i < stretches && good; i++) {
        for (size_t k = 0; k < f->shares[i].touching_count; k++) {
            pairs[at++] = f->shares[i].touching[k];
        }
    }
    for (int side = 1; side >= 0 && good; side--) {
        rows r = {f, side, pairs, count, &failed, &any};
        for (size_t i = 0; i < count && side == 0; i++) {
            pairs[i] = sc_pair_turned(pairs[i]);
        }
        sc_sort_keys(pairs, scratch, count, 0, 64);
        sc_crew_items(f->request->crew, (int)sc_contact_stretches(count), mark_rows, &r);
        good = !atomic_load(&failed);
    }
    *some = atomic_load(&any);
    sc_free(pairs);
    sc_free(scratch);
    return good;
}

/* All over again, where some that touch lie over others of their own part. */
static bool look_at_layers(finding *f, share *all, size_t stretches)
{
    const sc_contact_request *r = f->request;
    bool overlaid = false;
    for (int i = 0; i < 2; i++) {
        f->known[i] = sc_calloc(r->solid[i]->part->mesh->file.facets.count, sizeof *f->known[i]);
    }
    bool good = f->known[0] && f->known[1] && mark_overlaid(f, stretches, &overlaid);
    if (good && (all->some_walls || overlaid)) {
        sc_crew_items(r->crew, (int)stretches, mark_stretch, f);
        sc_crew_items(r->crew, (int)stretches, add_stretch, f);
        put_together(all, f->shares, stretches, r->solid[0]->watch);
    }
    sc_free(f->known[0]);
    sc_free(f->known[1]);
    return good && !all->failed && !sc_watch_is_over(r->solid[0]->watch);
}

static void free_shares(share *shares, size_t stretches)
{
    for (size_t i = 0; i < stretches; i++) {
        sc_free(shares[i].touching);
    }
    sc_free(shares);
}

bool sc_contact_find(const sc_contact_request *request, sc_contact *contact)
{
    const size_t stretches = sc_contact_stretches(request->hit_count + request->beside_count);
    share *shares = sc_alloc(stretches + 1, sizeof *shares); /* the last for all of them */
    const sc_box *bounds = &request->solid[0]->part->used_bounds;
    sc_watch *watch = request->solid[0]->watch;
    finding f = {.request = request, .origin = sc_box_centre(bounds), .shares = shares};

    *contact = (sc_contact){.area = 0.0};
    if (!shares) {
        return false;
    }
    share *all = &shares[stretches];
    for (size_t i = 0; i < stretches; i++) {
        shares[i].touching = NULL;
        shares[i].touching_count = shares[i].touching_capacity = 0;
    }
    sc_crew_items(request->crew, (int)stretches, add_stretch, &f);
    put_together(all, shares, stretches, watch);
    choose_normal(all, contact); /* of fins if nothing else touches */
    contact->some_alike = all->some_walls;
    contact->some_opposed = all->area > 0.0;
    bool good = !all->failed && !sc_watch_is_over(watch);
    good = good && (!(all->area > 0.0) || look_at_layers(&f, all, stretches));
    if (!good) {
        free_shares(shares, stretches);
        return false;
    }
    contact->area = all->area;
    contact->visited = all->visited;
    choose_normal(all, contact);
    for (int i = 0; i < all->plane_count; i++) {
        contact->away = sc_mul_add(contact->away, all->planes[i].area, all->planes[i].normal);
    }
    contact->apart = sc_contact_shift(all->planes, all->plane_count, contact->away, f.origin,
                                      sc_box_extent(bounds));
    free_shares(shares, stretches);
    return true;
}
