/* passage.c - see passage.h. */
#include "passage.h"

#include "base/alloc.h"
#include "geom/angle.h"

#include <string.h>

typedef struct window {
    double from, to; /* times; none where they are not in order */
} window;

/* Either looks for the first time at which some pair is nearer than `near`, or for the pair that
 * is nearest at any time. */
typedef struct search {
    const sc_passage *p;
    window within;
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

/* ---- when boxes are near ------------------------------------------------------- */

static void narrow_down(window *w, double from, double to)
{
    w->from = sc_max(w->from, from);
    w->to = sc_min(w->to, to);
}

/* When low <= at + speed t <= high. */
static void narrow_to_passing(window *w, double at, double speed, double low, double high)
{
    if (speed == 0.0) {
        narrow_down(w, low <= at && at <= high ? 0.0 : INFINITY, INFINITY);
    } else {
        const double t[2] = {(low - at) / speed, (high - at) / speed};
        narrow_down(w, sc_min(t[0], t[1]), sc_max(t[0], t[1]));
    }
}

/* No points at such radii, or larger ones, that are nearer than `within` have angles farther apart
 * than this: asin(within / radius), from above. */
static double widest_angle(double within, double radius)
{
    const double sine = within / radius; /* also infinite */
    return sine < 0.9 ? sine / sqrt(1.0 - sine * sine) + 0x1p-40 : SC_PI;
}

/* Around the times at which boxes may be nearer than that, where one part moves. */
static window when_near(const sc_passage *p, const sc_cylinder_box *a, const sc_cylinder_box *b,
                        double within, double until)
{
    window w = {0.0, until}, any = {INFINITY, -INFINITY};
    if (a->low[SC_RADIUS] - b->high[SC_RADIUS] > within ||
        b->low[SC_RADIUS] - a->high[SC_RADIUS] > within) {
        return any;
    }
    /* with the low end of b at the height that its box has */
    narrow_to_passing(&w, b->low[SC_HEIGHT], p->glide.part[1].shift,
                      a->low[SC_HEIGHT] - within - (b->high[SC_HEIGHT] - b->low[SC_HEIGHT]),
                      a->high[SC_HEIGHT] + within);
    const double angle = widest_angle(within, sc_max(a->low[SC_RADIUS], b->low[SC_RADIUS]));
    const double low = a->low[SC_ANGLE] - angle - (b->high[SC_ANGLE] - b->low[SC_ANGLE]);
    const double high = a->high[SC_ANGLE] + angle;
    if (high - low >= 2.0 * SC_PI - 0x1p-30) {
        return w;
    }
    for (int turns = -2; turns <= 2 && w.from <= w.to; turns++) {
        window once = w;
        narrow_to_passing(&once, b->low[SC_ANGLE] + 2.0 * SC_PI * turns, p->glide.part[1].turn, low,
                          high);
        if (once.from <= once.to) {
            any.from = sc_min(any.from, once.from);
            any.to = sc_max(any.to, once.to);
        }
    }
    return any;
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

static void look_for_first(search *s, facet_pair pair, window w)
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
static void look_for_least(search *s, facet_pair pair, window w)
{
    enum { DEEPEST = 64 };
    const sc_glide *g = &s->p->glide;
    window waiting[DEEPEST];
    int count = 0;
    waiting[count++] = w;
    while (count > 0 && goes_on(s)) {
        const window now = waiting[--count];
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
            waiting[count++] = (window){t + safe, now.to};
            waiting[count++] = (window){now.from, t - safe};
        }
    }
}

/* ---- all pairs ------------------------------------------------------------------- */

typedef struct node {
    int level; /* -1: a facet */
    size_t index;
} node;

static const sc_cylinder_box *box_of(const sc_cylinder *tree, node n)
{
    return n.level < 0 ? &tree->facets[n.index].box : &tree->nodes[n.level][n.index].box;
}

static size_t children_end(const sc_cylinder *tree, node n)
{
    const size_t below = n.level == 0 ? tree->facet_count : tree->count[n.level - 1];
    const size_t end = (n.index + 1) * SC_CYLINDER_CHILDREN;
    return end < below ? end : below;
}

/* The first of the facets of a node, and how many they are. */
static size_t facets_of(const sc_cylinder *tree, node n, size_t *first)
{
    size_t width = 1;
    for (int level = n.level; level >= 0; level--) {
        width *= SC_CYLINDER_CHILDREN;
    }
    *first = n.index * width;
    return *first + width < tree->facet_count ? width : tree->facet_count - *first;
}

/* All vertices of a node of one part along a way that is no longer than 1. */
typedef struct extent {
    double low, high;
    double slowest, fastest; /* along it */
    sc_glide_rate rate;      /* of none of them less, but for that */
} extent;

/* `own`: the way in its coordinates, as it was at time 0; `mover`: whose screw tells how they move,
 * if not that of the part. */
static extent extent_along(const sc_passage *p, int part, node n, sc_vec3 own,
                           const sc_glide_part *mover)
{
    const sc_cylinder *tree = &p->tree[part];
    extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY,
                sc_glide_rate_within(mover, box_of(tree, n)->high[SC_RADIUS], 0.0)};
    size_t first, count = facets_of(tree, n, &first);
    for (size_t i = first; i < first + count; i++) {
        for (int k = 0; k < 3; k++) {
            const sc_vec3 v = tree->facets[i].v[k];
            const double height = sc_dot(own, v), along = sc_glide_along(mover, v, own);
            e.low = sc_min(e.low, height);
            e.high = sc_max(e.high, height);
            e.slowest = sc_min(e.slowest, along);
            e.fastest = sc_max(e.fastest, along);
        }
    }
    return e;
}

