/* fins.c - see fins.h. By area, for either side may be divided into facets of its own; as stored,
 * where what was coplanar still is. */
#include "fins.h"

#include "geom/tri_flush.h"

/* Of the area, what counts as all of it. */
static const double nearly_all = 1.0 - 1e-9;

/* A facet, and by how much others lie on it. */
typedef struct cover {
    const sc_solid *solid;
    uint32_t facet;
    sc_vec3 v[3];
    double area, covered;
} cover;

static double area_of(const sc_vec3 v[3])
{
    return 0.5 * sc_length(sc_area_twice(v));
}

static void load_stored(const sc_solid *solid, uint32_t facet, sc_vec3 v[3])
{
    const bool turned = solid->orientation && solid->orientation[facet] < 0;
    float xyz[9];
    sc_facet_load(&solid->part->mesh->file.facets, facet, xyz);
    for (int k = 0; k < 3; k++) {
        const float *at = xyz + 3 * (turned ? 2 - k : k);
        v[k] = (sc_vec3){(double)at[0], (double)at[1], (double)at[2]};
    }
}

/* Of those that face one way, which takes its share of those on them before the other does: the
 * larger one, as layers are mostly divided each into its own size. */
static bool takes_before(const cover *c, uint32_t facet, const sc_vec3 v[3])
{
    const double area = area_of(v);
    return area > c->area || (area == c->area && facet < c->facet);
}

static bool add_cover(void *context, uint32_t facet, const sc_vec3 placed[3])
{
    const sc_flush exactly = sc_flush_all_over(0.0);
    cover *c = context;
    sc_vec3 v[3];
    bool opposed;

    (void)placed;
    if (facet == c->facet) {
        return true;
    }
    load_stored(c->solid, facet, v);
    double area = sc_tri_flush_area(c->v, v, &exactly, &opposed);
    if (opposed) {
        c->covered += area;
    } else if (area > 0.0 && takes_before(c, facet, v)) {
        c->covered -= area;
    }
    return true;
}

bool sc_is_fin(sc_surface *own, uint32_t facet, bool *fin)
{
    cover c = {.solid = own->solid, .facet = facet};
    sc_walk walk = {.facet = add_cover, .context = &c};
    sc_vec3 placed[3];

    sc_solid_facet(own->solid, facet, placed);
    load_stored(own->solid, facet, c.v);
    c.area = area_of(c.v);
    walk.within = sc_box_of_points(placed, 3);
    bool good = sc_surface_walk(own, &walk);
    *fin = good && c.covered >= nearly_all * c.area;
    return good;
}
