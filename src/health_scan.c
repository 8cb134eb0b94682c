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

sc_scan sc_health_scan(const stlclash_mesh *mesh)
{
    const sc_facets *facets = &mesh->file.facets;
    const sc_box *bounds = &mesh->blocks.bounds;
    const bool all_have_area = mesh->blocks.degenerate == 0;
    uint64_t first = 0, second = 0;
    sc_volume_sum volume = {0, 0};
    sc_scan scan = {.facets = 0};
    double origin[3] = {0, 0, 0}, reach = 0;

    for (int k = 0; k < 3 && facets->count > 0; k++) {
        /* a float, so that the differences are exact nearly always */
        origin[k] = (double)(float)(bounds->low[k] / 2 + bounds->high[k] / 2);
        reach = fmax(reach, fmax(bounds->high[k] - origin[k], origin[k] - bounds->low[k]));
    }
    for (uint32_t i = 0; i < facets->count; i++) {
        float xyz[9];
        uint64_t hash[3];
        sc_facet_load(facets, i, xyz);
        if (!all_have_area && !sc_health_has_area(xyz)) {
            continue;
        }
        scan.first = scan.facets++ == 0 ? i : scan.first;
        sc_hash_vertices(sc_health_bytes(facets, i), hash);
        for (int k = 0; k < 3; k++) {
            uint64_t u = hash[k], v = hash[k == 2 ? 0 : k + 1], other;
            uint64_t reversed = sc_hash_reversed(u, v);
            uint64_t edge = sc_hash_edge(u, v, reversed, &other);
            first += (edge ^ reversed) - reversed; /* negated where reversed */
            second += (other ^ reversed) - reversed;
        }
        sc_volume_add(&volume, xyz, origin);
    }
    scan.boundary[0] = first;
    scan.boundary[1] = second;
    scan.volume = (volume.sum + volume.error) / 6;
    if ((first | second) == 0) {
        scan.sign = sc_volume_sign(&volume, (double)scan.facets, reach);
        scan.sign = scan.sign == 2 ? exact_sign(facets) : scan.sign;
    }
    return scan;
}
