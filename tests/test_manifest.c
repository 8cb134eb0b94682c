/* test_manifest.c - manifests that are spoilt, at random: each is read, or refused by one
 * line; and rules against a plain look at every pair. */
#include "cli/glob.h"
#include "cli/manifest.h"
#include "cli/rules.h"
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- spoilt manifests ---------------------------------------------------- */

static const char *const seeds[] = {
    "{\"units\": \"mm\", \"parts\": [{\"name\": \"a\", \"file\": \"a.stl\"}, {\"name\": \"b\", "
    "\"file\": "
    "\"b/c.stl\", \"placement\": [1,0,0,0.5,0,1,0,-2e3,0,0,1,0,0,0,0,1]}],\n \"rules\": [{\"a\": "
    "\"*\", "
    "\"b\": \"b\", \"clearance\": 0.2, \"contact\": \"fail\"}]}",
    "{\"_\": {\"x\": [1, {}, null]}, \"parts\": [{\"name\": \"\\u00e9\", \"file\": \"/x\", \"_\": "
    "0}, "
    "{\"name\": \"\\ud83d\\udd29\", \"file\": \"y\", \"placement\": null, \"motion\": "
    "{\"waypoints\": [[1,2,3], [1,0,0,0,0,1,0,0,0,0,1,9]], \"tolerance\": 0.5}},"
    "{\"name\": \"m\", \"file\": \"y\", \"motion\": {\"move\": [1e3,0,-1]}},"
    "{\"name\": \"n\", \"file\": \"y\", \"motion\": {\"to\": \"z\"}}],\r\n\"rules\": [{\"a\": "
    "\"[a-z]\", "
    "\"b\": \"?\", \"ignore\": true, \"reason\": \"r\"}, {\"a\": \"x\", \"b\": \"y\", "
    "\"touch_gap\": \"auto\", "
    "\"touch_overlap\": 0.1, \"max_depth\": 0.2, \"max_volume\": null}]}",
};

/* What may stand anywhere. */
static const char *const scraps[] = {"{",      "}",       "[",      "]",        ",",
                                     ":",      "\"",      "null",   "true",     "-",
                                     "1e999",  "\\u0000", "\\",     "\xff",     "\xef\xbb\xbf",
                                     "\"_\":", "0.1",     "\"a\":", "\"file\"", "\"name\"",
                                     "[[[[[[", "\"\"",    "\n",     " "};

static size_t spoil(char *text, size_t size, size_t room)
{
    for (int times = 1 + test_below(4); times > 0; times--) {
        size_t at = size ? (size_t)test_below((int)size) : 0;
        const char *scrap = scraps[test_below((int)(sizeof scraps / sizeof scraps[0]))];
        size_t length = strlen(scrap), cut = (size_t)test_below(12);
        switch (test_below(4)) {
        case 0: /* a byte */
            if (size > 0) {
                text[at] = (char)test_below(256);
            }
            break;
        case 1: /* a scrap more */
            if (size + length < room) {
                memmove(text + at + length, text + at, size - at);
                memcpy(text + at, scrap, length);
                size += length;
            }
            break;
        case 2: /* some bytes less */
            cut = cut < size - at ? cut : size - at;
            memmove(text + at, text + at + cut, size - at - cut);
            size -= cut;
            break;
        default: size = test_below(8) ? size : at; break; /* the end is lost */
        }
    }
    return size;
}

/* Lines on standard error while a manifest is read. */
static int lines_of(const char *path, bool *good)
{
    char name[] = "/tmp/stlclash-test-XXXXXX", bytes[4096];
    manifest m;
    int lines = 0, caught = mkstemp(name), before = dup(STDERR_FILENO);

    fflush(stderr);
    dup2(caught, STDERR_FILENO);
    *good = manifest_read(path, &m);
    manifest_free(&m);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    ssize_t got = pread(caught, bytes, sizeof bytes, 0);
    for (ssize_t i = 0; i < got; i++) {
        lines += bytes[i] == '\n';
    }
    close(caught);
    close(before);
    unlink(name);
    return lines;
}

