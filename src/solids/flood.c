/* flood.c - see flood.h. */
#include "flood.h"

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
    return sc_cells_word(0, walls->count - 1) & ~walls->row[sc_cell_row(z, y)];
}

/* One row from its neighbours; whether it grew. */
static bool flood_row(const sc_cells *walls, sc_cells *reached, int z, int y)
{
    uint64_t old = reached->row[sc_cell_row(z, y)], all = old;
    all |= z > 0 ? reached->row[sc_cell_row(z - 1, y)] : 0;
    all |= z < walls->count - 1 ? reached->row[sc_cell_row(z + 1, y)] : 0;
    all |= y > 0 ? reached->row[sc_cell_row(z, y - 1)] : 0;
    all |= y < walls->count - 1 ? reached->row[sc_cell_row(z, y + 1)] : 0;
    const uint64_t free = free_cells(walls, z, y);
    if ((all & free & ~old) == 0) {
        return false;
    }
    reached->row[sc_cell_row(z, y)] = spread(all, free);
    return true;
}

static uint64_t open_cells(bool open[3][2], int last, int z, int y)
{
    if ((open[1][0] && y == 0) || (open[1][1] && y == last) || (open[2][0] && z == 0) ||
        (open[2][1] && z == last)) {
        return sc_cells_word(0, last);
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
        reached->row[sc_cell_row(z, y)] =
            spread(open_cells(open, count - 1, z, y), free_cells(walls, z, y));
    }
    for (int sweep = 0; sweep < SWEEPS && grew; sweep++) { /* to and fro */
        grew = false;
        for (int i = 0; i < count * count; i++) {
            int at = sweep % 2 ? count * count - 1 - i : i;
            grew |= flood_row(walls, reached, at / count, at % count);
        }
    }
}
