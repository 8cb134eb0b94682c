/* The hashes of vertices, of every instruction set: the same for equal places, thoroughly different
 * for others; and the boundary that they sum up to, 0 where every edge is used both ways. */
#include "octets.h"
#include "test.h"

#include <string.h>

enum { STRIDE = 50, MOST = 3 };

/* Facets as in a file: at any address, and whatever stands between them. */
typedef struct filed {
    unsigned char bytes[3 + STRIDE * MOST], *first;
    sc_facets facets;
} filed;

static void put(filed *f, int facet, const void *xyz)
{
    memcpy(f->first + STRIDE * facet, xyz, SC_FACET_BYTES);
}

static void file_facets(filed *f, uint32_t count)
{
    for (size_t i = 0; i < sizeof f->bytes; i++) {
        f->bytes[i] = (unsigned char)test_below(256);
    }
    f->first = f->bytes + test_below(4);
    f->facets = (sc_facets){f->first, STRIDE, count};
}

static float some_coordinate(void)
{
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, 0x1p-149f, 0x1p127f};
    int kind = test_below(12);
    return kind < 6 ? special[kind] : (float)test_uniform(-100.0, 100.0);
}

TEST(equal_places_have_equal_hashes_wherever_they_stand)
{
    for (int round = test_rounds(2000); round > 0; round--) {
        float place[9], other[9];
        filed f;
        for (int k = 0; k < 9; k++) {
            place[k] = some_coordinate();
        }
        file_facets(&f, MOST);
        for (int facet = 0; facet < MOST; facet++) {
            for (int k = 0; k < 9; k++) {
                const float value = place[(k + 3 * facet) % 9];
                other[k] = value == 0.0f && test_below(2) ? -value : value; /* 0 and -0 */
            }
            put(&f, facet, other);
        }
        const sc_octets_isa *isa;
        for (int i = 0; (isa = sc_octets_build(i)) != NULL; i++) {
            sc_facet_hashes hashes[MOST];
            isa->hashes(&f.facets, 0, MOST, hashes);
            for (int n = 0; n < 3 * MOST; n++) {
                const sc_vertex_hash *is = &hashes[n / 3].vertex[n % 3];
                const sc_vertex_hash *first = &hashes[0].vertex[(n / 3 + n) % 3];
                CHECK(is->f == first->f && is->g == first->g, "%s: corner %d", isa->name, n);
            }
        }
    }
}

TEST(a_bit_of_a_coordinate_turns_many_of_its_hashes)
{
    for (int round = test_rounds(2000); round > 0; round--) {
        uint32_t bits[9];
        filed f;
        for (int k = 0; k < 9; k++) {
            bits[k] = ((uint32_t)test_random() & 0x807fffff) | (uint32_t)test_below(255) << 23;
        }
        const int k = test_below(9);
        file_facets(&f, 2);
        put(&f, 0, bits);
        bits[k] ^= UINT32_C(1) << test_below(23);
        put(&f, 1, bits);
        const sc_octets_isa *isa;
        for (int i = 0; (isa = sc_octets_build(i)) != NULL; i++) {
            sc_facet_hashes hashes[2];
            isa->hashes(&f.facets, 0, 2, hashes);
            const sc_vertex_hash *a = &hashes[0].vertex[k / 3], *b = &hashes[1].vertex[k / 3];
            const int turned_f = __builtin_popcountll(a->f ^ b->f);
            const int turned_g = __builtin_popcountll(a->g ^ b->g);
            CHECK(turned_f >= 4 && turned_g >= 4, "%s: %d and %d bits", isa->name, turned_f,
                  turned_g);
        }
    }
}

static uint64_t boundary_of(const sc_octets_isa *isa, float (*xyz)[9], uint32_t count)
{
    filed f;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        sc_facet_hashes hashes;
        file_facets(&f, 1);
        put(&f, 0, xyz[i]);
        isa->hashes(&f.facets, 0, 1, &hashes);
        sum += sc_boundary_of(&hashes);
    }
    return sum;
}

/* Walls of a box of whole numbers without top and bottom, 8 facets. */
static void tube(float (*xyz)[9], const int at[3], const int size[3])
{
    static const int round_about[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    for (int side = 0; side < 4; side++) {
        for (int half = 0; half < 2; half++) {
            static const int corner[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
            for (int n = 0; n < 3; n++) {
                const int *end = round_about[side + corner[half][n][0]];
                float *v = &xyz[2 * side + half][3 * n];
                v[0] = (float)(at[0] + end[0] * size[0]);
                v[1] = (float)(at[1] + end[1] * size[1]);
                v[2] = (float)(at[2] + corner[half][n][1] * size[2]);
            }
        }
    }
}

/* Tubes in rows and columns: their rims cancel in every sum of low degree. */
TEST(a_boundary_is_seen_however_regular)
{
    enum { TUBES = 8, EACH = 8 };
    for (int round = test_rounds(1000); round > 0; round--) {
        float xyz[TUBES * EACH][9];
        int size[3], step[3];
        for (int k = 0; k < 3; k++) {
            size[k] = 1 << test_below(3);
            step[k] = size[k] << test_below(3);
        }
        for (int n = 0; n < TUBES; n++) {
            const int at[3] = {(n & 1) * step[0], (n >> 1 & 1) * step[1], (n >> 2) * step[2]};
            tube(&xyz[EACH * n], at, size);
            for (int i = 0; i < EACH && __builtin_parity((unsigned)n); i++) { /* inside out */
                for (int k = 0; k < 3; k++) {
                    const float kept = xyz[EACH * n + i][k];
                    xyz[EACH * n + i][k] = xyz[EACH * n + i][3 + k];
                    xyz[EACH * n + i][3 + k] = kept;
                }
            }
        }
        const sc_octets_isa *isa;
        for (int i = 0; (isa = sc_octets_build(i)) != NULL; i++) {
            CHECK(boundary_of(isa, xyz, TUBES * EACH) != 0, "%s: no rims", isa->name);
            CHECK(boundary_of(isa, xyz, EACH) != 0, "%s: no rim", isa->name);
        }
    }
}

TEST(a_closed_mesh_has_no_boundary)
{
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    for (int round = test_rounds(2000); round > 0; round--) {
        float corner[4][3], xyz[5][9];
        for (int n = 0; n < 12; n++) {
            corner[n / 3][n % 3] = some_coordinate() + (float)n * 1000.0f; /* no two alike */
        }
        for (int i = 0; i < 4; i++) {
            for (int n = 0; n < 3; n++) {
                memcpy(&xyz[i][3 * n], corner[face[i][n]], sizeof corner[0]);
            }
        }
        memcpy(xyz[4], xyz[test_below(4)], sizeof xyz[4]);
        const sc_octets_isa *isa;
        for (int i = 0; (isa = sc_octets_build(i)) != NULL; i++) {
            CHECK(boundary_of(isa, xyz, 4) == 0, "%s: a tetrahedron", isa->name);
            CHECK(boundary_of(isa, xyz, 3) != 0, "%s: three faces", isa->name);
            CHECK(boundary_of(isa, xyz, 5) != 0, "%s: a face twice", isa->name);
        }
    }
}
