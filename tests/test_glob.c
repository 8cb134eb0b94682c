/* test_glob.c - patterns of names, against the system's fnmatch. */
#include "cli/glob.h"
#include "test.h"

#include <fnmatch.h>
#include <string.h>

static void draw(char *text, int most, const char *letters)
{
    int length = test_below(most + 1);
    for (int i = 0; i < length; i++) {
        text[i] = letters[test_below((int)strlen(letters))];
    }
    text[length] = '\0';
}

/* What fnmatch leaves to its locale, or undefined, is not asked: classes, a backslash at the
 * end; nor is a [ that no ] closes, which glibc takes for itself, but not behind every *. */
static bool is_plain(const char *pattern)
{
    size_t length = strlen(pattern);
    for (const char *c = pattern; *c; c++) {
        if (*c == '[' && (!c[1] || !strchr(c + 2, ']'))) {
            return false;
        }
    }
    return !strstr(pattern, "[:") && !strstr(pattern, "[.") && !strstr(pattern, "[=") &&
           (length == 0 || pattern[length - 1] != '\\');
}

TEST(patterns_agree_with_the_system)
{
    int matched = 0;
    for (int round = 0; round < test_rounds(2000000); round++) {
        char pattern[16], name[16];
        draw(pattern, round % 2 ? 6 : 10, round % 3 ? "ab*?[]!-\\c" : "ab*?");
        draw(name, 8, round % 5 ? "abc" : "ab-]![*\\");
        if (!is_plain(pattern)) {
            continue;
        }
        bool expected = fnmatch(pattern, name, 0) == 0;
        matched += expected;
        CHECK(glob_match(pattern, name) == expected, "'%s' %s '%s'", pattern,
              expected ? "matches" : "does not match", name);
    }
    CHECK(matched * 200 > test_rounds(2000000), "only %d matches", matched);
}

TEST(patterns_count_characters)
{
    CHECK(glob_match("?", "\xc3\xa9"), "an accented letter is one character");
    CHECK(!glob_match("??", "\xc3\xa9"), "and not two");
    CHECK(glob_match("[\xc3\xa0-\xc3\xbf]x", "\xc3\xa9x"), "it lies in a range");
    CHECK(!glob_match("[a-z]x", "\xc3\xa9x"), "and not in another");
    CHECK(glob_match("*\xf0\x9f\x94\xa9*", "a\xf0\x9f\x94\xa9"), "an emoji");
    CHECK(glob_match("\xff?", "\xff\xfe"), "bytes that are no UTF-8");
    CHECK(glob_match("*", "") && glob_match("", "") && !glob_match("?", ""), "nothing");
    CHECK(glob_match("a\\,b", "a,b") && glob_match("\\*", "*") && !glob_match("\\*", "a"),
          "a backslash takes the meaning away");
    CHECK(glob_match("arm/*", "arm/a/b") && glob_match("*x", ".x"), "no character is special");
}

TEST(open_brackets_stand_for_themselves)
{
    CHECK(glob_match("a[b", "a[b") && glob_match("*[", "x["), "a [ alone");
    CHECK(glob_match("[]a]", "]") && !glob_match("[]", "]") && glob_match("[]", "[]"), "a ] first");
}

TEST(no_pattern_takes_long)
{
    static char pattern[20001], name[20001];
    for (int i = 0; i < 10000; i++) {
        memcpy(pattern + 2 * i, "*a", 2);
    }
    pattern[19999] = 'b';
    memset(name, 'a', 20000);
    CHECK(!glob_match(pattern, name), "it has no b");
}
