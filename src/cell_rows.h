/* cell_rows.h - the cells of a grid as bits, and those of a small box in one word. */
#ifndef SC_CELL_ROWS_H
#define SC_CELL_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { SC_CELL_BITS = 6, SC_CELLS = 1 << SC_CELL_BITS }; /* along each axis at most */

/* A word for each row along x; see sc_cell_row. */
typedef uint64_t sc_cell_rows[SC_CELLS * SC_CELLS];

static inline uint32_t sc_cell_row(int32_t z, int32_t y)
{
    return (uint32_t)z << SC_CELL_BITS | (uint32_t)y;
}

/* The cells from one along x to another, inclusive. */
static inline uint64_t sc_cells_word(int32_t low, int32_t high)
{
    return (UINT64_MAX >> (SC_CELLS - 1 - (high - low))) << low;
}

/* A box that lies in two rows by two at most, which are then dealt with all four, some of them
 * twice: how many there are differs from box to box, and branches on it would be mispredicted.
 * The first and last cell along x, the first row, and whether there is a second one along y and
 * along z, each in the bits named. */
typedef uint32_t sc_cell_span;

enum {
    SC_SPAN_LAST = SC_CELL_BITS,
    SC_SPAN_ROW = 2 * SC_CELL_BITS,
    SC_SPAN_Y = 4 * SC_CELL_BITS,
    SC_SPAN_Z
};

enum { SC_SPAN_ROWS = 4 };

#define SC_SPAN_NONE (UINT32_C(1) << 31) /* the box is no such one */

static inline bool sc_is_cell_span(const int32_t low[3], const int32_t high[3])
{
    return ((high[1] - low[1]) | (high[2] - low[2])) <= 1;
}

static inline sc_cell_span sc_cell_span_of(const int32_t low[3], const int32_t high[3])
{
    return (uint32_t)low[0] | (uint32_t)high[0] << SC_SPAN_LAST |
           sc_cell_row(low[2], low[1]) << SC_SPAN_ROW | (uint32_t)(high[1] - low[1]) << SC_SPAN_Y |
           (uint32_t)(high[2] - low[2]) << SC_SPAN_Z;
}

static inline uint64_t sc_span_word(sc_cell_span span)
{
    return sc_cells_word((int32_t)(span & (SC_CELLS - 1)),
                         (int32_t)(span >> SC_SPAN_LAST & (SC_CELLS - 1)));
}

/* Its rows: this one and those as far behind it. */
static inline uint32_t sc_span_row(sc_cell_span span)
{
    return span >> SC_SPAN_ROW & (SC_CELLS * SC_CELLS - 1);
}

static inline uint32_t sc_span_y(sc_cell_span span)
{
    return span >> SC_SPAN_Y & 1;
}

static inline uint32_t sc_span_z(sc_cell_span span)
{
    return (span >> SC_SPAN_Z & 1) << SC_CELL_BITS;
}

static inline bool sc_span_meets(const sc_cell_rows rows, sc_cell_span span)
{
    const uint64_t *row = &rows[sc_span_row(span)];
    const uint32_t y = sc_span_y(span), z = sc_span_z(span);
    return ((row[0] | row[y] | row[z] | row[y + z]) & sc_span_word(span)) != 0;
}

static inline void sc_span_mark(sc_cell_rows rows, sc_cell_span span)
{
    uint64_t *row = &rows[sc_span_row(span)];
    const uint32_t y = sc_span_y(span), z = sc_span_z(span);
    const uint64_t word = sc_span_word(span);
    if ((row[0] & row[y] & row[z] & row[y + z] & word) != word) { /* seldom */
        row[0] |= word;
        row[y] |= word;
        row[z] |= word;
        row[y + z] |= word;
    }
}

#endif
