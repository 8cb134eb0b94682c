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
    cells->slack = 0.0f;
    for (int k = 0; k < 4; k++) {
        float extent = k < 3 ? box->high[k] - box->low[k] : 0.0f;
        float per_length = (float)count / extent;
        cells->per_length[k] = isfinite(per_length) ? per_length : 0.0f;
        cells->last[k] = (float)(count - 1);
        cells->flat[k] = cells->per_length[k] == 0.0f ? count - 1 : 0;
    }
    for (int z = 0; z < count; z++) {
        memset(&cells->row[sc_cell_row(z, 0)], 0, (size_t)count * sizeof cells->row[0]);
    }
}

/* ---- boxes --------------------------------------------------------------- */

/* The cells that have something in common with a box. */
typedef struct range {
    int32_t low[4], high[4]; /* three */
} range;

static inline int64_t rows_of(const range *r)
{
    return (int64_t)(r->high[1] - r->low[1] + 1) * (r->high[2] - r->low[2] + 1);
}

#if defined(__SSE2__)

static inline __m128i cells_of(const sc_cells *cells, const float at[4])
{
    __m128 x = _mm_mul_ps(_mm_sub_ps(_mm_loadu_ps(at), _mm_loadu_ps(cells->box.low)),
                          _mm_loadu_ps(cells->per_length));
    x = _mm_min_ps(_mm_max_ps(x, _mm_setzero_ps()), _mm_loadu_ps(cells->last));
    return _mm_cvttps_epi32(x);
}

static inline range range_of(const sc_cells *cells, const sc_fbox *box)
{
    const __m128i flat = _mm_loadu_si128((const __m128i *)(const void *)cells->flat);
    range r;
    _mm_storeu_si128((__m128i *)(void *)r.low, cells_of(cells, box->low));
    _mm_storeu_si128((__m128i *)(void *)r.high, _mm_or_si128(cells_of(cells, box->high), flat));
    return r;
}

#else

static inline int32_t cell_of(const sc_cells *cells, int axis, float x)
{
    float at = (x - cells->box.low[axis]) * cells->per_length[axis];
    return at > 0.0f ? (int32_t)(at < cells->last[axis] ? at : cells->last[axis]) : 0;
}

static inline range range_of(const sc_cells *cells, const sc_fbox *box)
{
    range r;
    for (int k = 0; k < 3; k++) {
        r.low[k] = cell_of(cells, k, box->low[k]);
        r.high[k] = cell_of(cells, k, box->high[k]) | cells->flat[k];
    }
    return r;
}

#endif

static inline uint64_t range_word(const range *r)
{
    return sc_cells_word(r->low[0], r->high[0]);
}

static inline bool range_meets(const sc_cells *cells, const range *r)
{
    if (sc_are_four_rows(r->low, r->high)) {
        return sc_four_rows_meet(cells->row, sc_four_rows_of(r->low, r->high));
    }
    for (int32_t z = r->low[2]; z <= r->high[2]; z++) {
        for (int32_t y = r->low[1]; y <= r->high[1]; y++) {
            if ((cells->row[sc_cell_row(z, y)] & range_word(r)) != 0) {
                return true;
            }
        }
    }
    return false;
}

bool sc_cells_meet(const sc_cells *cells, const sc_fbox *box)
{
    sc_fbox grown = *box;
    sc_fbox_grow(&grown, cells->slack);
    range r = range_of(cells, &grown);
    return range_meets(cells, &r);
}

bool sc_cells_hold(const sc_cells *cells, const sc_fbox *box)
{
    const range r = range_of(cells, box);
    const uint64_t word = range_word(&r);
    for (int32_t z = r.low[2]; z <= r.high[2]; z++) {
        for (int32_t y = r.low[1]; y <= r.high[1]; y++) {
            if ((cells->row[sc_cell_row(z, y)] & word) != word) {
                return false;
            }
        }
    }
    return true;
}

/* ---- marking ------------------------------------------------------------- */

enum { FOUR = 4 };

/* These return how many rows that took. */
static int64_t mark_rows(sc_cells *cells, const range *r)
{
    const uint64_t word = range_word(r);
    for (int32_t z = r->low[2]; z <= r->high[2]; z++) {
        for (int32_t y = r->low[1]; y <= r->high[1]; y++) {
            cells->row[sc_cell_row(z, y)] |= word;
        }
    }
    return rows_of(r);
}

static int64_t mark_range(sc_cells *cells, const range *r)
{
    if (!sc_are_four_rows(r->low, r->high)) {
        return mark_rows(cells, r);
    }
    sc_four_rows_mark(cells->row, sc_four_rows_of(r->low, r->high));
    return FOUR;
}

/* What is rounded once more is this far off at most: nothing in the frame exceeds 1. */
static const float rounding = 0x1p-21f;

