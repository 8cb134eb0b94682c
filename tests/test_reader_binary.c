/* test_reader_binary.c - binary STL: counts, sizes, attributes, what lies behind the facets. */
#include "reading.h"
#include "test.h"

#include <string.h>

TEST(binary_files)
{
    unsigned char bytes[84 + 50 * 20 + 100];
    static const struct {
        const char *name, *header;
        uint32_t counted, held;
        size_t extra;
        const char *message; /* NULL: loads */
    } cases[] = {
        {"plain", "made", 12, 12, 0, NULL},
        {"one facet", "made", 1, 1, 0, NULL},
        {"no facets", "made", 0, 0, 0, NULL},
        {"header with solid", "solid cube", 12, 12, 0, NULL},
        {"header like ASCII", "solid x\n facet normal 0 0 0\n outer loop\n", 12, 12, 0, NULL},
        {"header like ASCII, trailing", "solid x\nfacet normal 0 0 0\n", 12, 12, 7, NULL},
        {"header with BOM", "\xEF\xBB\xBFsolid", 12, 12, 0, NULL},
        {"header with BOM, trailing", "\xEF\xBB\xBFsolid", 12, 12, 1, NULL},
        {"header like gzip", "\x1F\x8B\x08", 12, 12, 0, NULL},
        {"header like HTML", "<html>", 12, 12, 0, NULL},
        {"header of text, trailing", "made by hand", 12, 12, 37, NULL},
        {"header with solid, trailing", "solid cube", 12, 12, 1, NULL},
        {"a whole facet too many", "made", 12, 13, 0, NULL},
        {"one too few", "made", 13, 12, 0,
         "header counts 13 triangles, the file holds 12 (684 bytes); it looks truncated"},
        {"one too few, solid", "solid cube", 13, 12, 0, "header counts 13 triangles"},
        {"inside a facet", "made", 13, 12, 49, "ends inside triangle 12"},
        {"a blank count", "solid of blanks", 0x20202020, 12, 0,
         "header counts 538976288 triangles, the file holds 12"},
        {"2^31", "made", 0x80000000u, 12, 0, "header counts 2147483648 triangles"},
        {"2^32 - 1", "made", 0xFFFFFFFFu, 12, 0,
         "header counts 4294967295 triangles, the file holds 12 (684 bytes): the exporter never "
         "filled in the count"},
        {"2^32 - 1, cut", "made", 0xFFFFFFFFu, 12, 7, "ends inside triangle 12"},
        {"a count whose size wraps", "made", 85899346, 0, 4, "header counts 85899346"},
        {"count never filled in", "made", 0, 12, 0,
         "header counts 0 triangles, but 600 bytes follow: the exporter never filled in"},
        {"count 0, one byte", "made", 0, 0, 1, "but 1 bytes follow"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t size =
            make_binary(bytes, cases[i].header, cases[i].counted, cases[i].held, cases[i].extra);
        loaded l = read_bytes(bytes, size, cases[i].name);
        if (cases[i].message) {
            check_fails(&l, cases[i].name, STLCLASH_E_FORMAT, cases[i].message);
        } else {
            check_made(&l.file, cases[i].counted);
            check_loads(&l, cases[i].name, STLCLASH_BINARY, cases[i].counted,
                        size - 84 - 50 * cases[i].counted);
        }
    }
}

/* Behind the facets another file is none of the remarks that are ignored. */
TEST(binary_files_in_one)
{
    unsigned char bytes[3 * (84 + 50 * 3) + 1];
    size_t size = make_binary(bytes, "first", 3, 3, 0);
    for (int more = 1; more <= 2; more++) {
        size += make_binary(bytes + size, "another", 3, 3, 0);
        loaded l = read_bytes(bytes, size, "files in one");
        check_fails(&l, "files in one", STLCLASH_E_FORMAT, "another STL file begins at byte 234");
        bytes[size] = 0;
        l = read_bytes(bytes, size + 1, "files and a byte");
        check_fails(&l, "files and a byte", STLCLASH_E_FORMAT, "another STL file begins");
    }
}

/* As far as there is a facet of it to know it by; anything else stays a remark. */
TEST(binary_file_and_one_cut)
{
    unsigned char bytes[2 * (84 + 50 * 3)];
    const size_t first = make_binary(bytes, "first", 3, 3, 0), until_facet = first + 84 + 50;
    for (int marked = 0; marked < 3; marked++) {
        const size_t whole = first + make_binary(bytes + first, "another", 3, 3, 0);
        if (marked > 0) { /* z of the normal: of unit length, then of 2 */
            store_u32(bytes + first + 92, marked == 1 ? 0x3F800000 : 0x40000000);
        }
        for (size_t size = first + 1; size < whole; size++) {
            loaded l = read_bytes(bytes, size, "cut");
            if (size >= until_facet && marked < 2) {
                check_fails(&l, "cut", STLCLASH_E_FORMAT, "another STL file begins at byte 234");
            } else {
                check_loads(&l, "cut", STLCLASH_BINARY, 3, size - first);
            }
        }
    }
    for (int number = 0; number < 12; number++) { /* not finite */
        size_t size = first + make_binary(bytes + first, "another", 3, 2, 0);
        store_u32(bytes + first + 84 + 4 * (size_t)number, 0x7F800000);
        loaded l = read_bytes(bytes, size, "no facets");
        check_loads(&l, "no facets", STLCLASH_BINARY, 3, size - first);
    }
    make_binary(bytes + first, "zeros, as some pad files with", 3, 0, 100);
    memset(bytes + first + 84, 0, 100);
    loaded l = read_bytes(bytes, first + 184, "zeros");
    check_loads(&l, "zeros", STLCLASH_BINARY, 3, 184);
}

/* Attribute bytes: any value where the size fits, but never data taken for facets. */
TEST(binary_attributes)
{
    unsigned char bytes[84 + 50 * 3 + 100];
    size_t size = make_binary(bytes, "made", 3, 3, 0);
    for (size_t i = 0; i < 3; i++) {
        bytes[84 + 50 * i + 48] = bytes[84 + 50 * i + 49] = 0xFF;
    }
    loaded l = read_bytes(bytes, size, "colours");
    check_loads(&l, "colours", STLCLASH_BINARY, 3, 0);

    size = make_binary(bytes, "made", 3, 3, 6);
    memset(bytes + 84 + 50, 0, 156);
    for (size_t i = 0; i < 3; i++) {
        bytes[84 + 52 * i + 48] = 2; /* two bytes of data behind each facet */
    }
    l = read_bytes(bytes, size, "data");
    check_fails(&l, "data", STLCLASH_E_FORMAT, "6 bytes of attribute data");
}

TEST(binary_cut_anywhere)
{
    unsigned char bytes[84 + 50 * 4];
    size_t size = make_binary(bytes, "made", 4, 4, 0);
    for (size_t cut = 0; cut < size; cut++) {
        loaded l = read_bytes(bytes, cut, "cut");
        check_fails(&l, "cut", STLCLASH_E_FORMAT,
                    cut == 0              ? "empty"
                    : cut < 84 && cut > 4 ? "inside the header"
                    : cut < 84            ? ""
                                          : "header counts 4 triangles");
    }
}
