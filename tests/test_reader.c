/* test_reader.c - what each kind of STL file, and of file that is none, gives. */
#include "base/alloc.h"
#include "reader.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- loading ---------------------------------------------------------------- */

/* One parse of a copy that ends where the bytes do, so that ASan sees over-reads. */
typedef struct loaded {
    stlclash_code code;
    sc_file file;
    stlclash_error error;
    unsigned char *copy;
} loaded;

/* Reads every facet and checks what holds for any outcome. */
static void check_outcome(const loaded *l, const char *name)
{
    const sc_file *file = &l->file;
    if (l->code == STLCLASH_OK) {
        double sum = 0;
        for (uint32_t i = 0; i < file->facets.count && i < 100000; i++) {
            float xyz[9];
            sc_facet_load(&file->facets, i, xyz);
            for (int k = 0; k < 9; k++) {
                sum += (double)xyz[k];
            }
        }
        CHECK(file->format == STLCLASH_BINARY || sum - sum == 0, "%s: not finite", name);
        return;
    }
    CHECK(!file->buffer && !file->map && !file->facets.first && file->facets.count == 0 &&
              file->trailing_bytes == 0,
          "%s: not zeroed", name);
    CHECK_INT(l->error.code, l->code);
    size_t length = strlen(l->error.text);
    CHECK(length > 0 && length < sizeof l->error.text - 1, "%s: %zu characters", name, length);
    for (size_t i = 0; i < length; i++) {
        CHECK(l->error.text[i] >= ' ' && l->error.text[i] <= '~', "%s: byte %d in the message",
              name, l->error.text[i]);
    }
}

static loaded parse(const void *bytes, size_t size, const char *name)
{
    loaded l = {.copy = malloc(size ? size : 1)};
    memcpy(l.copy, bytes, size);
    memset(&l.file, 0xA5, sizeof l.file); /* whatever was there does not matter */
    l.code = sc_file_parse(l.copy, size, &l.file, &l.error);
    check_outcome(&l, name);
    return l;
}

static loaded open_path(const char *path)
{
    loaded l = {.copy = NULL};
    memset(&l.file, 0xA5, sizeof l.file);
    l.code = sc_file_open(path, &l.file, &l.error);
    check_outcome(&l, path);
    return l;
}

static void done(loaded *l)
{
    sc_file_close(&l->file);
    free(l->copy);
}

/* The message of a failure must contain `part`. */
static void check_fails(loaded *l, const char *name, stlclash_code code, const char *part)
{
    CHECK(l->code == code, "%s: code %d (%s), expected %d", name, (int)l->code,
          l->code ? l->error.text : "loads", (int)code);
    if (l->code != STLCLASH_OK) {
        CHECK(strstr(l->error.text, part), "%s: \"%s\" lacks \"%s\"", name, l->error.text, part);
    }
    done(l);
}

static void check_loads(loaded *l, const char *name, stlclash_format format, uint32_t triangles,
                        uint64_t trailing)
{
    CHECK(l->code == STLCLASH_OK, "%s: %s", name, l->error.text);
    if (l->code == STLCLASH_OK) {
        const sc_file *f = &l->file;
        CHECK(f->format == format, "%s: format %d", name, (int)f->format);
        CHECK(f->facets.count == triangles, "%s: %u triangles, expected %u", name,
              (unsigned)f->facets.count, (unsigned)triangles);
        CHECK(f->trailing_bytes == trailing, "%s: %llu trailing bytes", name,
              (unsigned long long)f->trailing_bytes);
    }
    done(l);
}

/* ---- files made in memory --------------------------------------------------- */

static void store_u32(unsigned char *at, uint32_t value)
{
    for (int byte = 0; byte < 4; byte++) {
        at[byte] = (unsigned char)(value >> 8 * byte);
    }
}

/* A binary file with `held` facets and `extra` bytes behind them; coordinate k of
 * facet i is 9 i + k. */
