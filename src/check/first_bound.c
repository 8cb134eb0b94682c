/* first_bound.c - see first_bound.h. */
#include "first_bound.h"

#include "geom/facet_distance.h"

/* More samples cost more than their better bound saves; fewer leave whole blocks
 * in play that a search then has to open. */
enum { MAX_SAMPLES = 256, MIN_SAMPLES = 16, TRIANGLES_PER_SAMPLE = 64 };

typedef struct samples {
    int count;
    uint32_t triangle[MAX_SAMPLES];
    double x[MAX_SAMPLES], y[MAX_SAMPLES], z[MAX_SAMPLES];
} samples;

/* The first vertices of triangles at even distances in the file. */
static void take_samples(const sc_part *part, samples *s)
{
    uint32_t triangles = part->mesh->file.facets.count;
    uint32_t wanted = triangles / TRIANGLES_PER_SAMPLE;

    wanted = wanted < MIN_SAMPLES ? MIN_SAMPLES : wanted > MAX_SAMPLES ? MAX_SAMPLES : wanted;
    wanted = wanted > triangles ? triangles : wanted;
    s->count = (int)wanted;
    for (uint32_t i = 0; i < wanted; i++) {
        sc_vec3 v[3];
        s->triangle[i] = (uint32_t)((uint64_t)i * triangles / wanted);
        sc_triangle_vertices(&part->mesh->file.facets, &part->used, s->triangle[i], v);
        s->x[i] = v[0].x;
        s->y[i] = v[0].y;
        s->z[i] = v[0].z;
    }
}

void sc_nearest_samples(const sc_part part[2], uint32_t triangle[2])
{
    samples sa, sb;
    double best = INFINITY;

    take_samples(&part[0], &sa);
    take_samples(&part[1], &sb);
    triangle[0] = triangle[1] = 0;
    for (int i = 0; i < sa.count; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < sb.count; j++) { /* the least first: this loop is wide */
            double x = sa.x[i] - sb.x[j], y = sa.y[i] - sb.y[j], z = sa.z[i] - sb.z[j];
            double d = x * x + y * y + z * z;
            nearest = d < nearest ? d : nearest;
        }
        if (nearest >= best) {
            continue;
        }
        best = nearest;
        triangle[0] = sa.triangle[i];
        for (int j = sb.count - 1; j >= 0; j--) {
            double x = sa.x[i] - sb.x[j], y = sa.y[i] - sb.y[j], z = sa.z[i] - sb.z[j];
            if (x * x + y * y + z * z <= nearest) {
                triangle[1] = sb.triangle[j];
            }
        }
    }
}

/* ---- by turns ------------------------------------------------------------ */

/* The facet of a part that is nearest to a point, as far as is known. */
typedef struct nearest {
    const sc_part *part;
    sc_vec3 p, on;
    double distance;
    uint32_t facet;
    int left; /* blocks and facets that may still be looked at */
} nearest;

static void look_at_facet(nearest *n, uint32_t facet)
{
    sc_vec3 v[3], on;
    sc_triangle_vertices(&n->part->mesh->file.facets, &n->part->used, facet, v);
    double distance = sc_facet_distance(n->p, v, &on);
    if (distance < n->distance) {
        n->distance = distance;
        n->on = on;
        n->facet = facet;
    }
}

static void look_at_group(nearest *n, size_t group)
{
    const sc_blocks *blocks = &n->part->mesh->blocks;
    for (size_t b = group * SC_GROUP; b < sc_group_end(blocks, group) && n->left > 0; b++) {
        sc_box box = sc_blocks_placed_box(blocks, &n->part->used, b);
        if (sc_box_point_distance(&box, n->p) < n->distance) {
            uint32_t first, count = sc_block_facets(&n->part->mesh->file.facets, b, &first);
            for (uint32_t i = first; i < first + count; i++) {
                look_at_facet(n, i);
            }
            n->left -= SC_BLOCK;
        }
        n->left--;
    }
}

/* Groups that are nearer than any before first: the others are out of reach then. */
static void look_at_all(nearest *n)
{
    const sc_blocks *blocks = &n->part->mesh->blocks;
    double least = INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t g = 0; g < blocks->group_count && n->left > 0; g++) {
            sc_box box = sc_blocks_placed_group(blocks, &n->part->used, g);
            double distance = sc_box_point_distance(&box, n->p);
            if (distance < n->distance && (pass == 1 || distance < least)) {
                least = distance;
                look_at_group(n, g);
            }
        }
    }
}

/* Blocks and facets that a turn is worth: where facets are long, or the file has no order,
 * nearly all of them may be near. */
static int effort(const sc_part *part)
{
    enum { LEAST = 128, MOST = 10000, FACETS = 32 };
    uint32_t some = part->mesh->file.facets.count / FACETS;
    return some < LEAST ? LEAST : some > MOST ? MOST : (int)some;
}

void sc_nearest_by_turns(const sc_part part[2], uint32_t triangle[2])
{
    enum { TURNS = 8 };
    sc_vec3 v[3], p;
    double last = INFINITY;

    sc_triangle_vertices(&part[0].mesh->file.facets, &part[0].used, triangle[0], v);
    p = v[0];
    for (int turn = 1; turn <= TURNS; turn++) {
        int to = turn % 2;
        nearest n = {.part = &part[to],
                     .p = p,
                     .distance = INFINITY,
                     .facet = triangle[to],
                     .left = effort(&part[to])};
        look_at_facet(&n, triangle[to]);
        look_at_all(&n);
        triangle[to] = n.facet;
        p = n.on;
        if (!(n.distance < 0.99 * last)) {
            return;
        }
        last = n.distance;
    }
}
