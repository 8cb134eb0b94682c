/* probe_nearest.c - the least distance between the line of a probe and a part.
 *
 * Boxes that cannot hold anything nearer are passed over: a box is at least as far as the
 * two boxes are apart, and as its middle from the line less half its diagonal. Triangles
 * are compared in doubles, where they stand; of equal distances the lowest number wins,
 * and nothing at the bound is passed over. */
#include "base/error.h"
#include "base/float_mode.h"
#include "geom/tri_distance.h"
#include "prober.h"

/* The segment in the frame; what is farther than `limit` there does not matter. */
typedef struct line {
    float p[3], way[3], low[3], high[3];
    float inverse_sq; /* 1 / |way|^2, or 0 for a point */
    float limit;
    double error; /* of a coordinate */
} line;

/* Beyond this the floats say nothing, and every box is looked into. */
static const double far_away = 0x1p40;

static line line_of(const stlclash_prober *prober, const sc_segment *segment)
{
    const sc_probe_tree *tree = &prober->part->tree;
    double error_p, error_q, length_sq = 0.0, size = 1.0;
    sc_vec3 p = sc_probe_to_frame(tree, &prober->pose, segment->p, &error_p);
    sc_vec3 q = sc_probe_to_frame(tree, &prober->pose, segment->q, &error_q);
    line l = {.limit = INFINITY};

    for (int k = 0; k < 3; k++) {
        double from = sc_component(p, k), to = sc_component(q, k);
        size = sc_fmax(size, sc_fmax(fabs(from), fabs(to)));
        l.p[k] = (float)from;
        l.way[k] = (float)(to - from);
        l.low[k] = (float)sc_fmin(from, to);
        l.high[k] = (float)sc_fmax(from, to);
        length_sq += (to - from) * (to - from);
    }
    l.inverse_sq = length_sq > 0x1p-60 && size < far_away ? (float)(1.0 / length_sq) : 0.0f;
    l.error = error_p + error_q + 0x1p-20 * size;
    return l;
}

/* Length units to a limit in the frame, with all errors on the safe side. */
static void set_limit(line *l, double within, double scale)
{
    double limit = within * scale * (1.0 + 0x1p-18) + 8.0 * l->error;
    l->limit = limit < 1e30 ? (float)limit : INFINITY;
}

/* Bit i: box i may hold something within the limit; near[i] bounds how near. */
static unsigned boxes_near(const sc_probe_node *node, const line *l, float near[SC_PROBE_WIDTH])
{
    unsigned mask = 0;
    for (int i = 0; i < SC_PROBE_WIDTH; i++) {
        float from[3], gap_sq = 0.0f, half_sq = 0.0f, along = 0.0f, off_sq = 0.0f;
        for (int k = 0; k < 3; k++) {
            float low = node->bounds[k][0][i], high = node->bounds[k][1][i];
            float below = low - l->high[k], above = l->low[k] - high;
            float gap = below > above ? below : above;
            gap = gap > 0.0f ? gap : 0.0f;
            gap_sq += gap * gap;
            half_sq += (high - low) * (high - low);
            from[k] = 0.5f * (low + high) - l->p[k];
            along += from[k] * l->way[k];
        }
        along *= l->inverse_sq;
        along = along > 0.0f ? along : 0.0f;
        along = along < 1.0f ? along : 1.0f;
        for (int k = 0; k < 3; k++) {
            float off = from[k] - along * l->way[k];
            off_sq += off * off;
        }
        float gap = sqrtf(gap_sq), off = sqrtf(off_sq) - 0.5f * sqrtf(half_sq);
        bool present = node->bounds[0][0][i] <= node->bounds[0][1][i];
        near[i] = off > gap && l->inverse_sq > 0.0f ? off : gap;
        mask |= (unsigned)(present && !(near[i] > l->limit)) << i;
    }
    return mask;
}

typedef struct search {
    const stlclash_prober *prober;
    const sc_segment *segment;
    sc_triangle probe; /* the segment, as a triangle without area */
    line line;
    sc_probe_nearest best;
    bool found;
} search;

/* A lower bound of the distance to the sphere about a triangle, less what is rounded. */
static double sphere_distance(const search *s, const sc_vec3 v[3])
{
    sc_vec3 centre = sc_triangle_middle(v), way = s->probe.edge[0];
    double radius_sq = 0.0, length_sq = sc_dot(way, way);
    for (int i = 0; i < 3; i++) {
        sc_vec3 d = sc_sub(v[i], centre);
        radius_sq = sc_fmax(radius_sq, sc_dot(d, d));
    }
    sc_vec3 from = sc_sub(centre, s->segment->p);
    double t = length_sq > 0.0 ? sc_fmin(sc_fmax(sc_dot(from, way) / length_sq, 0.0), 1.0) : 0.0;
    double off = sc_length(sc_mul_add(from, -t, way)), radius = sqrt(radius_sq);
    return off - radius - 0x1p-40 * (off + radius + sc_length(way));
}