/* What is marked, and where. */
typedef struct marking {
    sc_cells *cells;
    const sc_frame *frame;
    const sc_part *part;
    float by;        /* boxes are grown by this */
    sc_fbox reach;   /* the box of the cells, grown alike */
    sc_loose *loose; /* or NULL */
} marking;

/* Whether facets whose boxes are as large as this together are much smaller than what they are in:
 * more than a chain of them may be. */
static bool are_scattered(const sc_fbox *block, double size)
{
    return sc_fbox_diagonal_squared(block) > size * size;
}

/* The facets of a block, each by its own box; returns the rows that this took. */
static int64_t mark_facets(const marking *m, size_t block, const sc_fbox *around)
{
    const sc_facets *facets = &m->part->mesh->file.facets;
    const sc_placement *placement = &m->part->used;
    const sc_way_in way = sc_frame_way_in(m->frame, facets, placement);
    uint32_t first, count = sc_block_facets(facets, block, &first), seen = 0;
    uint64_t left = sc_frame_facets_about(m->frame, facets, placement, first, count, &m->reach);
    sc_cell_span found[SC_BLOCK];
    sc_fbox sum = {{0.0f}, {0.0f}};
    uint32_t found_count = 0, listed = 0;
    int64_t rows = 0;

    for (; left != 0; left &= left - 1, seen++) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        float v[3][4];
        sc_frame_vertices(&way, first + i, v);
        sc_fbox box = sc_fbox_around((const float(*)[4])v);
        sc_fbox_sum(&sum, &box);
        sc_fbox_grow(&box, m->by); /* by more than the vertices are off */
        if (!sc_fbox_meet(&box, &m->cells->box)) {
            continue;
        }
        const range r = range_of(m->cells, &box);
        if (sc_are_four_rows(r.low, r.high)) {
            sc_four_rows_mark(m->cells->row, sc_four_rows_of(r.low, r.high));
            found[found_count++] = sc_cell_span_of(r.low, r.high);
            rows += FOUR;
        } else {
            rows += mark_rows(m->cells, &r);
            found[found_count++] = SC_SPAN_NONE;
        }
        listed |= 1u << i;
    }
    const double average = seen > 0 ? (double)sc_fbox_size(&sum) / seen : 0.0;
    if (m->loose && are_scattered(around, count * average)) {
        sc_loose_add(m->loose, block, (uint16_t)listed, found);
    }
    return rows;
}

/* The same of a block whose box is given: where that is large, it may be nearly empty. */
static int64_t mark_block(const marking *m, size_t block, const sc_fbox *box)
{
    enum { LARGE = 64 };
    range r = range_of(m->cells, box);
    if (rows_of(&r) * (r.high[0] - r.low[0] + 1) > LARGE) {
        return mark_facets(m, block, box);
    }
    sc_fbox grown = *box;
    sc_fbox_grow(&grown, m->by);
    r = range_of(m->cells, &grown);
    return mark_range(m->cells, &r);
}

static void mark_part(const marking *m)
{
    enum { ROWS_A_FACET = 4, TIMES_AT_LEAST = 4 };
    const sc_blocks *blocks = &m->part->mesh->blocks;
    const sc_placement *placement = &m->part->used;
    int64_t rows_left = (int64_t)TIMES_AT_LEAST * m->cells->count * m->cells->count +
                        (int64_t)ROWS_A_FACET * m->part->mesh->file.facets.count;

    for (size_t g = 0; g < blocks->group_count; g++) {
        sc_fbox box = sc_frame_block(m->frame, placement, &blocks->groups[g]);
        size_t end = sc_fbox_meet(&box, &m->reach) ? sc_group_end(blocks, g) : 0;
        for (size_t b = g * SC_GROUP; b < end && rows_left >= 0; b++) {
            box = sc_frame_block(m->frame, placement, &blocks->boxes[b]);
            if (sc_fbox_meet(&box, &m->reach)) {
                rows_left -= mark_block(m, b, &box);
            }
        }
    }
    if (rows_left < 0) {
        memset(m->cells->row, 0xff, sizeof m->cells->row);
    }
}

void sc_cells_mark(sc_cells *cells, const sc_frame *frame, const sc_part *part)
{
    marking m = {cells, frame, part, rounding, cells->box, NULL};
    sc_fbox_grow(&m.reach, m.by);
    mark_part(&m);
}

void sc_cells_mark_within(sc_cells *cells, const sc_frame *frame, const sc_part *part, double by,
                          sc_loose *loose)
{
    const float half = (float)(0.5 * by * (1.0 + 0x1p-20)) + rounding;
    marking m = {cells, frame, part, half, cells->box, loose};
    cells->slack = half;
    sc_fbox_grow(&m.reach, half);
    mark_part(&m);
}
