/* test_runs.c - runs come to each item once, and soon to every part. */
#include "base/runs.h"
#include "test.h"

#include <string.h>

TEST(runs_come_to_each_item_once)
{
    enum { MOST = 5000 };
    for (int round = 0; round < test_rounds(3000); round++) {
        const uint32_t items = (uint32_t)(round < 300 ? round : test_below(MOST));
        const uint32_t length = 1 + (uint32_t)test_below(round % 2 ? 100 : 4);
        sc_runs runs = sc_runs_of(items, length);
        uint8_t seen[MOST] = {0};
        uint32_t last = 0, widest = 0; /* between items that an eighth of the runs came to */
        for (uint64_t eighth = runs.count / 8; runs.done < runs.count;) {
            uint32_t first, end;
            sc_runs_next(&runs, &first, &end);
            CHECK(first < end && end <= items && end - first <= length, "%u to %u", first, end);
            for (uint32_t i = first; i < end && i < items; i++) {
                seen[i]++;
            }
            for (uint32_t i = 0; runs.done == eighth && i < items; i++) {
                widest = seen[i] && i - last > widest ? i - last : widest;
                last = seen[i] ? i : last;
            }
        }
        for (uint32_t i = 0; i < items; i++) {
            CHECK(seen[i] == 1, "item %u of %u, %u a run: %d times", i, items, length, seen[i]);
        }
        CHECK(runs.count < 256 || (widest < items / 4 && items - last < items / 4),
              "%u items, %u a run: %u between some, %u at the end", items, length, widest,
              items - last);
    }
}
