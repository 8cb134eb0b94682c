/* test_quota.c - how many processors' time control groups allow, from files as the kernel has
 * them. */
#define _XOPEN_SOURCE 700 /* mkdtemp, nftw */
#include "base/quota.h"
#include "test.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A folder with a file that lists groups, and what these have. */
typedef struct place {
    char root[256];
} place;

static place make_place(void)
{
    place p;
    const char *tmp = getenv("TMPDIR");
    snprintf(p.root, sizeof p.root, "%s/stlclash-test-XXXXXX", tmp ? tmp : "/tmp");
    CHECK(mkdtemp(p.root) != NULL, "%s", p.root);
    return p;
}

/* With the folders above it. */
static void put(const place *p, const char *name, const char *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", p->root, name);
    for (char *at = strchr(path + strlen(p->root) + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(path, 0777);
        *at = '/';
    }
    FILE *file = fopen(path, "w");
    CHECK(file && fputs(text, file) >= 0 && fclose(file) == 0, "%s", path);
}

static int removed(const char *path, const struct stat *state, int type, struct FTW *ftw)
{
    (void)state, (void)type, (void)ftw;
    return remove(path);
}

static int allowed(const place *p)
{
    char groups[300];
    snprintf(groups, sizeof groups, "%s/groups", p->root);
    return sc_quota_processors(groups, p->root);
}

static void remove_place(const place *p)
{
    CHECK_INT(nftw(p->root, removed, 8, FTW_DEPTH | FTW_PHYS), 0);
}

TEST(a_quota_of_unified_groups_is_rounded_up)
{
    static const struct {
        const char *max;
        int processors;
    } known[] = {{"200000 100000\n", 2},  {"150000 100000\n", 2},    {"100000 100000\n", 1},
                 {"5000 100000\n", 1},    {"max 100000\n", INT_MAX}, {"", INT_MAX},
                 {"0 100000\n", INT_MAX}, {"100000 0\n", INT_MAX},   {"nonsense", INT_MAX}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        place p = make_place();
        put(&p, "groups", "0::/\n");
        CHECK_INT(allowed(&p), INT_MAX);
        put(&p, "cpu.max", known[i].max);
        CHECK_INT(allowed(&p), known[i].processors);
        remove_place(&p);
    }
}

/* Those above a group count as well, and where its path is that of the machine outside, what can be
 * seen of them. */
TEST(the_least_quota_of_nested_groups_counts)
{
    place p = make_place();
    put(&p, "groups", "0::/user.slice/job/step\n");
    put(&p, "user.slice/job/step/cpu.max", "max 100000\n");
    put(&p, "user.slice/job/cpu.max", "300000 100000\n");
    put(&p, "user.slice/cpu.max", "700000 100000\n");
    CHECK_INT(allowed(&p), 3);
    put(&p, "cpu.max", "250000 125000\n");
    CHECK_INT(allowed(&p), 2);
    put(&p, "groups", "0::/docker/0123\n");
    CHECK_INT(allowed(&p), 2);
    remove_place(&p);
}

TEST(a_quota_of_groups_by_controller)
{
    static const char *const lists[] = {"cpu", "cpu,cpuacct", "cpuacct,cpu"};
    for (int i = 0; i < 3; i++) {
        char groups[200], name[100];
        place p = make_place();
        snprintf(groups, sizeof groups, "9:cpuset:/a\n4:%s:/job\n3:memory:/b\n0::/\n", lists[i]);
        put(&p, "groups", groups);
        put(&p, "cpuset/a/cpu.cfs_quota_us", "100000\n"); /* none of that controller's */
        put(&p, "cpuset/a/cpu.cfs_period_us", "100000\n");
        snprintf(name, sizeof name, "%s/job/cpu.cfs_quota_us", lists[i]);
        put(&p, name, "-1\n");
        snprintf(name, sizeof name, "%s/job/cpu.cfs_period_us", lists[i]);
        put(&p, name, "50000\n");
        CHECK_INT(allowed(&p), INT_MAX);
        snprintf(name, sizeof name, "%s/job/cpu.cfs_quota_us", lists[i]);
        put(&p, name, "175000\n");
        CHECK_INT(allowed(&p), 4);
        remove_place(&p);
    }
}

TEST(groups_that_say_nothing_allow_all)
{
    char line[6000];
    place p = make_place();
    CHECK_INT(allowed(&p), INT_MAX); /* not even a list of them */
    put(&p, "groups", "");
    CHECK_INT(allowed(&p), INT_MAX);
    put(&p, "groups", "nothing of the kind\n:\n::\n");
    CHECK_INT(allowed(&p), INT_MAX);
    memset(line, 'x', sizeof line - 1);
    memcpy(line, "0::/", 4);
    line[sizeof line - 1] = '\0';
    put(&p, "groups", line);
    CHECK_INT(allowed(&p), INT_MAX);
    remove_place(&p);
}
