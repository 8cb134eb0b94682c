/* health_nesting.c - see health_nesting.h.
 *
 * Points just inside each shell are asked for the winding numbers of all shells around them
 * (health_samples.h); the larger shells are decided first. */
#include "health_nesting.h"

#include "base/alloc.h"
#include "health_samples.h"

#include <stdlib.h>

/* For the order of sizes: the volume's upper bits, since shells of the same shape have
 * the same volume but for rounding; of those the outward ones come first. */
typedef struct place {
    uint64_t size;
    int sign;
    uint32_t shell;
} place;

static place place_of(const sc_health_shells *shells, uint32_t s)
{
    const uint64_t size = sc_bits_of(fabs(shells->shell[s].volume)) >> 16;
    return (place){size, shells->shell[s].sign, s};
}

static int by_size(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->size != q->size) {
        return p->size > q->size ? -1 : 1;
    }
    return p->sign != q->sign ? q->sign - p->sign : (p->shell > q->shell) - (p->shell < q->shell);
}

/* Only a larger shell can have another one in it. */
static bool may_hold(const sc_health_shells *shells, uint32_t outer, uint32_t inner)
{
    place p = place_of(shells, outer), q = place_of(shells, inner);
    return p.size > q.size || (p.size == q.size && p.sign > q.sign);
}

static void count_shell(sc_count *c, const sc_health_shell *shell)
{
    c->first = c->count == 0 || shell->first < c->first ? shell->first : c->first;
    c->count++;
}

/* Whether shell s is inverted or nested outward; larger shells are decided. votes:
 * [shells] zeros, and left so. own: -1 for shells found inverted themselves. */
static void decide(const sc_samples *samples, sc_health_shells *shells, uint32_t s, int32_t *votes,
                   int8_t *own, sc_nesting *nesting)
{
    sc_health_shell *shell = &shells->shell[s];
    uint32_t good = 0, in_solid = 0;
    size_t id = (size_t)s * samples->per_shell, end = id + samples->per_shell;
    size_t begin = samples->first[id], stop = samples->first[end];

    for (; id < end; id++) {
        int around = 0;
        for (size_t i = samples->first[id]; i < samples->first[id + 1] && samples->good[id]; i++) {
            const sc_sample_winding *w = &samples->windings[i];
            if (may_hold(shells, w->shell, s)) {
                around += w->number * shells->shell[w->shell].flip;
                votes[w->shell]++;
            }
        }
        good += samples->good[id];
        in_solid += samples->good[id] && around > 0;
    }
    for (size_t i = begin; i < stop; i++) { /* what turns a shell turns all within it */
        uint32_t outer = samples->windings[i].shell;
        if (2 * (uint32_t)votes[outer] > good && own[outer] < 0) {
            shell->flip = -shell->flip;
        }
        votes[outer] = 0;
    }
    if (good == 0) {
        nesting->simple = nesting->simple && shell->sign >= 0;
        return;
    }
    bool outward = shell->sign * shell->flip > 0;
    if (!outward && 2 * in_solid <= good) {
        own[s] = -1;
        shell->flip = -shell->flip;
        count_shell(&nesting->inverted, shell);
    } else if (outward && 2 * in_solid > good) {
        count_shell(&nesting->outward, shell);
    }
}

static bool decide_all(const sc_samples *samples, sc_health_shells *shells, sc_nesting *nesting)
{
    uint32_t count = shells->count;
    place *order = sc_alloc(count, sizeof order[0]);
    int32_t *votes = sc_calloc(count, sizeof votes[0]);
    int8_t *own = sc_calloc(count, sizeof own[0]);
    bool ok = order && votes && own;

    for (uint32_t s = 0; s < count && ok; s++) {
        order[s] = place_of(shells, s);
    }
    if (ok) {
        qsort(order, count, sizeof order[0], by_size);
    }
    for (uint32_t k = 0; k < count && ok; k++) {
        decide(samples, shells, order[k].shell, votes, own, nesting);
    }
    sc_free(order);
    sc_free(votes);
    sc_free(own);
    return ok;
}

static bool all_positive(const sc_samples *samples, const sc_health_shells *shells)
{
    for (size_t id = 0; id < (size_t)shells->count * samples->per_shell; id++) {
        int sum = 0;
        for (size_t i = samples->first[id]; i < samples->first[id + 1] && samples->good[id]; i++) {
            sum += samples->windings[i].number * shells->shell[samples->windings[i].shell].flip;
        }
        if (sum < 0) {
            return false;
        }
    }
    return true;
}

bool sc_nesting_find(const sc_facets *facets, sc_health_shells *shells, sc_nesting *nesting)
{
    sc_samples samples;
    bool ok = sc_samples_take(facets, shells, &samples);

    *nesting = (sc_nesting){.known = !samples.gave_up, .simple = !samples.gave_up};
    if (ok && nesting->known) {
        ok = decide_all(&samples, shells, nesting);
        nesting->simple = nesting->simple && ok && all_positive(&samples, shells);
    }
    sc_samples_free(&samples);
    return ok;
}