TEST(spoilt_manifests_are_read_or_refused_by_one_line)
{
    char path[] = "/tmp/stlclash-test-XXXXXX";
    int file = mkstemp(path), read = 0, refused = 0;

    for (int round = 0; round < test_rounds(4000); round++) {
        char text[2048];
        const char *seed = seeds[test_below(2)];
        size_t size = strlen(seed);
        memcpy(text, seed, size);
        size = round < 2 ? size : spoil(text, size, sizeof text);
        if (ftruncate(file, 0) != 0 || pwrite(file, text, size, 0) != (ssize_t)size) {
            abort();
        }
        bool good;
        int lines = lines_of(path, &good);
        CHECK(lines == !good, "%d lines for %.*s", lines, (int)size, text);
        CHECK(good || round > 1, "a seed is refused");
        read += good;
        refused += !good;
    }
    CHECK(read * 50 > test_rounds(4000) && refused * 10 > test_rounds(4000), "%d read, %d refused",
          read, refused);
    close(file);
    unlink(path);
}

/* ---- rules --------------------------------------------------------------- */

enum { MOST_RULES = 140, MOST_PARTS = 12 };

static char *copy_of(const char *text)
{
    char *copy = strdup(text);
    if (!copy) {
        abort();
    }
    return copy;
}

static void draw_name(char name[8], size_t number)
{
    snprintf(name, 8, "%c%c%u", "ab"[test_below(2)], "xy"[test_below(2)], (unsigned)number % 100);
}

/* A pattern that matches something: the name of a part with letters replaced. */
static void draw_pattern(char pattern[16], const char *name)
{
    static const char *const forms[] = {"%s", "*", "%.1s*", "?%.1s*", "*%s", "[ab]*"};
    int form = test_below(6);
    snprintf(pattern, 16, forms[form], form == 3 ? name + 1 : name);
}

TEST(rules_agree_with_a_look_at_every_pair)
{
    stlclash_options defaults = stlclash_options_default();
    for (int round = 0; round < test_rounds(300); round++) {
        char names[MOST_PARTS][8], *pointers[MOST_PARTS];
        size_t parts = (size_t)(2 + test_below(MOST_PARTS - 1)), count = 0;
        size_t wanted = (size_t)test_below(round % 10 ? 6 : MOST_RULES);
        rule *given = calloc(MOST_RULES, sizeof *given);
        for (size_t i = 0; i < parts; i++) {
            draw_name(names[i], i);
            pointers[i] = names[i];
        }
        while (count < wanted) {
            size_t i = (size_t)test_below((int)parts), j = (size_t)test_below((int)parts);
            char a[16], b[16];
            draw_pattern(a, names[i]);
            draw_pattern(b, names[j]);
            if (i == j) { /* may match no pair */
                continue;
            }
            given[count] = (rule){.where = copy_of("rule"), .a = copy_of(a), .b = copy_of(b)};
            given[count].has_clearance = true;
            given[count].clearance = (double)count;
            given[count].ignore = test_below(3) == 0;
            given[count].reason = copy_of("why");
            count++;
        }
        rules r;
        CHECK(rules_make(&r, given, count, pointers, parts, &defaults), "rules are refused");
        uint64_t matched[MOST_RULES] = {0}, applied[MOST_RULES] = {0}, ignored = 0;
        for (size_t i = 0; i < parts; i++) {
            for (size_t j = i + 1; j < parts; j++) {
                long last = -1;
                for (size_t k = 0; k < count; k++) {
                    bool there =
                        glob_match(given[k].a, names[i]) && glob_match(given[k].b, names[j]);
                    bool back =
                        glob_match(given[k].a, names[j]) && glob_match(given[k].b, names[i]);
                    matched[k] += there || back;
                    last = there || back ? (long)k : last;
                }
                if (last >= 0) {
                    applied[last]++;
                    ignored += given[last].ignore;
                }
                CHECK_INT(rules_of_pair(&r, i, j), last);
                CHECK_INT(rules_of_pair(&r, j, i), last);
            }
        }
        for (size_t k = 0; k < count; k++) {
            CHECK_INT(r.reported[k].matched, matched[k]);
            CHECK_INT(r.reported[k].applied, applied[k]);
            CHECK(r.options[k].clearance == (double)k, "clearance %g", r.options[k].clearance);
        }
        CHECK_INT(r.ignored, ignored);
        CHECK(count == 0 || r.reach == (double)(count - 1), "reach %g", r.reach);
        rules_free(&r);
    }
}
