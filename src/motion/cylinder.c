/* cylinder.c - see cylinder.h. */
#include "cylinder.h"

#include "base/alloc.h"
#include "base/sort.h"
#include "geom/angle.h"
#include "morton.h"

/* ---- coordinates ------------------------------------------------------------- */

sc_axis sc_axis_of(const sc_screw *screw)
{
    const sc_vec3 z = sc_vec3_of(screw->screw.direction);
    const double across[3] = {fabs(z.x), fabs(z.y), fabs(z.z)};
    double least[3] = {0.0, 0.0, 0.0};
    least[across[0] <= across[1] && across[0] <= across[2] ? 0
          : across[1] <= across[2]                         ? 1
                                                           : 2] = 1.0;
    const sc_vec3 x = sc_unit(sc_cross(sc_vec3_of(least), z));
    return (sc_axis){sc_vec3_of(screw->screw.point), {x, sc_cross(z, x), z}};
}

static sc_vec3 along(const sc_axis *axis, sc_vec3 p)
{
    p = sc_sub(p, axis->origin);
    return (sc_vec3){sc_dot(axis->side[0], p), sc_dot(axis->side[1], p), sc_dot(axis->side[2], p)};
}

static double radius_of(sc_vec3 p)
{
    return sqrt(p.x * p.x + p.y * p.y);
}

/* How near an edge comes to the axis. */
static double radius_of_edge(sc_vec3 p, sc_vec3 q)
{
    const sc_vec3 way = {q.x - p.x, q.y - p.y, 0.0};
    const double length_sq = way.x * way.x + way.y * way.y;
    double share = length_sq > 0.0 ? -(p.x * way.x + p.y * way.y) / length_sq : 0.0;
    share = sc_min(sc_max(share, 0.0), 1.0);
    return radius_of(sc_mul_add(p, share, way));
}

/* The angles of a facet all around the axis, or next to it, are all. */
static void find_angles(const sc_vec3 v[3], double radius, sc_cylinder_box *box)
{
    const double first = sc_atan2(v[0].y, v[0].x);
    double low = 0.0, high = 0.0;
    for (int k = 1; k < 3; k++) {
        double more = sc_atan2(v[k].y, v[k].x) - first;
        more += more > SC_PI ? -2.0 * SC_PI : more < -SC_PI ? 2.0 * SC_PI : 0.0;
        low = sc_min(low, more);
        high = sc_max(high, more);
    }
    const bool all = radius <= 0.0 || high - low > SC_PI - 0x1p-30;
    box->low[SC_ANGLE] = all                    ? -SC_PI
                         : first + low < -SC_PI ? first + low + 2.0 * SC_PI
                                                : first + low;
    box->high[SC_ANGLE] = all ? SC_PI : box->low[SC_ANGLE] + (high - low);
    box->low[SC_RADIUS] = all ? 0.0 : box->low[SC_RADIUS];
}

static sc_cylinder_box box_of(const sc_vec3 v[3])
{
    sc_cylinder_box box = {{INFINITY, 0.0, INFINITY}, {0.0, 0.0, -INFINITY}};
    double largest = 0.0;
    for (int k = 0; k < 3; k++) {
        box.low[SC_RADIUS] = sc_min(box.low[SC_RADIUS], radius_of_edge(v[k], v[(k + 1) % 3]));
        box.high[SC_RADIUS] = sc_max(box.high[SC_RADIUS], radius_of(v[k]));
        box.low[SC_HEIGHT] = sc_min(box.low[SC_HEIGHT], v[k].z);
        box.high[SC_HEIGHT] = sc_max(box.high[SC_HEIGHT], v[k].z);
        largest = sc_max(largest, fabs(v[k].x) + fabs(v[k].y));
    }
    find_angles(v, box.low[SC_RADIUS] - 0x1p-24 * largest, &box);
    return box;
}

static void box_add(sc_cylinder_box *to, const sc_cylinder_box *box)
{
    for (int k = 0; k < 3; k++) {
        to->low[k] = sc_min(to->low[k], box->low[k]);
        to->high[k] = sc_max(to->high[k], box->high[k]);
    }
}

static const sc_cylinder_box none = {{INFINITY, INFINITY, INFINITY},
                                     {-INFINITY, -INFINITY, -INFINITY}};

static sc_cylinder_facet facet_of(const sc_axis *axis, const sc_vec3 v[3])
{
    sc_cylinder_facet facet;
    for (int k = 0; k < 3; k++) {
        facet.v[k] = along(axis, v[k]);
    }
    facet.box = box_of(facet.v);
    return facet;
}

