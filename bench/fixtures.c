/* fixtures.c - writes the sample parts: `fixtures [DIR]`, by default into data/. */
#include "parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *directory = argc > 1 ? argv[1] : "data";

    for (size_t i = 0; i < part_count; i++) {
        stl_image image = {0};
        char path[4096];
        FILE *file;

        snprintf(path, sizeof path, "%s/%s", directory, parts[i].file);
        if (!part_image(&parts[i], &image)) {
            fprintf(stderr, "fixtures: out of memory\n");
            return 2;
        }
        file = fopen(path, "wb");
        if (!file || fwrite(image.bytes, 1, image.size, file) != image.size || fclose(file) != 0) {
            fprintf(stderr, "fixtures: %s: %s\n", path, strerror(errno));
            return 2;
        }
        printf("%6zu bytes  %s\n", image.size, path);
        free(image.bytes);
    }
    return 0;
}