/* The most of their velocities against each other, both moving. */
static sc_glide_rate rate_of_both(const extent *a, const extent *b)
{
    sc_glide_rate rate = sc_glide_rate_between(a->rate, b->rate);
    rate.along = sc_max(fabs(b->fastest - a->slowest), fabs(b->slowest - a->fastest));
    return rate;
}

/* Either may be taken for what moves: what is nearer to the axis. */
static sc_glide_rate rate_of_one(const extent *a, const extent *b)
{
    const extent *nearer = b->rate.bend < a->rate.bend ? b : a;
    sc_glide_rate rate = nearer->rate;
    rate.along = sc_max(fabs(nearer->slowest), fabs(nearer->fastest));
    return rate;
}

/* How fast two points of parts move against each other, where they have those coordinates of their
 * own at some time. */
static sc_glide_rate rate_between(const sc_glide *g, const sc_glide_poses *at, const sc_vec3 v[2],
                                  sc_vec3 way)
{
    sc_glide_rate rate[2] = {{.along = 0.0}};
    for (int i = g->both ? 0 : 1; i < 2; i++) {
        /* what turns keeps its place along a direction that turns with it */
        rate[i] = sc_glide_rate_of(&g->part[i], v[i], sc_glide_turned_back(g, at, i, way));
    }
    return sc_glide_rate_between(rate[0], rate[1]);
}

/* For how long before and after nodes are kept apart by the spheres around them, which move as
 * their centres do. */
static double time_by_spheres(const search *s, node a, node b, double t)
{
    const sc_passage *p = s->p;
    const sc_cylinder_node *of_a = &p->tree[0].nodes[a.level][a.index];
    const sc_cylinder_node *of_b = &p->tree[1].nodes[b.level][b.index];
    const sc_glide_poses at = sc_glide_at(&p->glide, t);
    const sc_vec3 own[2] = {of_a->centre, of_b->centre};
    const sc_vec3 way = sc_sub(sc_glide_placed(&p->glide, &at, 1, own[1]),
                               sc_glide_placed(&p->glide, &at, 0, own[0]));
    const sc_vec3 unit = sc_unit_shortened(way);
    const double gap = sc_length(way) * (1.0 - 0x1p-40) - of_a->radius - of_b->radius;
    const double room = gap - s->keep - p->glide.margin;
    const sc_glide_rate rate = rate_between(&p->glide, &at, own, unit);
    return sc_glide_time(&rate, room);
}

/* How far a box reaches from its middle along a direction, which is given in its coordinates. */
static double half_along(const sc_cylinder_node *n, sc_vec3 own)
{
    return fabs(own.x) * n->half.x + fabs(own.y) * n->half.y + fabs(own.z) * n->half.z;
}

/* Of the points of a box instead of its middle: what is off it turns about it. */
static sc_glide_rate rate_of_box(const sc_glide_part *part, const sc_cylinder_node *n,
                                 sc_glide_rate rate)
{
    const double around = part->turn * sqrt(n->half.x * n->half.x + n->half.y * n->half.y);
    rate.bend += 0.5 * part->turn * around;
    rate.speed += around;
    rate.rough += 2.0 * around;
    rate.along += rate.along < 0.0 ? -around : around;
    return rate;
}

/* The same by boxes along the sides of their axes, where both parts move: slivers, as of gears, are
 * long beside how far they are apart. */
static double time_by_boxes(const search *s, node a, node b, double t)
{
    const sc_passage *p = s->p;
    const sc_glide *g = &p->glide;
    const sc_cylinder_node *of_a = &p->tree[0].nodes[a.level][a.index];
    const sc_cylinder_node *of_b = &p->tree[1].nodes[b.level][b.index];
    const sc_glide_poses at = sc_glide_at(g, t);
    const sc_vec3 own[2] = {of_a->middle, of_b->middle};
    const sc_vec3 way =
        sc_sub(sc_glide_placed(g, &at, 1, own[1]), sc_glide_placed(g, &at, 0, own[0]));
    const sc_vec3 unit = sc_unit_shortened(way);
    const double gap = sc_length(way) * (1.0 - 0x1p-40) -
                       half_along(of_a, sc_glide_turned_back(g, &at, 0, unit)) -
                       half_along(of_b, sc_glide_turned_back(g, &at, 1, unit));
    sc_glide_rate rate = rate_between(g, &at, own, unit);
    rate = rate_of_box(&g->part[0], of_a, rate);
    rate = rate_of_box(&g->part[1], of_b, rate);
    return sc_glide_time(&rate, gap - s->keep - g->margin);
}

