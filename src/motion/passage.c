/* passage.c - see passage.h. */
#include "passage.h"

#include "base/alloc.h"
#include "passing_nodes.h"

#include <string.h>

typedef sc_passing_node node;

/* Either looks for the first time at which some pair is nearer than `near`, or for the pair that
 * is nearest at any time. */
typedef struct search {
    const sc_passage *p;
    sc_window within;
    double keep;  /* pairs that are certainly farther apart do not matter */
    double until; /* nor does what is later */
    double near;
    bool met;
    double (*enough)(const void *context, double least); /* NULL: the first time is looked for */
    const void *context;
    sc_passage_least least;
    bool low; /* some are nearer than the floor */
    uint64_t steps;
    sc_passage_code code; /* what is not OK ends it */
} search;

/* ---- what passes by ------------------------------------------------------------- */

/* What of another part reaches this while it moves, or is moved past. */
static sc_cylinder_box reach_of(const sc_cylinder_box *bounds, double shift, double within)
{
    sc_cylinder_box reach = *bounds;
    reach.low[SC_RADIUS] -= within;
    reach.high[SC_RADIUS] += within;
    reach.low[SC_HEIGHT] -= within - sc_min(shift, 0.0);
    reach.high[SC_HEIGHT] += within + sc_max(shift, 0.0);
    return reach;
}

static double size_of(const sc_cylinder_box *bounds)
{
    return bounds->high[SC_RADIUS] +
           sc_max(fabs(bounds->low[SC_HEIGHT]), fabs(bounds->high[SC_HEIGHT]));
}

static sc_glide_part part_of(const sc_passing *passing, const sc_axis *axis)
{
    const stlclash_screw *screw = &passing->screw->screw;
    return (sc_glide_part){passing->share * screw->angle,
                           passing->share * screw->shift,
                           axis->origin,
                           {axis->side[0], axis->side[1], axis->side[2]}};
}

/* About the axis of what moves. */
static bool make_for_one(const sc_passing *rests, const sc_passing *moves, double within,
                         double error, sc_passage *p)
{
    const sc_axis axis = sc_axis_of(moves->screw);
    const sc_cylinder_box bounds[2] = {sc_cylinder_bounds(rests->part, &axis),
                                       sc_cylinder_bounds(moves->part, &axis)};
    const double shift = moves->share * moves->screw->screw.shift;
    const double size =
        size_of(&bounds[0]) + size_of(&bounds[1]) + fabs(shift) + sc_length(axis.origin);
    p->glide.part[1] = part_of(moves, &axis);
    p->glide.part[1].origin = (sc_vec3){0.0, 0.0, 0.0};
    p->glide.margin = 2.0 * error + 0x1p-46 * size;
    within += p->glide.margin;
    const sc_cylinder_box near_moving = reach_of(&bounds[1], shift, within);
    const sc_cylinder_box near_rest = reach_of(&bounds[0], -shift, within);
    return sc_cylinder_make(rests->part, rests->eroded, &axis, &near_moving, &p->tree[0]) &&
           sc_cylinder_make(moves->part, moves->eroded, &axis, &near_rest, &p->tree[1]);
}

/* Each about its own axis, all of it, in an order that does not depend on their names. */
static bool make_for_both(const sc_passing *passing, double error, sc_passage *p)
{
    static const sc_cylinder_box anywhere = {{-INFINITY, -INFINITY, -INFINITY},
                                             {INFINITY, INFINITY, INFINITY}};
    sc_part ordered[2] = {*passing[0].part, *passing[1].part};
    const bool swapped = sc_parts_order(ordered).swapped;
    double size = 0.0;
    bool ok = true;
    p->glide.both = true;
    for (int i = 0; i < 2 && ok; i++) {
        const sc_passing *own = &passing[swapped ? 1 - i : i];
        const sc_axis axis = sc_axis_of(own->screw);
        const sc_cylinder_box bounds = sc_cylinder_bounds(own->part, &axis);
        p->glide.part[i] = part_of(own, &axis);
        size += size_of(&bounds) + fabs(p->glide.part[i].shift) + sc_length(axis.origin);
        ok = sc_cylinder_make(own->part, own->eroded, &axis, &anywhere, &p->tree[i]);
    }
    p->glide.margin = 2.0 * error + 0x1p-46 * size;
    return ok;
}

sc_passage_code sc_passage_make(const sc_passing *passing, double within, double error,
                                sc_passage *passage)
{
    const bool both = passing[0].screw && passing[1].screw;
    const int moves = passing[1].screw != NULL;
    *passage = (sc_passage){.crew = NULL};
    return (both ? make_for_both(passing, error, passage)
                 : make_for_one(&passing[1 - moves], &passing[moves], within, error, passage))
               ? SC_PASSAGE_OK
               : SC_PASSAGE_MEMORY;
}

