/* test.h - the harness: TEST(name) { ... } registers itself, CHECK counts.
 *
 * A test passes when no CHECK in it failed. Random tests draw from test_random,
 * whose seed is printed with a failure and can be set by SEED=n. */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stdint.h>

typedef void (*test_function)(void);

void test_register(const char *file, const char *name, test_function function);
void test_failed(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Marks the running test as skipped (it still returns by itself) and says why. */
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* True when long runs were asked for (`make check-long`). */
bool test_long(void);

/* How many random cases to try where `usual` is right for an optimised build: ten times
 * as many in a long run, fewer in a slow build (TEST_DIVISOR), at least 1. */
int test_rounds(int usual);
#ifndef TEST_DIVISOR
#define TEST_DIVISOR 1
#endif

/* A generator of its own for each test, the same in each run: splitmix64. */
uint64_t test_random(void);
double test_uniform(double low, double high);
int test_below(int n); /* 0 .. n-1 */

#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    __attribute__((constructor)) static void name##_register(void)                                 \
    {                                                                                              \
        test_register(__FILE__, #name, name);                                                      \
    }                                                                                              \
    static void name(void)

/* CHECK(condition, "format", ...): the message should give the values. */
#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_failed(__FILE__, __LINE__, __VA_ARGS__);                                          \
        }                                                                                          \
    } while (0)

#define CHECK_INT(got, expected)                                                                   \
    do {                                                                                           \
        long long got_ = (long long)(got), expected_ = (long long)(expected);                      \
        CHECK(got_ == expected_, "%s is %lld, expected %lld", #got, got_, expected_);              \
    } while (0)

#define CHECK_STRING(got, expected) test_check_string(__FILE__, __LINE__, #got, got, expected)
void test_check_string(const char *file, int line, const char *what, const char *got,
                       const char *expected);

#endif