/* The same by a plane across the facets of the first. */
static double time_by_plane(const search *s, node a, node b, double t)
{
    const sc_passage *p = s->p;
    const sc_glide *g = &p->glide;
    const sc_glide_poses at = sc_glide_at(g, t);
    const sc_vec3 own = sc_unit_shortened(p->tree[0].nodes[a.level][a.index].area);
    const sc_vec3 way = sc_glide_turned(g, &at, 0, own);
    const sc_vec3 back = sc_glide_turned_back(g, &at, 1, way);
    const sc_glide_part *mover = g->both ? &g->part[0] : &g->part[1];
    const extent of_a = extent_along(p, 0, a, own, mover);
    const extent of_b = extent_along(p, 1, b, back, &g->part[1]);
    const double lift = sc_glide_lift(g, &at, 1, way) - sc_glide_lift(g, &at, 0, way);
    const double gap = sc_max(of_b.low + lift - of_a.high, of_a.low - of_b.high - lift);
    const sc_glide_rate rate = g->both ? rate_of_both(&of_a, &of_b) : rate_of_one(&of_a, &of_b);
    return sc_glide_time(&rate, gap - s->keep - g->margin);
}

/* Whether they are all the time, as a few looks tell. */
static bool kept_apart(const search *s, double (*time_apart)(const search *, node, node, double),
                       node a, node b, window w, int looks)
{
    const double t = 0.5 * (w.from + w.to), half = 0.5 * (w.to - w.from);
    const double safe = time_apart(s, a, b, t);
    return safe >= half ||
           (looks > 1 && looks * safe >= half &&
            kept_apart(s, time_apart, a, b, (window){w.from, t - safe}, looks / 2) &&
            kept_apart(s, time_apart, a, b, (window){t + safe, w.to}, looks / 2));
}

/* Whether so much is told without a look at pairs of facets. */
static bool matters_not(const search *s, node a, node b, window w)
{
    enum { LOOKS = 8 };
    return a.level == b.level && a.level >= 0 &&
           (kept_apart(s, s->p->glide.both ? time_by_boxes : time_by_spheres, a, b, w, LOOKS) ||
            (a.level <= 1 && kept_apart(s, time_by_plane, a, b, w, LOOKS)));
}

static void visit(search *s, node a, node b, window w);

/* Where both parts move, whether nodes do so much against each other in that time that they are
 * looked at for half of it, then the other half. */
static bool is_long(const search *s, node a, node b, window w)
{
    const sc_passage *p = s->p;
    if (!p->glide.both || a.level < 0 || b.level < 0) {
        return false;
    }
    const sc_cylinder_node *of_a = &p->tree[0].nodes[a.level][a.index];
    const sc_cylinder_node *of_b = &p->tree[1].nodes[b.level][b.index];
    const sc_glide_poses at = sc_glide_at(&p->glide, 0.5 * (w.from + w.to));
    const sc_vec3 own[2] = {of_a->middle, of_b->middle};
    double velocity[3];
    for (int k = 0; k < 3; k++) {
        const sc_vec3 way = {k == 0, k == 1, k == 2};
        velocity[k] = rate_between(&p->glide, &at, own, way).along;
    }
    const sc_vec3 way = sc_vec3_of(velocity), unit = sc_unit_shortened(way);
    const double reach = half_along(of_a, sc_glide_turned_back(&p->glide, &at, 0, unit)) +
                         half_along(of_b, sc_glide_turned_back(&p->glide, &at, 1, unit));
    return 0.5 * (w.to - w.from) * sc_length(way) > reach + s->keep;
}

static void visit_children(search *s, node a, node b, window w)
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

static void visit(search *s, node a, node b, window w)
{
    const sc_passage *p = s->p;
    narrow_down(&w, 0.0, s->until);
    if (!p->glide.both) {
        w = when_near(p, box_of(&p->tree[0], a), box_of(&p->tree[1], b), s->keep + p->glide.margin,
                      s->until);
    }
    if (!(w.from <= w.to) || !goes_on(s) || matters_not(s, a, b, w)) {
        return;
    }
    if (a.level < 0 && b.level < 0) {
        const facet_pair pair = {&p->tree[0].facets[a.index], &p->tree[1].facets[b.index]};
        (s->enough ? look_for_least : look_for_first)(s, pair, w);
    } else if (is_long(s, a, b, w)) {
        const double middle = 0.5 * (w.from + w.to);
        visit(s, a, b, (window){w.from, middle});
        visit(s, a, b, (window){middle, w.to});
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
        s->within = (window){(double)i / windows, (double)(i + 1) / windows};
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
