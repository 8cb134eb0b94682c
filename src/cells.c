/* cells.c - see cells.h. */
#include "cells.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

int sc_cells_count(uint64_t facets)
{
    return facets < 30000 ? 24 : facets < 300000 ? 32 : SC_CELLS; /* measured */
}

void sc_cells_make(const sc_fbox *box, int count, sc_cells *cells)
{
    cells->box = *box;
    cells->count = count;
    for (int k = 0; k < 3; k++) {
        float per_length = (float)count / (box->high[k] - box->low[k]);
        cells->per_length[k] = isfinite(per_length) ? per_length : 0.0f;
    }
    cells->per_length[3] = 0.0f;
    for (int z = 0; z < count; z++) {
        memset(cells->row[z], 0, (size_t)count * sizeof cells->row[z][0]);
    }
}

/* ---- boxes --------------------------------------------------------------- */

/* The cells that have something in common with a box. */
typedef struct range {
    int32_t low[4], high[4]; /* three */
    uint64_t word;           /* along x */
} range;

static inline uint64_t word_of(int32_t low, int32_t high)
{
    return (UINT64_MAX >> (SC_CELLS - 1 - (high - low))) << low;
}

/* Where the grid has no extent, all of its layers are one. */
#if defined(__SSE2__)

static inline __m128i cells_of(const sc_cells *cells, const float at[4])
{
    const __m128 per_length = _mm_loadu_ps(cells->per_length),
                 last = _mm_set1_ps((float)(cells->count - 1));
    __m128 x = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(at), _mm_loadu_ps(cells->box.low)), per_length);
    return _mm_cvttps_epi32(_mm_min_ps(_mm_max_ps(x, _mm_setzero_ps()), last));
}

static inline range range_of(const sc_cells *cells, const sc_fbox *box)
{
    const __m128 flat = _mm_cmpeq_ps(_mm_loadu_ps(cells->per_length), _mm_setzero_ps());
    const __m128i most = _mm_and_si128(_mm_castps_si128(flat), _mm_set1_epi32(cells->count - 1));
    range r;
    _mm_storeu_si128((__m128i *)(void *)r.low, cells_of(cells, box->low));
    _mm_storeu_si128((__m128i *)(void *)r.high, _mm_or_si128(cells_of(cells, box->high), most));
    r.word = word_of(r.low[0], r.high[0]);
    return r;
}

#else

static inline int32_t cell_of(const sc_cells *cells, int axis, float x)
{
    float at = (x - cells->box.low[axis]) * cells->per_length[axis];
    const int32_t last = cells->count - 1;
    return at > 0.0f ? at < (float)last ? (int32_t)at : last : 0;
}

static inline range range_of(const sc_cells *cells, const sc_fbox *box)
{
    range r;
    for (int k = 0; k < 3; k++) {
        r.low[k] = cell_of(cells, k, box->low[k]);
        r.high[k] =
            cells->per_length[k] == 0.0f ? cells->count - 1 : cell_of(cells, k, box->high[k]);
    }
    r.word = word_of(r.low[0], r.high[0]);
    return r;
}

#endif

/* Small boxes are in two rows by two at most, which are then dealt with all four, some of them
 * twice: how many there are differs from box to box, and branches on it would be mispredicted. */
static inline bool is_in_four_rows(const range *r)
{
    return ((r->high[1] - r->low[1]) | (r->high[2] - r->low[2])) <= 1;
}

static inline bool range_meets(const sc_cells *cells, const range *r)
{
    if (is_in_four_rows(r)) {
        const uint64_t *near = cells->row[r->low[2]], *far = cells->row[r->high[2]];
        int32_t y = r->low[1], next = r->high[1];
        return ((near[y] | near[next] | far[y] | far[next]) & r->word) != 0;
    }
    for (int32_t z = r->low[2]; z <= r->high[2]; z++) {
        for (int32_t y = r->low[1]; y <= r->high[1]; y++) {
            if ((cells->row[z][y] & r->word) != 0) {
                return true;
            }
        }
    }
    return false;
}

bool sc_cells_meet(const sc_cells *cells, const sc_fbox *box)
{
    range r = range_of(cells, box);
    return range_meets(cells, &r);
}

bool sc_cells_hold(const sc_cells *cells, const sc_fbox *box)
{
    range r = range_of(cells, box);
    for (int32_t z = r.low[2]; z <= r.high[2]; z++) {
        for (int32_t y = r.low[1]; y <= r.high[1]; y++) {
            if ((cells->row[z][y] & r.word) != r.word) {
                return false;
            }
        }
    }
    return true;
}

/* ---- marking ------------------------------------------------------------- */

static int64_t rows_of(const range *r)
{
    return (int64_t)(r->high[1] - r->low[1] + 1) * (r->high[2] - r->low[2] + 1);
}

static inline void mark_range(sc_cells *cells, const range *r)
{
    if (is_in_four_rows(r)) {
        uint64_t *near = cells->row[r->low[2]], *far = cells->row[r->high[2]];
        int32_t y = r->low[1], next = r->high[1];
        near[y] |= r->word;
        near[next] |= r->word;
        far[y] |= r->word;
        far[next] |= r->word;
        return;
    }
    for (int32_t z = r->low[2]; z <= r->high[2]; z++) {
        for (int32_t y = r->low[1]; y <= r->high[1]; y++) {
            cells->row[z][y] |= r->word;
        }
    }
}

/* What is rounded once more is this far off at most: nothing in the frame exceeds 1. */
static const float rounding = 0x1p-21f;

