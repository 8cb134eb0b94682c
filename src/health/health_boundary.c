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

    for (uint32_t i = 0; i < facets->count; i++) {
        const unsigned char *bytes = sc_health_bytes(facets, i);
        sc_facet_prefetch_behind(bytes);
        if (all_have_area || has_area(facets, i)) {
            const sc_vertex_hashes hash = sc_hash_vertices(bytes);
            sum += sc_boundary_of(&hash);
        }
    }
    return sum == 0 && facets->count > mesh->blocks.degenerate;
}
