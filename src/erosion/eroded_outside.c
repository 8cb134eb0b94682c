/* eroded_outside.c - see eroded_outside.h. */
#include "eroded_outside.h"

#include "skin.h"

/* Whether no piece of a part lies in what the other one is eroded to. */
static bool lies_outside(const sc_solid *solid, const sc_skin *eroded, const sc_poll *poll,
                         bool *outside)
{
    const double all = -1.0;
    sc_skin skin;
    const bool good = sc_skin_make(solid, NULL, NULL, &skin);
    if (good) {
        sc_skin_tell_by_boxes(&skin, eroded);
        sc_skin_tell_by_windings(&skin, eroded, all, poll);
    }
    *outside = good && skin.inside == 0;
    sc_skin_free(&skin);
    return good;
}

bool sc_eroded_outside(sc_solid *const solid[2], int i, const sc_erosion *eroded,
                       const sc_poll *poll, bool *outside)
{
    sc_surface other = sc_surface_of(solid[1 - i], solid[i]->part);
    sc_skin own;
    bool good = sc_skin_make(solid[i], eroded, NULL, &own);
    *outside = false;
    if (good) {
        sc_skin_tell_by_points(&own, &other, poll);
        good = !other.failed && (own.inside > 0 || lies_outside(solid[1 - i], &own, poll, outside));
    }
    sc_skin_free(&own);
    return good;
}