/* What is marked, and where. */
typedef struct marking {
    sc_cells *cells;
    const sc_frame *frame;
    const sc_part *part;
    float by;      /* boxes are grown by this */
    sc_fbox reach; /* the box of the cells, grown alike */
} marking;

/* The facets of a block, each by its own box; returns the rows that this took. */
static int64_t mark_facets(const marking *m, size_t block)
{
    const sc_facets *facets = &m->part->mesh->file.facets;
    const sc_placement *placement = &m->part->used;
    const sc_way_in way = sc_frame_way_in(m->frame, facets, placement);
    uint32_t first, count = sc_block_facets(facets, block, &first);
    uint64_t left = sc_frame_facets_about(m->frame, facets, placement, first, count, &m->reach);
    int64_t rows = 0;

    for (; left != 0; left &= left - 1) {
        sc_ffacet f;
        sc_frame_facet(&way, first + (uint32_t)__builtin_ctzll(left), &f);
        sc_fbox_grow(&f.box, m->by);
        if (sc_fbox_meet(&f.box, &m->cells->box)) {
            range r = range_of(m->cells, &f.box);
            mark_range(m->cells, &r);
            rows += rows_of(&r);
        }
    }
    return rows;
}

/* The same of a block whose box is given: where that is large, it may be nearly empty. */
static int64_t mark_block(const marking *m, size_t block, const sc_fbox *box)
{
    enum { LARGE = 64 };
    range r = range_of(m->cells, box);
    if (rows_of(&r) * (r.high[0] - r.low[0] + 1) > LARGE) {
        return mark_facets(m, block);
    }
    sc_fbox grown = *box;
    sc_fbox_grow(&grown, m->by);
    r = range_of(m->cells, &grown);
    mark_range(m->cells, &r);
    return rows_of(&r);
}

void sc_cells_mark(sc_cells *cells, const sc_frame *frame, const sc_part *part, double by)
{
    enum { ROWS_A_FACET = 4, TIMES_AT_LEAST = 4 };
    const sc_blocks *blocks = &part->mesh->blocks;
    int64_t rows_left = (int64_t)TIMES_AT_LEAST * cells->count * cells->count +
                        (int64_t)ROWS_A_FACET * part->mesh->file.facets.count;
    const float margin = (float)(by * (1.0 + 0x1p-20)) + rounding;
    marking m = {cells, frame, part, margin, cells->box};

    sc_fbox_grow(&m.reach, margin);
    for (size_t g = 0; g < blocks->group_count; g++) {
        sc_fbox box = sc_frame_block(frame, &part->used, &blocks->groups[g]);
        size_t end = sc_fbox_meet(&box, &m.reach) ? sc_group_end(blocks, g) : 0;
        for (size_t b = g * SC_GROUP; b < end && rows_left >= 0; b++) {
            box = sc_frame_block(frame, &part->used, &blocks->boxes[b]);
            if (sc_fbox_meet(&box, &m.reach)) {
                rows_left -= mark_block(&m, b, &box);
            }
        }
    }
    if (rows_left < 0) {
        memset(cells->row, 0xff, sizeof cells->row);
    }
}

/* ---- ways around --------------------------------------------------------- */

/* What lies in one run of free cells with a reached one. */
static uint64_t spread(uint64_t reached, uint64_t free)
{
    uint64_t up = free, down = free;
    uint64_t right = reached & free, left = right;
    for (int step = 1; step < SC_CELLS; step *= 2) {
        right |= up & (right << step);
        left |= down & (left >> step);
        up &= up << step;
        down &= down >> step;
    }
    return right | left;
}

static uint64_t free_cells(const sc_cells *walls, int z, int y)
{
    return word_of(0, walls->count - 1) & ~walls->row[z][y];
}

/* One row from its neighbours; whether it grew. */
static bool flood_row(const sc_cells *walls, sc_cells *reached, int z, int y)
{
    uint64_t old = reached->row[z][y], all = old;
    all |= z > 0 ? reached->row[z - 1][y] : 0;
    all |= z < walls->count - 1 ? reached->row[z + 1][y] : 0;
    all |= y > 0 ? reached->row[z][y - 1] : 0;
    all |= y < walls->count - 1 ? reached->row[z][y + 1] : 0;
    const uint64_t free = free_cells(walls, z, y);
    if ((all & free & ~old) == 0) {
        return false;
    }
    reached->row[z][y] = spread(all, free);
    return true;
}

static uint64_t open_cells(bool open[3][2], int last, int z, int y)
{
    if ((open[1][0] && y == 0) || (open[1][1] && y == last) || (open[2][0] && z == 0) ||
        (open[2][1] && z == last)) {
        return word_of(0, last);
    }
    return (uint64_t)open[0][0] | (uint64_t)open[0][1] << last;
}

void sc_cells_flood(const sc_cells *walls, bool open[3][2], sc_cells *reached)
{
    enum { SWEEPS = 64 };
    const int count = walls->count;
    bool grew = true;

    sc_cells_make(&walls->box, count, reached);
    for (int i = 0; i < count * count; i++) {
        int z = i / count, y = i % count;
        reached->row[z][y] = spread(open_cells(open, count - 1, z, y), free_cells(walls, z, y));
    }
    for (int sweep = 0; sweep < SWEEPS && grew; sweep++) { /* to and fro */
        grew = false;
        for (int i = 0; i < count * count; i++) {
            int at = sweep % 2 ? count * count - 1 - i : i;
            grew |= flood_row(walls, reached, at / count, at % count);
        }
    }
}
