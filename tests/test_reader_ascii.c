/* test_reader_ascii.c - ASCII STL: what is read, and what is said of what is not. */
#include "reading.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ONE_LINE(solid)                                                                            \
    solid " facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet"

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
        {"empty solid in a line", "solid x endsolid x\n", 0},
        {"empty solid in a line without names", "solid endsolid", 0},
        {"the same in two words", "solid x end solid", 0},
        {"empty solids, one of them in a line",
         "solid a end solid a\nsolid b\n" FACET "endsolid\nsolid c\nendsolid\nsolid endsolid d\n",
         1},
        {"empty solids in a line", "solid a endsolid a solid b endsolid b", 0},
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
        {"a facet in the line of the name",
         "solid x y facet normal 0 0 1 " LOOP "endfacet\n" FACET "endsolid", 2},
        {"no name before it", "solid facet normal 0 0 1\n" LOOP "endfacet\nendsolid", 1},
        {"no normal either",
         "solid facet facet outer\tloop\n"
         "vertex 0 0 0 vertex 1 0 0\n"
         "vertex 0 1 0 endloop endfacet endsolid",
         1},
        {"all in a line", ONE_LINE("solid a") " endsolid a", 1},
        {"two solids in a line",
         ONE_LINE("solid a") " endsolid a " ONE_LINE(
             "SOLIDb facet normal") " endsolid b\nsolid c\n" FACET "endsolid",
         3},
        {"a name that goes on like a facet",
         "solid facet normal 0 0 1 outer\n" FACET
         "endsolid facet normal nan 1e5 0 inner loop solid facet",
         1},
        {"tabs", "solid\n\tfacet\tnormal\t0\t0\t1\n" LOOP "endfacet\nendsolid\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        loaded l = read_bytes(cases[i].text, strlen(cases[i].text), cases[i].name);
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
        {"a solid in the line of an empty one", "solid a endsolid a solid b",
         "line 1: expected \"facet\" or \"endsolid\", but the file ends; it looks truncated",
         STLCLASH_E_FORMAT},
        {"a name like an empty solid", "solid a endsolid a\n" FACET,
         "line 9: expected \"facet\" or \"endsolid\", but the file ends; it looks truncated",
         STLCLASH_E_FORMAT},
        {"a name like an empty solid, and another solid",
         "solid a endsolid a\n" FACET "solid b\nendsolid\n",
         "line 9: expected \"facet\" or \"endsolid\", found \"solid\"", STLCLASH_E_FORMAT},
        {"text behind an empty solid in a line", "solid a endsolid a\nthe end\n",
         "line 2: expected \"facet\" or \"endsolid\", found \"the\"", STLCLASH_E_FORMAT},
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
        {"a facet behind endsolid", "solid\nendsolid name facet outer loop\nvertex 0 0 0\n",
         "line 2: expected \"solid\" or the end of the file, found \"facet\"", STLCLASH_E_FORMAT},
        {"a facet of the name's line that is none",
         "solid x facet normal 0 0 1 outer loop vertex 1,5 0 0",
         "line 1: \"1,5\" has a decimal comma", STLCLASH_E_FORMAT},
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
        loaded l = read_bytes(cases[i].text, strlen(cases[i].text), cases[i].name);
        check_fails(&l, cases[i].name, cases[i].code, cases[i].message);
    }
}

/* They are not taken for binary files, and what these count. */
TEST(ascii_with_zero_bytes)
{
    static const char text[] = "solid x\n" FACET "endsolid x\n";
    const size_t size = sizeof text - 1;
    char message[60], bytes[sizeof text];
    for (size_t at = 5; at <= size; at++) {
        memcpy(bytes, text, sizeof text);
        bytes[at] = 0; /* behind all of it, at last */
        if (at >= 80 && at < 84) {
            continue; /* so a binary file may count */
        }
        snprintf(message, sizeof message, "byte %zu of the text is zero", at);
        loaded l = read_bytes(bytes, size + 1, message);
        check_fails(&l, message, STLCLASH_E_FORMAT, message);
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
    loaded l = read_bytes(text, size + name, "long name");
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
    loaded l = read_bytes(text, size, "round trip");
    CHECK_INT(l.file.facets.count, FACETS);
    for (uint32_t i = 0; i < l.file.facets.count; i++) {
        float got[9];
        sc_facet_load(&l.file.facets, i, got);
        CHECK(memcmp(got, xyz + 9 * (size_t)i, 36) == 0, "facet %u", (unsigned)i);
    }
    read_done(&l);
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
            loaded l = read_bytes(text, cut, "cut");
            if (cut >= complete) {
                check_loads(&l, "cut", STLCLASH_ASCII, facets[i], 0);
            } else {
                check_fails(&l, "cut", STLCLASH_E_FORMAT, "");
            }
        }
    }
}
