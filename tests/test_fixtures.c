/* The sample parts in data/ are what bench/parts.c writes; run from the top folder. */
#include "../bench/parts.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

/* The first byte in which the file differs from `image`, -1 if in none, -2 if the file
 * cannot be read. */
static long first_difference(const char *path, const stl_image *image)
{
    FILE *file = fopen(path, "rb");
    long at = -2;

    if (file) {
        at = 0;
        while ((size_t)at < image->size && getc(file) == image->bytes[at]) {
            at++;
        }
        if ((size_t)at == image->size && getc(file) == EOF) {
            at = -1;
        }
        fclose(file);
    }
    return at;
}

TEST(sample_parts_are_what_the_code_writes)
{
    for (size_t i = 0; i < part_count; i++) {
        stl_image image = {0};
        char path[256];
        long at;

        snprintf(path, sizeof path, "data/%s", parts[i].file);
        CHECK(part_image(&parts[i], &image), "%s: out of memory", path);
        at = first_difference(path, &image);
        CHECK(at != -2, "%s: cannot be read", path);
        CHECK(at < 0, "%s: differs at byte %ld; `make fixtures` writes it anew", path, at);
        CHECK(image.size < 60000, "%s: %zu bytes", path, image.size);
        free(image.bytes);
    }
}
