/* members.c - see members.h. */
#include "members.h"

#include "base/alloc.h"
#include "base/union_find.h"
#include "broad.h"

#include <string.h>

bool sc_members_list(const sc_windings *w, sc_members *m)
{
    size_t most = w->count + w->patch_facet_count;
    *m = (sc_members){.facet = sc_alloc(most + 1, sizeof *m->facet),
                      .root = sc_alloc(most + 1, sizeof *m->root)};
    if (!m->facet || !m->root) {
        return false;
    }
    for (size_t i = 0; i < w->count; i++) {
        if (i < w->crossed || w->winding[w->facets[i].vertex[0]] != 0) {
            m->facet[m->count++] = w->facets[i].facet;
        }
    }
    m->crossed = (uint32_t)w->crossed;
    for (size_t i = 0; i < w->patch_count; i++) {
        const sc_patch *p = &w->patches[i];
        memcpy(m->facet + m->count, w->patch_facets + p->facet, p->facets * sizeof *m->facet);
        m->count += (uint32_t)p->facets;
    }
    return true;
}

void sc_members_free(sc_members *m)
{
    sc_free(m->facet);
    sc_free(m->root);
    sc_free(m->box);
    sc_free(m->common);
    *m = (sc_members){.facet = NULL};
}

/* ---- pieces ------------------------------------------------------------------- */

/* Facet by facet, as a mesh of their own. */
static bool join_edges(const sc_windings *w, sc_members *m)
{
    const sc_facets *all = &w->own->part->mesh->file.facets;
    float *corners = sc_alloc((size_t)m->count + 1, 9 * sizeof *corners);
    sc_edges edges = {.edge = NULL};
    bool good = corners != NULL;

    for (uint32_t i = 0; i < m->count && good; i++) {
        sc_facet_load(all, m->facet[i], corners + 9 * (size_t)i);
        m->root[i] = i;
    }
    const sc_facets facets = {(const unsigned char *)corners, 9 * sizeof *corners, m->count};
    good = good && sc_edges_make(&facets, &edges);
    for (uint32_t i = 0; i < edges.count && good; i++) {
        const sc_edge *e = &edges.edge[i];
        if (e->uses == 2 && e->net == 0) {
            sc_union_join(m->root, e->last / 3, edges.next[e->last] / 3);
        }
    }
    for (uint32_t i = 0; i < m->count && good; i++) {
        const bool has_area = edges.corner[3 * (size_t)i] != SC_NO_INDEX;
        m->root[i] = has_area ? sc_union_root(m->root, i) : SC_NO_INDEX;
    }
    sc_edges_free(&edges);
    sc_free(corners);
    return good;
}

sc_join_code sc_members_join_sound(const sc_windings *w, sc_members *m)
{
    /* What lies beside one that does not cross the other part, is a member like it. */
    const uint64_t border = 3 * (uint64_t)m->crossed;
    return sc_health_join(w->own->part->mesh, m->facet, m->count, border, m->root);
}

bool sc_members_join(const sc_windings *w, sc_members *m)
{
    const sc_join_code code = sc_members_join_sound(w, m);
    return code == SC_JOINED || (code == SC_JOIN_TWISTED && join_edges(w, m));
}

/* ---- their boxes ---------------------------------------------------------------- */

static bool add_common(void *context, uint32_t a, uint32_t b)
{
    sc_members *m = context;
    const sc_box both = sc_boxes_common(&m->box[a], &m->box[b]);
    sc_box_add_box(&m->common[a], &both);
    sc_box_add_box(&m->common[b], &both);
    m->apart = false;
    return true;
}

bool sc_members_number(const sc_windings *w, sc_members *m)
{
    for (uint32_t i = 0; i < m->count; i++) { /* a root has its number before those it stands for */
        if (m->root[i] != SC_NO_INDEX) {
            m->root[i] = m->root[i] == i ? m->pieces++ : m->root[m->root[i]];
        }
    }
    m->box = sc_alloc((size_t)m->pieces + 1, sizeof *m->box);
    m->common = sc_alloc((size_t)m->pieces + 1, sizeof *m->common);
    if (!m->box || !m->common) {
        return false;
    }
    for (uint32_t i = 0; i < m->pieces; i++) {
        m->box[i] = m->common[i] = sc_box_empty();
    }
    m->apart = m->pieces < 2;
    if (m->apart) {
        return true;
    }
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->root[i] != SC_NO_INDEX) {
            sc_vec3 v[3];
            sc_solid_facet(w->own, m->facet[i], v);
            for (int k = 0; k < 3; k++) {
                sc_box_add_point(&m->box[m->root[i]], v[k]);
            }
        }
    }
    m->apart = true;
    return sc_broad_sweep(m->box, m->pieces, w->own->watch, add_common, m);
}
