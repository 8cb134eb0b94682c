/* witness.c - see witness.h.
 *
 * Beside an edge within the other part a facet has as much of the overlap on both sides only if
 * others in its plane face the other way; so if none does, there is volume about it. What of such
 * others comes near enough to a corner has a corner as far out. An edge whose corners are all at
 * one place has no length: it enters a sheet there and leaves it again. */
#include "witness.h"

#include "geom/orient.h"
#include "geom/tri_flush.h"

#include <string.h>

/* Whether two facets, if they lie in one plane, face different ways: told sooner than whether they
 * do. */
static bool are_opposed(const sc_vec3 a[3], const sc_vec3 b[3])
{
    int axis = 0;
    while (axis < 2 && sc_orient2d(a[0], a[1], a[2], axis) == 0) {
        axis++;
    }
    return sc_orient2d(a[0], a[1], a[2], axis) * sc_orient2d(b[0], b[1], b[2], axis) <= 0;
}

/* Takes the corner to the edge if it is one of that. */
static bool add_to_edge(sc_witness *one, const sc_boundary_line *line,
                        const sc_boundary_corner *corner, bool at_the_end)
{
    if (!line->edge || memcmp(one->plane, line->plane, sizeof one->plane) != 0 ||
        memcmp(one->edge, line->edge, sizeof one->edge) != 0) {
        return false;
    }
    one->times += corner->times;
    one->way = sc_mul_add(one->way, corner->times, sc_sub(corner->at, line->edge[0]));
    one->at_the_end = one->at_the_end && at_the_end;
    return true;
}

void sc_witnesses_add(sc_witnesses *w, const sc_boundary_line *line,
                      const sc_boundary_corner *corner, bool at_the_end)
{
    bool doubted = false, known = false;
    for (int i = 0; i < w->count; i++) {
        sc_witness *one = &w->items[i];
        if (add_to_edge(one, line, corner, at_the_end)) {
            known = true;
        } else if (are_opposed(one->plane, line->plane) &&
                   sc_tri_coplanar(one->plane, line->plane)) {
            one->doubted = doubted = true;
        }
    }
    if (line->edge && !known && w->count < SC_MOST_WITNESSES) {
        sc_witness *one = &w->items[w->count++];
        *one = (sc_witness){.at_the_end = true, .doubted = doubted};
        memcpy(one->plane, line->plane, sizeof one->plane);
        memcpy(one->edge, line->edge, sizeof one->edge);
        add_to_edge(one, line, corner, at_the_end);
    }
}

bool sc_witnesses_tell(const sc_witnesses *w, double slack)
{
    bool tell = false;
    for (int i = 0; i < w->count; i++) {
        const sc_witness *one = &w->items[i];
        const bool has_length = one->times != 0 || sc_length(one->way) > 16.0 * slack;
        tell = tell || (has_length && one->at_the_end && !one->doubted);
    }
    return tell;
}
