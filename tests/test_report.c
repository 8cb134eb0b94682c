/* test_report.c - formats of the report, for reports that are made by hand: nothing
 * that comes from outside leaves its place, and everything is there. */
#include "report/report_escape.h"
#include "report/report_id.h"
#include "report/report_pair.h"
#include "reports.h"
#include "test.h"

#include <cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static made_report made;

static size_t nasty_count(void)
{
    size_t count = 0;
    while (nasty_names[count]) {
        count++;
    }
    return count;
}

/* All kinds of pairs between parts with names that need care. */
static void make_nasty(void)
{
    made_start(&made, nasty_count());
    made_nasty(&made);
    made.rules[0].name = "=<rule> & \"more\", 100%: \xff\n|";
    made.rules[1].reason = "because of <this> & \"that\", 100%: \xff\n|";
    made.report.units = "<&\">|,";
    made.parts[3].error = "cannot open: <no> & \"such\" file, 100%\r\n";
    made.report.rules = made.rules;
    made.report.rule_count = 2;
    made_all(&made);
}

/* ---- text: no control character but line ends ----------------------------- */

TEST(text_has_no_control_characters)
{
    make_nasty();
    char *text = made_text(&made.report, "text", NULL);
    for (const char *c = text; *c; c++) {
        CHECK(*c == '\n' || (unsigned char)*c >= ' ', "byte %d at %zu", *c, (size_t)(c - text));
    }
    free(text);
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    while (*text) {
        size_t length = strcspn(text, "\n");
        longest = length > longest ? length : longest;
        text += length + (text[length] == '\n');
    }
    return longest;
}

/* A matrix fits into 80 columns, up to as many parts as it is made for. */
TEST(matrix_fits_a_terminal)
{
    for (size_t parts = 3; parts <= 32; parts++) {
        made_start(&made, parts);
        made.report.clear_unlisted = parts * (parts - 1) / 2;
        snprintf(made.names[0], sizeof made.names[0], "a name that is longer than it can be here");
        made.parts[0].info.warning_count = 0;
        char *text = made_text(&made.report, "text", NULL);
        CHECK(longest_line(text) <= 80, "%zu parts: a line of %zu", parts, longest_line(text));
        CHECK(!strstr(text, " . .") == (parts > 30), "%zu parts: %s", parts, text);
        free(text);
    }
}

/* ---- XML: a reader of its own ---------------------------------------------- */

static const char *skip_reference(const char *c)
{
    static const char *const known[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                        "&#9;",  "&#10;", "&#13;"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(c, known[i], strlen(known[i])) == 0) {
            return c + strlen(known[i]);
        }
    }
    CHECK(false, "no reference: %.20s", c);
    return c + 1;
}

/* A tag from its '<' on: its name and attributes. Returns the end. */
static const char *skip_tag(const char *c, char name[32], bool *opens, bool *closes)
{
    size_t length = 0;
    *closes = c[1] == '/';
    *opens = !*closes;
    c += 1 + *closes;
    while (isalpha((unsigned char)*c) || *c == '-') {
        if (length < 31) {
            name[length++] = *c;
        }
        c++;
    }
    name[length] = '\0';
    while (*c && *c != '>') {
        if (*c == '"') {
            for (c++; *c && *c != '"';) {
                CHECK(*c != '<' && (unsigned char)*c >= ' ', "in an attribute: %.20s", c);
                c = *c == '&' ? skip_reference(c) : c + 1;
            }
        }
        *closes = *closes || (c[0] == '/' && c[1] == '>');
        c++;
    }
    return c + 1;
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text++) {
        count++;
    }
    return count;
}

static void check_xml(const char *text)
{
    char open[8][32], name[32];
    int depth = 0;
    const char *c = strstr(text, "?>") + 2;

    while (*c) {
        bool opens, closes;
        if (*c == '&') {
            c = skip_reference(c);
        } else if (*c == '<') {
            c = skip_tag(c, name, &opens, &closes);
            if (opens && depth < 8) {
                strcpy(open[depth++], name);
            }
            if (closes && depth > 0) {
                CHECK_STRING(name, open[--depth]);
            }
        } else {
            CHECK(*c == '\n' || (unsigned char)*c >= ' ', "byte %d", *c);
            CHECK(*c != '>', "a bare >: %.20s", c);
            c++;
        }
    }
    CHECK_INT(depth, 0);
}

