/* sound.c - see sound.h.
 *
 * A shell is to be read the other way round if it is the outermost one and inside out, or
 * lies in such a shell (health.h). The facets of a part that take part in an overlap, those
 * that meet the other part or lie inside it, are joined at their edges; each piece so made
 * is of one shell. From before some facet of each piece that meets the other part a way out is
 * sought that passes nothing of its own part, and behind the facet its winding number is to be 1:
 * then no shell lies around that place, and this one is not inside out. A shell that is, and meets
 * nothing of the other part but surrounds what another shell meets, all ways out from there would
 * pass inwards: so from each set of vertices joined along edges one is sought that leads outwards
 * alone. What this leaves to a closer look: cavities, which may as well be bodies that are inside
 * out and stick out of others; pieces that only lie inside, as a whole shell may; and parts that
 * wind around some point of the other less than no times. */
#include "sound.h"

#include "base/alloc.h"
#include "members.h"
#include "solids/surface.h"

/* With more pieces or sets of vertices, or more of the part, the closer look is as cheap. Tries: of
 * either. */
enum { MOST = 1000, TRIES = 8 };

/* Whether before a facet is plainly outside of its part, and behind it inside: along a short way
 * through its middle that meets nothing else. */
static bool faces_outwards(sc_surface *own, uint32_t facet, bool *outwards)
{
    static const double part_of_its_height = 0x1p-8;
    sc_solid *solid = own->solid;
    sc_vec3 v[3];
    double error;
    int exits, entered, crossed;

    *outwards = false;
    sc_solid_facet(solid, facet, v);
    sc_vec3 normal = sc_facet_normal(v, &error);
    if (!(sc_length(normal) > error)) {
        return true;
    }
    sc_vec3 middle = sc_triangle_middle(v);
    /* height = |normal| / longest side */
    sc_vec3 up = sc_scale(normal, part_of_its_height / sc_triangle_longest_side(v));
    sc_vec3 outside = sc_surface_tidy(own, sc_add(middle, up));
    sc_vec3 inside = sc_surface_tidy(own, sc_sub(middle, up));
    int side = solid->role == SC_ROLE_B ? sc_sos_edge_of_a(outside, inside, v, &solid->shift)
                                        : sc_sos_edge_of_b(outside, inside, v, &solid->shift);
    if (side != 1) {
        return true; /* too thin to pass through */
    }
    if (!sc_solid_crossings(solid, outside, inside, &entered, &crossed) ||
        !sc_solid_exits(solid, outside, &exits)) {
        return false;
    }
    *outwards = crossed == 1 && exits == 0;
    return true;
}

/* Whether each piece has such a facet among those that meet the other part. */
static bool try_pieces(sc_surface *own, const sc_members *m, bool *all)
{
    uint32_t pieces = 0, proven = 0;
    uint8_t *tries = sc_calloc(m->crossed + 1, sizeof *tries);
    bool good = tries != NULL;

    for (uint32_t i = 0; i < m->count; i++) {
        pieces += m->root[i] == i;
    }
    for (uint32_t i = 0; i < m->crossed && pieces <= MOST && good; i++) {
        uint32_t piece = m->root[i];
        if (piece != SC_NO_INDEX && tries[piece] < TRIES) {
            bool outwards;
            good = faces_outwards(own, m->facet[i], &outwards);
            tries[piece] = outwards ? TRIES : (uint8_t)(tries[piece] + 1);
            proven += outwards;
        }
    }
    *all = proven == pieces;
    sc_free(tries);
    return good;
}

/* Whether no shell of the other part winds the wrong way around any set of vertices of facets that
 * meet that part. */
static bool try_sets(sc_windings *w, bool *all)
{
    const sc_box *bounds = &w->other->part->used_bounds;
    uint8_t *left = sc_calloc(w->vertices, sizeof *left); /* tries of a set */
    uint32_t sets = 0, proven = 0;
    bool good = left != NULL;

    for (size_t i = 0; i < w->crossed && good; i++) {
        const uint32_t set = sc_windings_root(w, w->facets[i].vertex[0]);
        sets += left[set] == 0;
        left[set] = TRIES;
    }
    for (uint32_t i = 0; i < w->vertices && proven < sets && sets <= MOST && good; i++) {
        const uint32_t set = sc_windings_root(w, i);
        if (left[set] > 0 && !sc_box_holds(bounds, w->points[i])) {
            left[set] = 0;
            proven++;
        }
    }
    for (uint32_t i = 0; i < w->vertices && proven < sets && sets <= MOST && good; i++) {
        const uint32_t set = sc_windings_root(w, i);
        if (left[set] > 0) {
            int exits;
            good = sc_solid_exits(w->other, w->points[i], &exits);
            left[set] = exits >= 0 ? 0 : (uint8_t)(left[set] - 1);
            proven += exits >= 0;
        }
    }
    *all = proven == sets;
    sc_free(left);
    return good;
}

typedef struct asking {
    sc_crossings *crossings;
    bool failed[2], sound[2];
} asking;

static void ask(void *context, int part)
{
    asking *a = context;
    sc_windings *w = &a->crossings->windings[part];
    const sc_part *own = w->own->part;
    sc_surface surface = {.solid = w->own,
                          .margin = sc_box_reach(&own->used_bounds) * SC_SURFACE_MARGIN};
    sc_members m = {.count = 0};

    if (sc_windings_range(w).least < 0) {
        return;
    }
    bool good = sc_members_list(w, &m);
    if (good && m.count <= own->mesh->file.facets.count / 2) {
        sc_join_code code = sc_members_join_sound(w, &m);
        good = code != SC_JOIN_MEMORY &&
               (code != SC_JOINED || try_pieces(&surface, &m, &a->sound[part])) &&
               (!a->sound[part] || try_sets(w, &a->sound[part])) &&
               (!a->sound[part] || sc_members_number(w, &m));
        a->crossings->apart[part] = good && a->sound[part] && m.apart;
    }
    a->failed[part] = !good;
    sc_members_free(&m);
}

bool sc_sound_as_stored(sc_crossings *crossings, sc_crew *crew, bool *sound)
{
    asking a = {.crossings = crossings};
    sc_crew_items(crew, 2, ask, &a);
    *sound = a.sound[0] && a.sound[1];
    return !a.failed[0] && !a.failed[1];
}
