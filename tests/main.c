/* main.c - runs the registered tests: `tests [-l] [-x] [NAME...]`, each NAME a part of a test's
 * "file:name", with -x all of it; -l includes long runs; -n lists the names instead. */
#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TESTS = 1024, MAX_FAILURES_SHOWN = 10 };

static struct test {
    const char *file, *name;
    test_function function;
} tests[MAX_TESTS];
static int test_count;

static uint64_t seed = 20261120, state;
static int failures;
static bool skipped, long_runs, whole_names, only_list;

void test_register(const char *file, const char *name, test_function function)
{
    if (test_count == MAX_TESTS) {
        fprintf(stderr, "too many tests\n");
        exit(2);
    }
    tests[test_count++] = (struct test){file, name, function};
}

void test_failed(const char *file, int line, const char *format, ...)
{
    if (failures++ < MAX_FAILURES_SHOWN) {
        va_list arguments;
        va_start(arguments, format);
        printf("  %s:%d: ", file, line);
        vprintf(format, arguments);
        printf(" (SEED=%llu)\n", (unsigned long long)seed);
        va_end(arguments);
    }
}

void test_check_string(const char *file, int line, const char *what, const char *got,
                       const char *expected)
{
    if (strcmp(got, expected) != 0) {
        test_failed(file, line, "%s is \"%s\", expected \"%s\"", what, got, expected);
    }
}

void test_skip(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("  skipped: ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    skipped = true;
}

bool test_long(void)
{
    return long_runs;
}

int test_rounds(int usual)
{
    int count = long_runs ? 10 * usual : usual / TEST_DIVISOR;
    return count > 0 ? count : 1;
}

uint64_t test_random(void)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double test_uniform(double low, double high)
{
    return low + (high - low) * ((double)(test_random() >> 11) * 0x1p-53);
}

int test_below(int n)
{
    return (int)(test_random() % (uint64_t)n);
}

static int by_place(const void *a, const void *b)
{
    const struct test *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static bool wanted(const struct test *test, int argc, char **argv)
{
    char full[256];
    bool named = false;
    snprintf(full, sizeof full, "%s:%s", test->file, test->name);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-') {
            named = true;
            if (whole_names ? strcmp(full, argv[i]) == 0 : strstr(full, argv[i]) != NULL) {
                return true;
            }
        }
    }
    return !named;
}

int main(int argc, char **argv)
{
    int passed = 0, failed = 0, not_run = 0;

    if (getenv("SEED")) {
        seed = strtoull(getenv("SEED"), NULL, 10);
    }
    for (int i = 1; i < argc; i++) {
        long_runs = long_runs || strcmp(argv[i], "-l") == 0;
        whole_names = whole_names || strcmp(argv[i], "-x") == 0;
        only_list = only_list || strcmp(argv[i], "-n") == 0;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    qsort(tests, (size_t)test_count, sizeof tests[0], by_place);
    for (int i = 0; i < test_count; i++) {
        if (!wanted(&tests[i], argc, argv)) {
            continue;
        }
        if (only_list) {
            printf("%s:%s\n", tests[i].file, tests[i].name);
            continue;
        }
        failures = 0;
        skipped = false;
        state = seed;
        tests[i].function();
        if (failures > 0) {
            printf("FAILED %s:%s (%d checks)\n", tests[i].file, tests[i].name, failures);
            failed++;
        } else if (skipped) {
            not_run++;
        } else {
            passed++;
        }
    }
    if (!only_list) {
        printf("unit: %d passed, %d failed, %d skipped\n", passed, failed, not_run);
    }
    return failed > 0;
}