/* Of radius and height alone, around what a block can hold. */
static sc_cylinder_box block_bounds(const sc_part *part, const sc_axis *axis, size_t b)
{
    const sc_box box = sc_blocks_placed_box(&part->mesh->blocks, &part->placement, b);
    const sc_vec3 middle =
        along(axis, sc_scale(sc_add(sc_vec3_of(box.low), sc_vec3_of(box.high)), 0.5));
    const double reach = 0.5 * sc_length(sc_sub(sc_vec3_of(box.high), sc_vec3_of(box.low)));
    const double radius = radius_of(middle);
    return (sc_cylinder_box){{sc_max(radius - reach, 0.0), -SC_PI, middle.z - reach},
                             {radius + reach, SC_PI, middle.z + reach}};
}

sc_cylinder_box sc_cylinder_bounds(const sc_part *part, const sc_axis *axis)
{
    sc_cylinder_box bounds = none;
    for (size_t b = 0; b < part->mesh->blocks.count; b++) {
        const sc_cylinder_box box = block_bounds(part, axis, b);
        box_add(&bounds, &box);
    }
    return bounds;
}

double sc_cylinder_radius(const sc_part *part, const sc_axis *axis)
{
    const sc_facets *facets = &part->mesh->file.facets;
    double largest = 0.0;
    for (size_t b = 0; b < part->mesh->blocks.count; b++) {
        const sc_cylinder_box box = block_bounds(part, axis, b);
        uint32_t first, count = sc_block_facets(facets, b, &first);
        for (uint32_t i = first; i < first + count && box.high[SC_RADIUS] > largest; i++) {
            sc_vec3 v[3];
            sc_triangle_vertices(facets, &part->placement, i, v);
            for (int k = 0; k < 3; k++) {
                largest = sc_max(largest, radius_of(along(axis, v[k])));
            }
        }
    }
    return largest;
}

/* ---- the tree ---------------------------------------------------------------- */

static bool reaches(const sc_cylinder_box *a, const sc_cylinder_box *b)
{
    return a->low[SC_RADIUS] <= b->high[SC_RADIUS] && b->low[SC_RADIUS] <= a->high[SC_RADIUS] &&
           a->low[SC_HEIGHT] <= b->high[SC_HEIGHT] && b->low[SC_HEIGHT] <= a->high[SC_HEIGHT];
}

typedef struct collecting {
    const sc_axis *axis;
    const sc_cylinder_box *within;
    sc_cylinder *tree;
    size_t capacity;
} collecting;

static bool take(collecting *c, const sc_vec3 v[3])
{
    sc_cylinder *tree = c->tree;
    const sc_cylinder_facet facet = facet_of(c->axis, v);
    if (!reaches(&facet.box, c->within)) {
        return true;
    }
    if (!sc_make_room(&tree->facets, &c->capacity, tree->facet_count + 1, sizeof facet)) {
        return false;
    }
    tree->facets[tree->facet_count++] = facet;
    return true;
}

static bool take_block(collecting *c, const sc_part *part, size_t b)
{
    const sc_facets *facets = &part->mesh->file.facets;
    uint32_t first, count = sc_block_facets(facets, b, &first);
    bool ok = true;
    for (uint32_t i = first; i < first + count && ok; i++) {
        sc_vec3 v[3];
        sc_triangle_vertices(facets, &part->placement, i, v);
        ok = take(c, v);
    }
    return ok;
}

static bool collect(collecting *c, const sc_part *part)
{
    bool ok = true;
    for (size_t b = 0; b < part->mesh->blocks.count && ok; b++) {
        const sc_cylinder_box box = block_bounds(part, c->axis, b);
        ok = !reaches(&box, c->within) || take_block(c, part, b);
    }
    return ok;
}

static bool collect_eroded(collecting *c, const sc_erosion *eroded)
{
    bool ok = true;
    for (uint32_t i = 0; i < eroded->pieces && ok; i++) {
        sc_vec3 v[3];
        sc_erosion_vertices(eroded, i, v);
        ok = take(c, v);
    }
    return ok;
}

/* Angles as long as they are at some radius, and all of it in some unit. */
static sc_fbox unrolled(const sc_cylinder_box *box, double radius, double unit)
{
    const double as_long[3] = {1.0 / unit, radius / unit, 1.0 / unit};
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = (float)(box->low[k] * as_long[k]);
        high[k] = (float)(box->high[k] * as_long[k]);
    }
    return sc_fbox_of(low[0], low[1], low[2], high[0], high[1], high[2]);
}