static void check_utf8(const char *text)
{
    char *clean = escape_clean_copy(text);
    CHECK(strcmp(clean, text) == 0, "it has bytes that are no UTF-8");
    free(clean);
}

TEST(junit_is_well_formed_and_counts)
{
    make_nasty();
    report_summary summary = report_summarise(&made.report);
    char *text = made_text(&made.report, "junit", NULL), expected[128];
    check_xml(text);
    check_utf8(text);
    CHECK(!strstr(text, "\xef\xbf\xbe") && !strstr(text, "\xef\xbf\xbf"), "XML has no such");

    size_t failures = 0;
    for (size_t i = 0; i < made.report.pair_count; i++) {
        failures += !made.pairs[i].pass && made.pairs[i].result &&
                    made.pairs[i].result->status != STLCLASH_UNDECIDED;
    }
    CHECK_INT(count_of(text, "<testcase "), summary.pairs);
    CHECK_INT(count_of(text, "<failure "), failures);
    CHECK_INT(count_of(text, "<error "), summary.status[STLCLASH_UNDECIDED]);
    CHECK_INT(count_of(text, "<skipped "), summary.ignored);
    snprintf(expected, sizeof expected,
             "tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", (size_t)summary.pairs,
             failures, (size_t)summary.status[STLCLASH_UNDECIDED], (size_t)summary.ignored);
    CHECK(strstr(text, expected), "no %s", expected);
    free(text);
}

/* ---- CSV: read back ---------------------------------------------------------- */

/* The next field; *end is the character behind it. Returns its length. */
static size_t read_field(const char *c, char *field, const char **end)
{
    size_t length = 0;
    bool quoted = *c == '"';
    c += quoted;
    while (*c && (quoted ? *c != '"' || c[1] == '"' : *c != ',' && *c != '\r')) {
        CHECK(quoted || (*c != '"' && *c != '\n'), "bare %d", *c);
        c += quoted && *c == '"';
        field[length++] = *c++;
    }
    field[length] = '\0';
    *end = c + quoted;
    return length;
}

/* What a name becomes on the way: one apostrophe less, and known replacements. */
static void check_name(const char *field, const char *name)
{
    char *clean = escape_clean_copy(name), *c = clean;
    CHECK(!*field || !strchr("=+-@\t\r\n", *field), "%s starts a formula", field);
    field += *field == '\'';
    for (; *c; c++, field++) {
        bool control = ((unsigned char)*c < ' ' && *c != '\n' && *c != '\r') || *c == 0x7f;
        if (strncmp(c, "\xef\xbf\xbf", 3) == 0 || strncmp(c, "\xef\xbf\xbe", 3) == 0) {
            CHECK(strncmp(field, "\xef\xbf\xbd", 3) == 0, "a noncharacter");
            c += 2;
            field += 2;
        } else {
            CHECK(*field == (control ? '?' : *c), "%s instead of %s", field, c);
        }
        if (!*field) {
            break;
        }
    }
    CHECK_STRING(field, "");
    free(clean);
}

TEST(csv_reads_back)
{
    make_nasty();
    char *text = made_text(&made.report, "csv", NULL), field[1024];
    const char *c = text;
    size_t columns = 0;
    check_utf8(text);

    for (size_t row = 0; *c; row++) {
        size_t column = 0;
        for (;; column++) {
            read_field(c, field, &c);
            if (row > 0 && (column == 1 || column == 2)) {
                const report_pair *pair = &made.pairs[row - 1];
                check_name(field, column == 1 ? pair->a->name : pair->b->name);
            }
            if (*c != ',') {
                break;
            }
            c++;
        }
        CHECK(c[0] == '\r' && c[1] == '\n', "row %zu ends with %d %d", row, c[0], c[1]);
        columns = row == 0 ? column : columns;
        CHECK_INT(column, columns);
        c += 2;
    }
    free(text);
}

/* ---- annotations, Markdown -------------------------------------------------- */

