/* health_scan.c - see health_scan.h. */
#include "health_scan.h"

#include "health_volume.h"

static int exact_sign(const sc_facets *facets)
{
    sc_volume_exact sum = {{0}};
    for (uint32_t i = 0; i < facets->count; i++) {
        float xyz[9];
        sc_health_facet(facets, i, xyz);
        sc_volume_exact_add(&sum, xyz);
    }
    return sc_volume_exact_sign(&sum);
}

/* Also empties the batch. */
static void match(sc_scan *scan, sc_match_batch *b)
{
    sc_matcher_add(&scan->matcher, b);
    b->count = 0;
}

bool sc_health_scan(const stlclash_mesh *mesh, bool with_match, sc_scan *scan)
{
    const sc_facets *facets = &mesh->file.facets;
    const sc_box *bounds = &mesh->blocks.bounds;
    const bool all_have_area = mesh->blocks.degenerate == 0;
    sc_volume_sum volume = {0, 0};
    double origin[3] = {0, 0, 0}, reach = 0;
    sc_match_batch b;

    b.count = 0;
    *scan = (sc_scan){.matcher.twisted = true};
    if (with_match && !sc_matcher_init(&scan->matcher, facets->count, 0)) {
        return false;
    }
    for (int k = 0; k < 3 && facets->count > 0; k++) {
        /* a float, so that the differences are exact nearly always */
        origin[k] = (double)(float)(bounds->low[k] / 2 + bounds->high[k] / 2);
        reach = sc_fmax(reach, sc_fmax(bounds->high[k] - origin[k], origin[k] - bounds->low[k]));
    }
    for (uint32_t i = 0, count; i < facets->count; i += count) {
        sc_facet_hashes hashes[SC_HASHED_AT_ONCE];
        count = sc_hash_some(facets, i, hashes);
        for (uint32_t j = 0; j < count; j++) {
            float xyz[9];
            sc_facet_load(facets, i + j, xyz);
            if (!all_have_area && !sc_health_has_area(xyz)) {
                continue;
            }
            scan->first = scan->facets++ == 0 ? i + j : scan->first;
            scan->boundary += sc_boundary_of(&hashes[j]);
            sc_batch_add(&b, &scan->matcher, &hashes[j], i + j);
            sc_volume_add(&volume, xyz, origin);
            if (b.count == SC_MATCH_BATCH) {
                match(scan, &b);
            }
        }
    }
    match(scan, &b);
    scan->volume = (volume.sum + volume.error) / 6;
    if (sc_scan_balanced(scan)) {
        scan->sign = sc_volume_sign(&volume, (double)scan->facets, reach);
        scan->sign = scan->sign == 2 ? exact_sign(facets) : scan->sign;
    }
    return true;
}

void sc_scan_free(sc_scan *scan)
{
    sc_matcher_free(&scan->matcher);
}
