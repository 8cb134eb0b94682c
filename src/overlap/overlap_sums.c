/* overlap_sums.c - see overlap_sums.h.
 *
 * Each part's facets and its side of the segments are summed for themselves, and the two
 * results added; and so are runs of facets of patches: it does not matter who summed them. */
#include "overlap_sums.h"

#include "base/alloc.h"
#include "base/sort.h"

#include <stdlib.h>

/* What a stretch belongs to: a facet, seen from its reference point c. */
typedef struct facet_view {
    sc_vec3 c;
    double reach; /* of its vertices from the origin: what its points are rounded to */
    size_t piece; /* of a crossed facet: that of c */
    bool several; /* other pieces have views of their own of the facet */
} facet_view;

/* Of a facet that several pieces are on, for another than the first: from a point of the one the
 * stretches of the other, far off and short, would round by more than it holds. */
typedef struct other_view {
    size_t facet, segment; /* numbers of the crossed facet, and of the segment that gives c */
    facet_view view;
} other_view;

/* The sums of one part. */
typedef struct work {
    const sc_crossings *x;
    const sc_pieces *pieces;
    int part;
    facet_view *views;  /* [crossed facets] */
    other_view *others; /* sorted by facets and pieces, or NULL */
    size_t other_count;
    sc_run_sums *large; /* [large_count] those of large patches, one patch after the other */
    size_t large_count, large_added;
    sc_sums sums;
    bool failed; /* memory ran out */
} work;

/* ---- terms --------------------------------------------------------------- */

/* A determinant and the sum of the magnitudes of its products. */
typedef struct det_value {
    double value, magnitude;
} det_value;

static det_value det(sc_vec3 a, sc_vec3 b, sc_vec3 c)
{
    sc_vec3 normal = sc_cross(b, c);
    sc_vec3 size = {fabs(b.y * c.z) + fabs(b.z * c.y), fabs(b.z * c.x) + fabs(b.x * c.z),
                    fabs(b.x * c.y) + fabs(b.y * c.x)};
    return (det_value){sc_dot(a, normal),
                       fabs(a.x) * size.x + fabs(a.y) * size.y + fabs(a.z) * size.z};
}

/* From a vertex of its own; of one that is crossed, the view is at hand. */
static facet_view view_of(const work *w, const sc_active *f)
{
    const sc_windings *in = &w->x->windings[w->part];
    const size_t number = (size_t)(f - in->facets);
    return number < in->crossed ? w->views[number]
                                : (facet_view){.c = sc_sub(in->points[f->vertex[0]], w->x->origin)};
}

static int by_facet_and_piece(const void *x, const void *y)
{
    const other_view *a = x, *b = y;
    return a->facet != b->facet ? (a->facet > b->facet ? 1 : -1)
                                : (a->view.piece > b->view.piece) - (a->view.piece < b->view.piece);
}

/* The one of a piece, if it has its own. */
static const facet_view *view_for(const work *w, const facet_view *view, const sc_active *f,
                                  size_t node)
{
    const size_t piece = w->pieces->of[node];
    if (!view->several || view->piece == piece) {
        return view;
    }
    const other_view key = {.facet = (size_t)(f - w->x->windings[w->part].facets),
                            .view = {.piece = piece}};
    const other_view *own =
        bsearch(&key, w->others, w->other_count, sizeof key, by_facet_and_piece);
    return own ? &own->view : view;
}

static sc_account *account_of(work *w, size_t node)
{
    return &w->sums.of[w->pieces->of[node]];
}

static void add_moment(sc_sums *s, sc_vec3 moment)
{
    sc_sum_add(&s->moment[0], moment.x);
    sc_sum_add(&s->moment[1], moment.y);
    sc_sum_add(&s->moment[2], moment.z);
}

static void add_area(sc_sums *s, sc_vec3 twice_area, double size)
{
    sc_sum_add(&s->area[0], twice_area.x);
    sc_sum_add(&s->area[1], twice_area.y);
    sc_sum_add(&s->area[2], twice_area.z);
    s->area_terms += size;
}

/* ---- stretches ----------------------------------------------------------- */

/* The stretch from a to b, `times` over. */
static void add_stretch(work *w, const facet_view *view, sc_vec3 a, sc_vec3 b, double times,
                        size_t node)
{
    sc_vec3 ca = sc_sub(a, view->c), cb = sc_sub(b, view->c), twice_area = sc_cross(ca, cb);
    det_value d = det(view->c, ca, cb); /* short edges round less */
    double magnitude =
        d.magnitude + view->reach * (fabs(twice_area.x) + fabs(twice_area.y) + fabs(twice_area.z));
    sc_sum *sums_of[2] = {&w->sums.all.volume6, &account_of(w, node)->volume6};

    for (int i = 0; i < 2; i++) {
        sc_sum_add(sums_of[i], times * d.value);
        sums_of[i]->magnitude += fabs(times) * magnitude;
    }
    add_moment(&w->sums, sc_scale(sc_add(view->c, sc_add(a, b)), times * d.value));
    if (w->part == 0) {
        add_area(&w->sums, sc_scale(twice_area, times), fabs(times) * sc_length(twice_area));
    }
}