TEST(annotations_are_lines_of_commands)
{
    make_nasty();
    char *text = made_text(&made.report, "github", NULL);
    size_t expected = 3; /* an unreadable part, a warning, the summary */
    check_utf8(text);
    for (size_t i = 0; i < made.report.pair_count; i++) {
        const report_pair *pair = &made.pairs[i];
        expected +=
            report_pair_fails(pair) && pair->a != &made.parts[3] && pair->b != &made.parts[3];
    }
    size_t lines = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        char *properties = strchr(line, ' ');
        char *message = properties ? strstr(properties, "::") : NULL;
        CHECK(strncmp(line, "::error ", 8) == 0 || strncmp(line, "::warning ", 10) == 0 ||
                  strncmp(line, "::notice ", 9) == 0,
              "%s", line);
        CHECK(message && !strchr(line, '\r'), "%s", line);
        /* file= and title=: one comma at most, and colons none before the message. */
        for (char *c = properties; message && c < message; c++) {
            CHECK(*c != ':' && (*c != ',' || strncmp(c, ",title=", 7) == 0), "%s", line);
        }
        for (char *c = line; (c = strchr(c, '%')); c++) {
            CHECK(strncmp(c, "%25", 3) == 0 || strncmp(c, "%0A", 3) == 0 ||
                      strncmp(c, "%0D", 3) == 0 || strncmp(c, "%3A", 3) == 0 ||
                      strncmp(c, "%2C", 3) == 0,
                  "%s", c);
        }
    }
    CHECK_INT(lines, expected);
    free(text);
}

/* Every row of a table has as many bars as its head, and HTML is ours. */
TEST(markdown_tables_keep_their_shape)
{
    make_nasty();
    char *text = made_text(&made.report, "markdown", NULL);
    check_utf8(text);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int bars = 0;
        bool html = strstr(line, "details>") != NULL;
        for (char *c = line; *c; c++) {
            CHECK(html || *c != '<', "%s", line);
            if (*c == '\\' && c[1]) {
                c++; /* what is behind a backslash is no markup */
            } else if (*c == '|') {
                bars++;
            }
        }
        CHECK(line[0] != '|' || bars == 6, "%d bars: %s", bars, line);
    }
    free(text);
}

/* ---- JSON ------------------------------------------------------------------ */

static void check_json_pair(const cJSON *item, const report_pair *pair)
{
    char *name = escape_clean_copy(pair->a->name), id[REPORT_ID_SIZE];
    CHECK_STRING(cJSON_GetObjectItem(item, "a")->valuestring, name);
    CHECK_STRING(cJSON_GetObjectItem(item, "id")->valuestring,
                 report_id(id, pair->a->name, pair->b->name));
    CHECK_INT(cJSON_IsTrue(cJSON_GetObjectItem(item, "ignored")), pair->ignored != NULL);
    CHECK_INT(cJSON_IsTrue(cJSON_GetObjectItem(item, "pass")), pair->pass);
    CHECK_INT(cJSON_IsNull(cJSON_GetObjectItem(item, "status")), pair->ignored != NULL);
    CHECK_INT(cJSON_IsNull(cJSON_GetObjectItem(item, "rule")), pair->rule == NULL);
    CHECK_INT(cJSON_IsNull(cJSON_GetObjectItem(item, "resolution")), pair->result == NULL);
    CHECK_INT(cJSON_GetArraySize(item), 28);
    free(name);
}

TEST(json_has_every_pair)
{
    make_nasty();
    size_t size;
    char *text = made_text(&made.report, "json", &size);
    cJSON *root = cJSON_ParseWithLength(text, size);
    CHECK(root, "no JSON: %.200s", text);
    check_utf8(text);

    cJSON *pairs = cJSON_GetObjectItem(root, "pairs"), *item;
    size_t i = 0;
    cJSON_ArrayForEach(item, pairs)
    {
        check_json_pair(item, &made.pairs[i++]);
    }
    CHECK_INT(i, made.report.pair_count);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(root, "parts")), made.report.part_count);
    CHECK_INT(cJSON_GetArraySize(cJSON_GetObjectItem(root, "rules")), 2);
    cJSON_Delete(root);
    free(text);
}

static cJSON *first_pair(const cJSON *root)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(root, "pairs"), 0);
}

