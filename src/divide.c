/* divide.c - see divide.h. */
#include "divide.h"

/* A float as an integer of the same order. */
static uint32_t ordered(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

/* Puts the `rank` least keys first (Hoare 1961, as Wirth has it). */
static void select_least(uint64_t *key, int count, int rank)
{
    int low = 0, high = count - 1;
    while (low < high) {
        uint64_t pivot = key[rank];
        int i = low, j = high;
        do {
            while (key[i] < pivot) {
                i++;
            }
            while (pivot < key[j]) {
                j--;
            }
            if (i <= j) {
                uint64_t swap = key[i];
                key[i++] = key[j];
                key[j--] = swap;
            }
        } while (i <= j);
        low = j < rank ? i : low;
        high = rank < i ? j : high;
    }
}

static int longest_side(const float (*centre)[4], const uint32_t *order, uint32_t count)
{
    float low[4], high[4];
    for (int k = 0; k < 4; k++) {
        low[k] = high[k] = centre[order[0]][k];
    }
    for (uint32_t i = 1; i < count; i++) {
        const float *c = centre[order[i]];
        for (int k = 0; k < 4; k++) {
            low[k] = c[k] < low[k] ? c[k] : low[k];
            high[k] = c[k] > high[k] ? c[k] : high[k];
        }
    }
    int axis = high[1] - low[1] > high[0] - low[0];
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

void sc_divide(const float (*centre)[4], uint32_t *order, uint32_t count, uint32_t size)
{
    while (count > size) {
        uint64_t key[SC_DIVIDE_MAX];
        uint32_t groups = (count + size - 1) / size, half = (groups + 1) / 2 * size;
        int axis = longest_side(centre, order, count);

        for (uint32_t i = 0; i < count; i++) {
            key[i] = (uint64_t)ordered(centre[order[i]][axis]) << 32 | order[i];
        }
        select_least(key, (int)count, (int)half);
        for (uint32_t i = 0; i < count; i++) {
            order[i] = (uint32_t)key[i];
        }
        sc_divide(centre, order, half, size);
        order += half;
        count -= half;
    }
}