static void add_point(work *w, size_t node, sc_vec3 p)
{
    sc_box_add_point(&w->sums.all.bounds, p);
    sc_box_add_point(&account_of(w, node)->bounds, p);
}

/* The stretches of one edge of a facet, from vertex `from` to `to`. */
static void add_edge(work *w, const sc_active *f, const facet_view *view, uint32_t from,
                     uint32_t to)
{
    const sc_crossings *x = w->x;
    const sc_windings *in = &x->windings[w->part];
    const sc_crossed_edge e = sc_crossings_of_edge(x, w->part, from, to);
    size_t node = sc_pieces_vertex(x, w->part, e.low);
    sc_vec3 at = sc_sub(in->points[e.low], x->origin);
    int winding = e.winding;

    for (size_t i = e.first; i < e.last; i++) {
        if (winding != 0) {
            add_stretch(w, view_for(w, view, f, node), at, x->crossings[i].point, e.sign * winding,
                        node);
        }
        winding += x->crossings[i].enters;
        at = x->crossings[i].point;
        node = sc_pieces_crossing(x, i);
    }
    if (winding != 0) {
        add_stretch(w, view_for(w, view, f, node), at, sc_sub(in->points[e.high], x->origin),
                    e.sign * winding, node);
    }
}

static void add_facet(work *w, const sc_active *f)
{
    const sc_windings *in = &w->x->windings[w->part];
    facet_view view = view_of(w, f);
    /* Seen from a vertex, the edges there amount to nothing. */
    const bool one_edge = f >= in->facets + in->crossed && sc_crossings_spare(w->x, w->part, f);

    for (int k = 0; k < 3; k++) {
        if (k == 1 || !one_edge) {
            add_edge(w, f, &view, f->vertex[k], f->vertex[(k + 1) % 3]);
        }
        if (in->winding[f->vertex[k]] != 0) {
            add_point(w, sc_pieces_vertex(w->x, w->part, f->vertex[k]), in->points[f->vertex[k]]);
        }
    }
}

/* One part's side of a segment: forwards for A, backwards for B. */
static void add_segment(work *w, const sc_segment *s)
{
    const sc_crossings *x = w->x;
    sc_vec3 start = x->crossings[s->start].point, end = x->crossings[s->end].point;
    size_t node = sc_pieces_crossing(x, s->start);
    const sc_active *f = sc_windings_crossed(&x->windings[w->part], s->facet[w->part]);
    const facet_view view = view_of(w, f);

    add_stretch(w, view_for(w, &view, f, node), start, end, w->part == 0 ? 1.0 : -1.0, node);
    if (w->part == 0) {
        add_point(w, node, sc_add(start, x->origin));
        add_point(w, node, sc_add(end, x->origin));
    }
}

/* ---- patches ------------------------------------------------------------- */

/* That of some patch facets, no more than a run. */
static void keep_box(work *w, size_t first, size_t count, const sc_box *box)
{
    sc_box *runs = w->sums.runs[w->part];
    sc_box_add_box(&runs[first / SC_SUMS_RUN], box);
    sc_box_add_box(&runs[(first + count - 1) / SC_SUMS_RUN], box);
}

static size_t runs_of(const sc_patch *patch)
{
    return (patch->facets + SC_SUMS_RUN - 1) / SC_SUMS_RUN;
}

/* Facets of a patch. */
static size_t run_length(const sc_patch *patch, size_t run)
{
    const size_t left = patch->facets - run * SC_SUMS_RUN;
    return left < SC_SUMS_RUN ? left : SC_SUMS_RUN;
}

static sc_run_sums sum_run(const work *w, const sc_patch *patch, size_t run)
{
    const sc_windings *in = &w->x->windings[w->part];
    const uint32_t *facets = in->patch_facets + patch->facet + run * SC_SUMS_RUN;
    return sc_run_sums_of(in->own, facets, run_length(patch, run), w->x->origin, w->part == 0);
}

static void add_run(work *w, const sc_patch *patch, size_t run, const sc_run_sums *r)
{
    const double times = patch->winding;
    keep_box(w, patch->facet + run * SC_SUMS_RUN, run_length(patch, run), &r->account.bounds);
    add_moment(&w->sums, sc_scale(r->moment, times));
    if (w->part == 0) {
        add_area(&w->sums, sc_scale(r->area, times), fabs(times) * r->area_terms);
    }
}

/* Patches whose runs are summed before all else, by all threads. */
static bool is_large(const sc_patch *patch)
{
    enum { LARGE = 64 * SC_SUMS_RUN };
    return patch->facets >= LARGE;
}

