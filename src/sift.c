/* sift.c - see sift.h. */
#include "sift.h"

void sc_sift_load(const sc_frame *frame, const sc_facets *facets, const sc_placement *placement,
                  const sc_leaf *leaf, sc_octet_facets *out)
{
    for (int i = 0; i < leaf->count; i++) {
        sc_facet_prefetch(facets, leaf->triangle[i]);
    }
    for (int i = 0; i < 8; i++) { /* absent ones: the first once more */
        float v[3][4];
        sc_frame_vertices(frame, facets, placement, leaf->triangle[i < leaf->count ? i : 0], v);
        for (int k = 0; k < 9; k++) {
            out->v[k / 3][k % 3][i] = v[k / 3][k % 3];
        }
    }
    sc_octets()->planes(out);
}

/* Where the facets of a leaf lie along a direction. */
typedef struct heights {
    double low[8], high[8];
} heights;

static void heights_along(const sc_octet_facets *facets, const double direction[3], heights *h)
{
    for (int v = 0; v < 3; v++) {
        for (int i = 0; i < 8; i++) {
            double at = direction[0] * (double)facets->v[v][0][i] +
                        direction[1] * (double)facets->v[v][1][i] +
                        direction[2] * (double)facets->v[v][2][i];
            h->low[i] = v == 0 || at < h->low[i] ? at : h->low[i];
            h->high[i] = v == 0 || at > h->high[i] ? at : h->high[i];
        }
    }
}

/* Clears from the masks the slivers that pass each other, along the direction at a right
 * angle to the long edges of both leaves. In doubles: they may be as thin as the margin of
 * floats. Of that remains what a vertex in the frame is off. */
static void sift_slivers(const sc_leaf *a, const sc_octet_facets *in_a, const sc_leaf *b,
                         const sc_octet_facets *in_b, unsigned rows, sc_near_rows *near,
                         float limit)
{
    const float *d = a->slab.along, *e = b->slab.along;
    double across[3], length_sq = 0.0;
    heights ha, hb;

    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        across[k] = (double)d[m] * (double)e[n] - (double)d[n] * (double)e[m];
        length_sq += across[k] * across[k];
    }
    if (!(length_sq > 0x1p-20)) { /* no slivers, or side by side */
        return;
    }
    for (int k = 0; k < 3; k++) {
        across[k] /= sqrt(length_sq) * (1.0 + 0x1p-40);
    }
    heights_along(in_a, across, &ha);
    heights_along(in_b, across, &hb);
    for (; rows != 0; rows &= rows - 1) {
        int i = __builtin_ctz(rows);
        for (int j = 0; j < 8; j++) {
            double gap = fmax(hb.low[j] - ha.high[i], ha.low[i] - hb.high[j]) - 0x1p-22;
            near->mask[i] &= ~((unsigned)(gap > 0.0 && gap * gap > (double)limit) << j);
        }
    }
}

/* Clears from the rows and their masks what the planes of the facets keep apart; returns
 * the rows that are left. */
static unsigned sift_planes(const sc_octet_facets *a, const sc_octet_facets *b, unsigned rows,
                            sc_near_rows *near, float limit)
{
    const sc_octets_isa *octets = sc_octets();
    unsigned columns = 0, left = 0, of_column[8];

    octets->near_planes(a, rows, b, limit, near->mask);
    for (unsigned r = rows; r != 0; r &= r - 1) {
        columns |= near->mask[__builtin_ctz(r)];
    }
    memset(of_column, 0xff, sizeof of_column);
    octets->near_planes(b, columns, a, limit, of_column);
    for (unsigned r = rows; r != 0; r &= r - 1) {
        int i = __builtin_ctz(r);
        for (unsigned c = near->mask[i]; c != 0; c &= c - 1) {
            int j = __builtin_ctz(c);
            near->mask[i] &= ~((~of_column[j] >> i & 1) << j);
        }
        left |= (unsigned)(near->mask[i] != 0) << i;
    }
    return left;
}

unsigned sc_sift(const sc_leaf *a, const sc_octet_facets *in_a, const sc_leaf *b,
                 const sc_octet_facets *in_b, unsigned rows, sc_near_rows *near, float limit)
{
    sift_slivers(a, in_a, b, in_b, rows, near, limit);
    return sift_planes(in_a, in_b, rows, near, limit);
}
