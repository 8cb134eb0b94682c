/* health_join.c - see health_join.h. */
#include "health_join.h"

#include "base/union_find.h"
#include "health_scan.h"

static void match(sc_matcher *matcher, const stlclash_mesh *mesh, const uint32_t *chosen,
                  uint32_t count, uint32_t *root)
{
    const sc_facets *facets = &mesh->file.facets;
    const sc_octets_isa *octets = sc_octets();
    const bool all_have_area = mesh->blocks.degenerate == 0;
    enum { AHEAD = 16 };
    sc_match_batch b;

    b.count = 0;
    for (uint32_t i = 0; i < count; i++) {
        float xyz[9];
        sc_facet_prefetch(facets, chosen[i + AHEAD < count ? i + AHEAD : i]);
        sc_facet_load(facets, chosen[i], xyz);
        root[i] = all_have_area || sc_health_has_area(xyz) ? i : SC_NO_INDEX;
        if (root[i] == i) {
            sc_facet_hashes hashes;
            octets->hashes(facets, chosen[i], 1, &hashes);
            sc_batch_add(&b, matcher, &hashes, i);
        }
        if (b.count == SC_MATCH_BATCH || i + 1 == count) {
            sc_matcher_add(matcher, &b);
            b.count = 0;
        }
    }
}

sc_join_code sc_health_join(const stlclash_mesh *mesh, const uint32_t *chosen, uint32_t count,
                            uint64_t border, uint32_t *root)
{
    sc_matcher matcher;
    sc_join_code code = SC_JOIN_MEMORY;

    if (sc_matcher_init(&matcher, count, border)) {
        match(&matcher, mesh, chosen, count, root);
        code = matcher.twisted ? SC_JOIN_TWISTED : SC_JOINED;
    }
    for (uint32_t i = 0; i < count && code == SC_JOINED; i++) {
        root[i] = root[i] == SC_NO_INDEX ? SC_NO_INDEX : sc_union_root(matcher.parent, i);
    }
    sc_matcher_free(&matcher);
    return code;
}
