/* test_assembly.c - stlclash_assembly_check against stlclash_check of every pair, and what
 * it promises: the same for any number of threads and any memory, nothing lost, nothing
 * delivered twice. */
#include "ask.h"
#include "base/alloc.h"
#include "shapes.h"
#include "stlclash.h"
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a box of parts ------------------------------------------------------ */

enum { MOST_PARTS = 14, SHAPES = 4 };

typedef struct set {
    stl_image image[SHAPES];
    stlclash_mesh *mesh[SHAPES];
    bool files;
    char directory[32], file[SHAPES][48]; /* in a directory of their own */
    int shape[MOST_PARTS];
    double placement[MOST_PARTS][16];
    stlclash_part parts[MOST_PARTS];
    size_t count;
} set;

static void write_image(const char *path, const stl_image *image)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(image->bytes, 1, image->size, file) != image->size || fclose(file) != 0) {
        printf("  cannot write %s\n", path);
        abort();
    }
}

/* Turned by quarters, so that parts touch and coincide; or by any angle. */
static void make_placement(double m[16], bool quarters)
{
    double angle = quarters ? 1.57079632679489661923 * test_below(4) : test_uniform(0, 6.3);
    double c = cos(angle), s = sin(angle);
    double turn[16] = {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    memcpy(m, turn, sizeof turn);
    for (int k = 0; k < 3; k++) {
        m[4 * k + 3] = quarters ? 0.5 * test_below(9) : test_uniform(0, 4);
    }
}

static void set_make(set *s, bool files)
{
    static const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    *s = (set){.count = (size_t)(2 + test_below(MOST_PARTS - 1)),
               .files = files,
               .directory = "/tmp/stlclash-test-XXXXXX"};
    s->image[0] = make_box(low, high, 2);
    s->image[1] = make_l_prism(1);
    s->image[2] = make_sphere(0.5, 3);
    s->image[3] = make_hollow_box(low, high, 0.125);
    if (files && !mkdtemp(s->directory)) {
        abort();
    }
    for (int i = 0; i < SHAPES; i++) {
        stlclash_error error;
        if (stlclash_mesh_parse(s->image[i].bytes, s->image[i].size, &s->mesh[i], &error)) {
            abort();
        }
        snprintf(s->file[i], sizeof s->file[i], "%s/%d", s->directory, i);
        if (files) {
            write_image(s->file[i], &s->image[i]);
        }
    }
    bool quarters = test_below(2);
    for (size_t i = 0; i < s->count; i++) {
        s->shape[i] = test_below(SHAPES);
        make_placement(s->placement[i], quarters);
        s->parts[i] = (stlclash_part){.file = files ? s->file[s->shape[i]] : NULL,
                                      .mesh = s->mesh[s->shape[i]],
                                      .placement = test_below(6) ? s->placement[i] : NULL};
    }
}

static void set_free(set *s)
{
    for (int i = 0; i < SHAPES; i++) {
        stlclash_mesh_free(s->mesh[i]);
        image_free(&s->image[i]);
        if (s->files) {
            unlink(s->file[i]);
        }
    }
    if (s->files) {
        rmdir(s->directory);
    }
}

/* ---- what pairs ask for -------------------------------------------------- */

enum { KINDS = 4 };

/* The options of a pair go by its parts; the last kind is left out. */
typedef struct asked {
    stlclash_options options[KINDS - 1];
    bool vary;
} asked;

static const stlclash_options *options_of(const asked *q, size_t a, size_t b)
{
    size_t kind = q->vary ? (a * 7 + b * 3) % KINDS : 0;
    return kind == KINDS - 1 ? NULL : &q->options[kind];
}

static asked make_asked(bool vary)
{
    asked q = {.vary = vary};
    for (int i = 0; i < KINDS - 1; i++) {
        q.options[i] = stlclash_options_default();
        q.options[i].clearance = 0.25 * i;
        q.options[i].max_hits = 3;
    }
    q.options[2].touch_gap = 0.125;
    q.options[1].max_depth = 0.25;
    return q;
}

/* ---- what came ----------------------------------------------------------- */

typedef struct came {
    const asked *asked;
    stlclash_pair pairs[MOST_PARTS * MOST_PARTS];
    size_t count, progress_calls, most, stop_at;
} came;

static const stlclash_options *ask(void *context, size_t a, size_t b)
{
    return options_of(((came *)context)->asked, a, b);
}

static bool take(void *context, const stlclash_pair *pair)
{
    came *c = context;
    c->pairs[c->count++] = *pair;
    return c->count < c->most;
}

static bool go_on(void *context, const stlclash_assembly_progress *progress)
{
    came *c = context;
    CHECK(progress->done <= progress->pairs && progress->fraction >= 0.0 &&
              progress->fraction <= 1.0 && progress->failed <= progress->done,
          "progress %g", progress->fraction);
    return ++c->progress_calls != c->stop_at;
}

static void came_free(came *c)
{
    for (size_t i = 0; i < c->count; i++) {
        stlclash_result_free(c->pairs[i].result);
    }
}

typedef struct way {
    int threads;
    uint64_t memory;
    stlclash_far far;
    bool list_only;
} way;

static void run(const set *s, const asked *q, way w, came *c)
{
    stlclash_assembly *assembly;
    stlclash_error error;
    stlclash_assembly_options o = {.options = ask,
                                   .reach = 0.5,
                                   .pair = take,
                                   .progress = go_on,
                                   .context = c,
                                   .far = w.far,
                                   .list_only = w.list_only,
                                   .threads = w.threads};
    c->asked = q;
    c->most = c->most ? c->most : SIZE_MAX;
    if (stlclash_assembly_open(s->parts, s->count, w.memory, w.threads, &assembly, &error) ||
        stlclash_assembly_check(assembly, &o, &error)) {
        test_failed(__FILE__, __LINE__, "%s", error.text);
        return;
    }
    stlclash_assembly_free(assembly);
}

static bool same_result(const stlclash_result *x, const stlclash_result *y)
{
    return x->status == y->status && x->pass == y->pass && x->resolution == y->resolution &&
           x->has_separation == y->has_separation &&
           memcmp(x->separation.vector, y->separation.vector, sizeof x->separation.vector) == 0 &&
           x->separation.distance == y->separation.distance && x->hit_count == y->hit_count &&
           x->has_overlap == y->has_overlap && x->overlap.volume == y->overlap.volume &&
           x->overlap.depth == y->overlap.depth && x->note_count == y->note_count &&
           x->part[0].has_health == y->part[0].has_health &&
           x->part[1].closed == y->part[1].closed && x->part[1].volume == y->part[1].volume;
}

/* Every pair by itself. */
static void compare(const set *s, const asked *q, const came *c, stlclash_far far)
{
    size_t at = 0;
    for (size_t a = 0; a < s->count; a++) {
        for (size_t b = a + 1; b < s->count; b++) {
            const stlclash_options *options = options_of(q, a, b);
            const stlclash_pair *pair = &c->pairs[at];
            bool listed = at < c->count && pair->a == a && pair->b == b;
            at += listed;
            if (!options) {
                CHECK(!listed || (!pair->options && !pair->result && !pair->error.code),
                      "a pair that was left out was checked");
                continue;
            }
            stlclash_options o = *options;
            stlclash_result *plain;
            stlclash_error error;
            o.placement[0] = s->parts[a].placement;
            o.placement[1] = s->parts[b].placement;
            if (stlclash_check(s->parts[a].mesh, s->parts[b].mesh, &o, &plain, &error)) {
                abort();
            }
            if (!listed || pair->clear_by_boxes) {
                CHECK(plain->status == STLCLASH_CLEAR && (listed || far == STLCLASH_FAR_COUNT),
                      "%zu, %zu is %s, but it is not looked at", a, b,
                      stlclash_status_text(plain->status));
                CHECK(far != STLCLASH_FAR_CHECK, "%zu, %zu is not checked", a, b);
            } else {
                CHECK(pair->result && same_result(pair->result, plain), "%zu, %zu differs", a, b);
            }
            CHECK(!listed || !pair->result ||
                      (memcmp(pair->result->part[0].bounds, plain->part[0].bounds,
                              sizeof plain->part[0].bounds) == 0 &&
                       memcmp(pair->result->part[1].bounds, plain->part[1].bounds,
                              sizeof plain->part[1].bounds) == 0),
                  "%zu, %zu: bounds differ", a, b);
            CHECK(!listed || !plain->has_separation ||
                      pair->box_distance <= plain->separation.distance * (1 + 1e-12) + 1e-12,
                  "%zu, %zu: boxes %g, surfaces %g", a, b, pair->box_distance,
                  plain->separation.distance);
            stlclash_result_free(plain);
        }
    }
    CHECK(at == c->count, "%zu pairs are out of order, or there twice", c->count - at);
}

TEST(pairs_agree_with_single_checks)
{
    for (int round = 0; round < test_rounds(20); round++) {
        set s;
        set_make(&s, round % 2);
        asked q = make_asked(test_below(3));
        for (int far = STLCLASH_FAR_COUNT; far <= STLCLASH_FAR_CHECK; far++) {
            came c = {.count = 0};
            way w = {.threads = 1 + test_below(4),
                     .memory = test_below(2) ? 1 : 0,
                     .far = (stlclash_far)far};
            run(&s, &q, w, &c);
            compare(&s, &q, &c, w.far);
            came_free(&c);
        }
        set_free(&s);
    }
}

TEST(any_threads_and_memory_give_the_same)
{
    for (int round = 0; round < test_rounds(8); round++) {
        set s;
        set_make(&s, true);
        asked q = make_asked(true);
        came plain = {.count = 0};
        run(&s, &q, (way){.threads = 1}, &plain);
        for (int i = 0; i < 4; i++) {
            came c = {.count = 0};
            run(&s, &q, (way){.threads = 1 + 2 * i, .memory = (uint64_t)i * 3000}, &c);
            CHECK(c.count == plain.count, "%zu pairs, not %zu", c.count, plain.count);
            for (size_t k = 0; k < c.count && k < plain.count; k++) {
                const stlclash_pair *x = &c.pairs[k], *y = &plain.pairs[k];
                CHECK(x->a == y->a && x->b == y->b && !x->result == !y->result &&
                          (!x->result || same_result(x->result, y->result)),
                      "pair %zu differs", k);
            }
            came_free(&c);
        }
        came_free(&plain);
        set_free(&s);
    }
}

TEST(listing_is_what_a_check_would_look_at)
{
    for (int round = 0; round < test_rounds(20); round++) {
        set s;
        set_make(&s, false);
        asked q = make_asked(true);
        came listed = {.count = 0}, checked = {.count = 0};
        run(&s, &q, (way){.threads = 1, .list_only = true}, &listed);
        run(&s, &q, (way){.threads = 2}, &checked);
        CHECK(listed.count == checked.count, "%zu pairs, not %zu", listed.count, checked.count);
        for (size_t i = 0; i < listed.count && i < checked.count; i++) {
            CHECK(!listed.pairs[i].result && listed.pairs[i].a == checked.pairs[i].a &&
                      listed.pairs[i].b == checked.pairs[i].b,
                  "pair %zu differs", i);
        }
        came_free(&listed);
        came_free(&checked);
        set_free(&s);
    }
}

/* Boxes are grown by the gap that counts as touching, though nobody asks for any distance. */
TEST(gaps_of_rounding_are_looked_at)
{
    stl_image image[2] = {make_box((double[]){0, 0, 0}, (double[]){1, 1, 1}, 1),
                          make_box((double[]){1 + 0x1p-23, 0, 0}, (double[]){2, 1, 1}, 1)};
    stlclash_mesh *mesh[2] = {ask_mesh(&image[0]), ask_mesh(&image[1])};
    stlclash_part parts[2] = {{.mesh = mesh[0]}, {.mesh = mesh[1]}};
    stlclash_options usual = stlclash_options_default();
    asked q = {.options = {usual, usual, usual}};
    came c = {.asked = &q, .most = SIZE_MAX};
    stlclash_assembly_options o = {.options = ask, .pair = take, .context = &c};
    stlclash_assembly *assembly;
    stlclash_error error;
    CHECK_INT(stlclash_assembly_open(parts, 2, 0, 1, &assembly, &error), STLCLASH_OK);
    CHECK_INT(stlclash_assembly_check(assembly, &o, &error), STLCLASH_OK);
    CHECK_INT(c.count, 1);
    CHECK(c.count == 1 && c.pairs[0].result && c.pairs[0].result->status == STLCLASH_CONTACT,
          "no contact");
    stlclash_assembly_free(assembly);
    came_free(&c);
    for (int i = 0; i < 2; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* Parts with so many facets and pairs that they keep a tree, among smaller and much larger ones. */
TEST(kept_trees_change_nothing)
{
    enum { PARTS = 4 };
    stl_image image[PARTS] = {make_sphere(1, 15),
                              make_box((double[]){0, -3, -3}, (double[]){6, 3, 3}, 14),
                              make_box((double[]){-40, -30, -0.3}, (double[]){-0.2, 30, 50}, 14),
                              make_box((double[]){-0.4, 0.1, -0.5}, (double[]){0.3, 0.4, 0.2}, 14)};
    stlclash_mesh *mesh[PARTS];
    stlclash_part parts[PARTS];
    for (int i = 0; i < PARTS; i++) {
        mesh[i] = ask_mesh(&image[i]);
        parts[i] = (stlclash_part){.mesh = mesh[i]};
    }
    asked q = make_asked(false);
    came c = {.asked = &q, .most = SIZE_MAX};
    stlclash_assembly_options o = {
        .options = ask, .pair = take, .context = &c, .far = STLCLASH_FAR_CHECK};
    stlclash_assembly *assembly;
    stlclash_error error;
    CHECK_INT(stlclash_assembly_open(parts, PARTS, 0, 1, &assembly, &error), STLCLASH_OK);
    CHECK_INT(stlclash_assembly_check(assembly, &o, &error), STLCLASH_OK);
    CHECK_INT(c.count, PARTS * (PARTS - 1) / 2);
    for (size_t i = 0; i < c.count; i++) {
        stlclash_result *plain = ask_pair(mesh[c.pairs[i].a], mesh[c.pairs[i].b], &q.options[0]);
        CHECK(c.pairs[i].result && same_result(c.pairs[i].result, plain), "%zu, %zu differs",
              c.pairs[i].a, c.pairs[i].b);
        stlclash_result_free(plain);
    }
    stlclash_assembly_free(assembly);
    came_free(&c);
    for (int i = 0; i < PARTS; i++) {
        stlclash_mesh_free(mesh[i]);
        image_free(&image[i]);
    }
}

/* ---- what goes wrong ----------------------------------------------------- */

TEST(unreadable_parts_leave_the_others)
{
    set s;
    set_make(&s, true);
    s.count = 5;
    unlink(s.file[0]);
    write_image(s.file[1], &(stl_image){(unsigned char *)"solid x", 7, 7});
    for (size_t i = 0; i < s.count; i++) {
        s.parts[i].file = s.file[i % SHAPES];
    }
    double mirrored[16] = {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    s.parts[2].placement = mirrored;
    asked q = make_asked(false);
    came c = {.count = 0};
    run(&s, &q, (way){.threads = 2}, &c);
    CHECK(c.count >= 10, "%zu pairs", c.count); /* parts 0, 1, 2 and 4 are bad */
    for (size_t i = 0; i < c.count; i++) {
        CHECK(c.pairs[i].error.code != STLCLASH_OK && !c.pairs[i].result, "%zu, %zu", c.pairs[i].a,
              c.pairs[i].b);
    }
    came_free(&c);
    set_free(&s);
}

/* Makes it another file than it was, but only by one of its inode, size and time. */
static void change_file(const char *file, const stl_image *own, const stl_image *other, int how)
{
    struct stat old;
    CHECK_INT(stat(file, &old), 0);
    struct timespec times[2] = {old.st_atim, old.st_mtim};
    if (how == 0) { /* it must not be there for the same inode to be given again */
        char kept[100];
        snprintf(kept, sizeof kept, "%s-kept", file);
        CHECK_INT(rename(file, kept), 0);
        write_image(file, own);
        unlink(kept);
    } else if (how == 1) {
        write_image(file, other);
    } else {
        times[1].tv_sec--;
    }
    CHECK_INT(utimensat(AT_FDCWD, file, times, 0), 0);
}

TEST(a_file_that_changes_is_an_error)
{
    for (int how = 0; how < 4; how++) {
        set s;
        set_make(&s, true);
        s.count = 2;
        for (size_t i = 0; i < 2; i++) {
            s.parts[i] = (stlclash_part){.file = s.file[i]};
        }
        asked q = make_asked(false);
        came c = {.asked = &q, .most = SIZE_MAX};
        stlclash_assembly *assembly;
        stlclash_error error;
        stlclash_assembly_options o = {.options = ask, .reach = 0.5, .pair = take, .context = &c};
        CHECK_INT(stlclash_assembly_open(s.parts, 2, 1, 1, &assembly, &error), STLCLASH_OK);
        if (how < 3) {
            change_file(s.file[0], &s.image[0], &s.image[2], how);
        }
        CHECK_INT(stlclash_assembly_check(assembly, &o, &error), STLCLASH_OK);
        CHECK_INT(c.count, 1);
        CHECK(c.pairs[0].error.code == (how < 3 ? STLCLASH_E_IO : STLCLASH_OK), "change %d: %d",
              how, (int)c.pairs[0].error.code);
        stlclash_assembly_free(assembly);
        came_free(&c);
        set_free(&s);
    }
}

TEST(a_cancelled_assembly_is_undecided)
{
    set s;
    set_make(&s, false);
    s.count = MOST_PARTS;
    for (size_t i = 0; i < s.count; i++) { /* all in one place: every pair is work */
        s.parts[i] = (stlclash_part){.mesh = s.mesh[i % SHAPES]};
    }
    asked q = make_asked(false);
    for (int threads = 1; threads <= 3; threads += 2) {
        came c = {.stop_at = 4}, few = {.most = 5};
        size_t undecided = 0;
        run(&s, &q, (way){.threads = threads}, &c);
        CHECK_INT(c.count, MOST_PARTS * (MOST_PARTS - 1) / 2);
        for (size_t i = 0; i < c.count; i++) {
            bool open = c.pairs[i].result->status == STLCLASH_UNDECIDED;
            undecided += open;
            CHECK(!open || strcmp(c.pairs[i].result->notes[0], "cancelled") == 0, "note %s",
                  c.pairs[i].result->notes[0]);
        }
        CHECK(undecided > 0, "nothing was cancelled");
        run(&s, &q, (way){.threads = threads}, &few);
        CHECK_INT(few.count, 5);
        came_free(&c);
        came_free(&few);
    }
    set_free(&s);
}

TEST(options_of_assemblies_are_checked)
{
    set s;
    set_make(&s, false);
    asked q = make_asked(false);
    came c = {.asked = &q, .most = SIZE_MAX};
    stlclash_assembly *assembly;
    stlclash_error error;
    stlclash_part none = {.name = "none"};
    CHECK_INT(stlclash_assembly_open(&none, 1, 0, 1, &assembly, &error), STLCLASH_E_ARGUMENT);
    CHECK_INT(stlclash_assembly_open(s.parts, s.count, 0, -1, &assembly, &error),
              STLCLASH_E_ARGUMENT);
    for (size_t i = 0; i < s.count; i++) {
        s.parts[i].placement = NULL;
    }
    CHECK_INT(stlclash_assembly_open(s.parts, s.count, 0, 1, &assembly, &error), STLCLASH_OK);
    stlclash_assembly_options good = {
        .options = ask, .reach = 0.5, .pair = take, .context = &c, .far = STLCLASH_FAR_LIST};
    stlclash_assembly_options bad[7] = {good, good, good, good, good, good, good};
    bad[0].reach = NAN;
    bad[1].reach = -1;
    bad[2].max_seconds = -1;
    bad[3].threads = -1;
    bad[4].reach = 0.1;
    bad[5].pair = NULL;
    bad[6].far = (stlclash_far)(STLCLASH_FAR_CHECK + 1);
    q.options[0].clearance = 0.2; /* more than the reach of the last */
    for (int i = 0; i < 7; i++) {
        CHECK_INT(stlclash_assembly_check(assembly, &bad[i], &error), STLCLASH_E_ARGUMENT);
    }
    q.options[0].max_depth = -2;
    CHECK_INT(stlclash_assembly_check(assembly, &good, &error), STLCLASH_E_ARGUMENT);
    CHECK_INT(c.count, 0);
    q = make_asked(false);
    q.options[0].threads = -1; /* not looked at: those of all pairs are */
    q.options[0].max_seconds = NAN;
    CHECK_INT(stlclash_assembly_check(assembly, &good, &error), STLCLASH_OK);
    CHECK_INT(c.count, s.count * (s.count - 1) / 2);
    came_free(&c);
    stlclash_assembly_free(assembly);
    CHECK_INT(stlclash_assembly_open(NULL, 0, 0, 1, &assembly, &error), STLCLASH_OK);
    CHECK_INT(stlclash_assembly_check(assembly, &good, &error), STLCLASH_OK);
    stlclash_assembly_free(assembly);
    set_free(&s);
}

/* Whatever parts and files are called, an error is one line, and says what is wrong. */
TEST(names_leave_room_for_errors)
{
    char longest[1000], lines[] = "two\nlines\033";
    memset(longest, 'n', sizeof longest);
    memcpy(longest + sizeof longest - 4, "end", 4);
    for (size_t i = 0; i < sizeof longest - 100; i += 2) {
        memcpy(longest + i, "\xC3\xB6", 2);
    }
    static const double stretch[16] = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    set s;
    set_make(&s, false);
    stlclash_part parts[] = {{.mesh = s.mesh[0], .placement = stretch, .name = longest},
                             {.mesh = s.mesh[0], .placement = stretch, .name = lines},
                             {.mesh = s.mesh[0], .placement = stretch}};
    stlclash_assembly *assembly;
    stlclash_error error;
    CHECK_INT(stlclash_assembly_open(parts, 3, 0, 1, &assembly, &error), STLCLASH_OK);
    for (size_t i = 0; i < 3; i++) {
        static const char *const called[] = {"nnend is not", "of two?lines? is not",
                                             "part 2 is not"};
        const stlclash_error *e = &stlclash_assembly_get_part(assembly, i)->error;
        CHECK(e->code == STLCLASH_E_ARGUMENT && strstr(e->text, called[i]) &&
                  strstr(e->text, "scale, shear or mirror") && !strchr(e->text, '\n'),
              "%s", e->text);
    }
    stlclash_assembly_free(assembly);
    set_free(&s);
}

/* A file that is read again has changed: its folders are long, and the reason is there. */
TEST(a_long_file_name_leaves_room_for_errors)
{
    set s;
    set_make(&s, true);
    char file[512];
    int length = snprintf(file, sizeof file, "%s", s.directory);
    while (length < 300) {
        length += snprintf(file + length, sizeof file - (size_t)length, "/.");
    }
    snprintf(file + length, sizeof file - (size_t)length, "/0");
    stlclash_part parts[] = {{.file = file}, {.file = s.file[1]}};
    asked q = make_asked(false);
    came c = {.asked = &q, .most = SIZE_MAX};
    stlclash_assembly *assembly;
    stlclash_error error;
    CHECK_INT(stlclash_assembly_open(parts, 2, 1, 1, &assembly, &error), STLCLASH_OK);
    s.image[0].size -= 50;
    write_image(file, &s.image[0]);
    stlclash_assembly_options o = {.options = ask, .reach = 0.5, .pair = take, .context = &c};
    CHECK_INT(stlclash_assembly_check(assembly, &o, &error), STLCLASH_OK);
    CHECK(c.count == 1 && c.pairs[0].error.code != STLCLASH_OK && !c.pairs[0].result &&
              strstr(c.pairs[0].error.text, "/0: header counts"),
          "%s", c.count == 1 ? c.pairs[0].error.text : "not one pair");
    came_free(&c);
    stlclash_assembly_free(assembly);
    set_free(&s);
}

/* ---- meshes in full ------------------------------------------------------- */

static void check_same_health(const stlclash_part_result *a, const stlclash_part_result *b)
{
    CHECK(a->has_health == b->has_health && a->closed == b->closed &&
              a->has_volume == b->has_volume && a->volume == b->volume &&
              a->has_components == b->has_components && a->components == b->components &&
              memcmp(a->bounds, b->bounds, sizeof a->bounds) == 0 &&
              a->warning_count == b->warning_count,
          "closed %d, volume %g, %zu warnings; as a pair has it %d, %g, %zu", a->closed, a->volume,
          a->warning_count, b->closed, b->volume, b->warning_count);
    for (size_t i = 0; i < a->warning_count && i < b->warning_count; i++) {
        CHECK(strcmp(a->warnings[i].text, b->warnings[i].text) == 0, "%s", a->warnings[i].text);
    }
}

/* What a part that is in no pair is told to be is what a pair would have told, also when its file
 * is loaded no more; a part in error is none. */
TEST(parts_are_judged_without_a_pair)
{
    set s;
    set_make(&s, true);
    s.image[1].bytes[80]--; /* open */
    s.image[1].size -= 50;
    write_image(s.file[1], &s.image[1]);
    stlclash_part parts[SHAPES + 1];
    const stlclash_part_result *found[SHAPES + 1];
    stlclash_assembly *assembly;
    stlclash_error error;
    for (int i = 0; i < SHAPES; i++) {
        parts[i] = (stlclash_part){.file = s.file[i], .placement = s.placement[0]};
    }
    parts[SHAPES] = (stlclash_part){.file = "/nonexistent"};
    CHECK_INT(stlclash_assembly_open(parts, SHAPES + 1, 1, 1, &assembly, &error), STLCLASH_OK);
    for (size_t i = 0; i < SHAPES; i++) {
        CHECK_INT(stlclash_assembly_judge(assembly, i, &found[i], &error), STLCLASH_OK);
    }
    CHECK_INT(stlclash_assembly_judge(assembly, SHAPES, &found[SHAPES], &error), STLCLASH_E_IO);
    CHECK(!found[SHAPES] && !found[1]->closed && found[1]->warning_count > 0 &&
              found[1]->has_components && found[1]->components == 1,
          "open or not");
    for (int i = 0; i < SHAPES; i++) {
        stlclash_options o = stlclash_options_default();
        stlclash_mesh *mesh;
        stlclash_result *result;
        o.health = true;
        o.placement[0] = s.placement[0];
        CHECK_INT(stlclash_mesh_read(s.file[i], &mesh, &error), STLCLASH_OK);
        CHECK_INT(stlclash_check(mesh, s.mesh[0], &o, &result, &error), STLCLASH_OK);
        check_same_health(found[i], &result->part[0]);
        stlclash_result_free(result);
        stlclash_mesh_free(mesh);
    }
    stlclash_assembly_free(assembly);
    set_free(&s);
}

TEST(every_allocation_of_an_assembly_may_fail)
{
    set s;
    set_make(&s, true);
    s.count = 4;
    for (size_t i = 0; i < s.count; i++) {
        s.parts[i] = (stlclash_part){.file = s.file[i]};
    }
    asked q = make_asked(false);
    unsigned long failed = 0, step = test_long() ? 1 : TEST_DIVISOR > 1 ? 41 : 7;
    for (unsigned long n = 1;; n += step) {
        came c = {.asked = &q, .most = SIZE_MAX};
        stlclash_assembly *assembly;
        stlclash_error error;
        stlclash_assembly_options o = {
            .options = ask, .reach = 0.5, .pair = take, .context = &c, .threads = 1};
        sc_alloc_fail_at(n);
        stlclash_code code = stlclash_assembly_open(s.parts, s.count, 5000, 1, &assembly, &error);
        if (code == STLCLASH_OK) {
            const stlclash_part_result *health;
            code = stlclash_assembly_check(assembly, &o, &error);
            for (size_t i = 0; i < s.count && code == STLCLASH_OK; i++) {
                code = stlclash_assembly_judge(assembly, i, &health, &error);
            }
            stlclash_assembly_free(assembly);
        }
        bool told = code == STLCLASH_E_MEMORY;
        CHECK(told || code == STLCLASH_OK, "%s", error.text);
        for (size_t i = 0; i < c.count; i++) {
            told = told || c.pairs[i].error.code == STLCLASH_E_MEMORY;
        }
        unsigned long made = sc_alloc_fail_at(0);
        came_free(&c);
        if (made < n) {
            CHECK(!told, "memory was said to be short, but was not");
            break;
        }
        CHECK(told, "allocation %lu failed, and nobody knows", n);
        failed++;
    }
    CHECK(failed > 10, "only %lu allocations failed", failed);
    set_free(&s);
}
