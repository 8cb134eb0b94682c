/* test_reader_formats.c - what is no STL and is named, hostile bytes, odd files from elsewhere. */
#include "reading.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- neither ---------------------------------------------------------------- */

TEST(other_formats)
{
    static const struct {
        const char *start;
        size_t length;
        const char *message;
    } cases[] = {
        {"\x1F\x8B\x08\x00", 4, "gzip"},
        {"PK\x03\x04", 4, "3MF"},
        {"\xFD\x37zXZ\x00", 6, "xz"},
        {"BZh91AY&SY", 10, "bunzip2"},
        {"Rar!\x1A\x07\x01", 7, "RAR"},
        {"\x28\xB5\x2F\xFD", 4, "zstd"},
        {"\xD0\xCF\x11\xE0\xA1\xB1", 6, "SolidWorks"},
        {"\x7F"
         "ELF\x02",
         5, "a program"},
        {"7z\xBC\xAF\x27\x1C", 6, "7z"},
        {"\x89PNG\r\n\x1A\n", 8, "PNG"},
        {"\xFF\xD8\xFF\xE0", 4, "JPEG"},
        {"%PDF-1.7", 8, "PDF"},
        {"glTF\x02\x00\x00\x00", 8, "glTF"},
        {"version https://git-lfs.github.com/spec/v1\n", 43, "git lfs pull"},
        {"<<<<<<< HEAD\nsolid\n", 19, "merge"},
        {"ISO-10303-21;\nHEADER;\n", 22, "STEP"},
        {"ply\nformat ascii 1.0\n", 21, "PLY"},
        {"\xFF\xFEs\0o\0l\0i\0d\0", 12, "UTF-16"},
        {"\xFE\xFF\0s\0o\0l\0i\0d", 12, "UTF-16"},
        {"s\0o\0l\0i\0d\0 \0", 12, "UTF-16"},
        {"\0s\0o\0l\0i\0d\0 ", 12, "UTF-16"},
        {"\xFF\xFE\0\0s\0\0\0", 8, "UTF-32"},
        {"\0\0\xFE\xFF\0\0\0s", 8, "UTF-32"},
        {"<!DOCTYPE html><html>", 21, "HTML"},
        {"\xEF\xBB\xBF\n<?xml version=\"1.0\"?>", 25, "XML"},
        {"v 0 0 0\nv 1 0 0\n", 16, "OBJ"},
        {"404: Not Found", 14, "text that does not start with \"solid\""},
        {"# a comment\nsolid\nendsolid\n", 27, "text that does not"},
        {" \n ", 3, "blank"},
        {"\xEF\xBB\xBF", 3, "blank"},
        {"", 0, "the file is empty"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded l = read_bytes(cases[i].start, cases[i].length, cases[i].message);
        check_fails(&l, cases[i].message, STLCLASH_E_FORMAT, cases[i].message);
        /* The same with more behind it, in which bytes 80..83 may count anything. */
        for (int tail = 0; tail < 2 && cases[i].length > 3; tail++) {
            char longer[300];
            memset(longer, tail ? '7' : 1, sizeof longer);
            memcpy(longer, cases[i].start, cases[i].length);
            l = read_bytes(longer, sizeof longer, cases[i].message);
            check_fails(&l, cases[i].message, STLCLASH_E_FORMAT, tail ? cases[i].message : "");
        }
    }
}

TEST(an_archive_that_begins_with_the_name_of_a_file)
{
    char tar[1024] = "cube.stl";
    memcpy(tar + 257, "ustar", 6);
    loaded l = read_bytes(tar, sizeof tar, "tar");
    check_fails(&l, "tar", STLCLASH_E_FORMAT, "tar archive");
}

/* ---- hostile bytes ---------------------------------------------------------- */

TEST(flipped_bits)
{
    unsigned char binary[84 + 50 * 4 + 9], bytes[1000];
    const char text[] = "solid a b\n" FACET "facet normal nan 1e5 -.5\n" LOOP
                        "end facet\nend solid\n solid\r\nendsolid b";
    size_t binary_size = make_binary(binary, "solid", 4, 4, 9);
    int rounds = test_rounds(20000);
    for (int i = 0; i < rounds; i++) {
        size_t size = i % 2 ? binary_size : sizeof text - 1;
        memcpy(bytes, i % 2 ? (const void *)binary : text, size);
        for (int flips = 1 + test_below(4); flips > 0; flips--) {
            bytes[test_below((int)size)] ^= (unsigned char)(1 << test_below(8));
        }
        if (test_below(3) == 0) {
            bytes[test_below((int)size)] = (unsigned char)" \n\r\0,#e.-9\xEF"[test_below(11)];
        }
        loaded l = read_bytes(bytes, size, "flipped");
        read_done(&l);
    }
}

TEST(random_bytes)
{
    unsigned char bytes[400];
    for (int i = 0; i < 20000; i++) {
        size_t size = (size_t)test_below(sizeof bytes);
        for (size_t k = 0; k < size; k++) {
            bytes[k] = (unsigned char)test_random();
        }
        if (i % 2 && size > 5) {
            memcpy(bytes, "solid", 5);
        }
        loaded l = read_bytes(bytes, size, "random");
        read_done(&l);
    }
}
/* ---- files from elsewhere --------------------------------------------------- */

/* The folder with sample data, or NULL. */
static const char *sample_folder(void)
{
    const char *folder = getenv("TRUTH");
    folder = folder ? folder : "../shared";
    return access(folder, R_OK) == 0 ? folder : NULL;
}

TEST(odd_files)
{
    static const struct {
        const char *name;
        uint32_t triangles;
        uint64_t trailing;
    } good[] = {
        {"ok_cube", 12, 0},
        {"ok_solid_header", 12, 0},
        {"ok_solid_facet_header", 12, 0},
        {"ok_ff_header", 12, 0},
        {"ok_viscam_colours", 12, 0},
        {"ok_magics_material", 12, 0},
        {"ok_attr_ffff", 12, 0},
        {"ok_zero_normals", 12, 0},
        {"ok_nan_normals", 12, 0},
        {"ok_wrong_normals", 12, 0},
        {"ok_inverted", 12, 0},
        {"warn_mixed_orientation", 12, 0},
        {"zero_triangles", 0, 0},
        {"extra_trailing", 12, 37},
        {"extra_trailing_text", 12, 11},
        {"bad_nan_vertex", 12, 0},
        {"bad_inf_vertex", 12, 0},
        {"bad_flt_max", 12, 0},
        {"ok_tiny_1e-30", 12, 0},
        {"ok_denormal", 12, 0},
        {"ok_far_1e7", 12, 0},
        {"ok_far_1e6_small", 12, 0},
        {"ok_minus_zero", 12, 0},
        {"warn_degenerate_points", 13, 0},
        {"warn_degenerate_needle", 13, 0},
        {"warn_degenerate_outside", 13, 0},
        {"warn_open_missing_tri", 11, 0},
        {"warn_duplicate_tri", 13, 0},
        {"warn_duplicate_all", 24, 0},
        {"warn_internal_wall", 14, 0},
        {"warn_two_overlapping_bodies", 24, 0},
        {"ok_two_bodies_edge", 24, 0},
        {"ok_hollow", 24, 0},
        {"ok_big_needles", 50, 0},
        {"ascii_lf", 12, 0},
        {"ascii_crlf", 12, 0},
        {"ascii_cr", 12, 0},
        {"ascii_exp000", 12, 0},
        {"ascii_two_solids", 24, 0},
        {"ascii_utf8_name", 12, 0},
        {"ascii_latin1_name", 12, 0},
        {"ascii_bom", 12, 0},
        {"ascii_long_name", 12, 0},
        {"ascii_upper", 12, 0},
        {"ascii_no_newline_name", 12, 0},
    };
    static const struct {
        const char *name;
        stlclash_code code;
        const char *message;
    } bad[] = {
        {"bad_empty", STLCLASH_E_FORMAT, "the file is empty"},
        {"bad_short_79", STLCLASH_E_FORMAT, "ends at byte 79, inside the header"},
        {"bad_short_83", STLCLASH_E_FORMAT, "ends at byte 83, inside the header"},
        {"bad_truncated_mid", STLCLASH_E_FORMAT, "ends inside triangle 7"},
        {"bad_truncated_1byte", STLCLASH_E_FORMAT, "ends inside triangle 11"},
        {"bad_count_too_big", STLCLASH_E_FORMAT, "header counts 13 triangles, the file holds 12"},
        {"bad_count_huge", STLCLASH_E_FORMAT, "header counts 4294967295 triangles"},
        {"bad_count_minus1_zero", STLCLASH_E_FORMAT, "header counts 0 triangles, but 600 bytes"},
        {"ascii_comma", STLCLASH_E_FORMAT, "decimal points"},
        {"ascii_no_endsolid", STLCLASH_E_FORMAT, "looks truncated"},
        {"ascii_truncated", STLCLASH_E_FORMAT, "looks truncated"},
        {"ascii_nan", STLCLASH_E_NONFINITE, "not finite"},
        {"ascii_quad", STLCLASH_E_FORMAT, "fourth vertex"},
        {"not_stl_png", STLCLASH_E_FORMAT, "PNG"},
        {"not_stl_lfs_pointer", STLCLASH_E_FORMAT, "git lfs pull"},
        {"not_stl_html", STLCLASH_E_FORMAT, "HTML"},
        {"not_stl_gzip", STLCLASH_E_FORMAT, "gunzip"},
        {"not_stl_3mf_zip", STLCLASH_E_FORMAT, "3MF"},
        {"not_stl_utf16", STLCLASH_E_FORMAT, "UTF-16"},
    };
    const char *folder = sample_folder();
    char path[512];
    float cube[12][9] = {{0}};

    if (!folder) {
        test_skip("set TRUTH to the folder of sample data");
        return;
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        bool ascii = strncmp(good[i].name, "ascii", 5) == 0;
        snprintf(path, sizeof path, "%s/data/odd-made/%s.stl", folder, good[i].name);
        loaded l = read_path(path);
        for (uint32_t k = 0; k < l.file.facets.count && (i == 0 || ascii); k++) {
            float xyz[9];
            sc_facet_load(&l.file.facets, k, i == 0 ? cube[k] : xyz);
            CHECK(i == 0 || k >= 12 || memcmp(xyz, cube[k], 36) == 0, "%s: facet %u", path,
                  (unsigned)k);
        }
        check_loads(&l, path, ascii ? STLCLASH_ASCII : STLCLASH_BINARY, good[i].triangles,
                    good[i].trailing);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(path, sizeof path, "%s/data/odd-made/%s.stl", folder, bad[i].name);
        loaded l = read_path(path);
        check_fails(&l, path, bad[i].code, bad[i].message);
    }
}