static void add_patch(work *w, size_t number)
{
    const sc_patch *patch = &w->x->windings[w->part].patches[number];
    sc_account *accounts[2] = {&w->sums.all, account_of(w, sc_pieces_patch(w->x, w->part, number))};
    sc_account own = {.bounds = sc_box_empty()};
    double times = patch->winding;

    for (size_t run = 0; run < runs_of(patch); run++) {
        const sc_run_sums r = is_large(patch) ? w->large[w->large_added++] : sum_run(w, patch, run);
        sc_account_join(&own, &r.account);
        add_run(w, patch, run, &r);
    }
    for (int i = 0; i < 2; i++) {
        sc_sum_add(&accounts[i]->volume6, times * sc_sum_total(&own.volume6));
        accounts[i]->volume6.magnitude += fabs(times) * own.volume6.magnitude;
        sc_box_add_box(&accounts[i]->bounds, &own.bounds);
    }
}

/* ---- one part ------------------------------------------------------------ */

/* The first crossing on a facet serves as its c: it has a reach then, as what crosses has area.
 * Returns how many segments are of other pieces. */
static size_t make_views(work *w)
{
    const sc_windings *in = &w->x->windings[w->part];
    size_t others = 0;
    for (size_t i = 0; i < in->crossed; i++) {
        w->views[i] = (facet_view){.c = sc_sub(in->points[in->facets[i].vertex[0]], w->x->origin)};
    }
    for (size_t i = 0; i < w->x->segment_count; i++) {
        const sc_segment *s = &w->x->segments[i];
        const sc_active *f = sc_windings_crossed(in, s->facet[w->part]);
        facet_view *view = &w->views[f - in->facets];
        const size_t piece = w->pieces->of[sc_pieces_crossing(w->x, s->start)];
        if (view->reach > 0.0) {
            const bool is_other = view->piece != piece;
            view->several |= is_other;
            others += is_other;
            continue;
        }
        view->piece = piece;
        view->c = w->x->crossings[s->start].point;
        for (int k = 0; k < 3; k++) {
            const sc_vec3 p = sc_sub(in->points[f->vertex[k]], w->x->origin);
            view->reach = sc_fmax(view->reach, fabs(p.x) + fabs(p.y) + fabs(p.z));
        }
    }
    return others;
}

static int by_facet_piece_and_segment(const void *x, const void *y)
{
    const other_view *a = x, *b = y;
    const int order = by_facet_and_piece(a, b);
    return order ? order : (a->segment > b->segment) - (a->segment < b->segment);
}

/* The segments of crossed facets that other pieces are on than that of the view. */
static void list_others(const work *w, other_view *others)
{
    const sc_windings *in = &w->x->windings[w->part];
    size_t count = 0;
    for (size_t i = 0; i < w->x->segment_count; i++) {
        const sc_segment *s = &w->x->segments[i];
        const sc_active *f = sc_windings_crossed(in, s->facet[w->part]);
        const size_t facet = (size_t)(f - in->facets);
        const facet_view *view = &w->views[facet];
        const size_t piece = w->pieces->of[sc_pieces_crossing(w->x, s->start)];
        if (!view->several || view->piece == piece) {
            continue;
        }
        others[count] = (other_view){facet, i, *view};
        others[count].view.piece = piece;
        others[count++].view.c = w->x->crossings[s->start].point;
    }
}

/* From that many segments. */
static bool make_other_views(work *w, size_t all)
{
    w->others = all ? sc_alloc(all, sizeof *w->others) : NULL;
    if (!w->others) {
        return all == 0;
    }
    list_others(w, w->others);
    if (!sc_sort_items(w->others, all, sizeof *w->others, by_facet_piece_and_segment,
                       w->x->solid[0]->watch)) {
        return false;
    }
    for (size_t i = 0; i < all; i++) { /* the first of each */
        if (i == 0 || by_facet_and_piece(&w->others[w->other_count - 1], &w->others[i]) != 0) {
            w->others[w->other_count++] = w->others[i];
        }
    }
    return true;
}

static bool make_room_for_sums(work *w, const sc_windings *in)
{
    const size_t runs = in->patch_facet_count / SC_SUMS_RUN + 1;
    sc_box *boxes = sc_alloc(runs, sizeof *boxes);

    w->views = sc_alloc(in->crossed, sizeof *w->views);
    w->sums.of = sc_calloc(w->pieces->count, sizeof *w->sums.of);
    w->sums.runs[w->part] = boxes;
    w->sums.all.bounds = sc_box_empty();
    for (size_t i = 0; i < runs && boxes; i++) {
        boxes[i] = sc_box_empty();
    }
    for (size_t i = 0; i < w->pieces->count && w->sums.of; i++) {
        w->sums.of[i].bounds = sc_box_empty();
    }
    return boxes && w->views && w->sums.of;
}