/* Facets that lie close together follow each other. */
static bool put_in_order(sc_cylinder *tree)
{
    const size_t count = tree->facet_count;
    uint64_t *keys = sc_alloc(2 * count, sizeof *keys);
    sc_cylinder_facet *ordered = sc_alloc(count, sizeof *ordered);
    sc_cylinder_box bounds = none;
    const bool ok = keys && ordered;
    for (size_t i = 0; i < count; i++) {
        box_add(&bounds, &tree->facets[i].box);
    }
    const double radius = bounds.high[SC_RADIUS];
    const double height = sc_max(-bounds.low[SC_HEIGHT], bounds.high[SC_HEIGHT]);
    const double unit = sc_max(sc_max(radius, height), 0x1p-500);
    const sc_fbox all = unrolled(&bounds, radius, unit);
    const sc_grid grid = sc_grid_over(&all, 10);
    for (size_t i = 0; i < count && ok; i++) {
        const sc_fbox box = unrolled(&tree->facets[i].box, radius, unit);
        keys[i] = (uint64_t)sc_morton(&box, &grid) << 32 | i;
    }
    if (ok) {
        sc_sort_keys(keys, keys + count, count, 32, 30);
    }
    for (size_t i = 0; i < count && ok; i++) {
        ordered[i] = tree->facets[(uint32_t)keys[i]];
    }
    sc_free(keys);
    if (ok) {
        sc_free(tree->facets);
        tree->facets = ordered;
    } else {
        sc_free(ordered);
    }
    return ok;
}

static void take_box(sc_cylinder_node *node, const sc_box *box)
{
    const sc_vec3 low = sc_vec3_of(box->low), high = sc_vec3_of(box->high);
    node->middle = sc_scale(sc_add(low, high), 0.5);
    node->half = sc_scale(sc_sub(high, low), 0.5 * (1.0 + 0x1p-40));
}

/* A facet as a node. */
static sc_cylinder_node node_of(const sc_cylinder_facet *facet)
{
    const sc_box box = sc_box_of_points(facet->v, 3);
    sc_cylinder_node node = {
        .box = facet->box, .centre = sc_triangle_middle(facet->v), .area = sc_area_twice(facet->v)};
    take_box(&node, &box);
    for (int k = 0; k < 3; k++) {
        node.radius = sc_max(node.radius, sc_length(sc_sub(facet->v[k], node.centre)));
    }
    return node;
}

/* Of nodes that follow each other. */
static sc_cylinder_node node_around(const sc_cylinder_node *nodes, size_t count)
{
    sc_cylinder_node node = {.box = none};
    sc_box box = sc_box_empty();
    for (size_t i = 0; i < count; i++) {
        box_add(&node.box, &nodes[i].box);
        sc_box_add_point(&box, sc_sub(nodes[i].middle, nodes[i].half));
        sc_box_add_point(&box, sc_add(nodes[i].middle, nodes[i].half));
        node.area = sc_add(node.area, nodes[i].area);
        node.centre = sc_mul_add(node.centre, 1.0 / (double)count, nodes[i].centre);
    }
    for (size_t i = 0; i < count; i++) {
        const double apart = sc_length(sc_sub(nodes[i].centre, node.centre));
        node.radius = sc_max(node.radius, (apart + nodes[i].radius) * (1.0 + 0x1p-40));
    }
    take_box(&node, &box);
    return node;
}

static bool add_level(sc_cylinder *tree)
{
    const int level = tree->levels;
    const size_t below = level == 0 ? tree->facet_count : tree->count[level - 1];
    const size_t count = (below + SC_CYLINDER_CHILDREN - 1) / SC_CYLINDER_CHILDREN;
    sc_cylinder_node *nodes = sc_alloc(count, sizeof *nodes);
    for (size_t i = 0; i < count && nodes; i++) {
        const size_t first = i * SC_CYLINDER_CHILDREN, left = below - first;
        const size_t children = left < SC_CYLINDER_CHILDREN ? left : SC_CYLINDER_CHILDREN;
        sc_cylinder_node facets[SC_CYLINDER_CHILDREN];
        for (size_t k = 0; k < children && level == 0; k++) {
            facets[k] = node_of(&tree->facets[first + k]);
        }
        nodes[i] = node_around(level == 0 ? facets : &tree->nodes[level - 1][first], children);
    }
    tree->nodes[level] = nodes;
    tree->count[level] = count;
    tree->levels++;
    return nodes != NULL;
}

bool sc_cylinder_make(const sc_part *part, const sc_erosion *eroded, const sc_axis *axis,
                      const sc_cylinder_box *within, sc_cylinder *tree)
{
    collecting c = {.axis = axis, .within = within, .tree = tree};
    *tree = (sc_cylinder){.facets = NULL};
    bool ok = (eroded ? collect_eroded(&c, eroded) : collect(&c, part)) && put_in_order(tree);
    while (ok && tree->facet_count > 0 &&
           (tree->levels == 0 || tree->count[tree->levels - 1] > 1)) {
        ok = add_level(tree);
    }
    return ok;
}

void sc_cylinder_free(sc_cylinder *tree)
{
    for (int level = 0; level < tree->levels; level++) {
        sc_free(tree->nodes[level]);
    }
    sc_free(tree->facets);
    *tree = (sc_cylinder){.facets = NULL};
}
