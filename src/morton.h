/* morton.h - Morton codes of boxes: the cells of a grid in the order in which an octree
 * has them. */
#ifndef SC_MORTON_H
#define SC_MORTON_H

#include "frame.h"

/* The low 10 bits of x, two places apart. */
static inline uint32_t sc_morton_spread(uint32_t x)
{
    x = (x | x << 16) & 0x030000FFu;
    x = (x | x << 8) & 0x0300F00Fu;
    x = (x | x << 4) & 0x030C30C3u;
    return (x | x << 2) & 0x09249249u;
}

/* A cube that is to be divided into 2^bits cells along each side. */
typedef struct sc_grid {
    float low[3]; /* twice the corner */
    float cells;  /* half the cells per length */
    float last;   /* the last cell */
} sc_grid;

/* bits: 1 to 10. */
static inline sc_grid sc_grid_over(const sc_fbox *box, int bits)
{
    float extent = 0.0f, cells = (float)(1 << bits);
    for (int k = 0; k < 3; k++) {
        float side = box->high[k] - box->low[k];
        extent = side > extent ? side : extent;
    }
    return (sc_grid){{2.0f * box->low[0], 2.0f * box->low[1], 2.0f * box->low[2]},
                     extent > 0x1p-100f ? 0.5f * cells / extent : 0.0f,
                     cells - 1.0f};
}

/* The code of the cell of a box's centre: 3 * bits bits. */
static inline uint32_t sc_morton(const sc_fbox *box, const sc_grid *g)
{
    uint32_t code = 0;
    for (int k = 0; k < 3; k++) {
        float cell = (box->low[k] + box->high[k] - g->low[k]) * g->cells;
        cell = cell > 0.0f ? cell : 0.0f;
        cell = cell < g->last ? cell : g->last;
        code |= sc_morton_spread((uint32_t)(int32_t)cell) << k;
    }
    return code;
}

#endif