static void add_all(work *w, const sc_windings *in)
{
    sc_watch *watch = in->own->watch;
    for (size_t i = 0; i < in->count && !sc_watch_ends(watch, i); i++) {
        add_facet(w, &in->facets[i]);
    }
    for (size_t i = 0; i < in->patch_count && !sc_watch_ends(watch, i); i++) {
        add_patch(w, i);
    }
    for (size_t i = 0; i < w->x->segment_count && !sc_watch_ends(watch, i); i++) {
        add_segment(w, &w->x->segments[i]);
    }
}

static void sum_part(void *context, int part)
{
    work *w = (work *)context + part;
    const sc_windings *in = &w->x->windings[part];

    w->failed = !make_room_for_sums(w, in) || !make_other_views(w, make_views(w));
    if (!w->failed) {
        add_all(w, in);
    }
    sc_free(w->views);
    sc_free(w->others);
}

/* ---- large patches ------------------------------------------------------- */

/* Some runs of one of them. */
typedef struct stint {
    work *w;
    const sc_patch *patch;
    sc_run_sums *runs; /* where its first one goes */
    size_t first, end;
} stint;

static void sum_stint(void *context, int number)
{
    const stint *s = (const stint *)context + number;
    sc_watch *watch = s->w->x->solid[0]->watch;
    for (size_t run = s->first; run < s->end && !sc_watch_is_over(watch); run++) {
        s->runs[run] = sum_run(s->w, s->patch, run);
    }
}

/* The stints of a part from `stints` on; NULL: only counted. */
static size_t list_stints(work *w, stint *stints)
{
    enum { RUNS = 16 };
    const sc_windings *in = &w->x->windings[w->part];
    size_t count = 0, runs = 0;
    for (size_t i = 0; i < in->patch_count; i++) {
        const sc_patch *patch = &in->patches[i];
        const size_t all = is_large(patch) ? runs_of(patch) : 0;
        for (size_t first = 0; first < all; first += RUNS, count++) {
            if (stints) {
                const size_t end = first + RUNS < all ? first + RUNS : all;
                stints[count] = (stint){w, patch, w->large + runs, first, end};
            }
        }
        runs += all;
    }
    w->large_count = runs;
    return count;
}

static bool sum_large_patches(work w[2], sc_crew *crew)
{
    const size_t of_a = list_stints(&w[0], NULL), of_b = list_stints(&w[1], NULL);
    stint *stints = sc_alloc(of_a + of_b, sizeof *stints);
    bool good = stints != NULL;

    for (int part = 0; part < 2; part++) {
        w[part].large = sc_alloc(w[part].large_count, sizeof *w[part].large);
        good = good && w[part].large;
    }
    if (good) {
        list_stints(&w[0], stints);
        list_stints(&w[1], stints + of_a);
        sc_crew_items(crew, (int)(of_a + of_b), sum_stint, stints);
    }
    sc_free(stints);
    return good;
}

/* ---- both ---------------------------------------------------------------- */

static void join_sums(sc_sums *to, const sc_sums *other, size_t pieces)
{
    sc_account_join(&to->all, &other->all);
    for (size_t i = 0; i < pieces; i++) {
        sc_account_join(&to->of[i], &other->of[i]);
    }
    for (int k = 0; k < 3; k++) {
        sc_sum_join(&to->moment[k], &other->moment[k]);
        sc_sum_join(&to->area[k], &other->area[k]);
    }
    to->area_terms += other->area_terms;
}

bool sc_sums_make(const sc_crossings *crossings, const sc_pieces *pieces, sc_crew *crew,
                  sc_sums *sums)
{
    work w[2] = {{.x = crossings, .pieces = pieces, .part = 0},
                 {.x = crossings, .pieces = pieces, .part = 1}};

    sc_watch *watch = crossings->solid[0]->watch;
    bool good = sum_large_patches(w, crew) && !sc_watch_is_over(watch);
    if (good) {
        sc_crew_items(crew, 2, sum_part, w);
    }
    good = good && !sc_watch_is_over(watch);
    for (int part = 0; part < 2; part++) {
        good = good && !w[part].failed;
    }
    if (good) {
        join_sums(&w[0].sums, &w[1].sums, pieces->count);
    }
    *sums = w[0].sums;
    sums->runs[1] = w[1].sums.runs[1];
    w[1].sums.runs[1] = NULL;
    sc_sums_free(&w[1].sums);
    for (int part = 0; part < 2; part++) {
        sc_free(w[part].large);
    }
    return good;
}

void sc_sums_free(sc_sums *sums)
{
    sc_free(sums->of);
    sc_free(sums->runs[0]);
    sc_free(sums->runs[1]);
    *sums = (sc_sums){.of = NULL};
}