/* Also one that was not counted to its end. */
TEST(json_tells_whether_a_list_is_cut)
{
    for (int way = 0; way < 3; way++) {
        made_start(&made, 2);
        made_add(&made, MADE_CLASH, 0, 1, 0.1);
        made.results[0].has_hit_count = way < 2;
        made.results[0].hit_count = way == 0 ? 18 : way == 1 ? 2 : 0;
        char *text = made_text(&made.report, "json", NULL);
        cJSON *root = cJSON_Parse(text), *pair = first_pair(root);
        CHECK_INT(cJSON_IsTrue(cJSON_GetObjectItem(pair, "intersections_truncated")), way != 1);
        CHECK_INT(cJSON_IsNull(cJSON_GetObjectItem(pair, "intersecting_pairs")), way == 2);
        cJSON_Delete(root);
        free(text);
    }
}

/* Its shift in a whole turn. */
TEST(json_has_the_pitch_of_a_screw)
{
    const stlclash_screw screw = {.direction = {0, 0, 1}, .angle = 1.5707963267948966, .shift = 1};
    made_start(&made, 2);
    report_pair *pair = made_add(&made, MADE_NEAR, 0, 1, 0.1);
    stlclash_sweep_result motion = {.kind = STLCLASH_SCREW,
                                    .status = STLCLASH_NEAR,
                                    .start = &made.results[0],
                                    .screws = &screw,
                                    .screw_count = 1};
    pair->motion = &motion;
    char *text = made_text(&made.report, "json", NULL);
    cJSON *root = cJSON_Parse(text), *of_pair = cJSON_GetObjectItem(first_pair(root), "motion");
    const cJSON *only = cJSON_GetArrayItem(cJSON_GetObjectItem(of_pair, "screws"), 0);
    CHECK(only && fabs(cJSON_GetObjectItem(only, "pitch")->valuedouble - 4) < 1e-12, "%s", text);
    cJSON_Delete(root);
    free(text);
}

/* ---- words ------------------------------------------------------------------ */

/* What touches from inside is as far from the surface as the touch overlap allows for. */
TEST(text_tells_what_a_distance_is_within)
{
    for (int inside = 0; inside < 2; inside++) {
        made_start(&made, 2);
        made_add(&made, MADE_TOUCH, 0, 1, inside ? 0.25 : 0.0625);
        made.results[0].touch_gap = 0.125;
        made.results[0].touch_overlap = 0.5;
        char *text = made_text(&made.report, "text", NULL);
        CHECK(strstr(text, inside ? "no deeper than 0.5" : "within the touch gap of 0.125"), "%s",
              text);
        free(text);
    }
}

/* However many: the baseline stands for them. */
TEST(text_lists_all_that_is_accepted)
{
    made_start(&made, 8);
    for (size_t i = 0; i < 28; i++) {
        report_pair *pair = made_add(&made, MADE_NEAR, i / 7, 4 + i % 4, 0.1);
        pair->change = REPORT_EXISTING;
        pair->pass = true;
    }
    made.report.baseline = "old.json";
    char *text = made_text(&made.report, "text", NULL);
    CHECK_INT(count_of(text, "\n  existing "), 28);
    free(text);
}

/* A long one goes out in pieces, each of whole characters. */
TEST(text_keeps_long_words)
{
    for (int shift = 0; shift < 2; shift++) {
        char word[1203];
        memset(word, 'x', sizeof word);
        for (int i = shift; i < 1200 + shift; i += 2) {
            memcpy(word + i, "\303\244", 2);
        }
        word[1200 + shift] = '\0';
        made_start(&made, 2);
        made_add(&made, MADE_ERROR, 0, 1, 0.1);
        made.parts[0].error = made.pairs[0].error = word;
        for (int xml = 0; xml < 2; xml++) {
            char *text = made_text(&made.report, xml ? "junit" : "text", NULL);
            CHECK(strstr(text, word), "shift %d: %.300s", shift, text);
            free(text);
        }
    }
}

/* ---- counts ----------------------------------------------------------------- */

/* No pair, one kind only, and pairs that are not listed: every format copes, and the
 * numbers add up. */
