/* overlap_sums.c - see overlap_sums.h.
 *
 * Each part's facets and its side of the segments are summed in shares, and the results added in
 * order: it does not matter who summed them. */
#include "overlap_sums.h"

#include "base/alloc.h"
#include "facet_views.h"

/* One part. */
typedef struct side {
    const sc_crossings *x;
    const sc_pieces *pieces;
    int part;
    sc_facet_views views;
    size_t run_count;                 /* of all patches, each with runs of its own */
    sc_box *runs, *facets, *segments; /* as in sc_sums; segments: NULL for B */
    bool failed;                      /* memory ran out */
} side;

/* What is summed at a time: of a side one share of so many, each of as many facets, segments and
 * runs of patches. */
typedef struct share {
    const side *of;
    size_t number, count;
    sc_sums sums;
    size_t first_run; /* of the patch facets, which the share before may have a part of; and */
    sc_box in_first;  /* the box of its own part */
    bool failed;      /* memory ran out */
} share;

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

static sc_account *account_of(share *h, size_t node)
{
    return &h->sums.of[h->of->pieces->of[node]];
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
static void add_stretch(share *h, const sc_facet_view *view, sc_vec3 a, sc_vec3 b, double times,
                        size_t node)
{
    sc_vec3 ca = sc_sub(a, view->c), cb = sc_sub(b, view->c), twice_area = sc_cross(ca, cb);
    det_value d = det(view->c, ca, cb); /* short edges round less */
    double magnitude =
        d.magnitude + view->reach * (fabs(twice_area.x) + fabs(twice_area.y) + fabs(twice_area.z));
    sc_sum *sums_of[2] = {&h->sums.all.volume6, &account_of(h, node)->volume6};

    for (int i = 0; i < 2; i++) {
        sc_sum_add(sums_of[i], times * d.value);
        sums_of[i]->magnitude += fabs(times) * magnitude;
    }
    add_moment(&h->sums, sc_scale(sc_add(view->c, sc_add(a, b)), times * d.value));
    if (h->of->part == 0) {
        add_area(&h->sums, sc_scale(twice_area, times), fabs(times) * sc_length(twice_area));
    }
}

static void add_point(share *h, size_t node, sc_vec3 p)
{
    sc_box_add_point(&h->sums.all.bounds, p);
    sc_box_add_point(&account_of(h, node)->bounds, p);
}

/* The stretches of one edge of a facet, from vertex `from` to `to`; `corners`: the box of all
 * crossings. */
static void add_edge(share *h, const sc_active *f, const sc_facet_view *view, uint32_t from,
                     uint32_t to, sc_box *corners)
{
    const side *s = h->of;
    const sc_crossings *x = s->x;
    const sc_windings *in = &x->windings[s->part];
    const sc_crossed_edge e = sc_crossings_of_edge(x, s->part, from, to);
    size_t node = sc_pieces_vertex(x, s->part, e.low);
    sc_vec3 at = sc_sub(in->points[e.low], x->origin);
    int winding = e.winding;

    for (size_t i = e.first; i < e.last; i++) {
        if (winding != 0) {
            add_stretch(h, sc_facet_view_for(&s->views, view, f, node), at, x->crossings[i].point,
                        e.sign * winding, node);
        }
        winding += x->crossings[i].enters;
        at = x->crossings[i].point;
        node = sc_pieces_crossing(x, i);
        sc_box_add_point(corners, sc_add(at, x->origin));
    }
    if (winding != 0) {
        add_stretch(h, sc_facet_view_for(&s->views, view, f, node), at,
                    sc_sub(in->points[e.high], x->origin), e.sign * winding, node);
    }
}

static void add_facet(share *h, const sc_active *f, sc_box *corners)
{
    const sc_crossings *x = h->of->x;
    const int part = h->of->part;
    const sc_windings *in = &x->windings[part];
    const sc_facet_view view = sc_facet_view_of(&h->of->views, f);
    /* Seen from a vertex, the edges there amount to nothing. */
    const bool one_edge = f >= in->facets + in->crossed && sc_crossings_spare(x, part, f);

    for (int k = 0; k < 3; k++) {
        if (k == 1 || !one_edge) {
            add_edge(h, f, &view, f->vertex[k], f->vertex[(k + 1) % 3], corners);
        }
        if (in->winding[f->vertex[k]] != 0) {
            add_point(h, sc_pieces_vertex(x, part, f->vertex[k]), in->points[f->vertex[k]]);
            sc_box_add_point(corners, in->points[f->vertex[k]]);
        }
    }
}

/* One part's side of a segment of a run: forwards for A, backwards for B. */
static void add_segment(share *h, const sc_segment *segment, size_t run)
{
    const sc_crossings *x = h->of->x;
    const int part = h->of->part;
    sc_vec3 start = x->crossings[segment->start].point, end = x->crossings[segment->end].point;
    size_t node = sc_pieces_crossing(x, segment->start);
    const sc_active *f = sc_windings_crossed(&x->windings[part], segment->facet[part]);
    const sc_facet_view view = sc_facet_view_of(&h->of->views, f);

    add_stretch(h, sc_facet_view_for(&h->of->views, &view, f, node), start, end,
                part == 0 ? 1.0 : -1.0, node);
    if (part == 0) {
        const sc_vec3 ends[2] = {sc_add(start, x->origin), sc_add(end, x->origin)};
        for (int i = 0; i < 2; i++) {
            add_point(h, node, ends[i]);
            sc_box_add_point(&h->of->segments[run], ends[i]);
        }
    }
}

/* ---- patches ------------------------------------------------------------- */

/* That of some patch facets, no more than a run. */
static void keep_box(share *h, size_t first, size_t count, const sc_box *box)
{
    const size_t runs[2] = {first / SC_SUMS_RUN, (first + count - 1) / SC_SUMS_RUN};
    h->first_run = h->first_run < runs[0] ? h->first_run : runs[0];
    for (int i = 0; i < 2; i++) {
        sc_box_add_box(runs[i] == h->first_run ? &h->in_first : &h->of->runs[runs[i]], box);
    }
}

static size_t runs_of(const sc_patch *patch)
{
    return (patch->facets + SC_SUMS_RUN - 1) / SC_SUMS_RUN;
}

/* A run of facets of a patch. */
static void add_run(share *h, size_t number, size_t run)
{
    const side *s = h->of;
    const sc_windings *in = &s->x->windings[s->part];
    const sc_patch *patch = &in->patches[number];
    const size_t first = run * SC_SUMS_RUN, left = patch->facets - first;
    const size_t count = left < SC_SUMS_RUN ? left : SC_SUMS_RUN;
    const sc_run_sums r = sc_run_sums_of(in->own, in->patch_facets + patch->facet + first, count,
                                         s->x->origin, s->part == 0);
    sc_account *accounts[2] = {&h->sums.all, account_of(h, sc_pieces_patch(s->x, s->part, number))};
    const double times = patch->winding;

    for (int i = 0; i < 2; i++) {
        sc_sum_add(&accounts[i]->volume6, times * sc_sum_total(&r.account.volume6));
        accounts[i]->volume6.magnitude += fabs(times) * r.account.volume6.magnitude;
        sc_box_add_box(&accounts[i]->bounds, &r.account.bounds);
    }
    keep_box(h, patch->facet + first, count, &r.account.bounds);
    add_moment(&h->sums, sc_scale(r.moment, times));
    if (s->part == 0) {
        add_area(&h->sums, sc_scale(r.area, times), fabs(times) * r.area_terms);
    }
}

/* The runs from number `first` of all patches to before `end`. */
static void add_runs(share *h, size_t first, size_t end)
{
    const sc_windings *in = &h->of->x->windings[h->of->part];
    size_t at = 0; /* the first one of the patch */
    for (size_t i = 0; i < in->patch_count && at < end; i++) {
        const size_t next = at + runs_of(&in->patches[i]), last = next < end ? next : end;
        for (size_t run = at > first ? at : first; run < last; run++) {
            if (sc_watch_ends(in->own->watch, run)) {
                return;
            }
            add_run(h, i, run - at);
        }
        at = next;
    }
}

/* ---- sides ----------------------------------------------------------------- */

static sc_box *empty_boxes(size_t count)
{
    sc_box *boxes = sc_alloc(count, sizeof *boxes);
    for (size_t i = 0; i < count && boxes; i++) {
        boxes[i] = sc_box_empty();
    }
    return boxes;
}

static void prepare_side(void *context, int part)
{
    side *s = (side *)context + part;
    const sc_windings *in = &s->x->windings[part];

    for (size_t i = 0; i < in->patch_count; i++) {
        s->run_count += runs_of(&in->patches[i]);
    }
    s->runs = empty_boxes(in->patch_facet_count / SC_SUMS_RUN + 1);
    s->facets = empty_boxes(in->count / SC_CORNERS_RUN + 1);
    s->segments = part == 0 ? empty_boxes(s->x->segment_count / SC_CORNERS_RUN + 1) : NULL;
    s->failed = !s->runs || !s->facets || (part == 0 && !s->segments) ||
                !sc_facet_views_make(s->x, s->pieces, part, &s->views);
}

/* ---- shares ---------------------------------------------------------------- */

/* Into how many a side is divided: enough for several threads, but not so many that accounts of
 * all pieces in each of them would count. */
static size_t shares_of(const side *s)
{
    enum { MOST = 16, LEAST = 4096, FOR_PIECE = 16 };
    const sc_windings *in = &s->x->windings[s->part];
    const size_t all = in->count + s->x->segment_count + in->patch_facet_count;
    const size_t shares = all / (LEAST + FOR_PIECE * s->pieces->count);
    return shares < 1 ? 1 : shares < MOST ? shares : MOST;
}

static bool begin_sums(const sc_pieces *pieces, sc_sums *sums)
{
    sums->of = sc_calloc(pieces->count, sizeof *sums->of);
    sums->all.bounds = sc_box_empty();
    for (size_t i = 0; i < pieces->count && sums->of; i++) {
        sums->of[i].bounds = sc_box_empty();
    }
    return sums->of != NULL;
}

/* Where share k of so many of all items begins. */
static size_t begin_of(size_t all, size_t k, size_t count)
{
    return all / count * k + all % count * k / count;
}

/* The same where each begins with a run. */
static size_t begin_of_runs(size_t all, size_t k, size_t count)
{
    const size_t begin = SC_CORNERS_RUN * begin_of(all / SC_CORNERS_RUN + 1, k, count);
    return begin < all ? begin : all;
}

static void sum_share(void *context, int number)
{
    share *h = (share *)context + number;
    const side *s = h->of;
    const sc_windings *in = &s->x->windings[s->part];
    sc_watch *watch = in->own->watch;
    const size_t k = h->number, count = h->count;
    const size_t facets_end = begin_of_runs(in->count, k + 1, count);
    const size_t segments_end = begin_of_runs(s->x->segment_count, k + 1, count);

    h->failed = !begin_sums(s->pieces, &h->sums);
    if (h->failed) {
        return;
    }
    for (size_t i = begin_of_runs(in->count, k, count); i < facets_end && !sc_watch_ends(watch, i);
         i++) {
        add_facet(h, &in->facets[i], &s->facets[i / SC_CORNERS_RUN]);
    }
    add_runs(h, begin_of(s->run_count, k, count), begin_of(s->run_count, k + 1, count));
    for (size_t i = begin_of_runs(s->x->segment_count, k, count);
         i < segments_end && !sc_watch_ends(watch, i); i++) {
        add_segment(h, &s->x->segments[i], i / SC_CORNERS_RUN);
    }
}

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

static share new_share(const side *of, size_t number, size_t count)
{
    return (share){.of = of,
                   .number = number,
                   .count = count,
                   .first_run = SIZE_MAX,
                   .in_first = sc_box_empty()};
}

/* Of all shares; those of the first one are the result then. */
static bool sum_all(const side sides[2], share *shares, size_t count, sc_crew *crew)
{
    bool good = true;
    for (size_t i = 0, of_a = shares_of(&sides[0]); i < count; i++) {
        shares[i] =
            i < of_a ? new_share(&sides[0], i, of_a) : new_share(&sides[1], i - of_a, count - of_a);
    }
    sc_crew_items(crew, (int)count, sum_share, shares);
    for (size_t i = 0; i < count; i++) {
        good = good && !shares[i].failed;
        if (shares[i].first_run != SIZE_MAX) {
            sc_box_add_box(&shares[i].of->runs[shares[i].first_run], &shares[i].in_first);
        }
    }
    for (size_t i = 1; i < count; i++) {
        if (good) {
            join_sums(&shares[0].sums, &shares[i].sums, sides[0].pieces->count);
        }
        sc_sums_free(&shares[i].sums);
    }
    return good;
}

/* ---- both ---------------------------------------------------------------- */

bool sc_sums_make(const sc_crossings *crossings, const sc_pieces *pieces, sc_crew *crew,
                  sc_sums *sums)
{
    side sides[2] = {{.x = crossings, .pieces = pieces, .part = 0},
                     {.x = crossings, .pieces = pieces, .part = 1}};
    sc_watch *watch = crossings->solid[0]->watch;
    share *shares = NULL;

    *sums = (sc_sums){.of = NULL};
    sc_crew_items(crew, 2, prepare_side, sides);
    bool good = !sides[0].failed && !sides[1].failed && !sc_watch_is_over(watch);
    const size_t count = shares_of(&sides[0]) + shares_of(&sides[1]);
    if (good && (shares = sc_alloc(count, sizeof *shares)) != NULL) {
        good = sum_all(sides, shares, count, crew) && !sc_watch_is_over(watch);
        *sums = shares[0].sums;
    }
    good = good && shares;
    for (int part = 0; part < 2; part++) {
        sums->runs[part] = sides[part].runs;
        sums->facets[part] = sides[part].facets;
        sc_facet_views_free(&sides[part].views);
    }
    sums->segments = sides[0].segments;
    sc_free(shares);
    return good;
}

void sc_sums_free(sc_sums *sums)
{
    sc_free(sums->of);
    for (int part = 0; part < 2; part++) {
        sc_free(sums->runs[part]);
        sc_free(sums->facets[part]);
    }
    sc_free(sums->segments);
    *sums = (sc_sums){.of = NULL};
}