static size_t make_binary(unsigned char *out, const char *header, uint32_t counted, uint32_t held,
                          size_t extra)
{
    memset(out, 0, 84 + 50 * (size_t)held + extra);
    memcpy(out, header, strlen(header));
    store_u32(out + 80, counted);
    for (uint32_t i = 0; i < held; i++) {
        for (uint32_t k = 0; k < 9; k++) {
            float value = (float)(9 * i + k);
            uint32_t bits;
            memcpy(&bits, &value, 4);
            store_u32(out + 84 + 50 * (size_t)i + 12 + 4 * (size_t)k, bits);
        }
    }
    memset(out + 84 + 50 * (size_t)held, 'x', extra);
    return 84 + 50 * (size_t)held + extra;
}

/* An ASCII file of the same facets, with short lines. */
static size_t make_ascii(char *out, int facets)
{
    size_t size = (size_t)sprintf(out, "solid made\n");
    for (int i = 0; i < facets; i++) {
        int c = 9 * i;
        size += (size_t)sprintf(out + size,
                                "facet\nouter loop\nvertex %d %d %d\nvertex %d %d %d\n"
                                "vertex %d %d %d\nendloop\nendfacet\n",
                                c, c + 1, c + 2, c + 3, c + 4, c + 5, c + 6, c + 7, c + 8);
    }
    return size + (size_t)sprintf(out + size, "endsolid made\n");
}

static void check_made(const sc_file *file, uint32_t facets)
{
    CHECK_INT(file->facets.count, facets);
    for (uint32_t i = 0; i < file->facets.count; i++) {
        float xyz[9];
        sc_facet_load(&file->facets, i, xyz);
        for (uint32_t k = 0; k < 9; k++) {
            CHECK(xyz[k] == (float)(9 * i + k), "facet %u: coordinate %u is %g", (unsigned)i,
                  (unsigned)k, (double)xyz[k]);
        }
    }
}

/* ---- binary ----------------------------------------------------------------- */

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
        loaded l = parse(bytes, size, cases[i].name);
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
        loaded l = parse(bytes, size, "files in one");
        check_fails(&l, "files in one", STLCLASH_E_FORMAT, "another STL file begins at byte 234");
        bytes[size] = 0;
        l = parse(bytes, size + 1, "files and a byte");
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
            loaded l = parse(bytes, size, "cut");
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
        loaded l = parse(bytes, size, "no facets");
        check_loads(&l, "no facets", STLCLASH_BINARY, 3, size - first);
    }
    make_binary(bytes + first, "zeros, as some pad files with", 3, 0, 100);
    memset(bytes + first + 84, 0, 100);
    loaded l = parse(bytes, first + 184, "zeros");
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
    loaded l = parse(bytes, size, "colours");
    check_loads(&l, "colours", STLCLASH_BINARY, 3, 0);

    size = make_binary(bytes, "made", 3, 3, 6);
    memset(bytes + 84 + 50, 0, 156);
    for (size_t i = 0; i < 3; i++) {
        bytes[84 + 52 * i + 48] = 2; /* two bytes of data behind each facet */
    }
    l = parse(bytes, size, "data");
    check_fails(&l, "data", STLCLASH_E_FORMAT, "6 bytes of attribute data");
}

TEST(binary_cut_anywhere)
{
    unsigned char bytes[84 + 50 * 4];
    size_t size = make_binary(bytes, "made", 4, 4, 0);
    for (size_t cut = 0; cut < size; cut++) {
        loaded l = parse(bytes, cut, "cut");
        check_fails(&l, "cut", STLCLASH_E_FORMAT,
                    cut == 0              ? "empty"
                    : cut < 84 && cut > 4 ? "inside the header"
                    : cut < 84            ? ""
                                          : "header counts 4 triangles");
    }
}

/* ---- ASCII ------------------------------------------------------------------ */

#define LOOP "outer loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
#define FACET "facet normal 0 0 1\n" LOOP "endfacet\n"
#define VERTEX_FILE(xyz)                                                                           \
    "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex " xyz                             \
    "\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n"
#define NORMAL_FILE(normal) "solid\nfacet" normal "\n" LOOP "endfacet\nendsolid\n"

