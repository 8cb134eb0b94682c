/* health.c - see health.h. Cheap looks first: most parts need no more than the scan and
 * the search for shells. */
#include "health.h"

#include "base/alloc.h"
#include "base/error.h"
#include "health_nesting.h"

#include <stdio.h>

/* ---- warnings ---------------------------------------------------------------------- */

/* The text is printed from the format with the count, one of two words, and the first
 * facet; nothing is said of nothing. */
static void warn(sc_health *h, const char *code, sc_count c, const char *one, const char *many,
                 const char *rest)
{
    if (c.count == 0) {
        return;
    }
    size_t i = h->warning_count++;
    snprintf(h->texts[i], sizeof h->texts[i], "%llu %s (the first at triangle %llu)%s",
             (unsigned long long)c.count, c.count == 1 ? one : many, (unsigned long long)c.first,
             rest);
    h->warnings[i] = (stlclash_warning){code, c.count, c.first, h->texts[i]};
}

static void warn_boundary(sc_health *h, const sc_lines *lines)
{
    warn(h, "open_edges", lines->open, "edge has no facet to match", "edges have no facet to match",
         ": the mesh is not closed");
    warn(h, "mixed_orientation", lines->mixed, "edge joins facets of unlike orientation",
         "edges join facets of unlike orientation", ": the mesh bounds no solid");
}

static void warn_nesting(sc_health *h, const sc_nesting *nesting, const sc_health_shells *shells)
{
    const sc_count lost = {nesting->known ? 0 : shells->count, 0};
    warn(h, "nesting_unknown", lost, "shell", "shells",
         ": too much to tell which one lies in which, or is inside out");
    warn(h, "inverted_shells", nesting->inverted, "shell is inside out", "shells are inside out",
         ": read the right way round");
    warn(h, "nested_outward_shells", nesting->outward, "shell lies in another and faces outwards",
         "shells lie in others and face outwards", ": solid, not cavities");
}

/* Of shells without volume. Facets back to back hold nothing, whatever they surround; a shell
 * that passes through itself may hold as much the one way round as the other. */
static void warn_volume(sc_health *h, const sc_scan *scan)
{
    warn(h, "no_volume", (sc_count){scan->facets, scan->first}, "triangle", "triangles",
         ": closed, but of volume 0: back to back, or through each other");
}

/* ---- orientation -------------------------------------------------------------------- */

static bool turn_shells(const sc_facets *facets, const sc_health_shells *shells, sc_health *h)
{
    double volume = 0;
    bool turned = false;

    for (uint32_t s = 0; s < shells->count; s++) {
        volume += shells->shell[s].flip * shells->shell[s].volume;
        turned = turned || shells->shell[s].flip < 0;
    }
    if (!turned) {
        return true; /* the scan has summed the volume better */
    }
    h->orientation = sc_alloc(facets->count, 1);
    if (!h->orientation) {
        return false;
    }
    for (uint32_t i = 0; i < facets->count; i++) {
        uint32_t s = shells->of[i];
        h->orientation[i] = s != SC_NO_INDEX && shells->shell[s].flip < 0 ? -1 : 1;
    }
    h->volume = volume;
    return true;
}

/* One shell, inside out. */
static bool turn_all(const sc_facets *facets, sc_health *h)
{
    h->orientation = sc_alloc(facets->count, 1);
    if (h->orientation) {
        memset(h->orientation, -1, facets->count);
        h->volume = -h->volume;
    }
    return h->orientation != NULL;
}

static bool some_have_volume(const sc_health_shells *shells)
{
    for (uint32_t s = 0; s < shells->count; s++) {
        if (shells->shell[s].sign != 0) {
            return true;
        }
    }
    return false;
}

static bool some_are_reversed(const sc_health_shells *shells)
{
    for (uint32_t s = 0; s < shells->count; s++) {
        if (shells->shell[s].sign < 0) {
            return true;
        }
    }
    return false;
}

/* The shells of a closed mesh: by its edges where they are known, or where a scan does not tell. */
static sc_shells_code find_shells(const sc_facets *facets, sc_scan *scan, const sc_edges *edges,
                                  const sc_lines *lines, sc_health_shells *shells)
{
    sc_edges own_edges = {.count = 0};
    const sc_lines no_lines = {.pieces = 0};
    const sc_shells_code code = edges ? SC_SHELLS_TWISTED : sc_shells_scan(facets, scan, shells);
    if (code != SC_SHELLS_TWISTED) {
        return code;
    }
    bool ok = edges || sc_edges_make(facets, &own_edges);
    ok =
        ok && sc_shells_find(facets, edges ? edges : &own_edges, lines ? lines : &no_lines, shells);
    sc_edges_free(&own_edges);
    return ok ? SC_SHELLS_FOUND : SC_SHELLS_MEMORY;
}

