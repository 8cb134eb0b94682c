/* test_values.c - values of options of which the output shows no more than that they were taken. */
#include "cli/values.h"
#include "test.h"

#include <stddef.h>

TEST(sizes_are_powers_of_1024)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {{"1", 1},
                 {"2800", 2800},
                 {"3K", 3 << 10},
                 {"5M", 5 << 20},
                 {"7G", UINT64_C(7) << 30},
                 {"16777215T", UINT64_C(16777215) << 40}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t bytes = 0;
        CHECK(value_size("memory", cases[i].text, &bytes) && bytes == cases[i].bytes,
              "%s: %llu bytes", cases[i].text, (unsigned long long)bytes);
    }
}