TEST(ascii_files)
{
    static const struct {
        const char *name, *text;
        uint32_t triangles;
    } cases[] = {
        {"plain", "solid x\n" FACET FACET "endsolid x\n", 2},
        {"no name", "solid\n" FACET "endsolid\n", 1},
        {"no last line end", "solid\n" FACET "endsolid", 1},
        {"BOM", "\xEF\xBB\xBFsolid\n" FACET "endsolid\n", 1},
        {"leading white space", " \t\r\n  solid\n" FACET "endsolid\n", 1},
        {"white space behind", "solid\n" FACET "endsolid\n \t\r\n\n", 1},
        {"empty solid", "solid x\nendsolid x\n", 0},
        {"empty solids", "solid\nendsolid\nsolid b\nendsolid b\n", 0},
        {"several solids", "solid a\n" FACET "endsolid a\n\nsolid b\n" FACET FACET "endsolid", 3},
        {"CRLF",
         "solid\r\nfacet normal 0 0 1\r\nouter loop\r\nvertex 0 0 0\r\nvertex 1 0 0\r\n"
         "vertex 0 1 0\r\nendloop\r\nendfacet\r\nendsolid\r\n",
         1},
        {"CR",
         "solid x\rfacet normal 0 0 1\router loop\rvertex 0 0 0\rvertex 1 0 0\r"
         "vertex 0 1 0\rendloop\rendfacet\rendsolid x\r",
         1},
        {"capitals",
         "SOLID\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1 0 0\n"
         "VERTEX 0 1 0\nENDLOOP\nENDFACET\nENDSOLID\n",
         1},
        {"mixed case", "Solid\nFacet Normal 0 0 1\n" LOOP "EndFacet\nEndSolid\n", 1},
        {"one line a facet",
         "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 "
         "vertex 0 1 0 endloop endfacet\nendsolid",
         1},
        {"end loop, end facet, end solid",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
         "end loop\nend facet\nend solid\n",
         1},
        {"endsolidName", "solid Name\n" FACET "endsolidName\n", 1},
        {"end solid Name", "solid Name\n" FACET "end solid Name\n", 1},
        {"name of keywords",
         "solid facet normal endsolid solid\n" FACET "endsolid facet normal endsolid solid\n", 1},
        {"name in UTF-8", "solid \xE6\x9C\x88\xE7\x90\x83\n" FACET "endsolid \xE6\x9C\x88\n", 1},
        {"name in Latin-1", "solid W\xFCrfel\xFF\n" FACET "endsolid\n", 1},
        {"name that starts with a broken sequence", "solid \xCF\n" FACET "endsolid \xCF\n", 1},
        {"another name at the end", "solid a\n" FACET "endsolid b c d\n", 1},
        {"no normal", NORMAL_FILE(""), 1},
        {"normal NaN", NORMAL_FILE(" normal nan -NaN(ind) +NAN"), 1},
        {"normal of MSVC", NORMAL_FILE(" normal 1.#QNAN -1.#IND00 1.#INF"), 1},
        {"normal infinite", NORMAL_FILE(" normal inf -Infinity 1e999"), 1},
        {"denormals", VERTEX_FILE("1e-45 -1e-40 1e-99"), 1},
        {"number forms", VERTEX_FILE("+1 -0 .5") "solid\nendsolid", 1},
        {"exponents", VERTEX_FILE("1.e+000 -1.5E-7 5.e5"), 1},
        {"tabs", "solid\n\tfacet\tnormal\t0\t0\t1\n" LOOP "endfacet\nendsolid\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded l = parse(cases[i].text, strlen(cases[i].text), cases[i].name);
        check_loads(&l, cases[i].name, STLCLASH_ASCII, cases[i].triangles, 0);
    }
}

TEST(ascii_failures)
{
    static const struct {
        const char *name, *text, *message;
        stlclash_code code;
    } cases[] = {
        {"only solid", "solid", "it looks truncated", STLCLASH_E_FORMAT},
        {"no endsolid", "solid\n" FACET,
         "line 9: expected \"facet\" or \"endsolid\", but the file "
         "ends; it looks truncated",
         STLCLASH_E_FORMAT},
        {"solid for endsolid", "solid\n" FACET "solid\nendsolid\n",
         "line 9: expected \"facet\" or \"endsolid\", found \"solid\"", STLCLASH_E_FORMAT},
        {"no endfacet",
         "solid\nfacet normal 0 0 1\n" LOOP "facet normal 0 0 1\n" LOOP "endfacet\nendsolid\n",
         "line 8: expected \"endfacet\", found \"facet\"", STLCLASH_E_FORMAT},
        {"no endloop",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\n"
         "vertex 0 0 0\nendfacet\nendsolid\n",
         "line 7: expected \"endloop\", found \"endfacet\"", STLCLASH_E_FORMAT},
        {"no outer loop", "solid\nfacet normal 0 0 1\nvertex 0 0 0\n",
         "line 3: expected \"outer loop\"", STLCLASH_E_FORMAT},
        {"two vertices",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\n"
         "endloop\nendfacet\nendsolid\n",
         "line 6: expected \"vertex\", found \"endloop\"", STLCLASH_E_FORMAT},
        {"four vertices",
         "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\n"
         "vertex 0 0 0\nvertex\n 0 0 0\nendloop\nendfacet\nendsolid\n",
         "line 7: the facet has a fourth vertex", STLCLASH_E_FORMAT},
        {"two coordinates", VERTEX_FILE("1 2"),
         "line 6: expected a coordinate of the vertex, "
         "found \"vertex\"",
         STLCLASH_E_FORMAT},
        {"four coordinates", VERTEX_FILE("1 2 3 4"), "line 5: expected \"vertex\", found \"4\"",
         STLCLASH_E_FORMAT},
        {"a word", VERTEX_FILE("1 x 3"), "line 5: expected a coordinate of the vertex, found \"x\"",
         STLCLASH_E_FORMAT},
        {"half a number", VERTEX_FILE("1 2 3e"), "found \"3e\"", STLCLASH_E_FORMAT},
        {"hexadecimal", VERTEX_FILE("0x1p3 2 3"), "found \"0x1p3\"", STLCLASH_E_FORMAT},
        {"glued", VERTEX_FILE("1-2 3 4"), "found \"1-2\"", STLCLASH_E_FORMAT},
        {"vertex0", "solid\nfacet\nouter loop\nvertex0 0 0\n", "line 4: expected \"vertex\"",
         STLCLASH_E_FORMAT},
        {"decimal comma", VERTEX_FILE("1,5 2,0 3,0"),
         "line 5: \"1,5\" has a decimal comma; export with decimal points", STLCLASH_E_FORMAT},
        {"comma in the normal", NORMAL_FILE(" normal 0,0 0,0 1,0"),
         "line 2: \"0,0\" has a decimal comma", STLCLASH_E_FORMAT},
        {"comma between", VERTEX_FILE("1, 2, 3"), "\"1,\" has a decimal comma", STLCLASH_E_FORMAT},
        {"short normal", NORMAL_FILE(" normal 0 0"),
         "line 3: expected a number of the normal, "
         "found \"outer\"",
         STLCLASH_E_FORMAT},
        {"nan", VERTEX_FILE("1 nan 3"), "line 5: vertex coordinate \"nan\" is not finite",
         STLCLASH_E_NONFINITE},
        {"-inf", VERTEX_FILE("1 2 -inf"), "line 5", STLCLASH_E_NONFINITE},
        {"nan of MSVC", VERTEX_FILE("-1.#IND 2 3"), "\"-1.#IND\"", STLCLASH_E_NONFINITE},
        {"overflow", VERTEX_FILE("1 -1e39 3"), "line 5: vertex coordinate \"-1e39\" is too large",
         STLCLASH_E_NONFINITE},
        {"text behind", "solid\n" FACET "endsolid\nthe end\n",
         "line 10: expected \"solid\" or the end of the file, found \"the\"", STLCLASH_E_FORMAT},
        {"comment", "solid\n# made by hand\n" FACET "endsolid\n", "line 2", STLCLASH_E_FORMAT},
        {"control characters", "solid\n\x1B[31m\"\\\x7F\xFF red\n" FACET "endsolid\n",
         "found \"\\x1B[31m\\x22\\x5C\\x7F\\xFF\"", STLCLASH_E_FORMAT},
        {"a long token",
         "solid\n"
         "0123456789012345678901234567890123456789012345678901234567890"
         "123456789\nendsolid\n",
         "found \"01234567890123456789012345678901234567890123456...\"", STLCLASH_E_FORMAT},
        {"line ends count once", "solid\r\rsolid", "line 3", STLCLASH_E_FORMAT},
        {"CRLF counts once", "solid\r\n\r\nsolid", "line 3", STLCLASH_E_FORMAT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded l = parse(cases[i].text, strlen(cases[i].text), cases[i].name);
        check_fails(&l, cases[i].name, cases[i].code, cases[i].message);
    }
}

TEST(ascii_long_name)
{
    size_t size = 0, name = 100000;
    char *text = malloc(2 * name + 1000);
    size += (size_t)sprintf(text, "solid ");
    memset(text + size, 'n', name);
    size += name + (size_t)sprintf(text + size + name, "\n" FACET "endsolid ");
    memset(text + size, 'n', name);
    loaded l = parse(text, size + name, "long name");
    check_loads(&l, "long name", STLCLASH_ASCII, 1, 0);
    free(text);
}

/* Bytes as they were read from the text equal those that were printed. */
TEST(ascii_round_trip)
{
    enum { FACETS = 2000 };
    float *xyz = malloc(FACETS * 36);
    char *text = malloc(FACETS * 400 + 100);
    size_t size = (size_t)sprintf(text, "solid\n");
    for (int i = 0; i < FACETS * 9; i++) {
        xyz[i] = (float)test_uniform(-1e3, 1e3) * (i % 7 ? 1.0F : 1e-20F);
    }
    for (int i = 0; i < FACETS; i++) {
        size += (size_t)sprintf(text + size, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 9; k++) {
            size += (size_t)sprintf(text + size, k % 3 ? " %.*g" : "\nvertex %.*g", 9 + i % 8,
                                    (double)xyz[9 * i + k]);
        }
        size += (size_t)sprintf(text + size, "\nendloop\nendfacet\n");
    }
    size += (size_t)sprintf(text + size, "endsolid\n");
    loaded l = parse(text, size, "round trip");
    CHECK_INT(l.file.facets.count, FACETS);
    for (uint32_t i = 0; i < l.file.facets.count; i++) {
        float got[9];
        sc_facet_load(&l.file.facets, i, got);
        CHECK(memcmp(got, xyz + 9 * (size_t)i, 36) == 0, "facet %u", (unsigned)i);
    }
    done(&l);
    free(text);
    free(xyz);
}

/* Only what is cut off behind "endsolid" is not missed. */
TEST(ascii_cut_anywhere)
{
    static const char *const texts[] = {
        "\xEF\xBB\xBF solid my cube\r\n  " FACET "  " FACET "endsolid my cube\r\n",
        "solid\r" FACET "facet normal nan 0 -1.5e-3\r" LOOP "end facet\rendsolid",
    };
    static const uint32_t facets[] = {2, 2};
    for (size_t i = 0; i < 2; i++) {
        const char *text = texts[i];
        size_t size = strlen(text), complete = (size_t)(strstr(text, "endsolid") + 8 - text);
        for (size_t cut = 0; cut <= size; cut++) {
            loaded l = parse(text, cut, "cut");
            if (cut >= complete) {
                check_loads(&l, "cut", STLCLASH_ASCII, facets[i], 0);
            } else {
                check_fails(&l, "cut", STLCLASH_E_FORMAT, "");
            }
        }
    }
}

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
        loaded l = parse(cases[i].start, cases[i].length, cases[i].message);
        check_fails(&l, cases[i].message, STLCLASH_E_FORMAT, cases[i].message);
        /* The same with more behind it, in which bytes 80..83 may count anything. */
        for (int tail = 0; tail < 2 && cases[i].length > 3; tail++) {
            char longer[300];
            memset(longer, tail ? '7' : 1, sizeof longer);
            memcpy(longer, cases[i].start, cases[i].length);
            l = parse(longer, sizeof longer, cases[i].message);
            check_fails(&l, cases[i].message, STLCLASH_E_FORMAT, tail ? cases[i].message : "");
        }
    }
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
        loaded l = parse(bytes, size, "flipped");
        done(&l);
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
        loaded l = parse(bytes, size, "random");
        done(&l);
    }
}