/* Of a closed mesh; edges and lines as far as they are known, else NULL. */
static bool judge_shells(const sc_facets *facets, bool full, sc_scan *scan, const sc_edges *edges,
                         const sc_lines *lines, sc_health *h)
{
    sc_health_shells shells = {.count = 0};
    sc_nesting nesting = {.known = true, .simple = true};
    const sc_shells_code code = find_shells(facets, scan, edges, lines, &shells);
    bool ok = code != SC_SHELLS_MEMORY;

    if (code == SC_SHELLS_ONE || shells.count == 1) {
        h->one_shell = scan->facets == facets->count;
        /* The scan knows the sign only if its sums were zero. */
        if ((code == SC_SHELLS_ONE ? scan->sign : shells.shell[0].sign) < 0) {
            ok = turn_all(facets, h);
            nesting.inverted = (sc_count){1, scan->first};
        }
    } else if (ok && (full || some_are_reversed(&shells))) {
        /* Outward shells only: wherever they lie, no winding number is negative. */
        ok = sc_nesting_find(facets, &shells, &nesting) && turn_shells(facets, &shells, h);
    }
    h->closed = h->closed && nesting.known;
    h->simple_windings = nesting.simple;
    warn_nesting(h, &nesting, &shells);
    if (ok && scan->sign == 0 && !some_have_volume(&shells)) {
        warn_volume(h, scan);
    }
    sc_shells_free(&shells);
    return ok;
}

/* ---- the whole ----------------------------------------------------------------------- */

static bool judge_rest(const sc_facets *facets, const sc_edges *edges, const sc_lines *lines,
                       sc_health *h)
{
    sc_repeats repeats;
    if (!sc_edges_components(edges, facets, &h->components) ||
        !sc_edges_repeats(edges, facets, &repeats)) {
        return false;
    }
    warn(h, "t_junctions", lines->joined, "edge is matched only by others along its line",
         "edges are matched only by others along their lines", ": T-junctions, but no gap");
    warn(h, "non_manifold_edges", sc_edges_non_manifold(edges), "edge has more than two facets",
         "edges have more than two facets", "");
    warn(h, "duplicate_triangles", repeats.same, "triangle repeats an earlier one",
         "triangles repeat earlier ones", "");
    warn(h, "opposite_triangles", repeats.opposite,
         "triangle is an earlier one the other way round",
         "triangles are earlier ones the other way round", ": inner walls, or sheets");
    return true;
}

static bool is_closed(const sc_lines *lines)
{
    return lines->open.count + lines->mixed.count == 0;
}

/* The lines of the boundary, and the edges; unless asked for all, and unless it turns out to be
 * closed at T-junctions, only those that do not balance. */
static bool find_boundary(const sc_facets *facets, bool all, sc_edges *edges, sc_lines *lines)
{
    if (!all) {
        if (!sc_edges_make_unbalanced(facets, edges) || !sc_lines_find(edges, lines)) {
            return false;
        }
        if (!is_closed(lines)) {
            return true;
        }
        sc_edges_free(edges);
        sc_lines_free(lines);
    }
    return sc_edges_make(facets, edges) && sc_lines_find(edges, lines);
}

static bool judge(const sc_facets *facets, sc_scan *scan, bool full, sc_health *h)
{
    bool zero = sc_scan_balanced(scan), ok = true;
    sc_edges edges = {.count = 0};
    sc_lines lines = {.pieces = 0};

    h->closed = zero && scan->facets > 0;
    if ((full || !zero) && scan->facets > 0) {
        ok = find_boundary(facets, full, &edges, &lines);
        h->closed = ok && is_closed(&lines);
        warn_boundary(h, &lines);
    }
    if (ok && h->closed) {
        h->volume = scan->volume;
        ok = judge_shells(facets, full, scan, edges.count > 0 ? &edges : NULL, &lines, h);
    }
    if (ok && full && scan->facets > 0) {
        ok = judge_rest(facets, &edges, &lines, h);
    }
    sc_edges_free(&edges);
    sc_lines_free(&lines);
    return ok;
}

stlclash_code sc_health_judge(const stlclash_mesh *mesh, bool full, sc_health *health,
                              stlclash_error *error)
{
    sc_scan scan;

    *health = (sc_health){.simple_windings = true, .full = full};
    /* The whole judgement has tables of all edges, which tell more. */
    bool ok = sc_health_scan(mesh, !full, &scan) && judge(&mesh->file.facets, &scan, full, health);
    sc_scan_free(&scan);
    if (!ok) {
        sc_health_free(health);
        return sc_error_memory(error);
    }
    return STLCLASH_OK;
}

void sc_health_free(sc_health *health)
{
    sc_free(health->orientation);
    *health = (sc_health){.closed = false};
}
