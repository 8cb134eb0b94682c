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
 * The first row, how far behind it the next ones along y and z are, and the cells along x. */
typedef struct sc_four_rows {
    uint32_t row, y, z;
    uint64_t word;
} sc_four_rows;

static inline bool sc_are_four_rows(const int32_t low[3], const int32_t high[3])
{
    return ((high[1] - low[1]) | (high[2] - low[2])) <= 1;
}

static inline sc_four_rows sc_four_rows_of(const int32_t low[3], const int32_t high[3])
{
    return (sc_four_rows){sc_cell_row(low[2], low[1]), (uint32_t)(high[1] - low[1]),
                          (uint32_t)(high[2] - low[2]) << SC_CELL_BITS,
                          sc_cells_word(low[0], high[0])};
}

static inline bool sc_four_rows_meet(const sc_cell_rows rows, sc_four_rows r)
{
    const uint64_t *row = &rows[r.row];
    return ((row[0] | row[r.y] | row[r.z] | row[r.y + r.z]) & r.word) != 0;
}

static inline void sc_four_rows_mark(sc_cell_rows rows, sc_four_rows r)
{
    uint64_t *row = &rows[r.row];
    if ((row[0] & row[r.y] & row[r.z] & row[r.y + r.z] & r.word) != r.word) { /* seldom */
        row[0] |= r.word;
        row[r.y] |= r.word;
        row[r.z] |= r.word;
        row[r.y + r.z] |= r.word;
    }
}

/* The same in a few bits: the first and last cell along x, the first row, and whether there is a
 * next one along y and along z. */
typedef uint32_t sc_cell_span;

enum {
    SC_SPAN_LAST = SC_CELL_BITS,
    SC_SPAN_ROW = 2 * SC_CELL_BITS,
    SC_SPAN_Y = 4 * SC_CELL_BITS,
    SC_SPAN_Z
};

#define SC_SPAN_NONE (UINT32_C(1) << 31) /* no such box */

static inline sc_cell_span sc_cell_span_of(const int32_t low[3], const int32_t high[3])
{
    return (uint32_t)low[0] | (uint32_t)high[0] << SC_SPAN_LAST |
           sc_cell_row(low[2], low[1]) << SC_SPAN_ROW | (uint32_t)(high[1] - low[1]) << SC_SPAN_Y |
           (uint32_t)(high[2] - low[2]) << SC_SPAN_Z;
}

static inline sc_four_rows sc_span_rows(sc_cell_span span)
{
    return (sc_four_rows){span >> SC_SPAN_ROW & (SC_CELLS * SC_CELLS - 1), span >> SC_SPAN_Y & 1,
                          (span >> SC_SPAN_Z & 1) << SC_CELL_BITS,
                          sc_cells_word((int32_t)(span & (SC_CELLS - 1)),
                                        (int32_t)(span >> SC_SPAN_LAST & (SC_CELLS - 1)))};
}

#endif
