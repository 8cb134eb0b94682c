/* depth_chord.c - see depth_chord.h. */
#include "depth_chord.h"

/* Surfaces that are met first: of more there is no need. */
enum { MOST = 8 };

typedef struct chord {
    sc_vec3 from, way;
    double at[MOST + 1], end; /* ascending, from 0; what is farther than `end` does not matter */
    int count;
} chord;

static bool passes(void *context, const sc_box *box)
{
    const chord *c = context;
    double first = 0.0, last = c->end;
    for (int k = 0; k < 3; k++) {
        double from = sc_component(c->from, k), way = sc_component(c->way, k);
        double low = box->low[k] - from, high = box->high[k] - from;
        if (way == 0.0) {
            last = low <= 0.0 && high >= 0.0 ? last : -1.0;
        } else {
            first = sc_max(first, (way > 0.0 ? low : high) / way);
            last = sc_min(last, (way > 0.0 ? high : low) / way);
        }
    }
    return first <= last;
}

static void take(chord *c, double at)
{
    if (!(at > 0.0 && at < c->end)) {
        return;
    }
    int i = c->count < MOST ? ++c->count : MOST;
    for (; i > 1 && c->at[i - 1] > at; i--) {
        c->at[i] = c->at[i - 1];
    }
    c->at[i] = at;
    c->end = c->count == MOST ? c->at[MOST] : c->end;
}

/* Moeller and Trumbore (1997): the coordinates of where the line passes the plane. */
static bool meets_facet(void *context, uint32_t facet, const sc_vec3 v[3])
{
    chord *c = context;
    sc_vec3 e1 = sc_sub(v[1], v[0]), e2 = sc_sub(v[2], v[0]), to = sc_sub(c->from, v[0]);
    sc_vec3 p = sc_cross(c->way, e2), q = sc_cross(to, e1);
    double det = sc_dot(e1, p), u = sc_dot(to, p) / det, w = sc_dot(c->way, q) / det;

    (void)facet;
    if (u >= 0.0 && w >= 0.0 && u + w <= 1.0) { /* none is where the line is in the plane */
        take(c, sc_dot(e2, q) / det);
    }
    return true;
}

int sc_depth_chord(sc_surface surface[2], sc_vec3 from, sc_vec3 way, const sc_box *within,
                   sc_midway midway[SC_MIDWAYS])
{
    chord c = {.from = from, .way = way, .end = 2.0 * sc_box_extent(within)};
    sc_walk walk = {.within = *within, .enter = passes, .facet = meets_facet, .context = &c};
    int found = 0;

    for (int x = 0; x < 2; x++) {
        if (!sc_surface_walk(&surface[x], &walk)) {
            return 0;
        }
    }
    for (int i = 1; i <= c.count; i++) {
        double half = 0.5 * (c.at[i] - c.at[i - 1]);
        int place = found < SC_MIDWAYS                   ? found++
                    : half > midway[SC_MIDWAYS - 1].half ? found - 1
                                                         : -1;
        for (; place > 0 && midway[place - 1].half < half; place--) {
            midway[place] = midway[place - 1];
        }
        if (place >= 0) {
            midway[place] = (sc_midway){sc_mul_add(from, c.at[i - 1] + half, way), half};
        }
    }
    return found;
}