void sc_passage_free(sc_passage *passage)
{
    sc_cylinder_free(&passage->tree[0]);
    sc_cylinder_free(&passage->tree[1]);
}

/* ---- a pair of facets ------------------------------------------------------------ */

typedef struct facet_pair {
    const sc_cylinder_facet *a, *b;
} facet_pair;

/* Asked at each step of the work. */
static bool goes_on(search *s)
{
    if (s->code == SC_PASSAGE_OK && sc_watch_ends(s->p->watch, ++s->steps)) {
        s->code = SC_PASSAGE_STOPPED;
    }
    return s->code == SC_PASSAGE_OK && !s->low;
}

/* Too short a time to get on. */
static bool is_stuck(double safe)
{
    return !(safe > 0x1p-40);
}

static void look_for_first(search *s, facet_pair pair, sc_window w)
{
    const sc_glide *g = &s->p->glide;
    double t = w.from;
    while (t <= sc_min(w.to, s->until) && goes_on(s)) {
        sc_glide_look l = sc_glide_look_at(g, pair.a->v, pair.b->v, t);
        if (sc_glide_look_at_closest(&l) < s->near) {
            s->until = t;
            s->met = true;
            return;
        }
        const double safe = sc_glide_safe_time(g, &l, s->keep);
        if (is_stuck(safe)) {
            s->code = SC_PASSAGE_UNKNOWN;
            return;
        }
        t += safe;
    }
}

static void take_least(search *s, double distance, double t)
{
    if (distance < s->least.least) {
        s->least.least = distance;
        s->least.time = t;
        s->keep = s->enough(s->context, distance);
        s->low |= distance < s->least.floor;
    }
}

/* From the middle outwards, the rest of the window before and after in turn. */
static void look_for_least(search *s, facet_pair pair, sc_window w)
{
    enum { DEEPEST = 64 };
    const sc_glide *g = &s->p->glide;
    sc_window waiting[DEEPEST];
    int count = 0;
    waiting[count++] = w;
    while (count > 0 && goes_on(s)) {
        const sc_window now = waiting[--count];
        const double t = 0.5 * (now.from + now.to);
        const double half = 0.5 * (now.to - now.from);
        sc_glide_look l = sc_glide_look_at(g, pair.a->v, pair.b->v, t);
        sc_glide_look_across(&l);
        if (sc_glide_safe_time(g, &l, s->keep) >= half) {
            continue;
        }
        take_least(s, sc_glide_look_at_closest(&l), t);
        if (s->low) {
            return;
        }
        const double safe = sc_glide_safe_time(g, &l, s->keep);
        if (is_stuck(safe) || count + 2 > DEEPEST) {
            s->code = SC_PASSAGE_UNKNOWN;
        } else if (safe < half) {
            waiting[count++] = (sc_window){t + safe, now.to};
            waiting[count++] = (sc_window){now.from, t - safe};
        }
    }
}

/* ---- all pairs ------------------------------------------------------------------- */

static size_t children_end(const sc_cylinder *tree, node n)
{
    const size_t below = n.level == 0 ? tree->facet_count : tree->count[n.level - 1];
    const size_t end = (n.index + 1) * SC_CYLINDER_CHILDREN;
    return end < below ? end : below;
}

static void visit(search *s, node a, node b, sc_window w);

static void visit_children(search *s, node a, node b, sc_window w)
{
    const sc_passage *p = s->p;
    const int side = a.level < b.level;
    const node n = side ? b : a;
    const size_t end = children_end(&p->tree[side], n);
    for (size_t i = n.index * SC_CYLINDER_CHILDREN; i < end; i++) {
        const node child = {n.level - 1, i};
        visit(s, side ? a : child, side ? child : b, w);
    }
}

static void visit(search *s, node a, node b, sc_window w)
{
    const sc_passage *p = s->p;
    const sc_passing_nodes nodes = {p, {a, b}, s->keep};
    w = sc_passing_near(&nodes, sc_windows_common(w, (sc_window){0.0, s->until}));
    if (!(w.from <= w.to) || !goes_on(s) || sc_passing_kept_apart(&nodes, w)) {
        return;
    }
    if (a.level < 0 && b.level < 0) {
        const facet_pair pair = {&p->tree[0].facets[a.index], &p->tree[1].facets[b.index]};
        (s->enough ? look_for_least : look_for_first)(s, pair, w);
    } else if (sc_passing_is_long(&nodes, w)) {
        const double middle = 0.5 * (w.from + w.to);
        visit(s, a, b, (sc_window){w.from, middle});
        visit(s, a, b, (sc_window){middle, w.to});
    } else {
        visit_children(s, a, b, w);
    }
}