TEST(summary_counts_every_pair)
{
    for (int kind = -1; kind < MADE_KINDS; kind++) {
        made_start(&made, kind < 0 ? 0 : 5);
        made.report.clear_unlisted = kind < 0 ? 0 : 7;
        made.report.ignored_unlisted = kind == MADE_IGNORED ? 2 : 0;
        for (size_t b = 1; kind >= 0 && b < 5; b++) {
            made_add(&made, (made_kind)kind, 0, b, 0.1);
        }
        report_summary s = report_summarise(&made.report);
        CHECK_INT(s.pairs, kind < 0 ? 0 : 4 + 7 + (kind == MADE_IGNORED ? 2 : 0));
        CHECK_INT(s.pairs, s.checked + s.ignored + s.status[STLCLASH_UNDECIDED]);
        CHECK_INT(s.checked, s.status[STLCLASH_CLASH] + s.status[STLCLASH_CONTACT] +
                                 s.status[STLCLASH_NEAR] + s.status[STLCLASH_CLEAR]);
        bool passes = kind < 0 || kind == MADE_CLEAR || kind == MADE_TOUCH || kind == MADE_IGNORED;
        CHECK_INT(s.pass, passes);
        for (const report_format *format = report_formats; format->name; format++) {
            if (!format->write) {
                continue; /* of probes alone */
            }
            char *text = made_text(&made.report, format->name, NULL);
            CHECK(*text, "%s is empty", format->name);
            if (strcmp(format->name, "junit") == 0) {
                check_xml(text);
                CHECK_INT(count_of(text, "<testcase "), kind < 0 ? 1 : 4);
            }
            free(text);
        }
    }
}

/* ---- order, ids ------------------------------------------------------------- */

/* Any failure in front of any pair that passes, the deeper clash and the smaller gap
 * first, ignored ones last; each pair once. */
TEST(worst_pairs_come_first)
{
    made_start(&made, 12);
    made_all(&made);
    const report_pair **pairs = report_pairs_worst_first(&made.report);
    bool seen[MADE_PAIRS] = {false};

    for (size_t i = 0; i < made.report.pair_count; i++) {
        seen[pairs[i] - made.pairs] = true;
        if (i == 0) {
            continue;
        }
        const report_pair *x = pairs[i - 1], *y = pairs[i];
        CHECK(!(x->ignored && !y->ignored), "an ignored pair in front of another");
        CHECK(!(!report_pair_fails(x) && report_pair_fails(y)), "a pass in front of a failure");
        if (report_pair_fails(x) == report_pair_fails(y) && !x->ignored && !y->ignored) {
            CHECK(report_pair_status(x) <= report_pair_status(y), "the order of status");
            if (report_pair_status(x) == report_pair_status(y) && x->result && y->result) {
                CHECK(x->result->overlap.depth >= y->result->overlap.depth, "the order of depth");
                CHECK(x->result->separation.distance <= y->result->separation.distance,
                      "the order of distance");
            }
        }
    }
    for (size_t i = 0; i < made.report.pair_count; i++) {
        CHECK(seen[i], "pair %zu is lost", i);
    }
    free(pairs);
}

static int by_text(const void *x, const void *y)
{
    return strcmp(x, y);
}

TEST(ids_know_the_names_and_nothing_else)
{
    enum { NAMES = 200, IDS = NAMES * (NAMES + 1) / 2 };
    static char ids[IDS][REPORT_ID_SIZE];
    char a[16], b[16], other[REPORT_ID_SIZE];
    size_t count = 0;

    for (int i = 0; i < NAMES; i++) {
        for (int j = i; j < NAMES; j++) {
            snprintf(a, sizeof a, "bolt%d", i);
            snprintf(b, sizeof b, "bolt%d", j);
            report_id(ids[count], a, b);
            CHECK_STRING(report_id(other, b, a), ids[count]);
            count++;
        }
    }
    qsort(ids, count, REPORT_ID_SIZE, by_text);
    for (size_t i = 1; i < count; i++) {
        CHECK(strcmp(ids[i - 1], ids[i]) != 0, "two pairs have the id %s", ids[i]);
    }
    CHECK(strcmp(report_id(ids[0], "ab", "c"), report_id(other, "a", "bc")) != 0, "ab,c is a,bc");
    CHECK_STRING(report_id(other, "lid", "box"), "c6cecb1fe51af6ee"); /* for good */
}