/* ---- files and pipes -------------------------------------------------------- */

static char directory[64];

/* A path in a new directory; leave_directory removes both. */
static const char *enter_directory(void)
{
    static char path[96];
    snprintf(directory, sizeof directory, "/tmp/stlclash-test-XXXXXX");
    if (!mkdtemp(directory)) {
        test_skip("no temporary directory");
        return NULL;
    }
    snprintf(path, sizeof path, "%s/file.stl", directory);
    return path;
}

static void leave_directory(const char *path)
{
    unlink(path);
    rmdir(directory);
}

static void write_all(int descriptor, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t done_now = write(descriptor, bytes, size < 5000 ? size : 5000);
        if (done_now <= 0) {
            return;
        }
        bytes += done_now;
        size -= (size_t)done_now;
    }
}

/* Opens "-" with `bytes` coming through a pipe from another process. */
static loaded open_pipe(const void *bytes, size_t size)
{
    int ends[2], saved = dup(STDIN_FILENO);
    if (pipe(ends) != 0) {
        abort();
    }
    pid_t writer = fork();
    if (writer == 0) {
        close(ends[0]);
        write_all(ends[1], bytes, size);
        _exit(0);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    loaded l = open_path("-");
    dup2(saved, STDIN_FILENO); /* a writer that is not done yet ends here */
    close(saved);
    waitpid(writer, NULL, 0);
    return l;
}

TEST(regular_files)
{
    const char *path = enter_directory();
    if (!path) {
        return;
    }
    unsigned char *bytes = malloc(200000);
    for (int ascii = 0; ascii < 2; ascii++) {
        size_t size =
            ascii ? make_ascii((char *)bytes, 1000) : make_binary(bytes, "solid", 1000, 1000, 3);
        int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
        write_all(descriptor, (const unsigned char *)"behind this", 11);
        write_all(descriptor, bytes, size);

        /* Standard input somewhere inside a file starts there. */
        int saved = dup(STDIN_FILENO);
        lseek(descriptor, 11, SEEK_SET);
        dup2(descriptor, STDIN_FILENO);
        loaded l = open_path("-");
        check_made(&l.file, 1000);
        CHECK(!l.file.map, "a map from the middle of a file");
        done(&l);
        dup2(saved, STDIN_FILENO);
        close(saved);

        if (ftruncate(descriptor, 0) != 0 || lseek(descriptor, 0, SEEK_SET) != 0) {
            abort();
        }
        write_all(descriptor, bytes, size);
        close(descriptor);
        l = open_path(path);
        check_made(&l.file, 1000);
        CHECK(ascii ? !l.file.map && l.file.buffer : l.file.map && !l.file.buffer, "memory");
        check_loads(&l, path, ascii ? STLCLASH_ASCII : STLCLASH_BINARY, 1000, ascii ? 0 : 3);
    }

    /* A small file is read: a process has not as many maps as it may want files. */
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    write_all(descriptor, bytes, make_binary(bytes, "solid", 10, 10, 3));
    close(descriptor);
    loaded l = open_path(path);
    check_made(&l.file, 10);
    CHECK(!l.file.map && l.file.buffer, "a small file is mapped");
    done(&l);
    free(bytes);
    leave_directory(path);
}

TEST(pipes)
{
    unsigned char *bytes = malloc(5000000);
    for (int ascii = 0; ascii < 2; ascii++) {
        for (uint32_t facets = 1; facets <= 30000; facets *= 30) {
            size_t size = ascii ? make_ascii((char *)bytes, (int)facets)
                                : make_binary(bytes, "made", facets, facets, 0);
            loaded l = open_pipe(bytes, size);
            check_made(&l.file, facets);
            check_loads(&l, "pipe", ascii ? STLCLASH_ASCII : STLCLASH_BINARY, facets, 0);
        }
    }
    size_t size = make_binary(bytes, "made", 0xFFFFFFFFu, 10, 0);
    loaded l = open_pipe(bytes, size);
    check_fails(&l, "count too large", STLCLASH_E_FORMAT, "header counts 4294967295");
    l = open_pipe(bytes, 0);
    check_fails(&l, "empty pipe", STLCLASH_E_FORMAT, "the file is empty");
    free(bytes);
}

TEST(named_pipe)
{
    const char *path = enter_directory();
    if (!path) {
        return;
    }
    unsigned char bytes[84 + 50 * 10];
    size_t size = make_binary(bytes, "made", 10, 10, 0);
    if (mkfifo(path, 0600) == 0) {
        pid_t writer = fork();
        if (writer == 0) {
            write_all(open(path, O_WRONLY), bytes, size);
            _exit(0);
        }
        loaded l = open_path(path);
        check_made(&l.file, 10);
        done(&l);
        waitpid(writer, NULL, 0);
    }
    leave_directory(path);
}

/* Sizes and offsets beyond 32 bits: a sparse file of 4.5 GB. */
TEST(large_file)
{
    const char *path = enter_directory();
    if (!path) {
        return;
    }
    const uint32_t count = 90000000;
    const off_t size = 84 + (off_t)50 * count;
    unsigned char head[84];
    const float xyz[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    make_binary(head, "made", count, 0, 0);
    int descriptor = open(path, O_RDWR | O_CREAT, 0600);
    if (ftruncate(descriptor, size + 5) != 0 ||
        pwrite(descriptor, head, sizeof head, 0) != sizeof head ||
        pwrite(descriptor, xyz, sizeof xyz, size - 38) != sizeof xyz) {
        test_skip("no sparse file of 4.5 GB");
    } else if (test_long() || ftruncate(descriptor, size) == 0) {
        loaded l = open_path(path);
        CHECK(l.code == STLCLASH_OK, "%s", l.error.text);
        if (l.code == STLCLASH_OK) {
            float got[9];
            sc_facet_load(&l.file.facets, count - 1, got);
            CHECK(memcmp(got, xyz, sizeof xyz) == 0, "last facet");
        }
        check_loads(&l, path, STLCLASH_BINARY, count, test_long() ? 5 : 0);

        if (ftruncate(descriptor, size - 1) == 0) {
            l = open_path(path);
            check_fails(&l, "large, cut", STLCLASH_E_FORMAT, "ends inside triangle 89999999");
        }
    }
    close(descriptor);
    leave_directory(path);
}

TEST(files_that_cannot_be_read)
{
    loaded l = open_path("/nonexistent/file.stl");
    check_fails(&l, "missing", STLCLASH_E_IO, "cannot open: No such file or directory");
    l = open_path("/");
    check_fails(&l, "directory", STLCLASH_E_IO, "it is a directory");
    l = open_path("");
    check_fails(&l, "empty path", STLCLASH_E_IO, "cannot open");
    l = open_path("/dev/null");
    check_fails(&l, "null device", STLCLASH_E_FORMAT, "the file is empty");

    int saved = dup(STDIN_FILENO);
    close(STDIN_FILENO);
    l = open_path("-");
    check_fails(&l, "closed standard input", STLCLASH_E_IO, "cannot read");
    int writable = open("/dev/null", O_WRONLY);
    CHECK_INT(writable, STDIN_FILENO);
    l = open_path("-");
    check_fails(&l, "standard input for writing only", STLCLASH_E_IO, "cannot read");
    dup2(saved, STDIN_FILENO);
    close(saved);
}

TEST(failing_allocations)
{
    unsigned char *bytes = malloc(1000000);
    for (int kind = 0; kind < 3; kind++) { /* binary pipe, ASCII pipe, ASCII in memory */
        const uint32_t facets = 3000;
        size_t size = kind > 0 ? make_ascii((char *)bytes, (int)facets)
                               : make_binary(bytes, "made", facets, facets, 0);
        for (unsigned long n = 1;; n++) {
            sc_alloc_fail_at(n);
            loaded l = kind < 2 ? open_pipe(bytes, size) : parse(bytes, size, "memory");
            unsigned long made = sc_alloc_fail_at(0);
            if (n > made) { /* none was left to fail */
                check_made(&l.file, facets);
                done(&l);
                CHECK(n > 3, "only %lu allocations in kind %d", made, kind);
                break;
            }
            check_fails(&l, "failing", STLCLASH_E_MEMORY, "out of memory");
        }
    }
    free(bytes);
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
        loaded l = open_path(path);
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
        loaded l = open_path(path);
        check_fails(&l, path, bad[i].code, bad[i].message);
    }
}