static void try_triangle(search *s, uint32_t triangle)
{
    sc_vec3 v[3];
    sc_prober_facet(s->prober, triangle, v);
    if (sphere_distance(s, v) > s->best.distance) {
        return;
    }
    sc_triangle t = sc_triangle_make(v);
    sc_closest c = sc_segment_closest(&s->probe, &t);
    double distance = sqrt(c.distance_sq);
    if (distance < s->best.distance ||
        (distance == s->best.distance && (!s->found || triangle < s->best.triangle))) {
        s->best = (sc_probe_nearest){distance, c.on_a, c.on_b, triangle, c.feature_b};
        s->found = true;
        set_limit(&s->line, distance, s->prober->part->tree.frame.scale);
    }
}

static int push_children(sc_probe_entry *stack, int count, const sc_probe_node *node, unsigned mask,
                         const float *near)
{
    int bottom = count;
    for (; mask != 0; mask &= mask - 1) {
        int i = __builtin_ctz(mask), j = count++;
        for (; j > bottom && stack[j - 1].near < near[i]; j--) {
            stack[j] = stack[j - 1];
        }
        stack[j] = (sc_probe_entry){node->child[i], near[i]};
    }
    return count;
}

bool sc_prober_closest(const stlclash_prober *prober, const sc_segment *segment, double within,
                       sc_probe_nearest *nearest)
{
    const sc_probe_tree *tree = &prober->part->tree;
    sc_vec3 ends[3] = {segment->p, segment->q, segment->q};
    search s = {.prober = prober,
                .segment = segment,
                .probe = sc_triangle_make(ends),
                .line = line_of(prober, segment),
                .best = {.distance = within}};
    sc_probe_entry stack[SC_PROBE_STACK];
    float near[SC_PROBE_WIDTH];
    int count = 0;

    if (tree->node_count == 0) {
        return false;
    }
    set_limit(&s.line, within, tree->frame.scale);
    stack[count++] = (sc_probe_entry){0, 0.0f};
    while (count > 0) {
        sc_probe_entry top = stack[--count];
        if (top.near > s.line.limit) {
            continue;
        }
        if (!(top.child & SC_PROBE_LEAF)) {
            const sc_probe_node *node = &tree->nodes[top.child];
            unsigned mask = boxes_near(node, &s.line, near);
            count = push_children(stack, count, node, mask, near);
            continue;
        }
        const sc_probe_bundle *bundle = &tree->bundles[top.child - SC_PROBE_LEAF];
        for (int i = 0; i < SC_PROBE_LANES; i++) {
            if (i == 0 || bundle->triangle[i] != bundle->triangle[0]) {
                try_triangle(&s, bundle->triangle[i]);
            }
        }
    }
    *nearest = s.best;
    return s.found;
}

stlclash_code stlclash_prober_nearest(const stlclash_prober *prober, const stlclash_probe *probe,
                                      double within, bool *found, stlclash_probe_gap *gap,
                                      stlclash_error *error)
{
    SC_STANDARD_FLOATS;
    sc_segment segment;
    sc_probe_nearest nearest;
    double unit;

    *found = false;
    if (!(within >= 0.0)) {
        return sc_error(error, STLCLASH_E_ARGUMENT, "the distance to search must not be negative");
    }
    stlclash_probe_hit hit;
    stlclash_code code = stlclash_prober_first(prober, probe, found, &hit, error);
    if (code == STLCLASH_OK && *found) {
        *gap = (stlclash_probe_gap){.t = hit.t, .triangle = hit.triangle, .feature = hit.feature};
        memcpy(gap->point_probe, hit.point, sizeof hit.point);
        memcpy(gap->point_part, hit.point, sizeof hit.point);
        return code;
    }
    code =
        code == STLCLASH_OK ? sc_prober_segment(prober, probe, &segment, &unit, NULL, error) : code;
    if (code == STLCLASH_OK && sc_prober_closest(prober, &segment, within, &nearest)) {
        *found = true;
        *gap = sc_probe_gap_of(&segment, unit, &nearest);
    }
    return code;
}

stlclash_probe_gap sc_probe_gap_of(const sc_segment *segment, double unit,
                                   const sc_probe_nearest *n)
{
    sc_vec3 way = sc_sub(segment->q, segment->p), vector = sc_sub(n->on_probe, n->on_part);
    double length_sq = sc_dot(way, way);
    double t = length_sq > 0.0 ? sc_dot(sc_sub(n->on_probe, segment->p), way) / length_sq : 0.0;
    return (stlclash_probe_gap){.distance = n->distance,
                                .vector = {vector.x, vector.y, vector.z},
                                .point_probe = {n->on_probe.x, n->on_probe.y, n->on_probe.z},
                                .point_part = {n->on_part.x, n->on_part.y, n->on_part.z},
                                .t = sc_fmin(sc_fmax(t, 0.0), 1.0) * unit,
                                .triangle = n->triangle,
                                .feature = (stlclash_feature)n->feature};
}
