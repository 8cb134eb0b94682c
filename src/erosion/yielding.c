/* yielding.c - see yielding.h. */
#include "yielding.h"

#include "asked.h"
#include "base/alloc.h"
#include "demands.h"
#include "eroded_rest.h"
#include "erosion_apart.h"

#include <string.h>

typedef struct yielding {
    const sc_erosion_proof *proof;
    int i;
    sc_erosion *eroded;
    sc_manner manner;
    bool stretches; /* fans go on as far as may be; what cannot be done is left undone */
    sc_asked_list asked;
    sc_eroded_pairs met; /* the last time */
    bool possible;       /* all that was asked for can be done */
    bool *displaced;     /* [fans] which have gone elsewhere since they were met */
    bool any_displaced;
} yielding;

/* That one piece keeps clear of a facet. False if memory ran out. */
static bool ask_piece(yielding *y, uint32_t piece, const sc_vec3 a[3], const sc_vec3 out[2])
{
    const double margin = 0x1p-48 * sc_erosion_reach(y->proof);
    const sc_vec3 way = sc_scale(y->proof->way, y->i == 1 ? 1.0 : -1.0);
    const sc_erosion *e = y->eroded;
    sc_vec3 b[3];
    sc_demand demand;
    bool good = true;

    double most = e->most;
    for (size_t k = 0; k < 3; k++) {
        const uint32_t fan = e->fan[3 * (size_t)piece + k];
        b[k] = e->place[fan];
        most = sc_fmin(most, sc_erosion_most(e, fan));
    }
    const bool can = y->manner == SC_AS_FACING
                         ? sc_demand_face(a, b, out, most - margin, &demand)
                         : sc_demand_find(a, b, way, out, &demand) + margin <= most;
    y->possible = can || y->stretches;
    for (size_t k = 0; k < 3 && good && can; k++) {
        const sc_asked asked = {e->fan[3 * (size_t)piece + k], demand.way,
                                demand.least[k] + margin};
        good = sc_asked_add(&y->asked, &asked);
    }
    return good;
}

static bool ask_all(yielding *y)
{
    const sc_erosion_proof *proof = y->proof;
    const sc_eroded_pairs *met = &y->met;
    bool good = true;
    for (size_t k = 0; k < met->count && good && y->possible; k++) {
        sc_vec3 a[3], b[3];
        uint32_t first, left = sc_erosion_pieces(y->eroded, met->facet[k][0], &first);
        sc_solid_facet(proof->solid[1 - y->i], met->facet[k][1], a);
        sc_solid_facet(proof->solid[y->i], met->facet[k][0], b);
        const sc_vec3 out[2] = {sc_unit_or_zero(sc_area_twice(a)),
                                sc_unit_or_zero(sc_area_twice(b))};
        for (; left > 0 && good && y->possible; left--) {
            good = ask_piece(y, first + left - 1, a, out);
        }
    }
    return good;
}

static void give_way(yielding *y)
{
    sc_erosion *e = y->eroded;
    const sc_asked *asked = y->asked.asked;

    sc_asked_sort(&y->asked);
    memset(y->displaced, 0, e->fans * sizeof *y->displaced);
    for (size_t i = 0, end; i < y->asked.count && y->possible; i = end) {
        end = i + 1;
        while (end < y->asked.count && asked[end].fan == asked[i].fan) {
            end++;
        }
        sc_vec3 *const way = &e->way[asked[i].fan];
        if (!sc_asked_is_kept(asked + i, end - i, *way)) {
            y->displaced[asked[i].fan] = y->any_displaced = true;
            const double most = sc_erosion_most(e, asked[i].fan);
            *way = sc_asked_shortest(asked + i, end - i, most);
            if (y->stretches) {
                *way = sc_asked_stretched(asked + i, end - i, *way, most);
            } else {
                y->possible = sc_length(*way) <= most;
            }
        }
    }
    sc_erosion_go(e, e->by, e->most);
}

/* Whether ever less is met, soon much less. */
static bool is_less(size_t now, size_t before, int round)
{
    return round == 0 || now < before - (round > 1 ? before / 4 : 0);
}

/* Until nothing is met any more; where ways are stretched, as long as ever less is. */
static bool try_yielding(yielding *y, bool *shallow)
{
    enum { ROUNDS = 16 };
    const sc_poll *poll = &y->proof->poll;
    sc_eroded_pairs *met = &y->met;
    size_t before = 0;
    bool good = true;

    y->possible = true;
    for (int round = 0; round < ROUNDS && good && y->possible && !*shallow; round++) {
        good = sc_erosion_is_apart(y->proof, y->i, y->eroded, met, shallow) &&
               (round > 0 || *shallow || sc_eroded_rest_place(y->proof, y->i, met));
        y->any_displaced = false;
        y->possible = met->count > 0 && met->complete && sc_poll_goes_on(poll) &&
                      !sc_eroded_is_refuted(y->proof) &&
                      (!y->stretches || is_less(met->count, before, round));
        before = met->count;
        if (good && y->possible) {
            good = ask_all(y);
            give_way(y);
            met->displaced = y->displaced;
        }
    }
    return good;
}

/* With room for so many pairs that meet. */
static bool yield(yielding *y, size_t most, bool *shallow)
{
    y->met.facet = sc_alloc(most, sizeof *y->met.facet);
    y->met.most = most;
    y->displaced = sc_alloc(y->eroded->fans, sizeof *y->displaced);
    bool good = y->met.facet && y->displaced && try_yielding(y, shallow);
    if (good && y->stretches && !*shallow && !y->any_displaced) {
        good = sc_eroded_rest_tell(y->proof, y->i, y->eroded, &y->met, shallow);
    }
    sc_asked_free(&y->asked);
    sc_free(y->met.facet);
    sc_free(y->displaced);
    return good;
}

bool sc_yield_little(const sc_erosion_proof *proof, int i, sc_erosion *eroded, bool *shallow)
{
    enum { MOST = 16384 };
    const double little = 0x1p-46 * sc_erosion_reach(proof);
    yielding y = {.proof = proof, .i = i, .eroded = eroded, .manner = SC_SHORTEST};
    for (uint32_t k = 0; k < eroded->fans; k++) {
        const double length = sc_length(eroded->way[k]);
        eroded->way[k] = sc_scale(eroded->way[k], sc_fmin(little, 4.0 * little / length));
    }
    sc_erosion_go(eroded, 1.0, proof->limit);
    return yield(&y, MOST, shallow);
}

bool sc_yield_far(const sc_erosion_proof *proof, int i, sc_erosion *eroded, sc_manner manner,
                  bool *shallow)
{
    enum { AT_LEAST = 65536, PAIRS_A_FACET = 2 };
    const uint64_t facets = sc_parts_facets(proof->solid[0]->part, proof->solid[1]->part);
    yielding y = {.proof = proof, .i = i, .eroded = eroded, .manner = manner, .stretches = true};
    return yield(&y, (size_t)(AT_LEAST + PAIRS_A_FACET * facets), shallow);
}
