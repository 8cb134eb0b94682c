/* walls.c - see walls.h. */
#include "walls.h"

#include "base/alloc.h"
#include "geom/orient.h"
#include "layers.h"

/* How a facet lies in others of the other part. */
enum { ALIKE = 1, OPPOSED = 2, BOTH_WAYS = ALIKE | OPPOSED };

typedef struct finding {
    const sc_contact_request *request;
    atomic_char *ways[2]; /* [facets]; NULL: not both ways occur */
    sc_walls *shares;     /* [stretches] */
    atomic_bool failed;
} finding;

/* At one pair after the other. */
typedef struct looking {
    finding *f;
    sc_walls *to;
} looking;

static void note_ways(void *context, const sc_contact_pair *p)
{
    finding *f = context;
    bool opposed;
    if (sc_tri_flush_area(p->v[0], p->v[1], &f->request->within, &opposed) > 0.0) {
        for (int i = 0; i < 2; i++) {
            atomic_fetch_or(&f->ways[i][p->facet[i]], opposed ? OPPOSED : ALIKE);
        }
    }
}

/* How much of the area in which facets face each other is that of a wall in between: where one lies
 * in others both ways, walls within its part, which bound nothing, may be among those. */
static double area_between(finding *f, const sc_contact_pair *p, double area)
{
    uint64_t visited = 0;
    if (!f->ways[0] || (atomic_load(&f->ways[0][p->facet[0]]) != BOTH_WAYS &&
                        atomic_load(&f->ways[1][p->facet[1]]) != BOTH_WAYS)) {
        return area;
    }
    if (!sc_layers_with_nothing_behind(f->request, p, &area, &visited)) {
        atomic_store(&f->failed, true);
    }
    return area;
}

/* Of a, cut by the plane of b, what lies inside, in as many triangles as that takes. How far its
 * corners are off that plane may be less than rounding makes of it. */
static int cut_inside(const sc_vec3 a[3], const sc_vec3 b[3], sc_vec3 inside[2][3])
{
    sc_vec3 corner[4];
    double height[3];
    int count = 0;

    for (int i = 0; i < 3; i++) {
        height[i] = sc_orient3d_value(b[0], b[1], b[2], a[i]);
    }
    for (int i = 0; i < 3; i++) {
        const int next = (i + 1) % 3;
        if (height[i] >= 0.0) {
            corner[count++] = a[i];
        }
        if ((height[i] > 0.0 && height[next] < 0.0) || (height[i] < 0.0 && height[next] > 0.0)) {
            const double t = height[i] / (height[i] - height[next]);
            corner[count++] = sc_mul_add(a[i], t, sc_sub(a[next], a[i]));
        }
    }
    for (int i = 0; i + 2 < count; i++) {
        inside[i][0] = corner[0];
        inside[i][1] = corner[i + 1];
        inside[i][2] = corner[i + 2];
    }
    return count < 3 ? 0 : count - 2;
}

/* What part of the area in which a lies flush with b is inside of b. */
static double part_inside(const sc_contact_request *r, const sc_vec3 a[3], const sc_vec3 b[3],
                          const int side[3], double area)
{
    const bool some_in = side[0] > 0 || side[1] > 0 || side[2] > 0;
    const bool some_out = side[0] < 0 || side[1] < 0 || side[2] < 0;

    if (some_in && some_out) {
        sc_vec3 inside[2][3];
        const int count = cut_inside(a, b, inside);
        double sum = 0.0;
        for (int i = 0; i < count; i++) {
            bool opposed;
            sum += sc_tri_flush_area(inside[i], b, &r->within, &opposed);
        }
        return sc_min(sum / area, 1.0);
    }
    return some_in || (!some_out && sc_sos_in_plane(b, &r->solid[0]->shift) > 0) ? 1.0 : 0.0;
}

static void add_pair(void *context, const sc_contact_pair *p)
{
    const looking *l = context;
    const sc_contact_request *r = l->f->request;
    const sc_vec3 *a = p->v[0], *b = p->v[1];
    bool opposed;
    int side[3];

    const double area = sc_tri_flush_area(a, b, &r->within, &opposed);
    if (!(area > 0.0)) {
        return;
    }
    sc_orient3d_of_three(b, a, side);
    const double inside = part_inside(r, a, b, side, area) * area;
    const double counts = 0.5 * (opposed ? area - area_between(l->f, p, area) : area);
    if (counts != inside) {
        const sc_vec3 outwards = sc_unit(sc_area_twice(a));
        l->to->area_vector = sc_mul_add(l->to->area_vector, counts - inside, outwards);
        l->to->area += area;
    }
}

static void note_stretch(void *context, int number)
{
    const finding *f = context;
    sc_contact_look(f->request, (size_t)number, note_ways, context);
}

static void add_stretch(void *context, int number)
{
    finding *f = context;
    looking l = {f, &f->shares[number]};
    *l.to = (sc_walls){.area = 0.0};
    sc_contact_look(f->request, (size_t)number, add_pair, &l);
}

/* Those of each facet, if that matters. */
static bool find_ways(finding *f, int stretches)
{
    const sc_contact_request *r = f->request;
    for (int i = 0; i < 2; i++) {
        f->ways[i] = sc_calloc(r->solid[i]->part->mesh->file.facets.count, sizeof *f->ways[i]);
    }
    const bool good = f->ways[0] && f->ways[1];
    if (good) {
        sc_crew_items(r->crew, stretches, note_stretch, f);
    }
    return good;
}

bool sc_walls_find(const sc_contact_request *request, const sc_contact *contact, sc_walls *walls)
{
    const int stretches = (int)sc_contact_stretches(request->hit_count + request->beside_count);

    *walls = (sc_walls){.area = 0.0};
    if (!contact->some_alike && !contact->some_opposed) {
        return true;
    }
    finding f = {.request = request, .shares = sc_alloc((size_t)stretches, sizeof *f.shares)};
    bool good =
        f.shares && (!contact->some_alike || !contact->some_opposed || find_ways(&f, stretches));
    if (good) {
        sc_crew_items(request->crew, stretches, add_stretch, &f);
    }
    for (int i = 0; i < stretches && good; i++) {
        walls->area_vector = sc_add(walls->area_vector, f.shares[i].area_vector);
        walls->area += f.shares[i].area;
    }
    sc_free(f.shares);
    sc_free(f.ways[0]);
    sc_free(f.ways[1]);
    return good && !atomic_load(&f.failed) && !sc_watch_is_over(request->solid[0]->watch);
}
