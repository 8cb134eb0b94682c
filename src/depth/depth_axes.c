/* depth_axes.c - see depth_axes.h. */
#include "depth_axes.h"

/* Facets that tell, evenly through the files. */
enum { SAMPLES = 128 };

typedef struct walls {
    sc_vec3 area[2 * SAMPLES]; /* along the normal */
    double size[2 * SAMPLES];  /* of it */
    int count;
} walls;

static void add_walls(walls *w, const sc_surface *surface, const sc_box *within)
{
    const uint32_t facets = surface->solid->part->mesh->file.facets.count;
    const uint32_t samples = facets < SAMPLES ? facets : SAMPLES;
    for (uint32_t i = 0; i < samples; i++) {
        sc_vec3 v[3];
        sc_solid_facet(surface->solid, (uint32_t)((uint64_t)i * facets / samples), v);
        const sc_box box = sc_box_of_points(v, 3);
        if (sc_boxes_meet(&box, within)) {
            w->area[w->count] = sc_area_twice(v);
            w->size[w->count] = sc_length(w->area[w->count]);
            w->count++;
        }
    }
}

/* How well the walls lie along or across the axes, up to the sum of their areas. */
static double fit_of(const walls *w, const sc_vec3 axis[3])
{
    double sum = 0.0;
    for (int i = 0; i < w->count; i++) {
        const double size = w->size[i];
        const sc_vec3 n = sc_scale(w->area[i], size > 0.0 ? 1.0 / size : 0.0);
        for (int k = 0; k < 3; k++) {
            const double cosine = sc_dot(n, axis[k]), square = cosine * cosine;
            sum += size * square * square;
        }
    }
    return sum;
}

/* The normal that most area faces, or, where one axis is known, most of what is left across that;
 * zero: none. */
static sc_vec3 most_faced(const walls *w, const sc_vec3 *known)
{
    static const double same = 0.999; /* cosine */
    sc_vec3 best = {0.0, 0.0, 0.0};
    double most = 0.0;
    for (int i = 0; i < w->count; i++) {
        sc_vec3 n = w->area[i];
        n = known ? sc_mul_add(n, -sc_dot(n, *known), *known) : n;
        const double size = sc_length(n);
        if (!(size > 0x1p-10 * w->size[i])) {
            continue;
        }
        n = sc_scale(n, 1.0 / size);
        double sum = 0.0;
        for (int j = 0; j < w->count; j++) {
            const double along = fabs(sc_dot(w->area[j], n));
            sum += along > same * w->size[j] ? along : 0.0;
        }
        if (sum > most) {
            most = sum;
            best = n;
        }
    }
    return best;
}

sc_depth_axes sc_depth_axes_find(const sc_surface surface[2], const sc_box *within)
{
    static const double clearly = 1.05;
    const sc_depth_axes plain = {sc_box_centre(within),
                                 {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                                 sc_max(surface[0].margin, surface[1].margin)};
    sc_depth_axes axes = plain;
    walls w = {.count = 0};
    for (int x = 0; x < 2; x++) {
        add_walls(&w, &surface[x], within);
    }
    axes.axis[0] = most_faced(&w, NULL);
    if (!(sc_dot(axes.axis[0], axes.axis[0]) > 0.0)) {
        return plain;
    }
    axes.axis[0] = sc_unit(axes.axis[0]);
    axes.axis[1] = most_faced(&w, &axes.axis[0]);
    axes.axis[1] = sc_mul_add(axes.axis[1], -sc_dot(axes.axis[1], axes.axis[0]), axes.axis[0]);
    if (!(sc_dot(axes.axis[1], axes.axis[1]) > 0.5)) {
        return plain;
    }
    axes.axis[1] = sc_unit(axes.axis[1]);
    axes.axis[2] = sc_unit(sc_cross(axes.axis[0], axes.axis[1]));
    return fit_of(&w, axes.axis) > clearly * fit_of(&w, plain.axis) ? axes : plain;
}

sc_box sc_depth_axes_box(const sc_depth_axes *axes, const sc_box *box)
{
    sc_box along = sc_box_empty();
    for (int k = 0; k < 8; k++) {
        const sc_vec3 to = sc_sub(sc_box_corner(box, k), axes->origin);
        sc_box_add_point(&along, (sc_vec3){sc_dot(to, axes->axis[0]), sc_dot(to, axes->axis[1]),
                                           sc_dot(to, axes->axis[2])});
    }
    return sc_box_grown(&along, axes->margin);
}

sc_brick sc_depth_axes_brick(const sc_depth_axes *axes, const sc_box *box)
{
    sc_brick brick = {.centre = axes->origin};
    for (int k = 0; k < 3; k++) {
        const double middle = 0.5 * (box->low[k] + box->high[k]);
        const double half = 0.5 * (box->high[k] - box->low[k]) + 0.5 * axes->margin;
        brick.centre = sc_mul_add(brick.centre, middle, axes->axis[k]);
        brick.arm[k] = sc_scale(axes->axis[k], half);
    }
    return brick;
}