/* ---- by any number of threads -------------------------------------------------------
 *
 * In rounds of so many tasks, of which each knows what those of the rounds before have found and
 * nothing of each other: so it makes no difference who takes which. */

enum { TASKS = 256, ROUND = 16 };

typedef struct task {
    node a, b;
    search found;
} task;

static void do_task(void *tasks, int item)
{
    task *t = (task *)tasks + item;
    visit(&t->found, t->a, t->b, t->found.within);
}

/* A pair of nodes in place of each by its children, as long as that makes no more than TASKS. */
static int divide(const sc_passage *p, task *tasks)
{
    int count = 1;
    tasks[0].a = (node){p->tree[0].levels - 1, 0};
    tasks[0].b = (node){p->tree[1].levels - 1, 0};
    while (count <= TASKS / SC_CYLINDER_CHILDREN &&
           (tasks[0].a.level > 0 || tasks[0].b.level > 0)) {
        const int side = tasks[0].a.level < tasks[0].b.level; /* all are of the same levels */
        const int before = count;
        task old[TASKS / SC_CYLINDER_CHILDREN];
        memcpy(old, tasks, (size_t)count * sizeof *old);
        count = 0;
        for (int i = 0; i < before; i++) {
            const node n = side ? old[i].b : old[i].a;
            const size_t end = children_end(&p->tree[side], n);
            for (size_t k = n.index * SC_CYLINDER_CHILDREN; k < end; k++, count++) {
                tasks[count] = old[i];
                *(side ? &tasks[count].b : &tasks[count].a) = (node){n.level - 1, k};
            }
        }
    }
    return count;
}

static void take_over(search *s, const search *found)
{
    s->code = s->code == SC_PASSAGE_OK ? found->code : s->code;
    s->steps += found->steps;
    if (found->met && (!s->met || found->until < s->until)) {
        s->met = true;
        s->until = found->until;
    }
    if (s->enough) {
        take_least(s, found->least.least, found->least.time);
    }
}

static bool is_done(const search *s)
{
    return s->code != SC_PASSAGE_OK || s->low;
}

static void search_window(search *s, task *tasks, int count)
{
    const sc_passage *p = s->p;
    enum { NANOSECONDS_A_STEP = 100 };
    uint64_t steps = 0; /* of the round before */
    for (int first = 0; first < count && !is_done(s); first += ROUND) {
        const int size = count - first < ROUND ? count - first : ROUND;
        const uint64_t before = s->steps;
        for (int i = first; i < first + size; i++) {
            tasks[i].found = *s;
            tasks[i].found.steps = 0;
        }
        sc_crew_items(sc_crew_for(p->crew, steps * NANOSECONDS_A_STEP), size, do_task,
                      tasks + first);
        for (int i = first; i < first + size; i++) {
            take_over(s, &tasks[i].found);
        }
        steps = s->steps - before;
        if (s->code == SC_PASSAGE_OK && !sc_poll_goes_on(&p->poll)) {
            s->code = SC_PASSAGE_STOPPED;
        }
    }
}

/* Where both parts move, boxes do not tell when nodes come near each other: so what is sought early
 * is not sought late. */
static void search_all(search *s)
{
    const sc_passage *p = s->p;
    const int windows = p->glide.both ? 4 : 1;
    task *tasks = sc_alloc(TASKS, sizeof *tasks);
    if (!tasks) {
        s->code = SC_PASSAGE_MEMORY;
        return;
    }
    const int count = p->tree[0].levels > 0 && p->tree[1].levels > 0 ? divide(p, tasks) : 0;
    for (int i = 0; i < windows && !s->met && !is_done(s); i++) {
        s->within = (sc_window){(double)i / windows, (double)(i + 1) / windows};
        search_window(s, tasks, count);
    }
    sc_free(tasks);
}

sc_passage_code sc_passage_meets(const sc_passage *passage, double gap, double near, double *time)
{
    search s = {.p = passage, .keep = gap, .until = 1.0, .near = gap + near};
    search_all(&s);
    *time = s.met ? s.until : INFINITY;
    return s.code;
}

sc_passage_code sc_passage_find_least(const sc_passage *passage,
                                      double (*enough)(const void *context, double least),
                                      const void *context, sc_passage_least *least)
{
    search s = {.p = passage,
                .keep = enough(context, least->least),
                .until = 1.0,
                .enough = enough,
                .context = context,
                .least = *least};
    search_all(&s);
    *least = s.least;
    least->certain = s.low ? 0.0 : s.keep;
    return s.code;
}
