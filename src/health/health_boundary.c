/* health_boundary.c - see health_boundary.h. */
#include "health_boundary.h"

#include "health_scan.h"

static bool has_area(const sc_facets *facets, uint32_t i)
{
    float xyz[9];
    sc_facet_load(facets, i, xyz);
    return sc_health_has_area(xyz);
}

bool sc_boundary_vanishes(const stlclash_mesh *mesh)
{
    const sc_facets *facets = &mesh->file.facets;
    const bool all_have_area = mesh->blocks.degenerate == 0;
    uint64_t sum = 0;

    for (uint32_t i = 0, count; i < facets->count; i += count) {
        sc_facet_hashes hashes[SC_HASHED_AT_ONCE];
        count = sc_hash_some(facets, i, hashes);
        for (uint32_t j = 0; j < count; j++) {
            if (all_have_area || has_area(facets, i + j)) {
                sum += sc_boundary_of(&hashes[j]);
            }
        }
    }
    return sum == 0 && facets->count > mesh->blocks.degenerate;
}
