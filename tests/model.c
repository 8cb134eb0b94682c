#include "model.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

void add_triangle(model *m, const int a[3], const int b[3], const int c[3])
{
    if (m->count < MODEL_MOST) {
        memcpy(m->v[m->count][0], a, sizeof m->v[0][0]);
        memcpy(m->v[m->count][1], b, sizeof m->v[0][0]);
        memcpy(m->v[m->count++][2], c, sizeof m->v[0][0]);
    }
}

void add_rectangle(model *m, int axis, int side, int at, const int low[2], const int high[2])
{
    int corner[4][3];
    for (int k = 0; k < 4; k++) {
        corner[k][axis] = at;
        corner[k][(axis + 1) % 3] = k == 1 || k == 2 ? high[0] : low[0];
        corner[k][(axis + 2) % 3] = k >= 2 ? high[1] : low[1];
    }
    int turn = test_below(2); /* either diagonal */
    const int *p[4];
    for (int k = 0; k < 4; k++) {
        p[k] = corner[((side ? k : 3 - k) + turn) % 4];
    }
    add_triangle(m, p[0], p[1], p[2]);
    add_triangle(m, p[0], p[2], p[3]);
}

/* Cut at random places, so that neighbours meet in T-junctions. */
static void add_cut_rectangle(model *m, int axis, int side, int at, const int low[2],
                              const int high[2], int cuts)
{
    int along = test_below(2);
    if (cuts == 0 || high[along] - low[along] < 2) {
        add_rectangle(m, axis, side, at, low, high);
        return;
    }
    int place = low[along] + 1 + test_below(high[along] - low[along] - 1);
    int middle_high[2] = {high[0], high[1]}, middle_low[2] = {low[0], low[1]};
    middle_high[along] = middle_low[along] = place;
    add_cut_rectangle(m, axis, side, at, low, middle_high, cuts - 1);
    add_cut_rectangle(m, axis, side, at, middle_low, high, cuts - 1);
}

void add_box(model *m, const int low[3], const int high[3], int cuts, bool inverted)
{
    for (int face = 0; face < 6; face++) {
        int axis = face / 2, side = face % 2;
        int i = (axis + 1) % 3, j = (axis + 2) % 3;
        const int a[2] = {low[i], low[j]}, b[2] = {high[i], high[j]};
        add_cut_rectangle(m, axis, side != inverted, side ? high[axis] : low[axis], a, b, cuts);
    }
}

int add_voxels(model *m, bool full[MODEL_GRID][MODEL_GRID][MODEL_GRID], double density)
{
    int count = 0;
    memset(full, 0, MODEL_GRID * sizeof full[0]);
    for (int i = 0; i < 27; i++) {
        bool on = test_uniform(0, 1) < density;
        full[1 + i / 9][1 + i / 3 % 3][1 + i % 3] = on;
        count += on;
    }
    for (int i = 0; i < MODEL_GRID * MODEL_GRID * MODEL_GRID; i++) {
        int cell[3] = {i / (MODEL_GRID * MODEL_GRID), i / MODEL_GRID % MODEL_GRID, i % MODEL_GRID};
        if (!full[cell[0]][cell[1]][cell[2]]) {
            continue;
        }
        for (int face = 0; face < 6; face++) {
            int other[3] = {cell[0], cell[1], cell[2]}, axis = face / 2;
            other[axis] += face % 2 ? 1 : -1;
            if (!full[other[0]][other[1]][other[2]]) {
                int a = (axis + 1) % 3, b = (axis + 2) % 3;
                const int low[2] = {cell[a], cell[b]}, high[2] = {cell[a] + 1, cell[b] + 1};
                add_rectangle(m, axis, face % 2, cell[axis] + face % 2, low, high);
            }
        }
    }
    return count;
}

void shuffle_model(model *m)
{
    for (int i = m->count - 1; i > 0; i--) {
        int j = test_below(i + 1), keep[3][3];
        memcpy(keep, m->v[i], sizeof keep);
        memcpy(m->v[i], m->v[j], sizeof keep);
        memcpy(m->v[j], keep, sizeof keep);
    }
}

void flip_triangle(model *m, int i)
{
    int keep[3];
    memcpy(keep, m->v[i][0], sizeof keep);
    memcpy(m->v[i][0], m->v[i][1], sizeof keep);
    memcpy(m->v[i][1], keep, sizeof keep);
}

stl_image image_of_model(const model *m)
{
    float *corners = malloc(((size_t)m->count + 1) * 9 * sizeof corners[0]);
    for (int i = 0; i < m->count && corners; i++) {
        int first = test_below(3);
        for (int k = 0; k < 9; k++) {
            float x = (float)m->v[i][(first + k / 3) % 3][k % 3];
            corners[9 * i + k] = x == 0 && test_below(2) ? -0.0f : x;
        }
    }
    stl_image image = make_facets(corners, (size_t)m->count);
    free(corners);
    return image;
}
